//! Find how large a difference of two methods the splits of each dataset could have found.

use crate::evidence::field::Block;
use crate::evidence::imputation::Imputed;
use crate::evidence::losses::Losses;
use uq_core::stats::corrected::Corrected;
use uq_core::stats::paired::ALPHA;

/// The smallest differences that were detectable on one dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct Detectable<'a> {
    /// The dataset.
    pub block: &'a Block,
    /// Largest number of common repetitions of a pair.
    pub n: usize,
    /// Number of pairs of methods.
    pub pairs: usize,
    /// For the pairs the smallest, the median and the largest of their detectable differences, in
    /// units of the loss.
    pub range: [f64; 3],
}

/// For each dataset the smallest mean difference that would be significant at 5 % on its own, over
/// all pairs of entrants whose scores are not mostly imputed. Datasets without such a pair are left
/// out, and so are those whose splits are not random, and pairs without variance over repetitions.
pub fn detectable<'a>(losses: &'a Losses) -> Vec<Detectable<'a>> {
    let of_block = |(block, scores): &'a (&'a Block, Imputed)| {
        let entrants: Vec<usize> = losses
            .defined()
            .into_iter()
            .filter(|&entrant| !scores.is_mostly_imputed(entrant))
            .collect();
        let pairs = entrants
            .iter()
            .enumerate()
            .flat_map(|(i, &a)| entrants[i + 1..].iter().map(move |&b| (a, b)));
        let found = pairs.filter_map(|(a, b)| {
            Corrected::compare(&losses.gains(scores, a, b), block.test_to_train)
        });
        let found: Vec<Corrected> = found.filter(|pair| pair.scale > 0.0).collect();
        let mut all: Vec<f64> = found.iter().map(|pair| pair.detectable(ALPHA)).collect();
        all.sort_by(f64::total_cmp);
        let range = [*all.first()?, all[all.len() / 2], *all.last()?];
        let n = found.iter().map(|pair| pair.summary.n).max()?;
        Some(Detectable { block, n, pairs: all.len(), range })
    };
    losses.blocks.iter().filter(|(block, _)| block.random_splits).filter_map(of_block).collect()
}

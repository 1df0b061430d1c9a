//! Find which part of its variance the paper's own method misstates most.

use serde::{Deserialize, Serialize};

use crate::evidence::Evidence;
use crate::evidence::decomposition::Column;
use uq_core::metrics::VariancePart;
use uq_core::stats::paired::ALPHA;
use uq_core::stats::t_quantile;

/// A part of a variance, stated and true, on one dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decomposed {
    /// The part.
    pub part: VariancePart,
    /// Heading of the dataset.
    pub dataset: String,
    /// Heading of the column.
    pub own: String,
    /// ln of the mean stated by the mean true variance.
    pub level: f64,
    /// Half width of its 95 % interval over the training sets.
    pub half_width: f64,
    /// Number of training sets.
    pub n: usize,
    /// Number of columns, datasets and parts whose interval lies below 0: too little is stated.
    pub low: usize,
    /// Number of those whose interval lies above 0.
    pub high: usize,
    /// Number of all of them.
    pub all: usize,
    /// Whether the benchmark says that the column is the paper's own.
    pub is_papers_own: bool,
}

/// The label of a column whose parts are named by us and not by the paper.
const NOMINAL: &str = "nominal";

/// The aleatoric or epistemic variance whose level is farthest from the truth, if its interval
/// excludes the truth; `None` where there is none. Where the benchmark does not say which columns
/// are the paper's own, all are searched. A nominal split, which the paper does not state as one,
/// is no news about its method.
pub fn decomposed(evidence: &Evidence, columns: &[Column]) -> Option<Decomposed> {
    let own = &evidence.results.plan.benchmark.own;
    let is_own = |column: &&Column| {
        column.series.variant().is_none()
            && !(own.is_stated() && own.leave_out(&column.series.column.labels))
    };
    let parts = [VariancePart::Aleatoric, VariancePart::Epistemic];
    let all = columns
        .iter()
        .filter(is_own)
        .flat_map(|column| parts.map(|part| one(column, part, own.is_stated())));
    farthest(all.flatten().collect())
}

/// `None` where the part is not stated, is stated to be 0, or has one training set.
fn one(column: &Column, part: VariancePart, own_is_stated: bool) -> Option<Decomposed> {
    let level = column.replicates.scores(part)?.level?;
    let n = column.replicates.each.len();
    let half_width = t_quantile(1.0 - ALPHA / 2.0, n.checked_sub(1)?)? * level.standard_error?;
    let (dataset, own) =
        (column.series.dataset.heading.clone(), column.series.column.heading.clone());
    let is_nominal = column.series.column.labels.values().any(|label| label == NOMINAL);
    let (low, high, all, is_papers_own) = (0, 0, 0, own_is_stated && !is_nominal);
    let found = Decomposed {
        part,
        dataset,
        own,
        level: level.value,
        half_width,
        n,
        low,
        high,
        all,
        is_papers_own,
    };
    (level.value.is_finite() && half_width.is_finite()).then_some(found)
}

/// A level within this of 0, a millionth of the variance, is right up to rounding.
const ROUNDING: f64 = 1e-6;

fn farthest(found: Vec<Decomposed>) -> Option<Decomposed> {
    let low = found.iter().filter(|one| one.level + one.half_width < -ROUNDING).count();
    let high = found.iter().filter(|one| one.level - one.half_width > ROUNDING).count();
    let all = found.len();
    let wrong = found.into_iter().filter(|one| one.level.abs() > one.half_width + ROUNDING);
    let farthest = wrong.max_by(|a, b| a.level.abs().total_cmp(&b.level.abs()))?;
    Some(Decomposed { low, high, all, ..farthest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_that_is_farthest_from_the_truth_is_found_if_its_interval_excludes_it() {
        let one = |own: &str, level: f64, half_width: f64| {
            let (part, dataset, own) = (VariancePart::Epistemic, "Gap".to_owned(), own.to_owned());
            Decomposed {
                part,
                dataset,
                own,
                level,
                half_width,
                n: 20,
                low: 0,
                high: 0,
                all: 0,
                is_papers_own: true,
            }
        };
        let found = |all: &[Decomposed]| {
            farthest(all.to_vec())
                .map(|found| (found.own.clone(), found.low, found.high, found.all))
        };
        let all =
            [one("a", -2.0, 0.5), one("b", 1.0, 0.5), one("c", 3.0, 4.0), one("d", -0.1, 0.2)];
        assert_eq!(found(&all), Some(("a".into(), 1, 1, 4)));
        // The far one becomes right: another one is found, and none where no interval excludes the
        // truth.
        let all = [one("a", -0.2, 0.5), one("b", 1.0, 0.5), one("c", 3.0, 4.0)];
        assert_eq!(found(&all), Some(("b".into(), 0, 1, 3)));
        assert_eq!(found(&all[2..]), None);
        assert_eq!(found(&[one("a", 1e-16, 0.0)]), None, "that is rounding");
    }
}

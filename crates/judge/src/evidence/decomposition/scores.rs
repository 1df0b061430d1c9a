//! Score a stated variance against the true one, region by region.
//!
//! t_gr is the true variance of region g = 1, …, G in replicate r = 1, …, R (the same in all
//! replicates for noise; for an error the mean squared error of that replicate), e_gr what its fit
//! states there, and t_g and e_g are their means over the replicates:
//!
//! ```text
//! level      = ln Σ_g e_g − ln Σ_g t_g                                                (1)
//! unevenness = (1/G) Σ_g |ln(e_g / t_g)|                                              (2)
//! rank       = Spearman's correlation of e_g and t_g over the regions                 (3)
//! loss       = (1/RG) Σ_gr D(t_g, e_gr),   D(t, e) = t/e − ln(t/e) − 1                (4)
//! constant   = min_c (1/G) Σ_g D(t_g, c) = ln mean(t_g) − mean(ln t_g),  c = mean(t_g)  (5)
//! skill      = 1 − loss / constant                                                    (6)
//! s²         = (R − 1)/R Σ_r (θ_(r) − θ_(·))²                                         (7)
//! ```
//!
//! D is the distance of Itakura and Saito: the loss QLIKE without the terms that no forecast
//! changes. It is strictly consistent for a mean. With an unbiased proxy of the true variance, such
//! as an average of squared errors, it therefore ranks forecasts correctly on average (a squared
//! error of logarithms does not). It is homogeneous of degree zero, so that no score depends on the
//! unit of y. It penalises variances that are too small more than those that are too large. A fit
//! is judged by its own e_gr, because in practice there is one training set and no mean over
//! twenty.
//!
//! The standard error of each score is that of the jackknife (7): θ_(r) is computed without
//! replicate r, which is also left out of the truth.
//!
//! *References:* Itakura & Saito (1968), 6th International Congress on Acoustics, C-17; Patton
//! (2011), *Volatility forecast comparison using imperfect volatility proxies*, Journal of
//! Econometrics 160, 246-256; Gneiting (2011), *Making and evaluating point forecasts*, JASA 106,
//! 746-762; Efron & Stein (1981), *The jackknife estimate of variance*, Annals of Statistics 9,
//! 586-596.

use uq_core::math::correlation::pearson;
use uq_core::math::ranks::average_ranks;

/// Variances that agree to this share are equal, so that rounding does not order them.
const SAME: f64 = 1e-9;

/// Where the best constant's loss is below this, in nats, the truth counts as constant: the
/// standard deviation of its logarithms is at most about 0.14. Skill would then be a ratio of two
/// small errors. Our choice.
const NOTHING_TO_KNOW: f64 = 0.01;

/// A score and its standard error over replicates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The score; infinite where a variance of zero is stated.
    pub value: f64,
    /// Its standard error (7); absent for one replicate, and where leaving one out makes the score
    /// undefined.
    pub standard_error: Option<f64>,
}

/// The scores of one part of the variance on one dataset; a score is absent where it is undefined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// Eq. (1): ln 2 = 0.69 states twice the variance.
    pub level: Option<Estimate>,
    /// Eq. (2).
    pub unevenness: Option<Estimate>,
    /// Eq. (3); absent where either is the same in all regions.
    pub rank: Option<Estimate>,
    /// Eq. (4), in nats.
    pub loss: Option<Estimate>,
    /// Eq. (5), in nats: how much a constant loses because the truth varies.
    pub constant: Option<Estimate>,
    /// Eq. (6); absent where the best constant loses less than 0.01 nat, because the truth hardly
    /// varies.
    pub skill: Option<Estimate>,
}

/// The scores of R × G stated variances against as many true ones.
///
/// `None` for no replicate, no region, tables of different shapes, and a number that is negative or
/// not finite.
pub fn scores(truth: &[Vec<f64>], stated: &[Vec<f64>]) -> Option<Scores> {
    let (replicates, regions) = (truth.len(), truth.first()?.len());
    let fine =
        |row: &Vec<f64>| row.len() == regions && row.iter().all(|v| v.is_finite() && *v >= 0.0);
    if regions == 0 || stated.len() != replicates || !truth.iter().chain(stated).all(fine) {
        return None;
    }
    let of = |score: fn(&[f64], &[f64]) -> Option<f64>| {
        jackknife(replicates, |kept| score(&mean(truth, kept), &mean(stated, kept)))
    };
    let constant = jackknife(replicates, |kept| constant_loss(&mean(truth, kept)));
    let worth_knowing = constant.is_some_and(|constant| constant.value >= NOTHING_TO_KNOW);
    let skill = |kept: &[usize]| {
        let truth = mean(truth, kept);
        Some(1.0 - loss(&truth, stated, kept)? / constant_loss(&truth)?) // (6)
    };
    Some(Scores {
        level: of(level),
        unevenness: of(unevenness),
        rank: of(rank),
        loss: jackknife(replicates, |kept| loss(&mean(truth, kept), stated, kept)),
        constant,
        skill: if worth_knowing { jackknife(replicates, skill) } else { None },
    })
}

/// The mean of the kept rows.
fn mean(rows: &[Vec<f64>], kept: &[usize]) -> Vec<f64> {
    let of = |g: usize| kept.iter().map(|&r| rows[r][g]).sum::<f64>() / kept.len() as f64;
    (0..rows.first().map_or(0, Vec::len)).map(of).collect()
}

fn level(truth: &[f64], stated: &[f64]) -> Option<f64> {
    Some((stated.iter().sum::<f64>() / truth.iter().sum::<f64>()).ln()) // (1)
}

fn unevenness(truth: &[f64], stated: &[f64]) -> Option<f64> {
    let logs = stated.iter().zip(truth).map(|(stated, truth)| (stated / truth).ln().abs());
    Some(logs.sum::<f64>() / truth.len() as f64) // (2)
}

fn rank(truth: &[f64], stated: &[f64]) -> Option<f64> {
    let ranks = |values: &[f64]| average_ranks(values, |least| SAME * least);
    pearson(&ranks(truth), &ranks(stated), 0.0) // (3)
}

fn loss(truth: &[f64], stated: &[Vec<f64>], kept: &[usize]) -> Option<f64> {
    let distance = |(truth, stated): (&f64, &f64)| {
        let ratio = truth / stated;
        // Relative to an infinite ratio its logarithm is negligible.
        if ratio == f64::INFINITY { ratio } else { ratio - ratio.ln() - 1.0 }
    };
    let of = |r: &usize| truth.iter().zip(&stated[*r]).map(distance).sum::<f64>();
    Some(kept.iter().map(of).sum::<f64>() / (kept.len() * truth.len()) as f64) // (4)
}

fn constant_loss(truth: &[f64]) -> Option<f64> {
    let g = truth.len() as f64;
    // (5)
    Some((truth.iter().sum::<f64>() / g).ln() - truth.iter().map(|t| t.ln()).sum::<f64>() / g)
}

/// A statistic of all replicates with its standard error (7); `None` where it is undefined.
fn jackknife(replicates: usize, statistic: impl Fn(&[usize]) -> Option<f64>) -> Option<Estimate> {
    let all: Vec<usize> = (0..replicates).collect();
    let value = statistic(&all).filter(|value| !value.is_nan())?;
    let without = |left: usize| {
        let kept: Vec<usize> = all.iter().copied().filter(|r| *r != left).collect();
        if kept.is_empty() { None } else { statistic(&kept).filter(|value| value.is_finite()) }
    };
    let found: Option<Vec<f64>> = all.iter().map(|&left| without(left)).collect();
    let standard_error = found.map(|found| {
        let n = found.len() as f64;
        let mean = found.iter().sum::<f64>() / n;
        ((n - 1.0) / n * found.iter().map(|v| (v - mean).powi(2)).sum::<f64>()).sqrt() // (7)
    });
    Some(Estimate { value, standard_error: standard_error.filter(|_| value.is_finite()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert, proptest};

    const TRUTH: [f64; 4] = [1.0, 2.0, 4.0, 9.0];

    fn rows(values: &[f64], replicates: usize) -> Vec<Vec<f64>> {
        vec![values.to_vec(); replicates]
    }

    fn close(found: Option<Estimate>, expected: f64) {
        assert!((found.unwrap().value - expected).abs() < 1e-12, "{found:?} against {expected}");
    }

    #[test]
    fn the_truth_itself_has_level_zero_rank_one_and_the_best_skill() {
        let found = scores(&rows(&TRUTH, 3), &rows(&TRUTH, 3)).unwrap();
        for (score, expected) in [
            (found.level, 0.0),
            (found.unevenness, 0.0),
            (found.rank, 1.0),
            (found.loss, 0.0),
            (found.skill, 1.0),
        ] {
            assert_eq!(score, Some(Estimate { value: expected, standard_error: Some(0.0) }));
        }
        // ln 4 − ln(72)/4.
        close(found.constant, 4f64.ln() - 72f64.ln() / 4.0);
    }

    #[test]
    fn a_constant_at_the_true_level_has_no_skill_and_no_rank() {
        let found = scores(&rows(&TRUTH, 3), &rows(&[4.0; 4], 3)).unwrap();
        close(found.level, 0.0);
        close(found.skill, 0.0);
        // (ln 4 + ln 2 + 0 + ln 9/4) / 4.
        close(found.unevenness, 18f64.ln() / 4.0);
        assert_eq!(found.rank, None);
        // Twice the level: D grows by 1/2 + ln 2 − 1 in each region.
        let twice = scores(&rows(&TRUTH, 3), &rows(&[8.0; 4], 3)).unwrap();
        close(twice.level, 2f64.ln());
        let constant = found.constant.unwrap().value;
        close(twice.loss, constant + 2f64.ln() - 0.5);
        close(twice.skill, (0.5 - 2f64.ln()) / constant);
    }

    #[test]
    fn each_fit_is_judged_by_itself_and_the_mean_by_its_level() {
        // Half and three halves of the truth: their mean is right, both of them are not.
        let halves: Vec<Vec<f64>> =
            [0.5, 1.5].map(|share| TRUTH.iter().map(|t| share * t).collect()).into();
        let found = scores(&rows(&TRUTH, 2), &halves).unwrap();
        close(found.level, 0.0);
        close(found.rank, 1.0);
        // (2 + ln ½ − 1 + ⅔ + ln 3⁄2 − 1) / 2.
        close(found.loss, (2.0 + 0.5f64.ln() + 2.0 / 3.0 + 1.5f64.ln() - 2.0) / 2.0);
    }

    #[test]
    fn ranks_are_spearmans() {
        // Differences of ranks 0, 1, 1, 0: 1 − 6 · 2 / (4 · 15).
        let found = scores(&rows(&TRUTH, 2), &rows(&[1.0, 5.0, 3.0, 7.0], 2)).unwrap();
        close(found.rank, 0.8);
        let opposite = scores(&rows(&TRUTH, 2), &rows(&[4.0, 3.0, 2.0, 1.0], 2)).unwrap();
        close(opposite.rank, -1.0);
    }

    #[test]
    fn undefined_scores_are_absent() {
        let even = scores(&rows(&[2.0; 4], 3), &rows(&TRUTH, 3)).unwrap();
        assert_eq!((even.rank, even.skill), (None, None), "the truth is constant");
        // 0.9 and 1.1 have the mean 1 and −½ ln 0.99 = 0.005, 0.8 and 1.2 have −½ ln 0.96 = 0.020.
        let nearly =
            |by: f64| scores(&rows(&[1.0 - by, 1.0 + by], 3), &rows(&[1.0, 2.0], 3)).unwrap();
        close(nearly(0.1).constant, -0.5 * 0.99f64.ln());
        assert_eq!((nearly(0.1).skill, nearly(0.2).skill.is_some()), (None, true));
        close(even.constant, 0.0);
        close(even.level, 2f64.ln());
        let none = scores(&rows(&TRUTH, 3), &rows(&[0.0; 4], 3)).unwrap();
        let infinite = |value: f64| Some(Estimate { value, standard_error: None });
        assert_eq!(
            (none.level, none.skill),
            (infinite(f64::NEG_INFINITY), infinite(f64::NEG_INFINITY))
        );
        assert_eq!((none.unevenness, none.rank), (infinite(f64::INFINITY), None));
        let single = scores(&rows(&TRUTH, 1), &rows(&TRUTH, 1)).unwrap();
        assert_eq!(single.level, infinite(0.0), "one replicate has no standard error");
        for (truth, stated) in [
            (vec![], vec![]),
            (vec![vec![]], vec![vec![]]),
            (rows(&TRUTH, 2), rows(&TRUTH, 3)),
            (rows(&TRUTH, 2), rows(&[1.0], 2)),
            (rows(&TRUTH, 2), rows(&[1.0, 2.0, 3.0, f64::NAN], 2)),
            (rows(&TRUTH, 2), rows(&[1.0, 2.0, 3.0, -1.0], 2)),
        ] {
            assert_eq!(scores(&truth, &stated), None);
        }
    }

    #[test]
    fn the_jackknife_of_a_mean_is_its_standard_error() {
        let values = [1.0, 4.0, 2.0, 8.0, 5.0];
        let mean =
            |kept: &[usize]| Some(kept.iter().map(|&r| values[r]).sum::<f64>() / kept.len() as f64);
        let found = jackknife(5, mean).unwrap();
        // Mean 4, squares about it 9 + 0 + 4 + 16 + 1 = 30: √(30/4/5).
        assert!(
            (found.value - 4.0).abs() < 1e-15
                && (found.standard_error.unwrap() - 1.5f64.sqrt()).abs() < 1e-14
        );
    }

    #[test]
    fn the_standard_error_of_the_level_is_that_of_the_delta_method() {
        // One region, a fixed truth: ln of a mean of 400 numbers of mean 1 and small spread, so s /
        // √R.
        let stated: Vec<Vec<f64>> =
            (0..400).map(|r| vec![1.0 + 0.1 * (f64::from(r) * 0.618_034).fract()]).collect();
        let found = scores(&rows(&[1.0], 400), &stated).unwrap().level.unwrap();
        let mean = stated.iter().map(|row| row[0]).sum::<f64>() / 400.0;
        let squares = stated.iter().map(|row| (row[0] - mean).powi(2)).sum::<f64>();
        let expected = (squares / 399.0 / 400.0).sqrt() / mean;
        assert!(
            (found.standard_error.unwrap() / expected - 1.0).abs() < 1e-3,
            "{found:?} {expected}"
        );
    }

    proptest! {
        #[test]
        fn no_score_depends_on_the_unit_of_the_target(
            cells in proptest::collection::vec((0.01f64..100.0, 0.01f64..100.0), 12),
            unit in 0.001f64..1000.0,
        ) {
            let table = |of: &dyn Fn(&(f64, f64)) -> f64| -> Vec<Vec<f64>> {
                cells.chunks(4).map(|row| row.iter().map(of).collect()).collect()
            };
            let own = scores(&table(&|c| c.0), &table(&|c| c.1)).unwrap();
            let other =
                scores(&table(&|c| unit * unit * c.0), &table(&|c| unit * unit * c.1)).unwrap();
            let pairs = [
                (own.level, other.level),
                (own.unevenness, other.unevenness),
                (own.rank, other.rank),
                (own.loss, other.loss),
                (own.constant, other.constant),
                (own.skill, other.skill),
            ];
            for (a, b) in pairs {
                prop_assert!(a.is_some() == b.is_some());
                let Some((a, b)) = a.zip(b) else { continue };
                let near = |a: f64, b: f64| (a - b).abs() < 1e-7 * (1.0 + a.abs());
                prop_assert!(near(a.value, b.value), "{:?} {:?}", a, b);
                prop_assert!(
                    near(a.standard_error.unwrap(), b.standard_error.unwrap()),
                    "{:?} {:?}",
                    a,
                    b
                );
            }
        }

        #[test]
        fn no_constant_beats_the_one_at_the_mean_and_nothing_beats_the_truth(
            truth in proptest::collection::vec(0.01f64..100.0, 2..20),
            constant in 0.01f64..100.0,
        ) {
            let found = scores(&rows(&truth, 2), &rows(&vec![constant; truth.len()], 2)).unwrap();
            prop_assert!(found.loss.unwrap().value >= found.constant.unwrap().value - 1e-12);
            prop_assert!(found.constant.unwrap().value >= -1e-12);
        }
    }
}

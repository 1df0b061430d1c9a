//! Judge how fast a metric grows: the slope of its logarithm against that of the abscissa, by least
//! squares.

use super::curves::{columns_of, complete, curve};
use super::kind::{Finding, JudgeClaim};
use super::note::{Estimate, Note};
use super::outcome::Judged;
use crate::evidence::{Evidence, EvidenceError, Results, Series};
use uq_core::stats::Summary;
use uqbench_run::benchmark::claims::ExponentAtMost;

impl JudgeClaim for ExponentAtMost {
    fn columns<'a>(&self, results: &'a Results) -> Vec<Series<'a>> {
        columns_of(curve(results, &self.labels))
    }

    /// One slope for each repetition over the points within the range, which must include both
    /// ends. Student's interval of their mean lies below the bound, above it, or contains it.
    fn own(&self, evidence: &Evidence) -> Result<Finding, EvidenceError> {
        let (low, high) = self.x;
        let mut within = curve(&evidence.results, &self.labels);
        within.retain(|(x, _)| (low..=high).contains(x));
        let x: Vec<f64> = within.iter().map(|(x, _)| *x).collect();
        if !(x.contains(&low) && x.contains(&high)) {
            return Ok(Finding::undecided(Note::NoEnd { low, high }, 0));
        }
        Ok(judge(&x, &complete(&within, &self.metric), self.bound))
    }
}

/// `rows`: repetition × point.
fn judge(x: &[f64], rows: &[Vec<f64>], bound: f64) -> Finding {
    let slopes: Option<Vec<f64>> = rows.iter().map(|row| log_slope(x, row)).collect();
    let Some(summary) = slopes.and_then(|slopes| Summary::from_values(&slopes)) else {
        return Finding::undecided(Note::NotPositive, 0);
    };
    let exponent = Estimate::from(summary);
    let judged = match (exponent.mean, exponent.half_width) {
        (mean, Some(h)) if mean + h <= bound => Judged::Holds,
        (mean, Some(h)) if mean - h > bound => Judged::Fails,
        _ => Judged::Undecided,
    };
    Finding { judged, note: Note::Exponent { exponent, bound }, n: summary.n }
}

/// The least-squares slope of ln y against ln x; `None` where either is not positive.
fn log_slope(x: &[f64], y: &[f64]) -> Option<f64> {
    if !x.iter().chain(y).all(|v| *v > 0.0 && v.is_finite()) {
        return None;
    }
    let n = x.len() as f64;
    let (u, v): (Vec<f64>, Vec<f64>) = x.iter().zip(y).map(|(x, y)| (x.ln(), y.ln())).unzip();
    let (mean_u, mean_v) = (u.iter().sum::<f64>() / n, v.iter().sum::<f64>() / n);
    let products: f64 = u.iter().zip(&v).map(|(u, v)| (u - mean_u) * (v - mean_v)).sum();
    let squares: f64 = u.iter().map(|u| (u - mean_u).powi(2)).sum();
    (squares > 0.0).then(|| products / squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: [f64; 4] = [1e4, 1e5, 3e5, 1e6];

    /// c x^a for each (c, a).
    fn powers(of: &[(f64, f64)]) -> Vec<Vec<f64>> {
        of.iter().map(|(c, a)| X.iter().map(|x| c * x.powf(*a)).collect()).collect()
    }

    #[test]
    fn a_power_is_found_whatever_its_factor() {
        for (c, a) in [(3.0, 1.0), (1e-6, 1.5), (20.0, -0.25)] {
            let slope = log_slope(&X, &powers(&[(c, a)])[0]).unwrap();
            assert!((slope - a).abs() < 1e-12, "{slope}");
        }
        assert_eq!(log_slope(&X, &[1.0, 2.0, 0.0, 3.0]), None, "zero has no logarithm");
        assert_eq!(log_slope(&[2.0, 2.0], &[1.0, 3.0]), None, "one abscissa has no slope");
    }

    #[test]
    fn the_interval_decides() {
        // Mean 1, half width of Student's interval: t(0.975, 2) 0.01/√3 = 0.0248.
        let near = powers(&[(1.0, 0.99), (2.0, 1.0), (3.0, 1.01)]);
        for (bound, expected) in
            [(1.1, Judged::Holds), (1.01, Judged::Undecided), (0.9, Judged::Fails)]
        {
            let found = judge(&X, &near, bound);
            assert_eq!((found.judged, found.n), (expected, 3), "{found:?}");
            let Note::Exponent { exponent: Estimate { mean, half_width }, bound: held } =
                found.note
            else {
                panic!("{found:?}")
            };
            assert_eq!(held, bound);
            assert!((mean - 1.0).abs() < 1e-12, "{mean}");
            assert!((half_width.unwrap() - 0.0248).abs() < 1e-4, "{half_width:?}");
        }
        let once = judge(&X, &near[..1], 1.1);
        assert_eq!((once.judged, once.n), (Judged::Undecided, 1));
        assert_eq!(judge(&X, &[], 1.1), Finding::undecided(Note::NotPositive, 0));
    }
}

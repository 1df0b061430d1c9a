//! Judge what the transforms of a method's outcomes say of its predictions: too low or too high, too
//! narrow or too wide.

use super::figure::pooled;
use super::reason::{Fault, Half};
use crate::plot::LargeCalibration;
use crate::words::try_table::calibration as words;
use uq_core::stats::Pit;
use uq_core::stats::coverage::{Coverage, judge};
use uqbench_run::runner::try_table::{Evaluation, Tried};

/// The calibration of one method.
pub(super) struct Calibrated {
    title: String,
    pit: Pit,
}

impl Calibrated {
    /// `None` where the method has no distribution function.
    pub fn of(tried: &Tried, evaluation: &Evaluation) -> Option<Self> {
        Some(Self { title: words::title(&tried.id), pit: pooled(tried, evaluation.folding)? })
    }

    /// A heading, and what the figure shows in a sentence.
    pub fn text(&self) -> String {
        format!("## {}\n\n{}\n", self.title, words::shown(&fault(&self.pit)))
    }

    /// Its figure.
    pub fn figure(&self) -> LargeCalibration<'_> {
        LargeCalibration { title: &self.title, pit: &self.pit }
    }
}

/// What pooled transforms say.
fn fault(pit: &Pit) -> Fault {
    let shares = pit.reliability();
    let level = |part: f64| shares[(part * (shares.len() - 1) as f64).round() as usize];
    let rows = pit.effective.max(1);
    let half = |share: f64| Coverage { covered: (share * rows as f64).round() as usize, rows };
    let (above, inside) = (half(1.0 - level(0.5)), half(level(0.75) - level(0.25)));
    let judged = judge(&[above, inside], 0.5);
    Fault {
        above: Half { coverage: above, judged: judged[0] },
        inside: Half { coverage: inside, judged: judged[1] },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::stats::PitCounts;
    use uq_core::stats::coverage::Kept;

    /// The fault of 1000 outcomes with these transforms.
    fn of(transform: impl Fn(f64) -> f64) -> Fault {
        let pairs: Vec<(f64, f64)> =
            (0..1000).map(|i| transform((f64::from(i) + 0.5) / 1000.0)).map(|p| (p, p)).collect();
        let counts = PitCounts::new(&pairs).unwrap();
        fault(&Pit::new(&[counts], 1000).unwrap())
    }

    #[test]
    fn a_fault_is_named_by_its_direction_and_calibrated_predictions_have_none() {
        let kept = |fault: &Fault| (fault.above.judged.kept, fault.inside.judged.kept);
        // Equally spread transforms: half above the median, half inside.
        let fault = of(|p| p);
        assert_eq!(kept(&fault), (Kept::Unclear, Kept::Unclear));
        assert_eq!((fault.above.coverage.covered, fault.inside.coverage.covered), (500, 500));
        // √p > 1/2 where p > 1/4: three quarters lie above the median, and 1/2 < √p ≤ 3/4 … of
        // 1/16 < p ≤ 9/16 a half lies inside.
        let low = of(f64::sqrt);
        assert_eq!(low.above.coverage.covered, 750);
        assert_eq!(kept(&low), (Kept::TooHigh, Kept::Unclear));
        let high = of(|p| p * p);
        assert_eq!(kept(&high).0, Kept::TooLow);
        // Squeezed to the middle half: every outcome inside, so that predictions are too wide.
        let wide = of(|p| 0.25 + 0.5 * p);
        assert_eq!(kept(&wide), (Kept::Unclear, Kept::TooHigh));
        // Pushed to both ends: too narrow.
        let narrow = of(|p| if p < 0.5 { 0.4 * p } else { 1.0 - 0.4 * (1.0 - p) });
        assert_eq!(kept(&narrow), (Kept::Unclear, Kept::TooLow));
    }
}

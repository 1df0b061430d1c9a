//! Say what the parts of a mean CRPS are, and what they say of a method.

use uq_core::crps_decomposition::{Calibrated, CrpsDecomposition, MOST_ROWS};

/// The title of the table.
pub const TITLE: &str = "What the CRPS is made of";

/// How to read the parts, wherever they stand.
pub const PARTS: &str = "CRPS = miscalibration − discrimination + uncertainty (Arnold, Walz, Ziegel \
    and Gneiting 2024). Uncertainty is the CRPS of the test outcomes' own distribution; it is the \
    same for all methods. Discrimination is what recalibrated forecasts gain over it: larger is \
    better. Miscalibration is what recalibrated forecasts gain over the method's own: smaller is \
    better. Recalibrated forecasts come from the isotonic regression of the outcomes on the \
    forecasts, fitted and scored on the same rows, so that miscalibration is above 0 for calibrated \
    forecasts, too.";

/// How to read the share of pairs.
pub const PAIRS: &str = "Comparable pairs: the share of pairs of rows of which no quantile of one \
    exceeds that of the other, at 27 levels from 0.5 to 99.5 %. Where it is small, recalibration \
    can follow the outcomes: miscalibration and discrimination are both large, those of the draws, \
    too, and little can be told.";

/// The note below the table. A test set is recalibrated in up to this many parts.
pub fn note(most_parts: usize) -> String {
    let divided = match most_parts {
        0 | 1 => String::new(),
        parts => format!(
            " Forecasts that are not all comparable are recalibrated in random parts of at most \
             {MOST_ROWS} rows, here up to {parts} a test set: parts of test sets of other sizes are \
             not comparable with these."
        ),
    };
    format!(
        "{PARTS} “If calibrated” is the miscalibration of outcomes that are drawn from the forecasts, \
         mean of 20 draws. A method is judged miscalibrated where its miscalibration exceeds that of \
         all 20 draws; calibrated forecasts do so with probability 1/21. Undecided is no proof of \
         calibration: few rows hide much, and coverage and the figures of calibration look at other \
         sides of it. {PAIRS}{divided}"
    )
}

/// The note below the table of stored trials.
pub fn over_trials() -> String {
    format!(
        "Means over the repetitions ± standard deviation. {PARTS} “If calibrated” is the \
         miscalibration of outcomes that are drawn from the forecasts, mean of 20 draws: what is \
         above it is due to the method. {PAIRS} Forecasts that are not all comparable are \
         recalibrated in random parts of at most {MOST_ROWS} rows."
    )
}

/// What the miscalibration says of a method.
pub fn judge(mean: &CrpsDecomposition, calibrated: Option<&Calibrated>) -> &'static str {
    match calibrated {
        None => "no draws",
        Some(calibrated) if mean.miscalibration > calibrated.largest() => "miscalibrated",
        Some(_) => "undecided",
    }
}

/// A share in per cent.
pub fn share(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_judged_by_the_draws_from_its_own_forecasts() {
        let mean = |miscalibration: f64| CrpsDecomposition {
            crps: 1.0,
            miscalibration,
            discrimination: 1.0,
            uncertainty: 2.0 - miscalibration,
            comparable: 1.0,
        };
        let draws = Calibrated(std::array::from_fn(|draw| 0.1 + 0.01 * draw as f64));
        assert_eq!(judge(&mean(0.3), Some(&draws)), "miscalibrated");
        assert_eq!(judge(&mean(0.28), Some(&draws)), "undecided");
        assert_eq!(judge(&mean(0.3), None), "no draws");
        assert!(!note(1).contains("random parts") && note(3).contains("up to 3"));
    }
}

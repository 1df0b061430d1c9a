//! Name intervals and their score, which may have one end, and write shares of rows.

use uq_core::metrics::percent;
use uq_core::predictive::{Bounds, Side};
use uq_core::stats::coverage::Coverage;

/// The words for an interval with both ends, or for one bound.
pub struct Words {
    /// `intervals`.
    pub plural: &'static str,
    /// The heading `#Mean width` of a column of numbers.
    pub width_column: &'static str,
    /// Of what kinds of rows are made: `interval widths`.
    pub widths: &'static str,
    /// The heading `#Interval score` of a column of numbers.
    pub score_column: &'static str,
    /// `interval score`.
    pub score: &'static str,
    /// What covers more rows than it states.
    pub too_high: &'static str,
}

impl Words {
    pub fn of(bounds: Bounds) -> Self {
        match bounds.side {
            Side::Both => Self {
                plural: "intervals",
                width_column: "#Mean width",
                widths: "interval widths",
                score_column: "#Interval score",
                score: "interval score",
                too_high: "they are wider than necessary",
            },
            Side::Lower => Self {
                plural: "lower bounds",
                too_high: "they are lower than necessary",
                ..Self::ONE
            },
            Side::Upper => Self {
                plural: "upper bounds",
                too_high: "they are higher than necessary",
                ..Self::ONE
            },
        }
    }

    const ONE: Self = Self {
        plural: "bounds",
        width_column: "#Mean distance",
        widths: "distances of bound and mean",
        score_column: "#Pinball loss",
        score: "pinball loss",
        too_high: "",
    };
}

/// Level and name: `90 % intervals`.
pub fn stated(bounds: Bounds) -> String {
    format!("{} {}", percent(bounds.level), Words::of(bounds).plural)
}

/// A share as it stands in a sentence, to a tenth of a percent.
pub fn percent_of(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A coverage with the exact interval of its rows.
pub fn in_words(coverage: Coverage) -> String {
    with_interval(coverage, coverage.interval())
}

/// A coverage with this interval.
pub fn with_interval(coverage: Coverage, interval: Option<(f64, f64)>) -> String {
    let share = percent_of(coverage.share());
    let about = interval.map(|(low, high)| format!("{:.1} to {}", 100.0 * low, percent_of(high)));
    about.map_or_else(|| share.clone(), |about| format!("{share} (95 % interval: {about})"))
}

/// What coverage, width and score are, for the note below the table.
pub fn defined(bounds: Bounds) -> [String; 2] {
    let Bounds { level, side } = bounds;
    let stated = percent(level);
    let Some(of_bound) = bounds.quantile_level() else {
        return [
            format!("inside their central {stated} interval"),
            format!(
                "Interval score: the width, and {:.0} times the distance of a target outside.",
                2.0 / (1.0 - level)
            ),
        ];
    };
    let covered = match side {
        Side::Lower => {
            format!("at or above their {stated} lower bound, the predicted quantile {of_bound}")
        }
        _ => format!("at or below their {stated} upper bound, the predicted quantile {of_bound}"),
    };
    let score = format!(
        "Mean distance: of the bound from the predicted mean. Pinball loss: {of_bound} times the \
         distance of a target above its bound, or {:.4} times that of one below it (Koenker & \
         Bassett 1978); the interval score is made of the losses of both ends.",
        1.0 - of_bound
    );
    [covered, score]
}

//! Warn of a target that follows the time, which is no feature.

use super::dependent::By;
use super::error::SHOWN;
use super::finding::Finding;
use super::table::OwnTable;
use super::words::{Setting, Words};
use uq_core::Dependence;
use uq_core::math::correlation::pearson;
use uq_core::math::ranks::average_ranks;
use uq_core::printable::printable;

/// A target has a trend where its ranks and those of the times have a correlation of this size.
const STRONG: f64 = 0.5;

/// The warning that the target has a trend that no method can continue, because the time is left
/// out of the features. `None` where it is kept, where rows have no times, and where there is no
/// trend.
pub fn trend(own: &OwnTable) -> Option<Finding> {
    let dependent =
        own.dependent.as_ref().filter(|dependent| dependent.by == By::Time && !dependent.keep)?;
    let Dependence::Periods(periods) = &own.table.dependence else { return None };
    let times: Vec<f64> = periods.iter().map(|period| *period as f64).collect();
    let ranks = |values: &[f64]| average_ranks(values, |_| 0.0);
    let correlation = pearson(&ranks(&times), &ranks(&own.table.target.to_vec()), 0.0)?;
    let follows = if correlation > 0.0 { "grows" } else { "falls" };
    (correlation.abs() > STRONG).then(|| {
        let told = format!(
            "the target {follows} with the time \"{}\" (rank correlation {correlation:.2}), which \
             is no feature, so that methods answer later rows as if the trend had ended: ",
            printable(&dependent.labels.name, SHOWN)
        );
        Finding::warning(
            Words::from(told)
                + Setting::Keep
                + " makes it one, and linear methods then continue \
                                                 the trend",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::{Cells, DependenceColumn};

    /// The warning about 40 rows, in any order, with this target at each time.
    fn warning(target: impl Fn(usize) -> usize, by: By, keep: bool) -> Option<String> {
        let line = |i: usize| format!("{i},{},{}\n", (i * 7) % 11, target(i));
        let text = "t,x,y\n".to_owned() + &(0..40).map(|i| line(i * 23 % 40)).collect::<String>();
        let column = DependenceColumn { by, column: "t".into(), keep };
        let cells = Cells::parse("my.csv", text.as_bytes()).unwrap();
        trend(&OwnTable::dependent(&cells, "y", &[], Some(&column)).unwrap())
            .map(|finding| finding.to_string())
    }

    #[test]
    fn a_trend_is_told_where_the_time_is_no_feature() {
        let up = warning(|i| 3 * i + 4 * (i * 17 % 10), By::Time, false).unwrap();
        assert!(
            up.starts_with("warning: the target grows with the time \"t\" (rank correlation 0.9"),
            "{up}"
        );
        assert!(up.contains("`keep` makes it one"), "{up}");
        let down = warning(|i| 200 - 3 * i, By::Time, false).unwrap();
        assert!(down.contains("falls with the time \"t\" (rank correlation -1.00)"), "{down}");
        assert_eq!(warning(|i| 3 * i, By::Time, true), None, "it is a feature");
        assert_eq!(warning(|i| i * 17 % 40, By::Time, false), None, "no trend");
        assert_eq!(warning(|i| 3 * i, By::Group, false), None, "groups have no order");
    }
}

//! Say what a comparison of two stores compares, and how to read its tables.

use uq_core::metrics::Direction;
use uq_core::stats::paired::ALPHA;

/// The note below the methods of which two versions are compared.
pub const VERSIONS: &str = "Methods of which the two stores are compared in different versions.";

/// The note below the columns that differ.
pub const CHANGED: &str = "Means over the common splits. Gain: the loss before less the loss \
    after; positive is better.";

/// How many trials two stores have, and how many of them are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Finished trials of each store.
    pub finished: [usize; 2],
    /// Pairs of the same split of the same experiment.
    pub common: usize,
    /// Pairs of one and the same trial.
    pub same: usize,
}

/// The title of the page, by the names of the stores.
pub fn title([old, new]: [&str; 2]) -> String {
    format!("Comparison of two stores: {old} and {new}")
}

/// How many trials are compared, and how many of these pairs are one and the same trial.
pub fn counts([old, new]: [&str; 2], counts: Counts) -> String {
    let Counts { finished: [of_old, of_new], common, same } = counts;
    let others = match same {
        0 => String::new(),
        same => format!(" {same} of these pairs are trials of one and the same version."),
    };
    format!(
        "{old} has {of_old} finished trials, {new} {of_new}; {common} are the same splits of the \
         same experiments, whatever the versions of the methods: the newest version in {old} is \
         compared with the newest one in {new}.{others}"
    )
}

/// The note below the numbers of columns.
pub fn summary() -> String {
    format!(
        "Number of columns (experiment and reading) by result. Statistically: the paired interval \
         over the common splits, Holm-corrected over all columns and metrics that differ, excludes \
         no change at {} %; it holds for these splits, not for new data.",
        100.0 * ALPHA
    )
}

/// The title of the figure of gains, which shows at most `most` columns a panel.
pub fn gains_title([old, new]: [&str; 2], most: usize) -> String {
    format!(
        "Gains of {new} over {old}: positive is better (at most {most} columns a panel, worst \
         first)"
    )
}

/// The axis of the panel of metrics with this direction.
pub fn gain_axis(direction: Direction) -> &'static str {
    match direction {
        Direction::Lower => "Gain in the loss, % of its size before",
        Direction::Higher => "Gain in the score",
        Direction::Target(_) => "Gain in the distance from the aim",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 2] = ["old", "new"];

    #[test]
    fn pairs_of_the_same_trial_are_counted_where_there_are_some() {
        insta::assert_snapshot!(title(NAMES), @"Comparison of two stores: old and new");
        let text = |same| counts(NAMES, Counts { finished: [30, 20], common: 10, same });
        assert!(text(4).starts_with(&text(0)) && text(0).len() < text(4).len());
        insta::assert_snapshot!(text(4), @"old has 30 finished trials, new 20; 10 are the same splits of the same experiments, whatever the versions of the methods: the newest version in old is compared with the newest one in new. 4 of these pairs are trials of one and the same version.");
    }

    #[test]
    fn tables_and_the_figure_are_explained() {
        insta::assert_snapshot!(VERSIONS, @"Methods of which the two stores are compared in different versions.");
        insta::assert_snapshot!(CHANGED, @"Means over the common splits. Gain: the loss before less the loss after; positive is better.");
        insta::assert_snapshot!(summary(), @"Number of columns (experiment and reading) by result. Statistically: the paired interval over the common splits, Holm-corrected over all columns and metrics that differ, excludes no change at 5 %; it holds for these splits, not for new data.");
        insta::assert_snapshot!(gains_title(NAMES, 40), @"Gains of new over old: positive is better (at most 40 columns a panel, worst first)");
        let axes = [Direction::Lower, Direction::Higher, Direction::Target(0.9)].map(gain_axis);
        insta::assert_snapshot!(axes.join("\n"), @"
        Gain in the loss, % of its size before
        Gain in the score
        Gain in the distance from the aim
        ");
    }
}

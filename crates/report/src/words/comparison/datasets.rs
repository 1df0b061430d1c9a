//! Say how to read the tables of a comparison on each dataset.

use super::failures::legend;
use crate::grid::counted;
use uq_core::metrics::{Direction, MetricId};
use uqbench_judge::evidence::imputation::Imputation;
use uqbench_judge::judgement::duels::Decision;

/// The note below the means. `marked` is the rule for failed repetitions where some cell has a
/// mark.
pub fn means(better: Direction, marked: Option<&Imputation>) -> String {
    let legend = marked.map_or_else(String::new, |rule| format!(" {}", legend(rule)));
    format!(
        "Mean ± standard deviation over repetitions (n of N where some have no score); better: \
         {better}.{legend}"
    )
}

/// The title of the means in which failed repetitions have the worst score; `title` is that of the
/// other means.
pub fn with_worst_scores(title: &str) -> String {
    format!("{title}: with the worst score for failed repetitions")
}

/// The note below the differences: how many were corrected together, and the half width `rope` of
/// the region of practical equivalence. `marks` are the words on failed repetitions.
pub fn differences(compared: usize, better: Direction, rope: f64, marks: &str) -> String {
    let region = match better {
        Direction::Lower => format!("{} % of the reference's mean", 100.0 * rope),
        Direction::Higher => format!("{rope} nat"),
        Direction::Target(_) => rope.to_string(),
    };
    format!(
        "{} corrected together. Region of practical equivalence: ± {region}.{marks}",
        counted(compared, "comparison")
    )
}

/// What a comparison decides.
pub fn decision(decision: Decision) -> &'static str {
    match decision {
        Decision::Better => "better",
        Decision::Worse => "worse",
        Decision::Equivalent => "equivalent",
        Decision::EquivalentBetter => "equivalent (better)",
        Decision::EquivalentWorse => "equivalent (worse)",
        Decision::Undecided => "undecided",
    }
}

/// Why a comparison decides nothing.
pub fn no_decision(why: Option<&str>) -> String {
    format!("none: {}", why.unwrap_or("undefined"))
}

/// The title of the table of skill.
pub fn skill_title(metric: MetricId) -> String {
    format!("{}: skill against the anchors", metric.label())
}

/// The note below the table of skill. `marks` are the words on failed repetitions.
pub fn skill(marks: &str) -> String {
    format!(
        "Share of the anchor's mean loss that the method saves, or gain in nat, over the splits \
         that both have (n of N where others have more).{marks}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_means_are_explained_where_there_are_some() {
        insta::assert_snapshot!(means(Direction::Lower, None), @"Mean ± standard deviation over repetitions (n of N where some have no score); better: lower.");
        let marked = means(Direction::Higher, Some(&Imputation::Drop));
        assert!(marked.ends_with(&legend(&Imputation::Drop)));
        insta::assert_snapshot!(with_worst_scores("RMSE"), @"RMSE: with the worst score for failed repetitions");
    }

    #[test]
    fn the_region_has_the_unit_of_the_loss() {
        insta::assert_snapshot!(differences(12, Direction::Lower, 0.01, ""), @"12 comparisons corrected together. Region of practical equivalence: ± 1 % of the reference's mean.");
        insta::assert_snapshot!(differences(1, Direction::Higher, 0.01, ""), @"1 comparison corrected together. Region of practical equivalence: ± 0.01 nat.");
        insta::assert_snapshot!(differences(2, Direction::Target(0.9), 0.01, ""), @"2 comparisons corrected together. Region of practical equivalence: ± 0.01.");
    }

    #[test]
    fn a_comparison_without_a_decision_says_why() {
        insta::assert_snapshot!(no_decision(Some("mostly imputed")), @"none: mostly imputed");
        insta::assert_snapshot!(no_decision(None), @"none: undefined");
    }

    #[test]
    fn skill_is_explained() {
        insta::assert_snapshot!(skill_title("crps".parse().unwrap()), @"CRPS: skill against the anchors");
        insta::assert_snapshot!(skill(""), @"Share of the anchor's mean loss that the method saves, or gain in nat, over the splits that both have (n of N where others have more).");
    }
}

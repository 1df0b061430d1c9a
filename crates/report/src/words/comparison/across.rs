//! Say what the datasets show together, and what is not ranked and why.

use crate::grid::counted;
use crate::words::signs::APPROXIMATED;
use uq_core::stats::digits::p_value;
use uqbench_judge::judgement::ranking::RankTests;

/// What the note below mean ranks states.
pub struct MeanRanks<'a> {
    /// Headings of the datasets.
    pub datasets: &'a [&'a str],
    /// Number of ranked methods.
    pub methods: usize,
    /// The tests.
    pub tests: &'a RankTests,
    /// How many of the ranked cells rest on imputed scores.
    pub imputed: usize,
    /// The datasets on which not all methods have all splits, if there are some.
    pub fewer: Option<FewerSplits>,
    /// The words on failed repetitions.
    pub marks: String,
}

/// Datasets on which methods rank by the splits that all of them have, because some lack splits
/// that others have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FewerSplits {
    /// Number of datasets.
    pub datasets: usize,
    /// Smallest number of common splits.
    pub least: usize,
    /// Largest number of splits of a method.
    pub most: usize,
}

/// That there are too few datasets to rank by a metric.
pub fn too_few(metric: &str, datasets: usize) -> String {
    let datasets = counted(datasets, "dataset");
    format!("{metric}: {datasets} with a score of every method; ranks need two.")
}

/// That ranks and tests rest on scores which are approximated for some methods alone.
pub fn approximated(metric: &str) -> String {
    format!(
        "{metric}: {} marks methods whose scores are approximated from few quantiles. Such a score \
         differs from that of the distribution itself, so that their ranks and tests against the \
         others decide nothing.",
        APPROXIMATED.sign
    )
}

/// The methods without a score.
pub fn undefined(metric: &str, methods: &[&str]) -> String {
    format!(
        "{metric} is not defined or not given for: {}. They are not ranked by it.",
        methods.join("; ")
    )
}

/// The datasets whose target has no density, for a metric that needs one.
pub fn without_density(metric: &str, datasets: &[&str]) -> String {
    format!(
        "The target of {} is discrete and has no density: not ranked by {metric}. The discretised \
         log score can rank it.",
        datasets.join("; ")
    )
}

/// The datasets that have the numbers of another one.
pub fn same(metric: &str, datasets: &[&str]) -> String {
    format!(
        "{metric}: {} has the numbers of another dataset here, which counts once in the ranks.",
        datasets.join("; ")
    )
}

/// The datasets on which some method has no score.
pub fn incomplete(datasets: &[&str]) -> String {
    format!("Not every method has a score on {}: left out of the ranks.", datasets.join("; "))
}

/// The note below mean ranks.
pub fn mean_ranks(ranks: &MeanRanks) -> String {
    let MeanRanks { datasets, methods: k, tests, imputed, fewer, marks } = ranks;
    let (test, n) = (&tests.friedman, datasets.len());
    let cells = match imputed {
        0 => String::new(),
        some => format!(" {some} of the {} ranked cells rest on imputed scores.", k * n),
    };
    let f = test.f.map_or("not finite (all datasets agree)".into(), |f| {
        format!("{f:.2} (p {})", p_relation(test.p_f))
    });
    let separation = if tests.rejects() {
        ""
    } else {
        " The test over all methods does not reject that they rank alike, so no method is told \
         apart from another."
    };
    format!(
        "Rank 1 is best; ties share their mean rank; N = {n} datasets ({}), k = {k} methods. \
         Friedman's χ², corrected for ties: {:.2} (p {}); Iman and Davenport's F: {f}. Nemenyi's \
         critical difference at 5 %: {:.3}.{separation}{cells}{}{marks}",
        datasets.join("; "),
        test.chi_squared,
        p_relation(test.p_chi_squared),
        tests.critical_difference,
        fewer.map(on_common_splits).unwrap_or_default()
    )
}

fn on_common_splits(FewerSplits { datasets, least, most }: FewerSplits) -> String {
    format!(
        " On {datasets} of them not all methods have all splits: there they rank by the splits \
         that all of them have, at least {least} of {most}."
    )
}

/// `= 0.012`, or `< 0.001`.
fn p_relation(p: f64) -> String {
    let text = p_value(p);
    if text.starts_with('<') { text } else { format!("= {text}") }
}

/// The note below signed-rank pairs. `marks` are the words on failed repetitions.
pub fn pairs(tested: usize, datasets: usize, marks: &str) -> String {
    let (pairs, datasets) = (counted(tested, "pair"), counted(datasets, "dataset"));
    format!("Two-sided, Holm-corrected over {pairs}, on {datasets}.{marks}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::stats::ranks::Friedman;

    #[test]
    fn what_is_not_ranked_is_named_with_the_reason() {
        insta::assert_snapshot!(too_few("CRPS", 1), @"CRPS: 1 dataset with a score of every method; ranks need two.");
        insta::assert_snapshot!(undefined("CRPS", &["A", "B"]), @"CRPS is not defined or not given for: A; B. They are not ranked by it.");
        insta::assert_snapshot!(without_density("Log-likelihood", &["wine"]), @"The target of wine is discrete and has no density: not ranked by Log-likelihood. The discretised log score can rank it.");
        insta::assert_snapshot!(same("CRPS", &["yacht 2"]), @"CRPS: yacht 2 has the numbers of another dataset here, which counts once in the ranks.");
        insta::assert_snapshot!(incomplete(&["wine", "yacht"]), @"Not every method has a score on wine; yacht: left out of the ranks.");
        insta::assert_snapshot!(approximated("CRPS"), @"CRPS: ≈ marks methods whose scores are approximated from few quantiles. Such a score differs from that of the distribution itself, so that their ranks and tests against the others decide nothing.");
    }

    #[test]
    fn mean_ranks_are_explained_by_their_tests() {
        let tests = |f, p_f| RankTests {
            friedman: Friedman {
                mean_ranks: vec![1.5, 2.0, 2.5],
                blocks: 2,
                chi_squared: 1.0,
                p_chi_squared: 0.607,
                f,
                p_f,
            },
            critical_difference: 2.344,
            pairs: Vec::new(),
        };
        let (open, clear) = (tests(Some(0.5), 0.667), tests(None, 0.0001));
        let ranks = |tests| MeanRanks {
            datasets: &["wine", "yacht"],
            methods: 3,
            tests,
            imputed: 0,
            fewer: None,
            marks: String::new(),
        };
        insta::assert_snapshot!(mean_ranks(&ranks(&open)), @"Rank 1 is best; ties share their mean rank; N = 2 datasets (wine; yacht), k = 3 methods. Friedman's χ², corrected for ties: 1.00 (p = 0.607); Iman and Davenport's F: 0.50 (p = 0.667). Nemenyi's critical difference at 5 %: 2.344. The test over all methods does not reject that they rank alike, so no method is told apart from another.");
        let fewer = Some(FewerSplits { datasets: 1, least: 4, most: 5 });
        let partly = MeanRanks { imputed: 2, fewer, ..ranks(&clear) };
        insta::assert_snapshot!(mean_ranks(&partly), @"Rank 1 is best; ties share their mean rank; N = 2 datasets (wine; yacht), k = 3 methods. Friedman's χ², corrected for ties: 1.00 (p = 0.607); Iman and Davenport's F: not finite (all datasets agree). Nemenyi's critical difference at 5 %: 2.344. 2 of the 6 ranked cells rest on imputed scores. On 1 of them not all methods have all splits: there they rank by the splits that all of them have, at least 4 of 5.");
    }

    #[test]
    fn pairs_are_counted() {
        insta::assert_snapshot!(pairs(3, 4, ""), @"Two-sided, Holm-corrected over 3 pairs, on 4 datasets.");
    }
}

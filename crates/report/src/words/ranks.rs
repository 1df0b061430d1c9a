//! Say what the page of ranks of a benchmark shows, and how to read it.

use crate::grid::counted;
use uq_core::metrics::MetricId;
use uqbench_judge::evidence::imputation::Imputation;

/// How to read the page.
pub const READING: &str = "A dataset is one observation (Demšar 2006): methods are ranked within \
    each dataset by their mean loss over the splits that all of them have, and only datasets on \
    which every ranked method has a score count. Methods whose mean ranks differ by less than the \
    critical difference are joined.";

/// Why no differences that splits could find are on the page.
pub const CHOSEN_SPLITS: &str = "The test rows of these splits are chosen, such as a gap of a \
    feature, and gaps of one dataset share rows. The splits of a dataset are no random draws, so that \
    the page states no difference that they could find: its tests are over datasets alone.";

/// The note below the differences that splits could find.
pub const DETECTABLE: &str = "The smallest mean difference of two methods that these splits would \
    find significant at 5 % on its own, over the pairs of methods whose scores are not mostly \
    imputed: Student's, with the variance of Nadeau and Bengio (2003) for overlapping training \
    sets. A smaller difference is not found, whether it exists or not.";

/// The link to the page, whose name is this without ending, on the benchmark's own page.
pub fn link(name: &str, are_chosen: bool) -> String {
    let found = if are_chosen { "" } else { ", and which differences the splits could find" };
    format!("## Ranks\n\nMean ranks over datasets{found}: [{name}.md]({name}.md).")
}

/// The title of the page. `of_benchmark` names paper and artefact.
pub fn title(of_benchmark: &str) -> String {
    format!("{of_benchmark}: ranks over datasets")
}

/// What was run, and what became of failed repetitions.
pub fn terms(profile: &str, methods: usize, rule: &Imputation) -> String {
    let rule = match rule {
        Imputation::Worst => "given the worst score of any method on the same split",
        Imputation::Drop | Imputation::Method(_) => "dropped",
    };
    let methods = counted(methods, "method");
    format!("Profile {profile}; {methods}. Failed repetitions, refusals among them: {rule}.")
}

/// Where the numbers, the trials and the benchmark of this name are, in Markdown. `name` is that of
/// the page.
pub fn sources(name: &str, benchmark: &str) -> String {
    format!(
        "Every number: [{name}.csv]({name}.csv). The trials behind them: \
         [{benchmark}-trials.csv]({benchmark}-trials.csv). The benchmark and what is wrong in its \
         papers: [{benchmark}.md]({benchmark}.md)."
    )
}

/// The title of the table of differences that splits could find.
pub fn detectable_title(metric: MetricId) -> String {
    format!("{}: detectable differences", metric.label())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_linked_and_leads_to_its_files() {
        insta::assert_snapshot!(link("foong-gap-ranks", true), @"
        ## Ranks

        Mean ranks over datasets: [foong-gap-ranks.md](foong-gap-ranks.md).
        ");
        insta::assert_snapshot!(CHOSEN_SPLITS, @"The test rows of these splits are chosen, such as a gap of a feature, and gaps of one dataset share rows. The splits of a dataset are no random draws, so that the page states no difference that they could find: its tests are over datasets alone.");
        insta::assert_snapshot!(link("dtb-table-1-ranks", false), @"
        ## Ranks

        Mean ranks over datasets, and which differences the splits could find: [dtb-table-1-ranks.md](dtb-table-1-ranks.md).
        ");
        insta::assert_snapshot!(sources("dtb-table-1-ranks", "dtb-table-1"), @"Every number: [dtb-table-1-ranks.csv](dtb-table-1-ranks.csv). The trials behind them: [dtb-table-1-trials.csv](dtb-table-1-trials.csv). The benchmark and what is wrong in its papers: [dtb-table-1.md](dtb-table-1.md).");
    }

    #[test]
    fn the_page_says_what_was_ranked_and_how_to_read_it() {
        insta::assert_snapshot!(title("DTB · Table 1"), @"DTB · Table 1: ranks over datasets");
        insta::assert_snapshot!(terms("full", 4, &Imputation::Worst), @"Profile full; 4 methods. Failed repetitions, refusals among them: given the worst score of any method on the same split.");
        insta::assert_snapshot!(terms("smoke", 1, &Imputation::Drop), @"Profile smoke; 1 method. Failed repetitions, refusals among them: dropped.");
        insta::assert_snapshot!(READING, @"A dataset is one observation (Demšar 2006): methods are ranked within each dataset by their mean loss over the splits that all of them have, and only datasets on which every ranked method has a score count. Methods whose mean ranks differ by less than the critical difference are joined.");
        insta::assert_snapshot!(detectable_title("crps".parse().unwrap()), @"CRPS: detectable differences");
        insta::assert_snapshot!(DETECTABLE, @"The smallest mean difference of two methods that these splits would find significant at 5 % on its own, over the pairs of methods whose scores are not mostly imputed: Student's, with the variance of Nadeau and Bengio (2003) for overlapping training sets. A smaller difference is not found, whether it exists or not.");
    }
}

//! Say how the tables of a board are to be read.

use crate::words::signs::{APPROXIMATED, IMPUTED};
use uqbench_judge::evidence::brought::EntrantKind;

/// The note below a table of ranks.
pub fn ranks(kind: EntrantKind) -> String {
    let what = match kind {
        EntrantKind::Model => "A model is one fit at one setting",
        EntrantKind::System => "A system searches over models or settings, or wraps a model",
    };
    format!(
        "{what}. Rank: by skill. Here: ranks that it may have with other splits of these datasets. \
         Elsewhere: on other datasets of this kind. The sets of a column together contain all true \
         ranks with a confidence of 95 % (Mogstad, Romano, Shaikh and Wilhelm 2024). “claimed” \
         stands for a rank where somebody brought the predictions."
    )
}

/// What is added to a note where scores are approximated.
pub fn approximated() -> String {
    format!(
        " {}: the scores of this method are computed from few quantiles, those of others from the \
         whole distribution.",
        APPROXIMATED.sign
    )
}

/// What is added to a note where splits failed.
pub fn failed_mark() -> String {
    format!(" {}k: k splits failed, and have the loss of that predictor.", IMPUTED.sign)
}

/// The note below the table of skill by dataset; `hidden` entrants are not in it.
pub fn by_dataset(shown: usize, hidden: usize, name: &str) -> String {
    let others = match hidden {
        0 => String::new(),
        _ => format!(" The first {shown}; all others are in {name}.csv."),
    };
    format!(
        "Skill on a dataset: 1 less the mean loss over its splits divided by that of the predictor \
         that ignores the features; 0 is no better than that.{others}"
    )
}

/// The note below the table of comparisons with the leader.
pub fn against(leader: &str) -> String {
    format!(
        "Against {leader} on each dataset, over its splits: the paired t-test of Nadeau and Bengio \
         (2003) for overlapping training sets, Holm-corrected over the table. Better, worse: \
         significant at 5 %. Equivalent: the whole interval is within 1 % of the loss of {leader}. \
         Undecided: neither. Untested: approximated scores, mostly failed splits, or fewer than two \
         splits. Detectable: the smallest mean difference that would be significant on its own, as \
         a share of the loss of the predictor that ignores the features; the median over datasets."
    )
}

/// The note below the table of stability.
pub const STABILITY: &str = "Without one dataset: best and worst rank where any one of the \
    datasets is left out. First on single splits: in how many of the splits, each over all \
    datasets that have it, the entrant leads its table.";

/// The note below the table of ranks that hang on the rule for failed splits; `datasets` have
/// splits on which nobody failed.
pub fn hanging(datasets: usize, all: usize) -> String {
    let common = match datasets {
        0 => "there is no split on which nobody of the table failed".into(),
        n if n == all => "splits on which nobody of the table failed".into(),
        n => {
            format!("splits on which nobody of the table failed, which {n} of {all} datasets have")
        }
    };
    format!(
        "Entrants whose rank hangs on what becomes of failed splits. Reference: they have the loss \
         of the predictor that ignores the features. Worst: they have the largest loss that any \
         entrant has on the split. Common: {common}."
    )
}

/// The note below the table of failures.
pub const FAILURES: &str = "Every entrant is ranked, whoever fails. Limits on time and memory of a \
    trial are those of the benchmark file.";

/// The note below the table of claimed entries.
pub const CLAIMED: &str = "Somebody brought these predictions, and their scores were computed here \
    from their rows. Nobody here has run the code behind them: that it never saw a test outcome is \
    a claim. So they have no rank, and change nobody's. Seconds: all fits, as the card states them.";

/// The note below the table of rerun entries.
pub const RERUN: &str = "Somebody other than the author ran the code, on splits whose seed was \
    drawn after it was frozen; “repeated”: the seed was given, as that of an earlier run. Scores \
    were computed here from the predictions. The splits are not those of the ranks above, so that \
    a skill compares only with those beside it, which are of the same splits. Nobody vouches for \
    who ran it: another rerun with the same seed shows whether the numbers are right.";

/// The note below the table of datasets.
pub const DATASETS: &str = "Datasets of one source count as one where an interval or a rank is asked how \
    sure it is. Detectable: the median over all pairs of a table of the smallest mean difference \
    that the splits of the dataset would find significant on its own, as a share of the loss of \
    the predictor that ignores the features.";

/// What the words of the page mean.
pub fn meanings(
    reference: &str,
    log_reference: Option<&str>,
    level: &str,
    has_interval: bool,
) -> Vec<String> {
    let interval = match has_interval {
        true => {
            " Interval: of the skill on other datasets of this kind, by a studentised bootstrap of \
             the sources of the datasets (10 000 draws)."
        }
        false => "",
    };
    let mut all = vec![
        format!(
            "How to read this. Skill: 1 less the geometric mean over datasets of an entrant's mean \
             loss divided by that of {reference}, which ignores the features and was fixed before \
             any score; 100 % is perfect, 0 % no better than that. A split on which an entrant \
             failed has the loss of {reference}.{interval}"
        ),
        "Ranks that an entrant may have: of n entrants, of which b are shown to be better than it \
         and w to be worse, 1 + b to n − w. One is shown to be better where its mean log loss is \
         lower by more than all pairs of the table differ by chance: more than 95 % of the largest t-statistics of what chance gives, step by step. On \
         other datasets chance is that each source of datasets might as well have favoured the \
         other side; few datasets show little, and sets are as wide as that. An entrant whose losses \
         vary much from dataset to dataset has a wide set, whatever its rank. On these datasets it is that of other splits, with the variance of Nadeau and Bengio (2003) for overlapping \
         training sets."
            .into(),
    ];
    if let Some(other) = log_reference {
        all.push(format!(
            "Log score: the mean over datasets of the gain in mean log density over {other}, in \
             nat; of a discrete target that in log probability of the rounded outcome. A dash \
             stands where a method has no density on some dataset."
        ));
    }
    all.push(format!(
        "Interval score: that of central {level} intervals divided by that of {reference}, \
         geometric mean over datasets; below 1 is better. Coverage: of these intervals, mean over \
         datasets, with its 95 % interval over random splits (Nadeau and Bengio 2003); and on the \
         dataset where it misses {level} by most. Seconds: processor time of fit and prediction of \
         a trial, geometric mean over the datasets on which it finished; memory: the largest of a \
         trial's process. Both are of the machine that ran it."
    ));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_say_how_they_are_read() {
        insta::assert_snapshot!(ranks(EntrantKind::Model), @"A model is one fit at one setting. Rank: by skill. Here: ranks that it may have with other splits of these datasets. Elsewhere: on other datasets of this kind. The sets of a column together contain all true ranks with a confidence of 95 % (Mogstad, Romano, Shaikh and Wilhelm 2024). “claimed” stands for a rank where somebody brought the predictions.");
        assert!(ranks(EntrantKind::System).starts_with("A system searches"));
        insta::assert_snapshot!(by_dataset(10, 20, "b"), @"Skill on a dataset: 1 less the mean loss over its splits divided by that of the predictor that ignores the features; 0 is no better than that. The first 10; all others are in b.csv.");
        assert!(!by_dataset(7, 0, "b").contains("The first"));
        insta::assert_snapshot!(against("A"), @"Against A on each dataset, over its splits: the paired t-test of Nadeau and Bengio (2003) for overlapping training sets, Holm-corrected over the table. Better, worse: significant at 5 %. Equivalent: the whole interval is within 1 % of the loss of A. Undecided: neither. Untested: approximated scores, mostly failed splits, or fewer than two splits. Detectable: the smallest mean difference that would be significant on its own, as a share of the loss of the predictor that ignores the features; the median over datasets.");
        insta::assert_snapshot!(hanging(7, 9), @"Entrants whose rank hangs on what becomes of failed splits. Reference: they have the loss of the predictor that ignores the features. Worst: they have the largest loss that any entrant has on the split. Common: splits on which nobody of the table failed, which 7 of 9 datasets have.");
        assert!(hanging(0, 9).ends_with("there is no split on which nobody of the table failed."));
        assert!(hanging(9, 9).ends_with("Common: splits on which nobody of the table failed."));
    }

    #[test]
    fn a_log_score_is_explained_where_there_is_one() {
        let with =
            meanings("Unconditional quantiles", Some("Unconditional Gaussian"), "90 %", true);
        assert_eq!(with.len(), meanings("Unconditional quantiles", None, "90 %", false).len() + 1);
        insta::assert_snapshot!(with[2], @"Log score: the mean over datasets of the gain in mean log density over Unconditional Gaussian, in nat; of a discrete target that in log probability of the rounded outcome. A dash stands where a method has no density on some dataset.");
    }
}

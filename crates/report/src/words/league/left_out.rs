//! Say what a board leaves out, and what hangs on splits that failed.

use super::{list_names, names};
use crate::grid::counted;
use uqbench_judge::judgement::league::{WhyUncounted, WhyUnranked};

/// What hangs on the rule for failed splits.
pub struct Hanging<'a> {
    /// Number of failed splits.
    pub splits: usize,
    /// Number of entrants that have some.
    pub entrants: usize,
    /// Number of entrants whose rank another rule changes.
    pub changed: usize,
    /// First entrants of tables that another rule replaces.
    pub first: &'a [Replaced<'a>],
}

/// A first entrant that another rule replaces.
pub struct Replaced<'a> {
    /// Its heading.
    pub name: &'a str,
    /// Its rank where a failed split has the worst loss that anybody has there.
    pub with_worst: usize,
    /// Its rank on the splits on which nobody failed; `None` where there are none.
    pub on_common: Option<usize>,
}

impl Replaced<'_> {
    /// What becomes of it, in a clause.
    fn text(&self) -> String {
        let Self { name, with_worst, on_common } = self;
        let worst = (*with_worst != 1).then(|| {
            format!("{with_worst} where a failed split has the worst loss of any entrant")
        });
        let common = on_common.filter(|rank| *rank != 1);
        let common = common.map(|rank| format!("{rank} on the splits on which nobody failed"));
        let ranks: Vec<String> = worst.into_iter().chain(common).collect();
        format!("{name} would have rank {}", ranks.join(" and rank "))
    }
}

/// What hangs on the rule for failed splits.
pub fn hanging(Hanging { splits, entrants, changed, first }: &Hanging) -> String {
    if *splits == 0 {
        return "No split failed.".into();
    }
    let has = if *splits == 1 { "has" } else { "have" };
    let changes = match (changed, first) {
        (0, _) => "no rank hangs on that".into(),
        (n, []) => format!("by other rules {} would change, no first one", counted(*n, "rank")),
        (n, first) => {
            let first: Vec<String> = first.iter().map(Replaced::text).collect();
            format!("by other rules {} would change: {}", counted(*n, "rank"), first.join("; "))
        }
    };
    format!(
        "{} of {} failed and {has} the loss of the predictor that ignores the features; {changes}.",
        counted(*splits, "split"),
        counted(*entrants, "entrant")
    )
}

/// Who is left out of the ranks for one reason.
pub fn left_out(entrants: &[&str], why: &WhyUnranked, loss: &str) -> String {
    let on = |datasets: &[String]| names(&datasets.iter().map(String::as_str).collect::<Vec<_>>());
    let (lacks, has) = if entrants.len() == 1 { ("lacks", "has") } else { ("lack", "have") };
    let no_trial =
        (!why.no_trial.is_empty()).then(|| format!("{lacks} trials on {}", on(&why.no_trial)));
    let no_loss = (!why.no_loss.is_empty())
        .then(|| format!("{has} predictions without a {loss} on {}", on(&why.no_loss)));
    let reasons: Vec<String> = no_trial.into_iter().chain(no_loss).collect();
    format!("Not ranked: {}, which {}.", list_names(entrants), reasons.join(" and "))
}

/// Why a dataset does not count.
pub fn uncounted(heading: &str, why: WhyUncounted) -> String {
    let why = match why {
        WhyUncounted::NoReference => "the predictor that ignores the features has no predictions",
        WhyUncounted::PerfectReference => "the predictor that ignores the features has no loss",
        WhyUncounted::Begun => "fewer than half of the entrants have a trial yet",
        WhyUncounted::Same => "it has the numbers of another dataset",
    };
    format!("{heading} ({why})")
}

/// Which datasets do not count, each with its reason.
pub fn all_uncounted(all: &[String]) -> String {
    format!("Not counted: {}.", all.join("; "))
}

/// How many entries were brought.
pub fn brought(entries: usize) -> String {
    let (are, none) = match entries {
        1 => ("1 entry is".to_owned(), "It has no"),
        n => (format!("{n} entries are"), "None of them has a"),
    };
    format!(
        "{are} claimed: somebody brought the predictions, and their scores were computed here. \
         {none} rank."
    )
}

/// An entry that was left out with its reason.
pub fn entry_left_out(why: &str) -> String {
    format!("An entry is left out: {why}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hangs_on_failures_and_what_is_left_out_is_named() {
        let of = |splits, changed, first: &[Replaced]| {
            hanging(&Hanging { splits, entrants: 3, changed, first })
        };
        let first = |with_worst, on_common| Replaced { name: "Exact GP", with_worst, on_common };
        insta::assert_snapshot!(of(0, 0, &[]), @"No split failed.");
        insta::assert_snapshot!(of(60, 0, &[]), @"60 splits of 3 entrants failed and have the loss of the predictor that ignores the features; no rank hangs on that.");
        insta::assert_snapshot!(of(60, 4, &[]), @"60 splits of 3 entrants failed and have the loss of the predictor that ignores the features; by other rules 4 ranks would change, no first one.");
        insta::assert_snapshot!(of(60, 4, &[first(2, Some(4))]), @"60 splits of 3 entrants failed and have the loss of the predictor that ignores the features; by other rules 4 ranks would change: Exact GP would have rank 2 where a failed split has the worst loss of any entrant and rank 4 on the splits on which nobody failed.");
        insta::assert_snapshot!(of(60, 4, &[first(1, Some(4))]), @"60 splits of 3 entrants failed and have the loss of the predictor that ignores the features; by other rules 4 ranks would change: Exact GP would have rank 4 on the splits on which nobody failed.");
        let why = |no_trial: &[&str], no_loss: &[&str]| {
            let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            WhyUnranked { no_trial: owned(no_trial), no_loss: owned(no_loss) }
        };
        insta::assert_snapshot!(left_out(&["Exact GP", "PBP, tuned"], &why(&["Protein", "Naval"], &[]), "CRPS"), @"Not ranked: Exact GP and “PBP, tuned”, which lack trials on Protein and Naval.");
        insta::assert_snapshot!(left_out(&["mine 1"], &why(&["Wine"], &["Naval", "Yacht"]), "CRPS"), @"Not ranked: mine 1, which lacks trials on Wine and has predictions without a CRPS on Naval and Yacht.");
        let why = [
            WhyUncounted::NoReference,
            WhyUncounted::PerfectReference,
            WhyUncounted::Begun,
            WhyUncounted::Same,
        ];
        let sets = ["A", "B", "C", "D"];
        let all: Vec<String> = sets.iter().zip(why).map(|(set, why)| uncounted(set, why)).collect();
        insta::assert_snapshot!(all_uncounted(&all), @"Not counted: A (the predictor that ignores the features has no predictions); B (the predictor that ignores the features has no loss); C (fewer than half of the entrants have a trial yet); D (it has the numbers of another dataset).");
        insta::assert_snapshot!(brought(1), @"1 entry is claimed: somebody brought the predictions, and their scores were computed here. It has no rank.");
        insta::assert_snapshot!(brought(2), @"2 entries are claimed: somebody brought the predictions, and their scores were computed here. None of them has a rank.");
        insta::assert_snapshot!(entry_left_out("mine-1: its hash differs"), @"An entry is left out: mine-1: its hash differs.");
    }
}

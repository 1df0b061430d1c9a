//! Say on the page of a board of the league who is best on what, how sure that is, and what each
//! number means.

pub mod division;
pub mod kinds;
pub mod left_out;
pub mod notes;
pub mod places;

use crate::grid::{counted, listed};
use crate::words::signs::IMPUTED;
use uqbench_judge::evidence::brought::EntrantKind;
use uqbench_run::league::{Card, DataSeen};

/// Most names that a sentence lists.
const MOST_NAMES: usize = 6;

/// What stands for the rank of an entry that somebody brought.
pub const CLAIMED: &str = "claimed";

/// Title of the table of entries that somebody brought.
pub const CLAIMED_ENTRIES: &str = "Claimed entries";

/// Title of the table of code that somebody else has run.
pub const RERUN_ENTRIES: &str = "Rerun entries";

/// The row of all datasets.
pub const ALL_DATASETS: &str = "All";

/// Title of the table of failures.
pub const FAILURES: &str = "Failures";

/// Title of the table of datasets.
pub const DATASETS: &str = "Datasets";

/// What became of the splits of an entry for which it has no predictions.
pub const NO_PREDICTION: &str = "no usable prediction";

/// What the lines of the figure are.
pub const FIGURE_NOTE: &str = "Points: ranks by skill, beside the names. Lines: ranks that an \
    entrant may have with other splits of these datasets (thick), and on other datasets of this \
    kind (thin). Those of a panel together contain all true ranks with a confidence of 95 %.";

/// The title of the figure.
pub fn figure_title(board: &str, loss: &str) -> String {
    format!("League, board {board}: ranks by {loss}")
}

/// What part of a board a page is about; `None` where nothing was chosen.
pub fn choice(datasets: &[&str], splits: Option<u64>) -> Option<String> {
    let of = match (datasets.is_empty(), splits) {
        (true, None) => return None,
        (false, None) => listed(datasets),
        (true, Some(1)) => "the first split of each dataset".into(),
        (true, Some(splits)) => format!("the first {splits} splits of each dataset"),
        (false, Some(1)) => format!("the first split of {}", listed(datasets)),
        (false, Some(splits)) => format!("the first {splits} splits of {}", listed(datasets)),
    };
    Some(format!("A part of the board: {of}."))
}

/// The title of a table of skill by dataset.
pub fn by_dataset(kind: EntrantKind) -> String {
    format!("{}: skill by dataset", heading(kind))
}

/// The title of a table of comparisons with the first one.
pub fn against(kind: EntrantKind, first: &str) -> String {
    format!("{} against {first}", heading(kind))
}

/// The title of a table of stability.
pub fn stability(kind: EntrantKind) -> String {
    format!("{}: how stable the ranks are", heading(kind))
}

/// The title of a table of ranks that hang on the rule for failed splits.
pub fn hanging_title(kind: EntrantKind) -> String {
    format!("{}: what hangs on failed splits", heading(kind))
}

/// The heading of the differences that could be found among entrants of a kind.
pub fn detectable(kind: EntrantKind) -> String {
    format!("Detectable among {}", plural(kind))
}

/// The name of an entry that somebody brought, among those that have a rank.
pub fn claimed(name: &str) -> String {
    format!("{name} ({CLAIMED})")
}

/// The mark of a cell whose mean has the loss of the reference on failed splits.
pub fn failed_mark(splits: usize) -> String {
    format!(" {}{splits}", IMPUTED.sign)
}

/// A gain in log score.
pub fn nats(gain: f64) -> String {
    let text = match gain.is_finite() {
        true => format!("{gain:+.2}"),
        false => "-∞".into(),
    };
    text.replacen('-', "−", 1)
}

/// A skill in per cent.
pub fn percent(share: f64) -> String {
    let text = match share.is_finite() {
        true => format!("{:.1} %", 100.0 * share),
        false => "−∞ %".into(),
    };
    let text = if text == "-0.0 %" { "0.0 %".into() } else { text };
    text.replacen('-', "−", 1)
}

/// A skill in its interval, in per cent.
pub fn percent_within(skill: f64, interval: Option<(f64, f64)>) -> String {
    match interval {
        Some((low, high)) => format!("{} ({} to {})", percent(skill), percent(low), percent(high)),
        None => percent(skill),
    }
}

/// One entrant of a kind.
pub fn singular(kind: EntrantKind) -> &'static str {
    match kind {
        EntrantKind::Model => "model",
        EntrantKind::System => "system",
    }
}

/// The entrants of a kind.
pub fn plural(kind: EntrantKind) -> &'static str {
    match kind {
        EntrantKind::Model => "models",
        EntrantKind::System => "systems",
    }
}

/// The same at the start of a heading or a sentence.
pub fn heading(kind: EntrantKind) -> &'static str {
    match kind {
        EntrantKind::Model => "Models",
        EntrantKind::System => "Systems",
    }
}

/// Whether an entry had seen the datasets before, as its card says.
pub fn data_seen(card: &Card) -> String {
    let seen = match card.data_seen {
        DataSeen::Free => "no, documented",
        DataSeen::Unknown => "unknown",
        DataSeen::Contains => "yes",
    };
    match card.used_test_features {
        true => format!("{seen}; features of the test rows in training"),
        false => seen.into(),
    }
}

/// Names as a sentence lists them; of many the first ones, and the number of the others.
fn names(all: &[&str]) -> String {
    if all.len() <= MOST_NAMES + 1 {
        return list_names(all);
    }
    let others = format!("{} others", all.len() - MOST_NAMES);
    let shown: Vec<&str> = all[..MOST_NAMES].iter().copied().chain([others.as_str()]).collect();
    list_names(&shown)
}

/// All names as a sentence lists them. One with a comma stands in quotes.
fn list_names(all: &[&str]) -> String {
    let quoted = all.iter().map(|name| match name.contains(',') {
        true => format!("“{name}”"),
        false => (*name).to_owned(),
    });
    let quoted: Vec<String> = quoted.collect();
    listed(&quoted.iter().map(String::as_str).collect::<Vec<_>>())
}

/// What a board has, and how far its trials are.
pub struct Extent<'a> {
    /// Its name.
    pub board: &'a str,
    /// Numbers of ranked models and systems.
    pub ranked: [usize; 2],
    /// Number of datasets that count.
    pub datasets: usize,
    /// Numbers of trials that have ended, and of planned ones.
    pub trials: (usize, usize),
}

/// What a board has, and how far its trials are.
pub fn extent(Extent { board, ranked, datasets, trials: (ended, planned) }: &Extent) -> String {
    let [models, systems] = ranked;
    let progress = match ended == planned {
        true => format!("all {planned} trials have ended"),
        false => format!("{ended} of {planned} trials have ended: this is a preview"),
    };
    format!(
        "Board {board}: {} and {} on {}; {progress}.",
        counted(*models, "model"),
        counted(*systems, "system"),
        counted(*datasets, "dataset")
    )
}

/// The seed of a rerun; one that was given says so.
pub fn seed(seed: u64, is_repeated: bool) -> String {
    if is_repeated { format!("{seed} (repeated)") } else { seed.to_string() }
}

/// Which trials the page is of: profile, machines, and damage that was met.
pub fn origin(profile: &str, machines: &str, damage: &str) -> String {
    let parts = [format!("Profile {profile}."), machines.trim().into(), damage.trim().into()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Where every number is, in Markdown.
pub fn every_number(name: &str, benchmark: &str) -> String {
    format!(
        "## Every number\n\nEach entrant: [{name}.csv]({name}.csv). Each score of each split: \
         [{name}-scores.csv]({name}-scores.csv), also `{name}-scores.parquet`. The trials behind \
         them: `uqbench report {benchmark} --profile full`."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_says_what_it_has() {
        let of =
            |trials| extent(&Extent { board: "standard", ranked: [30, 1], datasets: 9, trials });
        insta::assert_snapshot!(of((6105, 6105)), @"Board standard: 30 models and 1 system on 9 datasets; all 6105 trials have ended.");
        insta::assert_snapshot!(of((12, 6105)), @"Board standard: 30 models and 1 system on 9 datasets; 12 of 6105 trials have ended: this is a preview.");
    }

    #[test]
    fn the_page_leads_to_every_number_and_says_of_which_trials_it_is() {
        insta::assert_snapshot!(every_number("league-standard-board", "league-standard"), @"
        ## Every number

        Each entrant: [league-standard-board.csv](league-standard-board.csv). Each score of each split: [league-standard-board-scores.csv](league-standard-board-scores.csv), also `league-standard-board-scores.parquet`. The trials behind them: `uqbench report league-standard --profile full`.
        ");
    }

    #[test]
    fn trials_are_of_a_profile_and_of_machines() {
        assert_eq!(origin("full", "", ""), "Profile full.");
        assert_eq!(
            origin("full", "By a. ", " One is damaged."),
            "Profile full. By a. One is damaged."
        );
    }

    #[test]
    fn a_skill_is_in_per_cent() {
        assert_eq!(
            [0.5831, -0.123, -0.0001, 0.0].map(percent),
            ["58.3 %", "−12.3 %", "0.0 %", "0.0 %"]
        );
        assert_eq!(percent(f64::NEG_INFINITY), "−∞ %");
        assert_eq!([0.25, -1.5, f64::NEG_INFINITY].map(nats), ["+0.25", "−1.50", "−∞"]);
        assert_eq!([failed_mark(3), claimed("a 1")], [" ¶3", "a 1 (claimed)"]);
        assert_eq!(percent_within(0.5, Some((0.25, 0.75))), "50.0 % (25.0 % to 75.0 %)");
    }
}

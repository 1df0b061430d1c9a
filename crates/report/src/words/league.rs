//! Say on the page of a board of the league who is best on what, how sure that is, and what each
//! number means.

pub mod division;
pub mod kinds;
pub mod notes;

use crate::grid::{counted, listed};
use crate::words::signs::IMPUTED;
use uqbench_judge::evidence::brought::EntrantKind;
use uqbench_judge::judgement::league::{FEWEST_SOURCES, WhyUncounted, WhyUnranked};

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
    entrant may have on these datasets, whatever the splits (thick), and on other datasets of this \
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

/// Names as a sentence lists them; of many the first ones, and the number of the others.
fn names(all: &[&str]) -> String {
    if all.len() <= MOST_NAMES + 1 {
        return listed(all);
    }
    let others = format!("{} others", all.len() - MOST_NAMES);
    let shown: Vec<&str> = all[..MOST_NAMES].iter().copied().chain([others.as_str()]).collect();
    listed(&shown)
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

/// The first entrant of a table.
pub struct First<'a> {
    /// What it is.
    pub kind: EntrantKind,
    /// Its heading.
    pub name: &'a str,
    /// Its skill.
    pub skill: f64,
    /// The interval of that.
    pub interval: Option<(f64, f64)>,
    /// The label of the loss.
    pub loss: &'a str,
    /// Number of datasets.
    pub datasets: usize,
}

/// Who is first.
pub fn first(First { kind, name, skill, interval, loss, datasets }: &First) -> String {
    let interval = interval.map_or_else(String::new, |(low, high)| {
        format!(", 95 % interval {} to {}", percent(low), percent(high))
    });
    let side = if *skill < 0.0 { "above" } else { "below" };
    format!(
        "Of the {} {name} is first: its {loss} is {} {side} that of a predictor that ignores the \
         features (geometric mean over {}{interval}).",
        plural(*kind),
        percent(skill.abs()),
        counted(*datasets, "dataset")
    )
}

/// How sure the first rank of a table is.
pub struct FirstRank<'a> {
    /// What the table has.
    pub kind: EntrantKind,
    /// Number of other entrants.
    pub others: usize,
    /// The worst rank that it may have on these datasets, and who is not told apart from it there;
    /// `None` where that is not known.
    pub these: Option<(usize, Vec<&'a str>)>,
    /// The same on other datasets.
    pub elsewhere: (usize, Vec<&'a str>),
}

/// How sure the first rank of a table is: on these datasets, and on others.
pub fn sure(FirstRank { kind, others, these, elsewhere }: &FirstRank) -> String {
    let of = plural(*kind);
    if *others == 0 {
        return format!("There is no other of the {of}.");
    }
    let on = |place: &str, worst: usize, near: &[&str]| match near {
        [] => format!("{place} all other {of} are shown to be behind it."),
        near if near.len() == *others => {
            format!("{place} none of the other {of} is shown to be behind it.")
        }
        [one] => format!("{place} its rank may be 1 to {worst}: {one} is not told apart from it."),
        near => format!(
            "{place} its rank may be 1 to {worst}: {} are not told apart from it.",
            names(near)
        ),
    };
    let these = these.as_ref().map(|(worst, near)| on(THESE, *worst, near));
    let (worst, near) = elsewhere;
    these.into_iter().chain([on(OTHERS, *worst, near)]).collect::<Vec<_>>().join(" ")
}

/// What stands before a statement on these datasets.
const THESE: &str = "On these datasets, whatever the splits,";

/// What stands before a statement on other datasets.
const OTHERS: &str = "On other datasets of this kind";

/// Why no interval of a skill is stated.
pub fn no_interval(sources: usize) -> String {
    format!(
        "No interval of a skill is stated: the datasets have {}, which say too little of any other \
         dataset; it takes {FEWEST_SOURCES}.",
        counted(sources, "source")
    )
}

/// What hangs on the rule for failed splits.
pub struct Hanging<'a> {
    /// Number of failed splits.
    pub splits: usize,
    /// Number of entrants that have some.
    pub entrants: usize,
    /// Number of entrants whose rank another rule changes.
    pub changed: usize,
    /// First entrants of tables that another rule replaces.
    pub first: &'a [&'a str],
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
        (n, first) => format!(
            "by other rules {} would change, that of {} among them",
            counted(*n, "rank"),
            listed(first)
        ),
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
    let no_trial = (!why.no_trial.is_empty()).then(|| format!("no trial on {}", on(&why.no_trial)));
    let no_loss = (!why.no_loss.is_empty())
        .then(|| format!("predictions without a {loss} on {}", on(&why.no_loss)));
    let has = if entrants.len() == 1 { "has" } else { "have" };
    let reasons: Vec<String> = no_trial.into_iter().chain(no_loss).collect();
    format!("Not ranked: {}, which {has} {}.", listed(entrants), reasons.join(" and "))
}

/// Why a dataset does not count.
pub fn uncounted(heading: &str, why: WhyUncounted) -> String {
    let why = match why {
        WhyUncounted::NoReference => "the predictor that ignores the features has no trial yet",
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

/// The seed of a rerun; one that was given says so.
pub fn seed(seed: u64, is_repeated: bool) -> String {
    if is_repeated { format!("{seed} (repeated)") } else { seed.to_string() }
}

/// An entry that was left out with its reason.
pub fn entry_left_out(why: &str) -> String {
    format!("An entry is left out: {why}.")
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
    fn the_first_screen_says_who_is_first_and_how_sure_that_is() {
        let of =
            |trials| extent(&Extent { board: "standard", ranked: [30, 1], datasets: 9, trials });
        insta::assert_snapshot!(of((6105, 6105)), @"Board standard: 30 models and 1 system on 9 datasets; all 6105 trials have ended.");
        insta::assert_snapshot!(of((12, 6105)), @"Board standard: 30 models and 1 system on 9 datasets; 12 of 6105 trials have ended: this is a preview.");
        let one = |skill, interval| {
            first(&First {
                kind: EntrantKind::Model,
                name: "NGBoost",
                skill,
                interval,
                loss: "CRPS",
                datasets: 12,
            })
        };
        insta::assert_snapshot!(one(0.5831, Some((0.5, 0.65))), @"Of the models NGBoost is first: its CRPS is 58.3 % below that of a predictor that ignores the features (geometric mean over 12 datasets, 95 % interval 50.0 % to 65.0 %).");
        insta::assert_snapshot!(one(-0.02, None), @"Of the models NGBoost is first: its CRPS is 2.0 % above that of a predictor that ignores the features (geometric mean over 12 datasets).");
        let rank = |others, these, elsewhere| {
            sure(&FirstRank { kind: EntrantKind::Model, others, these, elsewhere })
        };
        insta::assert_snapshot!(rank(5, Some((1, vec![])), (3, vec!["B", "C"])), @"On these datasets, whatever the splits, all other models are shown to be behind it. On other datasets of this kind its rank may be 1 to 3: B and C are not told apart from it.");
        insta::assert_snapshot!(rank(2, Some((2, vec!["B"])), (3, vec!["B", "C"])), @"On these datasets, whatever the splits, its rank may be 1 to 2: B is not told apart from it. On other datasets of this kind none of the other models is shown to be behind it.");
        let many = vec!["B", "C", "D", "E", "F", "G", "H", "I"];
        insta::assert_snapshot!(rank(12, None, (9, many)), @"On other datasets of this kind its rank may be 1 to 9: B, C, D, E, F, G and 2 others are not told apart from it.");
        insta::assert_snapshot!(rank(0, None, (1, vec![])), @"There is no other of the models.");
        insta::assert_snapshot!(no_interval(9), @"No interval of a skill is stated: the datasets have 9 sources, which say too little of any other dataset; it takes 10.");
    }

    #[test]
    fn what_hangs_on_failures_and_what_is_left_out_is_named() {
        let of = |splits, changed, first: &[&str]| {
            hanging(&Hanging { splits, entrants: 3, changed, first })
        };
        insta::assert_snapshot!(of(0, 0, &[]), @"No split failed.");
        insta::assert_snapshot!(of(60, 0, &[]), @"60 splits of 3 entrants failed and have the loss of the predictor that ignores the features; no rank hangs on that.");
        insta::assert_snapshot!(of(60, 4, &[]), @"60 splits of 3 entrants failed and have the loss of the predictor that ignores the features; by other rules 4 ranks would change, no first one.");
        insta::assert_snapshot!(of(60, 4, &["Exact GP"]), @"60 splits of 3 entrants failed and have the loss of the predictor that ignores the features; by other rules 4 ranks would change, that of Exact GP among them.");
        let why = |no_trial: &[&str], no_loss: &[&str]| {
            let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            WhyUnranked { no_trial: owned(no_trial), no_loss: owned(no_loss) }
        };
        insta::assert_snapshot!(left_out(&["Exact GP", "PBP"], &why(&["Protein", "Naval"], &[]), "CRPS"), @"Not ranked: Exact GP and PBP, which have no trial on Protein and Naval.");
        insta::assert_snapshot!(left_out(&["mine 1"], &why(&["Wine"], &["Naval", "Yacht"]), "CRPS"), @"Not ranked: mine 1, which has no trial on Wine and predictions without a CRPS on Naval and Yacht.");
        let why = [
            WhyUncounted::NoReference,
            WhyUncounted::PerfectReference,
            WhyUncounted::Begun,
            WhyUncounted::Same,
        ];
        let sets = ["A", "B", "C", "D"];
        let all: Vec<String> = sets.iter().zip(why).map(|(set, why)| uncounted(set, why)).collect();
        insta::assert_snapshot!(all_uncounted(&all), @"Not counted: A (the predictor that ignores the features has no trial yet); B (the predictor that ignores the features has no loss); C (fewer than half of the entrants have a trial yet); D (it has the numbers of another dataset).");
        insta::assert_snapshot!(brought(1), @"1 entry is claimed: somebody brought the predictions, and their scores were computed here. It has no rank.");
        insta::assert_snapshot!(brought(2), @"2 entries are claimed: somebody brought the predictions, and their scores were computed here. None of them has a rank.");
        insta::assert_snapshot!(entry_left_out("mine-1: its hash differs"), @"An entry is left out: mine-1: its hash differs.");
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

//! Say on the page of a benchmark how it was run, how its printed numbers and claims come out, and
//! what its tables leave to other files.

use crate::export::escape;
use crate::grid::{counted, listed};
use crate::words::remarks::WEAK;
use uqbench_judge::report::Coverage;
use uqbench_run::benchmark::papers::Fact;
use uqbench_run::benchmark::{Cell as PrintedCell, Profile, ProtocolSource, SpreadKind};

/// Heading of how the protocol is read and why.
pub const NOTES: &str = "Notes on the protocol";

/// Heading of where the protocol comes from.
pub const PROTOCOL: &str = "Where the protocol comes from";

/// Title of the verdicts on the main reading.
pub const VERDICTS: &str = "Verdicts";

/// Title of the verdicts on other readings.
pub const VERDICTS_ON_VARIANTS: &str = "Verdicts on variants of the protocol";

/// What spreads are over where repetitions differ in the seed alone.
pub const SAME_ROWS: &str = "A repetition is another seed of the fit on the same rows. All \
    spreads, intervals and significances here are over seeds: they tell nothing of other rows.";

/// What bold and underlined numbers of a table in LaTeX are.
pub const BEST: &str = "Bold: the best mean of a row. Underlined: not significantly worse (paired \
    over the splits, corrected for overlapping training sets, and by Holm over the row, at 5 %).";

/// Which profile ran, how far, and where the protocol comes from.
pub fn run(profile: Profile, coverage: Coverage, source: ProtocolSource) -> String {
    let protocol = match source {
        ProtocolSource::Printed => "printed in the paper",
        ProtocolSource::Program => "of the authors' program",
        ProtocolSource::Inferred => "inferred (see the notes)",
        ProtocolSource::Own => "of the benchmark file",
    };
    let (profile, Coverage { finished, expected }) = (profile.as_str(), coverage);
    format!("Profile {profile}; {finished} of {expected} trials; protocol {protocol}.")
}

/// Where a table or figure is in its paper or in the authors' files, and what these say of how its
/// numbers were made, in Markdown; `None` where neither is stated.
pub fn in_paper<'f>(
    source: ProtocolSource,
    place: Option<&str>,
    facts: impl Iterator<Item = &'f Fact>,
) -> Option<String> {
    let (whose, says) = match source {
        ProtocolSource::Program => ("the authors' files", "the authors' program and files say"),
        _ => ("the paper", "the paper says"),
    };
    let facts: Vec<String> = facts
        .map(|Fact { what, place, .. }| {
            format!("- {} ({}).", escape(what.trim_end_matches('.')), escape(place))
        })
        .collect();
    let place = place.map(|place| format!("In {whose}: {}.", escape(place)));
    let facts = (!facts.is_empty())
        .then(|| format!("What {says} of the protocol:\n\n{}", facts.join("\n")));
    let parts: Vec<String> = place.into_iter().chain(facts).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// How numbers are compared whose authors published their score of each split.
pub const PAIRED: &str = "Where the authors published their score of each split, ours of the same \
    split is compared with it.";

/// What a verdict means where the test rows of a split are chosen, such as a gap.
pub const CHOSEN_SPLITS: &str = "The test rows of these splits are chosen and overlap. A verdict takes splits for \
    independent, so that it describes these splits and says nothing of others.";

/// Judged numbers of a page by what came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Reproduced or close.
    pub passed: usize,
    /// All of them.
    pub judged: usize,
    /// Numbers that differ.
    pub differing: usize,
}

/// How many judged numbers of the full profile agree with ours, and how many would by chance.
pub fn agreeing(Counts { passed, judged, differing }: Counts, by_chance: f64) -> String {
    let differ = if differing == 1 { "differs" } else { "differ" };
    let undecided = match judged.saturating_sub(passed + differing) {
        0 => String::new(),
        1 => "; for 1 the spreads are too large to tell (compatible or inconclusive)".into(),
        count => {
            format!("; for {count} the spreads are too large to tell (compatible or inconclusive)")
        }
    };
    format!(
        "{passed} of {judged} judged numbers agree with ours (reproduced or close), and {differing} \
         {differ}{undecided}. If the printed numbers of each row were shuffled among its columns, \
         {by_chance:.1} would agree by chance."
    )
}

/// How many judged numbers of the shipped run agree with ours, where this run judges none.
pub fn agreeing_in_shipped_run(passed: usize, judged: usize) -> String {
    format!(
        "In the shipped run {passed} of {judged} judged numbers agree with ours (reproduced or \
         close). This run has too few repetitions to judge any."
    )
}

/// How many claims there are, in how many parts, and how they come out: `conclusions`.
pub fn claims(count: usize, parts: usize, conclusions: &str) -> String {
    let in_parts = match parts > count {
        true => format!(", judged in {}", counted(parts, "part")),
        false => String::new(),
    };
    format!("{} about it{in_parts}: on our runs {conclusions}.", counted(count, "claim"))
}

/// What the note below a table of verdicts explains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noted<'a> {
    /// Numbers that differ though neither is better, each with the reason.
    pub unranked: &'a [String],
    /// Whether the table says what the shipped run has.
    pub shipped: bool,
    /// Printed baselines that are weak.
    pub weak: &'a [String],
}

/// A printed number with its spread and what the spread is, as far as the paper says: `0.61 ± 0.12
/// se`.
///
/// Where the metric's `negative` numbers are printed, the sign is the metric's, and the digits as
/// printed follow.
pub fn printed(cell: &PrintedCell, is_negative: bool) -> String {
    let turned = match (is_negative, cell.value.strip_prefix('-')) {
        (false, _) => String::new(),
        (true, Some(positive)) => format!(", printed as {positive}"),
        (true, None) => format!(", printed as -{}", cell.value),
    };
    let Some(spread) = &cell.spread else { return format!("{}{turned}", cell.value) };
    let kind = match cell.spread_kind {
        SpreadKind::Sd => " sd",
        SpreadKind::Se => " se",
        SpreadKind::SdPresumably => " sd or se",
        SpreadKind::Unknown | SpreadKind::None => " of unsaid kind",
    };
    format!("{} ± {spread}{kind}{turned}", cell.value)
}

/// The note below a table of verdicts.
pub fn verdicts(Noted { unranked, shipped, weak }: Noted) -> String {
    let mut note = "Printed: the spread is a standard deviation (sd) or a standard error (se); one of \
                    unsaid kind is not used, and ours stands for it. h: half width of the 95 % interval of the difference, with half a printed \
                    digit; δ: tolerance. docs/understand/verdicts.md of uqbench says how to read a \
                    verdict."
        .to_owned();
    if !unranked.is_empty() {
        note += &format!(
            " Neither number is better where the verdict is “differs”: {}.",
            unranked.join("; ")
        );
    }
    if shipped {
        note += " Shipped run: its verdict. Run here: how many of the shipped trials behind the \
                 number ran here, too, with the same record; “shipped” says that none did.";
    }
    if !weak.is_empty() {
        note += &format!(
            " A {WEAK} where the verdict is “differs (better)”, and our loss is lower by more than \
             δ + u/2: {}.",
            weak.join("; ")
        );
    }
    note
}

/// Where every number and every trial of a benchmark is, and in which `other` files, in Markdown.
pub fn every_number(id: &str, others: &[String]) -> String {
    format!(
        "## Every number\n\nAll columns, metrics and repetitions: [{id}.csv]({id}.csv). Every \
         trial with its key and outcome: [{id}-trials.csv]({id}-trials.csv). A run also writes {}.",
        listed(others)
    )
}

/// What the words of headings mean.
pub fn in_headings(meanings: &[String]) -> String {
    format!("In headings: {}.", meanings.join("; "))
}

/// That this cannot be shown, and why.
pub fn not_shown(what: &str) -> String {
    format!("Not shown: {what}.")
}

/// A figure that cannot be drawn, and why.
pub fn figure(file: &str, why: impl std::fmt::Display) -> String {
    format!("the figure {file}: {why}")
}

/// Where the notes on a page's protocol and on the tables beside it are, in Markdown.
pub fn notes_beside(name: &str, file: &str) -> String {
    format!("Notes on the protocol and on these tables: [{name}-notes.md]({file}).")
}

/// What the symbols beside numbers in brackets mean: each with its word. Some numbers have none.
pub fn symbols(meanings: &[String], has_unmarked: bool) -> String {
    let unmarked = match has_unmarked {
        true => " No mark: too few repetitions to judge the number, fewer than ten.",
        false => "",
    };
    format!("Verdicts on the numbers in brackets: {}.{unmarked}", meanings.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::Published;

    #[test]
    fn a_printed_spread_says_what_it_is_where_the_paper_does() {
        let cell = |text: &str| {
            let text = format!("dataset,metric,value,spread,spread_kind\nyacht,rmse,{text}\n");
            printed(&Published::parse(&text).unwrap().cells[0], false)
        };
        let all = [cell("0.61,0.12,sd"), cell("0.61,0.03,se"), cell("0.61,0.12,"), cell("0.61,,")];
        assert_eq!(all, ["0.61 ± 0.12 sd", "0.61 ± 0.03 se", "0.61 ± 0.12 of unsaid kind", "0.61"]);
    }

    #[test]
    fn a_table_is_found_in_its_paper() {
        let fact = |what: &str| Fact {
            what: what.into(),
            place: "run.py:12".into(),
            benchmarks: Vec::new(),
        };
        let none = std::iter::empty::<&Fact>();
        let printed = ProtocolSource::Printed;
        assert_eq!(in_paper(printed, None, none.clone()), None);
        insta::assert_snapshot!(in_paper(printed, Some("Table 1, page 7"), none).unwrap(), @"In the paper: Table 1, page 7.");
        let facts = [fact("Ten splits."), fact("One <b>seed</b>")];
        insta::assert_snapshot!(in_paper(printed, Some("p. 7"), facts.iter()).unwrap(), @r"
        In the paper: p. 7. What the paper says of the protocol:

        - Ten splits (run.py:12).
        - One \<b>seed\</b> (run.py:12).
        ");
        insta::assert_snapshot!(in_paper(ProtocolSource::Program, Some("a.csv"), facts[..1].iter()).unwrap(), @r"
        In the authors' files: a.csv. What the authors' program and files say of the protocol:

        - Ten splits (run.py:12).
        ");
    }

    #[test]
    fn a_page_begins_with_what_ran_and_what_came_out() {
        let coverage = Coverage { finished: 3, expected: 20 };
        insta::assert_snapshot!(run(Profile::Full, coverage, ProtocolSource::Printed), @"Profile full; 3 of 20 trials; protocol printed in the paper.");
        insta::assert_snapshot!(run(Profile::Quick, coverage, ProtocolSource::Inferred), @"Profile quick; 3 of 20 trials; protocol inferred (see the notes).");
        insta::assert_snapshot!(run(Profile::Full, coverage, ProtocolSource::Program), @"Profile full; 3 of 20 trials; protocol of the authors' program.");
        insta::assert_snapshot!(run(Profile::Quick, coverage, ProtocolSource::Own), @"Profile quick; 3 of 20 trials; protocol of the benchmark file.");
        insta::assert_snapshot!(SAME_ROWS, @"A repetition is another seed of the fit on the same rows. All spreads, intervals and significances here are over seeds: they tell nothing of other rows.");
        let counts = |passed, differing| Counts { passed, judged: 9, differing };
        assert!(agreeing(counts(8, 1), 1.0).contains("(reproduced or close), and 1 differs. If"));
        insta::assert_snapshot!(agreeing(counts(4, 2), 1.25), @"4 of 9 judged numbers agree with ours (reproduced or close), and 2 differ; for 3 the spreads are too large to tell (compatible or inconclusive). If the printed numbers of each row were shuffled among its columns, 1.2 would agree by chance.");
        insta::assert_snapshot!(agreeing_in_shipped_run(7, 9), @"In the shipped run 7 of 9 judged numbers agree with ours (reproduced or close). This run has too few repetitions to judge any.");
        insta::assert_snapshot!(claims(1, 1, "it holds"), @"1 claim about it: on our runs it holds.");
        insta::assert_snapshot!(claims(2, 3, "both hold"), @"2 claims about it, judged in 3 parts: on our runs both hold.");
        insta::assert_snapshot!(in_headings(&["A is a".into(), "B is b".into()]), @"In headings: A is a; B is b.");
    }

    #[test]
    fn the_note_of_verdicts_explains_what_the_table_has() {
        let plain = verdicts(Noted::default());
        insta::assert_snapshot!(plain, @"Printed: the spread is a standard deviation (sd) or a standard error (se); one of unsaid kind is not used, and ours stands for it. h: half width of the 95 % interval of the difference, with half a printed digit; δ: tolerance. docs/understand/verdicts.md of uqbench says how to read a verdict.");
        let places = ["Boston, JCM, RMSE".to_owned(), "Energy, GP, RMSE".to_owned()];
        let more = |noted| verdicts(noted).strip_prefix(&plain).unwrap().trim_start().to_owned();
        let unranked = Noted { unranked: &places, ..Noted::default() };
        insta::assert_snapshot!(more(unranked), @"Neither number is better where the verdict is “differs”: Boston, JCM, RMSE; Energy, GP, RMSE.");
        insta::assert_snapshot!(more(Noted { shipped: true, ..Noted::default() }), @"Shipped run: its verdict. Run here: how many of the shipped trials behind the number ran here, too, with the same record; “shipped” says that none did.");
        insta::assert_snapshot!(more(Noted { weak: &places, ..Noted::default() }), @"A printed baseline is weak where the verdict is “differs (better)”, and our loss is lower by more than δ + u/2: Boston, JCM, RMSE; Energy, GP, RMSE.");
        let all = more(Noted { unranked: &places, shipped: true, weak: &places });
        assert_eq!(all.matches(&places.join("; ")).count(), 2);
    }

    #[test]
    fn what_a_page_leaves_out_is_named() {
        insta::assert_snapshot!(BEST, @"Bold: the best mean of a row. Underlined: not significantly worse (paired over the splits, corrected for overlapping training sets, and by Holm over the row, at 5 %).");
        insta::assert_snapshot!(every_number("a", &["`a.json`".into(), "`a.tex`".into()]), @"
        ## Every number

        All columns, metrics and repetitions: [a.csv](a.csv). Every trial with its key and outcome: [a-trials.csv](a-trials.csv). A run also writes `a.json` and `a.tex`.
        ");
        insta::assert_snapshot!(not_shown(&figure("a-1", "there is nothing to draw")), @"Not shown: the figure a-1: there is nothing to draw.");
        insta::assert_snapshot!(notes_beside("a", "tables/a-notes.md"), @"Notes on the protocol and on these tables: [a-notes.md](tables/a-notes.md).");
        insta::assert_snapshot!(symbols(&["✓ reproduced".into(), "? inconclusive".into()], false), @"Verdicts on the numbers in brackets: ✓ reproduced, ? inconclusive.");
    }
}

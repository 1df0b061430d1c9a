//! Say on the first page of the site what was asked, what came out, how sure that is, and what has
//! not run.

use crate::grid::{counted, listed};
use crate::summary::Tally;
use uqbench_judge::judgement::findings::Ranked;

/// The question of a report about papers.
pub const QUESTION: &str = "Which published numbers on uncertainty hold up?";

/// The question that the ranks answer.
pub const BEST: &str = "Which method did best? ";

/// The question that the intervals answer.
pub const SURE: &str = "How sure? ";

/// What stands before the names of methods that are first where none is clearly the best.
pub const NO_WINNER: &str = "No clear winner in these tables: most other methods are not \
    significantly behind the first. First by mean rank are ";

/// What leads to the comparisons below a report.
pub const COMPARISONS: &str =
    "Comparisons of methods, with corrected intervals of their differences: ";

/// What leads to the errata of all papers.
pub const ERRATA: &str = "What is wrong or open in the papers: ";

/// How findings of few repetitions are read.
pub const HINTS: &str = "Few repetitions: read them as hints.";

/// That the words of a claim decide how it is judged.
pub const DEPENDS: &str = "The claim depends on the reading.";

/// Title of what is known of each paper.
pub const IN_FULL: &str = "Each paper in full, and what the words mean";

/// What leads to the claims as the printed numbers judge them.
pub const ON_PRINTED: &str = "The same claims on the paper's own numbers: ";

/// What came out for a paper that prints no number.
pub const NO_NUMBER: &str = "no number to compare";

/// What came out for a paper of which no number is judged.
pub const NONE_JUDGED: &str = "no number is judged";

/// Heading of what has not run.
pub const NOT_RUN: &str = "What has not run, or ran without a result";

/// What leads to the reasons why trials have not run.
pub const REASONS: &str = "Each with its reason";

/// That this run decides little, where methods are compared.
pub const FEW: &str = "This run has few repetitions. ";

/// What the command does that decides between methods; it stands before this.
pub const DECIDES: &str = " decides which differences between methods are more than chance.";

/// What was asked, around the names of the papers, where there are any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What stands before the names.
    pub before: &'static str,
    /// What stands behind them.
    pub after: String,
}

/// What a report asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Whether it names papers.
    pub has_papers: bool,
    /// Whether it has baselines beside their own papers.
    pub has_baselines: bool,
    /// Whether it compares printed numbers.
    pub has_printed: bool,
}

/// What was asked.
pub fn asked(about: About) -> Asked {
    let before = match about.has_papers {
        true => "uqbench ran the methods of ",
        false => "uqbench ran the benchmarks below",
    };
    let again = if about.has_papers { " again" } else { "" };
    let baselines = match about.has_baselines {
        true => ", and baselines on the splits of their own papers,",
        false => "",
    };
    let end = match about.has_printed {
        true => " and compared each printed number and claim with its own runs.",
        false => ".",
    };
    Asked { before, after: format!("{again}{baselines}{end}") }
}

/// What a full run leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// Inconclusive numbers.
    pub inconclusive: usize,
    /// Compatible numbers.
    pub compatible: usize,
    /// Claims.
    pub claims: usize,
}

/// How sure a full run is.
pub fn sure(Open { inconclusive, compatible, claims }: Open) -> String {
    let numbers = match (inconclusive, compatible) {
        (0, 0) => String::new(),
        (inconclusive, 0) => format!("{inconclusive} inconclusive"),
        (0, compatible) => format!("{compatible} compatible"),
        _ => format!("{inconclusive} inconclusive and {compatible} compatible"),
    };
    let rest = match inconclusive + compatible {
        1 => "number: its interval is too wide. ",
        _ => "numbers: their intervals are too wide. ",
    };
    let mut text = match numbers.as_str() {
        "" => String::new(),
        numbers => format!("Our runs cannot decide {numbers} {rest}"),
    };
    if claims > 0 {
        text += &format!(
            "Our runs leave {} open: intervals are too wide, trials are missing, or the paper's words \
             decide too little; the note of each claim says which. ",
            counted(claims, "claim")
        );
    }
    text + "All intervals are at 95 %. Those of findings are corrected where many are compared; those behind verdicts on single numbers are not."
}

/// How sure a smaller run is. `shipped` says how much of the shipped run it repeats, of whose means
/// `agree` of `means` agree with its own.
pub fn sure_of_few(shipped: &str, (agree, means): (usize, usize)) -> String {
    let mut text = format!(
        "This machine ran a short version with few repetitions. It shows that things work, and \
         decides nothing. {shipped} "
    );
    if means > 0 {
        text += &format!(
            "The verdicts in the table and on the map come from the shipped run, which has as many \
             repetitions as the papers. It agrees with {agree} of {means} averages of this \
             machine's run."
        );
    }
    text
}

/// What a claim is: its rows, the sentences behind them, and further rows that no paper states.
pub fn claims(rows: usize, sentences: usize, ours: usize) -> String {
    let mut text = format!(
        "A claim is a sentence of a paper, and has a row for each part of it that is judged: {} of \
         {}. Where its words can be read in several ways, its primary reading decides, and rows of \
         the others say so. Where another reading is decided the other way, the claim depends on \
         the reading.",
        counted(rows, "row"),
        counted(sentences, "sentence")
    );
    if ours > 0 {
        text += &format!(" No paper states {ours} further rows; they count for none.");
    }
    text
}

/// Heading of the findings.
pub fn findings(is_full: bool) -> &'static str {
    if is_full { "Findings of this run" } else { "Findings of this machine's run" }
}

/// What the glossary is of, behind the link to it.
pub fn glossary(is_of_papers: bool) -> &'static str {
    if is_of_papers { " of verdicts, marks and metrics." } else { " of marks and metrics." }
}

/// How many printed numbers have none of ours; `symbol` is that of their squares.
pub fn without_ours(count: usize, symbol: &str) -> String {
    format!("For {} we have none of our own ({symbol}).", counted(count, "printed number"))
}

/// How many printed numbers have one of the shipped run alone.
pub fn shipped_alone(count: usize) -> String {
    format!("For {} only the shipped run has one.", counted(count, "printed number"))
}

/// That no table ranks the methods of these papers.
pub fn unranked(papers: &[&str]) -> String {
    format!("No table here ranks the methods of {}.", listed(papers))
}

/// What names mean, each as a sentence without its point.
pub fn meanings(all: &[String]) -> String {
    format!("Here {}.", all.join("; "))
}

/// The mean rank among how many methods, by which metric, on how many datasets.
pub fn short_rank(Ranked { best_rank, methods, datasets, metric, .. }: &Ranked) -> String {
    format!("{best_rank:.1} of {methods} by {} on {datasets} datasets", metric.label())
}

/// The rank, and whether it is significantly ahead.
pub fn rank(ranked: &Ranked) -> String {
    let Ranked { methods, tied, .. } = ranked;
    let ahead = match tied.saturating_sub(1) {
        0 => "significantly ahead of all others".into(),
        others if others + 1 >= *methods => "no other is significantly behind".into(),
        1 => "another is not significantly behind".into(),
        others => format!("{others} others are not significantly behind"),
    };
    format!("(mean rank {}; {ahead})", short_rank(ranked))
}

/// The judged numbers that are neither reproduced nor close, around a link to what chance is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// What stands before the link.
    pub before: String,
    /// The link, where it is known what would agree by chance.
    pub link: Option<&'static str>,
    /// What stands behind it.
    pub after: String,
}

/// How many judged numbers would agree by chance, how many differ and are unclear, and where most
/// of them differ.
pub fn rest(tally: &Tally) -> Rest {
    let mut before = format!("Of {} judged numbers ", tally.judged);
    let link = (tally.by_chance > 0.0).then_some("by chance");
    if link.is_some() {
        before += &format!("{:.0} would be reproduced or close ", tally.by_chance);
    }
    let worst = tally.worst.as_ref().map_or_else(String::new, |worst| {
        format!("; most that differ: {}, {} of {}", worst.artefact, worst.differing, worst.judged)
    });
    let comma = if link.is_some() { ", " } else { "" };
    let (differing, unclear) = (tally.differing, tally.unclear());
    let after = format!("{comma}{differing} differ and {unclear} are unclear{worst}. ");
    Rest { before, link, after }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Differing;
    use uq_core::metrics::{MetricId, Mse};

    #[test]
    fn the_question_names_what_the_report_has() {
        let text = |has_papers, has_baselines, has_printed| {
            let Asked { before, after } = asked(About { has_papers, has_baselines, has_printed });
            format!("{before}{}{after}", if has_papers { "A and B" } else { "" })
        };
        insta::assert_snapshot!(text(true, true, true), @"uqbench ran the methods of A and B again, and baselines on the splits of their own papers, and compared each printed number and claim with its own runs.");
        insta::assert_snapshot!(text(true, false, true), @"uqbench ran the methods of A and B again and compared each printed number and claim with its own runs.");
        insta::assert_snapshot!(text(false, false, false), @"uqbench ran the benchmarks below.");
        insta::assert_snapshot!(QUESTION, @"Which published numbers on uncertainty hold up?");
    }

    #[test]
    fn what_is_not_decided_is_counted() {
        insta::assert_snapshot!(sure(Open { inconclusive: 3, compatible: 2, claims: 1 }), @"Our runs cannot decide 3 inconclusive and 2 compatible numbers: their intervals are too wide. Our runs leave 1 claim open: intervals are too wide, trials are missing, or the paper's words decide too little; the note of each claim says which. All intervals are at 95 %. Those of findings are corrected where many are compared; those behind verdicts on single numbers are not.");
        insta::assert_snapshot!(sure_of_few("Nothing else ran.", (0, 0)).trim_end(), @"This machine ran a short version with few repetitions. It shows that things work, and decides nothing. Nothing else ran.");
        insta::assert_snapshot!(sure_of_few("Nothing else ran.", (7, 9)), @"This machine ran a short version with few repetitions. It shows that things work, and decides nothing. Nothing else ran. The verdicts in the table and on the map come from the shipped run, which has as many repetitions as the papers. It agrees with 7 of 9 averages of this machine's run.");
        insta::assert_snapshot!(claims(1, 1, 0), @"A claim is a sentence of a paper, and has a row for each part of it that is judged: 1 row of 1 sentence. Where its words can be read in several ways, its primary reading decides, and rows of the others say so. Where another reading is decided the other way, the claim depends on the reading.");
        insta::assert_snapshot!(claims(7, 5, 2), @"A claim is a sentence of a paper, and has a row for each part of it that is judged: 7 rows of 5 sentences. Where its words can be read in several ways, its primary reading decides, and rows of the others say so. Where another reading is decided the other way, the claim depends on the reading. No paper states 2 further rows; they count for none.");
        insta::assert_snapshot!(without_ours(1, "–"), @"For 1 printed number we have none of our own (–).");
        insta::assert_snapshot!(shipped_alone(2), @"For 2 printed numbers only the shipped run has one.");
    }

    #[test]
    fn a_rank_says_whether_it_is_significant() {
        let ranked = |tied| Ranked {
            metric: MetricId::Mse(Mse),
            best: "A".into(),
            best_rank: 1.25,
            own: None,
            methods: 5,
            datasets: 8,
            critical_difference: 2.0,
            p: 0.01,
            tied,
            failures_are_worst: false,
        };
        insta::assert_snapshot!(rank(&ranked(1)), @"(mean rank 1.2 of 5 by MSE on 8 datasets; significantly ahead of all others)");
        insta::assert_snapshot!(rank(&ranked(2)), @"(mean rank 1.2 of 5 by MSE on 8 datasets; another is not significantly behind)");
        insta::assert_snapshot!(rank(&ranked(4)), @"(mean rank 1.2 of 5 by MSE on 8 datasets; 3 others are not significantly behind)");
        insta::assert_snapshot!(rank(&ranked(5)), @"(mean rank 1.2 of 5 by MSE on 8 datasets; no other is significantly behind)");
        insta::assert_snapshot!(NO_WINNER.trim_end(), @"No clear winner in these tables: most other methods are not significantly behind the first. First by mean rank are");
        insta::assert_snapshot!(unranked(&["A", "B"]), @"No table here ranks the methods of A and B.");
        insta::assert_snapshot!(meanings(&["A is a".into(), "B is b".into()]), @"Here A is a; B is b.");
    }

    #[test]
    fn the_rest_says_what_chance_would_do_where_that_is_known() {
        let text = |tally: &Tally| {
            let Rest { before, link, after } = rest(tally);
            format!("{before}{}{after}", link.unwrap_or_default()).trim_end().to_owned()
        };
        let plain = Tally { passed: 5, judged: 9, differing: 3, ..Tally::default() };
        assert_eq!(rest(&plain).link, None);
        insta::assert_snapshot!(text(&plain), @"Of 9 judged numbers 3 differ and 1 are unclear.");
        let worst = Differing { artefact: "Table 4".into(), differing: 2, judged: 3 };
        let known = Tally { by_chance: 1.6, worst: Some(worst), ..plain };
        insta::assert_snapshot!(text(&known), @"Of 9 judged numbers 2 would be reproduced or close by chance, 3 differ and 1 are unclear; most that differ: Table 4, 2 of 3.");
    }
}

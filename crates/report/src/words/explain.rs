//! Explain a verdict in one sentence, with the numbers that decide it.

use crate::words::remarks;
use uq_core::stats::digits::number;
use uqbench_judge::judgement::{NumberLine, Verdict};
use uqbench_run::benchmark::{Cell, SpreadKind};

/// Why a printed number has its verdict. `docs/understand/verdicts.md` has the rules.
pub fn explain(line: &NumberLine) -> String {
    let why = match &line.verdict {
        Verdict::NotRun(why) => format!("No trial has a score: {why}."),
        Verdict::Excluded(_) => "The printed number is excluded.".into(),
        Verdict::NotJudged => {
            "Agreement with the printed number would say nothing of the method.".into()
        }
        Verdict::Flag { same: true } if line.own.is_none() => {
            "The paper prints “none”; no setting of our search has the required coverage.".into()
        }
        Verdict::Flag { same: true } => {
            "The paper prints “none”; our coverage of validation rows misses its level too.".into()
        }
        Verdict::Flag { same: false } => {
            "The paper prints “none”; the coverage of ours does not miss its level.".into()
        }
        Verdict::NoneHere => {
            "The paper prints a number; no setting of our search has the required coverage.".into()
        }
        Verdict::Word(word) => format!("The paper prints “{word}” instead of a number."),
        verdict => compared(line, verdict)
            .unwrap_or_else(|| "The paper prints no number to compare with.".into()),
    };
    let remarks = remarks::text(&line.remarks);
    if remarks.is_empty() { why } else { format!("{why} {remarks}.") }
}

/// The comparison of two numbers; `None` where one is missing.
fn compared(line: &NumberLine, verdict: &Verdict) -> Option<String> {
    let (m, v, judgement) = (line.own?.mean, line.printed.number()?, line.judgement?);
    let (delta, u) = (judgement.tolerance, line.printed.last_digit());
    let Some(h) = judgement.half_width else {
        return Some(format!(
            "One repetition: |m − v| = {}, and nothing is decided.",
            number((m - v).abs(), None)
        ));
    };
    // Three digits of each width: δ may be far smaller than h.
    let digits = |x: f64| number(x, Some(x / 10.0));
    let [h_text, delta_text, max] = [h, delta, delta.max(u)].map(digits);
    let d = number((m - v).abs(), Some(h.min(if delta > 0.0 { delta } else { h }) / 10.0));
    let why = match verdict {
        Verdict::Reproduced => format!(
            "|m − v| = {d} is at most h = {h_text}, and h at most max(δ, u) = {max}: the numbers \
             agree, and the run is precise enough to confirm it."
        ),
        Verdict::Compatible => format!(
            "|m − v| = {d} is at most h = {h_text} and within δ = {delta_text}, but h is larger \
             than δ: the numbers agree, but the spreads are too large to confirm it."
        ),
        Verdict::Inconclusive => format!(
            "|m − v| = {d} is at most h = {h_text} only because h is large (δ = {delta_text}): the \
             run neither confirms nor denies."
        ),
        Verdict::Close => {
            format!(
                "|m − v| = {d} is larger than h = {h_text}, but within the tolerance δ = \
                 {delta_text}."
            )
        }
        Verdict::TooFew => format!(
            "Too few repetitions: |m − v| = {d}, h = {h_text}, δ = {delta_text}. Fewer than ten \
             repetitions, or not the full profile: nothing is decided."
        ),
        _ => format!(
            "|m − v| = {d} is larger than h = {h_text} and than δ = {delta_text}: the numbers \
             differ."
        ),
    };
    Some(why + &assumed(&line.printed))
}

/// What h takes from our run because the paper does not print it.
fn assumed(printed: &Cell) -> String {
    let has_spread = printed.spread.is_some()
        && !matches!(printed.spread_kind, SpreadKind::Unknown | SpreadKind::None);
    let lacks = match (printed.splits.is_empty(), has_spread, printed.count.is_some()) {
        (false, ..) | (_, true, true) => return String::new(),
        (_, false, false) => "no spread of known kind and no number of repetitions",
        (_, false, true) => "no spread of known kind",
        (_, true, false) => "no number of repetitions",
    };
    format!(" The paper prints {lacks}, so that h takes ours.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::stats::Summary;
    use uqbench_run::benchmark::{Published, find};

    #[test]
    fn what_the_paper_does_not_print_is_named() {
        let said_of = |line: &str| {
            let text =
                format!("dataset,metric,value,spread,spread_kind,count,splits\nd,m,0.5,{line}\n");
            assumed(&Published::parse(&text).unwrap().cells[0])
        };
        assert_eq!(said_of("0.1,sd,20,"), "");
        assert_eq!(said_of(",,2,0.4 0.6"), "", "scores of splits say all");
        assert_eq!(
            said_of("0.1,sd,,"),
            " The paper prints no number of repetitions, so that h takes ours."
        );
        assert_eq!(
            said_of("0.1,,20,"),
            " The paper prints no spread of known kind, so that h takes ours."
        );
        assert!(said_of(",,,").contains("no spread of known kind and no number of repetitions"));
    }

    #[test]
    fn none_is_explained_by_what_was_run() {
        let table = find("jcm-table-4").unwrap();
        let printed = table.printed.cells[0].clone();
        let why = |verdict, own| {
            let (metric, printed, remarks) = (&table.metrics[0], printed.clone(), Vec::new());
            explain(&NumberLine {
                column: None,
                metric,
                printed,
                own,
                verdict,
                judgement: None,
                remarks,
                first_trial: None,
            })
        };
        let (same, own) = (Verdict::Flag { same: true }, Summary::from_values(&[0.9, 0.8]));
        assert!(why(same.clone(), own).contains("validation rows misses its level too"));
        assert!(why(same, None).starts_with("The paper prints “none”; no setting of our search"));
        assert!(
            why(Verdict::NoneHere, None)
                .starts_with("The paper prints a number; no setting of our search")
        );
    }
}

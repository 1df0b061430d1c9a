//! Say how verdicts, judged claims and findings look: their symbol, their colour and their meaning.

use uqbench_judge::judgement::Verdict;
use uqbench_judge::judgement::claims::Judged;
use uqbench_judge::judgement::findings::News;
use uqbench_run::benchmark::Exclusion;

/// How a verdict looks. Colours are those of Okabe and Ito; the symbol says the same without
/// colour.
#[derive(Debug, PartialEq, Eq)]
pub struct Look {
    /// The verdict's word; a verdict that states a reason starts with it.
    pub word: &'static str,
    /// Its class in the style sheet.
    pub class: &'static str,
    /// Its symbol.
    pub symbol: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The rule, as `docs/understand/verdicts.md` has it; empty where the meaning is the rule.
    pub rule: &'static str,
    /// The section of `docs/understand/verdicts.md` that has its rule.
    pub section: &'static str,
}

const fn look(
    word: &'static str,
    class: &'static str,
    symbol: &'static str,
    meaning: &'static str,
) -> Look {
    Look { word, class, symbol, meaning, rule: "", section: NUMBERS }
}

/// The same with a rule, after which the rules above it do not apply.
const fn ruled(look: Look, rule: &'static str) -> Look {
    Look { rule, ..look }
}

/// The section on verdicts on printed numbers.
pub const NUMBERS: &str = "Verdicts on numbers";

/// Every verdict on a printed number, best first.
pub const LOOKS: [Look; 16] = [
    ruled(
        look(
            "reproduced",
            "reproduced",
            "✓",
            "The numbers agree, and the run is precise enough to confirm it.",
        ),
        "|m − v| ≤ h, and h ≤ max(δ, u)",
    ),
    ruled(
        look(
            "close",
            "close",
            "≈",
            "The numbers differ significantly, but by no more than the tolerance δ.",
        ),
        "otherwise, |m − v| ≤ δ + u/2",
    ),
    ruled(
        look(
            "compatible",
            "compatible",
            "∼",
            "The numbers agree within the tolerance, but the spreads are too large to confirm it.",
        ),
        "|m − v| ≤ h with a larger h, but h ≤ 2δ and |m − v| ≤ δ + u/2",
    ),
    ruled(
        look(
            "inconclusive",
            "inconclusive",
            "?",
            "The interval contains 0 only because it is wide: neither confirmed nor denied.",
        ),
        "otherwise, |m − v| ≤ h",
    ),
    ruled(
        look(
            "differs (better)",
            "better",
            "▲",
            "Our number differs from the printed one and is better.",
        ),
        "otherwise, by the metric's direction",
    ),
    ruled(
        look(
            "differs (worse)",
            "worse",
            "▼",
            "Our number differs from the printed one and is worse.",
        ),
        "otherwise, by the metric's direction",
    ),
    Look {
        section: "Where neither number is better",
        ..ruled(
            look("differs", "differs", "≠", "The numbers differ, and neither is better."),
            "otherwise, a width without its coverage, or a log density of a discrete target",
        )
    },
    look(
        "impossible",
        "impossible",
        "✗",
        "A theorem excludes the printed number. Its row says which.",
    ),
    look(
        "implausible",
        "implausible",
        "!",
        "No theorem excludes the printed number, but other numbers of its paper do unless errors \
         are very unusual. Its row says which, and what would be necessary.",
    ),
    look(
        "none in both",
        "same-none",
        "∅",
        "The paper prints “none”, and our coverage of validation rows misses its level too, or no \
         setting of our search has it.",
    ),
    look(
        "none in the paper alone",
        "other-none",
        "⊘",
        "The paper prints “none”; the coverage of ours does not miss its level.",
    ),
    look(
        "none here alone",
        "none-here",
        "⊖",
        "The paper prints a number; no setting of our search has the required coverage.",
    ),
    look(
        "too few repetitions",
        "few",
        "○",
        "Fewer than ten repetitions, or not the full profile: nothing is decided.",
    ),
    look(
        "not judged",
        "not-judged",
        "◇",
        "Agreement with the printed number would say nothing of the method. Its row says why.",
    ),
    look("not run", "missing", "–", "No trial has a score; the reason is in brackets."),
    look("printed as", "word", "“", "The paper prints a word instead of a number."),
];

/// The look of a verdict.
pub fn look_of(verdict: &Verdict) -> &'static Look {
    let place = match verdict {
        Verdict::Reproduced => 0,
        Verdict::Close => 1,
        Verdict::Compatible => 2,
        Verdict::Inconclusive => 3,
        Verdict::DiffersBetter => 4,
        Verdict::DiffersWorse => 5,
        Verdict::Differs => 6,
        Verdict::Excluded(Exclusion::Impossible) => 7,
        Verdict::Excluded(Exclusion::Implausible) => 8,
        Verdict::Flag { same: true } => 9,
        Verdict::Flag { same: false } => 10,
        Verdict::NoneHere => 11,
        Verdict::TooFew => 12,
        Verdict::NotJudged => 13,
        Verdict::NotRun(_) => 14,
        Verdict::Word(_) => 15,
    };
    &LOOKS[place]
}

/// All news about the method that a benchmark is about.
pub const NEWS: [News; 3] = [News::Good, News::Bad, News::Neutral];

/// How such news look: their class in the style sheet, their symbol, and their words. Benchmarks
/// are about a paper, or about none.
pub fn look_of_news(news: News, is_of_papers: bool) -> (&'static str, &'static str, &'static str) {
    match (news, is_of_papers) {
        (News::Good, true) => ("good", "▲", "for the paper's own method"),
        (News::Good, false) => ("good", "▲", "for the benchmark's own method"),
        (News::Bad, true) => {
            ("bad", "▼", "against the paper's own method, or our version of a method")
        }
        (News::Bad, false) => ("bad", "▼", "against the benchmark's own method"),
        (News::Neutral, _) => ("neutral", "●", "neither for nor against it"),
    }
}

/// How a claim of a paper is judged, and what that means.
pub const JUDGEMENTS: [(Judged, &str); 3] = [
    (
        Judged::Holds,
        "The comparisons of the claim come out as it says, and the intervals exclude that they do \
         not.",
    ),
    (Judged::Fails, "They come out otherwise, and the intervals exclude what the claim says."),
    (Judged::Undecided, "The intervals exclude neither, or too few repetitions have run."),
];

/// The class of a judged claim in the style sheet.
pub fn class(judged: Judged) -> &'static str {
    match judged {
        Judged::Holds => "reproduced",
        Judged::Fails => "worse",
        Judged::Undecided => "inconclusive",
    }
}

/// The symbol of a judged claim as text.
pub fn mark(judged: Judged) -> &'static str {
    match judged {
        Judged::Holds => "✓",
        Judged::Fails => "✕",
        Judged::Undecided => "?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_has_its_own_look() {
        let verdicts = [
            Verdict::Reproduced,
            Verdict::Close,
            Verdict::Compatible,
            Verdict::Inconclusive,
            Verdict::DiffersBetter,
            Verdict::DiffersWorse,
            Verdict::Differs,
            Verdict::Excluded(Exclusion::Impossible),
            Verdict::Excluded(Exclusion::Implausible),
            Verdict::Flag { same: true },
            Verdict::Flag { same: false },
            Verdict::NoneHere,
            Verdict::TooFew,
            Verdict::NotJudged,
            Verdict::NotRun("unavailable".into()),
            Verdict::Word("failed".into()),
        ];
        let found: Vec<&Look> = verdicts.iter().map(look_of).collect();
        assert_eq!(found, LOOKS.iter().collect::<Vec<_>>());
        for verdict in &verdicts {
            assert!(verdict.to_string().starts_with(look_of(verdict).word), "{verdict}");
            assert_eq!(Verdict::parse(&verdict.to_string()).as_ref(), Some(verdict));
        }
        assert_eq!(Verdict::parse("nearly"), None);
        let mut symbols: Vec<&str> = LOOKS.iter().map(|look| look.symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        assert_eq!(symbols.len(), LOOKS.len(), "two verdicts share a symbol");
    }
}

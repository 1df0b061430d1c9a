//! Say what letters, words of verdicts, columns and metrics mean, and where their rules and
//! references are.

mod columns;

pub use columns::{COLUMNS, Column, DERIVED};

use super::remarks::WEAK;
use super::signs::Sign;
use uq_core::metrics::MetricId;
use uqbench_judge::judgement::fidelity::Fidelity;

/// Heading of the verdicts.
pub const VERDICTS: &str = "Verdicts on printed numbers";

/// Heading of the judgements.
pub const JUDGEMENTS: &str = "Judgements of claims";

/// Heading of the columns of pages that stand alone.
pub const OF_PAGES: &str = "Columns of comparisons, scores and tries";

/// Heading of the columns of some benchmarks.
pub const OF_TRIALS: &str = "What is computed from many trials";

/// Where claims have their rule.
pub const CLAIMED: &str = "Claims";

/// Where baselines are judged by the papers that introduced them.
pub const BESIDE: &str = "Baselines beside their own papers";

/// What the letters of the rules on baselines beside their own papers mean.
pub const MARGIN: &str = "Here g is the printed loss less ours, h the half width of its interval, \
    with half a printed digit, and m the margin: the larger of δ and one printed digit.";

/// The page that has the rules.
const RULES: &str = "docs/understand/verdicts.md of uqbench";

/// Where letters are defined.
const DEFINED: &str = "How to read a verdict";

const fn letter(sign: &'static str, meaning: &'static str) -> Sign {
    Sign { sign, name: sign, meaning, section: DEFINED, papers: "" }
}

/// The letters of tables of verdicts.
pub const LETTERS: [Sign; 6] = [
    letter("v", "The printed number."),
    letter("u", "One unit of its last printed digit."),
    letter("m", "Our mean over the repetitions."),
    letter("n", "Our number of repetitions."),
    letter(
        "h",
        "Half width of the 95 % interval of the difference m − v, plus u/2: h = t(0.975, n − 1) \
         √(s_p²/n_p + s²/n) + u/2, where s is our standard deviation, and s_p and n_p are the \
         printed one and the paper's number of repetitions, or ours where the paper prints none.",
    ),
    Sign {
        name: "tolerance",
        ..letter(
            "δ",
            "Tolerance of the metric: 10 % of v for errors and widths (15 % for maximum fold \
             losses), 0.10 nat for log densities, 0.02 for coverages.",
        )
    },
];

/// What is said of a printed baseline beside its verdict.
pub const WEAKNESS: Sign = Sign {
    sign: WEAK,
    name: "weak",
    meaning: "Our number is better than the printed one, and our loss is lower by more than δ + \
              u/2.",
    section: "Weak baselines, spreads of unsaid kind",
    papers: "",
};

/// How a baseline is judged by the paper that introduced it: its meaning, and its rule where this
/// says more.
pub const FIDELITIES: [(Fidelity, &str, &str); 6] = [
    (
        Fidelity::Faithful,
        "Ours is as good as in its paper, within the margin.",
        "g − h ≥ −m and g + h ≤ m",
    ),
    (Fidelity::Weak, "Ours is worse than in its paper.", "g + h < −m"),
    (Fidelity::SuspiciouslyGood, "Ours is better than in its paper.", "g − h > m"),
    (
        Fidelity::Differs,
        "Ours is farther from its paper than the margin, and the metric ranks nothing here.",
        "",
    ),
    (Fidelity::Inconclusive, "An end of the margin lies in the interval.", ""),
    (
        Fidelity::TooFew,
        "Not the full profile, or fewer repetitions than ten and than the paper's.",
        "",
    ),
];

/// What a claim is, and how it is judged, where benchmarks are about papers and where they are
/// about none.
pub fn claims(is_of_papers: bool) -> &'static str {
    if is_of_papers {
        "A claim is a sentence of a paper. It is judged on our runs, and on the numbers that the \
         paper prints, by its primary reading, which takes the words literally: the claim holds \
         where all parts of this reading hold, and fails where one fails. Where another reading \
         of the words is decided the other way, the claim depends on the reading."
    } else {
        "A claim is a sentence of a benchmark file. It is judged on the runs of the benchmark."
    }
}

/// What a finding is.
pub fn findings(is_of_papers: bool) -> String {
    let whose = if is_of_papers { "a paper's" } else { "a benchmark's" };
    format!(
        "A finding is news about {whose} own method. The first page of a report shows at most ten."
    )
}

/// What a finding of this look says: `word` is that of its news.
pub fn news(word: &str) -> String {
    format!("It speaks {word}.")
}

/// Where a rule is, and the papers behind it, after a semicolon.
pub fn rule_in(section: &str, papers: &str) -> String {
    format!("Reference: {RULES}, “{section}”{papers}.")
}

/// The paper behind a column.
pub fn reference(paper: &str) -> String {
    format!("Reference: {paper}.")
}

/// How the definition of a metric ends that ranks nothing.
const SAYS_NOTHING: &str = "It says how large a variance is, not how good.";

/// The formula of a metric, its reference, its direction and its unit.
pub fn definition(metric: &MetricId) -> String {
    let definition = metric.properties().definition;
    let mut text = definition.to_owned();
    if !names_a_publication(definition) {
        text += " Reference: none; this sentence is its definition.";
    }
    if !definition.ends_with(SAYS_NOTHING) {
        text += &format!(" Better: {}.", metric.direction());
    }
    let unit = metric.unit("unit of the target");
    if !unit.is_empty() {
        text += &format!(" Unit: {unit}.");
    }
    text
}

/// Whether a definition names a publication, by its year in brackets.
fn names_a_publication(definition: &str) -> bool {
    definition.split('(').skip(1).any(|rest| {
        let year = rest.get(..4).filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
        year.is_some() && rest[4..].starts_with([')', ',', 'a', 'b'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::metrics::{Crps, Mse};

    #[test]
    fn a_publication_has_its_year_in_brackets() {
        assert!(names_a_publication("mean |y - m|. Willmott (2005), Advantages"));
        assert!(!names_a_publication("mean (y - m)^2 over (1 row), 2^20 (MiB)"));
    }

    #[test]
    fn metrics_findings_and_rules_are_sentences() {
        insta::assert_snapshot!(definition(&MetricId::Crps(Crps)), @"mean of the integral of (F(x) - 1{y <= x})^2 over x. Gneiting & Raftery (2007), Strictly proper scoring rules, prediction, and estimation, JASA 102, eq. (20). Better: lower. Unit: unit of the target.");
        insta::assert_snapshot!(definition(&MetricId::Mse(Mse)), @"mean (y - m)^2 with m the predictive mean. Gneiting (2011), Making and evaluating point forecasts, JASA 106. Better: lower. Unit: (unit of the target)².");
        insta::assert_snapshot!(claims(true), @"A claim is a sentence of a paper. It is judged on our runs, and on the numbers that the paper prints, by its primary reading, which takes the words literally: the claim holds where all parts of this reading hold, and fails where one fails. Where another reading of the words is decided the other way, the claim depends on the reading.");
        insta::assert_snapshot!(claims(false), @"A claim is a sentence of a benchmark file. It is judged on the runs of the benchmark.");
        insta::assert_snapshot!(MARGIN, @"Here g is the printed loss less ours, h the half width of its interval, with half a printed digit, and m the margin: the larger of δ and one printed digit.");
        insta::assert_snapshot!(findings(true), @"A finding is news about a paper's own method. The first page of a report shows at most ten.");
        insta::assert_snapshot!(findings(false), @"A finding is news about a benchmark's own method. The first page of a report shows at most ten.");
        insta::assert_snapshot!(news("for the paper's own method"), @"It speaks for the paper's own method.");
        insta::assert_snapshot!(rule_in("Claims", "; Holm (1979)"), @"Reference: docs/understand/verdicts.md of uqbench, “Claims”; Holm (1979).");
        insta::assert_snapshot!(reference("Holm (1979)"), @"Reference: Holm (1979).");
    }
}

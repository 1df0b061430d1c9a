//! Write findings in words.

use crate::grid::counted;
use uq_core::metrics::percent;
use uq_core::stats::digits::{mean_and_spread, number, p_value};
use uqbench_judge::judgement::findings::{
    Beaten, Claimed, Contrasted, Covered, Decomposed, Finding, Pairs, Ranked, Unfaithful,
};

/// A finding in words: what was found, and the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// What was found.
    pub what: String,
    /// Effect with its interval and number of repetitions, and among how many comparisons it was
    /// found.
    pub evidence: String,
}

/// A finding in words.
pub fn sentence(finding: &Finding) -> Sentence {
    match finding {
        Finding::Contrasted(found) => contrasted(found),
        Finding::Beaten(found) => beaten(found),
        Finding::Covered(found) => covered(found),
        Finding::Ranked(found) => ranked(found),
        Finding::Claimed(found) => claimed(found),
        Finding::Decomposed(found) => decomposed(found),
        Finding::Unfaithful(found) => unfaithful(found),
    }
}

/// A gain relative to its reference: `12 %`, or `0.42` in units of the score.
fn size(relative: f64, is_share: bool) -> String {
    match 100.0 * relative.abs() {
        _ if !is_share => number(relative.abs(), None),
        percent if percent < 10.0 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

fn contrasted(found: &Contrasted) -> Sentence {
    let Contrasted {
        metric,
        dataset,
        test,
        reference,
        gain,
        half_width,
        relative,
        is_share,
        n,
        ..
    } = found;
    let by = size(*relative, *is_share);
    let what = match (found.significant, *gain > 0.0) {
        (true, true) => {
            format!("{test} is better than {reference} on {dataset} by {by}: {metric}.")
        }
        (true, false) => {
            format!("{test} is worse than {reference} on {dataset} by {by}: {metric}.")
        }
        (false, _) => {
            format!("No significant difference between {test} and {reference} under {metric}.")
        }
    };
    let (better, worse, family) = (found.better, found.worse, found.family);
    let gain = mean_and_spread(Some(*gain), Some(*half_width));
    // The columns under test are several, and so are their datasets.
    let counts = format!(
        "All {family} comparisons of a column with its reference: {better} significantly better"
    );
    Sentence {
        what,
        evidence: format!(
            "Gain {gain} (Holm-corrected 95 % interval, n = {n}). {counts}, {worse} worse."
        ),
    }
}

fn beaten(found: &Beaten) -> Sentence {
    let Beaten { metric, dataset, own, winner, gain, half_width, relative, is_share, n, .. } =
        found;
    let by = size(*relative, *is_share);
    let gain = mean_and_spread(Some(*gain), Some(*half_width));
    let Pairs { worse, better, all } = found.others;
    let anchors = match found.anchors {
        Pairs { all: 0, .. } => String::new(),
        Pairs { worse, better, all } => {
            format!(
                " Unconditional and linear predictions are better in {worse} and worse in {better} \
                 of {all}."
            )
        }
    };
    Sentence {
        what: format!("{winner} beats {own} on {dataset} by {by}: {}.", metric.label()),
        evidence: format!(
            "Gain {gain} (95 % interval for new data, Holm-corrected, n = {n}). Other methods are \
             significantly better than {own} in {worse} and worse in {better} of {all} pairs of \
             method and dataset.{anchors}"
        ),
    }
}

fn covered(found: &Covered) -> Sentence {
    let Covered { dataset, own, level, mean, half_width, n, low, all, same_rows } = found;
    let level = percent(*level);
    let share = mean_and_spread(Some(100.0 * mean), Some(100.0 * half_width));
    let what = if found.high() < found.level {
        format!(
            "The {level} intervals of {own} cover too little on {dataset}: {:.1} %.",
            100.0 * mean
        )
    } else {
        format!(
            "The {level} intervals of {own} cover as stated, at worst {:.1} % on {dataset}.",
            100.0 * mean
        )
    };
    let over = match (same_rows, found.half_width_over_rows()) {
        (Some(rows), Some(half)) => {
            format!(
                "over n = {n} seeds of the fit on the same {rows} rows; over other rows it would \
                 be ± {:.1}",
                100.0 * half
            )
        }
        _ => format!("over n = {n} repetitions"),
    };
    let evidence = format!(
        "{share} % of the test rows (95 % interval {over}). In {low} of {all} cells the interval \
         lies below the level."
    );
    Sentence { what, evidence }
}

fn ranked(found: &Ranked) -> Sentence {
    let Ranked {
        metric,
        best,
        best_rank,
        own,
        methods,
        datasets,
        critical_difference,
        p,
        tied,
        ..
    } = found;
    let behind = match own {
        Some((own, rank)) if own != best => format!(" {own} has {rank:.1}."),
        _ => String::new(),
    };
    let others = match tied - 1 {
        0 => "every other method is significantly behind".into(),
        1 => "1 other method is not significantly behind".into(),
        others => format!("{others} other methods are not significantly behind"),
    };
    let failures = if found.failures_are_worst {
        " A failed repetition has the worst score of any method."
    } else {
        ""
    };
    let found = if *tied > 1 { "has the best mean rank" } else { "is the best method" };
    Sentence {
        what: format!(
            "{best} {found} over {datasets} datasets by {}: mean rank {best_rank:.1} of {methods} \
             methods; {others}.",
            metric.label()
        ),
        evidence: format!(
            "{behind} Critical difference {critical_difference:.1}; Friedman's p {}; n = \
             {datasets} datasets.{failures}",
            p_value(*p)
        )
        .trim_start()
        .into(),
    }
}

/// Longest note of a claim in characters: those on many comparisons have a line on the page.
const LONGEST_NOTE: usize = 240;

/// The parts of a note: each ends with a comma or a semicolon that stands in no brackets.
fn parts(note: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, letter) in note.char_indices() {
        match letter {
            '(' | '[' | '“' => depth += 1,
            ')' | ']' | '”' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 && note[..at].ends_with([',', ';']) => {
                parts.push(&note[start..=at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&note[start..]);
    parts
}

fn claimed(found: &Claimed) -> Sentence {
    let Claimed { text, reading, holds, has_too_few, note, n, .. } = found;
    let (word, so_far) =
        (if *holds { "holds" } else { "fails" }, if *has_too_few { " so far" } else { "" });
    let mut note = note.trim_end_matches('.').to_owned();
    if note.chars().count() > LONGEST_NOTE {
        let mut kept = String::new();
        for part in parts(&note) {
            if kept.chars().count() + part.chars().count() > LONGEST_NOTE && !kept.is_empty() {
                break;
            }
            kept += part;
        }
        note = format!("{} …", kept.trim_end().trim_end_matches([';', ',']));
    }
    let read = if reading.is_empty() { String::new() } else { format!("Read as: {reading}. ") };
    Sentence {
        what: format!("The claim “{text}” {word}{so_far} on our runs."),
        evidence: format!("{read}{note} (n = {}).", counted(*n, "repetition")),
    }
}

fn decomposed(found: &Decomposed) -> Sentence {
    let Decomposed { part, dataset, own, level, half_width, n, low, high, all, .. } = found;
    let [factor, from, to] =
        [*level, level - half_width, level + half_width].map(|log| number(log.exp(), None));
    Sentence {
        what: format!(
            "{own} states {factor} times the true {} variance on {dataset}.",
            part.as_str()
        ),
        evidence: format!(
            "95 % interval {from} to {to} (n = {}). Of {all} variances of these methods, by \
             dataset and part, {low} are significantly too small and {high} too large.",
            counted(*n, "training set")
        ),
    }
}

fn unfaithful(found: &Unfaithful) -> Sentence {
    let Unfaithful {
        metric,
        dataset,
        column,
        paper,
        gain,
        half_width,
        margin,
        n,
        cause,
        words,
        ..
    } = found;
    let by = size(found.relative, found.is_share);
    let word = match (found.ranks, *gain < 0.0) {
        (true, true) => "is worse than its paper prints",
        (true, false) => "is better than its paper prints",
        (false, _) => "misses its paper, by a metric that ranks nothing there,",
    };
    let gain = mean_and_spread(Some(*gain), Some(*half_width));
    let words =
        words.iter().map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(", ");
    let cause = if cause.is_empty() { String::new() } else { format!(" Experiment: {cause}.") };
    Sentence {
        what: format!("Our {column} {word} on {dataset} by {by}: {} ({paper}).", metric.label()),
        evidence: format!(
            "Gain {gain} (Holm-corrected 95 % interval, n = {n}), margin {}. All numbers of main \
             columns: {words}.{cause}",
            number(*margin, None)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_that_misses_its_paper_is_named_with_all_words_on_baselines() {
        let (metric, dataset) = ("log-likelihood".parse().unwrap(), "Naval".to_owned());
        let words = vec![("faithful".to_owned(), 16), ("weak".to_owned(), 1)];
        let found = Unfaithful {
            metric,
            dataset,
            column: "Deep ensemble".into(),
            paper: "2017".into(),
            gain: -1.9,
            half_width: 0.32,
            relative: -1.9,
            is_share: false,
            ranks: true,
            margin: 0.1,
            n: 20,
            cause: "variant “ten times the epochs”".into(),
            words,
        };
        let said = sentence(&Finding::Unfaithful(found.clone()));
        assert_eq!(
            said.what,
            "Our Deep ensemble is worse than its paper prints on Naval by 1.900: Log-likelihood \
             (2017)."
        );
        assert_eq!(
            said.evidence,
            "Gain -1.90 ± 0.32 (Holm-corrected 95 % interval, n = 20), margin 0.1000. All numbers \
             of main columns: 16 faithful, 1 weak. Experiment: variant “ten times the epochs”."
        );
        let better = sentence(&Finding::Unfaithful(Unfaithful { gain: 1.9, ..found.clone() }));
        assert!(better.what.contains("is better than its paper prints"), "{}", better.what);
        let unranked = Finding::Unfaithful(Unfaithful { ranks: false, ..found });
        assert!(sentence(&unranked).what.contains("ranks nothing there"));
        assert_eq!(unranked.news(), uqbench_judge::judgement::findings::News::Neutral);
    }

    #[test]
    fn the_note_of_a_claim_is_cut_between_its_parts() {
        let read_as = |reading: &str, note: String, has_too_few| {
            let (id, text) = ("id".to_owned(), "x is y".to_owned());
            sentence(&Finding::Claimed(Claimed {
                id,
                sentence: text.clone(),
                text,
                reading: reading.into(),
                holds: false,
                has_too_few,
                note,
                n: 20,
                our_threshold: false,
            }))
        };
        let said = |note, has_too_few| read_as("", note, has_too_few);
        let short = said("0.7 ± 0.1 (95 %), bound 0.9.".into(), true);
        assert_eq!(short.what, "The claim “x is y” fails so far on our runs.");
        assert_eq!(short.evidence, "0.7 ± 0.1 (95 %), bound 0.9 (n = 20 repetitions).");
        let long = said(["0.70 ± 0.10"; 60].join(", "), false);
        assert!(
            long.evidence.ends_with("0.70 ± 0.10 … (n = 20 repetitions)."),
            "{}",
            long.evidence
        );
        assert!(long.evidence.chars().count() < LONGEST_NOTE + 40, "{}", long.evidence);
        let bracket = format!(
            "{}a quarter (Mann and Whitney, 95 % together), and more",
            "0.70 ± 0.10, ".repeat(16)
        );
        let cut = said(bracket, false).evidence;
        assert!(
            cut.ends_with("0.70 ± 0.10 … (n = 20 repetitions)."),
            "no bracket is cut in two: {cut}"
        );
        let one = read_as("x equals y", "0.7".into(), false);
        assert_eq!(one.evidence, "Read as: x equals y. 0.7 (n = 20 repetitions).");
    }
}

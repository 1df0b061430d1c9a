//! Write findings in words.

use crate::grid::counted;
use uq_core::metrics::percent;
use uq_core::stats::digits::{mean_and_spread, number, p_value};
use uq_core::stats::paired::ALPHA;
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

/// The name of a metric inside a sentence: `overall loss`, but `RMSE`.
fn inside(label: &str) -> String {
    let mut letters = label.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => label.into(),
    }
}

/// `p = 0.03` or `p < 0.001`.
fn p_in_words(p: f64) -> String {
    let digits = p_value(p);
    if digits.starts_with('<') { format!("p {digits}") } else { format!("p = {digits}") }
}

/// A difference of losses is a share of one of them and tells higher from lower; one of scores
/// that are better when they are higher has their unit.
fn distance(relative: f64, is_share: bool) -> String {
    let is_higher = if is_share { relative < 0.0 } else { relative > 0.0 };
    format!("{} {}", size(relative, is_share), if is_higher { "higher" } else { "lower" })
}

fn contrasted(found: &Contrasted) -> Sentence {
    let Contrasted { dataset, test, reference, gain, half_width, relative, is_share, n, .. } =
        found;
    let metric = inside(&found.metric);
    let what = if found.significant {
        let distance = distance(*relative, *is_share);
        format!("On {dataset} the {metric} of {test} is {distance} than that of {reference}.")
    } else {
        format!(
            "On {dataset} the {metric} of {test} and of {reference} do not differ significantly."
        )
    };
    let (better, worse) = (found.better, found.worse);
    let family = match found.family {
        1 => "It is the only comparison with a reference here.".into(),
        family => format!(
            "In {better} of {family} comparisons the method under test is significantly better than \
             its reference, in {worse} significantly worse."
        ),
    };
    let gain = mean_and_spread(Some(gain.abs()), Some(*half_width));
    let n = counted(*n, "repetition");
    Sentence {
        what,
        evidence: format!("The difference is {gain} (simultaneous 95 % interval, {n}). {family}"),
    }
}

fn beaten(found: &Beaten) -> Sentence {
    let Beaten { metric, dataset, own, winner, gain, half_width, relative, is_share, n, .. } =
        found;
    // The gain is that of the winner: over a share of our method's loss it is lower.
    let distance = distance(if *is_share { relative.abs() } else { *relative }, *is_share);
    let gain = mean_and_spread(Some(gain.abs()), Some(*half_width));
    let Pairs { worse, better, all } = found.others;
    let anchors = match found.anchors {
        Pairs { all: 0, .. } => String::new(),
        Pairs { worse, better, all } => {
            format!(
                " Predictions that ignore the features, and linear ones, are significantly better \
                 in {worse} of {all} pairs and significantly worse in {better}."
            )
        }
    };
    let metric = inside(&metric.label());
    Sentence {
        what: format!("On {dataset} the {metric} of {winner} is {distance} than that of {own}."),
        evidence: format!(
            "The difference is {gain} (simultaneous 95 % interval for new data, {}). Of {all} pairs of another \
             method and a dataset, the other method is significantly better than {own} in \
             {worse} and significantly worse in {better}.{anchors}",
            counted(*n, "repetition")
        ),
    }
}

fn covered(found: &Covered) -> Sentence {
    let Covered { dataset, own, level, mean, half_width, n, low, all, same_rows, .. } = found;
    let level = percent(*level);
    let share = mean_and_spread(Some(100.0 * mean), Some(100.0 * half_width));
    let what = if found.is_low() {
        format!(
            "On {dataset} the {level} intervals of {own} contain only {:.1} % of the test rows.",
            100.0 * mean
        )
    } else {
        format!(
            "On no dataset do the {level} intervals of {own} contain significantly too few test \
             rows; the fewest are {:.1} %, on {dataset}.",
            100.0 * mean
        )
    };
    let over = match (same_rows, found.half_width_over_rows()) {
        (Some(rows), Some(half)) => {
            format!(
                "over {n} seeds of the fit on the same {rows} rows; over other rows it would be \
                 ± {:.1}",
                100.0 * half
            )
        }
        _ => format!("over {}", counted(*n, "repetition")),
    };
    let evidence = format!(
        "{share} % (95 % interval {over}). The coverage is significantly below {level} in {low} of \
         {all} pairs of method and dataset."
    );
    Sentence { what, evidence }
}

fn ranked(found: &Ranked) -> Sentence {
    let Ranked { metric, best, best_rank, own, methods, datasets, p, tied, .. } = found;
    let behind = match own {
        Some((own, rank)) if own != best => format!(" That of {own} is {rank:.1}."),
        _ => String::new(),
    };
    let others = match tied - 1 {
        0 => "every other method is significantly behind".into(),
        others if others + 1 == *methods => "no other method is significantly behind".into(),
        1 => "one other method is not significantly behind".into(),
        others => format!("{others} others are not significantly behind"),
    };
    let failures = if found.failures_are_worst {
        " A failed repetition has the worst score of any method."
    } else {
        ""
    };
    let test = if *p < ALPHA {
        format!(
            "Two methods differ significantly where their mean ranks are {:.1} apart (Friedman's \
             test over {datasets} datasets: {}; Nemenyi).",
            found.critical_difference,
            p_in_words(*p)
        )
    } else {
        format!(
            "No difference between the methods is shown (Friedman's test over {datasets} datasets: \
             {}).",
            p_in_words(*p)
        )
    };
    Sentence {
        what: format!(
            "By {} {best} ranks first of {methods} methods over {datasets} datasets; {others}.",
            inside(&metric.label())
        ),
        evidence: format!("Its mean rank is {best_rank:.1}.{behind} {test}{failures}"),
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
    let part = part.as_str();
    let article = if part.starts_with(['a', 'e']) { "an" } else { "a" };
    Sentence {
        what: format!(
            "On {dataset} {own} states {article} {part} variance that is {factor} times the true \
             one."
        ),
        evidence: format!(
            "95 % interval {from} to {to} ({}). Of {all} stated variances, by method, dataset and \
             part, {low} are significantly too small and {high} too large.",
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
    let distance = distance(found.relative, found.is_share);
    let unranked = if found.ranks {
        String::new()
    } else {
        " This metric ranks no methods on this dataset.".into()
    };
    let gain = mean_and_spread(Some(gain.abs()), Some(*half_width));
    let words =
        words.iter().map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(", ");
    let cause = if cause.is_empty() { String::new() } else { format!(" Experiment: {cause}.") };
    let metric = inside(&metric.label());
    Sentence {
        what: format!(
            "On {dataset} the {metric} of our {column} is {distance} than its paper prints \
             ({paper}).{unranked}"
        ),
        evidence: format!(
            "The difference is {gain} (simultaneous 95 % interval, {}); up to {} would count as faithful. All \
             numbers of main columns: {words}.{cause}",
            counted(*n, "repetition"),
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
            "On Naval the log-likelihood of our Deep ensemble is 1.900 lower than its paper prints \
             (2017)."
        );
        assert_eq!(
            said.evidence,
            "The difference is 1.90 ± 0.32 (simultaneous 95 % interval, 20 repetitions); up to 0.1000 would \
             count as faithful. All numbers of main columns: 16 faithful, 1 weak. Experiment: \
             variant “ten times the epochs”."
        );
        let better = Unfaithful { gain: 1.9, relative: 1.9, ..found.clone() };
        let better = sentence(&Finding::Unfaithful(better));
        assert!(better.what.contains("1.900 higher than its paper prints"), "{}", better.what);
        let unranked = Finding::Unfaithful(Unfaithful { ranks: false, ..found });
        assert!(sentence(&unranked).what.contains("ranks no methods"));
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

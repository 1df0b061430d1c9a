//! Say in short what has not run.

use super::grid::counted;
use super::not_run::NotRun;
use super::summary::Part;
use crate::benchmark::papers::short_name;

/// Most benchmarks that a sentence names.
const NAMED: usize = 4;

/// Each benchmark with what has not run of it.
pub fn all<'p, 'a>(parts: &'p [Part<'a>]) -> Vec<(&'p Part<'a>, &'p NotRun)> {
    parts.iter().flat_map(|part| part.brief.not_run.iter().map(move |one| (part, one))).collect()
}

/// A sentence for each outcome of trials that have no predictions, and one on printed numbers that are not part of the profile.
pub fn sentences(parts: &[Part]) -> Vec<String> {
    let all = all(parts);
    let mut outcomes: Vec<(&str, Vec<(String, usize)>)> = Vec::new();
    for (part, one) in all.iter().filter(|(_, one)| one.planned) {
        let benchmark = &part.plan.benchmark;
        let name = format!("{} {}", short_name(&benchmark.paper), benchmark.artefact);
        let at = outcomes.iter().position(|(outcome, _)| *outcome == one.outcome).unwrap_or_else(|| {
            outcomes.push((&one.outcome, Vec::new()));
            outcomes.len() - 1
        });
        let of = &mut outcomes[at].1;
        match of.last_mut().filter(|(last, _)| *last == name) {
            Some((_, count)) => *count += one.count,
            None => of.push((name, one.count)),
        }
    }
    let mut said: Vec<String> = outcomes.iter_mut().map(|(outcome, of)| sentence(outcome, of)).collect();
    if said.is_empty() {
        said.push("Every planned trial has predictions.".into());
    }
    match all.iter().filter(|(_, one)| !one.planned).map(|(_, one)| one.count).sum::<usize>() {
        0 => {}
        1 => said.push("1 printed number is not part of this profile.".into()),
        unplanned => said.push(format!(
            "{} are not part of this profile; those of variants are counted, too.",
            counted(unplanned, "printed number")
        )),
    }
    said
}

/// The benchmarks with trials of an outcome, the one with most of them first.
fn sentence(outcome: &str, of: &mut [(String, usize)]) -> String {
    of.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let named: Vec<String> = of.iter().take(NAMED).map(|(name, count)| format!("{name} ({count})")).collect();
    let more = match of.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}, number of trials: {}{more}.", meaning(outcome), named.join(", "))
}

/// What an outcome means to a reader.
fn meaning(outcome: &str) -> String {
    match outcome {
        "not in the store" => "Not run yet (the same command goes on with them)".into(),
        "unavailable" => "Data or files that are not at hand".into(),
        "none" => "Ran, and has no intervals by the paper's rule".into(),
        other => format!("Ended as {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_the_benchmarks_with_most_trials() {
        let of = |counts: &[usize]| counts.iter().map(|count| (format!("P Table {count}"), *count)).collect::<Vec<_>>();
        assert_eq!(
            sentence("not in the store", &mut of(&[3, 20])),
            "Not run yet (the same command goes on with them), number of trials: P Table 20 (20), P Table 3 (3)."
        );
        let many = sentence("diverged", &mut of(&[1, 2, 3, 4, 5, 6]));
        assert!(many.starts_with("Ended as diverged, ") && many.ends_with("P Table 3 (3) and 2 more."), "{many}");
    }
}

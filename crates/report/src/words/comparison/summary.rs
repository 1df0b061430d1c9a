//! Say in a sentence for each metric what a comparison found.

use crate::comparison::summary::{Against, Leader, Others, Record};
use crate::grid::{counted, listed};
use uq_core::stats::digits::p_value;

/// On how many datasets each method differs significantly from the reference: better everywhere,
/// mixed, equivalent, and nowhere different.
pub fn against(
    Against { metric, reference, better, worse, equivalent, undecided }: &Against,
) -> String {
    let group = |word: &str, records: &[Record]| {
        let named: Vec<String> = records
            .iter()
            .map(|record| format!("{} ({})", record.heading, counts(record)))
            .collect();
        (!named.is_empty()).then(|| format!("{word}: {}", listed(&named)))
    };
    let mut parts: Vec<String> = [
        group("significantly better", better),
        group("significantly worse", worse),
        group("equivalent", equivalent),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !undecided.is_empty() {
        let names: Vec<&str> = undecided.iter().map(|record| record.heading).collect();
        parts.push(format!("not significantly different on any dataset: {}", listed(&names)));
    }
    format!("{metric} against {reference}: {}.", parts.join("; "))
}

/// On how many datasets a method differs.
fn counts(record: &Record) -> String {
    let all = counted(record.judged, "dataset");
    let counts = match (record.better, record.worse) {
        (0, 0) => return format!("on {} of {all}{}", record.equivalent, significant_too(record)),
        (better, 0) => format!("on {better} of {all}"),
        (0, worse) => format!("on {worse} of {all}"),
        (better, worse) => format!("better on {better} and worse on {worse} of {all}"),
    };
    match record.equivalent {
        0 => counts,
        equivalent => format!("{counts}, equivalent on {equivalent}{}", significant_too(record)),
    }
}

/// On how many datasets the difference is equivalent and significant, too.
fn significant_too(record: &Record) -> String {
    let [better, worse] = record.both;
    match (better, worse) {
        (0, 0) => String::new(),
        (better, 0) => format!(", there significantly better on {better}"),
        (0, worse) => format!(", there significantly worse on {worse}"),
        (better, worse) => {
            format!(", there significantly better on {better} and worse on {worse}")
        }
    }
}

/// The method with the best mean rank, and which of the others are told apart from it.
pub fn leader(Leader { metric, method, mean_rank, datasets, others }: &Leader) -> String {
    let others = match others {
        Others::NotRejected { p } => format!(
            "the test over all methods does not reject that they rank alike (p {}), so no method \
             is told apart",
            p_value(*p)
        ),
        Others::AllBehind => "every other method is significantly behind".into(),
        Others::NoneBehind => "no other method is significantly behind".into(),
        Others::Near(names) => format!("not significantly behind: {}", listed(names)),
    };
    format!(
        "{metric}: {method} has the best mean rank over {datasets} datasets ({mean_rank:.2}); \
         {others}."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(heading: &str, [better, worse, judged]: [usize; 3]) -> Record<'_> {
        Record { heading, better, worse, equivalent: 0, both: [0, 0], judged }
    }

    fn found() -> Against<'static> {
        Against {
            metric: "CRPS".into(),
            reference: "Old",
            better: Vec::new(),
            worse: Vec::new(),
            equivalent: Vec::new(),
            undecided: Vec::new(),
        }
    }

    #[test]
    fn groups_are_named_with_the_counts_of_their_methods() {
        let all = Against {
            better: vec![record("A", [3, 0, 3]), record("D", [2, 1, 3])],
            worse: vec![record("C", [1, 2, 3]), record("E", [0, 1, 1])],
            undecided: vec![record("B", [0, 0, 3])],
            ..found()
        };
        insta::assert_snapshot!(against(&all), @"CRPS against Old: significantly better: A (on 3 of 3 datasets) and D (better on 2 and worse on 1 of 3 datasets); significantly worse: C (better on 1 and worse on 2 of 3 datasets) and E (on 1 of 1 dataset); not significantly different on any dataset: B.");
        let alone = Against { undecided: vec![record("A", [0, 0, 1])], ..found() };
        insta::assert_snapshot!(against(&alone), @"CRPS against Old: not significantly different on any dataset: A.");
    }

    #[test]
    fn equivalent_differences_that_are_significant_are_counted() {
        let sentence = |both: [usize; 2], differing: [usize; 3]| {
            let record = Record { equivalent: 2, both, ..record("F", differing) };
            against(&Against { equivalent: vec![record], ..found() })
        };
        insta::assert_snapshot!(sentence([0, 0], [0, 0, 3]), @"CRPS against Old: equivalent: F (on 2 of 3 datasets).");
        insta::assert_snapshot!(sentence([1, 0], [0, 0, 3]), @"CRPS against Old: equivalent: F (on 2 of 3 datasets, there significantly better on 1).");
        insta::assert_snapshot!(sentence([0, 1], [0, 0, 3]), @"CRPS against Old: equivalent: F (on 2 of 3 datasets, there significantly worse on 1).");
        insta::assert_snapshot!(sentence([1, 1], [0, 0, 3]), @"CRPS against Old: equivalent: F (on 2 of 3 datasets, there significantly better on 1 and worse on 1).");
        insta::assert_snapshot!(sentence([0, 1], [1, 0, 3]), @"CRPS against Old: equivalent: F (on 1 of 3 datasets, equivalent on 2, there significantly worse on 1).");
    }

    #[test]
    fn the_best_mean_rank_is_named_with_what_is_known_of_the_others() {
        let with = |others: Others| {
            leader(&Leader {
                metric: "CRPS".into(),
                method: "B".into(),
                mean_rank: 1.25,
                datasets: 4,
                others,
            })
        };
        insta::assert_snapshot!(with(Others::Near(vec!["A".into(), "C".into()])), @"CRPS: B has the best mean rank over 4 datasets (1.25); not significantly behind: A and C.");
        insta::assert_snapshot!(with(Others::AllBehind), @"CRPS: B has the best mean rank over 4 datasets (1.25); every other method is significantly behind.");
        insta::assert_snapshot!(with(Others::NoneBehind), @"CRPS: B has the best mean rank over 4 datasets (1.25); no other method is significantly behind.");
        insta::assert_snapshot!(with(Others::NotRejected { p: 0.064 }), @"CRPS: B has the best mean rank over 4 datasets (1.25); the test over all methods does not reject that they rank alike (p 0.064), so no method is told apart.");
    }
}

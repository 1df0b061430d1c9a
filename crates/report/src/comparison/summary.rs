//! Say in a sentence for each metric what a comparison found, for its top.

use std::cmp::Reverse;

use crate::grid::{counted, listed};
use uq_core::stats::digits::p_value;
use uqbench_judge::evidence::losses::Losses;
use uqbench_judge::judgement::duels::{Decision, Duel};
use uqbench_judge::judgement::ranking::RankTests;

/// What an entrant's duels with the reference found, over datasets.
struct Record<'a> {
    heading: &'a str,
    /// Number of datasets on which it is significantly better, and not equivalent.
    better: usize,
    /// Number of datasets on which it is significantly worse, and not equivalent.
    worse: usize,
    /// Number of datasets on which it is equivalent.
    equivalent: usize,
    /// On how many of these it is significantly better, and significantly worse.
    both: [usize; 2],
    /// Number of datasets on which the difference has an interval.
    judged: usize,
}

impl Record<'_> {
    fn counts(&self) -> String {
        let of = counted(self.judged, "dataset");
        let counts = match (self.better, self.worse) {
            (0, 0) => return format!("on {} of {of}{}", self.equivalent, self.significant_too()),
            (better, 0) => format!("on {better} of {of}"),
            (0, worse) => format!("on {worse} of {of}"),
            (better, worse) => format!("better on {better} and worse on {worse} of {of}"),
        };
        match self.equivalent {
            0 => counts,
            equivalent => format!("{counts}, equivalent on {equivalent}{}", self.significant_too()),
        }
    }

    /// On how many datasets the difference is equivalent and significant, too.
    fn significant_too(&self) -> String {
        let [better, worse] = self.both;
        match (better, worse) {
            (0, 0) => String::new(),
            (better, 0) => format!(", there significantly better on {better}"),
            (0, worse) => format!(", there significantly worse on {worse}"),
            (better, worse) => {
                format!(", there significantly better on {better} and worse on {worse}")
            }
        }
    }
}

/// On how many datasets each method differs significantly from the reference. `None` where no
/// difference has an interval.
pub fn against_reference(losses: &Losses, duels: &[Duel]) -> Option<String> {
    let entrants = &losses.field.entrants;
    let record = |entrant: usize| {
        let decisions: Vec<Decision> = duels
            .iter()
            .filter(|duel| duel.entrant == entrant)
            .filter_map(Duel::decision)
            .collect();
        let count =
            |wanted: Decision| decisions.iter().filter(|decision| **decision == wanted).count();
        Record {
            heading: &entrants[entrant].heading,
            better: count(Decision::Better),
            worse: count(Decision::Worse),
            equivalent: decisions.iter().filter(|decision| decision.is_equivalent()).count(),
            both: [count(Decision::EquivalentBetter), count(Decision::EquivalentWorse)],
            judged: decisions.len(),
        }
    };
    let records: Vec<Record> =
        (1..entrants.len()).map(record).filter(|record| record.judged > 0).collect();
    let found = sentence(&records)?;
    Some(format!("{} against {}: {found}", losses.metric.label(), entrants[0].heading))
}

/// The records in groups: better everywhere, mixed, equivalent, and nowhere different.
fn sentence(records: &[Record]) -> Option<String> {
    if records.is_empty() {
        return None;
    }
    let group = |word: &str, is_one: &dyn Fn(&Record) -> bool| {
        let mut of: Vec<&Record> = records.iter().filter(|record| is_one(record)).collect();
        of.sort_by_key(|record| (Reverse((record.better, record.equivalent)), record.worse));
        let named: Vec<String> =
            of.iter().map(|record| format!("{} ({})", record.heading, record.counts())).collect();
        (!of.is_empty()).then(|| format!("{word}: {}", listed(&named)))
    };
    let better = group("significantly better", &|record| record.better > record.worse);
    let worse =
        group("significantly worse", &|record| record.worse > 0 && record.worse >= record.better);
    let is_plain = |record: &Record| record.better + record.worse == 0;
    let equivalent = group("equivalent", &|record| is_plain(record) && record.equivalent > 0);
    let none = records
        .iter()
        .filter(|record| is_plain(record) && record.equivalent == 0)
        .map(|record| record.heading);
    let none: Vec<&str> = none.collect();
    let mut parts: Vec<String> = better.into_iter().chain(worse).chain(equivalent).collect();
    if !none.is_empty() {
        parts.push(format!("not significantly different on any dataset: {}", listed(&none)));
    }
    Some(format!("{}.", parts.join("; ")))
}

/// The method with the best mean rank over n datasets, and those whose mean ranks are within the
/// critical difference of it. `names` are those of the ranked methods.
pub fn leader(label: &str, tests: &RankTests, names: &[&str], n: usize) -> Option<String> {
    let ranks = &tests.friedman.mean_ranks;
    let (best, least) =
        ranks.iter().copied().enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let near = |i: &usize| *i != best && !tests.separates(ranks[*i], least);
    let near: Vec<&str> = (0..ranks.len()).filter(near).map(|i| names[i]).collect();
    let others = match near.len() {
        _ if !tests.rejects() => format!(
            "the test over all methods does not reject that they rank alike (p {}), so no method \
             is told apart",
            p_value(tests.friedman.p_f)
        ),
        0 => "every other method is significantly behind".into(),
        all if all + 1 == ranks.len() => "no other method is significantly behind".into(),
        _ => format!("not significantly behind: {}", listed(&near)),
    };
    Some(format!(
        "{label}: {} has the best mean rank over {n} datasets ({least:.2}); {others}.",
        names[best]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::stats::ranks::Friedman;

    fn record(heading: &str, better: usize, worse: usize, judged: usize) -> Record<'_> {
        Record { heading, better, worse, equivalent: 0, both: [0, 0], judged }
    }

    #[test]
    fn methods_are_grouped_by_their_significant_differences() {
        assert_eq!(sentence(&[]), None);
        assert_eq!(
            sentence(&[
                record("A", 3, 0, 3),
                record("B", 0, 0, 3),
                record("C", 1, 2, 3),
                record("E", 0, 1, 1),
                record("D", 2, 1, 3)
            ])
            .unwrap(),
            "significantly better: A (on 3 of 3 datasets) and D (better on 2 and worse on 1 of 3 \
             datasets); significantly worse: C (better on 1 and worse on 2 of 3 datasets) and E \
             (on 1 of 1 dataset); not significantly different on any dataset: B."
        );
        let both = Record { equivalent: 3, both: [0, 1], ..record("F", 0, 0, 3) };
        assert_eq!(
            sentence(&[both, record("B", 0, 0, 3)]).unwrap(),
            "equivalent: F (on 3 of 3 datasets, there significantly worse on 1); not significantly \
             different on any dataset: B."
        );
        // As often worse as better is no praise.
        assert!(sentence(&[record("A", 1, 1, 2)]).unwrap().starts_with("significantly worse: A"));
        assert_eq!(
            sentence(&[record("A", 0, 0, 1)]).unwrap(),
            "not significantly different on any dataset: A."
        );
    }

    #[test]
    fn the_best_mean_rank_is_told_with_those_within_the_critical_difference() {
        let told = |mean_ranks: Vec<f64>, p_f: f64| {
            let friedman = Friedman {
                mean_ranks,
                blocks: 4,
                chi_squared: 1.0,
                p_chi_squared: 0.5,
                f: None,
                p_f,
            };
            let tests = RankTests { friedman, critical_difference: 1.0, pairs: Vec::new() };
            leader("CRPS", &tests, &["A", "B", "C"], 4).unwrap()
        };
        let of = |mean_ranks: Vec<f64>| told(mean_ranks, 0.01);
        let head = "CRPS: B has the best mean rank over 4 datasets (1.25); ";
        assert_eq!(of(vec![2.0, 1.25, 2.75]), format!("{head}not significantly behind: A."));
        assert_eq!(
            of(vec![2.25, 1.25, 2.5]),
            format!("{head}every other method is significantly behind.")
        );
        assert_eq!(
            of(vec![2.0, 1.25, 2.0]),
            format!("{head}no other method is significantly behind.")
        );
        let open = told(vec![2.25, 1.25, 2.5], 0.06);
        assert!(open.starts_with("CRPS: B has") && !open.contains("behind"), "{open}");
    }
}

//! Find for each metric what a comparison says of the methods, for its top.

use std::cmp::Reverse;

use uqbench_judge::evidence::losses::Losses;
use uqbench_judge::judgement::duels::{Decision, Duel};
use uqbench_judge::judgement::ranking::RankTests;

/// What an entrant's duels with the reference found, over datasets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Heading of the entrant.
    pub heading: &'a str,
    /// Number of datasets on which it is significantly better, and not equivalent.
    pub better: usize,
    /// Number of datasets on which it is significantly worse, and not equivalent.
    pub worse: usize,
    /// Number of datasets on which it is equivalent.
    pub equivalent: usize,
    /// On how many of these it is significantly better, and significantly worse.
    pub both: [usize; 2],
    /// Number of datasets on which the difference has an interval.
    pub judged: usize,
}

/// What the duels of all entrants with the reference found, in groups; the entrant with most
/// significant differences comes first in its group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Against<'a> {
    /// The metric.
    pub metric: String,
    /// Heading of the reference.
    pub reference: &'a str,
    /// Better on more datasets than worse.
    pub better: Vec<Record<'a>>,
    /// Worse on some dataset, and better on no more than that.
    pub worse: Vec<Record<'a>>,
    /// Neither better nor worse on any dataset, and equivalent on some.
    pub equivalent: Vec<Record<'a>>,
    /// Different and equivalent on no dataset, in the order of the entrants.
    pub undecided: Vec<Record<'a>>,
}

/// On how many datasets each method differs significantly from the reference. `None` where no
/// difference has an interval.
pub fn against_reference<'a>(losses: &Losses<'a>, duels: &[Duel]) -> Option<Against<'a>> {
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
    grouped(losses.metric.label(), &entrants[0].heading, records)
}

/// The records in groups; `None` where there is none.
fn grouped<'a>(
    metric: String,
    reference: &'a str,
    records: Vec<Record<'a>>,
) -> Option<Against<'a>> {
    if records.is_empty() {
        return None;
    }
    let mut found = Against {
        metric,
        reference,
        better: Vec::new(),
        worse: Vec::new(),
        equivalent: Vec::new(),
        undecided: Vec::new(),
    };
    for record in records {
        let group = if record.better > record.worse {
            &mut found.better
        } else if record.worse > 0 {
            &mut found.worse
        } else if record.equivalent > 0 {
            &mut found.equivalent
        } else {
            &mut found.undecided
        };
        group.push(record);
    }
    for group in [&mut found.better, &mut found.worse, &mut found.equivalent] {
        group.sort_by_key(|record| (Reverse((record.better, record.equivalent)), record.worse));
    }
    Some(found)
}

/// The method with the best mean rank under a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Leader {
    /// The metric.
    pub metric: String,
    /// The method.
    pub method: String,
    /// Its mean rank.
    pub mean_rank: f64,
    /// Number of datasets.
    pub datasets: usize,
    /// Which of the others are behind it.
    pub others: Others,
}

/// Which methods are significantly behind the one with the best mean rank.
#[derive(Clone, Debug, PartialEq)]
pub enum Others {
    /// The test over all methods does not reject that they rank alike, so that none is told apart.
    NotRejected {
        /// Its p-value.
        p: f64,
    },
    /// All are.
    AllBehind,
    /// None is.
    NoneBehind,
    /// All but these, whose mean ranks are within the critical difference.
    Near(Vec<String>),
}

/// The method with the best mean rank over n datasets, and those whose mean ranks are within the
/// critical difference of it. `names` are those of the ranked methods.
pub fn leader(label: &str, tests: &RankTests, names: &[&str], n: usize) -> Option<Leader> {
    let ranks = &tests.friedman.mean_ranks;
    let (best, least) =
        ranks.iter().copied().enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let near = |i: &usize| *i != best && !tests.separates(ranks[*i], least);
    let near: Vec<String> = (0..ranks.len()).filter(near).map(|i| names[i].to_owned()).collect();
    let others = match near.len() {
        _ if !tests.rejects() => Others::NotRejected { p: tests.friedman.p_f },
        0 => Others::AllBehind,
        all if all + 1 == ranks.len() => Others::NoneBehind,
        _ => Others::Near(near),
    };
    Some(Leader {
        metric: label.to_owned(),
        method: names[best].to_owned(),
        mean_rank: least,
        datasets: n,
        others,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::stats::ranks::Friedman;

    fn record(heading: &str, better: usize, worse: usize, judged: usize) -> Record<'_> {
        Record { heading, better, worse, equivalent: 0, both: [0, 0], judged }
    }

    fn headings<'a>(records: &[Record<'a>]) -> Vec<&'a str> {
        records.iter().map(|record| record.heading).collect()
    }

    /// The headings in each group: better, worse, equivalent, undecided.
    fn groups(records: Vec<Record<'_>>) -> [Vec<&str>; 4] {
        let found = grouped("CRPS".into(), "Old", records).unwrap();
        [
            headings(&found.better),
            headings(&found.worse),
            headings(&found.equivalent),
            headings(&found.undecided),
        ]
    }

    #[test]
    fn methods_are_grouped_by_their_significant_differences() {
        assert_eq!(grouped("CRPS".into(), "Old", Vec::new()), None);
        let all = vec![
            record("A", 3, 0, 3),
            record("B", 0, 0, 3),
            record("C", 1, 2, 3),
            record("E", 0, 1, 1),
            record("D", 2, 1, 3),
        ];
        assert_eq!(groups(all), [vec!["A", "D"], vec!["C", "E"], vec![], vec!["B"]]);
        let both = Record { equivalent: 3, both: [0, 1], ..record("F", 0, 0, 3) };
        assert_eq!(
            groups(vec![record("B", 0, 0, 3), both]),
            [vec![], vec![], vec!["F"], vec!["B"]]
        );
        // As often worse as better is no praise.
        assert_eq!(groups(vec![record("A", 1, 1, 2)])[1], ["A"]);
    }

    #[test]
    fn the_best_mean_rank_is_found_with_those_within_the_critical_difference() {
        let found = |mean_ranks: Vec<f64>, p_f: f64| {
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
        let first = found(vec![2.0, 1.25, 2.75], 0.01);
        assert_eq!(first.others, Others::Near(vec!["A".into()]));
        assert_eq!((&*first.method, first.mean_rank, first.datasets), ("B", 1.25, 4));
        assert_eq!(found(vec![2.25, 1.25, 2.5], 0.01).others, Others::AllBehind);
        assert_eq!(found(vec![2.0, 1.25, 2.0], 0.01).others, Others::NoneBehind);
        let open = found(vec![2.25, 1.25, 2.5], 0.06);
        assert_eq!((&*open.method, open.others), ("B", Others::NotRejected { p: 0.06 }));
    }
}

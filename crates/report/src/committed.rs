//! Put what a smaller profile finds beside the shipped run.
//!
//! Let M, s and N be the mean, standard deviation and number of splits of the shipped run of one
//! printed number, and m the mean of n splits here. The smaller run agrees where |m − M| ≤ t · s ·
//! √(1/n + 1/N) + δ: m lies in the 95 % prediction interval of a mean of n splits like those of the
//! shipped run, widened by the tolerance δ of the verdict. A smaller profile may also have fewer
//! training steps; where that matters it does not agree.

use std::collections::HashMap;

use super::grid::Grid;
use super::scorecard::{Row, Ruling};
use super::words::committed as words;
use uq_core::stats::digits::NONE;
use uq_core::stats::t_quantile;
use uqbench_judge::judgement::Verdict;
use uqbench_judge::judgement::claims::Judged;
use uqbench_system::carried::bytes;

/// The scorecard of the full run whose pages are in `reports/`.
const SCORECARD: &str = "reports/scorecard.csv";

/// Printed numbers of the main reading, as the shipped run judges them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreed {
    /// Number of those that are reproduced or close.
    pub passed: usize,
    /// Number of those that are judged.
    pub judged: usize,
}

/// One printed number or claim in the committed scorecard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Number {
    /// Its verdict.
    pub verdict: Ruling,
    /// Whether it is a printed number of the main reading.
    is_main: bool,
    mean: Option<f64>,
    sd: Option<f64>,
    n: usize,
    tolerance: f64,
}

/// What identifies a row: paper, artefact, claim, dataset, method, variant, metric.
type Key = [String; 7];

/// The shipped run.
pub struct Committed(HashMap<Key, Number>);

impl Committed {
    /// Reads it; empty where the file is not readable, as a test holds that it is.
    pub fn read() -> Self {
        let mut reader = csv::Reader::from_reader(bytes(SCORECARD).unwrap_or_default());
        let records = reader.deserialize::<HashMap<String, String>>().flatten();
        let read = |record: HashMap<String, String>| {
            let text = |name: &str| record.get(name).cloned().unwrap_or_default();
            let number = |name: &str| text(name).parse::<f64>().ok();
            let key =
                ["paper", "artefact", "claim", "dataset", "method", "variant", "metric"].map(text);
            let words = text("verdict");
            let verdict = match text("claim").is_empty() {
                true => Ruling::Number(Verdict::parse(&words)?),
                false => {
                    Ruling::Claim(Judged::ALL.into_iter().find(|judged| judged.as_str() == words)?)
                }
            };
            let found = Number {
                verdict,
                is_main: text("claim").is_empty() && text("variant").is_empty(),
                mean: number("ours_mean"),
                sd: number("ours_sd"),
                n: text("n").parse().unwrap_or(0),
                tolerance: number("tolerance").unwrap_or(0.0),
            };
            Some((key, found))
        };
        Self(records.filter_map(read).collect())
    }

    /// The same printed number or claim in the shipped run.
    pub fn of(&self, row: &Row) -> Option<&Number> {
        let key = [
            &row.paper,
            &row.artefact,
            &row.claim,
            &row.dataset,
            &row.method,
            &row.variant,
            &row.metric,
        ];
        self.0.get(&key.map(String::clone))
    }

    /// The printed numbers of the main reading among these rows.
    pub fn tally(&self, rows: &[Row]) -> Agreed {
        let main = rows.iter().filter(|row| row.claim.is_empty() && row.variant.is_empty());
        let verdicts: Vec<&Verdict> =
            main.filter_map(|row| self.of(row)?.verdict.number()).collect();
        let count =
            |is: fn(&Verdict) -> bool| verdicts.iter().filter(|verdict| is(verdict)).count();
        Agreed { passed: count(Verdict::agrees), judged: count(Verdict::is_judged) }
    }

    /// How many printed numbers of the main reading are judged in the shipped run of every table.
    pub fn judged_numbers(&self) -> usize {
        self.0
            .values()
            .filter(|number| {
                number.is_main && number.verdict.number().is_some_and(Verdict::is_judged)
            })
            .count()
    }

    /// The judgement on the same claim in the shipped run; `None` where that has none.
    pub fn judged(&self, row: &Row) -> Option<Judged> {
        self.of(row)?.verdict.claim()
    }
}

impl Number {
    /// Whether a mean of `n` splits agrees with this one; `None` where the shipped run has no
    /// spread.
    fn agrees(&self, mean: f64, n: usize) -> Option<bool> {
        let (full, sd) = (self.mean?, self.sd?);
        let t = t_quantile(0.975, self.n.checked_sub(1)?)?;
        let half = t * sd * (1.0 / n as f64 + 1.0 / self.n as f64).sqrt();
        Some((mean - full).abs() <= half + self.tolerance)
    }

    /// Whether a smaller run agrees with this one; `None` where one of them has no mean, or this
    /// one no spread.
    pub fn agrees_with(&self, row: &Row) -> Option<bool> {
        self.agrees(row.ours_mean?, row.n)
    }
}

/// Whether a row has too few repetitions to judge a printed number.
pub fn has_too_few(row: &Row) -> bool {
    row.verdict.is(&Verdict::TooFew)
}

/// How a smaller run of each table and figure compares with the shipped run; empty where there is
/// none of them.
pub fn section(rows: &[Row]) -> String {
    let committed = Committed::read();
    let mut grid = Grid::new(&[
        "Paper",
        "Artefact",
        "#Means",
        "#Agree",
        "Do not agree",
        "Verdicts of the shipped run",
    ]);
    let mut artefacts: Vec<(&str, &str)> = Vec::new();
    for row in rows.iter().filter(|row| has_too_few(row)) {
        if !artefacts.contains(&(&row.paper, &row.artefact)) {
            artefacts.push((&row.paper, &row.artefact));
        }
    }
    for (paper, artefact) in artefacts {
        let of = rows
            .iter()
            .filter(|row| (row.paper.as_str(), row.artefact.as_str()) == (paper, artefact));
        let (mut means, mut agree, mut others, mut verdicts) =
            (0, 0, Vec::new(), HashMap::<String, usize>::new());
        for row in of.filter(|row| has_too_few(row)) {
            let Some(full) = committed.of(row) else { continue };
            *verdicts.entry(full.verdict.to_string()).or_default() += 1;
            let Some(agrees) = full.agrees_with(row) else { continue };
            means += 1;
            agree += usize::from(agrees);
            if !agrees {
                others.push(format!("{} {}", row.dataset, row.method));
            }
        }
        if verdicts.is_empty() {
            continue;
        }
        let mut verdicts: Vec<(String, usize)> = verdicts.into_iter().collect();
        verdicts.sort();
        let verdicts = verdicts
            .into_iter()
            .map(|(word, count)| format!("{count} {word}"))
            .collect::<Vec<_>>()
            .join(", ");
        others.dedup();
        let (shown, rest) = others.split_at(others.len().min(SHOWN));
        let named = words::disagreeing(shown, rest.len());
        grid.push(vec![
            paper.into(),
            artefact.into(),
            means.to_string(),
            agree.to_string(),
            if named.is_empty() { NONE.into() } else { named },
            verdicts,
        ]);
    }
    if grid.rows.is_empty() {
        return String::new();
    }
    words::section(&grid.markdown())
}

/// Columns that are named where they do not agree.
const SHOWN: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    fn row(verdict: &str, mean: f64, n: usize) -> Row {
        let texts =
            ["dtb", "Table 1", "grid", "uniform, weak, shared", "", "mse"].map(str::to_owned);
        let [paper, artefact, dataset, method, variant, metric] = texts;
        let verdict = Ruling::Number(Verdict::parse(verdict).unwrap());
        Row {
            paper,
            artefact,
            dataset,
            method,
            variant,
            metric,
            verdict,
            ours_mean: Some(mean),
            n,
            ..Row::default()
        }
    }

    #[test]
    fn the_committed_scorecard_is_readable() {
        let Committed(committed) = Committed::read();
        assert!(committed.len() > 700, "{}", committed.len());
        let with_spread =
            committed.values().filter(|number| number.agrees(0.0, 1).is_some()).count();
        assert!(with_spread > 500, "{with_spread}");
        let lines = bytes(SCORECARD).unwrap();
        assert_eq!(
            csv::Reader::from_reader(lines).records().count(),
            committed.len(),
            "every verdict is one, and no row is there twice"
        );
    }

    #[test]
    fn a_verdict_without_two_numbers_is_not_judged() {
        let judged = |words: &str| Verdict::parse(words).unwrap().is_judged();
        let others = [
            "none here alone",
            "none in both",
            "none in the paper alone",
            "not run (crashed)",
            "printed as “x”",
            "too few repetitions",
        ];
        assert!(!others.into_iter().any(judged));
        assert!(
            ["reproduced", "inconclusive", "differs (worse)", "impossible"].into_iter().all(judged)
        );
    }

    #[test]
    fn a_smaller_run_agrees_within_the_prediction_interval_widened_by_the_tolerance() {
        let full = Number {
            verdict: Ruling::Number(Verdict::Close),
            mean: Some(10.0),
            sd: Some(2.0),
            n: 4,
            tolerance: 0.5,
            ..Number::default()
        };
        // t(0.975; 3) = 3.182446; 3.182446 · 2 · √(1/1 + 1/4) = 7.116 for one split, and 4.501 for
        // four.
        assert_eq!(full.agrees(17.6, 1), Some(true));
        assert_eq!(full.agrees(17.7, 1), Some(false));
        assert_eq!(full.agrees(5.0, 4), Some(true));
        assert_eq!(full.agrees(4.9, 4), Some(false));
        assert_eq!(Number { sd: None, ..full.clone() }.agrees(10.0, 1), None);
        assert_eq!(Number { n: 1, ..full }.agrees(10.0, 1), None);
    }

    #[test]
    fn only_numbers_of_too_few_repetitions_are_compared_and_those_that_do_not_agree_are_named() {
        assert_eq!(section(&[row("reproduced", 7.0, 20)]), "");
        let near = section(&[row("too few repetitions", 7.26, 5)]);
        assert!(
            near.contains("| dtb") && near.contains("1 reproduced") && !near.contains("grid"),
            "{near}"
        );
        let far = section(&[row("too few repetitions", 70.0, 5)]);
        assert!(far.contains("grid uniform, weak, shared"), "{far}");
    }
}

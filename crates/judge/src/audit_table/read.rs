//! Read a printed table for its audit: from a file of printed numbers, or from a benchmark, which
//! knows what its metrics are and how many rows a split tests.

use std::collections::BTreeMap;

use thiserror::Error;

use super::references::standard_test_rows;
use super::{Digits, Number, Quantity, Table};
use uq_core::metrics::MetricId;
use uqbench_run::benchmark::{
    Benchmark, Cell, NEGATIVE_LOG_LIKELIHOODS, PrintedErrors, Published, plain_name,
    unit_of_last_digit,
};
use uqbench_run::protocols::{Protocol, RowSubset, ScoreUnits};

/// Names that papers give to what rules read.
const NAMES: [(Quantity, &[&str]); 6] = [
    (Quantity::Rmse, &["rmse", "test_rmse", "avg_rmse", "average_rmse"]),
    (
        Quantity::LogLikelihood,
        &["log_likelihood", "ll", "loglik", "log_lik", "test_ll", "mean_log_likelihood"],
    ),
    (Quantity::NegativeLogLikelihood, &NEGATIVE_LOG_LIKELIHOODS),
    (Quantity::Crps, &["crps", "test_crps"]),
    (Quantity::Coverage, &["coverage", "picp"]),
    (Quantity::Width, &["width", "mpiw", "mean_width"]),
];

/// The label of the level of an interval, which is no part of a column's name here.
const LEVEL: &str = "level";

/// What is stated of the predictions behind a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Premises {
    /// Each split's predictions are normal with one variance; `None` where nothing is stated.
    pub one_variance: Option<bool>,
    /// All intervals of all splits have one width and are centred on the point predictions.
    pub constant_width: Option<bool>,
}

/// Why a table cannot be audited.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The file is not one of printed numbers.
    #[error(transparent)]
    Printed(#[from] PrintedErrors),
    /// No number measures what a rule reads.
    #[error(
        "no number measures what a rule reads: expected the metric to be one of {}",
        known_names()
    )]
    Nothing,
}

fn known_names() -> String {
    NAMES.iter().filter_map(|(_, names)| names.first()).copied().collect::<Vec<_>>().join(", ")
}

impl Table {
    /// The text of a file of printed numbers.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn parse(text: &str) -> Result<Self, ReadError> {
        let published = Published::parse(text)?;
        let mut table = Self::default();
        for cell in published.cells {
            let wanted = plain_name(&cell.metric);
            let quantity = NAMES.iter().find(|(_, names)| names.contains(&wanted.as_str()));
            let Some((quantity, _)) = quantity else {
                table.unread += 1;
                continue;
            };
            let place = Place { dataset: cell.dataset.clone(), ..Place::default() };
            table.add(&cell, *quantity, place);
        }
        table.take_per_cent();
        if table.numbers.is_empty() { Err(ReadError::Nothing) } else { Ok(table) }
    }

    /// The printed numbers of a benchmark.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn of_benchmark(benchmark: &Benchmark) -> Result<Self, ReadError> {
        let mut table = Self { paper: Some(benchmark.paper.clone()), ..Self::default() };
        let is_standard =
            benchmark.protocol == Protocol::Standard && benchmark.rows == RowSubset::default();
        let is_scaled = benchmark.score_units != ScoreUnits::default();
        for cell in &benchmark.printed.cells {
            let row =
                benchmark.metrics.iter().find(|row| row.published.as_ref() == Some(&cell.metric));
            // Of scores in scaled units no rule knows the size.
            let quantity = row.and_then(|row| Some((quantity_of(&row.id)?, &row.id)));
            let quantity = quantity.filter(|(one, _)| !is_scaled || *one == Quantity::Coverage);
            let Some((quantity, metric)) = quantity else {
                table.unread += 1;
                continue;
            };
            let dataset = benchmark.datasets.iter().find(|row| row.printed_name() == cell.dataset);
            let dataset = dataset.map_or(cell.dataset.as_str(), |row| row.key.as_str());
            let dataset = dataset.split(':').next().unwrap_or(dataset).to_owned();
            let test_rows = is_standard.then(|| standard_test_rows(&dataset)).flatten();
            let level = metric.to_string();
            let level = level.split_once('(').map_or("", |(_, parameters)| parameters).to_owned();
            table.add(cell, quantity, Place { dataset, test_rows, level });
        }
        table.take_per_cent();
        if table.numbers.is_empty() { Err(ReadError::Nothing) } else { Ok(table) }
    }

    /// Adds a number; one without digits says nothing.
    fn add(&mut self, cell: &Cell, quantity: Quantity, place: Place) {
        let mut labels = cell.labels.clone();
        let level = labels.remove(LEVEL).unwrap_or_default();
        let stated = &cell.stated;
        let Some(value) = cell.number() else {
            self.unread += 1;
            return;
        };
        let digits =
            |text: &str| Some(Digits { value: text.parse().ok()?, unit: unit_of_last_digit(text) });
        let standard = || standard_test_rows(&place.dataset).filter(|_| stated.is_standard);
        let has_level = matches!(quantity, Quantity::Coverage | Quantity::Width);
        let level = if level.is_empty() { place.level } else { level };
        self.numbers.push(Number {
            line: cell.line,
            test_rows: stated.test_rows.or_else(standard).or(place.test_rows),
            dataset: place.dataset,
            labels,
            level: if has_level { level } else { String::new() },
            quantity,
            digits: Digits { value, unit: cell.last_digit() },
            spread: cell.spread.as_deref().and_then(digits),
            kind: cell.spread_kind,
            count: cell.count,
            splits: cell.splits.iter().filter_map(|value| digits(&value.to_string())).collect(),
            premises: Premises {
                one_variance: stated.one_variance,
                constant_width: stated.constant_width,
            },
        });
    }

    /// Reads coverages in per cent as shares: those of a column with one above 1.5.
    fn take_per_cent(&mut self) {
        let is_per_cent =
            |number: &Number| number.quantity == Quantity::Coverage && number.digits.value > 1.5;
        let columns: Vec<BTreeMap<String, String>> = self
            .numbers
            .iter()
            .filter(|number| is_per_cent(number))
            .map(|number| number.labels.clone())
            .collect();
        let wanted = self.numbers.iter_mut().filter(|number| {
            number.quantity == Quantity::Coverage && columns.contains(&number.labels)
        });
        for number in wanted {
            let all = [&mut number.digits].into_iter().chain(&mut number.spread);
            for digits in all.chain(&mut number.splits) {
                (digits.value, digits.unit) = (digits.value / 100.0, digits.unit / 100.0);
            }
        }
    }
}

/// What is known of a number beside its cell.
#[derive(Default)]
struct Place {
    dataset: String,
    test_rows: Option<usize>,
    level: String,
}

/// What a metric of the program measures for the rules.
fn quantity_of(metric: &MetricId) -> Option<Quantity> {
    match metric.name() {
        "rmse" => Some(Quantity::Rmse),
        "log-likelihood" => Some(Quantity::LogLikelihood),
        "crps" => Some(Quantity::Crps),
        "picp" => Some(Quantity::Coverage),
        "mpiw" => Some(Quantity::Width),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::find;

    #[test]
    fn a_file_names_metrics_as_papers_do_and_states_premises() {
        let text = "# protocol = standard\n# count = 20\ndataset,method,metric,value,one_variance\n\
                    boston,GP,RMSE,2.97,\nboston,GP,NLL,2.5,yes\nboston,GP,coverage,94.1,\n\
                    boston,GP,time,3,\n";
        let table = Table::parse(text).unwrap();
        assert_eq!((table.numbers.len(), table.unread), (3, 1));
        let [rmse, nll, coverage] = &table.numbers[..] else { unreachable!() };
        assert_eq!(
            (rmse.quantity, rmse.test_rows, rmse.count),
            (Quantity::Rmse, Some(51), Some(20))
        );
        assert!(
            nll.premises.one_variance == Some(true)
                && nll.quantity == Quantity::NegativeLogLikelihood
        );
        assert_eq!((rmse.column(), nll.column()), ("GP".to_owned(), "GP".to_owned()));
        assert!((coverage.digits.value - 0.941).abs() < 1e-12 && coverage.digits.unit < 0.0011);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let message = |text: &str| Table::parse(text).unwrap_err().to_string();
        let head = "dataset,metric,value,test_rows\n";
        assert!(message(&format!("{head}a,rmse,1,many\n")).starts_with("line 2: test_rows: found"));
        assert!(
            message("dataset,metric,value\na,speed,1\n").contains("one of rmse, log_likelihood")
        );
        let premise = "dataset,metric,value,one_variance\na,rmse,1,maybe\n";
        assert!(message(premise).contains("expected yes or no"));
        assert!(message("dataset,metric,value,protocol\na,rmse,1,mine\n").contains("standard"));
    }

    #[test]
    fn a_benchmark_knows_metrics_and_rows() {
        let table = Table::of_benchmark(&find("baselines-standard").unwrap()).unwrap();
        assert!(table.numbers.len() > 50 && table.unread == 0);
        let power = table.numbers.iter().find(|number| number.dataset == "power").unwrap();
        assert_eq!(power.test_rows, Some(957));
    }
}

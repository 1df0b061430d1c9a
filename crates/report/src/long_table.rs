//! Write long tables for other programs: of all scores, or of predictions; Parquet, Arrow, or CSV.

use std::path::Path;

use polars_arrow::array::{BooleanArray, PrimitiveArray, Utf8ViewArray};

use super::export::clean;
use uq_core::predictive::SUMMARY_LEVELS;
use uqbench_data::columns::Columns;
use uqbench_judge::evidence::long_table::Row;
use uqbench_judge::evidence::prediction_table::Predicted;

/// The values of a column, of one type.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Text; none is an empty cell.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Whole(Vec<Option<u64>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
    /// Yes or no.
    Flag(Vec<bool>),
}

/// What a table is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Parquet.
    Parquet,
    /// Arrow IPC.
    Arrow,
    /// Text between commas.
    Csv,
}

impl TableFormat {
    /// The format that a file's ending names; `None` for another ending.
    pub fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()? {
            "parquet" => Some(Self::Parquet),
            "arrow" => Some(Self::Arrow),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }
}

/// A table with named columns.
#[derive(Clone, Debug, PartialEq)]
pub struct LongTable {
    rows: usize,
    columns: Vec<(String, Values)>,
}

impl LongTable {
    fn new<const N: usize>(rows: usize, columns: [(&str, Values); N]) -> Self {
        Self::of_columns(rows, columns.map(|(name, values)| (name.to_owned(), values)).into())
    }

    /// A table of these columns, each with a value for every row.
    pub fn of_columns(rows: usize, columns: Vec<(String, Values)>) -> Self {
        Self { rows, columns }
    }

    /// The bytes of its file.
    ///
    /// # Errors
    /// The message of the library.
    pub fn bytes(&self, format: TableFormat) -> Result<Vec<u8>, String> {
        match format {
            TableFormat::Parquet => self.parquet(),
            TableFormat::Arrow => self.arrow(),
            TableFormat::Csv => self.csv(),
        }
    }

    /// The scores of trials, with the columns of [`Row`].
    pub fn of_scores(rows: &[Row]) -> Self {
        let text = |of: fn(&Row) -> Option<&String>| {
            Values::Text(rows.iter().map(|row| of(row).cloned()).collect())
        };
        let whole = |of: fn(&Row) -> Option<u64>| Values::Whole(rows.iter().map(of).collect());
        let number = |of: fn(&Row) -> Option<f64>| Values::Number(rows.iter().map(of).collect());
        let columns = [
            ("trial", text(|row| Some(&row.trial))),
            ("benchmark", text(|row| Some(&row.benchmark))),
            ("dataset", text(|row| Some(&row.dataset))),
            ("method", text(|row| Some(&row.method))),
            ("parameters", text(|row| Some(&row.parameters))),
            ("variant", text(|row| row.variant.as_ref())),
            ("split", whole(|row| Some(row.split))),
            ("seed", whole(|row| Some(row.seed))),
            ("validation", Values::Flag(rows.iter().map(|row| row.validation).collect())),
            ("outcome", text(|row| Some(&row.outcome))),
            ("reason", text(|row| row.reason.as_ref())),
            ("reading", text(|row| row.reading.as_ref())),
            ("metric", text(|row| row.metric.as_ref())),
            ("score", number(|row| row.score)),
            ("train_rows", whole(|row| row.train_rows)),
            ("test_rows", whole(|row| row.test_rows)),
            ("fit_seconds", number(|row| row.fit_seconds)),
            ("predict_seconds", number(|row| row.predict_seconds)),
            ("peak_memory", whole(|row| row.peak_memory)),
        ];
        Self::new(rows.len(), columns)
    }

    /// The predictions of trials: a row for each test row, a column for each level, `q0.05`.
    /// `uqbench score` reads it.
    pub fn of_predictions(all: &[Predicted]) -> Self {
        let each = |one: &Predicted| one.y.len();
        let repeated = |of: &dyn Fn(&Predicted) -> Option<String>| {
            Values::Text(all.iter().flat_map(|one| vec![of(one); each(one)]).collect())
        };
        let whole = |of: &dyn Fn(&Predicted) -> u64| {
            Values::Whole(all.iter().flat_map(|one| vec![Some(of(one)); each(one)]).collect())
        };
        let numbers = |of: &dyn Fn(&Predicted) -> Vec<Option<f64>>| {
            Values::Number(all.iter().flat_map(of).collect())
        };
        let columns = [
            ("trial", repeated(&|one| Some(one.trial.clone()))),
            ("benchmark", repeated(&|one| Some(one.benchmark.clone()))),
            ("dataset", repeated(&|one| Some(one.dataset.clone()))),
            ("method", repeated(&|one| Some(one.method.clone()))),
            ("id", repeated(&|one| Some(one.id.clone()))),
            ("variant", repeated(&|one| one.variant.clone())),
            ("reading", repeated(&|one| Some(one.reading.clone()))),
            ("split", whole(&|one| one.split)),
            ("seed", whole(&|one| one.seed)),
            ("train_rows", whole(&|one| one.train_rows)),
            ("y", numbers(&|one| one.y.iter().copied().map(Some).collect())),
            ("mean", numbers(&|one| one.mean.clone())),
            ("sd", numbers(&|one| one.sd.clone())),
        ];
        let mut table = Self::new(all.iter().map(each).sum(), columns);
        for (place, level) in SUMMARY_LEVELS.iter().enumerate() {
            table.columns.push((format!("q{level}"), numbers(&|one| one.quantiles[place].clone())));
        }
        table
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The table with the types of its columns.
    fn typed(&self) -> Columns {
        let mut table = Columns::default();
        for (name, values) in &self.columns {
            let values = match values {
                Values::Text(values) => Utf8ViewArray::from_slice(values).boxed(),
                Values::Whole(values) => PrimitiveArray::from(values.as_slice()).boxed(),
                Values::Number(values) => PrimitiveArray::from(values.as_slice()).boxed(),
                Values::Flag(values) => BooleanArray::from_slice(values).boxed(),
            };
            table.add(name, values);
        }
        table
    }

    /// The table as a Parquet file.
    ///
    /// # Errors
    /// The message of the library.
    pub fn parquet(&self) -> Result<Vec<u8>, String> {
        self.typed().to_parquet().map_err(|error| error.to_string())
    }

    /// The table as an Arrow IPC file.
    ///
    /// # Errors
    /// The message of the library.
    pub fn arrow(&self) -> Result<Vec<u8>, String> {
        self.typed().to_arrow().map_err(|error| error.to_string())
    }

    /// The table as CSV with a header. A missing value is an empty cell, infinity is `inf`.
    ///
    /// # Errors
    /// The message of the library.
    pub fn csv(&self) -> Result<Vec<u8>, String> {
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record(self.columns.iter().map(|(name, _)| name))
            .map_err(|error| error.to_string())?;
        for i in 0..self.rows {
            let cell = |(_, values): &(String, Values)| match values {
                Values::Text(values) => values[i].iter().flat_map(|text| clean(text)).collect(),
                Values::Whole(values) => {
                    values[i].map(|value| value.to_string()).unwrap_or_default()
                }
                Values::Number(values) => {
                    values[i].map(|value| value.to_string()).unwrap_or_default()
                }
                Values::Flag(values) => values[i].to_string(),
            };
            out.write_record(self.columns.iter().map(cell)).map_err(|error| error.to_string())?;
        }
        out.into_inner().map_err(|error| error.to_string())
    }
}

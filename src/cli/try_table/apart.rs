//! Calibrate apart in each value of a column, as `--calibrate-by` asks.

use std::collections::HashMap;

use crate::cli::CliError;
use uq_methods::stack::Stack;
use uqbench_data::own::OwnTable;
use uqbench_run::candidates::Candidate;

/// A column in each value of which calibrated methods compare errors.
pub struct Apart {
    /// Its name.
    pub column: String,
    places: Vec<usize>,
}

impl Apart {
    /// By the column of this name.
    ///
    /// # Errors
    /// [`CliError::Usage`] for a column that is no feature, and for one of which no value has
    /// enough rows.
    pub fn by(column: String, own: &OwnTable) -> Result<Self, CliError> {
        let wrong = |why: String| CliError::Usage(format!("--calibrate-by: {why}"));
        let places = own.encoding.places_of_values(&column).map_err(wrong)?;
        let mut rows: HashMap<Vec<u64>, usize> = HashMap::new();
        for x in own.table.features.rows() {
            *rows.entry(places.iter().map(|place| x[*place].to_bits()).collect()).or_default() += 1;
        }
        let (most, needed) = (rows.into_values().max().unwrap_or(0), Stack::FEWEST_OF_A_GROUP);
        if most < needed {
            return Err(wrong(format!(
                "no value of \"{column}\" has {needed} rows or more, the most frequent one has \
                 {most}: none can be calibrated apart"
            )));
        }
        Ok(Self { column, places })
    }

    /// The same methods, of which those that are calibrated by their errors at out-of-fold rows are
    /// so apart.
    ///
    /// # Errors
    /// [`CliError::Usage`] where there are none.
    pub fn applied(&self, mut all: Vec<Candidate>) -> Result<Vec<Candidate>, CliError> {
        let mut calibrated = 0;
        for candidate in &mut all {
            if let Some(apart) = candidate.calibrated_by(&self.column, &self.places)? {
                *candidate = apart;
                calibrated += 1;
            }
        }
        if calibrated == 0 {
            let message = "--calibrate-by: none of the methods is calibrated by its errors at \
                           out-of-fold rows, as `stack` and `calibrated-NAME` are";
            return Err(CliError::Usage(message.into()));
        }
        Ok(all)
    }
}

//! Gather what each replicate states at the test inputs from the store.

use ndarray::Array1;
use rayon::prelude::*;

use super::replicates::{Replicate, Replicates};
use crate::data::simulated::{Design, Simulated};
use crate::evidence::results::{Results, Series};
use crate::evidence::trials::{EvidenceError, decode, prediction};
use crate::runner::layout::Decoded;
use crate::runner::record::TrialResult;
use crate::runner::store::Store;

/// One column on one dataset.
pub struct Column<'a> {
    /// Where it stands in the tables.
    pub series: Series<'a>,
    /// Where the inputs are, n, for problems of one feature.
    pub x: Option<Vec<f64>>,
    /// The stated and the true variances.
    pub replicates: Replicates,
}

/// Every column on every dataset with test inputs that never change, in the order of the tables; one without a finished replicate
/// is left out.
///
/// # Errors
/// [`EvidenceError`] where stored trials cannot be read, or were tested at other inputs.
pub fn collect<'a>(results: &'a Results, store: &Store) -> Result<Vec<Column<'a>>, EvidenceError> {
    let one = |series: Series<'a>| -> Result<Option<Column<'a>>, EvidenceError> {
        let Some(design) = Simulated::get(&series.dataset.key).and_then(Simulated::design) else { return Ok(None) };
        column(series, &design, store)
    };
    let all = results.series().into_par_iter().map(one).collect::<Result<Vec<_>, _>>()?;
    Ok(all.into_iter().flatten().collect())
}

fn column<'a>(series: Series<'a>, design: &Design, store: &Store) -> Result<Option<Column<'a>>, EvidenceError> {
    let mut found: Option<(Column<'a>, Vec<f64>)> = None;
    for result in series.finished() {
        let damaged = |message: &str| EvidenceError::Damaged { key: result.key.to_string(), message: message.into() };
        let decoded = decode(result, store)?;
        let facts = decoded.facts.noise.as_ref().zip(decoded.facts.truth.as_ref());
        let (noise, truth) = facts.ok_or_else(|| damaged("noise and truth of its test rows are missing"))?;
        let (column, expected) = found.get_or_insert_with(|| {
            let (x, noise) = (decoded.x.as_ref().map(|x| x.to_vec()), noise.mapv(|sd| sd * sd).to_vec());
            let replicates = Replicates { noise, region: design.region.clone(), each: Vec::new() };
            (Column { series, x, replicates }, truth.to_vec())
        });
        let same = noise.iter().map(|sd| sd * sd).eq(column.replicates.noise.iter().copied())
            && truth.iter().eq(expected.iter())
            && truth.len() == design.region.len();
        if !same {
            return Err(damaged("it was tested at other inputs than the repetitions before it"));
        }
        let means = prediction(&decoded, &series.column.reading, result)?.means();
        let means = means.ok_or_else(|| damaged("its predictive mean is undefined"))?;
        let error = means.iter().zip(expected.iter()).map(|(mean, truth)| mean - truth).collect();
        column.replicates.each.push(Replicate { error, ..stated(&decoded, &series, result)? });
    }
    Ok(found.map(|(column, _)| column))
}

/// What a replicate states, without its error.
fn stated(decoded: &Decoded, series: &Series, result: &TrialResult) -> Result<Replicate, EvidenceError> {
    let predictive = prediction(decoded, &series.column.reading, result)?;
    let split = predictive.split.as_ref();
    let part = |values: Option<&Array1<f64>>| values.map(|values| values.to_vec());
    let aleatoric = part(split.and_then(|split| split.aleatoric.as_ref()));
    let epistemic = part(split.and_then(|split| split.epistemic.as_ref()));
    let whole = aleatoric.is_some() == epistemic.is_some();
    let total = part(predictive.variances().filter(|_| whole).as_ref());
    Ok(Replicate { error: Vec::new(), aleatoric, epistemic, total })
}

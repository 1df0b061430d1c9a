//! Gather what each replicate states at the test inputs from the store.

use ndarray::Array1;
use rayon::prelude::*;

use super::replicates::{Replicate, Replicates, Stated};
use crate::evidence::results::{Results, Series};
use crate::evidence::trials::{EvidenceError, prediction};
use uq_core::predictive::Predictive;
use uq_methods::Reading;
use uqbench_data::simulated::{Design, Simulated};
use uqbench_run::runner::derived::reduced;
use uqbench_run::runner::layout::Decoded;
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::store::Store;

/// One column on one dataset.
pub struct Column<'a> {
    /// Where it stands in the tables.
    pub series: Series<'a>,
    /// Where the inputs are, n, for problems of one feature.
    pub x: Option<Vec<f64>>,
    /// The stated and the true variances.
    pub replicates: Replicates,
}

/// Every column on every dataset with test inputs that never change, in the order of the tables;
/// one without a finished replicate is left out.
///
/// # Errors
/// [`EvidenceError`] where stored trials cannot be read, or were tested at other inputs.
pub fn collect<'a>(results: &'a Results, store: &Store) -> Result<Vec<Column<'a>>, EvidenceError> {
    let one = |series: Series<'a>| -> Result<Option<Column<'a>>, EvidenceError> {
        Simulated::get(&series.dataset.key)
            .and_then(Law::of)
            .map_or(Ok(None), |law| column(series, law, store))
    };
    let all = results.series().into_par_iter().map(one).collect::<Result<Vec<_>, _>>()?;
    Ok(all.into_iter().flatten().collect())
}

/// Test inputs that never change, with the true law there.
struct Law {
    design: Design,
    /// Noise-free truth, n.
    truth: Vec<f64>,
    /// Standard deviation of the noise, n.
    noise: Vec<f64>,
}

impl Law {
    fn of(problem: &Simulated) -> Option<Self> {
        let design = problem.design()?;
        let (truth, noise) = design
            .inputs
            .rows()
            .into_iter()
            .map(|x| problem.law(x))
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .unzip();
        Some(Self { design, truth, noise })
    }

    /// Whether a trial was tested under this law. Another platform may round otherwise.
    fn is(&self, truth: &Array1<f64>, noise: &Array1<f64>) -> bool {
        let same = |own: &[f64], other: &Array1<f64>| {
            own.len() == other.len()
                && own.iter().zip(other).all(|(a, b)| (a - b).abs() <= 1e-9 * (1.0 + a.abs()))
        };
        same(&self.truth, truth) && same(&self.noise, noise)
    }
}

fn column<'a>(
    series: Series<'a>,
    law: Law,
    store: &Store,
) -> Result<Option<Column<'a>>, EvidenceError> {
    let reading = &series.column.reading;
    let names = [format!("replicate@1 of {reading}")];
    let mut each: Vec<Replicate> = Vec::new();
    for result in series.finished() {
        let kept =
            reduced(store, result, &names, |decoded, _| replicate(decoded, reading, result, &law))?;
        if !kept.iter().all(|one: &Replicate| one.describes(law.truth.len())) {
            let message =
                "what is kept of its predictions does not have the length of its test inputs"
                    .into();
            return Err(EvidenceError::Damaged { key: result.key.to_string(), message });
        }
        each.extend(kept);
    }
    if each.is_empty() {
        return Ok(None);
    }
    let Law { design, noise, .. } = law;
    let x = (design.inputs.ncols() == 1).then(|| design.inputs.column(0).to_vec());
    let noise = noise.into_iter().map(|sd| sd * sd).collect();
    Ok(Some(Column { series, x, replicates: Replicates { noise, region: design.region, each } }))
}

/// What is kept of one trial.
fn replicate(
    decoded: &Decoded,
    reading: &Reading,
    result: &TrialResult,
    law: &Law,
) -> Result<Replicate, EvidenceError> {
    let damaged = |message: &str| EvidenceError::Damaged {
        key: result.key.to_string(),
        message: message.into(),
    };
    let facts = decoded.facts.truth.as_ref().zip(decoded.facts.noise.as_ref());
    let (truth, noise) =
        facts.ok_or_else(|| damaged("noise and truth of its test rows are missing"))?;
    if !law.is(truth, noise) {
        return Err(damaged("it was tested at other inputs than those of its dataset"));
    }
    let predictive = prediction(decoded, reading, result)?;
    let means = predictive.means().ok_or_else(|| damaged("its predictive mean is undefined"))?;
    let error: Vec<f64> = means.iter().zip(truth).map(|(mean, truth)| mean - truth).collect();
    let one_feature = law.design.inputs.ncols() == 1;
    Ok(Replicate::new(&error, &stated(predictive), &law.design.region, one_feature))
}

/// The variances that a prediction states.
fn stated(predictive: &Predictive) -> Stated {
    let split = predictive.split.as_ref();
    let part = |values: Option<&Array1<f64>>| values.map(|values| values.to_vec());
    let aleatoric = part(split.and_then(|split| split.aleatoric.as_ref()));
    let epistemic = part(split.and_then(|split| split.epistemic.as_ref()));
    let whole = aleatoric.is_some() == epistemic.is_some();
    Stated { total: part(predictive.variances().filter(|_| whole).as_ref()), aleatoric, epistemic }
}

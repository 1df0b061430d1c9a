//! Read the hyper-functions of a Gaussian process of one feature from a trial's side tables.

use serde::{Deserialize, Serialize};

use super::trials::{EvidenceError, side_table};
use uq_methods::side_tables::{Feature, HyperFunctions};
use uqbench_data::simulated::{HyperFunctions as Truth, Simulated};
use uqbench_run::runner::record::TrialResult;
use uqbench_run::runner::store::Store;

/// One hyper-function; positive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HyperCurve {
    /// Its name in the legend; equal names have one look in all panels.
    pub name: String,
    /// Places, m.
    pub x: Vec<f64>,
    /// Values, m.
    pub value: Vec<f64>,
    /// True values, m, where they are known.
    pub truth: Option<Vec<f64>>,
}

/// The hyper-functions in a trial's side tables, with the truth of the problem.
///
/// # Errors
/// [`EvidenceError`].
pub fn hyper_curves(
    result: &TrialResult,
    problem: Option<&Simulated>,
    store: &Store,
) -> Result<Vec<HyperCurve>, EvidenceError> {
    let table = side_table(result, HyperFunctions::ON_GRID, store)?;
    Ok(table
        .as_ref()
        .and_then(HyperFunctions::from_table)
        .map(|found| curves(found, problem))
        .unwrap_or_default())
}

/// Length scale, signal and noise of feature 1, with the truth where it is known.
fn curves(found: HyperFunctions, problem: Option<&Simulated>) -> Vec<HyperCurve> {
    let HyperFunctions { features, signal, noise } = found;
    let Some(Feature { x, length_scale, .. }) =
        features.into_iter().find(|feature| feature.number == 1)
    else {
        return Vec::new();
    };
    let curve = |name: &str, value: Vec<f64>, of: fn(Truth) -> f64| {
        let truth = x.iter().map(|&x| problem?.hyper_functions(x).map(of)).collect();
        HyperCurve { name: name.into(), x: x.clone(), value, truth }
    };
    vec![
        curve("length scale ℓ", length_scale, |truth| truth.length_scale),
        curve("signal σ", signal, |truth| truth.signal),
        curve("noise ω (standard deviation)", noise, |truth| truth.noise),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_stand_beside_the_truth_where_it_is_known() {
        let column = |value: f64| vec![value, 2.0 * value];
        let feature = |number| Feature { number, x: column(1.0), length_scale: column(3.0) };
        let table = |number| HyperFunctions {
            features: vec![feature(number)],
            signal: column(4.0),
            noise: column(5.0),
        };
        let found = curves(table(1), Simulated::get("simulated:synth-1d"));
        assert_eq!(found.iter().map(|c| c.value[1]).collect::<Vec<_>>(), [6.0, 8.0, 10.0]);
        let expected = 0.5 * (1.0_f64 / 8.0).sin() + 1.5;
        assert_eq!(found[0].truth.as_ref().map(|t| t[0]), Some(expected));
        assert!(
            curves(table(1), Simulated::get("simulated:step")).iter().all(|c| c.truth.is_none())
        );
        assert!(curves(table(2), None).is_empty());
    }
}

//! Read the hyper-functions of a Gaussian process of one feature from a trial's side tables.

use super::trials::{EvidenceError, side_table};
use crate::data::simulated::{HyperFunctions as Truth, Simulated};
use crate::methods::SideTable;
use crate::plot::HyperCurve;
use crate::runner::record::TrialResult;
use crate::runner::store::Store;

/// The hyper-functions in a trial's side tables, with the truth of the problem.
///
/// # Errors
/// [`EvidenceError`].
pub fn hyper_curves(
    result: &TrialResult,
    problem: Option<&Simulated>,
    store: &Store,
) -> Result<Vec<HyperCurve>, EvidenceError> {
    let table = side_table(result, "hyper-functions", store)?;
    Ok(table.map(|table| curves(&table, problem)).unwrap_or_default())
}

/// A column of the table, its name in the legend, and the true function.
type Named = (&'static str, &'static str, fn(Truth) -> f64);

/// Length scale, signal and noise, with the truth where it is known.
fn curves(table: &SideTable, truth: Option<&Simulated>) -> Vec<HyperCurve> {
    let Some(x) = table.column("x1").map(<[f64]>::to_vec) else { return Vec::new() };
    let names: [Named; 3] = [
        ("length_scale_1", "length scale ℓ", |truth| truth.length_scale),
        ("signal", "signal σ", |truth| truth.signal),
        ("noise", "noise ω (standard deviation)", |truth| truth.noise),
    ];
    let curve = |(column, name, of): Named| {
        let truth = x.iter().map(|&x| truth?.hyper_functions(x).map(of)).collect();
        Some(HyperCurve { name: name.into(), x: x.clone(), value: table.column(column)?.to_vec(), truth })
    };
    names.into_iter().filter_map(curve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_stand_beside_the_truth_where_it_is_known() {
        let column = |name: &str, value: f64| (name.to_owned(), vec![value, 2.0 * value]);
        let columns =
            vec![column("x1", 1.0), column("length_scale_1", 3.0), column("signal", 4.0), column("noise", 5.0)];
        let table = SideTable { name: "hyper-functions".into(), columns };
        let found = curves(&table, Simulated::get("simulated:synth-1d"));
        assert_eq!(found.iter().map(|c| c.value[1]).collect::<Vec<_>>(), [6.0, 8.0, 10.0]);
        let expected = 0.5 * (1.0_f64 / 8.0).sin() + 1.5;
        assert_eq!(found[0].truth.as_ref().map(|t| t[0]), Some(expected));
        assert!(curves(&table, Simulated::get("simulated:step")).iter().all(|c| c.truth.is_none()));
        let none = SideTable { name: "hyper-functions".into(), columns: Vec::new() };
        assert!(curves(&none, None).is_empty());
    }
}

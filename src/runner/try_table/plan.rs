//! Choose what is tried before the first fit, by what fits are expected to cost.

use super::{FOLDS, repeats, training_rows};
use crate::data::Table;
use crate::methods::candidates::{Candidate, PANEL, candidates};
use crate::methods::registry::RegistryError;

/// The simplest methods that use the features, the second one for few rows: one of them is tried whatever the budget.
const LINEAR: [&str; 2] = ["linear-gaussian", "ridge"];

/// Training rows for each coefficient below which ridge regression takes the place of least squares, whose variance is then twice the
/// noise or more. A stack fits four fifths of them, which still are more than the coefficients.
const ROWS_OF_LEAST_SQUARES: f64 = 2.0;

/// A method of the panel that costs too much, and the cheaper one that is tried in its place where that still fits.
const STAND_INS: [(&str, &str); 1] = [("calibrated-quantile-forest-validated", "calibrated-quantile-forest")];

/// The method of the panel that is tried in this one's place on this table.
fn suited(name: &'static str, table: &Table) -> &'static str {
    let few = training_rows(table) < ROWS_OF_LEAST_SQUARES * (table.columns() + 1) as f64;
    match name {
        "linear-gaussian" if few => "ridge",
        "calibrated-linear-gaussian" if few => "calibrated-ridge",
        _ => name,
    }
}

/// Approximate seconds of all fits of these candidates on `threads` threads.
pub fn expected_seconds(table: &Table, candidates: &[Candidate], threads: usize) -> f64 {
    let (n, d) = (training_rows(table), table.columns() as f64);
    let fits = candidates.iter().filter_map(|candidate| candidate.cost.as_ref()).map(|cost| cost(n, d));
    let times = (FOLDS * repeats(table)) as f64;
    // The longest fit runs on one thread.
    let (all, longest) = fits.fold((0.0, 0.0_f64), |(sum, longest), fit| (sum + fit * times, longest.max(fit)));
    (all / threads.max(1) as f64).max(longest)
}

/// Approximate seconds of one fit of all rows; `None` where nothing is known of the method's cost.
pub fn seconds_of_one(table: &Table, candidate: &Candidate) -> Option<f64> {
    candidate.cost.as_ref().map(|cost| cost(table.rows() as f64, table.columns() as f64))
}

/// What is tried where no method is named.
pub struct Plan {
    /// In the order of simplicity.
    pub candidates: Vec<Candidate>,
    /// What the budget leaves out, with its expected seconds.
    pub left_out: Vec<(&'static str, f64)>,
}

/// The methods of the [`PANEL`] that are made for a table of this size, as far as `budget` seconds of processor time are
/// expected to suffice for them: each is taken, in the panel's order, that still fits. Nothing is measured and threads do not
/// count, so that the same table has the same plan on every machine. Methods that ignore the features are always taken, and one of
/// [`LINEAR`], too; one of [`STAND_INS`] is taken in place of a method that does not fit.
///
/// # Errors
/// [`RegistryError`] where a method cannot be built.
pub fn plan(table: &Table, budget: f64) -> Result<Plan, RegistryError> {
    let (mut taken, mut left_out): (Vec<&'static str>, _) = (Vec::new(), Vec::new());
    let fits = |taken: &[&'static str], name: &'static str| {
        let with: Vec<String> = taken.iter().copied().chain([name]).map(str::to_owned).collect();
        Ok::<_, RegistryError>(expected_seconds(table, &candidates(&with)?, 1) <= budget)
    };
    let panel = PANEL.into_iter().filter(|(_, most_rows)| table.rows() <= *most_rows);
    for name in panel.map(|(name, _)| suited(name, table)) {
        if Candidate::is_unconditional(name) || LINEAR.contains(&name) || fits(&taken, name)? {
            taken.push(name);
            continue;
        }
        left_out.push((name, expected_seconds(table, &candidates(&[name.to_owned()])?, 1)));
        if let Some((_, cheaper)) = STAND_INS.iter().find(|(of, _)| *of == name)
            && fits(&taken, cheaper)?
        {
            taken.push(cheaper);
        }
    }
    let taken: Vec<String> = taken.into_iter().map(str::to_owned).collect();
    Ok(Plan { candidates: candidates(&taken)?, left_out })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, Array2};

    fn table(rows: usize) -> Table {
        Table::unnamed(Array2::zeros((rows, 8)), Array1::zeros(rows))
    }

    #[test]
    fn a_budget_takes_the_first_methods_of_the_panel_that_fit() {
        let table = table(400);
        let names = |plan: &Plan| plan.candidates.iter().map(|one| one.id.to_string()).collect::<Vec<_>>();
        let least = plan(&table, 0.0).unwrap();
        assert_eq!(names(&least), ["unconditional-gaussian", "unconditional-quantiles", "linear-gaussian"]);
        assert_eq!(least.candidates.len() + least.left_out.len(), PANEL.len());
        let most = plan(&table, f64::INFINITY).unwrap();
        assert_eq!((most.candidates.len(), most.left_out.len()), (PANEL.len(), 0));
        let total = expected_seconds(&table, &most.candidates, 1);
        let some = plan(&table, total / 2.0).unwrap();
        assert!(expected_seconds(&table, &some.candidates, 1) <= total / 2.0);
        assert!(some.candidates.len() > 3 && !some.left_out.is_empty());
        // 50 rows leave 40: two for each of 20 coefficients, one of which is the intercept.
        for (columns, expected) in [(18, "linear-gaussian"), (19, "linear-gaussian"), (20, "ridge"), (200, "ridge")] {
            let table = Table::unnamed(Array2::zeros((50, columns)), Array1::zeros(50));
            assert_eq!(names(&plan(&table, 0.0).unwrap())[2], expected, "{columns} columns");
            let most = names(&plan(&table, f64::INFINITY).unwrap());
            assert_eq!((most.len(), &most[3][..]), (PANEL.len(), &format!("calibrated-{expected}")[..]));
        }
        let of = |name: &str| expected_seconds(&table, &candidates(&[name.to_owned()]).unwrap(), 1);
        let before = of("calibrated-linear-gaussian") + of("calibrated-boosting-quantiles");
        let forest = plan(&table, before + 1.1 * of("calibrated-quantile-forest")).unwrap();
        assert!(names(&forest).contains(&"calibrated-quantile-forest".to_owned()), "{:?}", names(&forest));
        assert!(forest.left_out.iter().any(|(name, _)| *name == "calibrated-quantile-forest-validated"));
        assert!(!names(&most).contains(&"calibrated-quantile-forest".to_owned()));
        let large = plan(&self::table(2000), f64::INFINITY).unwrap();
        assert!(!names(&large).contains(&"calibrated-exact-gp".to_owned()), "made for small tables");
    }
}

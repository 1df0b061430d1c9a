//! Choose what is tried before the first fit, by what fits are expected to cost and by what so few rows allow.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::cost::{expected_seconds, seconds_of_fold};
use super::inside::expected_seconds_inside;
use super::{Folding, Problem, fewest_training_rows, training_rows};
use crate::candidates::{ADAPTIVE, ALL, CALIBRATED, Candidate, IN_TIME, LINEAR, PANEL, POSITIVE, candidates};
use uq_core::Dependence;
use uq_core::metrics::percent;
use uq_methods::registry::RegistryError;

/// The method of the panel before which the plain one of [`POSITIVE`] is taken: it has a sixth of the fits, and alone keeps to what the
/// target can be.
const AFTER_POSITIVE: &str = "calibrated-ngboost";

/// Training rows for each coefficient below which ridge regression takes the place of least squares, whose variance is then twice the
/// noise or more. A stack fits four fifths of them, which still are more than the coefficients.
const ROWS_OF_LEAST_SQUARES: f64 = 2.0;

/// A method that costs too much, and the cheaper one that is tried in its place where that still fits.
const STAND_INS: [(&str, &str); 4] = [
    ("quantile-forest-validated", "quantile-forest"),
    ("boosting-quantiles", "quick-boosting-quantiles"),
    ("ngboost", "quick-ngboost"),
    ("deep-ensemble", "quick-deep-ensemble"),
];

/// What is tried.
pub struct Plan {
    /// In the order of simplicity.
    pub candidates: Vec<Candidate>,
    /// Into how many folds the rows are divided, and how often.
    pub folding: Folding,
    /// What the budget leaves out.
    pub left_out: Vec<LeftOut>,
    /// Whether methods are compared on the training rows of each fold alone, too, as the budget suffices for it.
    pub inside: bool,
}

/// A method that a budget leaves out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// Its name.
    pub method: String,
    /// Processor time that all its fits are expected to take, in seconds to a hundredth.
    pub seconds: f64,
}

impl LeftOut {
    /// A method that all fits of are expected to take too long.
    pub fn expected(candidate: &Candidate, problem: &Problem) -> Self {
        let seconds = seconds_of_fold(problem.table, problem.folding, candidate).unwrap_or_default();
        let seconds = seconds * problem.folding.fits() as f64;
        Self { method: candidate.id.to_string(), seconds: (100.0 * seconds).round() / 100.0 }
    }
}

/// What is wanted, before its cost is known.
struct Wanted {
    names: Vec<String>,
    /// Names that stand for calibrated methods.
    uncalibrated: HashSet<String>,
    /// Why.
    because: String,
}

/// The methods of these names, or where none is named those of the [`PANEL`] that are made for a table of this size, as far as `budget`
/// seconds of processor time are expected to suffice for them: each is taken, in order, that still fits. Nothing is measured and threads do
/// not count, so that the same table has the same plan on every machine. Rows are divided anew as often as leaves no method out, down to
/// the fewest times for the number of rows. Where methods are left out even then, there are three folds in place of five, if that leaves
/// out fewer. Methods that ignore the features are always taken, and of the panel one of [`LINEAR`], too. Those of [`POSITIVE`] join the
/// panel where every target is above zero, the plain one before [`AFTER_POSITIVE`] and the calibrated one at its end, those of [`IN_TIME`]
/// where rows are in time and enough to calibrate by half of them. One of [`STAND_INS`] is taken in place of a method of the panel that
/// does not fit. Where the rows of a fold are too few to calibrate the intervals that are asked for, methods of the panel are tried without
/// calibration.
///
/// # Errors
/// [`RegistryError`] where a method cannot be built.
pub fn plan(problem: &Problem, names: &[String], budget: f64) -> Result<Plan, RegistryError> {
    let with = |folding: Folding| {
        let problem = Problem { folding, ..*problem };
        let wanted = if names.is_empty() {
            of_panel(&problem)
        } else if names.iter().any(|name| name == ALL) {
            // All of them are no fewer than the panel of this table, of which some depend on the table.
            named(&names.iter().cloned().chain(of_panel(&problem).names).collect::<Vec<_>>())?
        } else {
            named(names)?
        };
        Ok::<_, RegistryError>((affordable(&problem, &wanted, names.is_empty(), budget)?, wanted))
    };
    let most = Folding::of(problem.table);
    let fewest = most.with_fewest_repeats(problem.table);
    let (mut plan, mut wanted) = with(most)?;
    if !plan.left_out.is_empty() && fewest != most {
        (plan, wanted) = with(fewest)?;
    }
    if !plan.left_out.is_empty() {
        let (other, of_other) = with(fewest.with_fewer_folds())?;
        // Not at the price of a calibration, for which fewer rows may be too few.
        if other.left_out.len() < plan.left_out.len() && of_other.names == wanted.names {
            (plan, wanted) = (other, of_other);
        }
    }
    for candidate in plan.candidates.iter_mut().filter(|of| wanted.uncalibrated.contains(&*of.id)) {
        candidate.settings = format!("{}; {}", candidate.settings, wanted.because).into();
    }
    Ok(plan)
}

/// The methods of these names, in the order of simplicity.
fn named(names: &[String]) -> Result<Wanted, RegistryError> {
    let names = candidates(names)?.into_iter().map(|candidate| candidate.id.into_owned()).collect();
    Ok(Wanted { names, uncalibrated: HashSet::new(), because: String::new() })
}

/// The methods of the panel that suit this table.
fn of_panel(problem: &Problem) -> Wanted {
    let (found, needed) = (fewest_training_rows(problem), Candidate::rows_to_calibrate(problem.bounds));
    let (mut names, mut uncalibrated) = (Vec::new(), HashSet::new());
    let is_positive = problem.table.target.iter().all(|y| *y > 0.0);
    let [plain, calibrated] = POSITIVE;
    let positive = |name: &str| (is_positive && name == AFTER_POSITIVE).then_some(plain);
    let panel = PANEL.into_iter().filter(|(_, most_rows)| problem.table.rows() <= *most_rows);
    let is_in_time = matches!(problem.table.dependence, Dependence::Periods(_));
    let adapts = is_in_time && found >= Candidate::rows_to_adapt(problem.bounds);
    let adaptive = |name: &str| IN_TIME.into_iter().find(|(after, _)| adapts && *after == name).map(|(_, name)| name);
    let panel = panel.flat_map(|(name, _)| [positive(name), Some(name), adaptive(name)].into_iter().flatten());
    for name in panel.chain(is_positive.then_some(calibrated)) {
        let name = suited(name, problem);
        let alone = Candidate::uncalibrated(name).filter(|_| found < needed);
        let name = alone.unwrap_or(name).to_owned();
        if !names.contains(&name) {
            uncalibrated.extend(alone.map(str::to_owned));
            names.push(name);
        }
    }
    let because = format!(
        "not calibrated, because its {} interval needs {needed} training rows or more, and a fold has {found}",
        percent(problem.bounds.level)
    );
    Wanted { names, uncalibrated, because }
}

/// The method of the panel that is tried in this one's place on this table.
fn suited(name: &'static str, problem: &Problem) -> &'static str {
    let rows = training_rows(problem.table, problem.folding);
    let few = rows < ROWS_OF_LEAST_SQUARES * (problem.table.columns() + 1) as f64;
    match name {
        "linear-gaussian" if few => "ridge",
        "calibrated-linear-gaussian" if few => "calibrated-ridge",
        "adaptive-linear-gaussian" if few => "adaptive-ridge",
        _ => name,
    }
}

/// The cheaper method in place of this one, calibrated as it is.
fn stand_in(name: &str) -> Option<String> {
    let prefix = [CALIBRATED, ADAPTIVE].into_iter().find(|prefix| name.starts_with(prefix)).unwrap_or("");
    let (_, cheaper) = STAND_INS.iter().find(|(of, _)| *of == &name[prefix.len()..])?;
    Some(format!("{prefix}{cheaper}"))
}

/// What fits into the budget with the folds of this problem.
fn affordable(problem: &Problem, wanted: &Wanted, is_panel: bool, budget: f64) -> Result<Plan, RegistryError> {
    let Problem { table, folding, .. } = *problem;
    let seconds = |names: &[String]| Ok::<_, RegistryError>(expected_seconds(table, folding, &candidates(names)?, 1));
    let (mut taken, mut left_out) = (Vec::new(), Vec::new());
    let fits = |taken: &[String], name: &str| {
        Ok::<_, RegistryError>(seconds(&[taken, &[name.to_owned()]].concat())? <= budget)
    };
    for name in &wanted.names {
        let is_sure = Candidate::is_unconditional(name) || is_panel && LINEAR.contains(&name.as_str());
        if is_sure || fits(&taken, name)? {
            taken.push(name.clone());
            continue;
        }
        left_out.push(LeftOut::expected(&Candidate::named(name)?, problem));
        if let Some(cheaper) = stand_in(name).filter(|_| is_panel)
            && fits(&taken, &cheaper)?
        {
            taken.push(cheaper);
        }
    }
    let candidates = candidates(&taken)?;
    let problem = Problem { folding, ..*problem };
    let inside = is_affordable_inside(&problem, &candidates, budget);
    Ok(Plan { candidates, folding, left_out, inside })
}

/// Whether the budget suffices for comparisons on the training rows of each fold, beside those of all rows.
pub fn is_affordable_inside(problem: &Problem, candidates: &[Candidate], budget: f64) -> bool {
    let outside = expected_seconds(problem.table, problem.folding, candidates, 1);
    expected_seconds_inside(problem, candidates).is_some_and(|inside| outside + inside <= budget)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::try_table::Division;
    use ndarray::{Array1, Array2};
    use uq_core::Table;
    use uq_core::predictive::{Bounds, Side};

    fn table(rows: usize, columns: usize) -> Table {
        Table::unnamed(Array2::from_shape_fn((rows, columns), |(i, _)| i as f64), Array1::zeros(rows))
    }

    fn problem(table: &Table, level: f64) -> Problem<'_> {
        Problem {
            table,
            division: Division::of(table).unwrap(),
            folding: Folding::of(table),
            discrete: false,
            bounds: Bounds { level, side: Side::Both },
            seed: 1,
            categories: &[],
            stated: None,
        }
    }

    fn of(table: &Table, budget: f64) -> Plan {
        plan(&problem(table, 0.9), &[], budget).unwrap()
    }

    fn names(plan: &Plan) -> Vec<String> {
        plan.candidates.iter().map(|one| one.id.to_string()).collect()
    }

    #[test]
    fn a_budget_takes_the_first_methods_of_the_panel_that_fit() {
        let table = table(400, 8);
        let least = of(&table, 0.0);
        assert_eq!(names(&least), ["unconditional-gaussian", "unconditional-quantiles", "linear-gaussian"]);
        assert_eq!(least.candidates.len() + least.left_out.len(), PANEL.len());
        let most = of(&table, f64::INFINITY);
        assert_eq!((most.candidates.len(), most.left_out.len()), (PANEL.len(), 0));
        let seconds = |plan: &Plan| expected_seconds(&table, plan.folding, &plan.candidates, 1);
        let some = of(&table, seconds(&most) / 4.0);
        assert!(seconds(&some) <= seconds(&most) / 4.0);
        assert!(some.candidates.len() > 3 && !some.left_out.is_empty());
        // 50 rows leave 40: two for each of 20 coefficients, one of which is the intercept.
        for (columns, expected) in [(18, "linear-gaussian"), (19, "linear-gaussian"), (20, "ridge"), (200, "ridge")] {
            let table = self::table(50, columns);
            assert_eq!(names(&of(&table, 0.0))[2], expected, "{columns} columns");
            let most = names(&of(&table, f64::INFINITY));
            assert_eq!((most.len(), &most[3][..]), (PANEL.len(), &format!("calibrated-{expected}")[..]));
        }
        let large = of(&self::table(2000, 8), f64::INFINITY);
        assert!(!names(&large).contains(&"calibrated-exact-gp".to_owned()), "made for small tables");
    }

    #[test]
    fn a_cheaper_method_stands_in_for_one_of_the_panel_that_costs_too_much() {
        let table = table(400, 8);
        let problem = problem(&table, 0.9);
        let cost = |name: &str| expected_seconds(&table, problem.folding, &candidates(&[name.to_owned()]).unwrap(), 1);
        let of = |budget: f64| affordable(&problem, &of_panel(&problem), true, budget).unwrap();
        let before = cost("calibrated-linear-gaussian") + cost("calibrated-boosting-quantiles");
        let forest = of(before + 1.1 * cost("calibrated-quantile-forest"));
        assert!(names(&forest).contains(&"calibrated-quantile-forest".to_owned()), "{:?}", names(&forest));
        assert!(forest.left_out.iter().any(|of| of.method == "calibrated-quantile-forest-validated"));
        let boosted = of(cost("calibrated-linear-gaussian") + 1.1 * cost("calibrated-quick-boosting-quantiles"));
        assert!(names(&boosted).contains(&"calibrated-quick-boosting-quantiles".to_owned()), "{:?}", names(&boosted));
        let all = of(f64::INFINITY);
        assert!(names(&all).iter().all(|name| !name.contains("quick") && name != "calibrated-quantile-forest"));
        for (of, cheaper) in STAND_INS {
            assert!(cost(cheaper) < cost(of), "{cheaper}");
            assert!(candidates(&[format!("{CALIBRATED}{cheaper}")]).is_ok(), "{cheaper}");
        }
    }

    #[test]
    fn the_budget_divides_less_often_before_it_leaves_methods_out_but_small_tables_at_least_twice() {
        for (rows, most, fewest) in [(200, 4, 2), (400, 2, 2), (1500, 2, 1), (5000, 1, 1)] {
            let table = table(rows, 4);
            let all = of(&table, f64::INFINITY);
            let five = |repeats| Folding { folds: 5, repeats };
            assert_eq!((all.folding, of(&table, 0.0).folding), (five(most), five(fewest)), "{rows} rows");
            let enough = expected_seconds(&table, five(fewest), &all.candidates, 1) * 1.001;
            let less = of(&table, enough);
            assert_eq!((less.folding, less.left_out.len()), (five(fewest), 0), "{rows} rows");
        }
    }

    #[test]
    fn the_budget_takes_three_folds_before_it_leaves_methods_out_and_only_where_that_helps() {
        for (rows, repeats) in [(200, 2), (1500, 1), (5000, 1)] {
            let table = table(rows, 4);
            let all = of(&table, f64::INFINITY);
            let [three, five] = [3, 5].map(|folds| Folding { folds, repeats });
            let seconds = |folding| expected_seconds(&table, folding, &all.candidates, 1);
            let fewer = of(&table, seconds(three) * 1.001);
            assert_eq!((fewer.folding, names(&fewer)), (three, names(&all)), "{rows} rows");
            assert!(seconds(three) < seconds(five) * 0.999, "{rows} rows");
            assert_eq!(of(&table, 0.0).folding, five, "{rows} rows: nothing more fits into no time");
        }
    }

    #[test]
    fn three_folds_are_not_taken_where_their_rows_are_too_few_to_calibrate() {
        // Of 27 rows, five folds leave 21 or 22 and three leave 18; an interval of 90 % takes 19.
        let table = table(27, 2);
        let all = of(&table, f64::INFINITY);
        let five = Folding { folds: 5, repeats: 2 };
        let found = of(&table, expected_seconds(&table, five, &all.candidates, 1) * 0.99);
        assert_eq!((found.folding, found.left_out.is_empty()), (five, false));
    }

    #[test]
    fn a_positive_target_is_tried_with_a_positive_family_too() {
        let table = table(200, 2);
        let positive = Table { target: Array1::from_elem(200, 0.5), ..table.clone() };
        let count = |table: &Table| {
            names(&of(table, f64::INFINITY)).iter().filter(|name| POSITIVE.contains(&name.as_str())).count()
        };
        assert_eq!((count(&positive), count(&table)), (2, 0));
        let every = names(&plan(&problem(&positive, 0.9), &[ALL.to_owned()], f64::INFINITY).unwrap());
        let panel = names(&of(&positive, f64::INFINITY));
        assert!(panel.iter().all(|name| every.contains(name)), "all of them are no fewer: {every:?}");
        // It comes before a method of six times its cost, so that a budget does not leave it out first.
        let wanted = of_panel(&problem(&positive, 0.9)).names;
        let place = |of: &str| wanted.iter().position(|name| name == of).unwrap();
        assert_eq!(place(POSITIVE[0]) + 1, place(AFTER_POSITIVE), "{wanted:?}");
        assert_eq!(place(POSITIVE[1]) + 1, wanted.len(), "{wanted:?}");
        let before: Vec<String> = wanted[..place(AFTER_POSITIVE)].to_vec();
        let enough = expected_seconds(&positive, Folding::of(&positive), &candidates(&before).unwrap(), 1) * 1.001;
        let some = affordable(&problem(&positive, 0.9), &of_panel(&problem(&positive, 0.9)), true, enough).unwrap();
        assert!(names(&some).contains(&POSITIVE[0].to_owned()), "{:?}", names(&some));
        assert!(some.left_out.iter().any(|of| of.method == AFTER_POSITIVE), "{:?}", some.left_out);
    }

    #[test]
    fn rows_in_time_are_tried_with_levels_that_follow_misses_where_they_are_enough() {
        let in_time = |rows: usize, columns: usize| Table {
            dependence: Dependence::Periods((0..rows).collect()),
            ..table(rows, columns)
        };
        let all = |table: &Table| names(&of(table, f64::INFINITY));
        let found = |table: &Table| {
            let is_adaptive = |name: &String| name.starts_with(ADAPTIVE);
            all(table).into_iter().filter(is_adaptive).collect::<Vec<_>>()
        };
        assert_eq!(found(&in_time(400, 8)), ["adaptive-linear-gaussian", "adaptive-boosting-quantiles"]);
        assert_eq!(all(&in_time(400, 8)).len(), PANEL.len() + IN_TIME.len());
        assert!(found(&table(400, 8)).is_empty(), "no times are stated");
        // 38 rows before the first block, of which 19 calibrate, or one less.
        assert_eq!((found(&in_time(76, 2)).len(), found(&in_time(74, 2)).len()), (2, 0));
        assert_eq!(found(&in_time(400, 200))[0], "adaptive-ridge");
        assert_eq!(stand_in("adaptive-boosting-quantiles").unwrap(), "adaptive-quick-boosting-quantiles");
    }

    #[test]
    fn named_methods_are_taken_as_far_as_the_budget_suffices() {
        let table = table(400, 8);
        let named: Vec<String> = ["quantile-forest", "linear-gaussian", "stack"].map(str::to_owned).to_vec();
        let chosen = |budget: f64| plan(&problem(&table, 0.9), &named, budget).unwrap();
        let all = chosen(f64::INFINITY);
        assert_eq!(names(&all)[2..], ["linear-gaussian", "quantile-forest", "stack"]);
        let five = Folding { folds: 5, repeats: 2 };
        let some = chosen(expected_seconds(&table, five, &all.candidates[..4], 1) * 1.001);
        assert_eq!(some.folding, five, "three folds leave out as many");
        assert_eq!(names(&some)[2..], ["linear-gaussian", "quantile-forest"]);
        assert_eq!(some.left_out.iter().map(|of| of.method.as_str()).collect::<Vec<_>>(), ["stack"]);
        assert!(plan(&problem(&table, 0.9), &["forrest".to_owned()], 1.0).is_err());
    }

    #[test]
    fn rows_that_are_too_few_to_calibrate_are_tried_without_and_the_settings_say_so() {
        // 24 training rows calibrate an interval of 90 %, which takes 19 of them, and not one of 95 %, which takes 39.
        let table = table(30, 2);
        assert!(names(&of(&table, f64::INFINITY)).contains(&"calibrated-ngboost".to_owned()));
        let wide = plan(&problem(&table, 0.95), &[], f64::INFINITY).unwrap();
        assert!(names(&wide).iter().all(|name| !name.starts_with(CALIBRATED) && name != "stack"), "{:?}", names(&wide));
        assert_eq!(wide.candidates.len(), PANEL.len() - 1, "the linear method is there once");
        for candidate in &wide.candidates {
            let told = candidate.settings.ends_with(
                "; not calibrated, because its 95 % interval needs 39 training rows or more, and a fold has 24",
            );
            let own = Candidate::is_unconditional(&candidate.id) || candidate.id == "linear-gaussian";
            assert_eq!(told, !own, "{}: {}", candidate.id, candidate.settings);
        }
    }
}

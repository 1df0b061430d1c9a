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

/// Processor time of these candidates with this folding.
fn seconds(table: &Table, folding: Folding, candidates: &[Candidate]) -> f64 {
    expected(&Problem { folding, ..problem(table, 0.9) }, candidates, false).seconds
}

fn names(plan: &Plan) -> Vec<String> {
    plan.candidates.iter().map(|one| one.id.to_string()).collect()
}

#[test]
fn a_budget_takes_the_first_methods_of_the_panel_that_fit() {
    let table = table(400, 8);
    let least = of(&table, 0.0);
    assert_eq!(
        names(&least),
        ["unconditional-gaussian", "unconditional-quantiles", "linear-gaussian"]
    );
    assert_eq!(least.candidates.len() + least.left_out.len(), PANEL.len());
    let most = of(&table, f64::INFINITY);
    assert_eq!((most.candidates.len(), most.left_out.len()), (PANEL.len(), 0));
    let of_plan = |plan: &Plan| seconds(&table, plan.folding, &plan.candidates);
    let some = of(&table, of_plan(&most) / 4.0);
    assert!(of_plan(&some) <= of_plan(&most) / 4.0);
    assert!(some.candidates.len() > 3 && !some.left_out.is_empty());
    // 50 rows leave 40: two for each of 20 coefficients, one of which is the intercept.
    for (columns, expected) in
        [(18, "linear-gaussian"), (19, "linear-gaussian"), (20, "ridge"), (200, "ridge")]
    {
        let table = self::table(50, columns);
        assert_eq!(names(&of(&table, 0.0))[2], expected, "{columns} columns");
        let most = names(&of(&table, f64::INFINITY));
        assert_eq!(
            (most.len(), &most[3][..]),
            (PANEL.len(), &format!("calibrated-{expected}")[..])
        );
    }
    let large = of(&self::table(2000, 8), f64::INFINITY);
    assert!(!names(&large).contains(&"calibrated-exact-gp".to_owned()), "made for small tables");
}

#[test]
fn a_cheaper_method_stands_in_for_one_of_the_panel_that_costs_too_much() {
    let table = table(400, 8);
    let problem = problem(&table, 0.9);
    let cost =
        |name: &str| seconds(&table, problem.folding, &candidates(&[name.to_owned()]).unwrap());
    let of = |budget: f64| affordable(&problem, &of_panel(&problem), true, budget).unwrap();
    let before = cost("calibrated-linear-gaussian") + cost("calibrated-boosting-quantiles");
    let forest = of(before + 1.1 * cost("calibrated-quantile-forest"));
    assert!(
        names(&forest).contains(&"calibrated-quantile-forest".to_owned()),
        "{:?}",
        names(&forest)
    );
    assert!(forest.left_out.iter().any(|of| of.method == "calibrated-quantile-forest-validated"));
    let boosted =
        of(cost("calibrated-linear-gaussian") + 1.1 * cost("calibrated-quick-boosting-quantiles"));
    assert!(
        names(&boosted).contains(&"calibrated-quick-boosting-quantiles".to_owned()),
        "{:?}",
        names(&boosted)
    );
    let all = of(f64::INFINITY);
    assert!(
        names(&all)
            .iter()
            .all(|name| !name.contains("quick") && name != "calibrated-quantile-forest")
    );
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
        assert_eq!(
            (all.folding, of(&table, 0.0).folding),
            (five(most), five(fewest)),
            "{rows} rows"
        );
        let enough = seconds(&table, five(fewest), &all.candidates) * 1.001;
        let less = of(&table, enough);
        assert_eq!((less.folding, less.left_out.len()), (five(fewest), 0), "{rows} rows");
    }
}

#[test]
fn a_positive_target_is_tried_with_a_positive_family_too() {
    let table = table(200, 2);
    let positive = Table { target: Array1::from_elem(200, 0.5), ..table.clone() };
    let count = |table: &Table| {
        names(&of(table, f64::INFINITY))
            .iter()
            .filter(|name| POSITIVE.contains(&name.as_str()))
            .count()
    };
    assert_eq!((count(&positive), count(&table)), (2, 0));
    let every = names(&plan(&problem(&positive, 0.9), &[ALL.to_owned()], f64::INFINITY).unwrap());
    let panel = names(&of(&positive, f64::INFINITY));
    assert!(panel.iter().all(|name| every.contains(name)), "all of them are no fewer: {every:?}");
    // It comes before a method of six times its cost, so that a budget does not leave it out
    // first.
    let wanted = of_panel(&problem(&positive, 0.9)).names;
    let place = |of: &str| wanted.iter().position(|name| name == of).unwrap();
    assert_eq!(place(POSITIVE[0]) + 1, place(AFTER_POSITIVE), "{wanted:?}");
    assert_eq!(place(POSITIVE[1]) + 1, wanted.len(), "{wanted:?}");
    let before: Vec<String> = wanted[..place(AFTER_POSITIVE)].to_vec();
    let enough = seconds(&positive, Folding::of(&positive), &candidates(&before).unwrap()) * 1.001;
    let some =
        affordable(&problem(&positive, 0.9), &of_panel(&problem(&positive, 0.9)), true, enough)
            .unwrap();
    assert!(names(&some).contains(&POSITIVE[0].to_owned()), "{:?}", names(&some));
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
    assert_eq!(
        found(&in_time(400, 8)),
        ["adaptive-linear-gaussian", "adaptive-boosting-quantiles"]
    );
    assert_eq!(all(&in_time(400, 8)).len(), PANEL.len() + IN_TIME.len());
    assert!(found(&table(400, 8)).is_empty(), "no times are stated");
    // 38 rows before the first block, of which 19 calibrate, or one less.
    assert_eq!((found(&in_time(76, 2)).len(), found(&in_time(74, 2)).len()), (2, 0));
    assert_eq!(found(&in_time(400, 200))[0], "adaptive-ridge");
    assert_eq!(
        stand_in("adaptive-boosting-quantiles").unwrap(),
        "adaptive-quick-boosting-quantiles"
    );
}

#[test]
fn named_methods_are_taken_as_far_as_the_budget_suffices() {
    let table = table(400, 8);
    let named: Vec<String> =
        ["quantile-forest", "linear-gaussian", "stack"].map(str::to_owned).to_vec();
    let chosen = |budget: f64| plan(&problem(&table, 0.9), &named, budget).unwrap();
    let all = chosen(f64::INFINITY);
    assert_eq!(names(&all)[2..], ["linear-gaussian", "quantile-forest", "stack"]);
    let five = Folding { folds: 5, repeats: 2 };
    let some = chosen(seconds(&table, five, &all.candidates[..4]) * 1.001);
    assert_eq!(names(&some)[2..], ["linear-gaussian", "quantile-forest"]);
    assert_eq!(some.left_out.iter().map(|of| of.method.as_str()).collect::<Vec<_>>(), ["stack"]);
    assert!(plan(&problem(&table, 0.9), &["forrest".to_owned()], 1.0).is_err());
}

#[test]
fn rows_that_are_too_few_to_calibrate_are_tried_without_and_the_settings_say_so() {
    // 24 training rows calibrate an interval of 90 %, which takes 19 of them, and not one of 95
    // %, which takes 39.
    let table = table(30, 2);
    assert!(names(&of(&table, f64::INFINITY)).contains(&"calibrated-ngboost".to_owned()));
    let wide = plan(&problem(&table, 0.95), &[], f64::INFINITY).unwrap();
    assert!(
        names(&wide).iter().all(|name| !name.starts_with(CALIBRATED) && name != "stack"),
        "{:?}",
        names(&wide)
    );
    assert_eq!(wide.candidates.len(), PANEL.len() - 1, "the linear method is there once");
    for candidate in &wide.candidates {
        let told = candidate.settings.ends_with(
            "; not calibrated, because its 95 % interval needs 39 training rows or more, and a \
             fold has 24",
        );
        let own = Candidate::is_unconditional(&candidate.id) || candidate.id == "linear-gaussian";
        assert_eq!(told, !own, "{}: {}", candidate.id, candidate.settings);
    }
}

use super::super::fixtures::{Fixture, with_outlier};
use super::*;
use ndarray::{Array2, array};

const FIXTURE: Fixture = Fixture("combined");

/// Few iterations, with a larger step of the variance.
fn settings(iterations: usize) -> CombinedParameters {
    CombinedParameters {
        iterations,
        variance_rate: 0.003,
        hidden: 20,
        ..CombinedParameters::default()
    }
}

/// y = 20 + 3 x + N(0, (0.5 + 0.25 x²)²) for x from −2 to 2, and an irrelevant column.
fn noisy_line(n: usize) -> Table {
    FIXTURE.noisy_line(n, |x| 0.5 + 0.25 * x * x)
}

#[test]
fn the_noises_standard_deviation_is_recovered_where_it_varies_and_the_prior_far_away() {
    let train = noisy_line(4000);
    let fitted = FIXTURE.fit(Combined::new(settings(8000)), &train).unwrap();
    let at =
        Array2::from_shape_fn((7, 2), |(i, j)| if j == 0 { 0.5 * i as f64 - 1.5 } else { 5.0 });
    let predictive = FIXTURE.predict(&*fitted, at.view());
    let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
    for (i, x) in at.column(0).iter().enumerate() {
        let (mean, sd) = (20.0 + 3.0 * x, 0.5 + 0.25 * x * x);
        // Batches of 20 rows give a noisier variance than shuffled ones of hundreds.
        assert!(
            (variances[i].sqrt() / sd - 1.0).abs() < 0.25,
            "x {x}: sd {} against {sd}",
            variances[i].sqrt()
        );
        assert!((means[i] - mean).abs() < 0.5 * sd, "x {x}: mean {} against {mean}", means[i]);
    }
    assert_eq!(predictive.split, None);
    let mean = train.target.mean().unwrap();
    let prior = train.target.mapv(|y| (y - mean).powi(2)).mean().unwrap();
    let far = FIXTURE.predict(&*fitted, array![[1e5, 5.0], [-1e5, 5.0]].view());
    for variance in far.variances().unwrap() {
        assert!((variance / prior - 1.0).abs() < 1e-6, "far away {variance} against {prior}");
    }
    let side_tables = fitted.side_tables();
    let names: Vec<&str> = side_tables.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["warm-up", "alternation", "extrapolation"]);
    let losses = side_tables[1].column("validation_loss").unwrap();
    assert_eq!(losses.len(), 41, "every hundredth of 4000 iterations, and the start");
    let kept = side_tables[1].column("kept").unwrap().iter().position(|k| *k == 1.0).unwrap();
    assert!(losses.iter().all(|loss| *loss >= losses[kept]) && losses[kept] < losses[0]);
}

#[test]
fn the_same_seed_gives_the_same_bytes_in_any_unit() {
    let table = noisy_line(60);
    let first = FIXTURE.answer(Combined::new(settings(40)), &table, table.features.view());
    assert_eq!(FIXTURE.answer(Combined::new(settings(40)), &table, table.features.view()), first);
    // A power of two scales without rounding.
    let scaled = Table { target: &table.target * 1024.0, ..table.clone() };
    let found = FIXTURE.answer(Combined::new(settings(40)), &scaled, table.features.view());
    for (a, b) in found.variances().unwrap().iter().zip(first.variances().unwrap()) {
        assert!((a / b / 1024.0_f64.powi(2) - 1.0).abs() < 1e-9);
    }
}

#[test]
fn settings_of_the_turns_share_what_comes_before_and_give_the_fits_of_each_alone() {
    let table = noisy_line(60);
    let of = |turn_rate| CombinedParameters { turn_rate, ..settings(240) };
    let all = [of(1e-2), of(1e-3), CombinedParameters { variance_rate: 1e-4, ..of(1e-3) }];
    let together = CombinedParameters::fit_settings(&all, &table, &FIXTURE.context()).unwrap();
    assert_eq!(together.len(), 3);
    for (p, fitted) in all.iter().zip(together) {
        let (fitted, alone) = (fitted.unwrap(), FIXTURE.fit(Combined::new(*p), &table).unwrap());
        let at = table.features.view();
        assert_eq!(FIXTURE.predict(&*fitted, at), FIXTURE.predict(&*alone, at));
        assert_eq!(fitted.side_tables(), alone.side_tables());
    }
    let other_start = [of(1e-2), CombinedParameters { hidden: 10, ..of(1e-3) }];
    assert!(CombinedParameters::fit_settings(&other_start, &table, &FIXTURE.context()).is_none());
}

#[test]
fn all_iterations_may_be_of_one_kind_and_nothing_held_out() {
    let table = noisy_line(60);
    for (warm_up, names) in [
        (0.0, vec!["alternation", "extrapolation"]),
        (1.0, vec!["warm-up", "alternation", "extrapolation"]),
    ] {
        let parameters = CombinedParameters { warm_up, validation: 0.0, ..settings(50) };
        let fitted = FIXTURE.fit(Combined::new(parameters), &table).unwrap();
        let side_tables = fitted.side_tables();
        assert_eq!(side_tables.iter().map(|a| a.name.as_str()).collect::<Vec<_>>(), names);
        let alternation = &side_tables[names.len() - 2];
        assert_eq!(alternation.column("validation_loss"), None);
        assert_eq!(
            alternation.column("kept").unwrap().last(),
            Some(&1.0),
            "the last parameters are kept"
        );
        assert!(
            FIXTURE
                .predict(&*fitted, table.features.view())
                .variances()
                .unwrap()
                .iter()
                .all(|v| *v > 0.0)
        );
    }
}

#[test]
fn difficult_tables_train_or_give_a_reason() {
    let at = array![[0.5, 5.0]];
    for rows in [2, 10] {
        let found = FIXTURE.answer(Combined::new(settings(60)), &noisy_line(rows), at.view());
        assert!(found.means().unwrap()[0].is_finite(), "{rows} rows");
    }
    let outlier = with_outlier(noisy_line(50));
    assert!(
        FIXTURE.answer(Combined::new(settings(60)), &outlier, at.view()).variances().unwrap()[0]
            > 0.0
    );
    FIXTURE.assert_needs_no_varying_feature(Combined::new(settings(200)));
    FIXTURE.assert_needs_a_varying_target(Combined::new(settings(1)));
    let missing = Table::unnamed(array![[1.0], [f64::NAN], [3.0]], array![4.0, 5.0, 4.0]);
    FIXTURE.assert_refuses(Combined::new(settings(1)), &missing, "training row 1, feature 0");
}

#[test]
fn faults_are_named() {
    let error = |parameters| Combined::new(parameters).unwrap_err().to_string();
    let found = error(CombinedParameters { hidden: 0, ..settings(1) });
    assert_eq!(found, "parameter `hidden` is 0, expected a whole number from 1 to 10000");
    let found = error(CombinedParameters { turn_rate: -0.1, ..settings(1) });
    assert_eq!(found, "parameter `turn_rate` is -0.1, expected a number from 0 to 1");
    let found = error(CombinedParameters { variance_rate: f64::NAN, ..settings(1) });
    assert_eq!(found, "parameter `variance_rate` is NaN, expected a number above 0, at most 1");
    let units = LocalityUnits { primary: 101, secondary: 1, neighbours: 1 };
    let found = error(CombinedParameters { mean_units: units, ..settings(1) });
    assert_eq!(
        found,
        "parameter `mean_units.primary` is 101, expected a whole number from 1 to 100"
    );
    let fitted = FIXTURE.fit(Combined::new(settings(1)), &noisy_line(10)).unwrap();
    FIXTURE.assert_refuses_other_questions(&*fitted, 2);
}

#[test]
fn golden_fit_guards_the_version() {
    let golden = [
        -1.061_838_672_482_091_2,
        1.489_230_190_880_862_3,
        10.678_961_098_251_541,
        8.565_771_596_691_581,
    ];
    FIXTURE.assert_golden(Combined::new(settings(40)), golden, 1e-8);
}

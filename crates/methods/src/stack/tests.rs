use super::*;
use crate::anchors::{LinearGaussian, UnconditionalGaussian, UnconditionalQuantiles};
use crate::polynomial::Polynomial;
use crate::side_tables::Pool;
use crate::{Reading, Request, registry};
use ndarray::{Array1, array};
use rand::RngExt;
use uq_core::math::random::Streams;
use uq_core::predictive::{Bounds, Predictive, Side};
use uq_math::normal_draws::fill_standard_normal;

fn context(index: u64) -> Context {
    Context::new(Streams::new(index, "stack"))
}

fn method(id: &str) -> Box<dyn Method> {
    registry::build(id, &Value::Null).unwrap()
}

fn stack(parameters: StackParameters, ids: &[&str]) -> Stack {
    Stack::new(parameters, ids.iter().map(|id| method(id)).collect()).unwrap()
}

/// A line with normal noise.
fn line(rows: usize, index: u64) -> Table {
    let mut rng = context(index).stream("data", 0);
    let features = Array2::from_shape_simple_fn((rows, 1), || rng.random::<f64>());
    let mut target = vec![0.0; rows];
    fill_standard_normal(&mut target, &mut rng);
    target.iter_mut().zip(features.column(0)).for_each(|(y, x)| *y = 3.0 * x + 0.2 * *y);
    Table::unnamed(features, Array1::from(target))
}

/// Only noise: no member can predict anything.
fn noise(rows: usize, index: u64) -> Table {
    let mut rng = context(index).stream("noise", 0);
    let (mut features, mut target) = (vec![0.0; 3 * rows], vec![0.0; rows]);
    fill_standard_normal(&mut features, &mut rng);
    fill_standard_normal(&mut target, &mut rng);
    Table::unnamed(Array2::from_shape_vec((rows, 3), features).unwrap(), Array1::from(target))
}

fn predict(
    method: &dyn Method,
    train: &Table,
    at: &Table,
    levels: &[f64],
) -> Result<Predictive, FitError> {
    let fitted = method.fit(train, &context(1))?;
    let request = Request { quantile_levels: levels.to_vec(), ..Request::default() };
    let predictive = fitted.predict(&Reading::MAIN, at.features.view(), &request, &context(1))?;
    assert_eq!(predictive.validate(), Ok(()));
    Ok(predictive)
}

fn pool(method: &dyn Method, train: &Table) -> Pool {
    let fitted = method.fit(train, &context(1)).unwrap();
    fitted.side_tables().iter().find_map(Pool::from_table).unwrap()
}

fn crps(predictive: &Predictive, at: &Table) -> f64 {
    let of_row = |i: usize| predictive.distribution().crps(i, at.target[i]).unwrap();
    (0..at.rows()).map(of_row).sum::<f64>() / at.rows() as f64
}

#[test]
fn the_member_that_predicts_gets_the_weight() {
    let many = StackParameters { equal_below: 0, ..StackParameters::default() };
    let found = pool(&stack(many, &["unconditional-gaussian", "linear-gaussian"]), &line(400, 3));
    assert_eq!(found.member, [0.0, 1.0]);
    assert!(found.weight[1] > 0.97, "{found:?}");
    assert!((found.weight.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // The CRPS of normal noise of deviation 0.2 is 0.2/√π = 0.113.
    assert!((found.crps[1] - 0.2 / std::f64::consts::PI.sqrt()).abs() < 0.012, "{found:?}");
    // Few rows: equal weights.
    let few = stack(StackParameters::default(), &["unconditional-gaussian", "linear-gaussian"]);
    assert_eq!(pool(&few, &line(300, 3)).weight, [0.5, 0.5]);
    let half = pool(&few, &line(600, 3)).weight;
    assert!(half[1] > 0.73 && half[1] < 0.76, "{half:?}");
}

/// A forest follows the curve, a linear model the slope: the pool is better than both.
#[test]
fn members_that_err_in_different_places_are_better_together() {
    let mut rng = context(5).stream("data", 0);
    let features = Array2::from_shape_simple_fn((900, 2), || rng.random::<f64>());
    let target = features
        .rows()
        .into_iter()
        .map(|x| 0.3 * (6.0 * x[0]).sin() + 3.0 * x[1] + 0.1 * rng.random::<f64>());
    let table = Table::unnamed(features.clone(), target.collect());
    let (train, test) = (
        table.select(&(0..600).collect::<Vec<_>>()),
        table.select(&(600..900).collect::<Vec<_>>()),
    );
    let ids = ["linear-gaussian", "quantile-forest"];
    let parameters = StackParameters { equal_below: 0, ..StackParameters::default() };
    let pooled = predict(&stack(parameters, &ids), &train, &test, &[0.05, 0.95]).unwrap();
    for id in ids {
        let alone =
            predict(&*method(id), &train, &test, &levels::with_grid(ID, &[]).unwrap()).unwrap();
        assert!(crps(&pooled, &test) < crps(&alone, &test), "{id}");
    }
}

/// The mean over the fits without a fold is smoother than the fit of all rows, and covers more.
#[test]
fn members_may_predict_by_the_fits_without_a_fold() {
    let (train, test) = (line(400, 7), line(2000, 8));
    let covered = |refit: bool| {
        let parameters = StackParameters { refit, ..StackParameters::default() };
        let tree = registry::build("tree", &json!({ "min_leaf": 3 })).unwrap();
        let found =
            predict(&Stack::new(parameters, vec![tree]).unwrap(), &train, &test, &[0.05, 0.95])
                .unwrap();
        let holds = |i: &usize| {
            let (low, high) = found.interval(*i, 0.9).unwrap();
            (low..=high).contains(&test.target[*i])
        };
        ((0..test.rows()).filter(holds).count() as f64 / test.rows() as f64, crps(&found, &test))
    };
    let ((all, of_all), (folds, of_folds)) = (covered(true), covered(false));
    assert!(folds > all && of_folds < of_all, "{all} {folds} {of_all} {of_folds}");
}

/// Two members that promise far too much: calibration mends the intervals, and the raw pool covers
/// too few rows.
#[test]
fn calibration_keeps_what_the_members_do_not() {
    let (train, test) = (line(800, 7), line(2000, 8));
    let overfitted = || -> Vec<Box<dyn Method>> {
        let tree = json!({ "min_leaf": 3 });
        vec![
            registry::build("tree", &tree).unwrap(),
            registry::build("tree", &json!({ "max_depth": 12 })).unwrap(),
        ]
    };
    let covered = |calibrated: bool| {
        let parameters = StackParameters { calibrated, ..StackParameters::default() };
        let found =
            predict(&Stack::new(parameters, overfitted()).unwrap(), &train, &test, &[0.05, 0.95])
                .unwrap();
        let holds = |i: &usize| {
            let (low, high) = found.interval(*i, 0.9).unwrap();
            (low..=high).contains(&test.target[*i])
        };
        (0..test.rows()).filter(holds).count() as f64 / test.rows() as f64
    };
    let (with, without) = (covered(true), covered(false));
    // Standard errors of 800 calibration rows and of 2000 test rows: 0.011 and 0.007.
    assert!((with - 0.9).abs() < 0.04, "{with}");
    assert!(without < 0.8, "{without}");
}

/// A line whose noise has the deviation 2 in every eighth row and 0.2 in the others; the second
/// feature says which.
fn two_kinds(rows: usize, index: u64) -> Table {
    let plain = line(rows, index);
    let noisy = |row: usize| row.is_multiple_of(8);
    let features = Array2::from_shape_fn((rows, 2), |(i, j)| {
        if j == 0 { plain.features[(i, 0)] } else { f64::from(noisy(i)) }
    });
    let truth = |row: usize| 3.0 * plain.features[(row, 0)];
    let target = (0..rows)
        .map(|i| truth(i) + if noisy(i) { 10.0 } else { 1.0 } * (plain.target[i] - truth(i)));
    Table::unnamed(features, target.collect())
}

/// Where nothing else sees that the noise differs, each group is covered as stated by errors of its
/// own alone. A group with fewer than 20 rows has those of all rows, and so has one that no
/// training row is of.
#[test]
fn groups_are_calibrated_apart() {
    let (train, mut test) = (two_kinds(800, 7), two_kinds(4000, 8));
    let of = |groups: &[usize], train: &Table, test: &Table| {
        let stack = stack(
            StackParameters { groups: groups.to_vec(), ..StackParameters::default() },
            &["linear-gaussian"],
        );
        predict(&stack, train, test, &[0.05, 0.95]).unwrap()
    };
    let covered = |found: &Predictive, test: &Table, noisy: f64| {
        let rows: Vec<usize> =
            (0..test.rows()).filter(|&i| test.features[(i, 1)] == noisy).collect();
        let holds = |i: &&usize| {
            let (low, high) = found.interval(**i, 0.9).unwrap();
            (low..=high).contains(&test.target[**i])
        };
        rows.iter().filter(holds).count() as f64 / rows.len() as f64
    };
    let (all, apart) = (of(&[], &train, &test), of(&[1], &train, &test));
    assert!(covered(&all, &test, 1.0) < 0.6 && covered(&all, &test, 0.0) > 0.92);
    // Standard errors of 100 and 700 calibrating rows, and of 500 and 3500 test rows.
    assert!((covered(&apart, &test, 1.0) - 0.9).abs() < 0.1, "{}", covered(&apart, &test, 1.0));
    assert!((covered(&apart, &test, 0.0) - 0.9).abs() < 0.035, "{}", covered(&apart, &test, 0.0));
    // 152 rows have 19 of the noisy ones, and 160 have 20.
    let few = train.select(&(0..152).collect::<Vec<_>>());
    let noisy: Vec<usize> = (0..80).step_by(8).collect();
    let at = test.select(&noisy);
    assert_eq!(of(&[1], &few, &at), of(&[], &few, &at));
    let enough = train.select(&(0..160).collect::<Vec<_>>());
    assert_ne!(of(&[1], &enough, &at), of(&[], &enough, &at));
    // 20 rows do not reach the levels 0.005 and 0.995: those are of all rows.
    assert_eq!(
        of(&[1], &enough, &at).interval(0, 0.99).is_some(),
        of(&[], &enough, &at).interval(0, 0.99).is_some()
    );
    test.features.column_mut(1).fill(7.0);
    assert_eq!(of(&[1], &train, &test), of(&[], &train, &test), "no training row is of this group");
}

#[test]
fn groups_are_features_that_are_there_and_are_kept_with_the_fit() {
    let (train, test) = (two_kinds(200, 7), two_kinds(20, 8));
    let of = |groups: &[usize]| {
        stack(
            StackParameters { groups: groups.to_vec(), ..StackParameters::default() },
            &["linear-gaussian"],
        )
    };
    let error = of(&[2]).fit(&train, &context(1)).err().unwrap();
    assert!(
        error.to_string().contains("asked to group by feature 2 (from 0), found 2 features"),
        "{error}"
    );
    let grouped = of(&[1]);
    let fitted = grouped.fit(&train, &context(1)).unwrap();
    let restored = grouped.restore(&fitted.state().unwrap()).unwrap();
    let request = Request { quantile_levels: vec![0.05, 0.95], ..Request::default() };
    let answer = |fitted: &dyn Fitted| {
        fitted.predict(&Reading::MAIN, test.features.view(), &request, &context(1)).unwrap()
    };
    assert_eq!(answer(&*restored), answer(&*fitted));
    assert_eq!(grouped.parameters()["groups"], json!([1]));
    assert_eq!(of(&[]).parameters().get("groups"), None, "keys of trials without groups stay");
}

/// The coverage that outer folds estimate is that on fresh rows, though five members of noise were
/// weighed: on average over 100 tables within 1.5 points.
#[test]
fn the_estimated_coverage_is_the_true_one_with_members_of_noise() {
    let members = || -> Vec<Box<dyn Method>> {
        let polynomial =
            |degree: usize| registry::build("polynomial", &json!({ "degree": degree })).unwrap();
        let linear: Box<dyn Method> = Box::new(LinearGaussian::default());
        let gaussian: Box<dyn Method> = Box::new(UnconditionalGaussian::default());
        let quantiles: Box<dyn Method> = Box::new(UnconditionalQuantiles::default());
        vec![
            gaussian,
            quantiles,
            linear,
            polynomial(2),
            registry::build("tree", &json!({ "min_leaf": 10 })).unwrap(),
        ]
    };
    let parameters = StackParameters { equal_below: 50, ..StackParameters::default() };
    let stack = Stack::new(parameters, members()).unwrap();
    let fresh = noise(1000, 10_000);
    let count = |found: &Predictive, of: &Table| {
        let holds = |i: &usize| {
            let (low, high) = found.interval(*i, 0.9).unwrap();
            (low..=high).contains(&of.target[*i])
        };
        (0..of.rows()).filter(holds).count() as f64
    };
    let (mut estimated, mut kept, tables) = (0.0, 0.0, 100);
    for index in 0..tables {
        let table = noise(200, index);
        for fold in 0..5 {
            let (held_out, rest): (Vec<usize>, Vec<usize>) =
                (0..200).partition(|row| row % 5 == fold);
            let test = table.select(&held_out);
            estimated +=
                count(&predict(&stack, &table.select(&rest), &test, &[0.05, 0.95]).unwrap(), &test);
        }
        kept += count(&predict(&stack, &table, &fresh, &[0.05, 0.95]).unwrap(), &fresh);
    }
    let (estimated, kept) = (estimated / (200.0 * tables as f64), kept / (1000.0 * tables as f64));
    assert!((estimated - kept).abs() < 0.015, "estimated {estimated}, kept {kept}");
    assert!((kept - 0.9).abs() < 0.015, "{kept}");
}

#[test]
fn a_member_that_cannot_be_fitted_is_left_out_and_named() {
    let failing =
        |behaviour: &str| registry::build("mock", &json!({ "behaviour": behaviour })).unwrap();
    let members =
        vec![failing("unsupported"), failing("diverge"), failing("nan"), method("linear-gaussian")];
    let found = pool(&Stack::new(StackParameters::default(), members).unwrap(), &line(100, 3));
    assert_eq!((found.member, found.weight), (vec![3.0], vec![1.0]));
    let none =
        Stack::new(StackParameters::default(), vec![failing("diverge"), failing("nan")]).unwrap();
    let error = none.fit(&line(100, 3), &context(1)).err().unwrap();
    assert!(matches!(error, FitError::Diverged(_)), "{error}");
}

#[test]
fn few_rows_and_constant_targets_have_an_answer_or_an_error() {
    let stack = stack(StackParameters::default(), &["unconditional-quantiles", "linear-gaussian"]);
    let error = predict(&stack, &line(20, 3), &line(2, 4), &[0.025, 0.975]).unwrap_err();
    assert!(error.to_string().contains("20 calibration rows; expected at least 39"), "{error}");
    let error = predict(&stack, &line(1, 3), &line(2, 4), &[0.1, 0.9]).unwrap_err();
    assert!(error.to_string().contains("needs at least 2 training rows"), "{error}");
    assert!(predict(&stack, &line(30, 3), &line(2, 4), &[0.1, 0.9]).is_ok());
    let constant = Table::unnamed(
        Array2::from_shape_fn((40, 1), |(i, _)| i as f64),
        Array1::from_elem(40, 2.5),
    );
    let quantiles =
        Stack::new(StackParameters::default(), vec![method("unconditional-quantiles")]).unwrap();
    let found = predict(&quantiles, &constant, &constant.select(&[0]), &[0.1, 0.9]).unwrap();
    assert_eq!(found.interval(0, 0.8), Some((2.5, 2.5)));
    let mut holes = line(30, 3);
    holes.target[3] = f64::NAN;
    assert!(stack.fit(&holes, &context(1)).is_err());
}

/// At the fewest rows both ends are finite, with one row less neither is.
#[test]
fn the_fewest_rows_calibrate_a_level_and_one_less_does_not() {
    let stack = stack(StackParameters::default(), &["unconditional-quantiles"]);
    for level in [0.05, 0.1, 0.025, 0.07] {
        let rows = Stack::fewest_rows(level);
        for level in [level, 1.0 - level] {
            assert!(predict(&stack, &line(rows, 3), &line(2, 4), &[level]).is_ok(), "{level}");
            assert!(predict(&stack, &line(rows - 1, 3), &line(2, 4), &[level]).is_err(), "{level}");
        }
    }
}

#[test]
fn it_is_built_from_a_list_and_told_whole() {
    let given = json!({ "methods": [{ "id": "linear-gaussian" }, { "id": "polynomial", "parameters": { "degree": 2 } }] });
    let built = registry::build("stack", &given).unwrap();
    let told = built.parameters();
    assert_eq!(told["methods"][1]["parameters"]["degree"], 2);
    assert_eq!(told["equal_below"], 300);
    assert_eq!(registry::build("stack", &told).unwrap().parameters(), told);
    for (given, expected) in [
        (json!({}), "methods: invalid type: null"),
        (json!({ "methods": [] }), "parameter `methods` is [], expected at least one method"),
        (json!({ "methods": [{ "id": "linear-gaussian", "version": 99 }] }), "has version"),
        (json!({ "methods": [{ "id": "linear-gaussian" }], "folds": 1 }), "folds"),
    ] {
        let error = registry::build("stack", &given).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_unasked_levels_change_nothing() {
    let (train, test) = (line(120, 3), line(5, 4));
    let stack = stack(StackParameters::default(), &["quantile-forest", "linear-gaussian"]);
    let first = predict(&stack, &train, &test, &[0.05, 0.95]).unwrap();
    assert_eq!(predict(&stack, &train, &test, &[0.05, 0.95]).unwrap(), first);
    let more = predict(&stack, &train, &test, &[0.05, 0.1, 0.37, 0.95]).unwrap();
    for i in 0..5 {
        assert_eq!(more.interval(i, 0.9).map(|(low, _)| low < test.target[i] + 9.0), Some(true));
        let (a, b) = (first.interval(i, 0.9).unwrap(), more.interval(i, 0.9).unwrap());
        assert!((a.0 - b.0).abs() < 0.1 && (a.1 - b.1).abs() < 0.1, "{a:?} {b:?}");
    }
    let unused = array![[0.5]];
    let fitted = stack.fit(&train, &context(1)).unwrap();
    assert!(
        fitted
            .predict(&Reading::new("x"), unused.view(), &Request::default(), &context(1))
            .is_err()
    );
}

#[test]
fn an_impossible_form_is_refused() {
    assert!(Stack::new(StackParameters::default(), Vec::new()).is_err());
    let one: Vec<Box<dyn Method>> = vec![Box::new(Polynomial::new(Default::default()).unwrap())];
    assert!(
        Stack::new(StackParameters { folds: Folds::Count(1), ..StackParameters::default() }, one)
            .is_err()
    );
}

/// Each of the 60 errors is compared at the quantile of the bound itself: a new row lies within the
/// bound with about 55/61, on either side of exponential noise, whose lower bound by a normal
/// distribution lies below every outcome. The bounds are five standard deviations of the binomial
/// of 800 draws, 8.5 each.
#[test]
fn one_bound_is_calibrated_at_its_own_quantile() {
    let skewed = |rows: usize, index: u64| {
        let mut rng = context(index).stream("skewed", 0);
        let features = Array2::from_shape_simple_fn((rows, 1), || rng.random::<f64>());
        let target =
            features.column(0).iter().map(|x| 3.0 * x - (1.0 - rng.random::<f64>()).ln()).collect();
        Table::unnamed(features, target)
    };
    let calibrated = stack(StackParameters::default(), &["linear-gaussian"]);
    let (mut covered, mut raw) = ([0, 0], [0, 0]);
    for index in 0..800 {
        let (train, new) = (skewed(60, 2 * index), skewed(1, 2 * index + 1));
        for (method, counts) in
            [(&calibrated as &dyn Method, &mut covered), (&LinearGaussian::default(), &mut raw)]
        {
            let found = predict(method, &train, &new, &[0.1, 0.9]).unwrap();
            for (count, side) in counts.iter_mut().zip([Side::Upper, Side::Lower]) {
                let (lower, upper) = Bounds { level: 0.9, side }.interval(&found, 0).unwrap();
                *count += u32::from(lower <= new.target[0] && new.target[0] <= upper);
            }
        }
    }
    assert!(covered.iter().all(|covered| (679..=764).contains(covered)), "{covered:?} of 800");
    assert!(raw[1] > 770, "{raw:?} of 800");
}

//! Ridge regression against closed forms, least squares and fits without each row.

use ndarray::{Axis, array, concatenate};
use rand::RngExt;

use super::*;
use crate::anchors::LinearGaussian;
use crate::golden::{assert_golden, first_and_last, golden_table};
use crate::{Method, Reading};
use uq_core::math::random::Streams;
use uq_core::math::special::normal_quantile;

fn context() -> Context {
    Context::new(Streams::new(1, ID))
}

fn ridge(penalty: Option<f64>) -> Ridge {
    Ridge::new(RidgeParameters { penalty }).unwrap()
}

fn predict(method: &dyn Method, train: &Table, at: ArrayView2<f64>) -> Predictive {
    method
        .fit(train, &context())
        .unwrap()
        .predict(&Reading::MAIN, at, &Request::default(), &context())
        .unwrap()
}

/// n rows of d standard normal features; the first four have slope 1, the noise has variance 1.
fn rows(n: usize, d: usize, index: u64) -> Table {
    let mut rng = context().stream("rows", index);
    let mut normal = || normal_quantile(rng.random_range(1e-12..1.0));
    let features = Array2::from_shape_simple_fn((n, d), &mut normal);
    let target = features
        .rows()
        .into_iter()
        .map(|x| 5.0 + x.iter().take(4).sum::<f64>() + normal())
        .collect();
    Table::unnamed(features, target)
}

/// Solves the normal equations (XᵀX + λI) β = Xᵀy by elimination, and returns the inverse beside β.
fn normal_equations(x: &Array2<f64>, y: &Array1<f64>, penalty: f64) -> (Array1<f64>, Array2<f64>) {
    let d = x.ncols();
    let mut left = x.t().dot(x) + penalty * &Array2::<f64>::eye(d);
    let mut inverse = Array2::<f64>::eye(d);
    for p in 0..d {
        let pivot = left[(p, p)];
        left.row_mut(p).mapv_inplace(|a| a / pivot);
        inverse.row_mut(p).mapv_inplace(|a| a / pivot);
        for i in (0..d).filter(|&i| i != p) {
            let factor = left[(i, p)];
            let (of_left, of_inverse) = (left.row(p).to_owned(), inverse.row(p).to_owned());
            left.row_mut(i).scaled_add(-factor, &of_left);
            inverse.row_mut(i).scaled_add(-factor, &of_inverse);
        }
    }
    (inverse.dot(&x.t().dot(y)), inverse)
}

fn close(found: &Array1<f64>, expected: &Array1<f64>, tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{a} against {b}");
    }
}

#[test]
fn one_feature_has_its_closed_form() {
    // x is standardised, and y is √5 times so: Σ xy = 8 and Σ x² = 4.
    let table = Table::unnamed(array![[-1.0], [-1.0], [1.0], [1.0]], array![-3.0, -1.0, 1.0, 3.0]);
    let found = predict(&ridge(Some(4.0)), &table, array![[2.0]].view());
    // Slope 8/(4 + 4) = 1; residuals −2, 0, 0, 2; tr H = 1 + 4/8; σ² = 8/2.5; variance σ² (1 + 1/4
    // + 2²/8).
    close(&found.means().unwrap(), &array![2.0], 1e-13);
    close(&found.variances().unwrap(), &array![3.2 * 1.75], 1e-13);
    let split = found.split.unwrap();
    close(&split.aleatoric.unwrap(), &array![3.2], 1e-13);
    close(&split.epistemic.unwrap(), &array![3.2 * 0.75], 1e-13);
}

#[test]
fn mean_and_variance_are_those_of_the_normal_equations_with_few_and_with_many_features() {
    for (n, d, penalty) in [(30, 5, 2.5), (12, 25, 4.0)] {
        let (train, test) = (rows(n, d, 1), rows(6, d, 2));
        let (scales, x, y) = standardise(ID, &train, &context()).unwrap();
        let y = y.column(0).to_owned();
        let (slopes, inverse) = normal_equations(&x, &y, penalty);
        let trace = 1.0 + (x.dot(&inverse).dot(&x.t())).diag().sum();
        let noise = (&y - &x.dot(&slopes)).mapv(|e| e * e).sum() / (n as f64 - trace);
        let new = scales.standardised(test.features.view());
        let leverage = |x: ndarray::ArrayView1<f64>| 1.0 + 1.0 / n as f64 + x.dot(&inverse.dot(&x));
        let (shift, scale) = (scales.target.shift, scales.target.scale);
        let found = predict(&ridge(Some(penalty)), &train, test.features.view());
        close(&found.means().unwrap(), &new.dot(&slopes).mapv(|mean| shift + scale * mean), 1e-10);
        let expected =
            new.rows().into_iter().map(|x| noise * leverage(x) * scale * scale).collect();
        close(&found.variances().unwrap(), &expected, 1e-10);
    }
}

#[test]
fn without_a_penalty_it_is_least_squares() {
    let (train, test) = (rows(40, 6, 3), rows(10, 6, 4));
    let found = predict(&ridge(Some(1e-9)), &train, test.features.view());
    let linear = predict(&LinearGaussian::default(), &train, test.features.view());
    close(&found.means().unwrap(), &linear.means().unwrap(), 1e-8);
    close(&found.variances().unwrap(), &linear.variances().unwrap(), 1e-8);
    // And with a large one it is the mean of the target.
    let found = predict(&ridge(Some(1e12)), &train, test.features.view());
    close(&found.means().unwrap(), &Array1::from_elem(10, train.target.mean().unwrap()), 1e-8);
    let variance = train.target.var(1.0) * (1.0 + 1.0 / 40.0);
    close(&found.variances().unwrap(), &Array1::from_elem(10, variance), 1e-8);
}

#[test]
fn the_closed_form_leaves_each_row_out() {
    for (n, d, penalty) in [(20, 3, 1.5), (10, 17, 0.3)] {
        let train = rows(n, d, 5);
        let (_, x, y) = standardise(ID, &train, &context()).unwrap();
        let y = y.column(0).to_owned();
        let without = |i: usize| {
            let others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
            let (x_others, y_others) = (x.select(Axis(0), &others), y.select(Axis(0), &others));
            // The intercept has no penalty: it centres the rows that are left.
            let (x_mean, y_mean) = (x_others.mean_axis(Axis(0)).unwrap(), y_others.mean().unwrap());
            let (slopes, _) =
                normal_equations(&(&x_others - &x_mean), &(&y_others - y_mean), penalty);
            y[i] - y_mean - (&x.row(i) - &x_mean).dot(&slopes)
        };
        let expected = (0..n).map(|i| without(i).powi(2)).sum::<f64>() / n as f64;
        let found = Rotated::of(x.view(), &y, &context()).unwrap().leave_one_out(penalty);
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} against {expected}");
    }
}

#[test]
fn the_penalty_of_the_smallest_error_is_chosen_and_kept_as_a_table() {
    let train = rows(60, 40, 6);
    let fitted = ridge(None).fit(&train, &context()).unwrap();
    let table = &fitted.side_tables()[0];
    let (penalties, errors, chosen) = (
        table.column("penalty").unwrap(),
        table.column("mean_squared_error").unwrap(),
        table.column("chosen").unwrap(),
    );
    assert_eq!((penalties.len(), chosen.iter().sum::<f64>()), (57, 1.0));
    let place = chosen.iter().position(|&chosen| chosen == 1.0).unwrap();
    assert!(errors.iter().all(|error| *error >= errors[place]));
    assert!(place > 0 && place < 56, "within the range: {}, {errors:?}", penalties[place]);
    let found = predict(&ridge(None), &train, train.features.view());
    assert_eq!(found, predict(&ridge(Some(penalties[place])), &train, train.features.view()));
    // Without a signal there is hardly a slope.
    let noise = Table { target: rows(60, 40, 7).features.column(5).to_owned(), ..train };
    let means = predict(&ridge(None), &noise, noise.features.view()).means().unwrap();
    assert!(means.std(0.0) < 0.5 * noise.target.std(0.0), "{means}");
}

/// More features than rows: the intervals cover what they say, and the errors are below those of
/// the target's mean.
#[test]
fn wide_tables_are_covered() {
    let (mut covered, mut squares, mut spread, fits) = (0, 0.0, 0.0, 30);
    for index in 0..fits {
        let (train, test) = (rows(50, 80, 100 + 2 * index), rows(100, 80, 101 + 2 * index));
        let found = predict(&ridge(None), &train, test.features.view());
        let means = found.means().unwrap();
        for i in 0..100 {
            let (lower, upper) = found.interval(i, 0.9).unwrap();
            covered += usize::from((lower..=upper).contains(&test.target[i]));
            squares += (test.target[i] - means[i]).powi(2);
            spread += (test.target[i] - 5.0).powi(2);
        }
    }
    let coverage = covered as f64 / (100 * fits) as f64;
    assert!((coverage - 0.9).abs() < 0.03, "{coverage}");
    assert!(squares < 0.85 * spread, "{squares} against {spread}");
}

#[test]
fn units_order_and_columns_that_say_nothing_change_nothing() {
    let (train, test) = (rows(25, 6, 8), rows(5, 6, 9));
    let reference = predict(&ridge(None), &train, test.features.view());
    let changed = |table: &Table| {
        let mut features = table.features.clone();
        // Powers of two scale without rounding.
        features.column_mut(2).mapv_inplace(|x| x * 2.0_f64.powi(30));
        features.invert_axis(Axis(1));
        concatenate![Axis(1), features, Array2::from_elem((table.rows(), 2), 7.25)]
    };
    let other = Table::unnamed(changed(&train), &train.target * 2.0_f64.powi(-20));
    let found =
        predict(&ridge(None), &other, changed(&test).view()).affine(0.0, 2.0_f64.powi(20)).unwrap();
    close(&found.means().unwrap(), &reference.means().unwrap(), 1e-10);
    close(&found.variances().unwrap(), &reference.variances().unwrap(), 1e-10);
}

#[test]
fn difficult_tables_have_a_valid_prediction_or_a_reason() {
    let sound = |table: &Table| {
        let found = predict(&ridge(None), table, table.features.view());
        assert_eq!(found.validate(), Ok(()));
        found
    };
    sound(&Table::unnamed(array![[0.0, 1.0, 5.0], [1.0, 0.0, 3.0]], array![1.0, 3.0]));
    let nothing = sound(&Table::unnamed(Array2::zeros((4, 3)), array![1.0, 2.0, 3.0, 6.0]));
    close(&nothing.means().unwrap(), &Array1::from_elem(4, 3.0), 1e-14);
    close(&nothing.variances().unwrap(), &Array1::from_elem(4, 14.0 / 3.0 * 1.25), 1e-13);
    sound(&Table::unnamed(Array2::zeros((4, 0)), array![1.0, 2.0, 3.0, 6.0]));
    let table = rows(30, 5, 10);
    sound(&Table {
        features: concatenate![Axis(1), table.features, table.features],
        ..table.clone()
    });
    // A line without noise.
    let line =
        Table::unnamed(table.features.clone(), table.features.column(1).mapv(|x| 2.0 * x + 1.0));
    let found = sound(&line);
    close(&found.means().unwrap(), &line.target, 1e-6);

    let refused = |table: &Table| match ridge(None).fit(table, &context()) {
        Err(FitError::Unsupported(why)) => why,
        other => panic!("{:?}", other.err()),
    };
    assert_eq!(refused(&table.select(&[3])), "ridge needs at least 2 training rows, found 1");
    let flat = Table { target: Array1::from_elem(30, 2.5), ..table.clone() };
    assert!(refused(&flat).contains("a target that varies, found 2.5"));
    let mut hole = table;
    hole.features[(3, 1)] = f64::NAN;
    assert!(refused(&hole).contains("found NaN in training row 3, feature 1"));
    let message = Ridge::new(RidgeParameters { penalty: Some(0.0) }).unwrap_err().to_string();
    assert!(message.starts_with("parameter `penalty` is 0"), "{message}");
}

#[test]
fn golden_fit_guards_the_version() {
    let table = golden_table();
    let found = first_and_last(&predict(&ridge(None), &table, table.features.view()));
    assert_eq!(ridge(None).version(), 1);
    assert_golden(
        found,
        [
            -0.474_129_890_657_264,
            1.169_004_136_503_081,
            0.192_166_616_764_074_8,
            0.184_193_827_026_150_2,
        ],
        1e-9,
    );
}

//! Scores against hand-computed values, and what holds for every metric on every form.

use ndarray::{Array1, Array2, array};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, prop_assume, proptest};

use super::*;
use crate::predictive::{
    Atoms, Exactness, Form, Gaussian, Mixture, Predictive, Quantiles, Samples, StudentT,
};

fn gaussian(mean: Array1<f64>, variance: Array1<f64>) -> Predictive {
    Predictive::new(Form::Gaussian(Gaussian { mean, variance }))
}

fn score(metric: &str, predictive: &Predictive, y: &Array1<f64>) -> Option<f64> {
    metric.parse::<MetricId>().unwrap().score(predictive, y.view(), &ScoreContext::default())
}

fn assert_score(metric: &str, predictive: &Predictive, y: &Array1<f64>, expected: f64) {
    let found = score(metric, predictive, y).unwrap();
    assert!(
        (found - expected).abs() < 1e-12 * (1.0 + expected.abs()),
        "{metric}: {found} against {expected}"
    );
}

#[test]
fn point_scores_are_hand_computed() {
    let (predictive, y) =
        (gaussian(array![1.0, 2.0, 3.0], array![1.0, 1.0, 1.0]), array![2.0, 2.0, 0.0]);
    assert_score("mse", &predictive, &y, 10.0 / 3.0);
    assert_score("rmse", &predictive, &y, (10.0_f64 / 3.0).sqrt());
    assert_score("mae", &predictive, &y, 4.0 / 3.0);
}

#[test]
fn probabilistic_scores_are_hand_computed() {
    let (predictive, y) = (gaussian(array![0.0, 1.0], array![1.0, 4.0]), array![0.0, 3.0]);
    let ln_2pi = (2.0 * std::f64::consts::PI).ln();
    assert_score(
        "log-likelihood",
        &predictive,
        &y,
        0.5 * (-0.5 * ln_2pi + (-0.5 * (ln_2pi + 4.0_f64.ln()) - 0.5)),
    );
    assert_score("nlpd", &predictive, &y, 0.5 * ln_2pi + 0.5 * (ln_2pi + 4.0_f64.ln()) + 0.5);
    // properscoring.crps_gaussian gives 0.2336949772551091 at (0; 0, 1) and 2 × 0.6024413576276163
    // at (1; 0, 1).
    assert_score(
        "crps",
        &predictive,
        &y,
        0.5 * (0.233_694_977_255_109_14 + 2.0 * 0.602_441_357_627_616_3),
    );
}

#[test]
fn interval_scores_are_hand_computed() {
    let levels = vec![0.05, 0.5, 0.95];
    let values = array![[0.0, 1.0, 2.0], [0.0, 1.0, 4.0], [0.0, 1.0, 3.0], [1.0, 1.0, 1.0]];
    let predictive = Predictive::new(Form::Quantiles(Quantiles { levels, values }));
    // Inside at the very end, below by 1, above by 2, inside a point.
    let y = array![2.0, -1.0, 5.0, 1.0];
    assert_score("picp(level=0.9)", &predictive, &y, 0.5);
    assert_score("mpiw(level=0.9)", &predictive, &y, 2.25);
    assert_score("interval-score(level=0.9)", &predictive, &y, 2.25 + 2.0 / 0.1 * 3.0 / 4.0);
    assert_eq!(score("picp(level=0.95)", &predictive, &y), None, "no quantile beyond the levels");
    let context = ScoreContext { target_range: Some((-5.0, 5.0)), ..ScoreContext::default() };
    let by_range = MpiwRange { level: 0.9 };
    assert_eq!(by_range.score(&predictive, y.view(), &context), Some(0.225));
    let constant = ScoreContext { target_range: Some((2.0, 2.0)), ..ScoreContext::default() };
    assert_eq!(by_range.score(&predictive, y.view(), &constant), None);
    assert_eq!(by_range.score(&predictive, y.view(), &ScoreContext::default()), None);
}

#[test]
fn sigma_coverage_counts_the_band_and_aims_at_the_normal_share() {
    let (predictive, y) =
        (gaussian(array![0.0, 0.0, 0.0], array![4.0, 4.0, 4.0]), array![2.0, -1.9, 2.1]);
    assert_score("sigma-coverage(k=1)", &predictive, &y, 2.0 / 3.0);
    let direction = SigmaCoverage { k: 1.0 }.direction();
    assert_eq!(
        [direction, Direction::Target(0.95)].map(|d| d.to_string()),
        ["near 0.683", "near 0.95"]
    );
    assert!(
        matches!(direction, Direction::Target(t) if (t - 0.682_689_492_137_085_9).abs() < 1e-14)
    );
    assert!(direction.prefers(0.7, 0.6) && !direction.prefers(0.6, 0.7));
    assert!(Direction::Higher.prefers(2.0, 1.0) && Direction::Lower.prefers(1.0, 2.0));
    assert!(!Direction::Lower.prefers(f64::NAN, 1.0));
}

#[test]
fn maximum_fold_loss_takes_the_worst_bin_of_the_sorted_targets() {
    let y = array![5.0, 1.0, 4.0, 2.0, 3.0];
    // Squared errors 0, 1, 4, 9, 16 in row order; by target: 1, 9, 16, 4, 0; bins [1, 9, 16] and
    // [4, 0].
    let predictive = gaussian(array![5.0, 2.0, 6.0, 5.0, 7.0], Array1::ones(5));
    assert_score("max-fold-mse(folds=2)", &predictive, &y, 26.0 / 3.0);
    assert_score("max-fold-mse(folds=1)", &predictive, &y, 6.0);
    assert_score("max-fold-mse(folds=100)", &predictive, &y, 16.0);
    // Equal targets keep the order of their rows.
    let ties = array![1.0, 1.0, 1.0, 1.0];
    assert_score(
        "max-fold-mse(folds=2)",
        &gaussian(array![3.0, 1.0, 1.0, 2.0], Array1::ones(4)),
        &ties,
        2.0,
    );
}

#[test]
fn times_and_memory_come_from_the_context() {
    let (predictive, y) = (gaussian(array![0.0], array![1.0]), array![0.0]);
    let context = ScoreContext {
        fit_seconds: Some(2.5),
        predict_seconds: Some(0.5),
        fit_cpu_seconds: Some(2.25),
        predict_cpu_seconds: Some(0.375),
        interval_cpu_seconds: Some(0.25),
        peak_memory: Some(3 << 19),
        ..ScoreContext::default()
    };
    assert_eq!(PeakMemory.score(&predictive, y.view(), &context), Some(1.5));
    assert_eq!(score("peak-memory", &predictive, &y), None);
    assert_eq!(FitSeconds.score(&predictive, y.view(), &context), Some(2.5));
    assert_eq!(PredictSeconds.score(&predictive, y.view(), &context), Some(0.5));
    assert_eq!(score("fit-seconds", &predictive, &y), None);
    assert_eq!(FitCpuSeconds.score(&predictive, y.view(), &context), Some(2.25));
    assert_eq!(PredictCpuSeconds.score(&predictive, y.view(), &context), Some(0.375));
    assert_eq!(IntervalCpuSeconds.score(&predictive, y.view(), &context), Some(0.25));
    assert_eq!(
        (score("fit-cpu-seconds", &predictive, &y), score("interval-cpu-seconds", &predictive, &y)),
        (None, None)
    );
}

#[test]
fn no_rows_and_nan_give_no_score() {
    let full = |rows: usize| ScoreContext {
        target_range: Some((0.0, 1.0)),
        target_resolution: Some(0.5),
        x: Some(Array1::range(0.0, rows as f64, 1.0)),
        facts: RowFacts {
            region: Some(Array1::zeros(rows)),
            noise: Some(Array1::ones(rows)),
            truth: Some(Array1::zeros(rows)),
            density: Some(Array1::ones(rows)),
        },
        ..ScoreContext::default()
    };
    let cases = [
        (gaussian(array![], array![]), array![]),
        (gaussian(array![0.0, 0.0], array![1.0, 1.0]), array![0.0, f64::NAN]),
        (gaussian(array![0.0, f64::NAN], array![1.0, 1.0]), array![0.0, 0.0]),
        (gaussian(array![0.0, 0.0], array![1.0, 1.0]), array![f64::INFINITY, 0.0]),
    ];
    for (predictive, y) in &cases {
        for metric in MetricId::all() {
            let found = metric.score(predictive, y.view(), &full(y.len()));
            assert_eq!(found, None, "{metric} of {y}");
        }
    }
    let point_mass = gaussian(array![1.0], array![0.0]);
    assert_eq!(score("log-likelihood", &point_mass, &array![1.0]), None);
    assert_eq!(score("picp", &point_mass, &array![1.0]), Some(1.0), "one row is enough");
}

/// Every form over three points.
fn forms(numbers: &[f64]) -> Vec<Form> {
    let values = Array2::from_shape_fn((3, 4), |(i, j)| numbers[4 * i + j]);
    let spread = values.mapv(|v| 0.1 + v * v);
    let weights = array![[0.1, 0.2, 0.3, 0.4]];
    let mut sorted = values.clone();
    for mut row in sorted.rows_mut() {
        let mut cells = row.to_vec();
        cells.sort_by(f64::total_cmp);
        row.assign(&Array1::from(cells));
    }
    let column = |matrix: &Array2<f64>| matrix.column(0).to_owned();
    vec![
        Form::Gaussian(Gaussian { mean: column(&values), variance: column(&spread) }),
        Form::StudentT(StudentT {
            location: column(&values),
            scale: column(&spread),
            degrees_of_freedom: array![2.5, 4.0, 30.0],
        }),
        Form::Mixture(Mixture {
            weights: weights.clone(),
            means: values.clone(),
            variances: spread,
        }),
        Form::Atoms(Atoms { values: values.clone(), weights }),
        Form::Samples(Samples { values }),
        Form::Quantiles(Quantiles { levels: vec![0.025, 0.2, 0.8, 0.975], values: sorted }),
    ]
}

/// The score in units y' = shift + scale·y of a score of `rows` rows in units y.
fn rescaled(metric: MetricId, score: f64, (shift, scale): (f64, f64), rows: usize) -> f64 {
    match (metric, metric.unit("u").as_str()) {
        (MetricId::Nlpd(_), _) => score + rows as f64 * scale.ln(),
        (MetricId::LogLikelihood(_), _) => score - scale.ln(),
        // The others in the target's unit are differences.
        (MetricId::BestValue(_), _) => shift + score * scale,
        (_, "u") => score * scale,
        (_, "u²") => score * scale.powi(2),
        _ => score,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_metric_of_every_form_follows_a_change_of_units_and_its_declared_exactness(
        numbers in proptest::collection::vec(-2.0..2.0_f64, 12),
        y in proptest::collection::vec(-3.0..3.0_f64, 3),
        shift in -10.0..10.0_f64,
        scale in 0.1..10.0_f64,
    ) {
        let y = Array1::from(y);
        // Where all outcomes are equal an error in units of their spread is not defined.
        prop_assume!(y.std(0.0) > 1e-3);
        let context = |shift: f64, scale: f64| ScoreContext {
            target_range: Some((shift - 4.0 * scale, shift + 4.0 * scale)),
            target_resolution: Some(1.5 * scale),
            peak_memory: Some(3 << 20),
            fit_seconds: Some(1.0),
            predict_seconds: Some(2.0),
            fit_cpu_seconds: Some(1.0),
            predict_cpu_seconds: Some(1.0),
            interval_cpu_seconds: Some(1.0),
            x: Some(array![-3.0, 0.5, 3.0]),
            facts: RowFacts {
                region: Some(array![1.0, 0.0, 1.0]),
                noise: Some(scale * array![0.5, 0.2, 0.7]),
                truth: Some(shift + scale * array![0.1, -0.4, 0.9]),
                density: Some(array![1.0, 3.0, 2.0]),
            },
        };
        for form in forms(&numbers) {
            let exact = Predictive::new(form);
            for before in [exact.summarised(y.view(), Some(1.5)), exact] {
                let after = before.affine(shift, scale).unwrap();
                let new_y = y.mapv(|y| shift + scale * y);
                for metric in MetricId::all() {
                    let old = metric.score(&before, y.view(), &context(0.0, 1.0));
                    prop_assert_eq!(
                        old.is_none(),
                        metric.properties().exactness(&before.form) == Exactness::Undefined,
                        "{}",
                        metric
                    );
                    let new = metric.score(&after, new_y.view(), &context(shift, scale));
                    prop_assert_eq!(new.is_some(), old.is_some(), "{}", metric);
                    if let (Some(old), Some(new)) = (old, new) {
                        let expected = rescaled(metric, old, (shift, scale), y.len());
                        // An outcome with probability zero has probability zero in other units.
                        if new == expected {
                            continue;
                        }
                        prop_assert!(
                            (new - expected).abs() < 1e-8 * (1.0 + expected.abs()),
                            "{}: {} {}",
                            metric,
                            new,
                            expected
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn skill_fits_the_direction_of_every_metric() {
    for metric in MetricId::all() {
        match metric.skill() {
            Some(SkillKind::Share) => assert_eq!(metric.direction(), Direction::Lower, "{metric}"),
            Some(SkillKind::Nats) => {
                assert_eq!(
                    (metric.direction(), metric.unit("m").as_str()),
                    (Direction::Higher, "nat"),
                    "{metric}"
                );
            }
            None => {}
        }
    }
}

#[test]
fn tolerances_are_those_of_the_rules_of_verdicts() {
    let of = |name: &str, printed| name.parse::<MetricId>().unwrap().tolerance(printed, 20.0);
    assert_eq!(of("rmse", 2.0), 0.2);
    assert!((of("max-fold-mse(folds=100)", 2.0) - 0.3).abs() < 1e-15);
    assert_eq!(of("log-likelihood", -2.0), 0.10);
    assert_eq!(of("nlpd", 5.21), 2.0, "a tenth of a nat for each of 20 rows");
    assert_eq!(of("picp(level=0.95)", 0.95), 0.02);
    assert_eq!(of("crps", 2.0), 0.2);
    assert_eq!(of("pinball(level=0.95)", 2.0), 0.2);
    assert_eq!(of("interval-score(level=0.95)", 20.0), 2.0);
    assert_eq!(of("pit-calibration", 2.0), 0.0, "the rules name no tolerance");
}

#[test]
fn two_metrics_are_made_of_log_densities() {
    let all = MetricId::all();
    let densities: Vec<&str> =
        all.iter().filter(|metric| metric.is_density()).map(|metric| metric.name()).collect();
    assert_eq!(densities, ["log-likelihood", "nlpd"]);
}

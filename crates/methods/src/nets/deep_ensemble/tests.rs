use super::super::fixtures::{Fixture, assert_keeps_what_a_file_leaves_out, with_outlier};
use super::super::{AdamSettings, MeanVariance, MeanVarianceParameters};
use super::*;
use crate::Method;
use ndarray::array;
use rand::RngExt;

const FIXTURE: Fixture = Fixture("deep-ensemble");

fn settings(members: usize, epochs: usize) -> DeepEnsembleParameters {
    let default = DeepEnsembleParameters::default();
    let adam = AdamSettings { learning_rate: 0.01, ..AdamSettings::default() };
    let training = TrainingSettings { epochs, batch: 32, adam, ..default.training };
    DeepEnsembleParameters { members, training, ..default }
}

/// y = x³ + N(0, 0.3²) for x from −2 to 2: the shape of the paper's toy.
fn cubic(n: usize) -> Table {
    FIXTURE.rows(n, 0, |x| x.powi(3), |_| 0.3)
}

#[test]
fn an_ensemble_of_one_is_the_mean_variance_network() {
    let table = cubic(60);
    let parameters = settings(1, 10);
    let alone = MeanVarianceParameters {
        training: parameters.training,
        ..MeanVarianceParameters::default()
    };
    let alone = MeanVariance::new(alone)
        .unwrap()
        .fit(&table, &FIXTURE.context().child("member", 0))
        .unwrap();
    let (alone, found) = (
        FIXTURE.predict(&*alone, table.features.view()),
        FIXTURE.answer(DeepEnsemble::new(parameters), &table, table.features.view()),
    );
    assert_eq!(found.means(), alone.means());
    assert_eq!(found.variances(), alone.variances());
    assert_eq!(found.split, alone.split);
    for (i, &y) in table.target.iter().enumerate() {
        let (found, alone) =
            (found.distribution().log_density(i, y), alone.distribution().log_density(i, y));
        assert!((found.unwrap() - alone.unwrap()).abs() < 1e-12);
    }
}

#[test]
fn the_normal_reading_has_the_moments_of_the_mixture_and_all_is_predicted_at_once() {
    let table = cubic(60);
    let method = DeepEnsemble::new(settings(3, 5)).unwrap();
    let fitted = method.fit(&table, &FIXTURE.context()).unwrap();
    let all = fitted
        .predict_all(
            &method.readings(),
            table.features.view(),
            &Request::default(),
            &FIXTURE.context(),
        )
        .unwrap();
    let (mixture, normal) = (&all[0], &all[1]);
    assert_eq!((normal.means(), normal.variances()), (mixture.means(), mixture.variances()));
    assert!(matches!((&mixture.form, &normal.form), (Form::Mixture(_), Form::Gaussian(_))));
    assert_eq!(normal.split, mixture.split);
    assert_eq!(*mixture, FIXTURE.predict(&*fitted, table.features.view()));
}

#[test]
fn moments_are_those_of_the_members_and_the_variance_is_the_sum_of_its_parts() {
    let table = cubic(60);
    let found = FIXTURE.answer(DeepEnsemble::new(settings(3, 10)), &table, table.features.view());
    let alone = MeanVarianceParameters {
        training: settings(3, 10).training,
        ..MeanVarianceParameters::default()
    };
    let alone = MeanVariance::new(alone).unwrap();
    let members: Vec<Predictive> = (0..3)
        .map(|m| {
            FIXTURE.predict(
                &*alone.fit(&table, &FIXTURE.context().child("member", m)).unwrap(),
                table.features.view(),
            )
        })
        .collect();
    let split = found.split.clone().unwrap();
    let (aleatoric, epistemic) = (split.aleatoric.unwrap(), split.epistemic.unwrap());
    for i in 0..60 {
        let moments = |m: &Predictive| {
            (m.distribution().mean(i).unwrap(), m.distribution().variance(i).unwrap())
        };
        let [a, b, c] = [0, 1, 2].map(|m| moments(&members[m]));
        let mean = (a.0 + b.0 + c.0) / 3.0;
        // The paper's σ*², in its own form.
        let variance = (a.1 + a.0 * a.0 + b.1 + b.0 * b.0 + c.1 + c.0 * c.0) / 3.0 - mean * mean;
        assert!((found.distribution().mean(i).unwrap() - mean).abs() < 1e-12);
        assert!((found.distribution().variance(i).unwrap() / variance - 1.0).abs() < 1e-9);
        assert!((aleatoric[i] / ((a.1 + b.1 + c.1) / 3.0) - 1.0).abs() < 1e-12);
        assert!(((aleatoric[i] + epistemic[i]) / variance - 1.0).abs() < 1e-9);
        assert!(epistemic[i] > 0.0, "members differ");
    }
}

#[test]
fn epistemic_variance_grows_away_from_the_data() {
    let fitted = FIXTURE.fit(DeepEnsemble::new(settings(5, 100)), &cubic(200)).unwrap();
    let epistemic = |from: f64, to: f64| {
        let at = Array2::from_shape_fn((20, 1), |(i, _)| from + (to - from) * i as f64 / 19.0);
        FIXTURE.predict(&*fitted, at.view()).split.unwrap().epistemic.unwrap().mean().unwrap()
    };
    let (inside, left, right) = (epistemic(-1.5, 1.5), epistemic(-6.0, -4.0), epistemic(4.0, 6.0));
    assert!(left > 20.0 * inside && right > 20.0 * inside, "{left} and {right} against {inside}");
}

#[test]
fn adversarial_training_flattens_the_function() {
    // The loss at moved rows is larger where the slope is: with the same start and batches the fit
    // has a smaller slope.
    let mut rng = FIXTURE.context().stream("rows", 1);
    let features = Array2::from_shape_simple_fn((40, 4), || rng.random_range(-1.0..1.0));
    let target = Array1::from_shape_simple_fn(40, || rng.random_range(-1.0..1.0));
    let noise = Table::unnamed(features, target);
    let roughness = |adversarial: bool| {
        let predictive = FIXTURE.answer(
            DeepEnsemble::new(DeepEnsembleParameters { adversarial, ..settings(1, 150) }),
            &noise,
            noise.features.view(),
        );
        let moved = &noise.features + 0.05;
        let other = FIXTURE.answer(
            DeepEnsemble::new(DeepEnsembleParameters { adversarial, ..settings(1, 150) }),
            &noise,
            moved.view(),
        );
        (predictive.means().unwrap() - other.means().unwrap()).mapv(|d| d * d).sum()
    };
    let (without, with) = (roughness(false), roughness(true));
    assert!(with < without, "{with} against {without}");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let table = cubic(40);
    let parameters = DeepEnsembleParameters { adversarial: true, ..settings(2, 3) };
    let first = FIXTURE.answer(DeepEnsemble::new(parameters), &table, table.features.view());
    assert_eq!(FIXTURE.answer(DeepEnsemble::new(parameters), &table, table.features.view()), first);
    let some = FIXTURE.answer(
        DeepEnsemble::new(parameters),
        &table,
        table.features.select(Axis(0), &[7]).view(),
    );
    assert!(
        (some.means().unwrap()[0] / first.means().unwrap()[7] - 1.0).abs() < 1e-12,
        "rows are predicted independently"
    );
}

#[test]
fn difficult_tables_train_or_give_a_reason() {
    for learning_rate in [0.01, 0.1] {
        let mut parameters = settings(2, 20);
        parameters.training.adam.learning_rate = learning_rate;
        let ten = FIXTURE.answer(DeepEnsemble::new(parameters), &cubic(10), array![[0.5]].view());
        assert!(ten.means().unwrap()[0].is_finite());
        let outlier = with_outlier(cubic(50));
        assert!(
            FIXTURE
                .answer(DeepEnsemble::new(parameters), &outlier, array![[0.5]].view())
                .variances()
                .unwrap()[0]
                > 0.0
        );
    }
    FIXTURE.assert_needs_a_varying_target(DeepEnsemble::new(settings(2, 1)));
    let mut missing = cubic(10);
    missing.features[(3, 0)] = f64::NAN;
    FIXTURE.assert_refuses(
        DeepEnsemble::new(settings(2, 1)),
        &missing,
        "training row 3, feature 0",
    );
}

#[test]
fn a_file_names_only_the_settings_that_it_changes() {
    assert_keeps_what_a_file_leaves_out(|parameters: &mut DeepEnsembleParameters| {
        &mut parameters.training
    });
}

#[test]
fn faults_are_named() {
    let error = DeepEnsemble::new(settings(0, 1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameter `members` is 0, expected a whole number from 1 to 1000"
    );
    let error =
        DeepEnsemble::new(DeepEnsembleParameters { hidden: 0, ..settings(1, 1) }).unwrap_err();
    assert!(error.to_string().starts_with("parameter `hidden` is 0"));
    let fitted = FIXTURE.fit(DeepEnsemble::new(settings(1, 1)), &cubic(10)).unwrap();
    let error = |reading: Reading, columns: usize| {
        let at = Array2::ones((1, columns));
        fitted
            .predict(&reading, at.view(), &Request::default(), &FIXTURE.context())
            .unwrap_err()
            .to_string()
    };
    assert!(error(Reading::new("game"), 1).contains("the readings 'main' and 'normal'"));
    assert!(error(Reading::MAIN, 2).contains("1 features, asked to predict from 2"));
}

#[test]
fn golden_fit_guards_the_version() {
    let goldens = [
        (
            false,
            [
                0.716_032_982_284_532_8,
                2.534_809_731_955_792,
                6.554_240_729_215_989,
                4.326_451_781_546_607_5,
            ],
        ),
        (
            true,
            [
                0.708_638_948_138_031_7,
                2.526_623_628_874_064,
                6.609_795_054_974_311,
                4.358_450_773_172_94,
            ],
        ),
    ];
    for (adversarial, golden) in goldens {
        let parameters = DeepEnsembleParameters { adversarial, ..settings(2, 4) };
        FIXTURE.assert_golden(DeepEnsemble::new(parameters), golden, 1e-8);
    }
}

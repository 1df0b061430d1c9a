use ndarray::array;

use super::super::fixtures::{Fixture, with_outlier};
use super::*;

const FIXTURE: Fixture = Fixture("pbp");

fn settings(epochs: usize) -> PbpParameters {
    PbpParameters { epochs, ..PbpParameters::default() }
}

/// y = 20 + 3 |x| + N(0, 0.5²) for x from −2 to 2, and an irrelevant column.
fn noisy_bend(n: usize) -> Table {
    FIXTURE.rows(n, 1, |x| 20.0 + 3.0 * x.abs(), |_| 0.5)
}

#[test]
fn a_bend_and_its_noise_are_learned() {
    let fitted = FIXTURE.fit(Pbp::new(settings(40)), &noisy_bend(1000)).unwrap();
    let predictive = FIXTURE.predict(&*fitted, array![[-1.5, 5.0], [1.0, 5.0], [9.0, 5.0]].view());
    let (means, variances) = (predictive.means().unwrap(), predictive.variances().unwrap());
    let split = predictive.split.unwrap();
    let (noise, doubt) = (split.aleatoric.unwrap(), split.epistemic.unwrap());
    assert!((means[0] - 24.5).abs() < 0.25 && (means[1] - 23.0).abs() < 0.25, "{means}");
    assert!((noise[0].sqrt() / 0.5 - 1.0).abs() < 0.1, "{noise}");
    assert!(doubt[2] > 4.0 * doubt[1], "{doubt}");
    assert!(
        (&noise + &doubt - &variances).iter().all(|d| d.abs() < 1e-9),
        "the split adds up to the variance"
    );
    let trace = &fitted.side_tables()[0];
    assert_eq!((trace.name.as_str(), trace.column("noise_variance").unwrap().len()), ("trace", 40));
}

#[test]
fn the_same_seed_gives_the_same_bytes_in_any_block() {
    let table = noisy_bend(300);
    let fitted = FIXTURE.fit(Pbp::new(settings(3)), &table).unwrap();
    let first = FIXTURE.predict(&*fitted, table.features.view());
    assert_eq!(FIXTURE.answer(Pbp::new(settings(3)), &table, table.features.view()), first);
    let last =
        FIXTURE.predict(&*fitted, table.features.slice_axis(ndarray::Axis(0), (299..300).into()));
    assert_eq!(last.means().unwrap()[0], first.means().unwrap()[299]);
}

#[test]
fn difficult_tables_train_or_give_a_reason() {
    let at = array![[0.5, 5.0]];
    let ten = noisy_bend(10);
    assert!(
        FIXTURE.answer(Pbp::new(settings(20)), &ten, at.view()).means().unwrap()[0].is_finite()
    );
    let outlier = with_outlier(noisy_bend(5000));
    let predictive = FIXTURE.answer(Pbp::new(settings(5)), &outlier, at.view());
    // The target's sd is 14000: the noise is that of the other rows in these units, or a little of
    // the outlier's, not 1e12.
    assert!(predictive.variances().unwrap()[0].sqrt() < 3e4, "{:?}", predictive.variances());
    FIXTURE.assert_needs_no_varying_feature(Pbp::new(settings(20)));
    FIXTURE.assert_needs_a_varying_target(Pbp::new(settings(1)));
    let mut hole = noisy_bend(10);
    hole.features[(3, 0)] = f64::NAN;
    FIXTURE.assert_refuses(Pbp::new(settings(1)), &hole, "training row 3");
}

#[test]
fn faults_are_named() {
    let text = |parameters| Pbp::new(parameters).unwrap_err().to_string();
    assert_eq!(
        text(PbpParameters { hidden: 0, ..settings(1) }),
        "parameter `hidden` is 0, expected a whole number from 1 to 10000"
    );
    assert!(text(settings(0)).starts_with("parameter `epochs` is 0"));
    let fitted = FIXTURE.fit(Pbp::new(settings(1)), &noisy_bend(10)).unwrap();
    FIXTURE.assert_refuses_other_questions(&*fitted, 2);
}

#[test]
fn golden_fit_guards_the_version() {
    let golden = [
        -0.640_222_316_539_310_8,
        1.191_118_946_589_383_7,
        19.452_198_211_227_21,
        10.693_268_358_800_596,
    ];
    FIXTURE.assert_golden(Pbp::new(settings(4)), golden, 1e-8);
}

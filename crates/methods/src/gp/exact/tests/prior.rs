//! Test the prior of length scales.

use super::*;

#[test]
fn a_prior_keeps_length_scales_of_features_that_tell_nothing_at_its_mean() {
    // Forty features in the unit cube, twelve rows, and a target that depends on none of them.
    let mut rng = Streams::new(3, "prior").stream("rows", 0);
    let features = Array2::from_shape_simple_fn((12, 40), || rng.random::<f64>());
    let target = Array1::from_shape_fn(12, |i| ((i * 7) % 5) as f64);
    let table = Table::unnamed(features, target);
    let fitted = fit(json!({ "restarts": 0, "length_scale_prior": true }), &table).unwrap();
    let (kernel, scales) =
        (side_table(fitted.as_ref(), "kernel"), side_table(fitted.as_ref(), "feature_scales"));
    // In units of the cube: its logarithm is √2 + ½ ln 40 under the prior, with a standard
    // deviation of √3.
    let mean = 2_f64.sqrt() + 0.5 * 40_f64.ln();
    for (length, scale) in
        kernel.column("value").unwrap()[1..].iter().zip(scales.column("scale").unwrap())
    {
        assert!(((length * scale).ln() - mean).abs() < 2.0 * 3_f64.sqrt(), "{length} {scale}");
    }
    assert!(
        !registry::build(ID, &json!({}))
            .unwrap()
            .parameters()
            .to_string()
            .contains("length_scale_prior")
    );
}

#[test]
fn the_priors_slopes_are_those_of_its_penalty() {
    let (scales, x, y) = standardise(ID, &table(), &context()).unwrap();
    let all = Observations::new(x, y);
    let space = Space::new(Composition::Shape(Shape::Matern52).kernel(3), &RANGES, 1e-6)
        .with_length_scale_prior(&scales);
    let at = [0.3, -0.2, 0.9, 1.4, -3.0];
    let mut slopes = [0.0; 5];
    space.add_penalty_slopes(&at, &mut slopes);
    for j in 0..5 {
        let moved = |step: f64| {
            let mut beside = at;
            beside[j] += step;
            space.penalty(&beside)
        };
        assert!((slopes[j] - (moved(1e-5) - moved(-1e-5)) / 2e-5).abs() < 1e-8, "{j}");
    }
    assert_eq!((slopes[0], slopes[4], all.inputs), (0.0, 0.0, 3));
    assert!(
        space.first_start().iter().zip(&slopes).all(|(x, _)| x.is_finite())
            && space.penalty(&space.first_start()) < 1e-20
    );
}

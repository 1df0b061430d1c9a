use ndarray::array;
use rand::SeedableRng;

use super::super::Simulated;
use super::*;

/// Numbers of features.
const FEATURES: [usize; 4] = [1, 2, 4, 8];

/// Standardised residuals of 40 draws of the training rows, with the first feature.
fn residuals(kind: Kind, features: usize) -> Vec<(f64, f64)> {
    let draws = (0..40).map(|seed| kind.draw(features, &mut Rng::seed_from_u64(seed)).train);
    let of = |table: Table| {
        let rows: Vec<(f64, f64)> = table
            .features
            .rows()
            .into_iter()
            .zip(&table.target)
            .map(|(x, y)| (x[0], (y - kind.mean(x)) / kind.noise(x[0])))
            .collect();
        rows
    };
    draws.flat_map(of).collect()
}

#[test]
fn means_and_noise_are_those_of_the_formulas() {
    // Python 3: math.sin, by hand from (1).
    let near =
        |found: f64, expected: f64| assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    near(Kind::Gap.mean(array![0.5].view()), 1.0);
    near(Kind::Gap.mean(array![0.5, 1.0].view()), 2.0);
    near(Kind::Skewed.mean(array![-0.25, 0.5, -0.5, 1.0, 1.0].view()), -(0.5f64.sqrt()) + 1.0);
    near(Kind::Step.mean(array![-0.001, 1.0].view()), 0.0);
    near(Kind::Step.mean(array![0.001].view()), 1.0);
    for (kind, first, sd) in [
        (Kind::Heteroscedastic, -1.0, 0.1),
        (Kind::Heteroscedastic, 1.0, 1.0),
        (Kind::Heteroscedastic, 0.0, 0.1f64.sqrt()),
        (Kind::Gap, 0.7, 0.3),
        (Kind::Skewed, 0.0, 0.2),
        (Kind::Skewed, -0.5, 0.4),
    ] {
        near(kind.noise(first), sd);
    }
}

#[test]
fn noise_has_mean_zero_its_variance_and_its_skewness() {
    for kind in Kind::ALL {
        for features in [1, 8] {
            let z: Vec<f64> = residuals(kind, features).into_iter().map(|(_, z)| z).collect();
            let n = z.len() as f64;
            let moment = |power: i32| z.iter().map(|z| z.powi(power)).sum::<f64>() / n;
            // Exponential less 1: central moments 1, 2, 9, 44, 265; so the square has the variance
            // 9 − 1 and the cube 265 − 4.
            let (skewness, of_square, of_cube) =
                if kind == Kind::Skewed { (2.0, 8.0, 261.0) } else { (0.0, 2.0, 15.0) };
            for (found, expected, variance) in
                [(moment(1), 0.0, 1.0), (moment(2), 1.0, of_square), (moment(3), skewness, of_cube)]
            {
                assert!(
                    (found - expected).abs() < 5.0 * (variance / n).sqrt(),
                    "{kind:?}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn the_gap_has_two_of_a_hundred_rows_and_all_else_is_even() {
    for kind in Kind::ALL {
        let x: Vec<f64> = residuals(kind, 2).into_iter().map(|(x, _)| x).collect();
        assert!(x.iter().all(|x| (-1.0..=1.0).contains(x)));
        let count =
            |low: f64, high: f64| x.iter().filter(|x| (low..high).contains(*x)).count() as f64;
        let n = x.len() as f64;
        let inside = count(-GAP, GAP);
        if kind == Kind::Gap {
            assert_eq!(inside, n / 50.0, "exactly");
        }
        // The share of each piece given inside or outside is binomial: five standard deviations.
        let share = |found: f64, of: f64, p: f64| {
            assert!(
                (found - of * p).abs() < 5.0 * (of * p * (1.0 - p)).sqrt(),
                "{kind:?}: {found} of {of}, not {p}"
            );
        };
        share(count(0.0, GAP), inside, 0.5);
        share(count(0.5, 0.8), n - inside, 0.3 / 1.5);
        share(count(-1.0, -GAP), n - inside, 0.5);
    }
}

#[test]
fn test_inputs_never_change_and_regions_have_sixteen_each() {
    for (kind, features) in
        Kind::ALL.into_iter().flat_map(|kind| FEATURES.map(|features| (kind, features)))
    {
        let problem =
            Simulated::get(&format!("simulated:decomposition-{}@{features}", kind.name())).unwrap();
        let design = problem.design().unwrap();
        let [one, same, other] = [3, 3, 4].map(|seed| problem.draw(&mut Rng::seed_from_u64(seed)));
        assert_eq!(one, same);
        assert_eq!((&one.test.features, &other.test.features), (&design.inputs, &design.inputs));
        assert_eq!((&one.truth, &one.noise), (&other.truth, &other.noise));
        assert!(one.train.features != other.train.features && one.test.target != other.test.target);
        assert_eq!((one.train.columns(), design.inputs.dim()), (features, (POINTS, features)));
        for region in 0..REGIONS {
            let members: Vec<usize> = (0..POINTS).filter(|&j| design.region[j] == region).collect();
            assert_eq!(members.len(), POINTS / REGIONS);
            let inside = |j: &usize| design.inputs[[*j, 0]].abs() < GAP;
            assert!(
                members.iter().all(inside) || !members.iter().any(inside),
                "the gap is whole regions"
            );
        }
    }
    assert!(Simulated::get("simulated:jcm-even").unwrap().design().is_none());
}

#[test]
fn the_design_is_even_in_every_feature() {
    // Golden ratio and plastic number, to 15 digits.
    assert!(
        (plastic(1) - 1.618_033_988_749_895).abs() < 1e-15
            && (plastic(2) - 1.324_717_957_244_746).abs() < 1e-15
    );
    for features in FEATURES {
        let inputs = design(features).inputs;
        for column in inputs.columns() {
            for eighth in 0..8 {
                let (low, high) = (-1.0 + f64::from(eighth) / 4.0, -0.75 + f64::from(eighth) / 4.0);
                let found = column.iter().filter(|x| (low..high).contains(*x)).count();
                // 32 of 256; drawn at random it would vary by 5.3.
                assert!((27..=37).contains(&found), "{features}: {found} in [{low}, {high})");
            }
        }
    }
}

use super::*;
use ndarray::{Array1, Array2};
use proptest::prelude::{Strategy, prop_assert, proptest};
use uq_core::math::random::Streams;

fn normal(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut rng = Streams::new(seed, "stiefel").stream("matrix", 0);
    Array2::from_shape_simple_fn((rows, columns), || standard_normal(&mut rng))
}

fn on_manifold(p: usize, d: usize, seed: u64) -> Array2<f64> {
    random_start(p, d, &mut Streams::new(seed, "stiefel").stream("start", 0)).unwrap()
}

fn tangent(kind: Tangent, w: &Array2<f64>, gradient: &Array2<f64>) -> Array2<f64> {
    let mut out = Array2::zeros(w.dim());
    kind.at(w.view(), gradient.view(), &mut out, &mut Array2::zeros((w.nrows(), w.nrows())));
    out
}

fn norm(matrix: &Array2<f64>) -> f64 {
    matrix.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// tr(AᵀB).
fn inner(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    (a * b).sum()
}

fn off_manifold(w: &Array2<f64>) -> f64 {
    norm(&(w.dot(&w.t()) - Array2::<f64>::eye(w.nrows())))
}

fn retracted(w: &Array2<f64>, step: &Array2<f64>) -> Array2<f64> {
    let mut moved = w + step;
    orthonormalise(&mut moved).unwrap();
    moved
}

fn shapes() -> impl Strategy<Value = (usize, usize)> {
    (1usize..6).prop_flat_map(|p| (proptest::strategy::Just(p), p..13))
}

proptest! {
    #[test]
    fn both_directions_are_tangent_and_descend((p, d) in shapes(), seed: u64) {
        let (w, gradient) = (on_manifold(p, d, seed), normal(p, d, seed ^ 1));
        for kind in [Tangent::Projection, Tangent::Printed] {
            let xi = tangent(kind, &w, &gradient);
            prop_assert!(norm(&(xi.dot(&w.t()) + w.dot(&xi.t()))) < 1e-12, "{kind:?}");
            // At least half the squared length of the projection.
            let steepest = tangent(Tangent::Projection, &w, &gradient);
            prop_assert!(inner(&gradient, &xi) >= 0.5 * inner(&steepest, &steepest) - 1e-12);
        }
    }

    #[test]
    fn the_projection_is_orthogonal_and_the_printed_one_halves_the_outer_part(
        (p, d) in shapes(),
        seed: u64,
    ) {
        let (w, gradient, other) =
            (on_manifold(p, d, seed), normal(p, d, seed ^ 1), normal(p, d, seed ^ 2));
        let projected = tangent(Tangent::Projection, &w, &gradient);
        prop_assert!(norm(&(tangent(Tangent::Projection, &w, &projected) - &projected)) < 1e-12);
        let along = tangent(Tangent::Projection, &w, &other);
        prop_assert!(inner(&(&gradient - &projected), &along).abs() < 1e-11);
        let leaving = &projected - &projected.dot(&w.t()).dot(&w);
        let expected = &projected - &(0.5 * &leaving);
        prop_assert!(norm(&(tangent(Tangent::Printed, &w, &gradient) - expected)) < 1e-12);
    }

    #[test]
    fn rotating_the_features_rotates_tangents_and_retractions((p, d) in shapes(), seed: u64) {
        let (w, gradient) = (on_manifold(p, d, seed), normal(p, d, seed ^ 1));
        let turn = on_manifold(d, d, seed ^ 3);
        for kind in [Tangent::Projection, Tangent::Printed] {
            let xi = tangent(kind, &w, &gradient);
            let turned = tangent(kind, &w.dot(&turn), &gradient.dot(&turn));
            prop_assert!(norm(&(turned - xi.dot(&turn))) < 1e-12);
            let there = retracted(&w.dot(&turn), &xi.dot(&turn));
            prop_assert!(norm(&(there - retracted(&w, &xi).dot(&turn))) < 1e-11);
        }
    }

    #[test]
    fn a_retraction_starts_along_its_tangent((p, d) in shapes(), seed: u64) {
        let w = on_manifold(p, d, seed);
        let xi = tangent(Tangent::Projection, &w, &normal(p, d, seed ^ 1));
        let miss = |t: f64| norm(&(retracted(&w, &(t * &xi)) - &w - t * &xi));
        // The remainder is of second order: with a tenth of the step it is a hundredth.
        prop_assert!(miss(1e-4) < 0.02 * miss(1e-3) + 1e-13);
        prop_assert!(miss(0.0) < 1e-14);
    }
}

#[test]
fn rows_stay_orthonormal_over_ten_thousand_noisy_steps() {
    for (p, d, rate) in [(5, 8, 0.02), (1, 3, 0.02), (4, 4, 0.02), (5, 40, 1e6)] {
        let mut w = on_manifold(p, d, 5);
        let mut sgd = RiemannianSgd::new(rate, Tangent::default(), (p, d));
        let mut rng = Streams::new(6, "stiefel").stream("noise", 0);
        let mut gradient = Array2::zeros((p, d));
        for _ in 0..10_000 {
            gradient.mapv_inplace(|_| standard_normal(&mut rng));
            sgd.step(&mut w, gradient.view()).unwrap();
        }
        assert!(off_manifold(&w) <= 1e-12, "{p} x {d}: {:e}", off_manifold(&w));
    }
}

#[test]
fn descent_of_a_quadratic_ends_at_the_leading_eigenvectors() {
    // f(W) = −tr(W A Wᵀ) with A = diag(1, …, 6) has the minimum −(6 + 5).
    let a = Array1::from_iter((1..=6).map(f64::from));
    for kind in [Tangent::Projection, Tangent::Printed] {
        let mut w = on_manifold(2, 6, 11);
        let mut sgd = RiemannianSgd::new(0.05, kind, (2, 6));
        let mut last = f64::INFINITY;
        for _ in 0..400 {
            let value = -inner(&(&w * &a), &w);
            assert!(value <= last + 1e-12, "{kind:?}: from {last} to {value}");
            last = value;
            let gradient = -2.0 * (&w * &a);
            sgd.step(&mut w, gradient.view()).unwrap();
        }
        assert!((last + 11.0).abs() < 1e-8, "{kind:?}: {last}");
    }
}

#[test]
fn the_factor_is_that_of_a_qr_decomposition_with_positive_diagonal() {
    // By hand: rows (3, 4, 0) and (1, 0, 2); R = [[5, 3/5], [0, √(116)/5]].
    let mut w = ndarray::array![[3.0, 4.0, 0.0], [1.0, 0.0, 2.0]];
    let before = w.clone();
    orthonormalise(&mut w).unwrap();
    let r = w.dot(&before.t());
    assert!(
        (r[[0, 0]] - 5.0).abs() < 1e-15
            && (r[[0, 1]] - 0.6).abs() < 1e-15
            && r[[1, 0]].abs() < 1e-15
    );
    assert!((r[[1, 1]] - 116.0_f64.sqrt() / 5.0).abs() < 1e-15);
}

#[test]
fn a_matrix_without_an_orthonormal_factor_is_refused_with_its_row() {
    let refused = |mut w: Array2<f64>| orthonormalise(&mut w).unwrap_err().row;
    assert_eq!(refused(ndarray::array![[1.0, 2.0], [2.0, 4.0]]), 1);
    assert_eq!(refused(ndarray::array![[0.0, 0.0]]), 0);
    assert_eq!(refused(ndarray::array![[1.0, f64::NAN]]), 0);
    assert_eq!(random_start(3, 2, &mut Streams::new(1, "t").stream("w", 0)).unwrap_err().row, 2);
    let mut w = on_manifold(2, 5, 1);
    let infinite = Array2::from_elem((2, 5), f64::INFINITY);
    assert!(
        RiemannianSgd::new(0.1, Tangent::Projection, (2, 5)).step(&mut w, infinite.view()).is_err()
    );
}

/// The statements of `reports/errata/jcm.md` on Section 3.4, in columns (d × p, as that section
/// writes W) and in rows (p × d, Eq. 6).
mod printed {
    use super::*;

    /// Table 1 and Eq. (11) in columns are the projection; in rows, without change, they are
    /// Algorithm 1's expression.
    #[test]
    fn equation_11_is_the_projection_in_columns_only() {
        let (w, gradient) = (on_manifold(3, 7, 21), normal(3, 7, 22));
        let equation_11 = |w: &Array2<f64>, g: &Array2<f64>| {
            let wg = w.t().dot(g);
            g - &(0.5 * w.dot(&(&wg + &wg.t())))
        };
        let in_columns = equation_11(&w.t().to_owned(), &gradient.t().to_owned());
        assert!(
            norm(&(in_columns.t().to_owned() - tangent(Tangent::Projection, &w, &gradient)))
                < 1e-13
        );
        let in_rows = equation_11(&w, &gradient);
        assert!(norm(&(&in_rows - &tangent(Tangent::Printed, &w, &gradient))) < 1e-13);
        assert!(norm(&(in_rows - tangent(Tangent::Projection, &w, &gradient))) > 0.1);
    }

    /// With the metric ½ tr(ζᵀη) the gradient of f has ½ tr(∇fᵀη) = df(η): twice the expression of
    /// Table 1.
    #[test]
    fn the_metric_of_table_1_doubles_its_gradient() {
        let (w, slope, other) = (on_manifold(3, 7, 23), normal(3, 7, 24), normal(3, 7, 25));
        let eta = tangent(Tangent::Projection, &w, &other);
        let gradient = tangent(Tangent::Projection, &w, &slope);
        let change = inner(&slope, &eta);
        assert!((inner(&gradient, &eta) - change).abs() < 1e-12);
        assert!((0.5 * inner(&gradient, &eta) - 0.5 * change).abs() < 1e-12 && change.abs() > 0.1);
    }

    /// d/dt W exp(t (Wᵀζ − ζᵀW)) at 0 is W (Wᵀζ − ζᵀW), which should be ζ.
    #[test]
    fn the_exponential_map_of_table_1_starts_elsewhere() {
        for (p, d) in [(3, 7), (4, 4)] {
            let (w, other) = (on_manifold(p, d, 26), normal(p, d, 27));
            let zeta = tangent(Tangent::Projection, &w, &other);
            let velocity = |w: &Array2<f64>, zeta: &Array2<f64>| {
                let wz = w.t().dot(zeta);
                w.dot(&(&wz - &wz.t()))
            };
            assert!(norm(&(velocity(&w, &zeta) - &zeta)) > 0.1, "rows, {p} x {d}");
            let (columns, direction) = (w.t().to_owned(), zeta.t().to_owned());
            assert!(
                norm(&(velocity(&columns, &direction) - &direction)) > 0.1,
                "columns, {p} x {d}"
            );
        }
    }
}

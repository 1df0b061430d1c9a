//! Smooth points by locally weighted linear regression (Cleveland 1979).
//!
//! At x₀, with h the distance to the q-th nearest of the n points and q = ⌈span · n⌉ (at least 3),
//! each point weighs wᵢ = (1 − (|xᵢ − x₀| / h)³)³ for |xᵢ − x₀| < h, else 0, and the value is that
//! of the weighted least-squares line at x₀.
//!
//! *Departures from the paper*: one pass, without the robustness iterations.
//!
//! *References*: W. S. Cleveland, "Robust locally weighted regression and smoothing scatterplots",
//! J. Am. Stat. Assoc. 74 (1979) 829–836.

/// Values of the local regression of `y` on `x` (both n) at the points `at`, with the share `span`
/// in (0, 1] of the points in each neighbourhood.
///
/// `None` if `x` and `y` differ in length, a number is not finite, `span` lies outside (0, 1],
/// there are fewer than three points, or a neighbourhood holds fewer than two distinct x (no line
/// can be fitted there).
pub fn local_regression(x: &[f64], y: &[f64], span: f64, at: &[f64]) -> Option<Vec<f64>> {
    let n = x.len();
    let finite = x.iter().chain(y).chain(at).all(|v| v.is_finite());
    if n < 3 || y.len() != n || !finite || !(span > 0.0 && span <= 1.0) {
        return None;
    }
    let neighbours = ((span * n as f64).ceil() as usize).clamp(3, n);
    at.iter().map(|&center| line_value(x, y, neighbours, center)).collect()
}

/// Value at `center` of the line through the weighted neighbours.
fn line_value(x: &[f64], y: &[f64], neighbours: usize, center: f64) -> Option<f64> {
    let mut distances: Vec<f64> = x.iter().map(|v| (v - center).abs()).collect();
    distances.sort_by(f64::total_cmp);
    // Slightly beyond the farthest neighbour: it keeps a little weight, so three points always fix
    // a line.
    let bandwidth = distances[neighbours - 1] * (1.0 + 1e-3);
    if bandwidth == 0.0 {
        return None;
    }
    let weight = |v: f64| (1.0 - ((v - center).abs() / bandwidth).min(1.0).powi(3)).powi(3);
    let (mut total, mut mean_x, mut mean_y) = (0.0, 0.0, 0.0);
    for (&u, &v) in x.iter().zip(y) {
        let w = weight(u);
        total += w;
        mean_x += w * u;
        mean_y += w * v;
    }
    mean_x /= total;
    mean_y /= total;
    // Sums about the weighted means keep a straight line straight far from the origin.
    let (mut spread, mut slope) = (0.0, 0.0);
    for (&u, &v) in x.iter().zip(y) {
        let w = weight(u);
        spread += w * (u - mean_x).powi(2);
        slope += w * (u - mean_x) * (v - mean_y);
    }
    // Apart from rounding, all weight may lie on one x; the line's slope would then be noise.
    let resolved = spread > total * (1e-7 * bandwidth).powi(2);
    resolved.then(|| mean_y + slope / spread * (center - mean_x))
}

#[cfg(test)]
mod tests {
    use super::local_regression;
    use proptest::prelude::{prop_assert, proptest};

    #[test]
    fn a_neighbourhood_has_its_hand_computed_value() {
        // At 0 with neighbours 0, 1, 2 (h just above 2): weights 1, (7/8)^3, ~0; the line through
        // the first two points.
        let smooth =
            local_regression(&[0.0, 1.0, 2.0, 9.0], &[1.0, 3.0, -50.0, 7.0], 0.75, &[0.0]).unwrap();
        assert!((smooth[0] - 1.0).abs() < 1e-3, "{smooth:?}");
    }

    #[test]
    fn a_constant_stays_constant() {
        let x: Vec<f64> = (0..20).map(f64::from).collect();
        let smooth = local_regression(&x, &[2.5; 20], 0.4, &[0.0, 3.3, 19.0]).unwrap();
        assert!(smooth.iter().all(|v| (v - 2.5).abs() < 1e-12));
    }

    #[test]
    fn curvature_is_followed_better_by_a_smaller_span() {
        let x: Vec<f64> = (0..41).map(|i| f64::from(i) / 10.0).collect();
        let y: Vec<f64> = x.iter().map(|v| v.sin()).collect();
        let error =
            |span| (local_regression(&x, &y, span, &[1.5]).unwrap()[0] - 1.5f64.sin()).abs();
        assert!(error(0.2) < error(1.0) / 4.0);
    }

    #[test]
    fn points_that_determine_no_line_give_none() {
        assert_eq!(local_regression(&[0.0, 1.0], &[0.0, 1.0], 1.0, &[0.5]), None);
        assert_eq!(local_regression(&[1.0, 1.0, 1.0], &[0.0, 1.0, 2.0], 1.0, &[0.5]), None);
        assert_eq!(local_regression(&[1.0, 1.0, 1.0], &[0.0, 1.0, 2.0], 1.0, &[1.0]), None);
        assert_eq!(local_regression(&[0.0, 1.0, 2.0], &[0.0, 1.0], 1.0, &[0.5]), None);
        assert_eq!(local_regression(&[0.0, 1.0, 2.0], &[0.0, f64::NAN, 1.0], 1.0, &[0.5]), None);
        assert_eq!(local_regression(&[0.0, 1.0, 2.0], &[0.0, 1.0, 2.0], 0.0, &[0.5]), None);
    }

    proptest! {
        #[test]
        fn straight_lines_are_reproduced(
            gaps in proptest::collection::vec(0.05f64..1.0, 5..40),
            span in 0.2f64..1.0,
            intercept in -10f64..10.0,
            slope in -10f64..10.0,
            place in 0f64..1.0,
        ) {
            let x: Vec<f64> = gaps
                .iter()
                .scan(-3.0, |sum, gap| {
                    *sum += gap;
                    Some(*sum)
                })
                .collect();
            let y: Vec<f64> = x.iter().map(|v| intercept + slope * v).collect();
            let at = x[0] + place * (x[x.len() - 1] - x[0]);
            let smooth = local_regression(&x, &y, span, &[at]);
            prop_assert!(smooth.is_some());
            let value = smooth.unwrap()[0];
            prop_assert!(
                (value - (intercept + slope * at)).abs() < 1e-8 * (1.0 + value.abs()),
                "{value}"
            );
        }
    }
}

//! Weights of a linear pool: the minimum of a convex quadratic form on the simplex.

use ndarray::Array2;

/// A sweep that moves less weight than this ends the search.
const TOLERANCE: f64 = 1e-12;
/// Most sweeps over all pairs.
const SWEEPS: usize = 10_000;

/// The w ≥ 0 with Σ w = 1 that minimises wᵀ G w for a symmetric positive semidefinite G, from equal
/// weights on: weight moves between two members at a time, as far as it lowers the form, until none
/// does.
pub(super) fn lowest(form: &Array2<f64>) -> Vec<f64> {
    let members = form.nrows();
    let mut weights = vec![1.0 / members as f64; members];
    // Half the gradient, G w.
    let mut slopes: Vec<f64> =
        form.rows().into_iter().map(|row| row.sum() / members as f64).collect();
    for _ in 0..SWEEPS {
        let mut moved: f64 = 0.0;
        for k in 0..members {
            for l in 0..k {
                let bend = form[(k, k)] + form[(l, l)] - 2.0 * form[(k, l)];
                let fall = slopes[l] - slopes[k];
                // From l to k; members with the same predictions share as they are.
                let wanted = if bend > 0.0 { fall / bend } else { 0.0 };
                let step = wanted.clamp(-weights[k], weights[l]);
                if step != 0.0 {
                    weights[k] += step;
                    weights[l] -= step;
                    slopes
                        .iter_mut()
                        .enumerate()
                        .for_each(|(i, slope)| *slope += step * (form[(i, k)] - form[(i, l)]));
                    moved = moved.max(step.abs());
                }
            }
        }
        if moved < TOLERANCE {
            break;
        }
    }
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight = weight.max(0.0) / sum);
    weights
}

/// Weights moved towards equal ones: equal where there are no more rows than `equal_below`, else by
/// its share of the rows.
pub(super) fn shrunk(weights: &[f64], rows: usize, equal_below: usize) -> Vec<f64> {
    let share = if rows == 0 { 1.0 } else { (equal_below as f64 / rows as f64).min(1.0) };
    weights.iter().map(|weight| (1.0 - share) * weight + share / weights.len() as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;
    use proptest::prelude::*;

    #[test]
    fn two_members_share_as_the_closed_form_says() {
        // wᵀGw with w = (1 − t, t) is least at t = (a − c)/(a + b − 2c).
        let found = lowest(&array![[2.0, 0.5], [0.5, 1.0]]);
        assert!((found[1] - 0.75).abs() < 1e-12, "{found:?}");
        // Beyond an end of the simplex it stays there.
        assert_eq!(lowest(&array![[2.0, 1.2], [1.2, 1.0]]), [0.0, 1.0]);
        assert_eq!(lowest(&array![[3.0]]), [1.0]);
        // The same member three times.
        let same = lowest(&Array2::from_elem((3, 3), 0.7));
        assert!(same.iter().all(|weight| (weight - 1.0 / 3.0).abs() < 1e-12));
    }

    #[test]
    fn few_rows_have_equal_weights_and_many_their_own() {
        assert_eq!(shrunk(&[1.0, 0.0], 300, 300), [0.5, 0.5]);
        assert_eq!(shrunk(&[1.0, 0.0], 600, 300), [0.75, 0.25]);
        assert_eq!(shrunk(&[1.0, 0.0], 600, 0), [1.0, 0.0]);
        assert_eq!(shrunk(&[1.0, 0.0], 0, 0), [0.5, 0.5]);
    }

    proptest! {
        /// Karush, Kuhn and Tucker: every member with weight has the least slope.
        #[test]
        fn no_move_of_weight_lowers_the_form(
            numbers in prop::collection::vec(-1.0..1.0_f64, 20),
        ) {
            let factor = Array2::from_shape_vec((4, 5), numbers).unwrap();
            let form = factor.dot(&factor.t());
            let weights = lowest(&form);
            prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let slopes: Vec<f64> = form
                .rows()
                .into_iter()
                .map(|row| row.iter().zip(&weights).map(|(g, w)| g * w).sum())
                .collect();
            let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
            for (weight, slope) in weights.iter().zip(slopes) {
                prop_assert!(
                    *weight >= 0.0 && (*weight < 1e-9 || slope - least < 1e-6),
                    "{weight} {slope} {least}"
                );
            }
        }
    }
}

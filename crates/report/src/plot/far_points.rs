//! Leave out the points that lie so far from all others of a panel that these would be one flat
//! line.

use super::learning::edges;
use crate::words::figures;
use uqbench_judge::figures::LearningCurve;

/// A point is far where its band reaches further from the middle half of the panel's means than
/// this many times the width of that half.
const REACH: f64 = 100.0;

/// The curves without far points.
pub(super) struct Near {
    /// Curves that have a point.
    pub(super) curves: Vec<LearningCurve>,
    /// The means of far points, ascending.
    far: Vec<f64>,
}

impl Near {
    /// How many points are not drawn, and where they are; `None` where all are drawn.
    pub(super) fn note(&self, title: &str) -> Option<String> {
        figures::far_points(title, &self.far)
    }
}

/// Divides the points of a panel into near and far ones. All are near where the middle half of them
/// is one value.
pub(super) fn near(curves: &[LearningCurve]) -> Near {
    let mut means: Vec<f64> = curves.iter().flat_map(|curve| curve.mean.iter().copied()).collect();
    means.sort_unstable_by(f64::total_cmp);
    let quarter = means.len() / 4;
    let (Some(&low), Some(&high)) = (means.get(quarter), means.iter().rev().nth(quarter)) else {
        return Near { curves: curves.to_vec(), far: Vec::new() };
    };
    let reach = if high > low { REACH * (high - low) } else { f64::INFINITY };
    let mut far = Vec::new();
    let kept = curves.iter().filter_map(|curve| {
        let is_near: Vec<bool> = edges(curve)
            .map(|(lower, upper)| lower >= low - reach && upper <= high + reach)
            .collect();
        let mut flags = is_near.iter();
        let keep = |values: &[f64]| -> Vec<f64> {
            values.iter().zip(&is_near).filter(|(_, near)| **near).map(|(v, _)| *v).collect()
        };
        far.extend(curve.mean.iter().filter(|_| flags.next().is_some_and(|near| !near)));
        Some(LearningCurve {
            x: keep(&curve.x),
            mean: keep(&curve.mean),
            half_width: curve.half_width.as_deref().map(keep),
            ..curve.clone()
        })
        .filter(|curve: &LearningCurve| !curve.x.is_empty())
    });
    let curves = kept.collect();
    far.sort_unstable_by(f64::total_cmp);
    Near { curves, far }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(mean: &[f64], half_width: Option<Vec<f64>>) -> LearningCurve {
        let x = (0..mean.len()).map(|step| step as f64).collect();
        LearningCurve { name: "A".into(), x, mean: mean.to_vec(), half_width, repetitions: 3 }
    }

    #[test]
    fn a_point_that_would_flatten_the_others_is_left_out_and_named() {
        let first = curve(&[-3600.0, -1.2, -1.1, -1.0], Some(vec![3000.0, 0.1, 0.1, 0.1]));
        let found = near(&[first, curve(&[-1.1, -1.0, -0.9, -0.8], None)]);
        assert_eq!(found.curves[0].x, [1.0, 2.0, 3.0]);
        assert_eq!(found.curves[0].half_width.as_ref().unwrap().len(), 3);
        assert_eq!(found.curves[1].mean.len(), 4);
        assert_eq!(found.far, [-3600.0]);
        assert!(found.note("Red wine").unwrap().starts_with("Red wine: "));
        let two = near(&[
            curve(&[-900.0, -1.2, -1.1, -1.0, 370.5], None),
            curve(&[-1.1, -1.0, -0.9, -0.8], None),
        ]);
        assert_eq!(two.far, [-900.0, 370.5]);
    }

    #[test]
    fn what_is_near_is_drawn_as_it_is() {
        let wide = [
            curve(&[-7.0, -4.0, -3.0, -2.9], Some(vec![2.5; 4])),
            curve(&[-3.0, -2.9, -2.8, -2.5], None),
        ];
        assert_eq!(near(&wide).curves, wide);
        assert_eq!(near(&wide).note("Boston"), None);
        // The middle half is one value: nothing tells what is far.
        let flat = [curve(&[0.0, 0.0, 0.0, 0.0, 5.0], None)];
        assert_eq!(near(&flat).curves, flat);
    }
}

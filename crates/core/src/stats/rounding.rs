//! Recognise differences that rounding explains. They are ties, and speak for neither side.
//!
//! Two programs that compute one score in another order of sums differ in its last digits. Such
//! differences may all have one sign, so that a test of signs or ranks would find them.

use crate::metrics::Direction;

/// Largest share of the size of two scores by which rounding makes them differ.
pub const TIED: f64 = 1e-12;

/// Largest difference of these two losses, or scores, that is a tie: [`TIED`] of the larger one.
/// Log scores and coverages have units that mean the same everywhere, so that their size is at
/// least 1.
pub fn slack(direction: Direction, a: f64, b: f64) -> f64 {
    let larger = a.abs().max(b.abs());
    TIED * match direction {
        Direction::Lower => larger,
        Direction::Higher | Direction::Target(_) => larger.max(1.0),
    }
}

/// `a` less `b`; 0 for a tie.
pub fn difference(direction: Direction, a: f64, b: f64) -> f64 {
    let difference = a - b;
    if difference.is_finite() && difference.abs() <= slack(direction, a, b) {
        0.0
    } else {
        difference
    }
}

/// Gives tied values the value of the smallest of their group.
pub fn level_ties(direction: Direction, values: &mut [f64]) {
    let mut order: Vec<usize> = (0..values.len()).filter(|&i| values[i].is_finite()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut least = f64::NEG_INFINITY;
    for i in order {
        match difference(direction, values[i], least) == 0.0 {
            true => values[i] = least,
            false => least = values[i],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_in_the_last_digits_is_none_and_one_of_six_digits_stays() {
        for direction in [Direction::Lower, Direction::Higher, Direction::Target(0.9)] {
            assert_eq!(difference(direction, 0.3 + 0.1, 0.4), 0.0);
            assert_eq!(difference(direction, 4000.0, 4000.0 * (1.0 + 1e-14)), 0.0);
            assert!(difference(direction, 1.0, 1.0 + 1e-6) < 0.0);
            assert_eq!(difference(direction, f64::INFINITY, 1.0), f64::INFINITY);
            assert!(difference(direction, f64::INFINITY, f64::INFINITY).is_nan());
        }
    }

    #[test]
    fn the_unit_of_a_loss_does_not_matter_and_that_of_a_log_score_does() {
        assert!(difference(Direction::Lower, 2e-14, 1e-14) > 0.0);
        assert_eq!(difference(Direction::Higher, 2e-14, 1e-14), 0.0);
        assert_eq!(difference(Direction::Target(0.9), 0.1 - 1e-15, 0.1), 0.0);
    }

    #[test]
    fn ties_become_equal_and_others_stay() {
        let mut values = [0.4, 1.0, 0.3 + 0.1, f64::INFINITY, 0.1 + 0.3, 1.0 + 1e-9, f64::INFINITY];
        level_ties(Direction::Lower, &mut values);
        assert!(values[0] == values[2] && values[2] == values[4]);
        assert!(values[1] < values[5] && values[3] == f64::INFINITY);
        let mut none: [f64; 0] = [];
        level_ties(Direction::Lower, &mut none);
    }
}

//! Know by their digits to which step numbers are rounded.

/// Share of numbers whose digits tell it: a few computed ones do not.
const SHARE: f64 = 0.98;
/// More significant digits than this are those of a computed number, which is not rounded.
const MOST_DIGITS: i32 = 14;

/// Fewest significant digits that programs round to; of fewer ones zeros at the end say nothing.
const FEWEST_DIGITS: i32 = 4;
/// Multiples of a step that numbers may be rounded to, such as halves and hundreds.
const MULTIPLES: [f64; 11] = [1000.0, 500.0, 250.0, 125.0, 100.0, 50.0, 25.0, 20.0, 10.0, 5.0, 2.0];

/// How nearly all of some numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rounding {
    /// Digits after the point.
    places: i32,
    /// Significant digits.
    significant: i32,
}

impl Rounding {
    /// Of these numbers; those that are missing say nothing.
    pub fn of(values: &[f64]) -> Self {
        let all: Vec<[i32; 3]> =
            values.iter().filter(|x| x.is_finite()).map(|x| digits(*x)).collect();
        let [places, significant] =
            [0, 1].map(|what| usual(all.iter().map(|digits| digits[what]).collect()));
        Self { places, significant }
    }

    /// Whether they are computed numbers with all digits.
    pub fn is_none(self) -> bool {
        self.significant > MOST_DIGITS
    }

    /// The step of all numbers, 0 where they are not rounded.
    pub fn step(self) -> f64 {
        if self.is_none() { 0.0 } else { 10_f64.powi(-self.places) }
    }

    /// The largest multiple of the step of which nearly all of these numbers are multiples.
    pub fn grid(self, values: &[f64]) -> f64 {
        let step = self.step();
        let present: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
        let is_multiple =
            |x: &&f64, size: f64| ((*x / size).round() * size - *x).abs() < 1e-6 * step;
        let is_grid = |size: &f64| {
            present.iter().filter(|x| is_multiple(x, *size)).count() as f64
                >= SHARE * present.len() as f64
        };
        if step == 0.0 {
            0.0
        } else {
            MULTIPLES.iter().map(|times| times * step).find(is_grid).unwrap_or(step)
        }
    }

    /// The step of one of them, which has no more significant digits than the others.
    pub fn step_at(self, x: f64) -> f64 {
        let [_, _, exponent] = digits(x);
        let by_digits = if x == 0.0 || self.significant < FEWEST_DIGITS {
            0.0
        } else {
            10_f64.powi(exponent + 1 - self.significant)
        };
        if self.is_none() { 0.0 } else { self.step().max(by_digits) }
    }
}

/// Digits of a number as it is written shortest: after the point, significant ones, and the power
/// of ten of the first.
fn digits(x: f64) -> [i32; 3] {
    let text = format!("{x:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let significant = mantissa.chars().filter(char::is_ascii_digit).count() as i32;
    let exponent = exponent.parse::<i32>().unwrap_or(0);
    [(significant - 1 - exponent).max(0), significant, exponent]
}

/// The number of digits that nearly all values do with.
fn usual(mut counts: Vec<i32>) -> i32 {
    counts.sort_unstable();
    let place = (SHARE * counts.len() as f64).ceil() as usize;
    counts.get(place.max(1) - 1).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rounding_of_numbers_is_known_by_their_digits() {
        assert_eq!(digits(1234.5), [1, 5, 3]);
        assert_eq!(digits(1200.0), [0, 2, 3]);
        let cents: Vec<f64> =
            (0..50).map(|i| f64::from(i * 37) / 100.0).chain([f64::NAN]).collect();
        assert_eq!(Rounding::of(&cents).step(), 0.01);
        let computed: Vec<f64> = (1..50).map(|i| f64::from(i) / 7.0).collect();
        assert!(Rounding::of(&computed).is_none() && Rounding::of(&computed).step() == 0.0);
        let halves: Vec<f64> = (0..50).map(|i| f64::from(i * 37 % 19) / 2.0).collect();
        assert_eq!(Rounding::of(&halves).grid(&halves), 0.5);
        assert_eq!(Rounding::of(&cents).grid(&cents), 0.01);
        // Six significant digits, as many programs write numbers.
        let written: Vec<f64> = (1..50)
            .map(|i| format!("{:.5e}", 3.7_f64.powi(i % 9) / 7.0).parse().unwrap())
            .collect();
        assert_eq!((written[7], Rounding::of(&written).step_at(written[7])), (5017.83, 0.01));
        assert_eq!(Rounding::of(&[1.0, 20.0, 300.0]).step_at(300.0), 1.0);
    }
}

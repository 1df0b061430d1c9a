//! Last digits: those of measured numbers are about uniform.

use super::{Checked, Evidence, Number, SCORES, Table, Verdict};

/// Fewest numbers of a column of which last digits say something.
const FEWEST: usize = 10;

/// How often a number that was rounded to halves of a digit ends in 0 or 5, and how often another
/// one does.
const ROUND: [f64; 2] = [0.98, 0.2];

/// Columns whose numbers end in 0 and 5 too often.
pub fn last_digits(table: &Table, checked: &mut Checked) {
    for quantity in SCORES {
        for numbers in table.columns(quantity) {
            let digits: Vec<u64> = numbers.iter().filter_map(|number| last_digit(number)).collect();
            if digits.len() < FEWEST {
                continue;
            }
            checked.applied += 1;
            let round = digits.iter().filter(|digit| **digit % 5 == 0).count();
            let others = (digits.len() - round) as f64;
            let ratio = round as f64 * (ROUND[0] / ROUND[1]).ln()
                + others * ((1.0 - ROUND[0]) / (1.0 - ROUND[1])).ln();
            let evidence = Evidence::RoundDigits { round, all: digits.len() };
            checked.add_column(&numbers, Verdict::of_ratio(ratio), evidence);
        }
    }
}

/// The last printed digit, of a number that has two significant ones.
fn last_digit(number: &Number) -> Option<u64> {
    let units = (number.digits.value / number.digits.unit).abs().round();
    (10.0..1e15).contains(&units).then_some(units as u64 % 10)
}

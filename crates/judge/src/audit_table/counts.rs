//! Rules on coverages as counts of rows.
//!
//! A coverage is the number of test rows in an interval over the number of test rows, so that a mean
//! over K splits of m rows times K m is a whole number (the test of granularity of Brown and
//! Heathers, 2017). K numbers in [0, 1] of mean c have a variance of at most c (1 − c) (Bhatia and
//! Davis, 2000), with divisor K.

use super::{Checked, Digits, Evidence, Number, Quantity, Table, Verdict};

/// The whole numbers of rows next below and above a printed share; `None` where one of them fits the
/// printed digits.
fn between(digits: Digits, rows: f64) -> Option<(f64, f64)> {
    // An error of the representation of a decimal is no evidence.
    let slack = 1e-9 * rows;
    let (least, most) = (digits.least() * rows - slack, digits.largest() * rows + slack);
    let first = least.ceil();
    (first > most).then_some((first - 1.0, first))
}

/// Coverages that are no share, or none of whole rows.
pub fn whole_numbers(table: &Table, checked: &mut Checked) {
    for number in table.numbers_of(Quantity::Coverage) {
        let printed = number.digits.value;
        if number.digits.least() > 1.0 || number.digits.largest() < 0.0 {
            checked.applied += 1;
            let evidence = Evidence::Range { printed };
            checked.findings.push(number.finding(checked.rule, Verdict::Excluded, evidence));
            continue;
        }
        let (Some(rows), Some(splits)) = (number.test_rows, number.count) else { continue };
        let all = rows as f64 * splits as f64;
        let of_mean = (number.digits, all);
        let of_splits = number.splits.iter().map(|digits| (*digits, rows as f64));
        // Where every printed number is a share, the rule says nothing.
        let telling: Vec<(Digits, f64)> = std::iter::once(of_mean)
            .chain(of_splits)
            .filter(|(digits, rows)| rows * 1.5 * digits.unit < 1.0)
            .collect();
        checked.applied += usize::from(!telling.is_empty());
        let wrong = telling.into_iter().find_map(|(digits, rows)| {
            let (below, above) = between(digits, rows)?;
            Some(Evidence::Count { printed: digits.value, rows, below, above })
        });
        if let Some(evidence) = wrong {
            checked.findings.push(number.finding(checked.rule, Verdict::Excluded, evidence));
        }
    }
}

/// Spreads that no coverages of their mean have.
pub fn variances(table: &Table, checked: &mut Checked) {
    for number in table.numbers_of(Quantity::Coverage) {
        let (Some((least, _)), Some(splits)) = (number.sd_range(), number.count) else { continue };
        if splits < 2 {
            continue;
        }
        checked.applied += 1;
        let most = most_sd(number, splits as f64);
        if least > most {
            let evidence = Evidence::Spread { mean: number.digits.value, sd: least, most };
            checked.findings.push(number.finding(checked.rule, Verdict::Excluded, evidence));
        }
    }
}

/// The largest standard deviation, with divisor K − 1, of K coverages with the printed mean of
/// `number`; `splits` is K.
fn most_sd(number: &Number, splits: f64) -> f64 {
    let (least, most) = (number.digits.least().max(0.0), number.digits.largest().min(1.0));
    // c (1 − c) is largest at the point next to a half.
    let mean = 0.5_f64.clamp(least.min(most), most.max(least));
    (mean * (1.0 - mean) * splits / (splits - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(value: f64, unit: f64) -> Digits {
        Digits { value, unit }
    }

    #[test]
    fn a_share_of_rows_is_found_and_another_number_is_not() {
        // 51 rows: 48 / 51 = 0.94118, 49 / 51 = 0.96078.
        assert_eq!(between(digits(0.9412, 1e-4), 51.0), None);
        assert_eq!(between(digits(0.9411, 1e-4), 51.0), None, "cut instead of rounded");
        assert_eq!(between(digits(0.94, 1e-2), 51.0), None);
        assert_eq!(between(digits(0.95, 1e-2), 51.0), Some((48.0, 49.0)));
        assert_eq!(between(digits(0.9500, 1e-4), 51.0), Some((48.0, 49.0)));
        // Every share of rows, printed with enough digits, passes.
        for rows in [31, 51, 1020] {
            for k in 0..=rows {
                let share = f64::from(k) / f64::from(rows);
                let printed = (share * 1e4).round() / 1e4;
                assert_eq!(between(digits(printed, 1e-4), f64::from(rows)), None, "{k} of {rows}");
            }
        }
    }

    #[test]
    fn the_largest_variance_is_that_of_all_or_nothing() {
        // Ten splits, of which nine cover everything and one nothing.
        let values: Vec<f64> = (0..10).map(|i| if i < 9 { 1.0 } else { 0.0 }).collect();
        let mean: f64 = values.iter().sum::<f64>() / 10.0;
        let sd = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 9.0).sqrt();
        let number = super::super::tests::number(Quantity::Coverage, 0.9, 1e-9);
        assert!((most_sd(&number, 10.0) - sd).abs() < 1e-6);
    }
}

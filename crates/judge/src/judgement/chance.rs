//! Compute how many printed numbers would agree with ours by chance.
//!
//! The printed numbers of a row (one dataset, one metric) are shuffled and dealt to the columns of
//! the row that print a number: each of these columns gets each number of the row, its own one too,
//! with the same probability. A word such as `none` is no number and is not dealt. The expected
//! number of agreements is the sum over columns of the share of the row's numbers with which a
//! column's mean agrees.

use uqbench_run::benchmark::Cell;

/// The probability that a number dealt to the column of `cell` agrees with its mean: `agrees` says
/// whether a printed number does. 0 for a row without numbers.
pub fn chance(cells: &[Cell], cell: &Cell, agrees: impl Fn(&Cell, f64) -> bool) -> f64 {
    let row =
        cells.iter().filter(|other| other.dataset == cell.dataset && other.metric == cell.metric);
    let dealt: Vec<bool> = row.filter_map(|other| Some(agrees(other, other.number()?))).collect();
    let agreeing = dealt.iter().filter(|agrees| **agrees).count();
    if dealt.is_empty() { 0.0 } else { agreeing as f64 / dealt.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::verdict::{Ours, judge, passes};
    use uq_core::stats::Summary;
    use uqbench_run::benchmark::{Profile, Published};

    /// The expected number of agreements of one row, whose columns have these means with a
    /// negligible spread.
    fn expected(printed: &[&str], means: &[f64]) -> f64 {
        let entry = |(i, value): (usize, &&str)| format!("d,m,{i},{value}\n");
        let row: String = printed.iter().enumerate().map(entry).collect();
        let text = format!("dataset,metric,method,value\n{row}other,m,0,9\n");
        let cells = Published::parse(&text).unwrap().cells;
        let (metric, columns) = ("mse".parse().unwrap(), cells.iter().zip(means));
        columns
            .filter(|(cell, _)| cell.number().is_some())
            .map(|(cell, mean)| {
                let own = Summary { mean: *mean, sd: Some(1e-6), n: 10 };
                chance(&cells, cell, |other, v| {
                    passes(&judge(other, v, &Ours::unpaired(own), &metric, 1.0, Profile::Full).0)
                })
            })
            .sum()
    }

    #[test]
    fn numbers_of_a_row_are_dealt_to_its_columns() {
        // The tolerance of a mean squared error is a tenth: means of 1, 2 and 4 agree with the
        // printed 1, 2 and 4 alone, so each column agrees with one number of three. The mean number
        // of fixed points of a permutation is 1.
        assert_eq!(expected(&["1.00", "2.00", "4.00"], &[1.0, 2.0, 4.0]), 1.0);
        // Of two equal numbers each column agrees with both: 2/3 + 2/3 + 1/3.
        assert!((expected(&["1.00", "1.00", "4.00"], &[1.0, 1.0, 4.0]) - 5.0 / 3.0).abs() < 1e-15);
        assert_eq!(
            expected(&["1.00", "1.00", "1.00"], &[1.0, 1.0, 1.0]),
            3.0,
            "every deal agrees everywhere"
        );
        assert_eq!(expected(&["1.00", "2.00"], &[7.0, 8.0]), 0.0);
        assert_eq!(
            expected(&["1.00"], &[1.0]),
            1.0,
            "a row of one number is dealt to its own column"
        );
    }

    #[test]
    fn words_are_not_dealt() {
        // The column that prints `none` gets no number: two numbers for two columns, as if it were
        // not there.
        assert_eq!(expected(&["1.00", "none", "4.00"], &[1.0, 1.0, 4.0]), 1.0);
        assert_eq!(expected(&["none", "none"], &[1.0, 4.0]), 0.0);
    }
}

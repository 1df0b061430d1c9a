//! Compare the distribution of a number with the one that it had before, of which a summary is kept.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Most cells of a summary.
const CELLS: usize = 10;
/// Fewest rows in a cell of the summary, but for the last numbers and what lies beyond all rows.
const FEWEST: usize = 5;
/// Smallest expected count of a cell in a test; smaller ones are put together.
const EXPECTED: f64 = 5.0;

/// The distribution of a number among rows: cells between quantiles, with their counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Histogram {
    /// Largest numbers of all cells but the last one, ascending; the first cell lies below all numbers.
    edges: Vec<f64>,
    /// Rows in each cell, one more than edges; none in the first and the last one.
    counts: Vec<u64>,
    /// Rows without a number.
    missing: u64,
}

/// How a number is distributed now, as against before.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// The p-value of Pearson's test that both samples have one distribution; `None` where nothing
    /// can be compared.
    pub p_value: Option<f64>,
    /// Half the sum of absolute differences of the shares of cells, in [0, 1].
    pub distance: f64,
    /// The cell whose share has changed most.
    pub cell: Cell,
    /// Its share before.
    pub before: f64,
    /// Its share now.
    pub now: f64,
}

/// A cell of a histogram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// Rows without a number.
    Missing,
    /// Numbers above the first one, where it is given, up to the second one, where it is given.
    Between(Option<f64>, Option<f64>),
}

impl Histogram {
    /// The summary of these numbers; NaN is a missing one.
    pub fn new(numbers: impl IntoIterator<Item = f64>) -> Self {
        let (mut known, mut missing) = (Vec::new(), 0);
        for number in numbers {
            if number.is_nan() { missing += 1 } else { known.push(number) }
        }
        known.sort_by(f64::total_cmp);
        let n = known.len();
        let size = n.div_ceil(CELLS).max(FEWEST);
        // Below the smallest number, and above the largest one, there was none.
        let (mut edges, mut counts) = (Vec::new(), vec![0]);
        edges.extend(known.first().map(|smallest| smallest.next_down()));
        let mut first = 0;
        while first < n {
            // The cell ends behind the last row of its number.
            let last = known[(first + size - 1).min(n - 1)];
            let end = known.partition_point(|number| *number <= last);
            counts.push((end - first) as u64);
            edges.push(known[end - 1]);
            first = end;
        }
        if n > 0 {
            counts.push(0);
        }
        Self { edges, counts, missing }
    }

    /// Refuses a summary that no numbers have.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), String> {
        let ascends = self.edges.windows(2).all(|pair| pair[0] < pair[1]);
        let is_finite = self.edges.iter().all(|edge| edge.is_finite());
        let is_counted = self.counts.iter().chain([&self.missing]).all(|count| *count < 1 << 53);
        if ascends && is_finite && is_counted && self.counts.len() == self.edges.len() + 1 {
            Ok(())
        } else {
            Err("a distribution that no column has".into())
        }
    }

    /// The counts of numbers in the same cells; the last one of missing ones.
    fn count(&self, numbers: impl IntoIterator<Item = f64>) -> Vec<f64> {
        let mut counts = vec![0.0; self.counts.len() + 1];
        for number in numbers {
            let place = match number.is_nan() {
                true => self.counts.len(),
                false => self.edges.partition_point(|edge| *edge < number),
            };
            counts[place] += 1.0;
        }
        counts
    }

    /// How these numbers are distributed as against those of the summary. `None` without any.
    pub fn compare(&self, numbers: impl IntoIterator<Item = f64>) -> Option<Drift> {
        let now = self.count(numbers);
        let counts = self.counts.iter().chain([&self.missing]);
        let before: Vec<f64> = counts.map(|count| *count as f64).collect();
        let totals = [&before, &now].map(|counts| counts.iter().sum::<f64>());
        if totals.contains(&0.0) {
            return None;
        }
        let share = |counts: &[f64], total: f64| -> Vec<f64> {
            counts.iter().map(|count| count / total).collect()
        };
        let [shares_before, shares_now] = [share(&before, totals[0]), share(&now, totals[1])];
        let differences: Vec<f64> =
            shares_before.iter().zip(&shares_now).map(|(before, now)| now - before).collect();
        let most = (0..differences.len())
            .max_by(|a, b| differences[*a].abs().total_cmp(&differences[*b].abs()))?;
        Some(Drift {
            p_value: p_value(&before, &now, totals),
            distance: 0.5 * differences.iter().map(|difference| difference.abs()).sum::<f64>(),
            cell: self.cell(most),
            before: shares_before[most],
            now: shares_now[most],
        })
    }

    fn cell(&self, place: usize) -> Cell {
        match place == self.counts.len() {
            true => Cell::Missing,
            false => Cell::Between(
                place.checked_sub(1).map(|place| self.edges[place]),
                self.edges.get(place).copied(),
            ),
        }
    }
}

/// Pearson's test that two samples of counts have one distribution. Cells of which one sample
/// expects too few rows are put with the next ones.
fn p_value(before: &[f64], now: &[f64], totals: [f64; 2]) -> Option<f64> {
    let smaller = totals[0].min(totals[1]) / (totals[0] + totals[1]);
    let mut cells: Vec<[f64; 2]> = Vec::new();
    let mut open = [0.0; 2];
    for (before, now) in before.iter().zip(now) {
        open = [open[0] + before, open[1] + now];
        if (open[0] + open[1]) * smaller >= EXPECTED {
            cells.push(std::mem::take(&mut open));
        }
    }
    if let Some(last) = cells.last_mut() {
        *last = [last[0] + open[0], last[1] + open[1]];
    }
    if cells.len() < 2 {
        return None;
    }
    let all = totals[0] + totals[1];
    let statistic: f64 = cells
        .iter()
        .flat_map(|cell| {
            let both = cell[0] + cell[1];
            [0, 1].map(|sample| {
                let expected = both * totals[sample] / all;
                (cell[sample] - expected).powi(2) / expected
            })
        })
        .sum();
    let law = ChiSquared::new((cells.len() - 1) as f64).ok()?;
    Some(law.sf(statistic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::{Rng, Streams, standard_normal};

    fn normal(rng: &mut Rng, rows: usize, mean: f64) -> Vec<f64> {
        (0..rows).map(|_| mean + standard_normal(rng)).collect()
    }

    #[test]
    fn equal_distributions_have_uniform_p_values_and_a_move_is_found_with_its_cell() {
        let compare = |seed: u64, mean: f64| {
            let mut rng = Streams::new(seed, "drift").stream("rows", 0);
            let before = Histogram::new(normal(&mut rng, 300, 0.0));
            before.compare(normal(&mut rng, 150, mean)).unwrap()
        };
        let small = (0..400).filter(|seed| compare(*seed, 0.0).p_value.unwrap() < 0.05).count();
        assert!((8..=36).contains(&small), "20 expected: {small}");
        let moved = compare(1, 1.0);
        assert!(moved.p_value.unwrap() < 1e-6 && moved.distance > 0.3, "{moved:?}");
        assert!(matches!(moved.cell, Cell::Between(Some(edge), _) if edge > 1.0), "{moved:?}");
        assert!(moved.before < 0.12 && moved.now > 0.25, "{moved:?}");
    }

    #[test]
    fn cells_hold_rows_of_equal_numbers_together_and_missing_ones_apart() {
        // 60 zeros, 30 ones and 10 missing cells.
        let numbers = |zeros: usize, ones: usize, missing: usize| {
            let known = [vec![0.0; zeros], vec![1.0; ones]].concat();
            [known, vec![f64::NAN; missing]].concat()
        };
        let before = Histogram::new(numbers(60, 30, 10));
        let edges = vec![0f64.next_down(), 0.0, 1.0];
        assert_eq!(before, Histogram { edges, counts: vec![0, 60, 30, 0], missing: 10 });
        let same = before.compare(numbers(600, 300, 100)).unwrap();
        assert!(same.p_value.unwrap() > 0.99 && same.distance < 1e-12, "{same:?}");
        let absent = before.compare(numbers(30, 15, 55)).unwrap();
        assert_eq!(absent.cell, Cell::Missing);
        assert!(absent.p_value.unwrap() < 1e-6 && absent.now == 0.55, "{absent:?}");
        let counts = Histogram::new((0..43).map(f64::from)).counts;
        let inner = &counts[1..counts.len() - 2];
        assert!(inner.iter().all(|count| *count >= FEWEST as u64), "{counts:?}");
        assert_eq!(counts.iter().sum::<u64>(), 43);
    }

    #[test]
    fn what_cannot_be_compared_has_no_p_value() {
        assert_eq!(Histogram::new([]).compare([1.0]), None);
        assert_eq!(Histogram::new([1.0]).compare([]), None);
        assert_eq!(Histogram::new([7.0; 50]).compare([7.0; 50]).unwrap().p_value, None);
        // What was constant, and what was rare, is seen to change.
        for before in [vec![7.0; 300], [vec![7.0; 297], vec![8.0; 3]].concat()] {
            let changed = Histogram::new(before).compare(vec![8.0; 50]).unwrap();
            assert!(changed.p_value.unwrap() < 1e-6 && changed.distance > 0.9, "{changed:?}");
        }
        let few = Histogram::new((0..100).map(f64::from)).compare([3.0, 5.0]).unwrap();
        assert_eq!(few.p_value, None);
        for wrong in [
            Histogram { edges: vec![1.0, 1.0], counts: vec![1, 1, 1], missing: 0 },
            Histogram { edges: vec![f64::NAN], counts: vec![1, 1], missing: 0 },
            Histogram { edges: vec![], counts: vec![1, 1], missing: 0 },
            Histogram { edges: vec![], counts: vec![u64::MAX], missing: 0 },
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
        assert_eq!(Histogram::new([1.0, 2.0, f64::NAN]).check(), Ok(()));
    }
}

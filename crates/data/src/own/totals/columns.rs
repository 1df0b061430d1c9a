//! Sum columns of numbers over runs of rows, and tell how likely a sum is by chance.

use crate::own::encoding::Encoding;
use crate::own::rounding::Rounding;
use uq_core::Table;

/// Relative error of sums.
const ARITHMETIC: f64 = 1e-9;
/// A total of rounded numbers may differ from that of exact ones by this multiple of the step,
/// times the root of their number.
const ROUNDING: f64 = 0.9;
/// Most columns that are looked at.
const MOST_COLUMNS: usize = 30;
/// No agreement is less likely than this: a column tells no more.
const LEAST: f64 = 1e-6;

/// What a row may be of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sum,
    Mean,
}

/// What some rows sum up to in a column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sum {
    /// Σ x.
    pub value: f64,
    /// Σ |x|.
    size: f64,
    /// Numbers that are not missing.
    count: usize,
    /// Numbers that are not zero.
    others: usize,
}

impl Sum {
    /// Adds a number; a missing one adds nothing.
    pub fn add(&mut self, x: f64) {
        if x.is_finite() {
            self.value += x;
            self.size += x.abs();
            self.count += 1;
            self.others += usize::from(x != 0.0);
        }
    }

    /// The sum without that of some of its rows.
    pub fn without(self, first: Self) -> Self {
        Self {
            value: self.value - first.value,
            size: self.size - first.size,
            count: self.count - first.count,
            others: self.others - first.others,
        }
    }
}

/// A column of numbers.
pub(super) struct Numbers {
    /// Its name.
    pub name: String,
    /// One for each row in the file's order, NaN where it is missing.
    pub values: Vec<f64>,
    rounding: Rounding,
    sorted: Vec<f64>,
    /// The mean size of a number.
    size: f64,
    /// The mean distance of a number from the one in the middle.
    spread: f64,
}

/// The plain numbers among the features of these rows, and the target.
pub(super) fn numbers(encoding: &Encoding, table: &Table, order: &[usize]) -> Vec<Numbers> {
    let mut start = 0;
    let features = encoding.columns.iter().filter_map(|column| {
        let place = start;
        start += column.width();
        let is_number = !column.is_category() && !column.is_date() && column.width() > 0;
        is_number.then(|| (column.name.clone(), table.features.column(place)))
    });
    let target = (table.target_name.clone(), table.target.view());
    let number = |(name, values): (String, ndarray::ArrayView1<f64>)| {
        Numbers::new(name, order.iter().map(|row| values[*row]).collect())
    };
    features.take(MOST_COLUMNS - 1).chain([target]).map(number).collect()
}

impl Numbers {
    fn new(name: String, values: Vec<f64>) -> Self {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let mean = |of: &dyn Fn(&f64) -> f64| {
            sorted.iter().map(of).sum::<f64>() / sorted.len().max(1) as f64
        };
        let middle = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
        let (size, spread) = (mean(&|x| x.abs()), mean(&|x| (x - middle).abs()));
        Self { name, rounding: Rounding::of(&values), values, sorted, size, spread }
    }

    /// Whether it has different numbers.
    pub fn varies(&self) -> bool {
        self.sorted.first() != self.sorted.last()
    }

    /// Whether no number is negative.
    pub fn is_positive(&self) -> bool {
        self.sorted.first().is_some_and(|least| *least >= 0.0)
    }

    /// How many steps its numbers are, and how many are different.
    pub fn fineness(&self) -> f64 {
        let different = self.sorted.chunk_by(|a, b| a == b).count() as f64;
        different * (self.size / self.step(self.size)).min(1e6).ln_1p()
    }

    /// The step of its numbers, or the error of arithmetic at a size.
    fn step(&self, size: f64) -> f64 {
        self.rounding.step().max(ARITHMETIC * size)
    }

    /// What these rows sum up to.
    pub fn summed(&self, rows: &[usize]) -> Sum {
        let mut sum = Sum::default();
        rows.iter().for_each(|row| sum.add(self.values[*row]));
        sum
    }

    /// How far from a sum of numbers a total may be.
    fn tolerance(&self, sum: Sum) -> f64 {
        self.rounding.step() * (0.5 + ROUNDING * (sum.count as f64).sqrt()) + ARITHMETIC * sum.size
    }

    /// Whether the number in a row is near a value, as half of the sum of all is.
    pub fn is_near(&self, row: usize, value: f64) -> bool {
        let all = Sum { value, size: 2.0 * value.abs(), count: self.sorted.len(), others: 0 };
        (self.values[row] - value).abs() <= self.tolerance(all)
    }

    /// How likely the number in a row is so near the sum or the mean of these rows by chance;
    /// `None` where it is not near, or where that says nothing, as where a single row is not zero.
    pub fn chance(&self, row: usize, kind: Kind, rows: &[usize], sum: Sum) -> Option<f64> {
        let x = self.values[row];
        let (expected, tolerance, step) = match kind {
            Kind::Sum => (sum.value, self.tolerance(sum), self.step(x.abs())),
            Kind::Mean => {
                let step = self.rounding.step_at(x).max(ARITHMETIC * x.abs());
                (sum.value / sum.count as f64, 0.51 * step, step)
            }
        };
        let is_told = match kind {
            Kind::Sum => x != 0.0 && sum.others > 1,
            Kind::Mean => sum.count > 1 && self.differ(rows),
        };
        let distance = (x - expected).abs();
        // NaN is no sum of anything.
        if !is_told || distance.is_nan() || distance > tolerance {
            return None;
        }
        // A number beyond all others might have been any other one of its size.
        let beyond = self
            .sorted
            .iter()
            .rev()
            .find(|other| **other != x)
            .is_none_or(|most| x > *most && kind == Kind::Sum);
        let scale = if beyond { x.abs() } else { self.spread };
        let near =
            self.near(x, distance + step / 2.0).saturating_sub(1) as f64 / self.sorted.len() as f64;
        Some(((2.0 * distance + step) / scale).max(near).clamp(LEAST, 1.0))
    }

    /// The number of rows that are so near a number.
    fn near(&self, x: f64, distance: f64) -> usize {
        let least = self.sorted.partition_point(|other| *other < x - distance);
        self.sorted.partition_point(|other| *other <= x + distance) - least
    }

    /// Whether these rows have different numbers.
    fn differ(&self, rows: &[usize]) -> bool {
        let mut present = rows.iter().map(|row| self.values[*row]).filter(|x| x.is_finite());
        let first = present.next();
        present.any(|x| Some(x) != first)
    }
}

/// The running sum of a column without negative numbers over the first rows of a list, for each
/// number of rows.
pub(super) struct Running(Vec<f64>);

impl Running {
    /// Of no row.
    pub fn new() -> Self {
        Self(vec![0.0])
    }

    /// Adds a number; a missing one adds nothing.
    pub fn push(&mut self, x: f64) {
        let last = self.0.last().copied().unwrap_or_default();
        self.0.push(if x.is_finite() { last + x } else { last });
    }

    /// Where runs to the end begin whose sum is near the number of this column in a row, at most
    /// `most` of them.
    pub fn starts(&self, numbers: &Numbers, row: usize, most: usize) -> Vec<usize> {
        let (sums, x) = (&self.0, numbers.values[row]);
        let Some(all) = sums.last().copied().filter(|_| x.is_finite() && x > 0.0) else {
            return Vec::new();
        };
        let tolerance =
            numbers.tolerance(Sum { size: 2.0 * all, count: sums.len(), ..Sum::default() });
        let first = sums.partition_point(|sum| *sum < all - x - tolerance);
        let near = sums[first..].iter().take_while(|sum| **sum <= all - x + tolerance).count();
        let mut starts: Vec<usize> = (first..first + near).collect();
        let distance = |start: &usize| (all - sums[*start] - x).abs();
        starts.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
        starts.truncate(most);
        starts
    }
}

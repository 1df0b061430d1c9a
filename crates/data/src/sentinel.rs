//! Find numbers that stand for a missing value, such as −200, 9999, the fill value of a file
//! format, or a pressure of 0.
//!
//! Such a number is the smallest or the largest of its column, several rows have it, and nothing
//! lies between it and the others:
//!
//! - *far*: it is farther from all others than these are from each other. One that programs often
//!   write so needs two rows; any other one three, ten different other values, and a gap that is
//!   five times their own gaps at this end, because levels such as 1, 2, 4, …, 1024 end with a gap
//!   of that kind, too;
//! - *nought*: it is 0 in no more than a fifth of the rows, and the others are farther from it than
//!   their middle half is wide, as weights and pressures are: 0 in more rows is a quantity that is
//!   often nought, and in a few less far is enough;
//! - *a code*: it is one of surveys, such as 77 or 98, beside a scale of a few whole numbers, or
//!   one that programs often write, alone and far from all others;
//! - *negative*: it is a negative whole number among values that are not negative;
//! - *shared*: other columns have it too, far from their other values.
//!
//! A true least value, such as no rain, the lowest grade or a price at its cap, lies next to the
//! other values.

use ndarray::ArrayView1;

/// Sizes of numbers that often stand for a missing value.
const NINES: [f64; 7] = [99.0, 999.0, 9999.0, 99_999.0, 999_999.0, 99.9, 999.9];
/// Other numbers that instruments and file formats write for a missing value.
const FILLS: [f64; 17] = [
    -200.0,
    -7777.0,
    -8888.0,
    -32_768.0,
    32_767.0,
    65_535.0,
    -2_147_483_648.0,
    2_147_483_647.0,
    4_294_967_295.0,
    1e20,
    -1e20,
    1e30,
    -1e30,
    1e36,
    3.402_823_466_385_288_6e38,
    -3.402_823_466_385_288_6e38,
    9.969_209_968_386_869e36,
];
/// Codes of surveys for answers that are none.
const CODES: [f64; 18] = [
    66.0, 77.0, 88.0, 96.0, 97.0, 98.0, 666.0, 777.0, 888.0, 996.0, 997.0, 998.0, 7777.0, 8888.0,
    9996.0, 9997.0, 9998.0, 99_998.0,
];
/// Distance of a code from the other values, in ranges of these.
const RANGES_BEFORE_CODE: f64 = 3.0;
/// The number that stands for a missing value where nothing is negative.
const MINUS_ONE: f64 = -1.0;
/// Another one of that kind, in surveys.
const MINUS_NINE: f64 = -9.0;
/// At least one row of this many has −1: fewer may be what was measured.
const ROWS_OF_MINUS_ONE: usize = 20;
/// Most numbers at one end of a column that may stand for missing values, such as 97, 98 and 99.
const MOST: usize = 4;
/// Fewest rows of a number that is not known to stand for missing values.
const FEWEST_ROWS: usize = 3;
/// Fewest different other values beside such a number.
const FEWEST_OTHERS: usize = 10;
/// How many of the nearest other values show how far apart neighbours are.
const NEAREST: usize = 10;
/// A gap of this multiple of the other values' gaps is none of theirs.
const GAPS: f64 = 5.0;
/// The same multiple for a gap before 0, which is no number at random.
const GAPS_BEFORE_ZERO: f64 = 3.0;
/// A distance from 0 of this multiple of the middle half's width is beyond chance.
const HALVES_BEFORE_ZERO: f64 = 1.75;
/// The same multiple where few rows have 0, and the others are as far from 0 as a value hardly ever
/// is.
const HALVES_BEFORE_RARE_ZERO: f64 = 0.75;
/// The multiple of the middle half's width that the median of those others is away from 0.
const HALVES_OF_MEDIAN: f64 = 2.0;
/// At most one row of this many is few.
const ROWS_OF_RARE_ZERO: usize = 20;
/// Where few rows are 0, the gap before it is wide beyond this multiple of the nearest other gaps.
const GAPS_BEFORE_RARE_ZERO: f64 = 2.0;
/// The least number that is not close to −1.
const FAR_FROM_MINUS_ONE: f64 = 10.0;
/// Where more than one row of this many is 0, it is a value of its own.
const ROWS_OF_ZERO: usize = 5;

/// The different numbers of a column in ascending order, each with its number of rows. A missing
/// one has no part in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tally(Vec<(f64, usize)>);

/// A number that probably stands for a missing value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Suspect {
    /// The number.
    pub number: f64,
    /// The rows that have it.
    pub rows: usize,
    /// The smallest and the largest other number of the column.
    pub others: (f64, f64),
}

/// The numbers of a column but for those that are suspected, and one of the latter.
struct Apart<'a> {
    rest: &'a [(f64, usize)],
    number: f64,
    rows: usize,
}

/// Whether a number probably stands for missing values among these.
pub(super) fn stands_for_missing(number: f64, values: ArrayView1<f64>) -> bool {
    Tally::of(values.iter().copied()).suspects().iter().any(|suspect| suspect.number == number)
}

impl Tally {
    /// The tally of these numbers.
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let counted =
            sorted.chunk_by(|a, b| a == b).filter_map(|equal| Some((*equal.first()?, equal.len())));
        Self(counted.collect())
    }

    /// Its numbers that probably stand for missing values, ascending.
    pub fn suspects(&self) -> Vec<Suspect> {
        let (low, high) = self.outermost();
        let rest = &self.0[low..self.0.len() - high];
        let negatives = Self::negatives(rest);
        self.ends(low + negatives, high)
    }

    /// What of a number that is suspected in other columns is suspected here, too.
    pub fn shared(&self, number: f64) -> Option<Suspect> {
        let at = self.0.iter().position(|(known, _)| *known == number)?;
        let (low, high) = match at {
            0 => (1, 0),
            at if at + 1 == self.0.len() => (0, 1),
            _ => return None,
        };
        let rest = &self.0[low..self.0.len() - high];
        let apart = Apart { rest, number, rows: self.0[at].1 };
        let is_alone = number < 0.0 && rest.first().is_some_and(|(least, _)| *least >= 0.0);
        let is_alone = is_alone && rest.last().is_some_and(|(most, _)| *most > 1.0);
        let is_it = number != 0.0 && (is_alone || apart.is_detached());
        is_it.then(|| self.ends(low, high)).and_then(|found| found.first().copied())
    }

    /// The numbers at its ends that would be suspected if another column had the same one there.
    pub fn shareable(&self) -> impl Iterator<Item = f64> {
        let ends = [self.0.first(), self.0.last()].into_iter().flatten();
        let several = ends.filter(|(_, rows)| *rows > 1).map(|(number, _)| *number);
        several.filter(|number| {
            let rest: Vec<(f64, usize)> =
                self.0.iter().copied().filter(|(other, _)| other != number).collect();
            *number != 0.0 && Apart { rest: &rest, number: *number, rows: 2 }.is_detached()
        })
    }

    /// How many numbers at the lower and at the upper end are all far from the others, as many as
    /// possible.
    fn outermost(&self) -> (usize, usize) {
        let n = self.0.len();
        let mut all: Vec<(usize, usize)> =
            (0..=MOST).flat_map(|low| (0..=MOST).map(move |high| (low, high))).collect();
        all.retain(|(low, high)| {
            let may_be = |(number, rows): &(f64, usize)| *rows > 1 || is_known(*number);
            low + high < n && self.0[..*low].iter().chain(&self.0[n - high..]).all(may_be)
        });
        all.sort_by_key(|(low, high)| std::cmp::Reverse(low + high));
        let are_far = |(low, high): &(usize, usize)| {
            let rest = &self.0[*low..n - high];
            let mut outer = self.0[..*low].iter().chain(&self.0[n - high..]);
            outer.all(|(number, rows)| Apart { rest, number: *number, rows: *rows }.is_far())
        };
        all.into_iter().find(are_far).unwrap_or((0, 0))
    }

    /// How many of the first of these numbers are negative and stand for missing values.
    fn negatives(all: &[(f64, usize)]) -> usize {
        let (negative, rest) =
            all.split_at(all.iter().take_while(|(number, _)| *number < 0.0).count());
        let rows: usize = all.iter().map(|(_, rows)| rows).sum();
        // −1, 0 and 1 are signs.
        let are_others_wide =
            rest.last().is_some_and(|(most, _)| *most > 1.0) || rest.len() >= FEWEST_OTHERS;
        let is_code = |number: f64| number.fract() == 0.0 || is_nines(number);
        let are_codes = negative
            .iter()
            .all(|(number, count)| is_code(*number) && (*count > 1 || is_nines(*number)));
        let is_sure = |(number, count): &(f64, usize)| {
            let apart = Apart { rest, number: *number, rows: *count };
            is_nines(*number)
                || (*number == MINUS_NINE && *count > 1 && apart.is_gap(GAPS))
                || (*count >= FEWEST_ROWS && rest.len() >= FEWEST_OTHERS && apart.is_gap(GAPS))
        };
        // −1 next to a short scale is its least value.
        let is_scale = rest.len() < NEAREST && rest.first().is_some_and(|(least, _)| *least <= 0.0);
        let is_minus_one = match negative.iter().rfind(|(number, _)| !is_nines(*number)) {
            Some((MINUS_ONE, count)) => {
                let is_far = rest.first().is_some_and(|(least, _)| *least >= FAR_FROM_MINUS_ONE);
                *count > 1 && !is_scale && (is_far || count * ROWS_OF_MINUS_ONE >= rows)
            }
            _ => false,
        };
        let others = negative.iter().filter(|(number, _)| !is_nines(*number)).count();
        let are_sure = negative.iter().any(is_sure) || (is_minus_one && others == 1);
        let are_few = negative.len() <= MOST;
        if are_codes && are_sure && are_few && are_others_wide { negative.len() } else { 0 }
    }

    /// The `low` smallest and the `high` largest numbers.
    fn ends(&self, low: usize, high: usize) -> Vec<Suspect> {
        let n = self.0.len();
        let rest = &self.0[low..n - high];
        let Some(((least, _), (most, _))) = rest.first().zip(rest.last()) else {
            return Vec::new();
        };
        let others = (*least, *most);
        let outer = self.0[..low].iter().chain(&self.0[n - high..]);
        outer.map(|(number, rows)| Suspect { number: *number, rows: *rows, others }).collect()
    }
}

impl Apart<'_> {
    /// Whether it is far from all other values, as numbers are that stand for missing ones.
    fn is_far(&self) -> bool {
        let (gap, range, others) = (self.gap(), self.range(), self.rest.len());
        let is_wide = gap > range && others > 1;
        let is_many = self.rows >= FEWEST_ROWS && others >= FEWEST_OTHERS;
        let is_clear = is_many && self.is_gap(GAPS);
        let is_known = is_known(self.number);
        let is_alone = is_known && others >= FEWEST_OTHERS && gap > RANGES_BEFORE_CODE * range;
        let is_code =
            CODES.contains(&self.number) && self.rows > 1 && gap > RANGES_BEFORE_CODE * range;
        let all: usize = self.rest.iter().map(|(_, rows)| rows).sum();
        // Identifiers of rows that belong together repeat as others of them do.
        let is_often = self.rows * others > 2 * all;
        let is_rare = self.rows * ROWS_OF_ZERO <= all + self.rows;
        (is_known && is_wide && self.rows > 1)
            || is_alone
            || (is_code && others > 2 && self.are_whole())
            || (self.rows > 1 && self.is_rare_zero(all))
            || (is_clear && is_often && is_wide && self.number != 0.0)
            || (is_clear && is_known && gap > range / 2.0 && gap > self.middle_half())
            || (is_many
                && is_rare
                && self.number == 0.0
                && self.is_gap(GAPS_BEFORE_ZERO)
                && gap > HALVES_BEFORE_ZERO * self.middle_half())
    }

    /// Whether it is 0 in a few rows, and as far from all others as a value hardly ever is.
    fn is_rare_zero(&self, all: usize) -> bool {
        let (gap, half) = (self.gap(), self.middle_half());
        self.number == 0.0
            && self.rest.len() >= FEWEST_OTHERS
            && self.rows * ROWS_OF_RARE_ZERO <= all + self.rows
            && self.is_gap(GAPS_BEFORE_RARE_ZERO)
            && gap > HALVES_BEFORE_RARE_ZERO * half
            && self.quantile(1, 2).abs() > HALVES_OF_MEDIAN * half
    }

    /// Whether all other values are whole.
    fn are_whole(&self) -> bool {
        self.rest.iter().all(|(value, _)| value.fract() == 0.0)
    }

    /// Whether it is so far from the other values that it is suspected if other columns have it,
    /// too.
    fn is_detached(&self) -> bool {
        let (gap, range, others) = (self.gap(), self.range(), self.rest.len());
        let is_wide = others >= FEWEST_OTHERS
            && gap > range / 2.0
            && gap > self.middle_half()
            && self.is_gap(GAPS);
        is_wide || (others > 2 && gap > GAPS * range)
    }

    /// Its distance from the nearest other value.
    fn gap(&self) -> f64 {
        let distance =
            |end: Option<&(f64, usize)>| end.map_or(0.0, |(value, _)| (self.number - value).abs());
        distance(self.rest.first()).min(distance(self.rest.last()))
    }

    /// The distance of the outermost other values.
    fn range(&self) -> f64 {
        self.rest.first().zip(self.rest.last()).map_or(0.0, |(low, high)| high.0 - low.0)
    }

    /// Whether the gap is wider than `gaps` gaps of the other values at this end.
    fn is_gap(&self, gaps: f64) -> bool {
        let is_below = self.rest.first().is_some_and(|(low, _)| self.number < *low);
        let nearest = if is_below {
            &self.rest[..self.rest.len().min(NEAREST)]
        } else {
            &self.rest[self.rest.len().saturating_sub(NEAREST)..]
        };
        let widest = nearest.windows(2).map(|pair| pair[1].0 - pair[0].0).fold(0.0, f64::max);
        self.gap() > gaps * widest
    }

    /// The distance of the quartiles of the other values.
    fn middle_half(&self) -> f64 {
        self.quantile(3, 4) - self.quantile(1, 4)
    }

    /// The value below which this fraction of the other values lies.
    fn quantile(&self, numerator: usize, denominator: usize) -> f64 {
        let all: usize = self.rest.iter().map(|(_, rows)| rows).sum();
        let mut before = 0;
        let mut cumulated = self.rest.iter().map(|(value, rows)| {
            before += rows;
            (*value, before)
        });
        cumulated
            .find(|(_, until)| *until > numerator * all / denominator)
            .map_or(0.0, |(value, _)| value)
    }
}

/// Whether it is 99, 999 or one of their kin, of either sign.
fn is_nines(number: f64) -> bool {
    NINES.contains(&number.abs())
}

/// Whether programs often write it for a missing value.
fn is_known(number: f64) -> bool {
    is_nines(number) || is_fill(number)
}

/// Whether it is a number that a format or an instrument writes for missing values; formats write
/// some of them in single precision.
fn is_fill(number: f64) -> bool {
    let is_same =
        |fill: &f64| number == *fill || (fill.abs() > 1e9 && (number / fill - 1.0).abs() < 1e-5);
    FILLS.iter().any(is_same)
}

#[cfg(test)]
mod tests;

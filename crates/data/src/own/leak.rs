//! Find a column that alone reproduces the target: a copy, a rounded share, a square, a logarithm,
//! a class of it.
//!
//! *Ranks.* A feature that rises or falls with the target as a copy does has a rank correlation of
//! ±1. A copy that is rounded to k steps of equal frequency keeps a share 1 − 1/k² of the ranks'
//! variance, and one with noise of s standard deviations loses about s². The threshold, 0.999, is
//! that of 23 steps, and of noise of 4 % of the target's spread. Of the tables that the program
//! has, none comes nearer than 0.9965 (the Froude number of yachts), and the next one is at 0.97.
//! Of a target of both signs its size is tried, too.
//!
//! *Levels.* Each row is predicted by the mean of the other rows of its level, so that a level of
//! one row explains nothing: such a level is predicted by the mean of all other rows.
//!
//! *Neighbours.* Each row is predicted on the line between the next smaller and the next larger
//! value of the feature. That finds a function that rises and falls. A row whose own value others
//! have is not predicted by them.
//!
//! *Steps.* In the order of the feature a target of few values never falls, or never rises, but for
//! a row in fifty: it is a bin or a rounding of the feature. Rows of equal values of the feature
//! count as one where their targets differ.
//!
//! A date, and a number that rises or falls from row to row, orders the rows: any trend follows it,
//! and so it is named only where its ranks are those of the target. In a table of one number the
//! target may well be a function of it.

use std::collections::HashMap;
use std::hash::Hash;

use ndarray::{ArrayView1, ArrayView2, Axis, Slice};

mod steps;

use super::column::Column;
use super::error::SHOWN;
use super::finding::{Finding, Topic};
use super::formula::formula_of_column;
use super::table::OwnTable;
use super::words::{Setting, Words};
use uq_core::math::correlation::pearson;
use uq_core::math::ordered_bits::ordered_bits;
use uq_core::math::ranks::average_ranks;
use uq_core::printable::printable;

/// Fewest rows that have a feature, for a sentence on it.
pub(super) const FEWEST: usize = 20;
/// From this rank correlation on, of either sign, a feature reproduces the target.
const ALIKE: f64 = 0.999;
/// From this rank correlation on, of either sign, a feature that orders the rows reproduces the
/// target.
const SAME: f64 = 0.99995;
/// From this share of the target's variance on, a prediction by levels or neighbours reproduces the
/// target.
const EXPLAINED: f64 = 0.999;
/// Fewest rows for each level: rows with a few others of their name, such as those of one patient,
/// are no levels.
const ROWS_OF_LEVEL: usize = 5;

/// A warning on each column that alone reproduces the target.
pub(super) fn leaks(own: &OwnTable) -> Vec<Finding> {
    let (table, columns) = (&own.table, &own.encoding.columns);
    let is_only = columns.len() == 1;
    let mut start = 0;
    let of = |column: &Column| {
        let part = Slice::from(start..start + column.width());
        let names = &table.feature_names[start..start + column.width()];
        start += column.width();
        let features = table.features.slice_axis(Axis(1), part);
        let orders = column.is_date()
            || own.dependent.as_ref().is_some_and(|of| of.labels.name == column.name);
        if column.is_category() {
            return of_levels(column, features, table.target.view()).into_iter().collect();
        }
        let each = names.iter().zip(features.columns());
        let told = each.filter_map(|(name, values)| {
            of_number(values, table.target.view(), orders, is_only).describe(name)
        });
        let with_formula = |what: String| match formula_of_column(own, &column.name) {
            Some(formula) => format!("{what}; {formula}"),
            None => what,
        };
        told.map(|what| warning(&with_formula(what), &column.name)).collect::<Vec<Finding>>()
    };
    columns.iter().flat_map(of).collect()
}

fn warning(what: &str, column: &str) -> Finding {
    let told =
        format!("{what}: if it is not known before the target is, leave its column out with ");
    let named = format!(" \"{}\", or every score is too good", printable(column, SHOWN));
    Finding::warning(Words::from(told) + Setting::Drop + named).about(Topic::Leak, [column])
}

/// The warning on a category whose levels reproduce the target.
fn of_levels(
    column: &Column,
    features: ArrayView2<f64>,
    target: ArrayView1<f64>,
) -> Option<Finding> {
    let level = |row: ArrayView1<f64>| row.iter().position(|value| *value == 1.0);
    let levels: Vec<Option<usize>> = features.rows().into_iter().map(level).collect();
    let share = by_levels(&levels, &target.to_vec()).filter(|share| *share >= EXPLAINED)?;
    let name = printable(&column.name, SHOWN);
    let what = format!(
        "the column \"{name}\" alone reproduces the target ({})",
        explained("level", share)
    );
    Some(warning(&what, &column.name))
}

fn explained(by: &str, share: f64) -> String {
    format!("the other rows of the same {by} explain {:.2} % of its variance", 100.0 * share)
}

/// How a feature reproduces the target.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Leak {
    None,
    /// It rises or falls with it: their rank correlation.
    Rises(f64),
    /// It rises or falls with the feature's size, whose sign is lost: their rank correlation.
    RisesWithSize(f64),
    /// Rows of equal values have equal targets: the share of the variance that the other ones
    /// explain.
    Levels(f64),
    /// Neighbouring values have neighbouring targets: the share that they explain.
    Follows(f64),
    /// The target is a step function of it: the share of rows.
    Steps(f64),
}

impl Leak {
    /// What the feature of this name does, if anything.
    fn describe(self, name: &str) -> Option<String> {
        let how = match self {
            Self::None => return None,
            Self::Rises(correlation) => format!("rank correlation {correlation:.4}"),
            Self::RisesWithSize(correlation) => {
                format!("rank correlation {correlation:.4} with its size, without its sign")
            }
            Self::Levels(share) => explained("value", share),
            Self::Follows(share) => {
                format!(
                    "the two neighbouring values explain {:.2} % of its variance",
                    100.0 * share
                )
            }
            Self::Steps(share) => {
                format!(
                    "it is the same from one value of the feature to another one in {:.0} % of the \
                     rows, as a bin is",
                    100.0 * share
                )
            }
        };
        Some(format!(
            "the feature \"{}\" alone reproduces the target ({how})",
            printable(name, SHOWN)
        ))
    }
}

/// How a feature reproduces the target in the rows that have it. `orders` says that it is known to
/// order the rows, `is_only` that there is no other column.
fn of_number(
    feature: ArrayView1<f64>,
    target: ArrayView1<f64>,
    orders: bool,
    is_only: bool,
) -> Leak {
    let present = feature.iter().zip(target).filter(|(x, _)| !x.is_nan());
    let (x, y): (Vec<f64>, Vec<f64>) = present.map(|(x, y)| (*x, *y)).unzip();
    if x.len() < FEWEST {
        return Leak::None;
    }
    let orders = orders || x.is_sorted() || x.iter().rev().is_sorted();
    let threshold = if orders { SAME } else { ALIKE };
    let ranks = |values: &[f64]| average_ranks(values, |_| 0.0);
    let of_x = ranks(&x);
    let correlation =
        |y: &[f64]| pearson(&of_x, &ranks(y), 0.0).filter(|found| found.abs() >= threshold);
    if let Some(found) = correlation(&y) {
        return Leak::Rises(found);
    }
    let has_signs = y.iter().any(|y| *y < 0.0) && y.iter().any(|y| *y > 0.0);
    let size = || y.iter().map(|y| y.abs()).collect::<Vec<f64>>();
    if let Some(found) = has_signs.then(size).and_then(|size| correlation(&size)) {
        return Leak::RisesWithSize(found);
    }
    if orders || is_only {
        return Leak::None;
    }
    let values: Vec<u64> = x.iter().map(|x| ordered_bits(*x)).collect();
    if let Some(share) = by_levels(&values, &y).filter(|share| *share >= EXPLAINED) {
        return Leak::Levels(share);
    }
    if let Some(share) = steps::by_steps(&x, &y) {
        return Leak::Steps(share);
    }
    by_neighbours(&x, &y).filter(|share| *share >= EXPLAINED).map_or(Leak::None, Leak::Follows)
}

/// The share of the targets' variance that the mean of the other rows of the same level explains;
/// `None` for few rows and where levels are not far fewer than rows.
fn by_levels<L: Copy + Eq + Hash>(levels: &[L], y: &[f64]) -> Option<f64> {
    let mut sums: HashMap<L, (f64, usize)> = HashMap::new();
    for (level, y) in levels.iter().zip(y) {
        let (sum, count) = sums.entry(*level).or_default();
        *sum += y;
        *count += 1;
    }
    if y.len() < FEWEST || sums.len() * ROWS_OF_LEVEL > y.len() {
        return None;
    }
    let (all, rows) = (y.iter().sum::<f64>(), y.len());
    let without = |y: f64, (sum, count): (f64, usize)| (sum - y) / (count - 1) as f64;
    let predicted = levels.iter().zip(y).map(|(level, y)| match sums.get(level) {
        Some(of) if of.1 > 1 => without(*y, *of),
        _ => without(*y, (all, rows)),
    });
    share(y, predicted)
}

/// The share of the targets' variance that the line between the neighbouring values of x explains,
/// at each value the mean target of its rows. The smallest and the largest value have one
/// neighbour. `None` for fewer than three values.
fn by_neighbours(x: &[f64], y: &[f64]) -> Option<f64> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|a, b| x[*a].total_cmp(&x[*b]));
    let groups: Vec<&[usize]> = order.chunk_by(|a, b| x[*a] == x[*b]).collect();
    let value = |group: &[usize]| x[group[0]];
    let means: Vec<f64> = groups
        .iter()
        .map(|rows| rows.iter().map(|row| y[*row]).sum::<f64>() / rows.len() as f64)
        .collect();
    let last = groups.len().checked_sub(1).filter(|last| *last > 1)?;
    let mut predicted = vec![0.0; x.len()];
    for (at, rows) in groups.iter().enumerate() {
        let mean = match at {
            0 => means[1],
            at if at == last => means[last - 1],
            at => {
                let (low, high) = (value(groups[at - 1]), value(groups[at + 1]));
                let weight = (value(rows) - low) / (high - low);
                means[at - 1] * (1.0 - weight) + means[at + 1] * weight
            }
        };
        rows.iter().for_each(|row| predicted[*row] = mean);
    }
    share(y, predicted.into_iter())
}

/// The share of the targets' variance that predictions explain; `None` where it is undefined, as
/// for equal targets.
fn share(y: &[f64], predicted: impl Iterator<Item = f64>) -> Option<f64> {
    let mean = y.iter().sum::<f64>() / y.len() as f64;
    let all: f64 = y.iter().map(|y| (y - mean).powi(2)).sum();
    let left: f64 = y.iter().zip(predicted).map(|(y, predicted)| (y - predicted).powi(2)).sum();
    Some(1.0 - left / all).filter(|share| share.is_finite())
}

#[cfg(test)]
mod tests;

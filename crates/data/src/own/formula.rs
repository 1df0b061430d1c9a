//! Find columns that together give the target by a simple formula: sums, products, ratios, shares.
//!
//! A formula counts where it gives the target to within the target's own rounding in at least 98 %
//! of the rows, also of those that do not have the most frequent target, where no column alone
//! comes near, and where no part of it can be left out. Noise that is a tenth of the target's last
//! digit is already too much for it. What is tried, on at most 500 rows:
//!
//! - weighted sums of two columns, of three of at most 30, and of all of at most 30;
//! - products of powers of two factors, and of three of at most 30 columns; a factor is a column,
//!   or 1 − x or 1 + x of a share x;
//! - of at most 60 columns the share a ÷ (a + b), the contrast (a − b) ÷ (a + b), the larger and
//!   the smaller one, √(a² + b²);
//! - of at most 30 columns a product or ratio of two and a third column, weighted and added.

mod basis;
mod sample;
mod screen;
mod weights;

use std::iter::once;

use faer::Par;
use ndarray::{Array1, Array2};

use self::basis::{Basis, Factor, Formula, Pair, Part};
use self::sample::Sample;
use self::screen::{Candidate, Scale, Screen};
use super::error::SHOWN;
use super::finding::{Finding, Topic};
use super::table::OwnTable;
use super::words::{Setting, Words};
use uq_core::math::correlation::pearson;
use uq_core::math::ranks::average_ranks;
use uq_core::printable::printable;
use uq_math::least_squares::LeastSquares;

/// Most columns of which three are tried together.
const MOST_OF_THREE: usize = 30;
/// Most columns of which shares and the like are tried.
const MOST_OF_PAIRS: usize = 60;
/// Most factors 1 − x and 1 + x.
const MOST_SHARES: usize = 12;
/// From this rank correlation on, of either sign, a column alone is the target, and belongs to no
/// formula.
const ALONE: f64 = 0.99995;
/// Most formulas that are told.
const MOST_FORMULAS: usize = 3;
/// A smaller constant is the rounding error of the target's largest value.
const NO_CONSTANT: f64 = 1e-12;
/// Powers are whole or halves where they come so near.
const NEAR_POWER: f64 = 0.06;
/// Largest power.
const LARGEST_POWER: f64 = 4.0;

/// A warning on each group of columns that give the target.
pub(super) fn formulas(own: &OwnTable) -> Vec<Finding> {
    let Some(sample) = Sample::of(own, 2) else { return Vec::new() };
    let all_rows = || 0..sample.target.len();
    let told = |formula: &Formula| {
        let [fits, rows] = sample.fits(formula, all_rows(), SLACK_OF_ALL)?;
        Some(warning(&sample, own, formula, [fits, rows]))
    };
    search(&sample).iter().filter_map(told).collect()
}

/// What the target is by one column alone, such as 1.8 × "x" + 32; `None` where it is no line and
/// no power of it.
pub(super) fn formula_of_column(own: &OwnTable, name: &str) -> Option<String> {
    let sample = Sample::of(own, 1)?;
    let names = sample.names();
    let column = names.iter().position(|known| *known == name)?;
    let whole = [Factor::whole(column)];
    let functions = once(Basis::column(column)).chain(powers(&sample, &whole, &sample.rows));
    let mut found =
        functions.filter_map(|basis| weights::formula(&sample, &[basis], &sample.rows)).next()?;
    // Least squares leaves rounding errors.
    let largest = sample.target.iter().fold(0.0, |most: f64, y| most.max(y.abs()));
    if found.constant.abs() <= NO_CONSTANT * largest {
        found.constant = 0.0;
    }
    let target = printable(&own.table.target_name, SHOWN);
    Some(format!("\"{target}\" = {}", printable(&found.words(&names), 300)))
}

/// How much of its rounding the target may be missed by when the formula is counted in all rows.
const SLACK_OF_ALL: f64 = 1.3;

fn warning(
    sample: &Sample,
    own: &OwnTable,
    formula: &Formula,
    [fits, rows]: [usize; 2],
) -> Finding {
    let names = sample.names();
    let columns: Vec<&str> =
        formula.columns().iter().filter_map(|column| names.get(*column).copied()).collect();
    let shown: Vec<String> =
        columns.iter().map(|name| format!("\"{}\"", printable(name, SHOWN))).collect();
    let first = shown.first().cloned().unwrap_or_default();
    let told = format!(
        "the columns {} together give the target: \"{}\" = {} in {fits} of {rows} rows, to the \
         last digit: if they are not all known before the target is, leave out those that are not, \
         as by ",
        shown.join(" and "),
        printable(&own.table.target_name, SHOWN),
        printable(&formula.words(&names), 300)
    );
    Finding::warning(
        Words::from(told) + Setting::Drop + format!(" {first}, or every score is too good"),
    )
    .about(Topic::Leak, columns)
}

/// A search for formulas of one form among columns.
type Stage = fn(&Sample, &[usize], &mut Vec<Formula>);

/// Formulas of different columns, the simplest first.
fn search(sample: &Sample) -> Vec<Formula> {
    let columns: Vec<usize> =
        (0..sample.columns.len()).filter(|column| !is_alone(sample, *column)).collect();
    let mut found = Vec::new();
    let stages: [Stage; 6] =
        [sums_of_two, products_of_two, pairs, sums_of_more, products_of_three, products_and_column];
    for stage in stages {
        stage(sample, &columns, &mut found);
        if found.len() >= MOST_FORMULAS {
            break;
        }
    }
    found.truncate(MOST_FORMULAS);
    found
}

/// Whether a column is the target by itself, in other units or on another scale.
fn is_alone(sample: &Sample, column: usize) -> bool {
    let values = &sample.columns[column].values;
    let present = sample.rows.iter().filter(|row| values[**row].is_finite());
    let (x, y): (Vec<f64>, Vec<f64>) =
        present.map(|row| (values[*row], sample.target[*row])).unzip();
    let ranks = |values: &[f64]| average_ranks(values, |_| 0.0);
    pearson(&ranks(&x), &ranks(&y), 0.0).is_some_and(|found| found.abs() >= ALONE)
        || weights::formula(sample, &[Basis::column(column)], &sample.rows).is_some()
}

/// Takes a formula whose columns belong to none that was found before.
fn take(found: &mut Vec<Formula>, formula: Option<Formula>) {
    let Some(formula) = formula else { return };
    let taken: Vec<usize> = found.iter().flat_map(Formula::columns).collect();
    let columns = formula.columns();
    if columns.len() > 1 && !columns.iter().any(|column| taken.contains(column)) {
        found.push(formula);
    }
}

/// Looks closely at candidates, each of which is a sum of functions.
fn take_sums(
    sample: &Sample,
    functions: &[Basis],
    candidates: Vec<Candidate>,
    found: &mut Vec<Formula>,
) {
    for Candidate { places, rows, .. } in candidates {
        let chosen: Vec<Basis> = places.iter().map(|place| functions[*place].clone()).collect();
        take(found, weights::formula(sample, &chosen, rows));
    }
}

fn sums_of_two(sample: &Sample, columns: &[usize], found: &mut Vec<Formula>) {
    let functions: Vec<Basis> = columns.iter().map(|column| Basis::column(*column)).collect();
    let screen = Screen::of(sample, &functions, Scale::Plain);
    take_sums(sample, &functions, screen.promising(|| twos(functions.len())), found);
}

/// Weighted sums of three columns, and of all with as few as possible.
fn sums_of_more(sample: &Sample, columns: &[usize], found: &mut Vec<Formula>) {
    if columns.len() > MOST_OF_THREE || columns.len() < 3 {
        return;
    }
    let functions: Vec<Basis> = columns.iter().map(|column| Basis::column(*column)).collect();
    let screen = Screen::of(sample, &functions, Scale::Plain);
    take_sums(sample, &functions, screen.promising(|| threes(functions.len())), found);
    let sum = |functions: &[Basis]| weights::weighted(sample, functions, &sample.rows);
    if !found.is_empty() || sum(&functions).is_none() {
        return;
    }
    let mut kept = functions;
    let mut place = 0;
    while place < kept.len() && kept.len() > 2 {
        let mut fewer = kept.clone();
        fewer.remove(place);
        if sum(&fewer).is_some() { kept = fewer } else { place += 1 }
    }
    take(found, weights::formula(sample, &kept, &sample.rows));
}

fn products_of_two(sample: &Sample, columns: &[usize], found: &mut Vec<Formula>) {
    products(sample, columns, |screen, count| screen.promising(|| twos(count)), found);
}

fn products_of_three(sample: &Sample, columns: &[usize], found: &mut Vec<Formula>) {
    if columns.len() <= MOST_OF_THREE {
        products(sample, columns, |screen, count| screen.promising(|| threes(count)), found);
    }
}

fn products(
    sample: &Sample,
    columns: &[usize],
    choose: impl for<'s> Fn(&'s Screen, usize) -> Vec<Candidate<'s>>,
    found: &mut Vec<Formula>,
) {
    let factors = factors(sample, columns);
    let functions: Vec<Basis> =
        factors.iter().map(|factor| Basis::Product(vec![(*factor, 1.0)])).collect();
    let screen = Screen::of(sample, &functions, Scale::Logarithm);
    for Candidate { places, rows, .. } in choose(&screen, factors.len()) {
        let chosen: Vec<Factor> = places.iter().map(|place| factors[*place]).collect();
        let formula = powers(sample, &chosen, rows)
            .into_iter()
            .find_map(|product| weights::formula(sample, &[product], rows));
        take(found, formula);
    }
}

/// The columns, and what shares leave and add.
fn factors(sample: &Sample, columns: &[usize]) -> Vec<Factor> {
    let unit = |column: usize| {
        let values = sample
            .rows
            .iter()
            .map(|row| sample.columns[column].values[*row])
            .filter(|x| x.is_finite());
        let [least, most] = values
            .fold([f64::INFINITY, 0.0], |[least, most]: [f64; 2], x| [least.min(x), most.max(x)]);
        match (least >= 0.0, most) {
            (true, most) if most <= 1.0 => Some(1.0),
            (true, most) if most <= 100.0 => Some(100.0),
            _ => None,
        }
    };
    let of_share = |column: &usize| Some((*column, unit(*column)?));
    let shares: Vec<(usize, f64)> = columns.iter().filter_map(of_share).take(MOST_SHARES).collect();
    let parts = shares.iter().flat_map(|(column, unit)| {
        [Part::Less(*unit), Part::More(*unit)].map(|part| Factor { column: *column, part })
    });
    columns.iter().map(|column| Factor::whole(*column)).chain(parts).collect()
}

/// The product of powers that comes nearest in these rows: with whole powers or halves, and with
/// any.
fn powers(sample: &Sample, factors: &[Factor], rows: &[usize]) -> Vec<Basis> {
    let log = |factor: &Factor, row: usize| {
        factor.of(sample.columns[factor.column].values[row]).abs().ln()
    };
    let design =
        Array2::from_shape_fn((rows.len(), factors.len()), |(i, j)| log(&factors[j], rows[i]));
    let outcome: Array1<f64> = rows.iter().map(|row| sample.target[*row].abs().ln()).collect();
    let Ok(LeastSquares { slopes, .. }) =
        LeastSquares::fit(design.view(), outcome.view(), Par::Seq)
    else {
        return Vec::new();
    };
    let near = |power: f64| {
        Some((2.0 * power).round() / 2.0).filter(|half| (half - power).abs() <= NEAR_POWER)
    };
    let product = |powers: Vec<f64>| Basis::Product(factors.iter().copied().zip(powers).collect());
    let is_power = |powers: &Vec<f64>| {
        powers.iter().all(|power| *power != 0.0 && power.abs() <= LARGEST_POWER)
    };
    let exact: Option<Vec<f64>> = slopes.iter().map(|power| near(*power)).collect();
    // A part of a share that is raised to a power is no known formula.
    let is_free = factors.iter().all(|factor| factor.part == Part::Whole);
    let any = is_free.then(|| slopes.iter().map(|power| basis::rounded(*power, 3)).collect());
    exact.into_iter().chain(any).filter(is_power).map(product).collect()
}

fn pairs(sample: &Sample, columns: &[usize], found: &mut Vec<Formula>) {
    if columns.len() > MOST_OF_PAIRS {
        return;
    }
    let of = |[a, b]: [usize; 2]| {
        let each =
            Pair::ALL.into_iter().map(move |pair| Basis::Pair(pair, [columns[a], columns[b]]));
        // The share of the other one is what the share of this one leaves.
        each.chain(once(Basis::Pair(Pair::Share, [columns[b], columns[a]])))
    };
    let functions: Vec<Basis> = twos(columns.len()).flat_map(of).collect();
    let screen = Screen::of(sample, &functions, Scale::Plain);
    take_sums(sample, &functions, screen.promising(|| ones(functions.len())), found);
}

/// A product or ratio of two columns alone or with a third column or one of both.
fn products_and_column(sample: &Sample, columns: &[usize], found: &mut Vec<Formula>) {
    if columns.len() > MOST_OF_THREE {
        return;
    }
    let count = columns.len();
    let of = |[a, b]: [usize; 2]| {
        let (a, b) = (Factor::whole(columns[a]), Factor::whole(columns[b]));
        [vec![(a, 1.0), (b, 1.0)], vec![(a, 1.0), (b, -1.0)], vec![(b, 1.0), (a, -1.0)]]
            .map(Basis::Product)
    };
    let products: Vec<Basis> = twos(count).flat_map(of).collect();
    let functions: Vec<Basis> =
        columns.iter().map(|column| Basis::column(*column)).chain(products).collect();
    let screen = Screen::of(sample, &functions, Scale::Plain);
    let alone = screen.promising(|| ones(functions.len()));
    take_sums(sample, &functions, alone, found);
    let all = functions.len();
    let with_column = || -> Box<dyn Iterator<Item = [usize; 2]>> {
        Box::new(
            (0..count).flat_map(move |column| (count..all).map(move |product| [product, column])),
        )
    };
    take_sums(sample, &functions, screen.promising(with_column), found);
}

fn ones(count: usize) -> Box<dyn Iterator<Item = [usize; 1]>> {
    Box::new((0..count).map(|a| [a]))
}

fn twos(count: usize) -> Box<dyn Iterator<Item = [usize; 2]>> {
    Box::new((0..count).flat_map(move |a| (a + 1..count).map(move |b| [a, b])))
}

fn threes(count: usize) -> Box<dyn Iterator<Item = [usize; 3]>> {
    Box::new((0..count).flat_map(move |a| {
        (a + 1..count).flat_map(move |b| (b + 1..count).map(move |c| [a, b, c]))
    }))
}

#[cfg(test)]
mod tests;

//! Find rows of totals: the sums or means of other rows, at the end, at the beginning, or after or
//! before each group.
//!
//! Rows are taken in the order of the file. A row is a total where, in several columns, its number
//! is the sum of a run of rows above it that ends at it, totals left out; of a run below it; or of
//! all other rows. How likely that is by chance is estimated from the numbers of the column. A
//! single column is enough beside a label such as "Total", or beside a cell that no other row
//! leaves empty; a label alone is not.

mod columns;
mod label;

use std::collections::{BTreeMap, BTreeSet};

use self::columns::{Kind, Numbers, Running, Sum};
use self::label::labels;
use super::cells::Cells;
use super::encoding::Encoding;
use super::error::SHOWN;
use super::finding::{Finding, Topic};
use uq_core::Table;
use uq_core::printable::printable;

/// Of this many tables of rows without a label, one is warned of by chance.
const RARE: f64 = 1000.0;
/// Of this many tables, one is warned of by chance for each row with a label.
const RARE_LABELLED: f64 = 300.0;
/// Fewest rows of a sum.
const FEWEST: usize = 2;
/// Most rows at either end that may be totals beside each other, as a sum and a mean.
const MOST_AT_END: usize = 4;
/// Most runs of rows that are looked at, where several have one sum in the first column.
const MOST_RUNS: usize = 8;
/// Most lines that a warning names.
const MOST_SHOWN: usize = 8;

/// A row of totals.
#[derive(Clone, Debug, PartialEq)]
struct Total {
    kind: Kind,
    /// The number of rows that it sums up.
    rows: usize,
    /// The columns in which it does.
    columns: Vec<usize>,
}

/// The numbers of a file's rows in its order.
struct Rows {
    columns: Vec<Numbers>,
    labelled: Vec<bool>,
    /// The column without a negative number that tells sums apart best.
    key: Option<usize>,
}

/// A warning on the rows that sum up others.
pub(super) fn totals(cells: &Cells, encoding: &Encoding, table: &Table) -> Option<Finding> {
    let mut order: Vec<usize> = (0..table.rows()).collect();
    order.sort_by_key(|row| cells.rows[*row].place.number());
    let rows = Rows::of(cells, encoding, table, &order);
    let found = rows.totals();
    let columns: Vec<usize> = {
        let mut all: Vec<usize> = found.values().flat_map(|total| total.columns.clone()).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let name = |column: &usize| rows.columns[*column].name.clone();
    let shown: Vec<String> =
        columns.iter().map(|column| format!("\"{}\"", printable(&name(column), SHOWN))).collect();
    let line = |(row, total): (&usize, &Total)| {
        let what = if total.kind == Kind::Sum { "sum" } else { "mean" };
        format!("{} ({what} of {} rows)", cells.rows[order[*row]].place, total.rows)
    };
    let lines: Vec<String> = found.iter().take(MOST_SHOWN).map(line).collect();
    let more = if found.len() > MOST_SHOWN {
        format!(" and {} more", found.len() - MOST_SHOWN)
    } else {
        String::new()
    };
    let rows_are = if found.len() == 1 {
        "1 row sums".to_owned()
    } else {
        format!("{} rows sum", found.len())
    };
    (!found.is_empty()).then(|| {
        Finding::warning(format!(
            "{rows_are} up other rows in {}: {}{more}: delete lines of totals, which are no rows \
             like the others, and are tested and fitted as such",
            printable(&shown.join(", "), 200),
            lines.join(", ")
        ))
        .about(Topic::Total, columns.iter().map(name))
    })
}

impl Rows {
    fn of(cells: &Cells, encoding: &Encoding, table: &Table, order: &[usize]) -> Self {
        let mut columns = columns::numbers(encoding, table, order);
        columns.retain(Numbers::varies);
        let labelled =
            labels(cells, &columns.iter().map(|column| column.name.as_str()).collect(), order);
        let positive = (0..columns.len()).filter(|column| columns[*column].is_positive());
        let key = positive.max_by(|a, b| columns[*a].fineness().total_cmp(&columns[*b].fineness()));
        Self { columns, labelled, key }
    }

    fn len(&self) -> usize {
        self.labelled.len()
    }

    /// All rows of totals.
    fn totals(&self) -> BTreeMap<usize, Total> {
        let mut found = BTreeMap::new();
        if self.columns.is_empty() {
            return found;
        }
        let all: Vec<usize> = (0..self.len()).collect();
        self.pass(&all, &mut found);
        let reversed: Vec<usize> = all.iter().rev().copied().collect();
        self.pass(&reversed, &mut found);
        self.at_ends(&mut found);
        self.anywhere(&mut found);
        found
    }

    /// Sums and means of the rows before each row, in an order. What is found is no part of later
    /// sums.
    fn pass(&self, order: &[usize], found: &mut BTreeMap<usize, Total>) {
        let mut plain: Vec<usize> = Vec::with_capacity(self.len());
        let mut running = Running::new();
        let already: BTreeSet<usize> = found.keys().copied().collect();
        // The rows that no total has summed up: where they begin, and their sums.
        let (mut group, mut of_group) = (0, vec![Sum::default(); self.columns.len()]);
        for &row in order.iter().filter(|row| !already.contains(row)) {
            let starts = self
                .key
                .map(|key| running.starts(&self.columns[key], row, MOST_RUNS))
                .unwrap_or_default();
            let of_run = |start: usize| {
                let run = plain.get(start..).filter(|run| run.len() >= FEWEST)?;
                self.judge_both(row, run, |column| self.columns[column].summed(run))
            };
            let of_all = || {
                plain
                    .get(group..)
                    .and_then(|run| self.judge_both(row, run, |column| of_group[column]))
            };
            if let Some(total) = starts.into_iter().find_map(of_run).or_else(of_all) {
                found.insert(row, total);
                group = plain.len();
                of_group.fill(Sum::default());
                continue;
            }
            plain.push(row);
            self.key.iter().for_each(|key| running.push(self.columns[*key].values[row]));
            of_group
                .iter_mut()
                .zip(&self.columns)
                .for_each(|(sum, column)| sum.add(column.values[row]));
        }
    }

    /// Sums and means of all rows between some at the ends, as these are where several lines sum up
    /// a table.
    fn at_ends(&self, found: &mut BTreeMap<usize, Total>) {
        let plain: Vec<usize> = (0..self.len()).filter(|row| !found.contains_key(row)).collect();
        let all: Vec<Sum> = self.columns.iter().map(|column| column.summed(&plain)).collect();
        for (head, tail) in
            (0..=MOST_AT_END).flat_map(|head| (0..=MOST_AT_END).map(move |tail| (head, tail)))
        {
            if head + tail == 0 || head + tail + FEWEST > plain.len() {
                continue;
            }
            let (before, rest) = plain.split_at(head);
            let (inner, after) = rest.split_at(rest.len() - tail);
            let outer: Vec<usize> = [before, after].concat();
            if outer.iter().any(|row| found.contains_key(row)) {
                continue;
            }
            let of = |column: usize| all[column].without(self.columns[column].summed(&outer));
            let totals =
                outer.iter().filter_map(|row| Some((*row, self.judge_both(*row, inner, of)?)));
            found.extend(totals.collect::<Vec<_>>());
        }
    }

    /// Sums of all other rows, wherever they stand, as in a sorted table.
    fn anywhere(&self, found: &mut BTreeMap<usize, Total>) {
        let plain: Vec<usize> = (0..self.len()).filter(|row| !found.contains_key(row)).collect();
        let all: Vec<Sum> = self.columns.iter().map(|column| column.summed(&plain)).collect();
        let Some(key) = self.key.filter(|_| plain.len() > FEWEST) else { return };
        let is_half = |row: &&usize| self.columns[key].is_near(**row, all[key].value / 2.0);
        for row in plain.iter().filter(is_half) {
            let others: Vec<usize> = plain.iter().copied().filter(|other| other != row).collect();
            let of = |column: usize| self.columns[column].summed(&others);
            if let Some(total) = self.judge(*row, Kind::Sum, &others, of) {
                found.insert(*row, total);
            }
        }
    }

    /// Whether a row is the sum of these rows, or else their mean.
    fn judge_both(
        &self,
        row: usize,
        rows: &[usize],
        of: impl Fn(usize) -> Sum + Copy,
    ) -> Option<Total> {
        [Kind::Sum, Kind::Mean].into_iter().find_map(|kind| self.judge(row, kind, rows, of))
    }

    /// Whether a row is the sum or the mean of these rows, whose sum in a column `of` gives, in
    /// enough columns.
    fn judge(
        &self,
        row: usize,
        kind: Kind,
        rows: &[usize],
        of: impl Fn(usize) -> Sum,
    ) -> Option<Total> {
        let has_value = |column: &usize| self.columns[*column].values[row].is_finite();
        let known: Vec<usize> = (0..self.columns.len()).filter(has_value).collect();
        let chance = |column: &usize| {
            Some((*column, self.columns[*column].chance(row, kind, rows, of(*column))?))
        };
        let agreeing: Vec<(usize, f64)> = known.iter().filter_map(chance).collect();
        let columns: Vec<usize> = agreeing.iter().map(|(column, _)| *column).collect();
        let is_labelled = self.labelled[row];
        let are_enough = columns.len() >= 2 || (columns.len() == 1 && is_labelled);
        // A mean lies among the numbers themselves, so that some column agrees by chance.
        let is_whole = kind == Kind::Sum || columns.len() == known.len();
        if !are_enough || !is_whole {
            return None;
        }
        let evidence = -agreeing.iter().map(|(_, chance)| chance.ln()).sum::<f64>()
            - choices(known.len(), columns.len());
        let needed = if is_labelled { RARE_LABELLED.ln() } else { (RARE * self.len() as f64).ln() };
        (evidence >= needed).then_some(Total { kind, rows: rows.len(), columns })
    }
}

/// The logarithm of the number of ways to choose `chosen` of `all` columns.
fn choices(all: usize, chosen: usize) -> f64 {
    (0..chosen).map(|i| ((all - i) as f64 / (i + 1) as f64).ln()).sum()
}

#[cfg(test)]
mod tests;

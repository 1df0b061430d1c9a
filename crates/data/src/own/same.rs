//! Recognise one table under several names: under other headings or separators, in other types,
//! pasted below itself, or with further columns.
//!
//! Tests over datasets count each dataset as one observation, so that a table which is there twice
//! makes them too sure.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::finding::{Finding, Topic};
use uq_core::Table;

/// What the numbers of a table are, whatever the order of its rows and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableNumbers {
    /// How often each row is there.
    times: usize,
    /// Number of rows, each of which counts once.
    rows: usize,
    /// Of the target.
    target: u64,
    /// Of each feature together with the target, ascending.
    features: Vec<u64>,
}

impl TableNumbers {
    /// The numbers of a table. Numbers count as equal where they are in single precision.
    pub fn of(table: &Table) -> Self {
        let bits = |number: f64| {
            if number.is_nan() { f32::NAN.to_bits() } else { (number as f32 + 0.0).to_bits() }
        };
        let target: Vec<u32> = table.target.iter().map(|y| bits(*y)).collect();
        let row = |i: usize| {
            table.features.row(i).iter().map(|x| bits(*x)).chain([target[i]]).collect::<Vec<u32>>()
        };
        let mut rows: Vec<Vec<u32>> = (0..target.len()).map(row).collect();
        rows.sort_unstable();
        let counts: Vec<usize> = rows.chunk_by(|a, b| a == b).map(<[Vec<u32>]>::len).collect();
        let times = counts.iter().copied().fold(0, greatest_common_divisor).max(1);
        let once: Vec<Vec<u32>> = rows.into_iter().step_by(times).collect();
        let pairs = |column: usize| {
            let mut pairs: Vec<(u32, u32)> =
                once.iter().filter_map(|row| Some((*row.get(column)?, *row.last()?))).collect();
            pairs.sort_unstable();
            hashed(&pairs)
        };
        let mut features: Vec<u64> = (0..table.columns()).map(pairs).collect();
        features.sort_unstable();
        Self { times, rows: once.len(), target: pairs(table.columns()), features }
    }

    /// Whether two tables have the same rows and the same target, and all features of one are
    /// features of the other.
    pub fn is_same(&self, other: &Self) -> bool {
        let (fewer, more) =
            if self.features.len() <= other.features.len() { (self, other) } else { (other, self) };
        let mut left = more.features.iter();
        let is_part = !fewer.features.is_empty()
            && fewer.features.iter().all(|feature| left.any(|known| known == feature));
        (self.rows, self.target) == (other.rows, other.target) && is_part
    }
}

fn hashed(numbers: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    numbers.hash(&mut hasher);
    hasher.finish()
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// For each table the first one that has the same numbers; `None` for that one, and for a table of
/// its own.
pub fn first_same(tables: &[Option<&TableNumbers>]) -> Vec<Option<usize>> {
    let first = |i: usize| {
        let own = tables[i]?;
        tables[..i].iter().position(|earlier| earlier.is_some_and(|earlier| own.is_same(earlier)))
    };
    (0..tables.len()).map(first).collect()
}

/// A warning for each table that several of these datasets have; the datasets are given by their
/// names.
pub fn same_tables(datasets: &[(&str, &TableNumbers)]) -> Vec<Finding> {
    let tables: Vec<Option<&TableNumbers>> =
        datasets.iter().map(|(_, numbers)| Some(*numbers)).collect();
    let firsts = first_same(&tables);
    let of_first = |first: usize| {
        let others: Vec<usize> = (0..firsts.len()).filter(|i| firsts[*i] == Some(first)).collect();
        let names = || std::iter::once(first).chain(others.iter().copied()).map(|i| datasets[i].0);
        let quoted: Vec<String> = names().map(|name| format!("\"{name}\"")).collect();
        let pasted = others.iter().chain([&first]).filter(|i| datasets[**i].1.times > 1);
        let pasted: Vec<String> = pasted
            .map(|i| {
                format!("; \"{}\" has each row {} times", datasets[*i].0, datasets[*i].1.times)
            })
            .collect();
        let finding = Finding::warning(format!(
            "the datasets {} have the same numbers{}: they are one dataset, and tests over \
             datasets count them once",
            quoted.join(", "),
            pasted.concat()
        ));
        (!others.is_empty()).then(|| finding.about(Topic::Copies, names()))
    };
    (0..datasets.len()).filter_map(of_first).collect()
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    fn table(rows: &[[f64; 3]]) -> Table {
        let features = Array2::from_shape_fn((rows.len(), 2), |(i, j)| rows[i][j]);
        Table::unnamed(features, rows.iter().map(|row| row[2]).collect())
    }

    fn numbers(rows: &[[f64; 3]]) -> TableNumbers {
        TableNumbers::of(&table(rows))
    }

    #[test]
    fn one_table_is_known_in_other_orders_types_and_with_further_columns() {
        let rows: Vec<[f64; 3]> =
            (0..40).map(f64::from).map(|i| [i.sqrt(), (i * 37.0) % 11.0, i.sin()]).collect();
        let own = numbers(&rows);
        let reversed: Vec<[f64; 3]> = rows.iter().rev().copied().collect();
        let swapped: Vec<[f64; 3]> = rows.iter().map(|[a, b, y]| [*b, *a, *y]).collect();
        let single: Vec<[f64; 3]> =
            rows.iter().map(|row| row.map(|number| f64::from(number as f32))).collect();
        for (other, times) in [
            (&reversed, 1),
            (&swapped, 1),
            (&single, 1),
            (&[rows.clone(), rows.clone()].concat(), 2),
            (&rows.iter().flat_map(|row| [*row; 3]).collect(), 3),
        ] {
            let other = numbers(other);
            assert!(own.is_same(&other) && other.is_same(&own) && other.times == times);
        }
        let wide = Array2::from_shape_fn((40, 3), |(i, j)| rows[i][j]);
        let wide = Table::unnamed(wide, table(&rows).target);
        assert!(TableNumbers::of(&wide).is_same(&own), "the target as a feature");
        let permuted: Vec<[f64; 3]> =
            (0..40).map(|i| [rows[i][0], rows[i][1], rows[(i + 7) % 40][2]]).collect();
        let other_target: Vec<[f64; 3]> = rows.iter().map(|[a, b, y]| [*a, *b, y * 2.0]).collect();
        let other_features: Vec<[f64; 3]> =
            rows.iter().map(|[a, b, y]| [a + 1.0, *b, *y]).collect();
        for other in [&permuted, &other_target, &other_features, &rows[..39].to_vec()] {
            assert!(!own.is_same(&numbers(other)));
        }
    }

    #[test]
    fn a_warning_names_the_datasets_of_each_table() {
        let a = numbers(&[[1.0, 2.0, 3.0], [2.0, 2.0, 5.0]]);
        let b = numbers(&[[1.0, 2.0, 4.0], [2.0, 2.0, 5.0]]);
        let found = same_tables(&[("a", &a), ("b", &b), ("again", &a), ("once more", &a)]);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].topic, &found[0].columns[..]),
            (Topic::Copies, &["a", "again", "once more"].map(str::to_owned)[..])
        );
        assert!(same_tables(&[("a", &a), ("b", &b)]).is_empty());
        assert_eq!(first_same(&[Some(&a), None, Some(&b), Some(&a)]), [None, None, None, Some(0)]);
    }
}

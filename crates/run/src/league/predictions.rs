//! Hold the predictions of an entry as columns of numbers in the order of its board, hash their
//! values, and write them as one file.

use polars_arrow::array::{PrimitiveArray, Utf8ViewArray};
use sha2::{Digest, Sha256};

use uqbench_data::columns::{Columns, Compression};
use uqbench_system::hash::hexadecimal;

/// The predictions of one split, which follow each other in the order of its test rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The dataset's key.
    pub dataset: String,
    /// The split, from 0.
    pub split: u64,
    /// Number of test rows.
    pub rows: usize,
}

/// Predictions of n rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Predictions {
    /// What the rows are of: all rows of the first split, then those of the next one.
    pub parts: Vec<Part>,
    /// The columns, each n, under the names that their form has.
    pub columns: Vec<(String, Vec<f64>)>,
}

impl Predictions {
    /// SHA-256 of the values: the same for the same predictions, however they were written.
    pub fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        let count = |hash: &mut Sha256, number: usize| hash.update((number as u64).to_le_bytes());
        count(&mut hash, self.parts.len());
        for Part { dataset, split, rows } in &self.parts {
            count(&mut hash, dataset.len());
            hash.update(dataset);
            hash.update(split.to_le_bytes());
            count(&mut hash, *rows);
        }
        for (name, values) in &self.columns {
            count(&mut hash, name.len());
            hash.update(name);
            for value in values {
                // Both zeros are one.
                hash.update((value + 0.0).to_bits().to_le_bytes());
            }
        }
        hexadecimal(&hash.finalize())
    }

    /// The file: `dataset`, `split` and `row` of each prediction, then its columns.
    ///
    /// # Errors
    /// The message of the library.
    pub fn to_parquet(&self) -> Result<Vec<u8>, String> {
        let (mut splits, mut rows) = (Vec::new(), Vec::new());
        for part in &self.parts {
            splits.extend(std::iter::repeat_n(part.split as i64, part.rows));
            rows.extend(0..part.rows as i64);
        }
        let names: Vec<&str> = self
            .parts
            .iter()
            .flat_map(|part| std::iter::repeat_n(part.dataset.as_str(), part.rows))
            .collect();
        let mut columns = Columns::default();
        columns.add("dataset", Utf8ViewArray::from_slice_values(names).boxed());
        columns.add("split", PrimitiveArray::from_vec(splits).boxed());
        columns.add("row", PrimitiveArray::from_vec(rows).boxed());
        for (name, values) in &self.columns {
            columns.add(name, PrimitiveArray::from_vec(values.clone()).boxed());
        }
        let compression = Compression::Zstd(None);
        columns.to_parquet_by(compression).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_data::number_file::{Limits, NumberFile};

    fn predictions() -> Predictions {
        let part = |dataset: &str, split| Part { dataset: dataset.into(), split, rows: 2 };
        Predictions {
            parts: vec![part("a", 0), part("b", 3)],
            columns: vec![
                ("mean".into(), vec![0.1, -2.0, 0.0, 5e-324]),
                ("sd".into(), vec![1.0, 2.0, 3.0, 4.0]),
            ],
        }
    }

    #[test]
    fn the_hash_is_of_the_values() {
        let (one, mut other) = (predictions(), predictions());
        other.columns[0].1[2] = -0.0;
        assert_eq!(one.sha256(), other.sha256());
        let mut changed = [predictions(), predictions(), predictions(), predictions()];
        changed[0].columns[1].1[3] = 4.000_000_000_000_001;
        changed[1].columns[1].0 = "scale".into();
        changed[2].parts[1].split = 2;
        changed[3].parts[0].dataset = "c".into();
        assert!(changed.iter().all(|other| other.sha256() != one.sha256()));
    }

    #[test]
    fn the_file_has_every_bit() {
        let bytes = predictions().to_parquet().unwrap();
        let limits = Limits { bytes: 1 << 20, unpacked: 1 << 20, rows: 4, columns: 5 };
        let file = NumberFile::new("p", &bytes, &["dataset"], &limits).unwrap();
        assert_eq!(file.names(), ["dataset", "split", "row", "mean", "sd"]);
        assert_eq!(file.labels(0).unwrap().of_row, [0, 0, 1, 1]);
        assert_eq!(file.numbers(1).unwrap(), [0.0, 0.0, 3.0, 3.0]);
        assert_eq!(file.numbers(2).unwrap(), [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(file.numbers(3).unwrap(), predictions().columns[0].1);
    }
}

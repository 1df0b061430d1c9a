//! Read the columns of a Parquet file as numbers, once its pages are known to be as small as it
//! says.

use std::collections::HashMap;

use polars_arrow::array::{Array, PrimitiveArray};
use polars_arrow::datatypes::ArrowDataType;
use polars_arrow::types::NativeType;
use polars_error::{PolarsError, PolarsResult};
use polars_parquet::read::RowGroupMetadata;

use super::{Labels, Limits, SHOWN, check_size};
use crate::columns::{PARQUET_END, ParquetFile, texts};
use crate::own::OwnError;
use uq_core::printable::printable;
use uqbench_system::machine::free_memory;
use uqbench_system::survive;

/// Largest description of the columns at the end of a file, in bytes: that of 2000 columns in many
/// parts has a few MiB.
const LARGEST_FOOTER: u64 = 64 << 20;

/// Longest name in a column of names, in bytes.
const LONGEST_LABEL: usize = 200;

/// Rows of the first part of a column of names; each further part is four times as long, because a
/// name that is written once may be that of every row.
const FIRST_PART: usize = 16;

/// A file whose pages have been looked at.
pub(super) struct Parquet<'a>(ParquetFile<'a>);

impl<'a> Parquet<'a> {
    /// Opens a file, and checks what it says of its size against the limits and against its pages.
    pub fn open(file: &str, bytes: &'a [u8], limits: &Limits) -> Result<Self, OwnError> {
        let refuse = |message: String| Err(OwnError::Unreadable { file: file.into(), message });
        // Where a file was cut off no length stands before its end.
        let footer = bytes.strip_suffix(PARQUET_END).and_then(|before| before.last_chunk::<4>());
        if footer.is_some_and(|length| u64::from(u32::from_le_bytes(*length)) > LARGEST_FOOTER) {
            return refuse(format!(
                "what it says of its columns takes more than {} MiB",
                LARGEST_FOOTER >> 20
            ));
        }
        let parquet = read(file, || ParquetFile::open(bytes))?;
        let facts = parquet.facts();
        // What the file claims, and what its parts claim: the reader makes room for the latter.
        let of_parts = facts.row_groups.iter().map(RowGroupMetadata::num_rows);
        let rows = facts.num_rows.max(of_parts.fold(0, usize::saturating_add));
        check_size(file, rows as u64, parquet.schema().len() as u64, limits)?;
        if rows == 0 {
            return Err(shape(file, "a Parquet file without rows"));
        }
        let unpacked = parquet.unpacked();
        let most = free_memory().map_or(limits.unpacked, |free| limits.unpacked.min(free));
        if unpacked > most {
            return refuse(format!(
                "it unpacks to {} MiB, and at most {} MiB are read",
                unpacked >> 20,
                most >> 20
            ));
        }
        Ok(Self(parquet))
    }

    pub fn names(&self) -> Vec<String> {
        self.0.schema().iter_values().map(|field| field.name.to_string()).collect()
    }

    pub fn rows(&self) -> usize {
        self.0.facts().row_groups.iter().map(RowGroupMetadata::num_rows).sum()
    }

    pub fn numbers(&self, file: &str, place: usize) -> Result<Vec<f64>, OwnError> {
        let rows = self.rows();
        let parts = read(file, || self.0.read(place, 0..rows))?;
        let mut all = Vec::with_capacity(rows);
        for part in parts {
            match numbers(part.as_ref()) {
                Some(numbers) => all.extend(numbers),
                None => return Err(self.foreign(file, place, "numbers of 8 to 64 bits")),
            }
        }
        Ok(all)
    }

    pub fn labels(&self, file: &str, place: usize) -> Result<Labels, OwnError> {
        let (mut labels, mut known) = (Labels::default(), HashMap::new());
        let (mut start, mut length, rows) = (0, FIRST_PART, self.rows());
        while start < rows {
            let end = start.saturating_add(length).min(rows);
            for part in read(file, || self.0.read(place, start..end))? {
                let Some(texts) = texts(part.as_ref()) else {
                    return Err(self.foreign(file, place, "texts"));
                };
                for text in texts {
                    let text = text.unwrap_or_default();
                    if text.len() > LONGEST_LABEL {
                        let found = format!("a name of {} bytes", text.len());
                        return Err(self.wrong(file, place, found, "short names"));
                    }
                    let next = labels.names.len();
                    let found = *known.entry(text.to_owned()).or_insert(next);
                    if found == next {
                        labels.names.push(text.to_owned());
                    }
                    labels.of_row.push(found);
                }
            }
            (start, length) = (end, length.saturating_mul(4));
        }
        Ok(labels)
    }

    fn foreign(&self, file: &str, place: usize, expected: &str) -> OwnError {
        let dtype = self.0.schema().get_at_index(place).map(|(_, field)| &field.dtype);
        let found = format!("values of the type {}", printable(&format!("{dtype:?}"), 100));
        self.wrong(file, place, found, expected)
    }

    fn wrong(&self, file: &str, place: usize, found: String, expected: &str) -> OwnError {
        let name = self.0.schema().get_at_index(place).map_or("", |(name, _)| name.as_str());
        OwnError::Column {
            file: file.into(),
            column: printable(name, SHOWN),
            found,
            expected: expected.into(),
        }
    }
}

/// What a call of the reader gives. It panics at some types that it is built without, and at some
/// damage.
fn read<T>(file: &str, call: impl FnOnce() -> PolarsResult<T>) -> Result<T, OwnError> {
    let unreadable = |why: String| {
        shape(file, &format!("a Parquet file that cannot be read ({})", printable(&why, 160)))
    };
    survive(call).map_err(unreadable)?.map_err(|error: PolarsError| unreadable(error.to_string()))
}

fn shape(file: &str, found: &str) -> OwnError {
    OwnError::Shape { file: file.into(), found: found.into(), expected: "a whole one".into() }
}

/// The numbers of a column, NaN for a missing one; `None` for a column of another type.
fn numbers(array: &dyn Array) -> Option<Vec<f64>> {
    use ArrowDataType::{
        Float32, Float64, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64,
    };
    match array.dtype() {
        Float64 => each(array, |value: f64| value),
        Float32 => each(array, |value: f32| f64::from(value)),
        Int8 => each(array, |value: i8| f64::from(value)),
        Int16 => each(array, |value: i16| f64::from(value)),
        Int32 => each(array, |value: i32| f64::from(value)),
        Int64 => each(array, |value: i64| value as f64),
        UInt8 => each(array, |value: u8| f64::from(value)),
        UInt16 => each(array, |value: u16| f64::from(value)),
        UInt32 => each(array, |value: u32| f64::from(value)),
        UInt64 => each(array, |value: u64| value as f64),
        _ => None,
    }
}

fn each<T: NativeType>(array: &dyn Array, number: impl Fn(T) -> f64) -> Option<Vec<f64>> {
    let values = array.as_any().downcast_ref::<PrimitiveArray<T>>()?;
    Some(values.iter().map(|value| value.map_or(f64::NAN, |value| number(*value))).collect())
}

//! Read and write the columns of Parquet files, and write Arrow files, by the crates that polars
//! itself reads and writes both formats with. Its data frames are not needed for that.

use std::io::Cursor;
use std::ops::Range;
use std::sync::Arc;

use polars_arrow::array::{Array, DictionaryArray, Utf8ViewArray};
use polars_arrow::datatypes::{ArrowDataType, ArrowSchema, Field};
use polars_arrow::io::ipc::write as arrow;
use polars_arrow::match_integer_type;
use polars_arrow::record_batch::RecordBatch;
use polars_buffer::Buffer;
use polars_error::{PolarsError, PolarsResult, polars_ensure, polars_err};
use polars_parquet::read::{
    self, BasicDecompressor, ColumnChunkMetadata, FileMetadata, Filter, PageReader, ParquetError,
    PhysicalType,
};
use polars_parquet::write::{
    Compressor, DynIter, DynStreamingIterator, FallibleStreamingIterator, FileWriter, ParquetType,
    StatisticsOptions, Version, WriteOptions, array_to_columns, get_dtype_encoding,
};

use super::page_headers::pages;

pub use polars_parquet::write::CompressionOptions as Compression;

/// The last bytes of a Parquet file.
pub const PARQUET_END: &[u8] = b"PAR1";

/// What is said of a file that has other last bytes.
const CUT_OFF: &str = "it does not end as a Parquet file does: it was cut off while it was written \
    or copied";

/// Rows of a group of a file.
const GROUP: usize = 512 * 512;

/// Columns of equal length with their names.
#[derive(Default)]
pub struct Columns {
    fields: Vec<Field>,
    arrays: Vec<Box<dyn Array>>,
}

impl Columns {
    /// Adds a column at the end.
    pub fn add(&mut self, name: &str, values: Box<dyn Array>) {
        self.fields.push(Field::new(name.into(), values.dtype().clone(), true));
        self.arrays.push(values);
    }

    fn rows(&self) -> usize {
        self.arrays.first().map_or(0, |array| array.len())
    }

    /// Checks that no column is shorter or longer than the first one.
    fn check_lengths(&self) -> PolarsResult<()> {
        let rows = self.rows();
        for (field, array) in self.fields.iter().zip(&self.arrays) {
            let (name, found) = (&field.name, array.len());
            polars_ensure!(
                found == rows,
                ShapeMismatch: "column {name}: {found} rows, expected {rows}"
            );
        }
        Ok(())
    }

    fn schema(&self) -> ArrowSchema {
        self.fields.iter().map(|field| (field.name.clone(), field.clone())).collect()
    }

    /// A Parquet file, compressed with Snappy. It is written on this thread.
    ///
    /// # Errors
    /// Columns that differ in length, and the message of the library.
    pub fn to_parquet(&self) -> PolarsResult<Vec<u8>> {
        self.to_parquet_by(Compression::Snappy)
    }

    /// A Parquet file, compressed in this way. It is written on this thread.
    ///
    /// # Errors
    /// Columns that differ in length, and the message of the library.
    pub fn to_parquet_by(&self, compression: Compression) -> PolarsResult<Vec<u8>> {
        self.check_lengths()?;
        let options = WriteOptions {
            statistics: StatisticsOptions::default(),
            version: Version::V1,
            compression,
            data_page_size: None,
        };
        let mut bytes = Vec::new();
        let mut file = FileWriter::try_new(&mut bytes, self.schema(), options)?;
        let types = file.parquet_schema().fields().to_vec();
        let rows = self.rows();
        // As many groups as whole ones have room, of nearly equal length.
        let groups = (rows / GROUP).max(usize::from(rows > 0));
        for group in 0..groups {
            let start = group * (rows / groups);
            let end = if group + 1 == groups { rows } else { start + rows / groups };
            let mut pages = Vec::with_capacity(self.arrays.len());
            for (array, kind) in self.arrays.iter().zip(&types) {
                pages.extend(compressed(array.sliced(start, end - start), kind, options)?);
            }
            file.write((end - start) as u64, DynIter::new(pages.into_iter()))?;
        }
        file.end(None)?;
        Ok(bytes)
    }

    /// An Arrow IPC file.
    ///
    /// # Errors
    /// The message of the library.
    pub fn to_arrow(&self) -> PolarsResult<Vec<u8>> {
        let (mut bytes, schema) = (Vec::new(), Arc::new(self.schema()));
        let options = arrow::WriteOptions { compression: None };
        let mut file = arrow::FileWriter::try_new(&mut bytes, schema.clone(), None, options)?;
        let batch = RecordBatch::try_new(self.rows(), schema, self.arrays.clone())?;
        file.write(&batch, None)?;
        file.finish()?;
        Ok(bytes)
    }
}

/// The pages of one column of a group.
type Pages = DynStreamingIterator<'static, polars_parquet::write::CompressedPage, PolarsError>;

fn compressed(
    array: Box<dyn Array>,
    kind: &ParquetType,
    options: WriteOptions,
) -> PolarsResult<Vec<PolarsResult<Pages>>> {
    let encodings = get_dtype_encoding(array.dtype());
    let encoded = array_to_columns(array, kind.clone(), options, &encodings)?;
    let compress = |pages: DynIter<'static, PolarsResult<_>>| {
        let pages = pages
            .map(|page| page.map_err(|error| ParquetError::FeatureNotSupported(error.to_string())));
        let pages = Compressor::new_from_vec(pages, options.compression, Vec::new());
        Ok(DynStreamingIterator::new(pages.map_err(PolarsError::from)))
    };
    Ok(encoded.into_iter().map(compress).collect())
}

/// A Parquet file in memory, of which columns are read on this thread.
pub struct ParquetFile<'a> {
    bytes: &'a [u8],
    facts: FileMetadata,
    schema: ArrowSchema,
    unpacked: u64,
}

impl<'a> ParquetFile<'a> {
    /// Reads what the file says of its columns, and checks the headers of their pages against it:
    /// the reader makes room for what these say, whatever it is. Nothing is unpacked.
    ///
    /// # Errors
    /// The message of the library for bytes that are no such file; a message where the file was cut
    /// off, or where the headers of a column are none, or say more than the file says of the
    /// column.
    pub fn open(bytes: &'a [u8]) -> PolarsResult<Self> {
        if !bytes.ends_with(PARQUET_END) {
            return Err(polars_err!(ComputeError: "{CUT_OFF}"));
        }
        let facts = read::read_metadata(&mut Cursor::new(bytes))?;
        let schema = read::infer_schema(&facts)?;
        let mut file = Self { bytes, facts, schema, unpacked: 0 };
        file.unpacked = file.check_pages()?;
        Ok(file)
    }

    /// The bytes to which all pages unpack, by their headers.
    pub fn unpacked(&self) -> u64 {
        self.unpacked
    }

    /// What the file claims of its groups of rows.
    pub fn facts(&self) -> &FileMetadata {
        &self.facts
    }

    /// The columns' names and types.
    pub fn schema(&self) -> &ArrowSchema {
        &self.schema
    }

    /// These rows of a column, by its place, an array for each part of the file that has some.
    ///
    /// # Errors
    /// The message of the library for a damaged file.
    pub fn read(&self, place: usize, rows: Range<usize>) -> PolarsResult<Vec<Box<dyn Array>>> {
        let absent = || polars_err!(ColumnNotFound: "column {place}");
        let (name, field) = self.schema.get_at_index(place).ok_or_else(absent)?;
        let (mut arrays, mut first) = (Vec::new(), 0_usize);
        for group in &self.facts.row_groups {
            let here = first..first.saturating_add(group.num_rows());
            first = here.end;
            let wanted = rows.start.max(here.start)..rows.end.min(here.end);
            if wanted.is_empty() {
                continue;
            }
            let chunks = group.columns_under_root_iter(name).ok_or_else(absent)?;
            let chunks: Vec<&ColumnChunkMetadata> = chunks.collect();
            let pages = chunks.iter().map(|chunk| self.pages(chunk));
            let pages = pages.collect::<PolarsResult<Vec<_>>>()?;
            let types = chunks.iter().map(|chunk| &chunk.descriptor().descriptor.primitive_type);
            let filter = Filter::new_ranged(wanted.start - here.start, wanted.end - here.start);
            let (read, _) =
                read::column_iter_to_arrays(pages, types.collect(), field.clone(), Some(filter))?;
            let (found, stated) =
                (read.iter().map(|array| array.len()).sum::<usize>(), wanted.len());
            polars_ensure!(
                found == stated,
                ComputeError: "column {name}: {found} rows where the file states {stated}"
            );
            arrays.extend(read);
        }
        Ok(arrays)
    }

    /// The bytes to which all pages unpack, by their headers.
    fn check_pages(&self) -> PolarsResult<u64> {
        let (mut all, mut looked_at) = (0_u64, 0_usize);
        for chunk in self.facts.row_groups.iter().flat_map(|group| group.parquet_columns()) {
            let name = || chunk.descriptor().path_in_schema.join(".");
            let bytes = self.bytes_of(chunk)?;
            // Columns that lie upon each other would be looked at again and again.
            looked_at = looked_at.saturating_add(bytes.len());
            polars_ensure!(
                looked_at <= self.bytes.len(),
                ComputeError: "column {}: it lies upon another column", name()
            );
            let found = pages(bytes).ok_or_else(
                || polars_err!(ComputeError: "column {}: its pages have no proper headers", name()),
            )?;
            let stated = u64::try_from(chunk.uncompressed_size()).unwrap_or(0);
            polars_ensure!(
                found.unpacked <= stated,
                ComputeError: "column {}: its pages unpack to {} bytes where the file states {stated}",
                name(), found.unpacked
            );
            let values = u64::try_from(chunk.num_values()).unwrap_or(0);
            polars_ensure!(
                found.most_values <= values,
                ComputeError: "column {}: a page has {} values where the file states {values}",
                name(), found.most_values
            );
            let [values, bytes] = found.dictionary;
            let room =
                bytes / least_bytes(chunk.descriptor().descriptor.primitive_type.physical_type);
            polars_ensure!(
                values <= room,
                ComputeError: "column {}: its dictionary has {values} values in {bytes} bytes", name()
            );
            all = all.saturating_add(found.unpacked);
        }
        Ok(all)
    }

    /// The bytes of a column in one group of rows.
    fn bytes_of(&self, chunk: &ColumnChunkMetadata) -> PolarsResult<&'a [u8]> {
        let range = chunk.byte_range();
        let outside = || polars_err!(ComputeError: "a column lies outside the file");
        let (Ok(start), Ok(end)) = (usize::try_from(range.start), usize::try_from(range.end))
        else {
            return Err(outside());
        };
        self.bytes.get(start..end).ok_or_else(outside)
    }

    /// The pages of a column in one group of rows.
    fn pages(&self, chunk: &ColumnChunkMetadata) -> PolarsResult<BasicDecompressor> {
        let bytes = Cursor::new(Buffer::from_vec(self.bytes_of(chunk)?.to_vec()));
        let pages = PageReader::new(bytes, chunk, Vec::new(), usize::MAX);
        Ok(BasicDecompressor::new(pages, Vec::new()))
    }
}

/// The fewest bytes that a value of a dictionary takes.
fn least_bytes(kind: PhysicalType) -> u64 {
    match kind {
        PhysicalType::Boolean => 1,
        PhysicalType::FixedLenByteArray(length) => (length as u64).max(1),
        PhysicalType::Int64 | PhysicalType::Double => 8,
        PhysicalType::Int96 => 12,
        // A text of no letters has its length.
        PhysicalType::Int32 | PhysicalType::Float | PhysicalType::ByteArray => 4,
    }
}

/// The texts of a dictionary, by its keys; `None` where its values are none.
fn looked_up(array: &dyn Array) -> Option<Vec<Option<&str>>> {
    let ArrowDataType::Dictionary(keys, ..) = array.dtype() else { return None };
    match_integer_type!(keys, |$T| {
        let array = array.as_any().downcast_ref::<DictionaryArray<$T>>()?;
        let values = array.values().as_any().downcast_ref::<Utf8ViewArray>()?;
        Some(array.keys_iter().map(|key| values.get(key?)).collect())
    })
}

/// The cells of a column of text or of categories, as they are; `None` for another column.
pub(crate) fn texts(array: &dyn Array) -> Option<Vec<Option<&str>>> {
    match array.as_any().downcast_ref::<Utf8ViewArray>() {
        Some(array) => Some(array.iter().collect()),
        None => looked_up(array),
    }
}

#[cfg(test)]
mod tests {
    use polars_arrow::array::PrimitiveArray;

    use super::*;

    fn columns(all: &[&[f64]]) -> Columns {
        let mut columns = Columns::default();
        for (place, values) in all.iter().enumerate() {
            columns.add(&format!("c{place}"), PrimitiveArray::from_slice(values).boxed());
        }
        columns
    }

    #[test]
    fn columns_that_differ_in_length_are_refused() {
        for other in [&[1.0][..], &[1.0, 2.0, 3.0]] {
            let error = columns(&[&[1.0, 2.0], other]).to_parquet().unwrap_err().to_string();
            assert!(error.contains("column c1: ") && error.contains("expected 2"), "{error}");
        }
    }

    #[test]
    fn a_page_that_states_a_wrong_number_of_values_is_refused_before_it_is_read() {
        let whole = columns(&[&[0.5, 1.5, 2.5]]).to_parquet().unwrap();
        assert!(ParquetFile::open(&whole).unwrap().unpacked() >= 24);
        // Behind the mark of the file stand three fields, whose last byte is below 128: the type of
        // the page and its two sizes. Then a struct begins with the number of values.
        let mut at = 4;
        for _ in 0..3 {
            assert_eq!(whole[at], 0x15);
            at += 2 + whole[at + 1..].iter().position(|byte| *byte < 128).unwrap();
        }
        assert_eq!(whole[at..at + 3], [0x2c, 0x15, 6], "3, as a number with a sign");
        for (written, expected) in [(5, "have no proper headers"), (8, "4 values where the file")] {
            let mut damaged = whole.clone();
            damaged[at + 2] = written;
            let error = ParquetFile::open(&damaged).err().unwrap().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn rows_of_several_groups_are_read_from_any_place_on() {
        let values: Vec<f64> = (0..2 * GROUP + 7).map(|i| i as f64).collect();
        let bytes = columns(&[&values]).to_parquet().unwrap();
        let file = ParquetFile::open(&bytes).unwrap();
        assert_eq!(file.facts().row_groups.len(), 2);
        let read: Vec<f64> = file
            .read(0, GROUP - 2..GROUP + 9)
            .unwrap()
            .iter()
            .filter_map(|part| part.as_any().downcast_ref::<PrimitiveArray<f64>>())
            .flat_map(|part| part.values_iter().copied().collect::<Vec<f64>>())
            .collect();
        assert_eq!(read, values[GROUP - 2..GROUP + 9]);
        assert!(file.read(1, 0..1).is_err());
    }
}

//! Write the arrays of a request, and read those of a response: NumPy's format or comma-separated
//! text.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path};

use ndarray::{Array1, Array2, ArrayD, ArrayView1, ArrayView2, Axis, Ix2};
use ndarray_npy::{ReadNpyError, ReadNpyExt, WriteNpyError, WriteNpyExt};

use super::contract::{Arrays, Numbers};

/// Largest file of a response, in bytes.
pub const LARGEST: u64 = 1 << 30;

/// Writes a vector as a file of this name, without its ending.
///
/// # Errors
/// The operating system's error.
pub fn write_vector(
    folder: &Path,
    name: &str,
    values: ArrayView1<f64>,
    arrays: Arrays,
) -> io::Result<()> {
    let mut out = create(folder, name, arrays)?;
    match arrays {
        Arrays::Npy => values.write_npy(&mut out).map_err(unwritten)?,
        Arrays::Csv => values.iter().try_for_each(|value| writeln!(out, "{value}"))?,
    }
    out.flush()
}

/// Writes a matrix as a file of this name, without its ending.
///
/// # Errors
/// The operating system's error.
pub fn write_matrix(
    folder: &Path,
    name: &str,
    values: ArrayView2<f64>,
    arrays: Arrays,
) -> io::Result<()> {
    let mut out = create(folder, name, arrays)?;
    match arrays {
        Arrays::Npy => values.write_npy(&mut out).map_err(unwritten)?,
        Arrays::Csv => {
            for row in values.rows() {
                let cells: Vec<String> = row.iter().map(f64::to_string).collect();
                writeln!(out, "{}", cells.join(","))?;
            }
        }
    }
    out.flush()
}

fn create(folder: &Path, name: &str, arrays: Arrays) -> io::Result<BufWriter<File>> {
    File::create(folder.join(format!("{name}.{}", arrays.ending()))).map(BufWriter::new)
}

fn unwritten(error: WriteNpyError) -> io::Error {
    match error {
        WriteNpyError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// The matrix of an array in a response: a vector is one column.
///
/// # Errors
/// What is wrong with it.
pub fn read(folder: &Path, numbers: Numbers) -> Result<Array2<f64>, String> {
    let number = |value: Option<f64>| value.unwrap_or(f64::NAN);
    match numbers {
        Numbers::File(name) => read_file(folder, &name).map_err(|why| format!("{name}: {why}")),
        Numbers::Vector(values) => Ok(column(values.into_iter().map(number).collect())),
        Numbers::Matrix(rows) => {
            matrix(rows.into_iter().map(|row| row.into_iter().map(number).collect()).collect())
        }
    }
}

fn column(values: Array1<f64>) -> Array2<f64> {
    values.insert_axis(Axis(1))
}

fn matrix(rows: Vec<Vec<f64>>) -> Result<Array2<f64>, String> {
    let (count, width) = (rows.len(), rows.first().map_or(0, Vec::len));
    if let Some(row) = rows.iter().position(|row| row.len() != width) {
        return Err(format!("row {row} has {} numbers, but row 0 has {width}", rows[row].len()));
    }
    Array2::from_shape_vec((count, width), rows.concat()).map_err(|error| error.to_string())
}

fn read_file(folder: &Path, name: &str) -> Result<Array2<f64>, String> {
    let mut parts = Path::new(name).components();
    if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
        return Err("expected the name of a file beside the response, without a folder".into());
    }
    let path = folder.join(name);
    let facts =
        fs::symlink_metadata(&path).map_err(|error| format!("it cannot be read: {error}"))?;
    if !facts.is_file() || facts.len() > LARGEST {
        return Err(format!("expected a file of at most {LARGEST} bytes"));
    }
    let bytes = fs::read(&path).map_err(|error| format!("it cannot be read: {error}"))?;
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("npy") => from_npy(&bytes),
        Some("csv") => from_csv(&bytes),
        _ => Err("expected a name that ends in .npy or .csv".into()),
    }
}

fn from_npy(bytes: &[u8]) -> Result<Array2<f64>, String> {
    let array = match ArrayD::<f64>::read_npy(bytes) {
        Err(ReadNpyError::WrongDescriptor(_)) => match ArrayD::<f32>::read_npy(bytes) {
            Err(ReadNpyError::WrongDescriptor(found)) => {
                return Err(format!("its numbers are {found}, expected float64 or float32"));
            }
            array => array.map(|array| array.mapv(f64::from)),
        },
        array => array,
    };
    let array = array.map_err(|error| format!("it is no array of NumPy: {error}"))?;
    let shape = array.shape().to_vec();
    match shape.len() {
        1 => array.into_shape_with_order((shape[0], 1)).map_err(|error| error.to_string()),
        2 => array.into_dimensionality::<Ix2>().map_err(|error| error.to_string()),
        _ => Err(format!("it has the shape {shape:?}, expected one or two dimensions")),
    }
}

fn from_csv(bytes: &[u8]) -> Result<Array2<f64>, String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(bytes);
    let mut rows = Vec::new();
    for (line, record) in reader.records().enumerate() {
        let record = record.map_err(|error| error.to_string())?;
        let cell = |cell: &str| match cell.parse::<f64>() {
            Ok(number) => Ok(number),
            Err(_) if ["", "NA"].contains(&cell) => Ok(f64::NAN),
            Err(_) => Err(format!("line {}: {cell:?} is no number", line + 1)),
        };
        rows.push(record.iter().map(cell).collect::<Result<Vec<f64>, String>>()?);
    }
    matrix(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{ShapeBuilder, array};
    use uqbench_system::Scratch;

    #[test]
    fn what_is_written_is_read_back_bit_equal_in_both_formats() {
        let folder = Scratch::new().unwrap();
        let values = array![[0.1, -3e-300, 1.0], [f64::MAX, 5e-324, -0.0]];
        for arrays in [Arrays::Npy, Arrays::Csv] {
            write_matrix(folder.path(), "m", values.view(), arrays).unwrap();
            write_vector(folder.path(), "v", values.row(0), arrays).unwrap();
            let read = |name: &str| {
                read(folder.path(), Numbers::File(format!("{name}.{}", arrays.ending()))).unwrap()
            };
            let bits = |values: &Array2<f64>| values.mapv(f64::to_bits);
            assert_eq!(bits(&read("m")), bits(&values), "{arrays:?}");
            assert_eq!(read("v").column(0), values.row(0), "{arrays:?}");
        }
    }

    #[test]
    fn single_precision_and_columns_first_are_read_and_integers_are_not() {
        let folder = Scratch::new().unwrap();
        let read = |name: &str| read(folder.path(), Numbers::File(name.into()));
        let write = |name: &str| File::create(folder.path().join(name)).unwrap();
        array![[0.5_f32, 2.0]].write_npy(write("single.npy")).unwrap();
        assert_eq!(read("single.npy").unwrap(), array![[0.5, 2.0]]);
        let columns_first = Array2::from_shape_vec((2, 2).f(), vec![1.0, 2.0, 3.0, 4.0]).unwrap();
        columns_first.write_npy(write("columns.npy")).unwrap();
        assert_eq!(read("columns.npy").unwrap(), array![[1.0, 3.0], [2.0, 4.0]]);
        array![1_i64].write_npy(write("whole.npy")).unwrap();
        assert!(read("whole.npy").unwrap_err().contains("expected float64 or float32"));
        ndarray::Array3::<f64>::zeros((1, 1, 1)).write_npy(write("cube.npy")).unwrap();
        assert!(read("cube.npy").unwrap_err().contains("expected one or two dimensions"));
    }

    #[test]
    fn what_is_no_array_is_told() {
        let folder = Scratch::new().unwrap();
        fs::write(folder.path().join("a.csv"), "1,2\n3\n").unwrap();
        fs::write(folder.path().join("b.csv"), "1,NA\nx,2\n").unwrap();
        fs::write(folder.path().join("c.npy"), "1,2").unwrap();
        for (name, expected) in [
            ("a.csv", "row 1 has 1 numbers, but row 0 has 2"),
            ("b.csv", "line 2: \"x\" is no number"),
            ("c.npy", "it is no array of NumPy"),
            ("../a.csv", "without a folder"),
            ("/etc/passwd", "without a folder"),
            ("absent.npy", "it cannot be read"),
            ("a.txt", "it cannot be read"),
        ] {
            let message = read(folder.path(), Numbers::File(name.into())).unwrap_err();
            assert!(message.starts_with(name) && message.contains(expected), "{name}: {message}");
        }
    }
}

//! Test the rows that a file names.

use std::collections::BTreeMap;
use std::io::Read;

use csv::{ReaderBuilder, Trim};
use flate2::read::MultiGzDecoder;
use serde::{Deserialize, Serialize};

use super::{Split, SplitError};
use uq_core::printable::printable;

/// Largest file, unpacked, in bytes.
const LARGEST: u64 = 64 << 20;

/// Longest text of a file that a message shows, in bytes.
const SHOWN: usize = 60;

/// Largest row number: a trial's key has a bit for each row up to its last test row.
const LARGEST_ROW: u32 = 10_000_000;

/// Most mistakes that are found in a file.
const MOST: usize = 30;

/// Rows of a table, from 0. As text it is a bit a row, in hexadecimal digits: the first row is the
/// highest bit of the first two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RowSet {
    /// Ascending.
    rows: Vec<u32>,
}

impl From<RowSet> for String {
    fn from(RowSet { rows }: RowSet) -> Self {
        let mut bytes = vec![0_u8; rows.last().map_or(0, |last| *last as usize / 8 + 1)];
        for row in rows {
            bytes[row as usize / 8] |= 0x80 >> (row % 8);
        }
        uqbench_system::hash::hexadecimal(&bytes)
    }
}

impl TryFrom<String> for RowSet {
    type Error = String;

    fn try_from(digits: String) -> Result<Self, String> {
        let mut rows = Vec::new();
        for (place, digit) in digits.chars().enumerate() {
            let four = digit.to_digit(16).ok_or("rows are a bit each, in hexadecimal digits")?;
            let first = u32::try_from(4 * place).map_err(|_| "too many rows")?;
            rows.extend((0..4).filter(|bit| four & (8 >> bit) != 0).map(|bit| first + bit));
        }
        Ok(Self { rows })
    }
}

/// The test rows of each split, by the key of the dataset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenSplits(BTreeMap<String, Vec<RowSet>>);

impl GivenSplits {
    /// Reads a CSV file, which may be compressed by gzip: `dataset`, `split` from 0, and `test`, the
    /// test rows from 0 with blanks between; other columns are remarks, and so are lines that begin
    /// with `#`.
    ///
    /// # Errors
    /// What is wrong, each with its line.
    pub fn parse(bytes: &[u8]) -> Result<Self, Vec<String>> {
        let mut text = Vec::new();
        let read = match bytes.starts_with(b"\x1f\x8b") {
            true => MultiGzDecoder::new(bytes).take(LARGEST + 1).read_to_end(&mut text),
            false => bytes.take(LARGEST + 1).read_to_end(&mut text),
        };
        read.map_err(|error| vec![format!("it cannot be unpacked: {error}")])?;
        if text.len() as u64 > LARGEST {
            return Err(vec![format!("it is larger than {} MiB", LARGEST >> 20)]);
        }
        let mut file =
            ReaderBuilder::new().comment(Some(b'#')).trim(Trim::All).from_reader(text.as_slice());
        let header = file.headers().map_err(|error| vec![error.to_string()])?.clone();
        let place = |name: &str| {
            header.iter().position(|column| column == name).ok_or_else(|| {
                let found = printable(&header.iter().collect::<Vec<_>>().join(","), SHOWN);
                vec![format!("found the columns {found}, expected dataset,split,test")]
            })
        };
        let (dataset, split, test) = (place("dataset")?, place("split")?, place("test")?);
        let mut found: BTreeMap<String, BTreeMap<u64, RowSet>> = BTreeMap::new();
        let mut wrong = Vec::new();
        for record in file.records() {
            if wrong.len() == MOST {
                break;
            }
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    wrong.push(error.to_string());
                    continue;
                }
            };
            let line = record.position().map_or(1, csv::Position::line);
            let text = |place: usize| record.get(place).unwrap_or_default();
            let mut read = || {
                let number: u64 = text(split).parse().map_err(|_| {
                    let found = printable(text(split), SHOWN);
                    format!("the split is {found}, expected a whole number from 0")
                })?;
                let rows = rows(text(test))?;
                let splits = found.entry(text(dataset).to_owned()).or_default();
                match splits.insert(number, rows) {
                    Some(_) => Err("a line above has this split of this dataset".to_owned()),
                    None => Ok(()),
                }
            };
            if let Err(message) = read() {
                wrong.push(format!("line {line}: {message}"));
            }
        }
        let mut all = BTreeMap::new();
        for (dataset, splits) in found {
            if let Some(missing) =
                (0..splits.len() as u64).find(|split| !splits.contains_key(split))
                && wrong.is_empty()
            {
                let shown = printable(&dataset, SHOWN);
                wrong.push(format!(
                    "{shown} has {} splits, but none of number {missing}; expected 0, 1, 2 and so on",
                    splits.len()
                ));
            }
            all.insert(dataset, splits.into_values().collect());
        }
        if all.is_empty() && wrong.is_empty() {
            wrong.push("it has no split".into());
        }
        if wrong.is_empty() { Ok(Self(all)) } else { Err(wrong) }
    }

    /// The keys of the datasets, in ascending order.
    pub fn datasets(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Number of splits of this dataset; `None` where it has none.
    pub fn count(&self, dataset: &str) -> Option<u64> {
        self.0.get(dataset).map(|splits| splits.len() as u64)
    }

    /// The largest number of splits of a dataset.
    pub fn most(&self) -> u64 {
        self.0.values().map(Vec::len).max().unwrap_or(0) as u64
    }

    /// The test rows of one split.
    pub fn test_rows(&self, dataset: &str, split: u64) -> Option<&RowSet> {
        self.0.get(dataset)?.get(usize::try_from(split).ok()?)
    }
}

/// Row numbers with blanks between, in any order.
fn rows(text: &str) -> Result<RowSet, String> {
    let number = |word: &str| {
        word.parse::<u32>().ok().filter(|row| *row <= LARGEST_ROW).ok_or_else(|| {
            let shown = printable(word, SHOWN);
            format!("the test row {shown} is no whole number from 0 to {LARGEST_ROW}")
        })
    };
    let mut rows: Vec<u32> = text.split_whitespace().map(number).collect::<Result<_, _>>()?;
    rows.sort_unstable();
    if let Some(pair) = rows.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("the test row {} is named twice", pair[0]));
    }
    if rows.is_empty() { Err("it has no test row".into()) } else { Ok(RowSet { rows }) }
}

/// Tests these rows of `n` and trains on all others, each in the order of the table.
///
/// # Errors
/// [`SplitError::NoSuchRow`] for a row beyond the table, [`SplitError::TooFewRows`] where one side
/// would be empty.
pub fn given(test: &RowSet, n: usize) -> Result<Split, SplitError> {
    match test.rows.last() {
        None => return Err(SplitError::TooFewRows { rows: n }),
        Some(&row) if row as usize >= n => {
            return Err(SplitError::NoSuchRow { row: row as usize, rows: n });
        }
        Some(_) if test.rows.len() == n => return Err(SplitError::TooFewRows { rows: n }),
        Some(_) => {}
    }
    let mut tested = vec![false; n];
    test.rows.iter().for_each(|&row| tested[row as usize] = true);
    Ok(Split::where_tested(n, |row| tested[row]))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};
    use proptest::prelude::*;

    use super::super::tests::assert_whole;
    use super::*;

    const FILE: &str = "# two sets\ndataset,split,feature,test\na,1,x,4 0\na,0,y,2\nb,0,,1 2 3\n";

    #[test]
    fn a_file_says_which_rows_are_tested() {
        let splits = GivenSplits::parse(FILE.as_bytes()).unwrap();
        assert_eq!(splits.datasets().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((splits.count("a"), splits.count("c"), splits.most()), (Some(2), None, 2));
        let split = given(splits.test_rows("a", 1).unwrap(), 6).unwrap();
        assert_eq!((split.test, split.train), (vec![0, 4], vec![1, 2, 3, 5]));
        assert_eq!(splits.test_rows("b", 1), None);
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(FILE.as_bytes()).unwrap();
        assert_eq!(GivenSplits::parse(&packed.finish().unwrap()), Ok(splits));
    }

    #[test]
    fn rows_that_a_table_does_not_have_are_named() {
        let rows = rows("5 1").unwrap();
        assert_eq!(given(&rows, 5), Err(SplitError::NoSuchRow { row: 5, rows: 5 }));
        assert!(
            given(&rows, 5).unwrap_err().to_string().contains("row 5, counted from 0, is tested")
        );
        let all = super::rows("0 1 2").unwrap();
        assert_eq!(given(&all, 3), Err(SplitError::TooFewRows { rows: 3 }));
        assert!(given(&RowSet { rows: Vec::new() }, 3).is_err());
    }

    #[test]
    fn mistakes_are_named_with_their_lines() {
        let wrong = |text: &str| GivenSplits::parse(text.as_bytes()).unwrap_err().join("\n");
        assert_eq!(
            wrong("set,split,test\na,0,1\n"),
            "found the columns set,split,test, expected dataset,split,test"
        );
        let many = "dataset,split,test\na,zero,1\na,0,1 x\na,0,2 2\na,0,\na,0,1\na,0,2\na,1\n";
        let found = wrong(many);
        for expected in [
            "line 2: the split is zero, expected a whole number from 0",
            "line 3: the test row x is no whole number from 0 to 10000000",
            "line 4: the test row 2 is named twice",
            "line 5: it has no test row",
            "line 7: a line above has this split of this dataset",
            "line: 8",
        ] {
            assert!(found.contains(expected), "{expected}: {found}");
        }
        assert_eq!(
            wrong("dataset,split,test\na,0,1\na,2,1\n"),
            "a has 2 splits, but none of number 1; expected 0, 1, 2 and so on"
        );
        assert_eq!(wrong("dataset,split,test\n"), "it has no split");
        assert!(GivenSplits::parse(b"\x1f\x8bnothing").unwrap_err()[0].contains("unpacked"));
        let far = wrong("dataset,split,test\na,0,4294967295\n");
        assert!(far.starts_with("line 2: the test row 4294967295 is no whole number"), "{far}");
        let endless = "dataset,split,test\n".to_owned() + &"a,x,1\n".repeat(100);
        assert_eq!(GivenSplits::parse(endless.as_bytes()).unwrap_err().len(), MOST);
    }

    proptest! {
        #[test]
        fn rows_are_the_same_after_they_were_written(
            rows in prop::collection::btree_set(0_u32..3000, 0..60),
        ) {
            let set = RowSet { rows: rows.into_iter().collect() };
            let text = String::from(set.clone());
            prop_assert_eq!(RowSet::try_from(text), Ok(set.clone()));
            if let (Some(last), false) = (set.rows.last(), set.rows.len() < 2) {
                let n = *last as usize + 2;
                assert_whole(&given(&set, n).unwrap(), n);
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = GivenSplits::parse(&bytes);
            let text = format!("dataset,split,test\n{}", String::from_utf8_lossy(&bytes));
            let _ = GivenSplits::parse(text.as_bytes());
            let _ = RowSet::try_from(String::from_utf8_lossy(&bytes).into_owned());
        }
    }

    #[test]
    fn other_texts_are_no_rows() {
        assert!(RowSet::try_from("0g".to_owned()).is_err());
        assert_eq!(String::from(rows("0 7 9").unwrap()), "8140");
    }
}

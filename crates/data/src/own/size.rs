//! Refuse a table that would take more memory than there is, before its cells are read.

use super::bytes::LIMIT;
use super::error::OwnError;
use uq_core::names::counted;
use uqbench_system::machine::free_memory;

/// Most rows of a table.
const MOST_ROWS: u64 = 10_000_000;
/// Most cells of a table: those of 10 million rows and 20 columns.
const MOST_CELLS: u64 = 200_000_000;
/// Memory that a row takes while a table is read and looked at, in bytes: measured with 400 000
/// rows of two cells.
const ROW: u64 = 400;
/// Memory that a cell of text takes while a table is read and looked at, in bytes: measured with
/// 2.5 million cells.
const TEXT_CELL: u64 = 40;
/// Memory that a cell of Parquet takes, in bytes: its column is in memory beside the text of its
/// cells.
const PARQUET_CELL: u64 = 90;

/// Refuses a Parquet file of this many rows and columns where it is too large for this program, or
/// for the memory that is free.
///
/// # Errors
/// [`OwnError::Unreadable`] with what it has, what is allowed, and what to do.
pub(super) fn check_parquet(file: &str, rows: u64, columns: u64) -> Result<(), OwnError> {
    check(file, rows, columns, PARQUET_CELL, free_memory())
}

fn check(
    file: &str,
    rows: u64,
    columns: u64,
    cell: u64,
    free: Option<u64>,
) -> Result<(), OwnError> {
    let cells = rows.saturating_mul(columns);
    let wanted = rows.saturating_mul(ROW).saturating_add(cells.saturating_mul(cell));
    let why = if rows > MOST_ROWS {
        format!("at most {MOST_ROWS} rows are read")
    } else if cells > MOST_CELLS {
        format!("at most {MOST_CELLS} cells are read")
    } else if free.is_some_and(|free| wanted > free) {
        format!(
            "to read them takes some {} MiB of memory, and {} MiB are free",
            wanted >> 20,
            free.unwrap_or(0) >> 20
        )
    } else {
        return Ok(());
    };
    let message = format!(
        "it has {} of {}: {why}; try a random part of its rows, header included",
        counted(usize::try_from(rows).unwrap_or(usize::MAX), "row"),
        counted(usize::try_from(columns).unwrap_or(usize::MAX), "column")
    );
    Err(OwnError::Unreadable { file: file.into(), message })
}

/// Bytes of memory that a cell of a workbook takes while its sheet is read and looked at: measured
/// with two million cells.
const WORKBOOK_CELL: u64 = 180;
/// How often a text is in memory while it is read and looked at.
const COPIES: u64 = 3;

/// Refuses cells whose text is more than that of the largest file of text, or more than there is
/// memory for. A text of a workbook or of a Parquet file that is written once may be that of every
/// cell.
///
/// # Errors
/// [`OwnError::Unreadable`] with what it has, what is allowed, and what to do.
pub(super) fn check_expanded(file: &str, cells: u64, text: u64) -> Result<(), OwnError> {
    check_text_of_cells(file, cells, text, free_memory())
}

fn check_text_of_cells(
    file: &str,
    cells: u64,
    text: u64,
    free: Option<u64>,
) -> Result<(), OwnError> {
    let wanted = cells.saturating_mul(WORKBOOK_CELL).saturating_add(text.saturating_mul(COPIES));
    let why = if text > LIMIT {
        format!("at most {} MiB of text are read", LIMIT >> 20)
    } else if free.is_some_and(|free| wanted > free) {
        format!(
            "to read them takes some {} MiB of memory, and {} MiB are free",
            wanted >> 20,
            free.unwrap_or(0) >> 20
        )
    } else {
        return Ok(());
    };
    let message = format!(
        "the text of its cells is {} MiB, where a text that is written once counts in each cell \
         that has it: {why}; leave out columns of long texts, or try a random part of its rows, \
         header included",
        text >> 20
    );
    Err(OwnError::Unreadable { file: file.into(), message })
}

/// Refuses a Parquet file whose columns unpack to too many bytes, in `all` or of `text`.
///
/// # Errors
/// As [`check_expanded`].
pub(super) fn check_unpacked(file: &str, all: u64, text: u64) -> Result<(), OwnError> {
    let free = free_memory();
    let why = match free.filter(|free| all > *free) {
        _ if text > LIMIT => {
            format!(
                "its texts unpack to {} MiB, and at most {} MiB of text are read",
                text >> 20,
                LIMIT >> 20
            )
        }
        Some(free) => {
            format!("it unpacks to {} MiB, and {} MiB of memory are free", all >> 20, free >> 20)
        }
        None => return Ok(()),
    };
    let message =
        format!("{why}; leave out columns of long texts, or try a random part of its rows");
    Err(OwnError::Unreadable { file: file.into(), message })
}

/// Checks the size of a text by its ends of lines and its separators.
///
/// # Errors
/// As [`check_parquet`].
pub(super) fn check_text(file: &str, text: &[u8]) -> Result<(), OwnError> {
    let mut counts = [0_u64; 256];
    text.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let count = |byte: u8| counts[usize::from(byte)];
    // Ends of lines are line feeds, or carriage returns alone.
    let rows = count(b'\n').max(count(b'\r')).max(u64::from(!text.is_empty()));
    let separators = b",;\t|".map(count).into_iter().max().unwrap_or(0);
    check(file, rows, (separators + rows) / rows.max(1), TEXT_CELL, free_memory())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_and_what_fits_is_not() {
        let free = Some(8 << 30);
        assert!(
            check("f", 100_000, 1000, TEXT_CELL, free).is_ok()
                && check("f", 5_000_000, 5, TEXT_CELL, free).is_ok()
        );
        assert!(check("f", 10, 100_000, PARQUET_CELL, free).is_ok(), "wide");
        for (rows, columns) in
            [(225_000_000, 2), (30_000_000, 1), (1_000_000, 300), (u64::MAX, u64::MAX)]
        {
            assert!(check("f", rows, columns, TEXT_CELL, None).is_err(), "{rows} {columns}");
        }
        assert!(
            check("f", 5_000_000, 30, TEXT_CELL, Some(4 << 30)).is_err(),
            "less memory is free"
        );
    }

    #[test]
    fn texts_of_cells_are_refused_beyond_the_largest_file_and_beyond_the_memory() {
        let free = Some(8 << 30);
        assert!(
            check_text_of_cells("f", 10_000_000, 100 << 20, free).is_ok(),
            "200 000 rows of 50 columns"
        );
        assert!(
            check_text_of_cells("f", 300_000, 300_000 * 200_000, None).is_err(),
            "a text of 200 000 bytes in each cell"
        );
        assert!(check_text_of_cells("f", 1000, LIMIT, free).is_ok());
        assert!(
            check_text_of_cells("f", 1000, LIMIT, Some(1 << 30)).is_err(),
            "less memory is free"
        );
        assert!(check_text_of_cells("f", 20_000_000, 0, Some(1 << 30)).is_err());
    }

    #[test]
    fn a_text_of_separators_is_counted_before_it_is_read() {
        assert!(check_text("f", &b",\n".repeat(11_000_000)).is_err());
        assert!(check_text("f", &b"1.5,2\n".repeat(100_000)).is_ok());
        assert!(check_text("f", &b",\r".repeat(11_000_000)).is_err());
        assert!(
            check_text("f", &[b"a\n".to_vec(), b",".repeat(210_000_000)].concat()).is_err(),
            "one line"
        );
        // A first line of separators alone does not count for the rows below it.
        let mut wide = b",".repeat(100_000);
        wide.extend(b"\n".repeat(50_000));
        assert!(check_text("f", &wide).is_ok());
        assert!(check_text("f", b"").is_ok());
    }
}

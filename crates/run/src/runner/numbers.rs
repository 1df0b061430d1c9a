//! Name the numbers of a trial by a hash that does not depend on how files hold them.

use std::collections::BTreeMap;

use serde_json::json;
use sha2::{Digest, Sha256};

use super::key::canonical;
use super::layout;
use super::record::{ROWS, SIDE_TABLES, TrialResult, unseal};
use uq_methods::side_tables::SideTable;
use uqbench_system::hash::hexadecimal;

/// SHA-256 of the numbers of a finished trial: how it ended, its counts of rows, the layout of its
/// predictions, the bits of every number of every column of its predictions, and its side tables.
/// Two trials have the same hash where all these numbers have the same bits, whatever version of
/// the file format wrote them. `files` are its files by name.
///
/// # Errors
/// Which file is absent, or cannot be read and why.
pub fn numbers_sha256(
    result: &TrialResult,
    files: &BTreeMap<String, Vec<u8>>,
) -> Result<String, String> {
    let file = |name: &str| {
        let wanted = result.files.contains_key(name);
        let found = files.get(name).ok_or_else(|| format!("{name} is absent"));
        wanted.then_some(found).transpose()
    };
    let tables = match file(SIDE_TABLES)? {
        Some(sealed) => {
            unseal::<Vec<SideTable>>(sealed).map_err(|why| format!("{SIDE_TABLES}: {why}"))?
        }
        None => Vec::new(),
    };
    let columns = match file(ROWS)? {
        Some(rows) => layout::columns(rows).map_err(|why| format!("{ROWS}: {why}"))?,
        None => Vec::new(),
    };
    let TrialResult {
        outcome, train_rows, test_rows, target_range, target_resolution, layout, ..
    } = result;
    let head = json!({
        "outcome": outcome.word(),
        "train_rows": train_rows,
        "test_rows": test_rows,
        "target_range": target_range,
        "target_resolution": target_resolution,
        "layout": layout,
        "tables": tables,
        "columns": columns.iter().map(|column| column.len()).collect::<Vec<_>>(),
    });
    let mut hash = Sha256::new_with_prefix(canonical(&head));
    for column in &columns {
        column.iter().for_each(|number| hash.update(number.to_bits().to_le_bytes()));
    }
    Ok(hexadecimal(&hash.finalize()))
}

//! Hash a table's numbers independently of the file format.

use sha2::{Digest, Sha256};

use uq_core::Table;
use uqbench_system::hash::hexadecimal;

/// SHA-256 of the matrix, lower-case hexadecimal: rows in order, each its features and then its
/// target, as little-endian f64.
pub fn parsed_sha256(table: &Table) -> String {
    let mut hasher = Sha256::new();
    let mut row_bytes = Vec::with_capacity(8 * (table.columns() + 1));
    for (features, target) in table.features.rows().into_iter().zip(&table.target) {
        row_bytes.clear();
        for value in features.iter().chain([target]) {
            row_bytes.extend_from_slice(&value.to_le_bytes());
        }
        hasher.update(&row_bytes);
    }
    hexadecimal(&hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn rows_come_in_order_with_the_target_last() {
        let table = Table::unnamed(array![[1.0, 2.0], [4.0, 5.0]], array![3.0, 6.0]);
        let bytes: Vec<u8> = (1..=6).flat_map(|i| f64::from(i).to_le_bytes()).collect();
        assert_eq!(parsed_sha256(&table), hexadecimal(&Sha256::digest(&bytes)));
        assert_ne!(parsed_sha256(&table), parsed_sha256(&table.select(&[1, 0])));
    }
}

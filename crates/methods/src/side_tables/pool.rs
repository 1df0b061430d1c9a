//! State which methods a stack pools, and by which weights.

use super::table::table;

table! {
    /// One row for each member that takes part; a member that could not be fitted is missing.
    pub struct Pool: "pool" {
        /// Its place among the stack's methods, from 0.
        member: Vec<f64>,
        /// Its weight in the pool; they sum to 1.
        weight: Vec<f64>,
        /// Its mean CRPS on out-of-fold rows, in the target's units.
        crps: Vec<f64>,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn a_pool_has_its_columns() {
        let pool = Pool { member: vec![0.0, 2.0], weight: vec![0.75, 0.25], crps: vec![1.5, 2.0] };
        let text = r#"{"name":"pool","columns":[["member",[0.0,2.0]],["weight",[0.75,0.25]],["crps",[1.5,2.0]]]}"#;
        assert_stored(&pool, &pool.to_table(), Pool::from_table, text, &[]);
    }
}

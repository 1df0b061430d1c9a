//! Distinguish the columns of the paper's own method from its baselines.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Benchmark;
use super::mistakes::{Mistakes, Part};

/// For each label the values that the columns of the paper's own method carry, such as
/// `{ method = ["jcm"] }`; empty where a benchmark does not distinguish own columns from baselines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct OwnColumns(BTreeMap<String, Vec<String>>);

impl OwnColumns {
    /// Whether the benchmark states which columns are the paper's own.
    pub fn is_stated(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether a column with these labels is a published baseline. `false` for all columns where
    /// own columns are not stated.
    pub fn leave_out(&self, labels: &BTreeMap<String, String>) -> bool {
        let carried = |(label, values): (&String, &Vec<String>)| {
            labels.get(label).is_some_and(|v| values.contains(v))
        };
        !self.0.is_empty() && !self.0.iter().all(carried)
    }
}

impl Benchmark {
    /// Notes each value that no column carries, because a misspelt value would turn the paper's own
    /// method into a baseline without a message.
    pub(super) fn check_own(&self, to: &mut Mistakes) {
        let columns = || {
            let methods =
                self.methods.iter().flat_map(|method| &method.columns).map(|column| &column.labels);
            methods.chain(self.printed_columns.iter().map(|column| &column.labels))
        };
        for (label, values) in &self.own.0 {
            let is_carried =
                |value: &String| columns().any(|labels| labels.get(label) == Some(value));
            for value in values.iter().filter(|value| !is_carried(value)) {
                to.note(
                    Part::key("own").then(label),
                    format!("own: no column has the label {label} = \"{value}\""),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(label, value)| ((*label).into(), (*value).into())).collect()
    }

    fn own(pairs: &[(&str, &[&str])]) -> OwnColumns {
        let list = |values: &[&str]| values.iter().map(|value| (*value).into()).collect();
        OwnColumns(pairs.iter().map(|(label, values)| ((*label).into(), list(values))).collect())
    }

    #[test]
    fn all_columns_but_the_papers_own_are_baselines() {
        let jcm = own(&[("method", &["jcm-mc", "jcm-ls"])]);
        assert!(!jcm.leave_out(&labels(&[("method", "jcm-ls"), ("trees", "weak")])));
        assert!(jcm.leave_out(&labels(&[("method", "sqr")])));
        assert!(jcm.leave_out(&labels(&[("trees", "weak")])), "a label that is missing");
        assert!(
            own(&[("method", &["dt"]), ("trees", &["weak"])])
                .leave_out(&labels(&[("method", "dt")]))
        );
        assert!(!OwnColumns::default().leave_out(&labels(&[("method", "sqr")])), "not told");
    }

    #[test]
    fn a_value_that_no_column_carries_is_refused() {
        let parse = |own: &str| {
            let text = include_str!("../../../../benchmarks/papers/jcm/jcm-table-4.toml");
            let own = format!("own = {{ method = [{own}] }}");
            let text = text.replacen("own = { method = [\"jcm-mc\", \"jcm-ls\"] }", &own, 1);
            Benchmark::parse("test", &text).map_err(|error| error.to_string())
        };
        let parsed = parse("\"jcm-mc\", \"jcm-ls\"").unwrap();
        assert!(parsed.own.leave_out(&labels(&[("method", "sqr")])));
        let message = parse("\"jcm-lsd\"").unwrap_err();
        assert!(message.contains("own: no column has the label method = \"jcm-lsd\""), "{message}");
    }
}

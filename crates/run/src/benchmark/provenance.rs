//! Document how a protocol was found: what is printed, what else was tried, and whether test
//! results were seen in choosing.

use serde::Deserialize;

use super::mistakes::{Mistakes, Part};
use super::{Benchmark, ProtocolSource};

/// How a protocol was found. Left out where the paper prints the protocol, because then nothing was
/// chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProtocolProvenance {
    /// What is printed where, and what was inferred how.
    pub protocol: String,
    /// Other readings that were tried.
    #[serde(default)]
    pub alternatives: Vec<Alternative>,
    /// Why no other reading was tried, where none was.
    #[serde(default)]
    pub no_alternatives: String,
    /// Whether test results, printed or our own, were seen in choosing the protocol. The results
    /// then agree partly by choice.
    pub test_results_seen: bool,
    /// Why they were seen, or how that was avoided.
    pub seen: String,
}

impl ProtocolProvenance {
    /// Whether the file says how the protocol was found.
    pub fn is_stated(&self) -> bool {
        *self != Self::default()
    }
}

/// Another reading of the paper that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// What differs.
    pub what: String,
    /// The variant of a method or dataset that runs it, if it is run.
    pub row: Option<String>,
    /// Its result, or where to find it.
    pub outcome: String,
}

impl Benchmark {
    /// Notes missing statements on an inferred protocol, and alternatives whose row does not exist.
    pub(super) fn check_provenance(&self, to: &mut Mistakes) {
        let provenance = &self.provenance;
        let given = |text: &str| !text.trim().is_empty();
        let part = || Part::key("provenance");
        if self.protocol_source == ProtocolSource::Inferred {
            for (key, text) in [("protocol", &provenance.protocol), ("seen", &provenance.seen)] {
                if !given(text) {
                    to.note(
                        part(),
                        format!("the protocol is inferred, so `[provenance]` must say its `{key}`"),
                    );
                }
            }
            if provenance.alternatives.is_empty() && !given(&provenance.no_alternatives) {
                let message = "the protocol is inferred, so `[provenance]` must list the \
                               `alternatives` that were tried, or say in `no_alternatives` why \
                               none was";
                to.note(part(), message);
            }
        }
        if provenance.test_results_seen && !given(&provenance.seen) {
            to.note(part(), "test results were seen, so `[provenance]` must say in `seen` why");
        }
        if !provenance.alternatives.is_empty() && given(&provenance.no_alternatives) {
            let message = "`[provenance]` lists `alternatives`, but `no_alternatives` says why \
                           there are none";
            to.note(part().then("no_alternatives"), message);
        }
        let datasets = self.datasets.iter().filter_map(|row| row.variant.as_ref());
        let variants: Vec<&String> =
            self.methods.iter().filter_map(|row| row.variant.as_ref()).chain(datasets).collect();
        for (i, Alternative { what, row, outcome }) in provenance.alternatives.iter().enumerate() {
            let part = part().then("alternatives").entry(i);
            if !given(what) || !given(outcome) {
                let message =
                    "an alternative of `[provenance]` needs the words of `what` and `outcome`";
                to.note(part.clone(), message);
            }
            if let Some(row) = row.as_ref().filter(|row| !variants.contains(row)) {
                to.note(
                    part,
                    format!("alternative `{what}`: no method or dataset has the variant `{row}`"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFERRED: &str = "protocol_source = \"inferred\"";
    const PROVENANCE: &str =
        "[provenance]\nprotocol = \"P.\"\ntest_results_seen = true\nseen = \"S.\"\n";
    const TRIED: &str =
        "alternatives = [{ what = \"other\", row = \"variant\", outcome = \"O.\" }]\n";

    /// A benchmark with this source and table, whose only method has a variant.
    fn parsed(source: &str, provenance: &str) -> Result<Benchmark, String> {
        let mut text = format!(
            "id = \"a\"\npaper = \"none\"\nartefact = \"Table 0\"\ntitle = \"A\"\n{source}\n\
             protocol = {{ holdout = {{ test = {{ fraction = 0.2 }} }} }}\n\
             datasets = [{{ key = \"yacht\", heading = \"Data\" }}]\nmetrics = [{{ id = \"rmse\", \
             heading = \"RMSE\" }}]\n\
             [[methods]]\nid = \"tree\"\ncolumns = [{{ heading = \"Tree\" }}]\nvariant = \
             \"variant\"\n{provenance}"
        );
        for profile in ["smoke", "quick", "full"] {
            text += &format!("[profiles.{profile}]\nsplits = 1\n");
        }
        Benchmark::parse("test", &text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_printed_protocol_may_leave_it_out() {
        let benchmark = parsed("protocol_source = \"printed\"", "").unwrap();
        assert!(!benchmark.provenance.is_stated());
        assert!(
            !benchmark.provenance.test_results_seen,
            "where nothing was chosen, nothing was seen in choosing"
        );
    }

    #[test]
    fn an_inferred_protocol_says_what_was_tried_or_why_nothing_was() {
        let benchmark = parsed(INFERRED, &format!("{PROVENANCE}{TRIED}")).unwrap();
        assert_eq!(benchmark.provenance.alternatives[0].row.as_deref(), Some("variant"));
        assert!(benchmark.provenance.is_stated());
        parsed(INFERRED, &format!("{PROVENANCE}no_alternatives = \"Nothing is open.\"\n")).unwrap();
    }

    #[test]
    fn what_is_unsaid_or_contradicts_itself_is_told() {
        let both = format!("{PROVENANCE}{TRIED}no_alternatives = \"None.\"\n");
        for (source, provenance, expected) in [
            (INFERRED, String::new(), "must say its `protocol`"),
            (INFERRED, PROVENANCE.into(), "must list the `alternatives`"),
            (INFERRED, PROVENANCE.replace("\"P.\"", "\" \"") + TRIED, "must say its `protocol`"),
            (INFERRED, PROVENANCE.replace("\"S.\"", "\"\"") + TRIED, "must say its `seen`"),
            (INFERRED, both, "says why there are none"),
            (
                INFERRED,
                PROVENANCE.to_owned() + &TRIED.replace("\"variant\"", "\"varient\""),
                "the variant `varient`",
            ),
            (INFERRED, PROVENANCE.to_owned() + &TRIED.replace("\"O.\"", "\"\""), "needs the words"),
            (
                INFERRED,
                PROVENANCE.replace("test_results_seen = true\n", "") + TRIED,
                "test_results_seen",
            ),
            (INFERRED, PROVENANCE.to_owned() + &TRIED.replace("outcome", "result"), "result"),
            (
                "protocol_source = \"printed\"",
                PROVENANCE.replace("\"S.\"", "\"\""),
                "must say in `seen` why",
            ),
        ] {
            let message = parsed(source, &provenance).unwrap_err();
            assert!(message.contains(expected), "{provenance}: {message}");
        }
    }

    #[test]
    fn every_variant_of_a_shipped_benchmark_is_an_alternative() {
        for benchmark in crate::benchmark::shipped().unwrap() {
            let listed = |variant: &str| {
                benchmark
                    .provenance
                    .alternatives
                    .iter()
                    .any(|alternative| alternative.row.as_deref() == Some(variant))
            };
            let datasets = benchmark.datasets.iter().filter_map(|row| row.variant.as_deref());
            let methods = benchmark.methods.iter().filter_map(|row| row.variant.as_deref());
            for variant in datasets
                .chain(methods)
                .filter(|_| benchmark.protocol_source == ProtocolSource::Inferred)
            {
                assert!(
                    listed(variant),
                    "{}: `{variant}` is run, but no alternative names it",
                    benchmark.id
                );
            }
        }
    }
}

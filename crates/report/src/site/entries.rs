//! Write the entries of metrics, letters, marks and columns, for the glossary and for pages that
//! stand alone.

use maud::{Markup, html};

use super::anchors::metric_anchor;
use crate::words::glossary::{self, Column};
use crate::words::signs::Sign;
use uq_core::metrics::MetricId;

/// What has a meaning of its own.
pub enum Term {
    /// A metric.
    Metric(MetricId),
    /// A letter or a mark.
    Sign(&'static Sign),
    /// A column.
    Column(&'static Column),
}

impl Term {
    /// Its anchor.
    pub fn anchor(&self) -> String {
        match self {
            Self::Metric(metric) => metric_anchor(metric),
            Self::Sign(sign) => format!("mark-{}", sign.name),
            Self::Column(column) => format!("column-{}", column.name),
        }
    }

    /// Its entry in a list of definitions.
    pub fn entry(&self) -> Markup {
        html! {
            dt id=(self.anchor()) {
                @match self {
                    Self::Metric(metric) => { strong { (metric.label()) } " " code { (metric) } }
                    Self::Sign(sign) => { strong { (sign.sign) } }
                    Self::Column(column) => { strong { (column.heads.join(", ")) } }
                }
            }
            dd {
                @match self {
                    Self::Metric(metric) => { (glossary::definition(metric)) }
                    Self::Sign(sign) => {
                        (sign.meaning) " " (reference(sign.section, sign.papers))
                    }
                    Self::Column(column) => {
                        (column.meaning)
                        @if !column.paper.is_empty() {
                            " " span.note { (glossary::reference(column.paper)) }
                        }
                    }
                }
            }
        }
    }
}

/// Where the rule is, and the papers behind it.
pub fn reference(section: &str, papers: &str) -> Markup {
    html! { span.note { (glossary::rule_in(section, papers)) } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::glossary::{COLUMNS, DERIVED, LETTERS, WEAKNESS};

    #[test]
    fn no_two_entries_share_an_anchor() {
        let signs =
            crate::words::signs::ALL.into_iter().chain(&LETTERS).chain([&WEAKNESS]).map(Term::Sign);
        let all: Vec<String> = signs
            .chain(COLUMNS.iter().chain(&DERIVED).map(Term::Column))
            .map(|term| term.anchor())
            .collect();
        for (at, anchor) in all.iter().enumerate() {
            assert!(!all[..at].contains(anchor), "{anchor}");
        }
    }
}

//! Write links to errata in Markdown.

use crate::cited::linked;
use crate::errata::errata;
use crate::section::Named;

/// Words in which each erratum that is cited is a link, from a page in a folder below that of the
/// report by `up`; `plain` writes the other words.
pub(super) fn with_errata(text: &str, up: &str, plain: impl Fn(&str) -> String) -> String {
    linked(text, errata(), |one| format!("{up}{}", one.address()), plain)
}

/// Links to errata.
pub(super) fn errata_about(all: &[Named]) -> String {
    let link = |one: &Named| format!("{} [{}]({})", one.kind, one.number, one.address);
    format!("Errata about it: {}.\n", all.iter().map(link).collect::<Vec<_>>().join(", "))
}

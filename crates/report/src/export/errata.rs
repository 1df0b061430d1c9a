//! Write links to errata in Markdown.

use super::escape;
use crate::cited::linked;
use crate::errata::GRAVEST;
use crate::section::Named;
use crate::words::errata as words;
use uqbench_run::benchmark::papers::errata;

/// Words in which each erratum that is cited is a link, from a page in a folder below that of the
/// report by `up`; `plain` writes the other words.
pub(super) fn with_errata(text: &str, up: &str, plain: impl Fn(&str) -> String) -> String {
    linked(text, errata(), |one| format!("{up}{}", one.address()), plain)
}

/// Links to errata, the gravest ones by their subject.
pub(super) fn errata_about(all: &[Named]) -> String {
    let link = |one: &Named| format!("{} [{}]({})", one.kind, one.number, one.address);
    let (gravest, others) = all.split_at(all.len().min(GRAVEST));
    let mut named: Vec<String> =
        gravest.iter().map(|one| format!("{}: {}", link(one), escape(&one.subject))).collect();
    if !others.is_empty() {
        let equally_grave = others.chunk_by(|a, b| a.severity == b.severity).map(|equal| {
            let links: Vec<String> = equal.iter().map(link).collect();
            format!("{}: {}", equal[0].severity, links.join(", "))
        });
        let groups: Vec<String> = equally_grave.collect();
        named.push(format!("{}, {}", words::more(others.len()), groups.join("; ")));
    }
    format!("{}{}.\n", words::ABOUT, named.join("; "))
}

//! Find the errata behind what a page shows, and lead there: those that name it, and those that the
//! benchmark file names.

use maud::{Markup, html};

use super::errata_pages::page_name;
use crate::cited::{cited, cites, has_variant, linked};
use crate::errata::GRAVEST;
use crate::summary::Part;
use crate::words::errata as words;
use uqbench_judge::judgement::NumberLine;
use uqbench_run::benchmark::papers::{Erratum, SEVERITIES, about, by_importance};
use uqbench_run::runner::plan::Plan;

/// Anchor of the list of errata on the page of a benchmark.
pub const LIST: &str = "errata";

/// The errata to which the page of a benchmark leads.
pub struct Ties<'a> {
    plan: &'a Plan,
    all: &'a [Erratum],
    about: Vec<&'a Erratum>,
}

impl<'a> Ties<'a> {
    /// Of a benchmark, among all errata.
    pub fn new(part: &Part<'a>, all: &'a [Erratum]) -> Self {
        Self { plan: part.plan, all, about: about(&part.plan.benchmark, all) }
    }

    /// The file that a command line names for the benchmark; `None` for one of the program.
    pub fn file(&self) -> Option<&str> {
        self.plan.benchmark.origin.file.as_deref()
    }

    /// The list of the errata about the table or figure, in the order of the Markdown page.
    pub fn list(&self) -> Markup {
        html! {
            @if !self.about.is_empty() {
                @let (gravest, others) = self.about.split_at(self.about.len().min(GRAVEST));
                div id=(LIST) {
                    p.note {
                        (words::ABOUT)
                        @for (at, one) in gravest.iter().enumerate() {
                            @if at > 0 { "; " }
                            a href=(address(one)) { (one.kind()) " " (one.number) } ": " (one.subject())
                        }
                        @if others.is_empty() { "." }
                    }
                    @if !others.is_empty() {
                        details.note {
                            summary { (words::more(others.len())) }
                            @for (at, equal) in
                                others.chunk_by(|a, b| a.severity == b.severity).enumerate() {
                                @if at > 0 { "; " }
                                (SEVERITIES[equal[0].severity]) ": " (links(equal))
                            }
                            "."
                        }
                    }
                }
            }
        }
    }

    /// The errata behind a printed number. Where none names it, the list of those about the table
    /// or figure.
    pub fn of_number(&self, line: &NumberLine) -> Markup {
        let behind = self.behind(line);
        html! {
            @if !behind.is_empty() { " " (words::NAMING) (links(&behind)) "." }
            @else if !self.about.is_empty() {
                " Errata: " a href={ "#" (LIST) } {
                    (words::those_about(&self.plan.benchmark.artefact))
                }
                "."
            }
        }
    }

    /// The errata of a variant after its name, in brackets.
    pub fn of_variant(&self, variant: &str) -> Markup {
        let behind = by_importance(
            self.all.iter().filter(|one| has_variant(one, &self.plan.benchmark, variant)),
        );
        html! { @if !behind.is_empty() { span.note { " (" (links(&behind)) ")" } } }
    }

    /// Words in which each erratum that is cited is a link; `plain` writes the other words.
    pub fn linked(&self, text: &str, plain: impl Fn(&str) -> Markup) -> Markup {
        let item = |named| self.all.iter().find(|one| Some(one.name()) == named);
        html! { @for (part, named) in cited(text) {
            @if let Some(one) = item(named) {
                a href=(address(one)) { (part) }
            } @else {
                (plain(part))
            }
        } }
    }

    /// The same of prose in Markdown.
    pub fn in_prose(&self, source: &str) -> String {
        linked(source, self.all, address, str::to_owned)
    }

    /// Of a variant the errata behind it. Of the main reading those about the table or figure of
    /// which a sentence has both the dataset and the column, and those that the benchmark file
    /// cites on the dataset.
    fn behind(&self, line: &NumberLine) -> Vec<&'a Erratum> {
        let benchmark = &self.plan.benchmark;
        let [dataset, column] = line.headings(self.plan);
        let other_data = line.column.and_then(|id| self.plan.column(id).0.other_data.as_deref());
        let is_behind = |one: &&Erratum| match line.variant(self.plan) {
            Some(variant) => has_variant(one, benchmark, variant),
            None => self.about.contains(one) && one.has_both(&dataset, &column),
        };
        let is_cited = |one: &&Erratum| other_data.is_some_and(|words| cites(words, one));
        by_importance(self.all.iter().filter(|one| is_behind(one) || is_cited(one)))
    }
}

/// Where an erratum is.
fn address(one: &Erratum) -> String {
    format!("{}.html#{}", page_name(&one.paper), one.anchor())
}

/// Links to errata, each its kind and number.
fn links(all: &[&Erratum]) -> Markup {
    html! { @for (at, one) in all.iter().enumerate() {
        @if at > 0 { ", " }
        a href=(address(one)) { (one.kind()) " " (one.number) }
    } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::papers::errata;
    use uqbench_run::benchmark::{find, shipped};

    #[test]
    fn a_variant_has_the_errata_that_name_it_and_those_that_its_benchmark_cites() {
        let (table, all) = (find("jcm-table-2").unwrap(), errata());
        let of = |variant: &str| {
            let behind = all.iter().filter(|one| has_variant(one, &table, variant));
            behind.map(Erratum::anchor).collect::<Vec<_>>()
        };
        assert_eq!(of("loss summed over a batch"), ["jcm-10"], "a line ends within the name");
        assert_eq!(of("prior scaled twice"), ["jcm-46"], "the benchmark file cites it");
        assert!(of("GMM regression").is_empty() && of("").is_empty());
    }

    #[test]
    fn every_erratum_that_a_shipped_benchmark_cites_exists() {
        let (all, mut count) = (errata(), 0);
        for benchmark in shipped().unwrap() {
            let tried = benchmark
                .provenance
                .alternatives
                .iter()
                .flat_map(|tried| [&tried.what, &tried.outcome]);
            let other_data =
                benchmark.datasets.iter().filter_map(|dataset| dataset.other_data.as_ref());
            let read = benchmark.claims.iter().map(|claim| &claim.reading);
            for named in tried
                .chain(other_data)
                .chain(read)
                .flat_map(|words| cited(words))
                .filter_map(|part| part.1)
            {
                count += 1;
                assert!(all.iter().any(|one| one.name() == named), "{}: {named:?}", benchmark.id);
            }
        }
        assert!(count > 5, "{count}");
    }
}

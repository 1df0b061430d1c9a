//! Find the errata behind what a page shows, and lead there: those that name it, and those that the benchmark file names.

use maud::{Markup, html};

use super::errata_pages::{is_about, page_name};
use super::summary::Part;
use crate::benchmark::Benchmark;
use crate::benchmark::papers::topics;
use crate::judgement::NumberLine;
use crate::report::errata::Erratum;
use crate::report::table::headings;
use crate::runner::plan::Plan;

/// Anchor of the list of errata on the page of a benchmark.
pub const LIST: &str = "errata";

/// What stands before the names of errata in words: `errata.md, JCM 6, 12 and 14`.
const CITED: &str = "errata.md, ";

/// The errata to which the page of a benchmark leads.
pub struct Ties<'a> {
    plan: &'a Plan,
    all: &'a [Erratum],
    about: Vec<&'a Erratum>,
}

impl<'a> Ties<'a> {
    /// Of a benchmark, among all errata.
    pub fn new(part: &Part<'a>, all: &'a [Erratum]) -> Self {
        Self { plan: part.plan, all, about: all.iter().filter(|one| is_about(one, part)).collect() }
    }

    /// The list of the errata about the table or figure.
    pub fn list(&self) -> Markup {
        html! { @if !self.about.is_empty() { p.note id=(LIST) { "Errata about it: " (links(&self.about)) "." } } }
    }

    /// The errata behind a printed number. Where none names it, the list of those about the table or figure.
    pub fn of_number(&self, line: &NumberLine) -> Markup {
        let behind = self.behind(line);
        html! {
            @if !behind.is_empty() { " Errata that name it: " (links(&behind)) "." }
            @else if !self.about.is_empty() {
                " Errata: " a href={ "#" (LIST) } { "those about " (self.plan.benchmark.artefact) } "."
            }
        }
    }

    /// The errata of a variant after its name, in brackets.
    pub fn of_variant(&self, variant: &str) -> Markup {
        let behind: Vec<&Erratum> =
            self.all.iter().filter(|one| has_variant(one, &self.plan.benchmark, variant)).collect();
        html! { @if !behind.is_empty() { span.note { " (" (links(&behind)) ")" } } }
    }

    /// Words in which each erratum that is cited is a link.
    pub fn linked(&self, text: &str) -> Markup {
        let item = |named| self.all.iter().find(|one| Some(one.name()) == named);
        html! { @for (part, named) in cited(text) {
            @if let Some(one) = item(named) { a href=(address(one)) { (part) } } @else { (part) }
        } }
    }

    /// Of a variant the errata behind it. Of the main reading those about the table or figure of which a sentence has both the
    /// dataset and the column, and those that the benchmark file cites on the dataset.
    fn behind(&self, line: &NumberLine) -> Vec<&'a Erratum> {
        let benchmark = &self.plan.benchmark;
        let [dataset, column] = headings(self.plan, line);
        let other_data = line.column.and_then(|id| self.plan.column(id).0.other_data.as_deref());
        let is_behind = |one: &&Erratum| match line.variant(self.plan) {
            Some(variant) => has_variant(one, benchmark, variant),
            None => self.about.contains(one) && one.has_both(&dataset, &column),
        };
        let is_cited = |one: &&Erratum| other_data.is_some_and(|words| cites(words, one));
        self.all.iter().filter(|one| is_behind(one) || is_cited(one)).collect()
    }
}

/// Whether an erratum of a benchmark's paper has the name of a variant, or the benchmark file cites it where it says what the
/// variant is.
pub fn has_variant(one: &Erratum, benchmark: &Benchmark, variant: &str) -> bool {
    let tried = benchmark.provenance.alternatives.iter().filter(|tried| tried.row.as_deref() == Some(variant));
    one.paper == benchmark.paper
        && (one.has_name(variant)
            || tried.flat_map(|tried| [&tried.what, &tried.outcome]).any(|words| cites(words, one)))
}

/// Whether words cite an erratum.
fn cites(words: &str, one: &Erratum) -> bool {
    cited(words).iter().any(|(_, named)| *named == Some(one.name()))
}

/// A text in parts. The number of each erratum that it cites is a part with the erratum's paper and number.
fn cited(text: &str) -> Vec<(&str, Option<(&'static str, usize)>)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(CITED) {
        let (before, after) = rest.split_at(at + CITED.len());
        parts.push((before, None));
        rest = after;
        let topic = topics().find_map(|topic| Some((topic.key, rest.strip_prefix(topic.name)?.strip_prefix(' ')?)));
        let Some((paper, mut numbers)) = topic else { continue };
        loop {
            let end = numbers.find(|c: char| !c.is_ascii_digit()).unwrap_or(numbers.len());
            let (digits, after) = numbers.split_at(end);
            let Ok(number) = digits.parse() else { break };
            parts.push((&rest[..rest.len() - numbers.len()], None));
            parts.push((digits, Some((paper, number))));
            rest = after;
            let Some(next) = [", ", " and "].iter().find_map(|gap| rest.strip_prefix(gap)) else { break };
            numbers = next;
        }
    }
    parts.push((rest, None));
    parts
}

/// Where an erratum is.
fn address(one: &Erratum) -> String {
    format!("{}.html#{}", page_name(one.paper), one.anchor())
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
    use crate::benchmark::{find, shipped};
    use crate::report::errata::errata;

    #[test]
    fn each_number_of_a_list_is_cited() {
        let words = "a (errata.md, JCM 6, 12 and 14), b errata.md, Baselines 2. c errata.md, x, errata.md";
        let parts = cited(words);
        assert_eq!(parts.iter().map(|(part, _)| *part).collect::<String>(), words);
        let named: Vec<_> = parts.into_iter().filter_map(|(part, named)| Some((part, named?))).collect();
        let [six, twelve, fourteen] = [6, 12, 14].map(|number| ("jcm", number));
        assert_eq!(named, [("6", six), ("12", twelve), ("14", fourteen), ("2", ("baselines", 2))]);
        assert_eq!(cited("errata.md, JCM and 12"), [("errata.md, ", None), ("JCM and 12", None)]);
        assert_eq!(cited("JCM 6"), [("JCM 6", None)], "a paper and a number alone are no item");
    }

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
            let tried = benchmark.provenance.alternatives.iter().flat_map(|tried| [&tried.what, &tried.outcome]);
            let other_data = benchmark.datasets.iter().filter_map(|dataset| dataset.other_data.as_ref());
            let read = benchmark.claims.iter().map(|claim| &claim.reading);
            for named in tried.chain(other_data).chain(read).flat_map(|words| cited(words)).filter_map(|part| part.1) {
                count += 1;
                assert!(all.iter().any(|one| one.name() == named), "{}: {named:?}", benchmark.id);
            }
        }
        assert!(count > 5, "{count}");
    }
}

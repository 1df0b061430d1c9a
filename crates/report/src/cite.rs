//! Write BibTeX of what a run uses: its papers, methods, datasets and metrics, and the publications
//! behind these.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::export::latex::escape;
use uq_core::metrics::{self as of_metrics, MetricId, Publication};
use uq_methods::references as of_methods;
use uqbench_data::Manifest;
use uqbench_run::benchmark::papers::{Paper, papers};
use uqbench_run::registry;
use uqbench_run::runner::plan::Plan;

/// One entry each for the program, and the papers, publications, methods, datasets and metrics of
/// the plans.
pub fn bibtex(plans: &[Plan]) -> String {
    let reproduced: BTreeSet<&str> =
        plans.iter().map(|plan| plan.benchmark.paper.as_str()).collect();
    let experiments = || plans.iter().flat_map(|plan| &plan.experiments);
    let mut methods: BTreeSet<&str> =
        experiments().map(|experiment| experiment.method.id.as_str()).collect();
    experiments().for_each(|experiment| add_parts(&experiment.template.parameters, &mut methods));
    let datasets: BTreeSet<&str> =
        experiments().map(|experiment| experiment.template.dataset.as_str()).collect();
    let mut metrics: Vec<MetricId> =
        plans.iter().flat_map(|plan| plan.benchmark.all_metrics()).collect();
    // Metrics that differ in a parameter alone have one definition.
    metrics.sort_by_key(|metric| metric.name());
    metrics.dedup_by_key(|metric| metric.name());
    let program = Entry {
        key: "uqbench".into(),
        title:
            "uqbench: a reproducible benchmark harness for uncertainty quantification in regression"
                .into(),
        fields: vec![("version", env!("CARGO_PKG_VERSION").into())],
        verbatim: Vec::new(),
    };
    let is_used = |paper: &&Paper| {
        reproduced.contains(paper.key.as_str())
            || paper.methods.iter().any(|method| methods.contains(method.as_str()))
    };
    let papers: Vec<Entry> = papers().filter(is_used).map(of_paper).collect();
    let behind = methods.iter().flat_map(|method| of_methods::publications(method));
    let behind =
        behind.chain(metrics.iter().flat_map(|metric| of_metrics::publications(metric.name())));
    let behind: BTreeMap<&str, &Publication> =
        behind.map(|publication| (publication.key, publication)).collect();
    let publications = behind.into_values().map(of_publication);
    let methods = methods.into_iter().filter_map(of_method);
    let datasets = datasets.into_iter().filter_map(of_dataset);
    let all = std::iter::once(program)
        .chain(papers)
        .chain(publications)
        .chain(methods)
        .chain(datasets)
        .chain(metrics.iter().map(of_metric));
    all.map(|entry| entry.text()).collect::<Vec<_>>().join("\n")
}

/// Adds the methods that parameters name: another method is made of them.
fn add_parts<'v>(parameters: &'v Value, methods: &mut BTreeSet<&'v str>) {
    match parameters {
        Value::Object(fields) => {
            let id = fields.get("id").and_then(Value::as_str);
            methods.extend(id.filter(|id| registry::entry(id).is_ok()));
            fields.values().for_each(|value| add_parts(value, methods));
        }
        Value::Array(values) => values.iter().for_each(|value| add_parts(value, methods)),
        _ => {}
    }
}

/// An entry of the kind `@misc`, which has no field that must be there.
struct Entry {
    key: String,
    title: String,
    fields: Vec<(&'static str, String)>,
    /// Fields that are in BibTeX already.
    verbatim: Vec<(&'static str, String)>,
}

impl Entry {
    fn text(&self) -> String {
        let title = ("title", format!("{{{}}}", escape(&self.title)));
        let fields = self.fields.iter().map(|(name, value)| (*name, escape(value)));
        // Styles sort by the author, or else by the key.
        let has_author = self.verbatim.iter().any(|(name, _)| *name == "author");
        let sorted = (!has_author).then(|| ("key", self.key.clone()));
        let all =
            std::iter::once(title).chain(self.verbatim.iter().cloned()).chain(sorted).chain(fields);
        let lines: String = all.map(|(name, value)| format!("  {name} = {{{value}}},\n")).collect();
        format!("@misc{{{},\n{lines}}}\n", self.key)
    }
}

/// A name as a part of a key.
fn key(kind: &str, name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("uqbench-{kind}-{name}")
}

fn of_paper(paper: &Paper) -> Entry {
    let fields = [
        ("howpublished", paper.venue.clone()),
        ("year", paper.year.map(|year| year.to_string())),
        ("doi", paper.doi.clone()),
    ];
    Entry {
        key: key("paper", &paper.key),
        title: paper.title.clone(),
        fields: fields.into_iter().filter_map(|(name, text)| Some((name, text?))).collect(),
        verbatim: vec![("author", escape(&paper.authors.join(" and ")))],
    }
}

fn of_publication(found: &Publication) -> Entry {
    Entry {
        key: found.key.into(),
        title: found.title.into(),
        fields: vec![("howpublished", found.venue.into()), ("year", found.year.to_string())],
        verbatim: vec![("author", found.authors.into())],
    }
}

/// `, after A, B`, the keys of what is behind a method or metric.
fn after(keys: impl Iterator<Item = String>) -> String {
    let keys: Vec<String> = keys.collect();
    if keys.is_empty() { String::new() } else { format!(", after {}", keys.join(", ")) }
}

fn of_method(id: &str) -> Option<Entry> {
    let entry = registry::entry(id).ok()?;
    let papers = papers()
        .filter(|paper| paper.methods.iter().any(|method| method == id))
        .map(|paper| key("paper", &paper.key));
    let behind = of_methods::publications(id).map(|publication| publication.key.to_owned());
    let note = format!("Method {id} of uqbench{}", after(papers.chain(behind)));
    Some(Entry {
        key: key("method", id),
        title: entry.title.into(),
        fields: vec![("note", note)],
        verbatim: Vec::new(),
    })
}

/// `None` for a simulated problem, which nobody published.
fn of_dataset(name: &str) -> Option<Entry> {
    let dataset = Manifest::shipped().ok()?.get(name).ok()?;
    let doi = dataset.doi.clone().map(|doi| ("doi", doi));
    Some(Entry {
        key: key("data", name),
        title: dataset.title.clone(),
        fields: [("note", dataset.citation.clone())].into_iter().chain(doi).collect(),
        verbatim: Vec::new(),
    })
}

fn of_metric(metric: &MetricId) -> Entry {
    let behind = after(
        of_metrics::publications(metric.name()).map(|publication| publication.key.to_owned()),
    );
    Entry {
        key: key("metric", metric.name()),
        title: metric.label(),
        fields: vec![(
            "note",
            format!("{}{behind}", metric.properties().definition.trim_end_matches('.')),
        )],
        verbatim: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::{Profile, find};
    use uqbench_run::runner::plan::{Filter, plan};

    #[test]
    fn a_table_cites_its_paper_methods_data_and_metrics_once_each() {
        let plans = plan(
            &[find("dtb-table-1").unwrap(), find("dtb-table-2").unwrap()],
            Profile::Full,
            &Filter::default(),
        );
        let text = bibtex(&plans.unwrap());
        for key in [
            "gneiting2011making",
            "dantzig1955generalized",
            "seber2003linear",
            "breiman1984classification",
        ] {
            assert_eq!(text.matches(&format!("@misc{{{key},\n")).count(), 1, "{key}: {text}");
        }
        assert!(
            text.contains("Method dtb of uqbench, after uqbench-paper-dtb, dantzig1955generalized"),
            "{text}"
        );
        assert!(text.contains("howpublished = {JASA 106},\n  year = {2011},"), "{text}");
        for key in [
            "paper-dtb",
            "method-dtb",
            "method-tree",
            "method-linear-gaussian",
            "data-california",
            "metric-mse",
        ] {
            assert_eq!(
                text.matches(&format!("@misc{{uqbench-{key},\n")).count(),
                1,
                "{key}: {text}"
            );
        }
        assert!(
            !text.contains("jcm") && text.contains("author = {Tavallali, Peyman and"),
            "{text}"
        );
        let depth = |c: char| text.replace("\\{", "").replace("\\}", "").matches(c).count();
        assert_eq!(depth('{'), depth('}'), "braces pair up");
    }

    #[test]
    fn no_character_is_a_command() {
        assert_eq!(
            escape("a_b & 5 % {x} \\ ~ ^\n"),
            "a\\_b \\& 5 \\% \\{x\\} \\textbackslash{} \\textasciitilde{} \\textasciicircum{}"
        );
    }
}

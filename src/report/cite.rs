//! Write BibTeX of what a run uses: its papers, methods, datasets and metrics.

use std::collections::BTreeSet;

use crate::benchmark::papers::{PAPERS, Paper};
use crate::data::Manifest;
use crate::methods::registry;
use crate::metrics::MetricId;
use crate::runner::plan::Plan;

/// One entry each for the program, and the papers, methods, datasets and metrics of the plans.
pub fn bibtex(plans: &[Plan]) -> String {
    let papers: BTreeSet<&str> = plans.iter().map(|plan| plan.benchmark.paper.as_str()).collect();
    let experiments = || plans.iter().flat_map(|plan| &plan.experiments);
    let methods: BTreeSet<&str> = experiments().map(|experiment| experiment.method.id.as_str()).collect();
    let datasets: BTreeSet<&str> = experiments().map(|experiment| experiment.template.dataset.as_str()).collect();
    let mut metrics: Vec<MetricId> = plans.iter().flat_map(|plan| plan.benchmark.all_metrics()).collect();
    // Metrics that differ in a parameter alone have one definition.
    metrics.sort_by_key(|metric| metric.name());
    metrics.dedup_by_key(|metric| metric.name());
    let program = Entry {
        key: "uqbench".into(),
        title: "uqbench: a reproducible benchmark harness for uncertainty quantification in regression".into(),
        fields: vec![("version", env!("CARGO_PKG_VERSION").into())],
        verbatim: Vec::new(),
    };
    let papers = PAPERS.iter().filter(|paper| papers.contains(paper.key)).map(of_paper);
    let methods = methods.into_iter().filter_map(of_method);
    let datasets = datasets.into_iter().filter_map(of_dataset);
    let all =
        std::iter::once(program).chain(papers).chain(methods).chain(datasets).chain(metrics.iter().map(of_metric));
    all.map(|entry| entry.text()).collect::<Vec<_>>().join("\n")
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
        let all = std::iter::once(title).chain(self.verbatim.iter().cloned()).chain(fields);
        let lines: String = all.map(|(name, value)| format!("  {name} = {{{value}}},\n")).collect();
        format!("@misc{{{},\n{lines}}}\n", self.key)
    }
}

/// Text in which no character is a command of TeX.
fn escape(text: &str) -> String {
    let one = |c: char| match c {
        '#' | '$' | '%' | '&' | '_' | '{' | '}' => format!("\\{c}"),
        '\\' => "\\textbackslash{}".into(),
        '~' => "\\textasciitilde{}".into(),
        '^' => "\\textasciicircum{}".into(),
        c => c.into(),
    };
    text.chars().filter(|c| !c.is_control()).map(one).collect()
}

/// A name as a part of a key.
fn key(kind: &str, name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("uqbench-{kind}-{name}")
}

fn of_paper(paper: &Paper) -> Entry {
    Entry {
        key: key("paper", paper.key),
        title: paper.title.into(),
        fields: paper.year.map(|year| ("year", year.to_string())).into_iter().collect(),
        verbatim: vec![("author", paper.authors.into())],
    }
}

fn of_method(id: &str) -> Option<Entry> {
    let entry = registry::entry(id).ok()?;
    let note = format!("Method {id} of uqbench; its source names the references");
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
    Entry {
        key: key("metric", metric.name()),
        title: metric.label(),
        fields: vec![("note", metric.properties().definition.into())],
        verbatim: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::{Profile, find};
    use crate::runner::plan::{Filter, plan};

    #[test]
    fn a_table_cites_its_paper_methods_data_and_metrics_once_each() {
        let plans =
            plan(&[find("dtb-table-1").unwrap(), find("dtb-table-2").unwrap()], Profile::Full, &Filter::default());
        let text = bibtex(&plans.unwrap());
        for key in ["paper-dtb", "method-dtb", "method-linear-gaussian", "data-california", "metric-mse"] {
            assert_eq!(text.matches(&format!("@misc{{uqbench-{key},\n")).count(), 1, "{key}: {text}");
        }
        assert!(!text.contains("jcm") && text.contains("author = {Tavallali, Peyman and"), "{text}");
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

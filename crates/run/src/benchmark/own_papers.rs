//! State that each printed number is of the paper that introduced its method, so that our version
//! of the method is judged.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Benchmark;
use uq_core::metrics::MetricId;

/// How baselines are judged by the numbers of their own papers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnPapers {
    /// The label whose values name the papers. The numbers of one paper are one family of Holm's
    /// correction.
    pub label: String,
    /// When the authors' scores of splits are paired with ours; never where absent.
    pub pairing: Option<Pairing>,
    /// What was run, or found in a paper, to separate the causes of a number that is not met.
    #[serde(default)]
    pub experiments: Vec<CauseExperiment>,
}

/// The condition under which two lists of scores by split are taken for scores of the same splits
/// in the same order.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairing {
    /// The metric of which both lists are correlated.
    pub metric: MetricId,
    /// Keys of the datasets on which they must correlate, each of them.
    pub datasets: Vec<String>,
    /// The correlation that each of them must exceed.
    pub above: f64,
    /// Keys of datasets whose correlation is shown and decides nothing.
    #[serde(default)]
    pub shown: Vec<String>,
}

/// An experiment that separates the causes of a difference from a printed number.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CauseExperiment {
    /// Labels of the columns that it explains.
    pub labels: BTreeMap<String, String>,
    /// The variant of a method that it explains; absent means all columns with these labels.
    pub of_variant: Option<String>,
    /// Keys of the datasets; none means all.
    #[serde(default)]
    pub datasets: Vec<String>,
    /// The metric's name in the printed numbers; absent means all.
    pub metric: Option<String>,
    /// The variant of a method that was run.
    pub variant: Option<String>,
    /// The entry of `reports/errata` that has the evidence, such as `Baselines 2`.
    pub erratum: Option<String>,
}

impl CauseExperiment {
    /// The experiment in words.
    pub fn text(&self) -> String {
        let variant = self.variant.as_ref().map(|variant| format!("variant “{variant}”"));
        let erratum = self.erratum.as_ref().map(|erratum| format!("errata.md, {erratum}"));
        variant.into_iter().chain(erratum).collect::<Vec<_>>().join("; ")
    }

    /// Whether it explains this number of a variant, or of a main column. A variant is no
    /// experiment about itself.
    pub fn explains(
        &self,
        column: (&BTreeMap<String, String>, Option<&str>),
        dataset: &str,
        metric: &str,
    ) -> bool {
        let (labels, variant) = column;
        let is_itself = variant.is_some() && self.variant.as_deref() == variant;
        !is_itself
            && (self.of_variant.is_none() || self.of_variant.as_deref() == variant)
            && self.labels.iter().all(|(label, value)| labels.get(label) == Some(value))
            && (self.datasets.is_empty() || self.datasets.iter().any(|key| key == dataset))
            && self.metric.as_ref().is_none_or(|name| name == metric)
    }
}

impl Benchmark {
    /// Finds the first name in `own_papers` that does not exist, and the first number out of range.
    ///
    /// # Errors
    /// A message that states what is wrong.
    pub(super) fn check_own_papers(&self) -> Result<(), String> {
        let Some(OwnPapers { label, pairing, experiments }) = &self.own_papers else {
            return Ok(());
        };
        let wrong = |message: String| Err(format!("own_papers: {message}"));
        if let Some(cell) = self.printed.cells.iter().find(|cell| !cell.labels.contains_key(label))
        {
            return wrong(format!(
                "a printed number has no label `{label}`: {} {:?}",
                cell.dataset, cell.labels
            ));
        }
        if let Some(Pairing { metric, datasets, above, shown }) = pairing {
            if !self.metrics.iter().any(|row| row.id == *metric && row.published.is_some()) {
                return wrong(format!("pairing: `{metric}` is not a metric with printed numbers"));
            }
            if datasets.is_empty() || !(0.0..1.0).contains(above) {
                return wrong(
                    "pairing needs a dataset, and `above` of at least 0 and below 1".into(),
                );
            }
            for keys in [datasets, shown] {
                self.has_main_datasets(keys)
                    .map_err(|message| format!("own_papers: pairing: {message}"))?;
            }
        }
        for experiment in experiments {
            let named = |message: String| {
                format!("own_papers: experiment `{}`: {message}", experiment.text())
            };
            self.has_column(&experiment.labels).map_err(named)?;
            self.has_main_datasets(&experiment.datasets).map_err(named)?;
            if experiment.text().is_empty() {
                return wrong("an experiment names neither a `variant` nor an `erratum`".into());
            }
            let known =
                |name: &String| self.methods.iter().any(|row| row.variant.as_ref() == Some(name));
            let variants = experiment.variant.iter().chain(&experiment.of_variant);
            if let Some(name) = variants.into_iter().find(|name| !known(name)) {
                return Err(named(format!("no method has the variant `{name}`")));
            }
            let printed =
                |name: &String| self.metrics.iter().any(|row| row.published.as_ref() == Some(name));
            if let Some(name) = experiment.metric.as_ref().filter(|name| !printed(name)) {
                return Err(named(format!("no printed number has the metric `{name}`")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// JCM's second table, whose printed columns are told apart by their label `method`, with this
    /// key.
    fn parsed(own_papers: &str) -> Result<Benchmark, String> {
        let text = include_str!("../../../../benchmarks/papers/jcm/jcm-table-2.toml");
        let text = text.replacen(
            "anchors = true",
            &format!("anchors = true\nown_papers = {{ {own_papers} }}"),
            1,
        );
        Benchmark::parse("test", &text).map_err(|error| error.to_string())
    }

    #[test]
    fn names_that_do_not_exist_are_told() {
        parsed("label = \"method\"").unwrap();
        let pairing = |rest: &str| format!("label = \"method\", pairing = {{ {rest} }}");
        let experiment = |rest: &str| format!("label = \"method\", experiments = [{{ {rest} }}]");
        let of_jcm = |rest: &str| experiment(&format!("labels = {{ method = \"jcm\" }}, {rest}"));
        parsed(&pairing("metric = \"log-likelihood\", datasets = [\"boston\"], above = 0.8"))
            .unwrap();
        parsed(&of_jcm(
            "datasets = [\"boston\"], metric = \"log_likelihood\", variant = \"JCM-validated\"",
        ))
        .unwrap();
        for (key, expected) in [
            ("label = \"source\"".to_owned(), "a printed number has no label `source`"),
            (
                pairing("metric = \"rmse\", datasets = [\"boston\"], above = 0.8"),
                "`rmse` is not a metric with printed",
            ),
            (pairing("metric = \"log-likelihood\", datasets = [], above = 0.8"), "needs a dataset"),
            (
                pairing("metric = \"log-likelihood\", datasets = [\"boston\"], above = 1.0"),
                "below 1",
            ),
            (
                pairing("metric = \"log-likelihood\", datasets = [\"yacht\"], above = 0.8"),
                "`yacht` is not a main dataset",
            ),
            (of_jcm("metric = \"log_likelihood\""), "names neither a `variant` nor an `erratum`"),
            (of_jcm("variant = \"v\""), "no method has the variant `v`"),
            (of_jcm("erratum = \"JCM 1\", of_variant = \"v\""), "no method has the variant `v`"),
            (
                of_jcm("erratum = \"JCM 1\", metric = \"rmse\""),
                "no printed number has the metric `rmse`",
            ),
            (
                experiment("labels = { method = \"x\" }, erratum = \"JCM 1\""),
                "no column has the labels",
            ),
        ] {
            let message = parsed(&key).unwrap_err();
            assert!(
                message.contains("own_papers") && message.contains(expected),
                "{key}: {message}"
            );
        }
    }

    #[test]
    fn an_experiment_explains_what_it_names() {
        let labels = |value: &str| BTreeMap::from([("method".to_owned(), value.to_owned())]);
        let all = CauseExperiment {
            labels: labels("a"),
            of_variant: None,
            datasets: Vec::new(),
            metric: None,
            variant: Some("V".into()),
            erratum: Some("Baselines 1".into()),
        };
        assert_eq!(all.text(), "variant “V”; errata.md, Baselines 1");
        let explains =
            |one: &CauseExperiment, value: &str, variant, dataset: &str, metric: &str| {
                one.explains((&labels(value), variant), dataset, metric)
            };
        assert!(
            explains(&all, "a", None, "yacht", "rmse")
                && !explains(&all, "b", None, "yacht", "rmse")
        );
        // A variant is no experiment about itself.
        assert!(
            explains(&all, "a", Some("W"), "yacht", "rmse")
                && !explains(&all, "a", Some("V"), "yacht", "rmse")
        );
        let of_w = CauseExperiment { of_variant: Some("W".into()), ..all.clone() };
        assert!(
            explains(&of_w, "a", Some("W"), "yacht", "rmse")
                && !explains(&of_w, "a", None, "yacht", "rmse")
        );
        let one =
            CauseExperiment { datasets: vec!["yacht".into()], metric: Some("rmse".into()), ..all };
        assert!(explains(&one, "a", None, "yacht", "rmse"));
        assert!(
            !explains(&one, "a", None, "boston", "rmse")
                && !explains(&one, "a", None, "yacht", "nll")
        );
    }
}

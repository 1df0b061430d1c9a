//! Draw Gaussian mixtures of x and y.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::Benchmark;
use super::checks::{check_columns, check_unscaled};
use super::kind::{FigureKind, by_fields};
use super::panel::Panel;

/// A one-dimensional problem fitted by a Gaussian mixture of (x, y): its components over the
/// training rows, conditional mean and bands, and conditional densities. Its datasets are not
/// scaled.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mixture {
    /// File name, without its ending.
    pub file: String,
    /// Caption.
    pub title: String,
    /// Which columns, by their labels, one row each.
    pub panels: Vec<Panel>,
    /// Another method, such as a Gaussian process, whose mean and bands on each row's dataset stand
    /// beside those of the mixture.
    pub beside: Option<Panel>,
    /// Interval of x that is shaded, by dataset key.
    #[serde(default)]
    pub marked: BTreeMap<String, (f64, f64)>,
}

impl FigureKind for Mixture {
    by_fields!(file, title, panels);

    fn check(&self, benchmark: &Benchmark) -> Result<(), String> {
        check_unscaled(&self.file, &self.panels, benchmark)?;
        self.check_marked(benchmark)?;
        check_columns(&self.file, &self.panels, benchmark)?;
        self.beside.as_ref().map_or(Ok(()), |beside| self.check_beside(beside, benchmark))
    }
}

impl Mixture {
    /// Finds a marked dataset that is not there, and an interval that is none.
    fn check_marked(&self, benchmark: &Benchmark) -> Result<(), String> {
        let file = &self.file;
        for (key, (low, high)) in &self.marked {
            if benchmark.dataset(key).is_none() {
                return Err(format!(
                    "figure `{file}`: `{key}` is marked, but is not a dataset of it"
                ));
            }
            if !(low.is_finite() && high.is_finite() && low < high) {
                return Err(format!(
                    "figure `{file}`: `{key}` is marked from {low} to {high}, expected an interval"
                ));
            }
        }
        Ok(())
    }

    /// Finds a row that would have nothing beside it.
    fn check_beside(&self, beside: &Panel, benchmark: &Benchmark) -> Result<(), String> {
        let what = format!("figure `{}`, beside `{}`", self.file, beside.title);
        if let Some(key) = &beside.dataset {
            return Err(format!(
                "{what}: has the dataset `{key}`, expected none: that of each panel is taken"
            ));
        }
        let first = benchmark.datasets.first().map(|row| row.key.as_str());
        let bare = |panel: &&Panel| {
            let key = panel.dataset.as_deref().or(first);
            key.is_none_or(|key| benchmark.columns_on(key, &beside.labels).next().is_none())
        };
        match self.panels.iter().find(bare) {
            Some(panel) => Err(format!(
                "{what}: no column that is run on the dataset of `{}` has its labels",
                panel.title
            )),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::benchmark::Benchmark;

    #[test]
    fn a_mixture_is_drawn_in_the_units_of_the_data() {
        let text = include_str!("../../../../../benchmarks/papers/jcm/jcm-figure-1.toml");
        let changed = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string()
        };
        let scaled = changed("scaling = \"none\"", "scaling = \"train-rows\"");
        assert!(scaled.contains("is scaled, expected scaling = \"none\""), "{scaled}");
        let marked =
            changed("marked = { \"simulated:jcm-heteroscedastic\"", "marked = { \"yacht\"");
        assert!(marked.contains("`yacht` is marked, but is not a dataset of it"), "{marked}");
        let swapped = changed("= [-2, 2] }\npanels", "= [2, -2] }\npanels");
        assert!(swapped.contains("is marked from 2 to -2, expected an interval"), "{swapped}");
    }
}

//! Check figures with one panel for each dataset.

use super::super::{Benchmark, Column, Figure, Panel};

/// Finds a figure of boxes with an empty panel, or a column without an x.
pub(super) fn check(benchmark: &Benchmark) -> Result<(), String> {
    for figure in &benchmark.figures {
        if let Figure::Mixture { file, panels, beside: Some(beside), .. } = figure {
            check_beside(benchmark, file, panels, beside)?;
        }
        let Figure::Boxes { file, across, panels, series, .. } = figure else { continue };
        if panels.is_empty() || *across == 0 {
            return Err(format!("figure `{file}` needs at least one panel, and at least one in a row"));
        }
        for panel in panels {
            let what = format!("figure `{file}`, panel `{}`", panel.title);
            if !benchmark.datasets.iter().any(|row| row.key == panel.dataset) {
                return Err(format!("{what}: `{}` is not a dataset of this benchmark", panel.dataset));
            }
            let found: Vec<&Column> = series
                .iter()
                .flat_map(|one| benchmark.columns_on(&panel.dataset, &one.labels))
                .filter(|column| panel.labels.iter().all(|(k, v)| column.labels.get(k) == Some(v)))
                .collect();
            if found.is_empty() {
                return Err(format!("{what}: no column that is run there has its labels and those of a series"));
            }
            if let Some(column) = found.iter().find(|column| column.x.is_none()) {
                return Err(format!("{what}: column `{}` has no x, which names its box", column.heading));
            }
        }
    }
    Ok(())
}

/// Finds a panel of a mixture's figure whose dataset has no columns to show beside it.
fn check_beside(benchmark: &Benchmark, file: &str, panels: &[Panel], beside: &Panel) -> Result<(), String> {
    let what = format!("figure `{file}`, beside `{}`", beside.title);
    if let Some(key) = &beside.dataset {
        return Err(format!("{what}: has the dataset `{key}`, expected none: that of each panel is taken"));
    }
    let first = benchmark.datasets.first().map(|row| row.key.as_str());
    let bare = |panel: &&Panel| {
        let key = panel.dataset.as_deref().or(first);
        key.is_none_or(|key| benchmark.columns_on(key, &beside.labels).next().is_none())
    };
    match panels.iter().find(bare) {
        Some(panel) => Err(format!("{what}: no column that is run on the dataset of `{}` has its labels", panel.title)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use crate::benchmark::Benchmark;

    /// Why the shipped figure is refused with one piece of its text replaced.
    fn refused(from: &str, to: &str) -> String {
        let text = include_str!("../../../benchmarks/jcm-figure-2.toml");
        assert!(text.contains(from), "{from}");
        Benchmark::parse("test", &text.replacen(from, to, 1)).unwrap_err().to_string()
    }

    #[test]
    fn what_is_not_run_on_a_dataset_is_told() {
        for (from, to, expected) in [
            ("across = 3", "across = 0", "needs at least one panel"),
            (
                "dataset = \"kin8nm\", labels",
                "dataset = \"yacht\", labels",
                "`yacht` is not a dataset of this benchmark",
            ),
            (
                "dataset = \"boston\", labels = { study = \"p\" } }",
                "dataset = \"boston\", labels = { study = \"q\" } }",
                "no column that is run there",
            ),
            ("datasets = [\"boston\"]\n", "datasets = [\"bosten\"]\n", "is run on `bosten`"),
            ("x = 13.0 }", "}", "has no x"),
        ] {
            let message = refused(from, to);
            assert!(message.contains(expected), "{from}: {message}");
        }
    }
}

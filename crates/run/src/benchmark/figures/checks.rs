//! Check what figures of several kinds must satisfy.

use super::super::{Benchmark, DatasetRow};
use super::panel::Panel;
use uq_core::scaling::Scaling;

/// Finds a figure without columns, all panels that select no column, and all datasets that are not
/// there.
pub(super) fn check_columns(
    file: &str,
    panels: &[Panel],
    benchmark: &Benchmark,
) -> Result<(), String> {
    if panels.is_empty() {
        return Err(format!("figure `{file}` shows no column"));
    }
    let of_panel = |(i, panel): (usize, &Panel)| {
        let unknown = panel.dataset.as_ref().filter(|key| benchmark.dataset(key).is_none());
        let unknown =
            unknown.map(|key| format!("`{key}` is not a dataset of it{}", benchmark.like(key)));
        let wrong: Vec<String> =
            benchmark.has_column(&panel.labels).err().into_iter().chain(unknown).collect();
        let place = format!("entry {} (`{}`)", i + 1, panel.title);
        (!wrong.is_empty()).then(|| format!("{place}: {}", wrong.join(", and ")))
    };
    let wrong: Vec<String> = panels.iter().enumerate().filter_map(of_panel).collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("figure `{file}`: {}", wrong.join("; "))) }
}

/// Finds a scaled dataset. Side tables are in the units of the fit and predictions in those of the
/// data: one axis shows both only where the units are the same.
pub(super) fn check_unscaled(
    file: &str,
    panels: &[Panel],
    benchmark: &Benchmark,
) -> Result<(), String> {
    let shown = |row: &&DatasetRow| {
        panels.iter().any(|panel| panel.dataset.as_ref().is_none_or(|k| *k == row.key))
    };
    match benchmark.datasets.iter().filter(shown).find(|row| row.scaling != Scaling::None) {
        Some(row) => {
            Err(format!("figure `{file}`: `{}` is scaled, expected scaling = \"none\"", row.key))
        }
        None => Ok(()),
    }
}

/// Finds a benchmark whose variances are not compared with the truth, and a dataset that is not
/// there.
pub(super) fn check_decomposed(
    file: &str,
    keys: &[&String],
    benchmark: &Benchmark,
) -> Result<(), String> {
    if !benchmark.decomposition || keys.is_empty() {
        return Err(format!(
            "figure `{file}` needs `decomposition = true` and at least one dataset"
        ));
    }
    match keys.iter().find(|key| benchmark.dataset(key).is_none()) {
        Some(key) => Err(format!("figure `{file}`: `{key}` is not a dataset of it")),
        None => Ok(()),
    }
}

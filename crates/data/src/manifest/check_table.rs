//! Check what an entry states of a table with text.

use super::dataset::{Dataset, Format, Layout};
use super::table::is_utf8;

/// All columns that a layout's rows have: those of a file, and the one that tells files apart.
pub(super) fn columns(layout: &Layout) -> Vec<&str> {
    let stacked = match &layout.format {
        Format::Table(options) => options.stacked.as_ref(),
        _ => None,
    };
    let file = layout.columns.iter().map(String::as_str);
    file.chain(stacked.map(|stacked| stacked.column.as_str())).collect()
}

/// Checks what a table with text alone may state, and what it may not.
///
/// # Errors
/// A message with what is wrong.
pub(super) fn check(dataset: &Dataset, layout: &Layout) -> Result<(), String> {
    let Format::Table(options) = &layout.format else {
        return match &dataset.dependent {
            Some(dependent) => {
                Err(format!("`{}` needs the format \"table\"", dependent.definition().0))
            }
            None if dataset.not_numeric.is_empty() => Ok(()),
            None => Err("`not_numeric` needs the format \"table\"".into()),
        };
    };
    if layout.significant_digits.is_some() {
        return Err("`significant_digits` is not for the format \"table\"".into());
    }
    if !options.header && !is_utf8(&options.encoding) {
        return Err("a table without a header is read in UTF-8".into());
    }
    if !options.header && layout.header_names.is_some() {
        return Err("a table without a header has no `header_names`".into());
    }
    if let Some(stacked) = &options.stacked
        && stacked.cells.len() != dataset.files.len()
    {
        let (cells, files) = (stacked.cells.len(), dataset.files.len());
        return Err(format!("`stacked` has {cells} cells, expected one for each of {files} files"));
    }
    let derived = dataset
        .features
        .iter()
        .chain([&dataset.target])
        .find(|column| column.per.is_some() || column.divide.is_some());
    if let Some(column) = derived {
        return Err(format!("\"{}\": the format \"table\" divides no column", column.name));
    }
    // The table has its features in the order of the file, so that the manifest has to list them
    // in that order.
    let known = columns(layout);
    if let Some(name) = dataset.not_numeric.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("`not_numeric` names \"{name}\", which `columns` does not list"));
    }
    let places = dataset
        .features
        .iter()
        .map(|column| known.iter().position(|name| *name == column.from).unwrap_or(known.len()));
    let places: Vec<usize> = places.collect();
    match places.windows(2).position(|pair| pair[0] >= pair[1]) {
        Some(at) => Err(format!(
            "the feature \"{}\" is not in the file's order",
            dataset.features[at + 1].name
        )),
        None => Ok(()),
    }
}

//! Check the meaning of a manifest entry, and resolve its variants.

use std::collections::HashSet;

use super::check_table;
use super::dataset::{Bundled, Column, DataFile, Dataset, Format, HomeSource, Layout, Sheet};
use super::schema;
use super::table::DependentRows;
use crate::error::DataError;

/// The dataset of an entry, and its variants.
pub(super) fn entry(mut entry: schema::Entry) -> Result<(Dataset, Vec<Dataset>), DataError> {
    let key = entry.key.clone();
    let wrong =
        |message: String| DataError::Manifest { message: format!("dataset \"{key}\": {message}") };
    let variants = std::mem::take(&mut entry.variants);
    let dataset = dataset(entry).map_err(&wrong)?;
    check(&dataset).map_err(&wrong)?;
    let mut resolved = Vec::with_capacity(variants.len());
    for raw in variants {
        let name = raw.name.clone();
        let variant = variant(&dataset, raw).map_err(&wrong)?;
        check(&variant).map_err(|message| wrong(format!("variant \"{name}\": {message}")))?;
        resolved.push(variant);
    }
    Ok((dataset, resolved))
}

fn dataset(entry: schema::Entry) -> Result<Dataset, String> {
    let layout = Layout {
        format: entry.format,
        columns: entry.columns,
        header_names: entry.header_names,
        skip: entry.skip,
        significant_digits: entry.significant_digits,
    };
    let bundled = entry.bundled.map(|bundled| Bundled {
        file: bundled.file,
        sha256: bundled.sha256,
        origin: bundled.origin,
        layout: Layout {
            format: bundled.format.unwrap_or_else(|| layout.format.clone()),
            columns: bundled.columns.unwrap_or_else(|| layout.columns.clone()),
            header_names: bundled.header_names,
            skip: bundled.skip.unwrap_or_else(|| layout.skip.clone()),
            significant_digits: layout.significant_digits,
        },
        order: None,
    });
    Ok(Dataset {
        key: entry.key,
        title: entry.title,
        citation: entry.citation,
        doi: entry.doi,
        licence: entry.licence,
        home: entry.home,
        files: entry.files.into_iter().map(file).collect::<Result<_, _>>()?,
        bundled,
        layout,
        features: entry.features.into_iter().map(feature).collect(),
        not_numeric: entry.not_numeric,
        dependent: DependentRows::stated(entry.group, entry.group_size, entry.time)?,
        detrended: false,
        resolution: entry.target.resolution,
        values: entry.target.values,
        target: target(entry.target),
        rows: entry.rows,
        parsed_sha256: entry.parsed_sha256,
        quirks: entry.quirks,
    })
}

fn variant(base: &Dataset, raw: schema::Variant) -> Result<Dataset, String> {
    if !is_key(&raw.name) {
        return Err(format!(
            "\"{}\" is no variant's name: use lower-case letters, digits and hyphens",
            raw.name
        ));
    }
    let mut variant = base.clone();
    variant.key = format!("{}:{}", base.key, raw.name);
    variant.title = raw.title;
    variant.parsed_sha256 = raw.parsed_sha256;
    variant.quirks.extend(raw.quirks);
    if let Some(format) = raw.format {
        variant.layout.format = format;
        // A bundled copy with another layout cannot replace a variant's reading of the original,
        // but for its order.
        variant.bundled = variant.bundled.filter(|_| raw.bundled_order.is_some());
    }
    if let Some(bundled) = &mut variant.bundled {
        bundled.order = raw.bundled_order;
    }
    let states_skip = raw.skip.is_some();
    if let Some(skip) = raw.skip {
        if let Some(bundled) = &mut variant.bundled {
            bundled.layout.skip = skip.clone();
        }
        variant.layout.skip = skip;
    }
    if let Some(dependent) = DependentRows::stated(raw.group, raw.group_size, raw.time)? {
        if !states_skip {
            variant.layout.skip.retain(|name| !dependent.columns().contains(name));
        }
        variant.dependent = Some(dependent);
    }
    match raw.features {
        Some(features) => variant.features = features.into_iter().map(feature).collect(),
        None => {
            let dependent = variant.dependent.as_ref().map_or(&[][..], DependentRows::columns);
            let skip = &variant.layout.skip;
            variant
                .features
                .retain(|column| !skip.contains(&column.from) && !dependent.contains(&column.from));
        }
    }
    if let Some(raw) = raw.target {
        variant.resolution = raw.resolution;
        variant.values = raw.values;
        variant.target = target(raw);
    }
    if raw.detrended {
        // What is left of a target without its trend lies on no grid.
        variant.resolution = None;
        variant.values = None;
        variant.detrended = true;
    }
    Ok(variant)
}

fn feature(raw: schema::Column) -> Column {
    let from = raw.from.unwrap_or_else(|| raw.name.clone());
    Column { name: raw.name, unit: raw.unit, from, per: raw.per, divide: raw.divide }
}

fn target(raw: schema::Target) -> Column {
    let from = raw.from.unwrap_or_else(|| raw.name.clone());
    Column { name: raw.name, unit: raw.unit, from, per: raw.per, divide: raw.divide }
}

fn file(raw: schema::DataFile) -> Result<DataFile, String> {
    let mut sources = Vec::with_capacity(raw.sources.len());
    for source in raw.sources {
        let member = match (source.archive, source.member) {
            (None, None) => None,
            (Some(archive), Some(member)) => Some((archive, member)),
            _ => {
                return Err(format!(
                    "source {} needs both of `archive` and `member`, or neither",
                    source.url
                ));
            }
        };
        if !source.url.starts_with("https://") && !source.url.starts_with("http://") {
            return Err(format!("source {} is no http or https address", source.url));
        }
        sources.push(HomeSource { url: source.url, member });
    }
    Ok(DataFile { name: raw.name, bytes: raw.bytes, sha256: raw.sha256, sources })
}

fn check(dataset: &Dataset) -> Result<(), String> {
    if !is_key(dataset.folder()) {
        return Err("a key has lower-case letters, digits and hyphens only".into());
    }
    for (field, text) in [
        ("title", &dataset.title),
        ("citation", &dataset.citation),
        ("licence", &dataset.licence),
        ("home", &dataset.home),
    ] {
        if text.trim().is_empty() {
            return Err(format!("`{field}` is empty"));
        }
    }
    if dataset.rows == 0 {
        return Err("`rows` must be at least 1".into());
    }
    if let Some(resolution) = dataset.resolution
        && !(resolution.is_finite() && resolution > 0.0)
    {
        return Err(format!("the target's resolution must be positive, not {resolution}"));
    }
    if let Some(hash) = &dataset.parsed_sha256 {
        check_hash("parsed_sha256", hash)?;
    }
    check_files(dataset)?;
    check_columns(dataset, &dataset.layout)?;
    if let Some(bundled) = &dataset.bundled {
        check_hash("bundled.sha256", &bundled.sha256)?;
        if let Some(order) = &bundled.order {
            check_hash("bundled_order.sha256", &order.sha256)?;
        }
        if matches!(bundled.layout.format, Format::MultiFile { .. }) {
            return Err("a bundled copy is one file".into());
        }
        check_columns(dataset, &bundled.layout).map_err(|message| format!("bundled: {message}"))?;
    }
    Ok(())
}

fn check_files(dataset: &Dataset) -> Result<(), String> {
    for file in &dataset.files {
        check_hash(&file.name, &file.sha256)?;
        // The name becomes a path below the cache folder.
        if file.name.is_empty()
            || file.name.starts_with('.')
            || file.name.contains(['/', '\\', ':', '\0'])
        {
            return Err(format!("\"{}\" is no plain file name", file.name));
        }
    }
    let names: Vec<&str> = dataset.files.iter().map(|file| file.name.as_str()).collect();
    if let Some(name) = first_duplicate(&names) {
        return Err(format!("two files are called \"{name}\""));
    }
    let Format::MultiFile { widths, parts } = &dataset.layout.format else {
        let is_stacked = matches!(&dataset.layout.format, Format::Table(options)
            if options.stacked.is_some());
        return if dataset.files.len() == 1 || (is_stacked && !dataset.files.is_empty()) {
            Ok(())
        } else {
            Err("this format has exactly one file".into())
        };
    };
    let rows = parts.iter().map(|part| part.rows).fold(0, usize::saturating_add);
    if rows != dataset.rows {
        return Err(format!("the parts have {rows} rows in all, `rows` says {}", dataset.rows));
    }
    let used: Vec<&str> =
        parts.iter().flat_map(|part| part.files.iter().map(String::as_str)).collect();
    if let Some(part) = parts.iter().find(|part| part.files.len() != widths.len()) {
        return Err(format!(
            "a part has {} files, `widths` has {}",
            part.files.len(),
            widths.len()
        ));
    }
    let width = widths.iter().copied().fold(0, usize::saturating_add);
    if width != dataset.layout.columns.len() {
        return Err(format!(
            "`widths` add to {}, `columns` has {}",
            width,
            dataset.layout.columns.len()
        ));
    }
    match used.iter().find(|name| !names.contains(name)) {
        Some(name) => Err(format!("a part names the unknown file \"{name}\"")),
        None => Ok(()),
    }
}

/// Every column of the file is read or skipped, none is both, and none is unknown.
fn check_columns(dataset: &Dataset, layout: &Layout) -> Result<(), String> {
    check_table::check(dataset, layout)?;
    let columns = check_table::columns(layout);
    if let Some(name) = first_duplicate(&columns) {
        return Err(format!("the column \"{name}\" is listed twice"));
    }
    if let Some(header) = &layout.header_names
        && header.len() != layout.columns.len()
    {
        return Err(format!(
            "`header_names` has {} names, `columns` has {}",
            header.len(),
            layout.columns.len()
        ));
    }
    if let Some(digits) = layout.significant_digits
        && !(1..=17).contains(&digits)
    {
        return Err(format!("`significant_digits` must be 1 to 17, not {digits}"));
    }
    if let Format::Delimited { separator, .. } = &layout.format
        && (!separator.is_ascii() || matches!(separator, '"' | '\n' | '\r'))
    {
        return Err(format!("{separator:?} is no separator: use one ASCII character"));
    }
    if matches!(layout.format, Format::Excel { sheet: Sheet::Place(0) }) {
        return Err("sheets are counted from 1".into());
    }
    if dataset.features.is_empty() {
        return Err("there is no feature".into());
    }
    let names: Vec<&str> = dataset
        .features
        .iter()
        .chain([&dataset.target])
        .map(|column| column.name.as_str())
        .collect();
    if let Some(name) = first_duplicate(&names) {
        return Err(format!("two columns of the table are called \"{name}\""));
    }
    let dependent = dataset.dependent.as_ref().map_or(&[][..], DependentRows::columns);
    if let Some(name) = dependent.iter().find(|name| !columns.contains(&name.as_str())) {
        return Err(format!("rows depend by \"{name}\", which `columns` does not list"));
    }
    if dependent.contains(&dataset.target.from) {
        return Err(format!("rows cannot depend by the target, \"{}\"", dataset.target.name));
    }
    if dataset.detrended && !matches!(dataset.dependent, Some(DependentRows::Times(_))) {
        return Err("`detrended` needs `time`".into());
    }
    let mut used: HashSet<&str> = dependent.iter().map(String::as_str).collect();
    for column in dataset.features.iter().chain([&dataset.target]) {
        for name in [Some(&column.from), column.per.as_ref()].into_iter().flatten() {
            if !columns.contains(&name.as_str()) {
                return Err(format!(
                    "\"{}\" is read from \"{name}\", which `columns` does not list",
                    column.name
                ));
            }
            used.insert(name.as_str());
        }
        if let Some(divide) = column.divide
            && !(divide.is_finite() && divide != 0.0)
        {
            return Err(format!("\"{}\" cannot be divided by {divide}", column.name));
        }
    }
    for name in &columns {
        match (used.contains(name), layout.skip.iter().any(|skip| skip == name)) {
            (true, true) => return Err(format!("the column \"{name}\" is both read and skipped")),
            (false, false) => {
                return Err(format!("the column \"{name}\" is neither read nor in `skip`"));
            }
            _ => {}
        }
    }
    match layout.skip.iter().find(|name| !columns.contains(&name.as_str())) {
        Some(name) => Err(format!("`skip` names \"{name}\", which `columns` does not list")),
        None => Ok(()),
    }
}

fn check_hash(what: &str, hash: &str) -> Result<(), String> {
    let hexadecimal = hash.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
    if hash.len() == 64 && hexadecimal {
        Ok(())
    } else {
        Err(format!("{what}: \"{hash}\" is no SHA-256 (64 lower-case hexadecimal digits)"))
    }
}

fn is_key(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// The first text that occurs twice.
pub(super) fn first_duplicate<'a>(texts: &[&'a str]) -> Option<&'a str> {
    let mut seen = HashSet::new();
    texts.iter().find(|text| !seen.insert(**text)).copied()
}

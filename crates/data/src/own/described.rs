//! Describe the columns of a user's table: what each one is, how many cells it misses, and its
//! range or its levels.

use std::collections::BTreeMap;

use ndarray::Array1;

use super::absent::blanked;
use super::cells::Cells;
use super::column::Column;
use super::error::OwnError;
use super::table::OwnTable;
use super::words::Setting;
use crate::ColumnSummary;
use crate::description::summary;

/// A column of a file of which features are made.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribedColumn {
    /// Its name.
    pub name: String,
    /// Number of rows with a target that miss it.
    pub missing: usize,
    /// What is in the other rows.
    pub content: Content,
}

/// What is in a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Numbers.
    Numbers(ColumnSummary),
    /// Dates: the text of the earliest and of the latest one.
    Dates([String; 2]),
    /// A category: each level with its number of rows, the most frequent first.
    Levels(Vec<(String, usize)>),
}

impl OwnTable {
    /// The columns of the features, in the order of the file that the table was made of.
    ///
    /// # Errors
    /// [`OwnError`] where the cells are those of another file.
    pub fn describe_columns(&self, cells: &Cells) -> Result<Vec<DescribedColumn>, OwnError> {
        let cells = &*blanked(cells, &self.encoding.absent);
        let target = cells.place(Setting::Target, self.encoding.target())?;
        let has_target = |row: &usize| !self.misses_target(cells.text(*row, target));
        let rows: Vec<usize> = (0..cells.rows()).filter(has_target).collect();
        self.encoding.columns.iter().map(|column| describe(column, cells, &rows)).collect()
    }
}

fn describe(column: &Column, cells: &Cells, rows: &[usize]) -> Result<DescribedColumn, OwnError> {
    let place = cells.named(None, &column.name)?;
    let is_present = |row: &usize| !column.misses(cells.text(*row, place));
    let present: Vec<usize> = rows.iter().copied().filter(is_present).collect();
    let content = match column.is_category() {
        true => levels(present.iter().map(|row| column.level(cells.text(*row, place)))),
        false => range(column, cells, place, &present)?,
    };
    Ok(DescribedColumn { name: column.name.clone(), missing: rows.len() - present.len(), content })
}

/// The range of numbers or dates in these rows.
fn range(
    column: &Column,
    cells: &Cells,
    place: usize,
    rows: &[usize],
) -> Result<Content, OwnError> {
    let values =
        rows.iter().map(|row| column.time(cells, *row, place)).collect::<Result<Vec<f64>, _>>()?;
    if !column.is_date() {
        return Ok(Content::Numbers(summary(Array1::from(values).view(), &column.name, "")));
    }
    let dated = || values.iter().zip(rows);
    let ends =
        [dated().min_by(|a, b| a.0.total_cmp(b.0)), dated().max_by(|a, b| a.0.total_cmp(b.0))];
    let text =
        |end: Option<(&f64, &usize)>| end.map_or("", |(_, row)| cells.text(*row, place)).to_owned();
    Ok(Content::Dates(ends.map(text)))
}

fn levels<'a>(texts: impl Iterator<Item = &'a str>) -> Content {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    texts.for_each(|text| *counts.entry(text).or_default() += 1);
    let mut levels: Vec<(String, usize)> =
        counts.into_iter().map(|(level, count)| (level.to_owned(), count)).collect();
    levels.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    Content::Levels(levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_dates_and_categories_are_described_in_the_rows_with_a_target() {
        let line = |i: usize| {
            let number = if i == 4 { String::new() } else { i.to_string() };
            // The last row has no target, and no part in anything.
            let target = if i == 40 { String::new() } else { (i * i).to_string() };
            format!(
                "{number},{},2024-{:02}-{:02},{target}\n",
                ["red", "blue", "red"][i % 3],
                1 + i / 28,
                1 + i % 28
            )
        };
        let text = format!("x,colour,day,y\n{}", (0..=40).map(line).collect::<String>());
        let cells = Cells::parse("my.csv", text.as_bytes()).unwrap();
        let columns = OwnTable::new(&cells, "y", &[]).unwrap().describe_columns(&cells).unwrap();
        let names: Vec<(&str, usize)> =
            columns.iter().map(|column| (column.name.as_str(), column.missing)).collect();
        assert_eq!(names, [("x", 1), ("colour", 0), ("day", 0)]);
        let Content::Numbers(x) = &columns[0].content else { panic!("{columns:?}") };
        assert_eq!((x.min, x.max), (0.0, 39.0));
        assert!((x.mean - (780.0 - 4.0) / 39.0).abs() < 1e-12, "{}", x.mean);
        assert_eq!(
            columns[1].content,
            Content::Levels(vec![("red".into(), 27), ("blue".into(), 13)])
        );
        assert_eq!(columns[2].content, Content::Dates(["2024-01-01".into(), "2024-02-12".into()]));
    }
}

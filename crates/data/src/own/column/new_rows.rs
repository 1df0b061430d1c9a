//! Read a column of a file of new rows, which may be written otherwise than the table's.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::super::cells::Cells;
use super::super::date::DateForm;
use super::super::date_order::NewOrders;
use super::super::error::SHOWN;
use super::super::finding::{Finding, Topic};
use super::super::levels::Levels;
use super::super::missing::is_missing_number;
use super::{Column, Kind};
use uq_core::printable::printable;

/// Largest number of spellings that are named.
const NAMED: usize = 5;

impl Column {
    /// The form of the table's dates, and the order of day and month that the new ones tell.
    pub fn new_order(&self, cells: &Cells, place: usize) -> Option<(DateForm, DateForm)> {
        let Kind::Date(dates) = &self.kind else { return None };
        dates.new_order(&given(cells, place))
    }

    /// The column as it is read in a file of new rows, whose dates have these orders, and what a
    /// user should know of it.
    pub fn adapt(
        &self,
        cells: &Cells,
        place: usize,
        orders: &NewOrders,
    ) -> (Cow<'_, Self>, Vec<Finding>) {
        let with = |kind| Cow::Owned(Self { kind, ..self.clone() });
        match &self.kind {
            Kind::Number(numbers) => {
                let (numbers, findings) = numbers.adapt(cells, place);
                (with(Kind::Number(numbers)), findings)
            }
            Kind::Date(dates) => {
                let (dates, finding) = dates.adapt(&given(cells, place), &self.name, orders);
                (with(Kind::Date(dates)), finding.into_iter().collect())
            }
            Kind::Levels(levels) => {
                (Cow::Borrowed(self), Vec::from_iter(self.spellings(levels, cells, place)))
            }
            Kind::Measure(measure) => {
                (with(Kind::Measure(measure.adapt(cells, place))), Vec::new())
            }
            Kind::Hours(_) => (Cow::Borrowed(self), Vec::new()),
        }
    }

    /// The note on texts that are levels in another spelling.
    fn spellings(&self, levels: &Levels, cells: &Cells, place: usize) -> Option<Finding> {
        let texts = cells.texts(place).filter(|text| !self.misses(text) && !levels.has(text));
        let found: BTreeMap<&str, &str> =
            texts.filter_map(|text| Some((text, levels.spelled(text)?))).collect();
        let quoted = |text: &str| format!("\"{}\"", printable(text, 30));
        let named = found
            .iter()
            .take(NAMED)
            .map(|(text, level)| format!("{} is {}", quoted(text), quoted(level)));
        let named = named.collect::<Vec<_>>().join(", ");
        let more = if found.len() > NAMED { ", …" } else { "" };
        let name = printable(&self.name, SHOWN);
        let text = format!(
            "the column \"{name}\" of the new rows has levels of the table in other spellings: \
             {named}{more}"
        );
        (!found.is_empty()).then(|| Finding::note(text).about(Topic::Levels, [&self.name]))
    }
}

/// The cells of a column that are not missing.
fn given(cells: &Cells, place: usize) -> Vec<&str> {
    cells.texts(place).filter(|text| !is_missing_number(text)).collect()
}

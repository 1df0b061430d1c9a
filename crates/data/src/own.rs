//! Read a user's own table: a CSV file as text, then as numbers by an encoding that new rows share.
//!
//! A column is numeric if all of its cells are plain numbers or missing, a date if all of them are
//! days in one form, and a number of hours if all are times of day or durations. Otherwise it is
//! categorical if it has few values, and becomes one column of 0 and 1 for each level but the
//! first, because a full set and an intercept are linearly dependent. Text with many values is read
//! as numbers as people write them, perhaps with one unit, or as a category whose rare levels are
//! one; text with a value of its own in most rows is left out. A column of which nearly all cells
//! are numbers is refused, because its other cells are probably typing errors.
//!
//! A missing number is NaN in the table, and one more feature says where, the same one for columns
//! that miss the same rows; a fit whose method does not take missing values fills in the median of
//! its training rows ([`crate::imputation`]). New rows that miss what no training row misses get
//! the median, too, or the most frequent level, which also stands for a level that no training row
//! has.

mod absent;
mod booleans;
mod bytes;
mod cells;
mod censored;
mod charset;
mod classes;
mod clock;
mod codes;
mod column;
mod columns;
mod dataset;
mod date;
mod date_order;
mod dates;
mod dependent;
mod described;
mod encoding;
mod error;
mod failed;
mod file_format;
mod filled;
mod finding;
mod footers;
mod formula;
mod group;
mod hours;
mod index;
mod indicators;
mod layout;
mod leak;
mod level_na;
mod levels;
mod limited;
mod limits;
mod lines;
mod measure;
mod metadata;
mod missing;
mod names;
mod notation;
mod number;
mod numbers;
mod numeric;
mod parquet;
mod quantity;
mod range;
mod region;
mod resolution;
mod rounding;
mod rules;
mod same;
mod sentinel;
mod signature;
mod size;
mod stopped;
mod strays;
mod surplus;
mod suspicion;
mod table;
mod target_kind;
#[cfg(test)]
mod tests;
mod thousands;
mod times;
mod totals;
mod trend;
mod types;
mod units;
mod words;
mod workbook;
mod write;

pub use bytes::{is_standard_input, stem};
pub use cells::{Cells, Joined, Truth};
pub use censored::Censored;
pub use charset::Charset;
pub use columns::parse_infinite;
pub use dataset::OwnDataset;
pub use dependent::{By, DependenceColumn, Dependent};
pub use described::{Content, DescribedColumn};
pub use encoding::{Encoding, NewFeatures};
pub use error::{OwnError, Place, Stray};
pub use file_format::{FileFormat, Separator};
pub use finding::{Finding, Severity, Topic};
pub use group::{RowGroup, RowLabels};
pub use range::Ranges;
pub use region::regions;
pub use resolution::{Grain, grid_step};
pub use rules::CellRules;
pub use same::{TableNumbers, first_same, same_tables};
pub use suspicion::suspicions;
pub use table::{OwnTable, RowPlace};
pub use target_kind::{censored_findings, target_findings, zero_groups};
pub use times::{CalendarPeriod, Times};
pub use trend::trend;
pub use words::{Setting, Words};
pub use write::csv;

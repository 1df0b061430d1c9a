//! State how cells are read where a file alone does not tell: which values stand for missing ones,
//! in which columns `NA` is a level, and what stands for a limit.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::absent::{Absent, absent_findings, blanked};
use super::cells::Cells;
use super::censored::Censored;
use super::error::OwnError;
use super::finding::Finding;
use super::words::Setting;

/// What a user states of the cells of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CellRules {
    /// Values that stand for missing ones: in every column, or as `COLUMN=VALUE` in one.
    pub na: Vec<String>,
    /// Columns in which `NA` and the like is a level.
    pub level_na: Vec<String>,
    /// What is taken for a number of which a limit alone is known.
    pub censored: Censored,
    /// Whether columns that number the rows are features.
    pub keep_index: bool,
}

/// The cells of a file under the rules.
pub(super) struct Ruled<'a> {
    /// The cells; those of a value that stands for a missing one are empty.
    pub cells: Cow<'a, Cells>,
    /// The values that stand for missing ones.
    pub absent: Vec<Absent>,
    /// The places of the columns in which `NA` is a level.
    pub level_na: Vec<usize>,
}

impl CellRules {
    /// Whether nothing is stated.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Applies them to a file, and says to how many cells.
    ///
    /// # Errors
    /// [`OwnError::UnknownColumn`].
    pub(super) fn applied<'a>(
        &self,
        cells: &'a Cells,
        findings: &mut Vec<Finding>,
    ) -> Result<Ruled<'a>, OwnError> {
        let absent = Absent::parse(&self.na, cells)?;
        findings.extend(absent_findings(&absent, cells));
        // A name may have commas.
        let names = self.level_na.iter().flat_map(|text| match cells.find(text) {
            Some(_) => vec![text.as_str()],
            None => text.split(',').map(str::trim).collect(),
        });
        let level_na =
            names.map(|name| cells.place(Setting::LevelNa, name)).collect::<Result<_, _>>()?;
        Ok(Ruled { cells: blanked(cells, &absent), absent, level_na })
    }
}

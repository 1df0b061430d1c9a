//! Say with which settings methods ran.

/// The title of the table.
pub const TITLE: &str = "Methods as run";

/// The note below it.
pub const NOTE: &str = "Methods and settings by their names in this program. Every setting that is not named is its \
    default, which uqbench list methods NAME shows. The numbers of a paper may have been made with others.";

/// Where a method runs on every dataset.
pub const ALL: &str = "all";

/// Where a benchmark file states no setting.
pub const DEFAULTS: &str = "defaults";

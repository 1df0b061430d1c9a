//! Say with which settings methods ran.

/// The title of the table.
pub const TITLE: &str = "Methods as run";

/// The note below it; `has_printed` says that there are printed numbers, which may be of others.
pub fn note(has_printed: bool) -> String {
    let others =
        if has_printed { " The printed numbers may have been made with others." } else { "" };
    format!(
        "Methods and settings by their names in this program. Every setting that is not named is its \
         default, which uqbench list methods NAME shows.{others}"
    )
}

/// Where a method runs on every dataset.
pub const ALL: &str = "all";

/// Where a benchmark file states no setting.
pub const DEFAULTS: &str = "defaults";

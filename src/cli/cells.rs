//! Options on how the cells of a table of one's own are read.

use clap::Args;

use super::choices::censored;
use uqbench_data::own::{CellRules, Censored};

/// How cells are read where a file alone does not tell.
#[derive(Args, Clone, Debug, Default)]
pub struct CellArgs {
    /// Values that stand for missing ones, such as -200,9999 in every column, or COLUMN=VALUE in
    /// one. New rows are read so, too.
    #[arg(long, value_name = "VALUE,…", allow_hyphen_values = true)]
    na: Vec<String>,
    /// Categories in which NA, None, null or nan is a level though other cells are empty. Where
    /// none is empty it is one anyway.
    #[arg(long, value_name = "COLUMN,…")]
    level_na: Vec<String>,
    /// What is taken for a number of which a limit alone is known, such as <0.5 or n.d.: half of it
    /// (the limit of one above), the limit, missing, or level, which makes a category of the
    /// column. New rows are read so, too.
    #[arg(
        long,
        value_parser = censored(),
        value_name = "half|limit|missing|level",
        default_value_t,
        hide_possible_values = true,
    )]
    censored: Censored,
    /// Make features of columns that number the rows, such as the index of pandas; they are left
    /// out otherwise.
    #[arg(long)]
    keep_index: bool,
}

impl From<CellRules> for CellArgs {
    fn from(CellRules { na, level_na, censored, keep_index }: CellRules) -> Self {
        Self { na, level_na, censored, keep_index }
    }
}

impl CellArgs {
    /// The rules that they state.
    pub fn rules(&self) -> CellRules {
        let (na, level_na) = (self.na.clone(), self.level_na.clone());
        CellRules { na, level_na, censored: self.censored, keep_index: self.keep_index }
    }
}

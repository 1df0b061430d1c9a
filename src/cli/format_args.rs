//! Say how a user's file is to be read.

use clap::Args;
use uqbench_data::own::{Charset, FileFormat, Separator};

use super::choices::separator;

/// What is said of a file beside its name.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct FormatArgs {
    /// Characters of a text file, by the name of their encoding, such as utf-8, latin-1,
    /// windows-1251, utf-16le, gb18030 or shift_jis. A byte order mark at the beginning of the file
    /// outweighs it.
    #[arg(long, value_name = "NAME", default_value_t)]
    pub encoding: Charset,
    /// What stands between the cells of a text file: , ; | tab or space [default: as the lines of
    /// the file show].
    #[arg(
        long,
        value_name = "CHARACTER",
        value_parser = separator(),
        ignore_case = true,
        hide_possible_values = true,
    )]
    pub separator: Option<Separator>,
    /// The sheet of a workbook, Excel or OpenDocument [default: its first one].
    #[arg(long, value_name = "NAME")]
    pub sheet: Option<String>,
}

impl FormatArgs {
    /// The format.
    pub fn format(&self) -> FileFormat {
        FileFormat { encoding: self.encoding, separator: self.separator, sheet: self.sheet.clone() }
    }
}

impl From<FileFormat> for FormatArgs {
    fn from(FileFormat { encoding, separator, sheet }: FileFormat) -> Self {
        Self { encoding, separator, sheet }
    }
}

//! Hold the words of a command line that name a benchmark, so that a page can state the command
//! that runs it.

/// The words of a command line that name a benchmark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Its file, as the command line names it; `None` for a benchmark of the program.
    pub file: Option<String>,
    /// Commands of the external methods that the command line adds to it.
    pub with: Vec<String>,
    /// Whether its file names commands, which run only where that is allowed.
    pub names_commands: bool,
}

impl Origin {
    /// Whether its words may name files, which are found from the working folder alone.
    pub fn names_files(&self) -> bool {
        self.file.is_some() || !self.with.is_empty()
    }
}

//! Make room for what a command writes, before the work that it is about.
//!
//! One rule for all commands: a missing folder is made; a path that is a folder, leads through a
//! file, or takes no files ends the command at once.

use std::path::Path;

use super::CliError;
use uqbench_system::outputs;

/// Makes room for an output file before the work that it is about: a missing folder is made.
///
/// # Errors
/// [`CliError`] for a folder, and for a path where nothing can be written.
pub fn prepare(out: &Path) -> Result<(), CliError> {
    outputs::prepare_file(out)
        .map_err(|error| CliError::Other(format!("{} cannot be written: {error}", out.display())))
}

/// The same for a folder of output files.
///
/// # Errors
/// [`CliError`] for a file, and for a path where nothing can be written.
pub fn prepare_folder(out: &Path) -> Result<(), CliError> {
    let failed = |error| {
        CliError::Other(format!(
            "nothing can be written into the folder {}: {error}",
            out.display()
        ))
    };
    outputs::prepare_folder(out).map_err(failed)
}

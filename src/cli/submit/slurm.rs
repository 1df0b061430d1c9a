//! Slurm: the scripts of an array and of a job that depends on it, and their submission by
//! `sbatch`.

use std::io::Write;
use std::process::{Command, Stdio};

use super::{absolute, word};
use crate::cli::CliError;

/// A script for `sbatch`.
pub struct Script {
    /// Options of `sbatch`.
    pub options: Vec<String>,
    /// What this program is called with, as words of a shell.
    pub words: Vec<String>,
}

impl Script {
    /// The script. It runs in the folder in which it was made. The program takes the place of the
    /// shell, so that it receives the signal with which Slurm asks it to stop.
    pub fn text(&self) -> Result<String, CliError> {
        let failed =
            |error| CliError::Other(format!("the path of this program cannot be found: {error}"));
        let program = word(&std::env::current_exe().map_err(failed)?)?;
        let folder = word(&absolute(std::path::Path::new("."))?)?;
        let options: String =
            self.options.iter().map(|option| format!("#SBATCH {option}\n")).collect();
        Ok(format!(
            "#!/bin/sh\n{options}set -eu\ncd {folder}\nexport \
             RAYON_NUM_THREADS=\"$SLURM_CPUS_PER_TASK\"\nexec {program} {}\n",
            self.words.join(" ")
        ))
    }
}

/// Submits an array and the job that runs after it, and returns their numbers.
///
/// # Errors
/// [`CliError::Other`] where `sbatch` cannot be run, or refuses. It names the array if that was
/// submitted.
pub fn submit(array: &Script, report: &Script) -> Result<(String, String), CliError> {
    let array = sbatch(array, None)?;
    let report = sbatch(report, Some(&array)).map_err(|error| {
        CliError::Other(format!(
            "array {array} was submitted (`scancel {array}` cancels it), but the report was not: \
             {error}"
        ))
    })?;
    Ok((array, report))
}

/// Submits a script, which starts after the job `after` has ended in any way, and returns its
/// number.
fn sbatch(script: &Script, after: Option<&str>) -> Result<String, CliError> {
    let unstarted = |error| {
        CliError::Other(format!(
            "sbatch cannot be run: {error}; run this where Slurm is, or print the scripts by \
             --print"
        ))
    };
    let mut command = Command::new("sbatch");
    command.arg("--parsable").args(after.map(|after| format!("--dependency=afterany:{after}")));
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let text = script.text()?;
    let mut child = piped.spawn().map_err(unstarted)?;
    // A program that ends early has closed the pipe; what it says is reported below.
    let written = child.stdin.take().map_or(Ok(()), |mut pipe| pipe.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(unstarted)?;
    let (said, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if !output.status.success() {
        return Err(CliError::Other(format!(
            "sbatch refused the script ({}): {}. `--print` shows it; --sbatch, --cpus, --memory \
             and --minutes change it",
            output.status,
            errors.trim()
        )));
    }
    written.map_err(|error| CliError::Other(format!("sbatch did not read the script: {error}")))?;
    // `NUMBER` or `NUMBER;CLUSTER`.
    let number = said.trim().split(';').next().unwrap_or_default();
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CliError::Other(format!(
            "sbatch printed {:?}, expected the number of a job",
            said.trim()
        )));
    }
    Ok(number.to_owned())
}

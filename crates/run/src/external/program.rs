//! Run a method outside of this program: once for its description or for one request, or as a
//! server.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::{fs, io};

use super::arrays::LARGEST;
use super::contract::{
    Description, Question, REQUEST_FILE, RESPONSE_FILE, read_description, states_code,
};
use super::file::{LARGEST_FILE, hash_file};
use super::host::Host;
use super::process::Process;
use uq_methods::{Context, FitError};
use uqbench_system::Scratch;
use uqbench_system::disk::open_regular;
use uqbench_system::supervise::{Cause, End, Event, Start};

/// Most characters of standard error in a message.
const SHOWN: usize = 1500;

/// Variables that state the number of threads of a numerical library.
const THREADS: [&str; 9] = [
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "JULIA_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "POLARS_MAX_THREADS",
];

/// What is read of a response, with the processor time of the request.
pub type Timed<T> = (T, Option<Duration>);

/// What a method says of itself.
#[derive(Clone, Debug)]
pub struct OwnDescription {
    /// Its description.
    pub description: Description,
    /// Whether it states its code, and be it that there is none.
    pub states_code: bool,
}

/// A method that can be run.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// Its name, for messages.
    pub name: &'a str,
    /// Program and arguments.
    pub command: &'a [String],
    /// The SHA-256 of each named file, by its name.
    pub files: &'a BTreeMap<String, String>,
    /// Where it runs.
    pub host: &'a Host,
}

impl Program<'_> {
    /// What the method says of itself.
    ///
    /// # Errors
    /// [`FitError::Crashed`] where it cannot be run, or its last line is no description;
    /// [`FitError::TimedOut`].
    pub fn describe(&self, context: &Context) -> Result<OwnDescription, FitError> {
        let process = self.start(self.prepare()?, "describe", false)?;
        let end = self.end(&process, context)?;
        let line =
            end.output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let description = read_description(line)
            .map_err(|why| self.crashed(&format!("its description: {why}")))?;
        Ok(OwnDescription { description, states_code: states_code(line) })
    }

    /// Runs the method in a process of its own for one request. `write` fills the folder and
    /// returns the request; `read` gets folder and response. Beside what it returns is the
    /// processor time of all processes of the method, where the operating system tells it.
    ///
    /// # Errors
    /// [`FitError::Crashed`], [`FitError::OutOfMemory`], [`FitError::TimedOut`],
    /// [`FitError::Cancelled`]; those of `write` and `read`.
    pub fn run_once<T>(
        &self,
        write: &dyn Fn(&Path) -> io::Result<Question>,
        read: &dyn Fn(&Path, &str) -> Result<T, FitError>,
        context: &Context,
    ) -> Result<Timed<T>, FitError> {
        let folder = self.prepare()?;
        let path = folder.path().to_owned();
        let line = self.request(write, &path)?;
        fs::write(path.join(REQUEST_FILE), line).map_err(|error| self.unwritten(&error))?;
        let process = self.start(folder, "run", false)?;
        let processor_time = self.end(&process, context)?.processor_time;
        let response = path.join(RESPONSE_FILE);
        let facts = fs::symlink_metadata(&response);
        let facts = facts.map_err(|error| {
            self.crashed(&format!("it wrote no {RESPONSE_FILE} that can be read: {error}"))
        })?;
        if !facts.is_file() || facts.len() > LARGEST {
            return Err(
                self.crashed(&format!("its {RESPONSE_FILE} is no file of at most {LARGEST} bytes"))
            );
        }
        let text = fs::read_to_string(response);
        let text = text.map_err(|error| {
            self.crashed(&format!("its {RESPONSE_FILE} cannot be read: {error}"))
        })?;
        Ok((read(&path, &text)?, processor_time))
    }

    /// As [`Program::run_once`], by a process that serves: one that waits for a request, or a new
    /// one, whose start counts as part of the request. If a process that has answered before fails,
    /// a new one gets the request.
    ///
    /// # Errors
    /// As [`Program::run_once`].
    pub fn run_served<T>(
        &self,
        write: &dyn Fn(&Path) -> io::Result<Question>,
        read: &dyn Fn(&Path, &str) -> Result<T, FitError>,
        context: &Context,
    ) -> Result<Timed<T>, FitError> {
        let identity = format!(
            "{:?} {:?} {:?} {:?}",
            self.command, self.files, self.host.place, self.host.bounds.memory
        );
        if let Some(process) = self.host.servers.take(&identity) {
            match self.ask(process, &identity, write, read, context) {
                Err(FitError::Crashed(_) | FitError::OutOfMemory) => {}
                end => return end,
            }
        }
        let process = self.start(self.prepare()?, "serve", true)?;
        self.ask(process, &identity, write, read, context)
    }

    fn ask<T>(
        &self,
        mut process: Process,
        identity: &str,
        write: &dyn Fn(&Path) -> io::Result<Question>,
        read: &dyn Fn(&Path, &str) -> Result<T, FitError>,
        context: &Context,
    ) -> Result<Timed<T>, FitError> {
        let folder = process.folder().join(format!("request-{}", process.requests()));
        fs::create_dir(&folder).map_err(|error| self.unwritten(&error))?;
        let line = self.request(write, &folder)?;
        // A supervisor that has ended cannot be asked, and nothing comes from it.
        let _ = process.ask(&line);
        let end = match process.wait(context)? {
            Some(Event::Answer(answer)) => {
                read(&folder, &answer.line).map(|found| (found, answer.processor_time))
            }
            Some(Event::Ended(end)) => return Err(self.failure(end)),
            None => return Err(self.unsupervised()),
        };
        if !matches!(end, Err(FitError::Crashed(_))) && fs::remove_dir_all(&folder).is_ok() {
            self.host.servers.keep(identity.into(), process);
        }
        end
    }

    /// The request as one line of JSON; its arrays are written.
    fn request(
        &self,
        write: &dyn Fn(&Path) -> io::Result<Question>,
        folder: &Path,
    ) -> Result<String, FitError> {
        let line = write(folder).and_then(|question| Ok(serde_json::to_string(&question)?));
        line.map_err(|error| self.unwritten(&error))
    }

    /// A new folder with the named files, whose content is verified.
    fn prepare(&self) -> Result<Scratch, FitError> {
        let folder = Scratch::new().map_err(|error| self.unwritten(&error))?;
        for (name, expected) in self.files {
            let from = self
                .host
                .place
                .files
                .get(name)
                .ok_or_else(|| self.crashed(&format!("`{name}` has no path")))?;
            let to = folder.path().join(name);
            let parent = to.parent().unwrap_or(folder.path());
            fs::create_dir_all(parent).map_err(|error| self.unwritten(&error))?;
            // A copy has the permissions of its source, so that a script stays executable.
            let is_readable = open_regular(from, LARGEST_FILE).map(drop);
            let hash = is_readable.and_then(|()| fs::copy(from, &to)).and_then(|_| hash_file(&to));
            let hash =
                hash.map_err(|error| self.crashed(&format!("`{name}` cannot be read: {error}")))?;
            if hash != *expected {
                return Err(self.crashed(&format!(
                    "`{name}` has changed since the trials were planned; run again"
                )));
            }
        }
        fs::create_dir(folder.path().join("tmp")).map_err(|error| self.unwritten(&error))?;
        Ok(folder)
    }

    fn start(&self, folder: Scratch, mode: &str, serves: bool) -> Result<Process, FitError> {
        let path = folder.path();
        let threads = THREADS.map(|name| (name.to_owned(), "1".to_owned()));
        let temporary = ["TMPDIR", "TMP", "TEMP"]
            .map(|name| (name.to_owned(), path.join("tmp").display().to_string()));
        // Python otherwise hashes texts with a random seed, and buffers the lines of a server.
        let python =
            [("PYTHONHASHSEED", "0"), ("PYTHONDONTWRITEBYTECODE", "1"), ("PYTHONUNBUFFERED", "1")];
        let python = python.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let start = Start {
            program: self.program(path),
            arguments: self.command.iter().skip(1).cloned().chain([mode.to_owned()]).collect(),
            folder: path.to_owned(),
            environment: threads.into_iter().chain(temporary).chain(python).collect(),
            memory: self.host.bounds.memory,
            processes: self.host.bounds.processes,
            serves,
        };
        Process::start(&self.host.uqbench, &start, folder)
            .map_err(|error| self.crashed(&format!("its supervisor cannot be started: {error}")))
    }

    /// Waits for the end of a process that does not serve.
    fn end(&self, process: &Process, context: &Context) -> Result<End, FitError> {
        let event = process.wait(context)?;
        if let Some(Event::Ended(end)) = &event {
            self.host.left.fetch_add(end.left, Ordering::Relaxed);
        }
        match event {
            Some(Event::Ended(end)) if end.cause == Cause::Success => Ok(end),
            Some(Event::Ended(end)) => Err(self.failure(end)),
            Some(Event::Answer(_)) | None => Err(self.unsupervised()),
        }
    }

    fn unsupervised(&self) -> FitError {
        self.crashed("its supervisor has ended")
    }

    /// A named file, a path from the method's folder, or a name that is looked up in `PATH`.
    fn program(&self, folder: &Path) -> PathBuf {
        match self.command.first() {
            Some(named) if self.files.contains_key(named) => folder.join(named),
            Some(path) if path.contains('/') => self.host.place.folder.join(path),
            name => PathBuf::from(name.map_or("", String::as_str)),
        }
    }

    /// The error of an end without an answer.
    fn failure(&self, end: End) -> FitError {
        let program = self.command.first().map_or("", String::as_str);
        let what = match end.cause {
            Cause::Memory(_) => return FitError::OutOfMemory,
            Cause::Unstarted(why) => {
                return self.crashed(&format!(
                    "the program `{program}` cannot be started: {why}; install it, or correct the \
                     command"
                ));
            }
            Cause::Processes(found) => {
                let most = self.host.bounds.processes;
                return self.crashed(&format!(
                    "it had {found} processes at a time, expected at most {most}"
                ));
            }
            Cause::Success => "the process ended without an answer".to_owned(),
            Cause::Exited(status) => format!("the process ended with {status}"),
            Cause::Output(what) => what,
        };
        self.crashed(&match shown(&end.messages) {
            none if none.is_empty() => format!("{what}; standard error is empty"),
            messages => format!("{what}; the end of standard error: {messages}"),
        })
    }

    /// The failure with this reason.
    pub fn crashed(&self, what: &str) -> FitError {
        FitError::Crashed(format!("external method `{}`: {what}", self.name))
    }

    fn unwritten(&self, error: &io::Error) -> FitError {
        self.crashed(&format!("its folder of temporary files cannot be written: {error}"))
    }
}

/// The last lines of a text in one line.
fn shown(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let line = lines.join(" | ").replace(|c: char| c.is_control(), " ");
    let over = line.chars().count().saturating_sub(SHOWN);
    if over == 0 { line } else { format!("… {}", line.chars().skip(over).collect::<String>()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_shown_in_one() {
        assert_eq!(
            shown("Traceback\n\n  File x\nValueError: \u{1b}[31mno\n"),
            "Traceback | File x | ValueError:  [31mno"
        );
        let long = shown(&format!("{}end", "x".repeat(5000)));
        assert!(
            long.starts_with("… x") && long.ends_with("xend") && long.chars().count() == SHOWN + 2
        );
    }
}

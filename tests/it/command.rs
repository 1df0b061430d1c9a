//! Run the built program in a folder of its own.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use uqbench_run::runner::attempt::Attempt;

use super::wording::counts;

/// Longest time that a test waits for a program.
pub const LONGEST: Duration = Duration::from_secs(1200);

/// Lets programs that tests start heed the signals that end them, where a shell has made this
/// process ignore them, as it does with background jobs: a signal that has a handler here has its
/// default action in a new program.
#[cfg(unix)]
fn heed_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    static DONE: std::sync::Once = std::sync::Once::new();
    DONE.call_once(|| {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
        let ignored = u64::from_str_radix(mask.trim(), 16).unwrap();
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            if ignored >> (signal - 1) & 1 == 1 {
                signal_hook::flag::register(signal, std::sync::Arc::default()).unwrap();
            }
        }
    });
}

/// Programs that do not make a test wait for ever.
pub trait Limited {
    /// Runs to its end, with what it writes; fails where that takes too long.
    fn ended(self) -> Output;
}

impl Limited for &mut Command {
    #[track_caller]
    fn ended(self) -> Output {
        self.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap().ended()
    }
}

impl Limited for Child {
    #[track_caller]
    fn ended(mut self) -> Output {
        fn all(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                pipe.into_iter().for_each(|mut pipe| _ = pipe.read_to_end(&mut bytes).unwrap());
                bytes
            })
        }
        drop(self.stdin.take());
        let (out, err) = (all(self.stdout.take()), all(self.stderr.take()));
        let start = Instant::now();
        let status = loop {
            match self.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() > LONGEST => {
                    let _ = self.kill();
                    panic!("the program did not end within {LONGEST:?}");
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        Output { status, stdout: out.join().unwrap(), stderr: err.join().unwrap() }
    }
}

/// Runs a program that this machine may not have, or not for this user, to its end; `None` where it
/// cannot be started.
#[track_caller]
pub fn started(command: &mut Command) -> Option<Output> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().ok().map(Limited::ended)
}

/// A folder that is removed after the test. The program runs in it: offline, without a mirror, with
/// its own cache.
pub struct Dir(TempDir);

impl Dir {
    pub fn new() -> Self {
        #[cfg(unix)]
        heed_signals();
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// A page in Markdown with blanks single, and in place of its links to tables these tables.
    pub fn page(&self, name: &str) -> String {
        let path = self.path(name);
        let mut page = String::new();
        for line in fs::read_to_string(&path).unwrap().lines() {
            let indent = if line.starts_with(' ') { " " } else { "" };
            let words =
                line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
            let link = line.strip_prefix("- [").and_then(|rest| rest.split_once("](tables/"));
            page += &match link.and_then(|(title, rest)| Some((title, rest.split_once(')')?))) {
                Some((title, (file, rest))) => {
                    let note = rest.split_once(". ").map_or("", |(_, note)| note);
                    format!(
                        "\n## {title}\n\n{}\n{note}\n",
                        table(&path.with_file_name("tables").join(file))
                    )
                }
                None => format!("{indent}{words}\n"),
            };
        }
        page
    }

    /// The program with these words, and with defaults for `--store`, `--out`, `--cache` and
    /// `--offline` where they are missing.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uqbench"));
        command.args(words.split_whitespace());
        let (places, sources): (&[_], _) = match words.split_whitespace().next() {
            Some("run") if words.contains("--plan ") => (&["store"], true),
            Some("run" | "reproduce") => (&["store", "out"], true),
            Some("report" | "compare") => (&["store", "out"], false),
            Some("status" | "check") => (&["store"], false),
            Some("data") => (&[], true),
            _ => (&[], false),
        };
        for place in places.iter().chain(sources.then_some(&"cache")) {
            let option = format!("--{place}");
            let is_given = |word: &str| word == option || (option == "--store" && word == "--from");
            if !words.split_whitespace().any(is_given) {
                command.arg(option).arg(self.path(place));
            }
        }
        if sources {
            command.arg("--offline");
        }
        command.current_dir(self.0.path()).env_remove("UQBENCH_MIRROR").stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, words: &str) -> Ended {
        Ended::of(words, self.command(words).ended())
    }

    /// Starts the program.
    pub fn start(&self, words: &str) -> Started {
        let child =
            self.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        Started { child, words: words.into() }
    }

    /// The bytes that determinism compares: every file below a store's `trials` but the provenance.
    pub fn kept(&self, store: &str) -> BTreeMap<String, Vec<u8>> {
        kept(&self.path(store))
    }

    /// Every provenance file of a store: it changes when a trial is run again.
    pub fn provenances(&self, store: &str) -> BTreeMap<String, Vec<u8>> {
        let mut all = files(&self.path(store).join("trials"));
        all.retain(|name, _| name.ends_with("provenance.json"));
        all
    }
}

/// Every attempt of a store that did not finish, with its key.
pub fn attempts(store: &Path) -> BTreeMap<String, Attempt> {
    let named = files(&store.join("failures")).into_iter();
    named.map(|(name, bytes)| (name.replace(".json", ""), Attempt::read(&bytes).unwrap())).collect()
}

/// The bytes below a store's `trials` but the provenance.
pub fn kept(store: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = files(&store.join("trials"));
    all.retain(|name, _| !name.ends_with("provenance.json"));
    all
}

/// Every file below a folder, by its path from there.
pub fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        // A folder may be renamed during a run.
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(bytes) = fs::read(&path) {
                found
                    .insert(path.strip_prefix(root).unwrap().to_string_lossy().into_owned(), bytes);
            }
        }
    }
    found
}

/// A running program.
pub struct Started {
    child: Child,
    words: String,
}

impl Started {
    /// Sends it a signal.
    #[cfg(unix)]
    pub fn signal(&self, signal: rustix::process::Signal) {
        let id = rustix::process::Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        rustix::process::kill_process(id, signal).unwrap();
    }

    /// Whether it is still running.
    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits for its end.
    pub fn end(self) -> Ended {
        Ended::of(&self.words, self.child.ended())
    }
}

/// A program that has ended.
#[derive(Debug)]
pub struct Ended {
    words: String,
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ended {
    /// The end of a program that these words started.
    pub fn of(words: &str, output: Output) -> Self {
        Self {
            words: words.into(),
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Fails unless it ended with this code.
    #[track_caller]
    pub fn code(self, expected: i32) -> Self {
        let Self { words, code, out, err } = &self;
        assert_eq!(*code, Some(expected), "uqbench {words}\nstdout:\n{out}\nstderr:\n{err}");
        self
    }

    /// Fails unless standard error contains this.
    #[track_caller]
    pub fn says(self, part: &str) -> Self {
        let Self { words, err, .. } = &self;
        assert!(
            err.contains(part),
            "`{part}` is not in the standard error of uqbench {words}:\n{err}"
        );
        self
    }

    /// Fails unless standard output contains this.
    #[track_caller]
    pub fn prints(self, part: &str) -> Self {
        let Self { words, out, .. } = &self;
        assert!(
            out.contains(part),
            "`{part}` is not in the standard output of uqbench {words}:\n{out}"
        );
        self
    }

    /// Last line of standard output.
    pub fn last(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }

    /// The numbers of the last line. After a run they are the trials that finished, those that were
    /// expected, how many were reused and how many ran, and how many ended in each other way.
    pub fn counts(&self) -> Vec<u64> {
        counts(self.last())
    }
}

/// A CSV file as a table in Markdown.
fn table(path: &Path) -> String {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).unwrap();
    // An apostrophe before a cell keeps spreadsheets from reading a formula.
    let cell = |text: &str| text.strip_prefix('\'').unwrap_or(text).to_owned();
    let row = |record: csv::StringRecord| {
        format!("| {} |\n", record.iter().map(cell).collect::<Vec<_>>().join(" | "))
    };
    let mut rows: Vec<String> = reader.records().map(|record| row(record.unwrap())).collect();
    let rule = format!("|{}\n", " --- |".repeat(rows[0].matches(" | ").count() + 1));
    rows.insert(1, rule);
    rows.concat()
}

/// Waits until a condition holds; fails where it never does.
#[track_caller]
pub fn wait_until(mut condition: impl FnMut() -> bool, what: &str) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(120), "never: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

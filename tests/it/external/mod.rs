//! Methods in other languages: most are shell scripts, so that the tests need nothing but POSIX.

mod answers;
mod bounds;
mod check;
mod processor;
mod runs;
mod versions;
mod wrong;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ndarray::{Array1, Array2};
use tempfile::TempDir;
use uq_core::math::random::Streams;
use uq_core::predictive::Predictive;
use uq_core::{CancelToken, Table};
use uq_methods::{Context, FitError, Method, Reading, Request};
use uqbench_run::external::given::Given;
use uqbench_run::external::program::Program;
use uqbench_run::external::{External, Host, Servers};

use super::command::started;

/// A description for shell scripts.
pub const DESCRIPTION: &str = r#"{"contract": 1, "name": "script", "versions": {"sh": "1"}, "deterministic": true, "arrays": "csv"}"#;

/// A normal distribution with mean and variance of the training targets at each row.
pub const MOMENTS: &str = r#"
awk 'NR == FNR { s += $1; q += $1 * $1; n++; next }
     { printf "%.17g\n", s / n > "mean.csv"; printf "%.17g\n", q / n - (s / n) ^ 2 + 1e-9 > "variance.csv" }' y_train.csv X_test.csv
echo '{"contract": 1, "form": "gaussian", "mean": "mean.csv", "variance": "variance.csv"}' > response.json
"#;

/// A script with this description that runs these lines for a request.
pub fn script(description: &str, run: &str) -> String {
    format!(
        "#!/bin/sh\ncase \"$1\" in\ndescribe) echo '{description}' ;;\nrun)\n{run}\n;;\n*) exit 9 \
         ;;\nesac\n"
    )
}

/// A script that copies these lines to its response.
pub fn responding(response: &str) -> String {
    script(DESCRIPTION, &format!("cat > response.json <<'END'\n{response}\nEND"))
}

/// A method in a folder of its own, and what it is run with.
pub struct Asked {
    folder: TempDir,
    words: Vec<String>,
    pub seconds: u64,
    pub memory: Option<u64>,
    pub host: Option<Host>,
}

impl Asked {
    /// A shell script.
    pub fn script(text: &str) -> Self {
        Self::command(&["sh", "method.sh"], text)
    }

    /// A command, with this text in its file `method.sh`.
    pub fn command(words: &[&str], text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("method.sh"), text).unwrap();
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Self { folder, words, seconds: 60, memory: None, host: None }
    }

    /// A path in the method's folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The prediction at rows 0, 1, …, 4 of a line with 20 training rows.
    pub fn predict(&mut self) -> Result<Predictive, FitError> {
        let (method, host) = self.method()?;
        let features = Array2::from_shape_fn((20, 1), |(i, _)| i as f64);
        let train = Table::unnamed(features, Array1::from_shape_fn(20, |i| 2.0 * i as f64));
        let test = Array2::from_shape_fn((5, 1), |(i, _)| i as f64);
        let context = self.context().hosted(Some(Arc::new(host.clone())));
        self.host = Some(host);
        method.fit(&train, &context)?.predict(
            &Reading::MAIN,
            test.view(),
            &Request::default(),
            &context,
        )
    }

    /// The message of a prediction that fails.
    #[track_caller]
    pub fn error(&mut self) -> String {
        self.predict().expect_err("a failure was expected").to_string()
    }

    fn context(&self) -> Context {
        let deadline = Instant::now() + Duration::from_secs(self.seconds);
        Context::new(Streams::new(1, "external")).stopping(CancelToken::default(), Some(deadline))
    }

    fn method(&self) -> Result<(External, Host), FitError> {
        let (given, place) = Given::from_words(&self.words, self.folder.path()).unwrap();
        let files = given.hashes(&place).unwrap();
        let uqbench = PathBuf::from(env!("CARGO_BIN_EXE_uqbench"));
        let limits = (Some(self.seconds), self.memory);
        let host = Host::new(uqbench, place.clone(), limits, Arc::new(Servers::new(1)));
        let program =
            Program { name: &given.name, command: &given.command, files: &files, host: &host };
        let description = program.describe(&self.context())?.description;
        Ok((External::new(given.resolve(&place, description).unwrap()), host))
    }
}

/// Whether a process with this command line is running.
pub fn is_running(words: &[&str]) -> bool {
    let line: Vec<u8> = words.iter().flat_map(|word| word.bytes().chain([0])).collect();
    let all = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok());
    all.into_iter().any(|found| found == line)
}

/// Whether a program is there. A test that needs it says so where it is not.
pub fn has(program: &str, test: &str) -> bool {
    let found = started(std::process::Command::new(program).arg("--version")).is_some();
    if !found {
        println!("{test}: skipped, because this machine has no {program}");
    }
    found
}

/// The lines of a file, or none.
pub fn lines(path: &Path) -> usize {
    fs::read_to_string(path).unwrap_or_default().lines().count()
}

//! Ask external methods for their descriptions, or take the last ones from a store.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::CliError;
use super::wording::Worded;
use uq_core::CancelToken;
use uq_core::math::random::Streams;
use uq_methods::{Context, FitError};
use uqbench_run::benchmark::Stated;
use uqbench_run::external::contract::Description;
use uqbench_run::external::given::Given;
use uqbench_run::external::program::{OwnDescription, Program};
use uqbench_run::external::{ExternalParameters, Host, Identities, Place, Servers};
use uqbench_run::runner::key::TrialKey;
use uqbench_run::runner::store::Store;
use uqbench_system::notice::say;
use uqbench_system::supervise::own_program;

/// Longest time of a description in seconds, where none is stated: a large library takes a while to
/// be imported from a slow disk.
pub const LONGEST: u64 = 300;

/// What is known of an external method.
#[derive(Clone, Debug, PartialEq)]
pub enum Described {
    /// The method with its description.
    Known(ExternalParameters),
    /// Nothing, for this reason.
    Unknown(String),
}

/// Returns what an external method says of itself.
pub trait Describe {
    /// The method with its description; why there is none where a store alone is asked, which has
    /// nothing of it.
    ///
    /// # Errors
    /// Why there is none, or which of its files cannot be read.
    fn describe(&mut self, stated: Stated) -> Result<Described, String>;

    /// Whether only what was run before is read, so that a method without a description has not
    /// run.
    fn is_reading(&self) -> bool {
        false
    }

    /// The versions of a method that a store has, the newest one first. None where methods are
    /// asked: then the version is what they say.
    ///
    /// # Errors
    /// Why the store cannot be read.
    fn versions(&mut self, _stated: Stated) -> Result<Vec<ExternalParameters>, String> {
        Ok(Vec::new())
    }

    /// The keys of the stored trials, for the choice among versions.
    ///
    /// # Errors
    /// Why the store cannot be read.
    fn stored(&mut self) -> Result<HashSet<TrialKey>, String> {
        Ok(HashSet::new())
    }
}

/// Runs the methods, and keeps their descriptions by identity.
#[derive(Debug)]
pub struct Ask {
    /// Whether the commands of benchmark files may run.
    pub allow: bool,
    /// The descriptions so far, by both identities of their methods.
    pub known: BTreeMap<String, Description>,
    /// Longest time of one description in seconds.
    seconds: u64,
    /// The methods that were asked, with the place of their files.
    asked: Vec<(Given, Place, Description)>,
}

impl Ask {
    /// Nothing is known yet. A description may take `seconds`; without them, five minutes.
    pub fn new(allow: bool, seconds: Option<u64>) -> Self {
        Self {
            allow,
            known: BTreeMap::new(),
            seconds: seconds.unwrap_or(LONGEST),
            asked: Vec::new(),
        }
    }
}

impl Describe for &mut Ask {
    fn describe(
        &mut self,
        Stated { given, place, from_file }: Stated,
    ) -> Result<Described, String> {
        if from_file && !self.allow {
            return Err(format!(
                "it runs the command `{}` with your rights: read its files, and allow it by \
                 --allow-external",
                given.command.join(" ")
            ));
        }
        let is_same = |of: &Given| (&of.command, &of.files) == (&given.command, &given.files);
        let description = match self.asked.iter().find(|(of, at, _)| is_same(of) && at == place) {
            Some((_, _, description)) => description.clone(),
            None => ask(given, place, self.seconds)?,
        };
        self.asked.push((given.clone(), place.clone(), description.clone()));
        let parameters = given.clone().resolve(place, description.clone())?;
        let Identities { exact, loose } = parameters.identities();
        self.known.extend([exact, loose].map(|identity| (identity, description.clone())));
        Ok(Described::Known(parameters))
    }
}

impl Describe for &Store {
    fn is_reading(&self) -> bool {
        true
    }

    fn describe(&mut self, Stated { given, place, .. }: Stated) -> Result<Described, String> {
        let (files, unreadable) = match given.hashes(place) {
            Ok(files) => (Some(files), None),
            Err(why) => (None, Some(why)),
        };
        let found = self.external(given, files).map_err(|error| error.worded())?;
        let root = self.root().display();
        let why = || match unreadable {
            Some(why) => format!("{why}, and {root} has no trial of it"),
            None => format!(
                "external method `{}`: {root} has no description of it; `uqbench run` with the \
                 same method asks for one",
                given.name
            ),
        };
        Ok(found.map_or_else(|| Described::Unknown(why()), Described::Known))
    }

    fn versions(
        &mut self,
        Stated { given, place, .. }: Stated,
    ) -> Result<Vec<ExternalParameters>, String> {
        let files = given.hashes(place).ok();
        self.external_versions(given, files.as_ref()).map_err(|error| error.worded())
    }

    fn stored(&mut self) -> Result<HashSet<TrialKey>, String> {
        Ok(self.keys().map_err(|error| error.worded())?.into_iter().collect())
    }
}

/// Runs a method for its description, which may take `seconds` at most. Names the code outside of
/// its files that the method states.
///
/// # Errors
/// Why it has none.
pub fn ask(given: &Given, place: &Place, seconds: u64) -> Result<Description, String> {
    let (name, command) = (&given.name, given.command.join(" "));
    say(format!(
        "external method `{name}`: `{command}` is asked for its description, for at most {seconds} \
         s"
    ));
    let OwnDescription { description: described, states_code } = describe(given, place, seconds)?;
    if !described.code.is_empty() {
        let code = described.code.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        say(format!(
            "external method `{name}`: its trials also depend on this code outside of its files: \
             {code}"
        ));
    }
    if !states_code {
        let files = match given.files.is_empty() {
            true => "it has no named files".to_owned(),
            false => format!("its named files are {}", given.files.join(", ")),
        };
        say(format!(
            "note: external method `{name}`: it states no `code`, and {files}: nobody knows what \
             else it loads, so that an edit of that means no new trials; \
             docs/do/external-methods.md says how to state it"
        ));
    }
    Ok(described)
}

fn describe(given: &Given, place: &Place, seconds: u64) -> Result<OwnDescription, String> {
    let files = given.hashes(place)?;
    let host =
        Host::new(own_program(), place.clone(), (Some(seconds), None), Arc::new(Servers::new(0)));
    let deadline = Instant::now().checked_add(Duration::from_secs(seconds));
    let context =
        Context::new(Streams::new(0, "describe")).stopping(CancelToken::default(), deadline);
    let program =
        Program { name: &given.name, command: &given.command, files: &files, host: &host };
    program.describe(&context).map_err(|error| match error {
        FitError::TimedOut => format!(
            "external method `{}` gave no description within {seconds} s: run `{} describe` \
             yourself; `run` gives it more time by --timeout",
            given.name,
            given.command.join(" ")
        ),
        error => error.to_string(),
    })
}

/// The method of a command that is given as one text.
///
/// # Errors
/// [`CliError::Usage`] where the text has an open quotation mark or no word, or files of equal
/// names.
pub fn given(command: &str) -> Result<(Given, Place), CliError> {
    let words = shlex::split(command).ok_or_else(|| {
        CliError::Usage(format!("`{command}` has an open quotation mark, expected a command"))
    })?;
    given_words(&words)
}

/// The method of a command that is given word by word.
///
/// # Errors
/// As [`given`].
pub fn given_words(words: &[String]) -> Result<(Given, Place), CliError> {
    let folder = std::env::current_dir()
        .map_err(|error| CliError::Other(format!("the working folder: {error}")))?;
    Given::from_words(words, &folder).map_err(CliError::Usage)
}

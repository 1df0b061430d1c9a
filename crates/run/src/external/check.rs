//! Check a method outside of this program against the contract, on small problems whose answers
//! must have known properties.

mod facts;
mod finding;
mod problem;
mod questions;
mod spent;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

pub use finding::{Finding, Verdict};

use super::contract::Description;
use super::given::Given;
use super::host::{Host, Place, Servers};
use super::program::Program;
use questions::Questions;
use uq_core::CancelToken;
use uq_core::math::random::Streams;
use uq_methods::Context;

/// What it has loaded from elsewhere than its named files, as far as it can tell.
fn code(description: &Description) -> Finding {
    let what = "code outside of its named files";
    let names: Vec<&str> = description.code.keys().map(String::as_str).collect();
    if names.is_empty() {
        let how = "it states none. What it loads or reads later is not watched: name its files, or \
                   state hashes as `code`";
        return Finding::passed(what, how);
    }
    let how =
        "their hashes are part of a trial's key. Files that it reads while it fits are not watched";
    Finding::noted(what, format!("{}: {how}", names.join(", ")))
}

/// Checks the method that is stated so. Every question may take as many seconds, and as many bytes
/// of memory, as `limits` state; `uqbench` is the path of this program.
///
/// What the rest depends on comes first: without a description or without an answer to a plain
/// request, nothing more is asked.
pub fn check(
    given: Given,
    place: Place,
    uqbench: PathBuf,
    limits: (u64, Option<u64>),
) -> Vec<Finding> {
    let (seconds, memory) = limits;
    let host =
        Host::new(uqbench, place.clone(), (Some(seconds), memory), Arc::new(Servers::new(1)));
    let context = || {
        let deadline = Instant::now().checked_add(Duration::from_secs(seconds));
        Context::new(Streams::new(0, "check")).stopping(CancelToken::default(), deadline)
    };
    let mut findings = Vec::new();
    let described = given.hashes(&place).and_then(|files| {
        let program =
            Program { name: &given.name, command: &given.command, files: &files, host: &host };
        program
            .describe(&context())
            .map(|described| described.description)
            .map_err(|error| error.to_string())
    });
    let parameters = match described.and_then(|description| given.resolve(&place, description)) {
        Ok(parameters) => parameters,
        Err(why) => return vec![Finding::failed("it describes itself", why)],
    };
    let description = &parameters.description;
    let versions: Vec<String> =
        description.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let versions = if versions.is_empty() { "no versions".into() } else { versions.join(", ") };
    findings.push(Finding::passed(
        "it describes itself",
        format!("`{}`, {versions}", description.name),
    ));
    if description.versions.is_empty() {
        let why =
            "a trial's key cannot tell an upgraded interpreter or package: state their versions";
        findings.push(Finding::noted("versions", why));
    }
    findings.push(code(description));
    Questions::new(&parameters, &host, &context).ask_all(&mut findings);
    findings.push(match host.left.load(Ordering::Relaxed) {
        0 => Finding::passed("it leaves no process behind", String::new()),
        left => Finding::failed(
            "it leaves no process behind",
            format!("{left} had to be ended: wait for them"),
        ),
    });
    findings
}

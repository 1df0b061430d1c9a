//! Every fault that a user, a disk, a host or a method can cause, and that nothing else is lost or
//! changed by it.
//!
//! `docs/look-up/reliability.md` names the tests; [`promises`] checks that they exist.

pub mod disk;
mod folder;
mod formats;
mod inputs;
mod machine;
mod outputs;
mod promises;
mod reading;
mod sources;
mod terminal;
mod unfit;
pub mod workers;
mod writing;

use std::fs;
use std::path::Path;

use super::command::{Dir, files};
use super::mocks;

/// A folder whose store holds the trials of `mocks.toml`: two working mocks on two splits.
fn stored() -> Dir {
    let dir = Dir::new();
    dir.write("mocks.toml", &mocks::benchmark(&mocks::answering(2, 0), 2));
    dir.run("run mocks.toml").code(0);
    dir
}

/// The path of the first file of this name in a store.
fn first(store: &Path, name: &str) -> std::path::PathBuf {
    let found =
        files(store).into_keys().find(|path| path.ends_with(name) && path.starts_with("trials"));
    store.join(found.expect("the store has such a file"))
}

/// Changes one byte of a file.
fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x01;
    fs::write(path, bytes).unwrap();
}

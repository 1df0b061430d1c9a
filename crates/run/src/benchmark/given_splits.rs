//! Read the splits that a benchmark takes from a file beside it.

use std::sync::Arc;

use super::folder::Folder;
use super::mistakes::{Mistakes, Part, SHOWN};
use crate::protocols::{Given, GivenFile, Protocol};
use uq_core::printable::printable;
use uqbench_data::splits::GivenSplits;

/// Largest file of splits, in bytes.
const LARGEST: u64 = 16 << 20;

/// Reads the file of the protocol `given` from the folder of the benchmark; notes what is wrong
/// with it.
pub(super) fn read_given(protocol: &mut Protocol, folder: &Folder, to: &mut Mistakes) {
    let Protocol::Given(given) = protocol else { return };
    let Some(file) = given.described() else {
        let message = "expected a file of splits, such as { given = \"splits/gap.csv\" }";
        return to.note(Part::key("protocol"), message);
    };
    let shown = printable(&file.file, SHOWN);
    let mut note = |message: &str| to.note(Part::key("protocol"), format!("{shown}: {message}"));
    let bytes = match folder.bytes(&file.file, LARGEST) {
        Ok(bytes) => bytes,
        Err(message) => return note(&message),
    };
    match GivenSplits::parse(&bytes) {
        Ok(splits) => {
            *given = Given::Described(GivenFile { splits: Some(Arc::new(splits)), ..file });
        }
        Err(messages) => messages.iter().for_each(|message| note(message)),
    }
}

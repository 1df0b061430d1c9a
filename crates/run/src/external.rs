//! Run a method outside of this program, in any language, as a process.
//!
//! `docs/do/external-methods.md` is the contract for authors. Here [`contract`] defines what is
//! exchanged, `arrays` writes and reads the numbers, `answer` makes a predictive distribution of a
//! response, [`program`] runs the command under a supervisor ([`uqbench_system::supervise`]), and
//! [`External`] is the method. [`given`] reads what a benchmark file or a command line states, and
//! [`mod@check`] tests a method against the contract.

mod answer;
mod arrays;
pub mod check;
pub mod contract;
mod file;
pub mod given;
mod host;
mod method;
mod process;
pub mod program;
pub mod template;

pub use host::{Host, Place, Servers};
pub use method::{External, ExternalParameters, ID, Identities, ask};

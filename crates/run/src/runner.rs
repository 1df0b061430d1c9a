//! Run trials and store them: plan, execute, and one folder for each finished trial.
//!
//! [`plan`] turns benchmarks into a fixed list of trials, [`costs`] says what each will cost, and
//! [`shards`] divides the list among machines. [`key`] identifies each of them by the hash of
//! everything that its numbers depend on. [`run`] finds those that are missing, [`execute`] runs
//! them in worker processes, and [`trial`] is the work of such a process: data, method, protocol.
//! [`store`] keeps the results, and [`derived`] caches the [`scores`] that follow from them.
//! [`model`] keeps a method with its rows for predictions of new ones. [`rerun`] draws trials of a
//! pack, and compares them with what they give when they run again; [`shipped`] has the hashes of
//! the run that comes with the program. Start with [`plan`], then [`run`]. The command line starts
//! all this; evidence and reports read the store.

pub mod attempt;
pub mod cache;
mod company;
pub mod costs;
mod definition;
pub mod derived;
pub mod execute;
mod file_format;
pub mod journal;
pub mod key;
pub mod layout;
pub mod left_out;
pub mod model;
pub mod numbers;
pub mod outcome;
pub mod outdated;
pub mod plan;
pub mod progress;
pub mod record;
pub mod rerun;
pub mod run;
pub mod scores;
pub mod shards;
pub mod shared;
pub mod shipped;
pub mod store;
pub mod tally;
pub mod trial;
pub mod try_table;

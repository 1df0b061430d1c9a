//! Boards of the league, as far as they leave this program: the rows of their splits, which anybody
//! may fit, and the entries that come back.
//!
//! A [`Board`] divides the rows of its datasets exactly as the trials of its benchmark do. `tasks`
//! writes what a fit may see of them; a [`Card`] says who predicts, and how; [`entry`] is the
//! folder in which card and predictions are kept. [`Code`] is run by somebody else: it is [`Frozen`],
//! then the rows are divided anew, and [`rerun`] is the folder of what came of it. What predictions
//! are worth is judged elsewhere.

mod board;
mod card;
mod code;
pub mod entry;
mod error;
mod facts;
mod freeze;
mod keys;
mod predictions;
mod redivided;
mod reference;
pub mod rerun;
mod tasks;
mod truth;

pub use board::{Board, BoardDataset, REFERENCE};
pub use card::{Card, FailedSplit, LARGEST_CARD, blank_card};
pub use code::{Code, LARGEST_CODE, blank_code};
pub use error::LeagueError;
pub use facts::{CardError, DataSeen, Kind};
pub use freeze::{Frozen, hash_code};
pub use predictions::{Part, Predictions};
pub use tasks::{ArrayFormat, TASK_FILE, write_tasks};
pub use truth::Truth;

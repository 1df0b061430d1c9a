//! Boards of the league, as far as they leave this program: the rows of their splits, which anybody
//! may fit, and the entries that come back.
//!
//! A [`Board`] divides the rows of its datasets exactly as the trials of its benchmark do. `tasks`
//! writes what a fit may see of them; a [`Card`] says who predicts, and how; [`entry`] is the
//! folder in which card and predictions are kept. What the predictions are worth is judged
//! elsewhere.

mod board;
mod card;
pub mod entry;
mod error;
mod predictions;
mod reference;
mod tasks;
mod truth;

pub use board::{Board, BoardDataset, REFERENCE};
pub use card::{Card, CardError, DataSeen, FailedSplit, Kind, LARGEST_CARD, blank_card};
pub use error::LeagueError;
pub use predictions::{Part, Predictions};
pub use tasks::{ArrayFormat, TASK_FILE, write_tasks};
pub use truth::Truth;

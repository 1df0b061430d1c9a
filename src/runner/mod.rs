//! Run trials and keep them: plan → execute → one folder a trial.

mod company;
pub mod execute;
pub mod key;
pub mod layout;
pub mod outcome;
pub mod plan;
pub mod practice;
pub mod progress;
pub mod record;
pub mod run;
pub mod scores;
pub mod store;
pub mod tally;
pub mod trial;

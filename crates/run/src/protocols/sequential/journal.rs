//! Keep the steps of a trial that is not finished.

use super::step::Step;
use uq_core::Table;
use uq_methods::Reading;

/// Keeps the finished steps of one trial. A trial that was stopped reads them and goes on after the
/// last one.
pub trait Journal {
    /// The step of this reading; `None` where it was not kept, or what was kept is damaged: it is
    /// then computed again, with the same result.
    fn read(&self, reading: &Reading) -> Option<Step>;

    /// Keeps the step of this reading. `test` are the rows that it predicts, in the target's units.
    ///
    /// # Errors
    /// A message that states why the step cannot be kept.
    fn keep(&self, reading: &Reading, step: &Step, test: &Table) -> Result<(), String>;
}

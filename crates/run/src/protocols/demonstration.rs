//! Take the training rows and the test grid of a simulated problem.

use super::kind::{ProtocolKind, TestRows, Usage, wrong_source};
use super::repetition::{Repetition, Rows, Source};
use uq_methods::FitError;

/// The training rows and the test grid of a simulated problem, drawn anew per repetition.
pub struct Demonstration;

impl ProtocolKind for Demonstration {
    fn test_rows(&self) -> TestRows {
        TestRows::New
    }

    fn compares_methods(&self) -> bool {
        false
    }

    fn check(&self, _: &Usage) -> Result<(), String> {
        Ok(())
    }

    fn rows(&self, repetition: &Repetition, source: Source) -> Result<Rows, FitError> {
        let Source::Simulated(problem) = source else { return Err(wrong_source()) };
        let drawn = repetition.draw(problem);
        let (noise, truth) = (drawn.noise, drawn.truth);
        Ok(Rows { all: drawn.test.clone(), train: drawn.train, test: drawn.test, noise, truth })
    }
}

//! Change the step size over the epochs.

use crate::parameter::Such;
use serde::{Deserialize, Serialize};

/// How the step size changes over the epochs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Not at all.
    #[default]
    Constant,
    /// From α in the first epoch towards zero after the last one: α (1 + cos(π e / E)) / 2.
    Cosine,
    /// Multiplied by `factor` after every `epochs` epochs.
    StepDecay {
        /// Epochs between two changes.
        epochs: usize,
        /// The factor, 0 to 1.
        factor: f64,
    },
}

impl Schedule {
    /// The schedules that a method accepts.
    pub const ALLOWED: Such<Self> = Such(
        "\"constant\", \"cosine\" or { step-decay = { epochs, factor } } with epochs from 1 to \
         1000000 and a factor from 0 to 1",
        |schedule| match schedule {
            Self::Constant | Self::Cosine => true,
            Self::StepDecay { epochs, factor } => {
                (1..=1_000_000).contains(epochs) && (0.0..=1.0).contains(factor)
            }
        },
    );

    /// The factor of the step size in `epoch` (from 0) of `epochs`.
    pub fn factor(self, epoch: usize, epochs: usize) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::Cosine => {
                0.5 * (1.0 + (std::f64::consts::PI * epoch as f64 / epochs.max(1) as f64).cos())
            }
            Self::StepDecay { epochs, factor } => factor.powi((epoch / epochs.max(1)) as i32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_start_at_one() {
        let decay = Schedule::StepDecay { epochs: 10, factor: 0.1 };
        for schedule in [Schedule::Constant, Schedule::Cosine, decay] {
            assert_eq!(schedule.factor(0, 40), 1.0);
        }
        assert!((Schedule::Cosine.factor(20, 40) - 0.5).abs() < 1e-15);
        assert!((decay.factor(29, 40) - 0.01).abs() < 1e-15);
    }
}

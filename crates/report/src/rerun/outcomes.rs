//! Hold what became of trials that ran again, and of verdicts that rest on them.

use uqbench_run::runner::rerun::compare::Grade;

/// What became of a drawn trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// It ran.
    Ran(Grade),
    /// It did not finish, for this reason, and is not verified.
    Unfinished(String),
}

/// A verdict that is another one with the trials as they ran here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedVerdict {
    /// The benchmark.
    pub benchmark: String,
    /// The printed number or claim.
    pub what: String,
    /// The verdict by the pack.
    pub stored: String,
    /// The verdict with the trials that ran here.
    pub here: String,
}

/// Counts of drawn trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Of each grade: equal bytes, equal numbers or scores, within the tolerance, different.
    pub grades: [usize; 4],
    /// Not finished.
    pub unfinished: usize,
}

impl Counts {
    /// Counts one more trial.
    pub fn add(&mut self, fate: &Fate) {
        match fate {
            Fate::Unfinished(_) => self.unfinished += 1,
            Fate::Ran(grade) => {
                let place = match grade {
                    Grade::EqualBytes => 0,
                    Grade::EqualNumbers(_) => 1,
                    Grade::Within { .. } => 2,
                    Grade::Different(_) => 3,
                };
                self.grades[place] += 1;
            }
        }
    }

    /// Trials that ran again.
    pub fn ran(&self) -> usize {
        self.grades.iter().sum()
    }

    /// Trials that differ.
    pub fn different(&self) -> usize {
        self.grades[3]
    }
}

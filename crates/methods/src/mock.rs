//! Misbehave on demand, so that the runner's tests need no real model.
//!
//! The prediction is the training mean, one atom in each row; before that it sleeps, panics,
//! diverges or returns NaN as requested. Registered under `mock`, which `uqbench list` does not
//! show.

use std::time::Duration;

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use crate::entry::{Entry, read};
use crate::parameter::{Choices, defaults, parameters};
use crate::state::{self, Restored, StateError};
use crate::{Context, FitError, Fitted, Method, Reading, Request};
use uq_core::Table;
use uq_core::predictive::{Atoms, Form, Predictive};

/// The behaviour of the mock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Behaviour {
    /// Predicts the training mean.
    #[default]
    Answer,
    /// Panics in the fit.
    Panic,
    /// Ends the whole process.
    Abort,
    /// Returns that it diverged.
    Diverge,
    /// Returns that it does not handle the problem.
    Unsupported,
    /// Predicts NaN.
    Nan,
    /// Never returns, and ignores its deadline.
    Hang,
    /// Allocates more memory than there is.
    Hoard,
    /// Allocates as many MiB of memory as its tag says, frees them, and predicts.
    Large,
    /// Ends the whole process with a success code.
    Exit,
    /// Calls itself until the stack is full.
    Overflow,
    /// Starts another process, and never returns.
    Nest,
    /// Panics in one of several tasks of a thread pool inside the fit; the pool passes the panic
    /// on.
    PanicInPool,
    /// Panics in a task that nobody waits for, which ends the whole process.
    PanicAlone,
}

parameters! {
    /// The method and its parameters in one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Mock {
        /// Its behaviour.
        behaviour: Behaviour = Behaviour::Answer, in Choices;
        /// Milliseconds to sleep first.
        sleep_ms: u64 = 0, in 0..;
        /// Distinguishes trials.
        tag: u64 = 0, in 0..;
    }
}

impl Mock {
    /// Its entry in the registry.
    pub const ENTRY: Entry = Entry {
        id: "mock",
        title: "misbehaves on demand, for tests",
        tried: None,
        parameters: defaults::<Self>,
        build: |given, _| Ok(Box::new(read::<Self>(given)?)),
    };
}

struct FittedMock {
    answer: f64,
}

impl Method for Mock {
    fn id(&self) -> &'static str {
        "mock"
    }

    fn version(&self) -> u32 {
        1
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!(self)
    }

    fn restore(&self, state: &[u8]) -> Restored {
        Ok(Box::new(FittedMock { answer: state::read(Self::ENTRY.id, state)? }))
    }

    #[allow(clippy::panic)] // panicking is its purpose
    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        for _ in 0..self.sleep_ms {
            std::thread::sleep(Duration::from_millis(1));
            context.checkpoint()?;
        }
        let mean = train.target.mean().unwrap_or(f64::NAN);
        match self.behaviour {
            Behaviour::Answer => Ok(Box::new(FittedMock { answer: mean })),
            Behaviour::Panic => panic!("the mock panics as told"),
            Behaviour::Abort => std::process::abort(),
            Behaviour::Diverge => Err(FitError::Diverged("the mock diverges as told".into())),
            Behaviour::Unsupported => Err(FitError::Unsupported("the mock refuses as told".into())),
            Behaviour::Nan => Ok(Box::new(FittedMock { answer: f64::NAN })),
            Behaviour::Hang => loop {
                std::thread::sleep(Duration::from_millis(50));
            },
            Behaviour::Large => {
                std::hint::black_box(vec![1_u8; (self.tag as usize) << 20]);
                Ok(Box::new(FittedMock { answer: mean }))
            }
            Behaviour::Exit => std::process::exit(0),
            Behaviour::Overflow => Ok(Box::new(FittedMock { answer: deep(mean) })),
            Behaviour::Nest => {
                let _child = std::process::Command::new("sleep").arg("3600").spawn();
                loop {
                    std::thread::sleep(Duration::from_millis(50));
                }
            }
            Behaviour::PanicInPool => {
                rayon::scope(|scope| {
                    for task in 0..8 {
                        scope.spawn(move |_| {
                            assert!(task != 3, "the mock panics in a pool as told")
                        });
                    }
                });
                Ok(Box::new(FittedMock { answer: mean }))
            }
            Behaviour::PanicAlone => {
                rayon::spawn(|| panic!("the mock panics alone as told"));
                loop {
                    std::thread::sleep(Duration::from_millis(50));
                }
            }
            Behaviour::Hoard => {
                let mut hoard: Vec<Vec<u8>> = Vec::new();
                loop {
                    hoard.push(vec![1; 64 << 20]);
                    context.checkpoint()?;
                }
            }
        }
    }
}

/// Never returns: each call keeps a part of the stack.
#[allow(unconditional_recursion, reason = "running out of stack is its purpose")]
fn deep(x: f64) -> f64 {
    let kept = std::hint::black_box([x; 512]);
    deep(kept[7] + 1.0) + std::hint::black_box(kept)[11]
}

impl Fitted for FittedMock {
    fn state(&self) -> Result<Vec<u8>, StateError> {
        state::write(Mock::ENTRY.id, &self.answer)
    }

    fn predict(
        &self,
        _: &Reading,
        x: ArrayView2<f64>,
        _: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let (values, weights) =
            (Array2::from_elem((x.nrows(), 1), self.answer), Array2::ones((1, 1)));
        Ok(Predictive { form: Form::Atoms(Atoms { values, weights }), split: None })
    }
}

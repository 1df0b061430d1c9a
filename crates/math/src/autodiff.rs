//! Differentiate a number that is computed from matrices, in reverse, on a tape whose memory is
//! reused.
//!
//! A [`Tape`] records operations on row-major f64 matrices as they are computed; [`Tape::backward`]
//! walks them back and writes the gradient of a 1 × 1 result to a flat slice. Parameters live
//! outside the tape, so that optimisers work on slices:
//!
//! ```
//! use uq_math::autodiff::{Activation, Tape};
//!
//! let (theta, mut gradient) = (vec![0.5, -1.0, 0.1], vec![0.0; 3]);
//! let mut tape = Tape::new();
//! for _step in 0..2 {
//!     tape.reset();
//!     let x = tape.constant(2, 2, &[1.0, 2.0, 3.0, 4.0]);
//!     let y = tape.constant(2, 1, &[0.0, 1.0]);
//!     let weights = tape.parameter(&theta, 0, 2, 1);
//!     let bias = tape.parameter(&theta, 2, 1, 1);
//!     let mean = tape.dense(x, weights, bias, Activation::Identity);
//!     let loss = tape.squared_error(mean, y);
//!     let loss = tape.mean(loss);
//!     tape.backward(loss, &mut gradient);
//! }
//! assert!((gradient[2] + 4.8).abs() < 1e-12);
//! ```
//!
//! A shape that does not fit is a fault of the program, not of the data: operations panic on it.
//!
//! # References
//! A. Griewank, A. Walther: *Evaluating Derivatives*, 2nd ed., SIAM, 2008, chapter 3.

mod activation;
mod backward;
mod binary;
mod columns;
mod dense;
mod distances;
mod elementwise;
mod factorisation;
mod leaves;
mod op;
mod pointwise;
mod product;
mod reductions;
mod tape;

#[cfg(test)]
mod tests;

pub use activation::{Activation, Bend, Bent};
pub use dense::dense_layer;
pub use factorisation::NotPositiveDefinite;
pub use op::Var;
pub use tape::Tape;

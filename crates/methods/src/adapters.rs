//! Learners of other crates behind the [`Method`](crate::Method) trait.

pub mod linfa;
mod references;
pub mod smartcore;

pub use references::PUBLICATIONS;

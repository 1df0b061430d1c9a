//! Learners of other crates behind the [`Method`](crate::methods::Method) trait.

pub mod linfa;
pub mod smartcore;

//! Learners of other crates behind the [`Method`](crate::methods::Method) trait.

pub mod smartcore;
pub mod smartcore_forest;

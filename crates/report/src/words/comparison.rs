//! Put comparisons of methods, and of two stores, into words.

pub mod across;
pub mod datasets;
pub mod failures;
pub mod methods;
pub mod stores;
pub mod summary;

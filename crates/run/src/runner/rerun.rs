//! Run trials of a pack again: which ones, and whether they give the same.
//!
//! [`draw`] chooses trials at random by a published rule before any of them runs. [`compare`]
//! grades each trial that ran again beside the stored one.

pub mod compare;
pub mod draw;

#[cfg(test)]
mod tests;

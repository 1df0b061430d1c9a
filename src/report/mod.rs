//! Render what the trials say: figures from plain numbers.

pub mod figures;

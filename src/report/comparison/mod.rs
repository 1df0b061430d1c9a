//! Compare methods over overlapping splits of one dataset, and over datasets.
//!
//! On one dataset the splits share training rows, so their differences are not independent: [`corrected`] widens the
//! interval of their mean and weighs it against a region of practical equivalence. Over datasets the scores have no
//! common unit, so only their order within a dataset counts: [`ranks`] for several methods, [`signed_rank`] for two.
//! [`power`] says beforehand when a design can find nothing.

pub mod corrected;
pub mod power;
pub mod ranks;
pub mod signed_rank;

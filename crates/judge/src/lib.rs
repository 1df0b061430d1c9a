//! What stored trials show, and every verdict on a printed number or claim.
//!
//! [`evidence`] reads what a store holds on a plan. [`judgement`] decides every verdict.
//! [`audit_table`] checks what a printed table says of itself. [`watch`] judges predictions by what
//! came true since. [`figures`] gathers what figures show. [`report`] ends in one value, of which pages are made and
//! which is written as JSON.

pub mod audit_table;
pub mod evidence;
pub mod figures;
pub mod judgement;
pub mod report;
pub mod watch;

//! Tests of whole figures.

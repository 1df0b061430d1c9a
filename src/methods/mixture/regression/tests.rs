//! Mixture regression on tables, good and bad.

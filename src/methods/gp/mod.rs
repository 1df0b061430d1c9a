//! Put a Gaussian process prior on the function behind the target.

mod inducing;

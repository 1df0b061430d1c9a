//! Boost the parameters of a distribution by natural gradients (NGBoost).
//!
//! The target has a distribution with location μ and scale σ, both functions of the features; θ =
//! (μ, ln σ). Every round fits one tree to each component of the natural gradient of the negative
//! log-likelihood ℓ at the training rows,
//!
//! ```text
//! ∇̃ = I(θ)⁻¹ ∇ℓ,   f(x) the mean ∇̃ of the leaf of x,   θ(x) ← θ(x) − η ρ f(x),
//! ```
//!
//! where I is the Fisher information and ρ a power of two: beginning at 1, it is doubled while the
//! mean loss is at most the last one, then halved until the loss is less than it. Rounds begin at
//! the distribution of all targets.
//!
//! ```text
//! normal      ∇̃_μ = μ − y                   ∇̃_ln σ = (1 − z²)/2                    z = (y − μ)/σ
//! Student t   ∇̃_μ = −σ z (ν + 3)/(ν + z²)        ∇̃_ln σ = (1 − (ν + 1) z²/(ν + z²)) (ν + 3)/(2ν)
//! log-normal  that of ln y is normal
//! ```
//!
//! As in the paper's experiments, the number of rounds is the one of the lowest loss on held-out
//! training rows, of several divisions where the table is small ([`Rounds`](super::Rounds)), and
//! the model is fitted once more to all training rows with it. A missing value (NaN) of a feature
//! takes the side of a split that fits better.
//!
//! The prediction is a normal or a Student-t distribution; that of a log-normal one is its exact
//! quantiles, as no form of density exists for it here. The variance of the normal is aleatoric:
//! the method defines no epistemic one.
//!
//! *Departures* from the package `ngboost` 0.5: features are divided into at most 255 bins; a step
//! that moves the parameters by more than 5 on average is not refused in the data's units, but in
//! those of the targets' scale; search and second fit are part of the method. The rate, the trees'
//! depth of 3 and leaves of one row are the package's; all rows and features are used by default.
//!
//! # References
//! T. Duan, A. Avati, D. Y. Ding, K. K. Thai, S. Basu, A. Ng, A. Schuler: *NGBoost: natural
//! gradient boosting for probabilistic prediction*, ICML 2020, Algorithm 1; K. L. Lange, R. J. A.
//! Little, J. M. G. Taylor: *Robust statistical modeling using the t distribution*, JASA 84, 1989
//! (the t distribution's Fisher information and its start).

mod family;
mod ngboost;

pub use family::Family;
pub use ngboost::{NgBoost, NgBoostParameters};

//! Step down a noisy gradient with Adam.
//!
//! ```text
//! m_t = β₁ m_{t−1} + (1 − β₁) g_t                                              (1)
//! v_t = β₂ v_{t−1} + (1 − β₂) g_t²                                             (2)
//! θ_t = θ_{t−1} − α_t [ m̂_t / (√v̂_t + ε) + λ θ_{t−1} ],                        (3)
//!       m̂_t = m_t / (1 − β₁ᵗ),  v̂_t = v_t / (1 − β₂ᵗ)
//! ```
//!
//! (1) to (3) with λ = 0 are Algorithm 1 of Kingma & Ba; λ is the decoupled weight decay of
//! Loshchilov & Hutter.
//!
//! # References
//! D. P. Kingma, J. Ba: *Adam: a method for stochastic optimization*, ICLR 2015, Algorithm 1.
//! I. Loshchilov, F. Hutter: *Decoupled weight decay regularization*, ICLR 2019, Algorithm 2.

use faer::traits::pulp::{Arch, Simd, WithSimd};
use serde::{Deserialize, Serialize};

/// Settings of Adam; the defaults are those of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdamSettings {
    /// Step size α.
    pub learning_rate: f64,
    /// β₁.
    pub beta1: f64,
    /// β₂.
    pub beta2: f64,
    /// ε.
    pub epsilon: f64,
    /// Decoupled weight decay λ, on all parameters.
    pub weight_decay: f64,
}

impl Default for AdamSettings {
    fn default() -> Self {
        Self { learning_rate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.0 }
    }
}

/// Adam's memory of the gradients.
#[derive(Clone, Debug)]
pub struct Adam {
    settings: AdamSettings,
    first: Vec<f64>,
    second: Vec<f64>,
    /// β₁ᵗ and β₂ᵗ.
    decayed: (f64, f64),
}

impl Adam {
    /// The state of Adam for this number of parameters, before its first step.
    pub fn new(settings: AdamSettings, parameters: usize) -> Self {
        Self {
            settings,
            first: vec![0.0; parameters],
            second: vec![0.0; parameters],
            decayed: (1.0, 1.0),
        }
    }

    /// Moves the parameters by one step of size α · `factor`.
    ///
    /// # Panics
    /// If there are more or fewer parameters than gradients.
    pub fn step(&mut self, parameters: &mut [f64], gradient: &[f64], factor: f64) {
        assert_eq!(
            (parameters.len(), gradient.len()),
            (self.first.len(), self.first.len()),
            "a gradient each"
        );
        let AdamSettings { learning_rate, beta1, beta2, .. } = self.settings;
        self.decayed = (self.decayed.0 * beta1, self.decayed.1 * beta2);
        Arch::new().dispatch(Step {
            settings: self.settings,
            rate: learning_rate * factor,
            unbias: (1.0 / (1.0 - self.decayed.0), 1.0 / (1.0 - self.decayed.1)),
            parameters,
            gradient,
            first: &mut self.first,
            second: &mut self.second,
        });
    }
}

struct Step<'a> {
    settings: AdamSettings,
    rate: f64,
    unbias: (f64, f64),
    parameters: &'a mut [f64],
    gradient: &'a [f64],
    first: &'a mut [f64],
    second: &'a mut [f64],
}

impl WithSimd for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self {
            settings: AdamSettings { beta1, beta2, epsilon, weight_decay, .. },
            rate,
            unbias,
            ..
        } = self;
        let moments = self.first.iter_mut().zip(self.second);
        for ((theta, g), (m, v)) in self.parameters.iter_mut().zip(self.gradient).zip(moments) {
            *m = beta1 * *m + (1.0 - beta1) * g; // (1)
            *v = beta2 * *v + (1.0 - beta2) * (g * g); // (2)
            let direction = *m * unbias.0 / ((*v * unbias.1).sqrt() + epsilon);
            *theta -= rate * (direction + weight_decay * *theta); // (3)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_steps_agree_with_the_algorithm_by_hand() {
        let settings = AdamSettings { learning_rate: 0.1, weight_decay: 0.5, ..Default::default() };
        let mut adam = Adam::new(settings, 1);
        let mut theta = [2.0];
        adam.step(&mut theta, &[4.0], 1.0);
        // After one step m̂ = g and v̂ = g²: the direction is the sign.
        let first = 2.0 - 0.1 * (4.0 / (4.0 + 1e-8) + 0.5 * 2.0);
        assert!((theta[0] - first).abs() < 1e-14);
        adam.step(&mut theta, &[-1.0], 0.5);
        let m = (0.9 * 0.4 - 0.1) / (1.0 - 0.81);
        let v: f64 = (0.999 * 0.016 + 0.001) / (1.0 - 0.999 * 0.999);
        let second = first - 0.05 * (m / (v.sqrt() + 1e-8) + 0.5 * first);
        assert!((theta[0] - second).abs() < 1e-12, "{} against {second}", theta[0]);
    }

    #[test]
    fn a_parabola_is_descended() {
        let mut adam = Adam::new(AdamSettings { learning_rate: 0.05, ..Default::default() }, 2);
        let mut theta = [3.0, -1.0];
        for step in 0..2000 {
            let gradient = [2.0 * (theta[0] - 1.0), 20.0 * theta[1]];
            adam.step(
                &mut theta,
                &gradient,
                0.5 * (1.0 + (std::f64::consts::PI * f64::from(step) / 2000.0).cos()),
            );
        }
        assert!((theta[0] - 1.0).abs() < 1e-6 && theta[1].abs() < 1e-6, "{theta:?}");
    }
}

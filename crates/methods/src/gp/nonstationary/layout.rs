//! Define the place of each parameter of the model in the vector that is optimised.

use serde::{Deserialize, Serialize};

use super::{LatentValues, NonstationaryGpParameters};

/// The place of one hyper-function's parameters, all on the log scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Function {
    /// A learned constant ln h.
    Constant(usize),
    /// A latent Gaussian process.
    Latent {
        /// μ_h.
        mean: usize,
        /// ln ℓ_h and ln v_h of the latent kernel, where they are learned.
        kernel: Option<(usize, usize)>,
        /// The first of the M whitened values γ_h.
        white: usize,
    },
}

/// The place of each parameter: the constant mean, the inducing inputs, then function by function
/// ℓ_1 … ℓ_D, σ, ω.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Layout {
    /// Inputs, D.
    pub dims: usize,
    /// Inducing inputs, M.
    pub inducing: usize,
    /// The first of the M × D learned inducing inputs.
    pub inputs: Option<usize>,
    /// ℓ_1 … ℓ_D, σ, ω.
    pub functions: Vec<Function>,
    /// Parameters in all.
    pub len: usize,
}

/// The place of the constant mean.
pub(super) const MEAN: usize = 0;

impl Layout {
    /// The layout for `n` rows of `dims` inputs.
    pub fn new(parameters: &NonstationaryGpParameters, n: usize, dims: usize) -> Self {
        let NonstationaryGpParameters { length_scale, signal, noise, latent_values, .. } =
            *parameters;
        let learned = latent_values == LatentValues::Inducing;
        let inducing = if learned { parameters.inducing } else { n };
        let mut len = 1;
        let mut take = |count: usize| {
            len += count;
            len - count
        };
        let inputs = (learned && (length_scale || signal || noise)).then(|| take(inducing * dims));
        let varies = std::iter::repeat_n(length_scale, dims).chain([signal, noise]);
        let functions = varies
            .map(|varies| {
                if !varies {
                    return Function::Constant(take(1));
                }
                let mean = take(1);
                let kernel = learned.then(|| (take(1), take(1)));
                Function::Latent { mean, kernel, white: take(inducing) }
            })
            .collect();
        Self { dims, inducing, inputs, functions, len }
    }

    /// The same places with a constant σ.
    pub fn without_signal(&self) -> Self {
        let mut functions = self.functions.clone();
        let (Function::Constant(mean) | Function::Latent { mean, .. }) = functions[self.dims];
        functions[self.dims] = Function::Constant(mean);
        Self { functions, ..self.clone() }
    }

    /// σ as the only function.
    pub fn signal_alone(&self) -> Self {
        Self { functions: vec![self.functions[self.dims]], ..self.clone() }
    }

    /// The functions that vary, by their place among ℓ_1 … ℓ_D, σ, ω.
    pub fn latent(&self) -> impl Iterator<Item = (usize, Function)> + '_ {
        self.functions
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, function)| matches!(function, Function::Latent { .. }))
    }
}

//! Pass normal weights through a network row by row and update them by moments: probabilistic
//! backpropagation.
//!
//! ```text
//! a = W z / √(V + 1),  y = a_L + ε,  ε ~ N(0, 1/γ),  w ~ N(0, 1/λ),  γ, λ ~ Gamma(6, 6)        (1)
//! m_a = Σ m_w m_z / √(V + 1)                                                                   (2)
//! v_a = Σ (m_w² v_z + v_w m_z² + v_w v_z) / (V + 1)                                            (3)
//! ln Z = ln N(y | m_L, v_L + β/(α − 1)),  ln Z₁: β/α,  ln Z₂: β/(α + 1) in place of β/(α − 1)  (4)
//! m_w ← m_w + v_w ∂ln Z/∂m_w                                                                   (5)
//! v_w ← v_w − v_w² [(∂ln Z/∂m_w)² − 2 ∂ln Z/∂v_w]                                              (6)
//! α ← 1 / (Z₂ Z / Z₁² (α + 1)/α − 1)                                                           (7)
//! β ← 1 / (Z₂ / Z₁ (α + 1)/β − Z₁/Z α/β)                                                       (8)
//! z = max(a, 0), a ~ N(m, v), r = m/√v:  m_z = √v h,  v_z = v (Φ(r) − h k)                     (9)
//!     h = r Φ(r) + φ(r),  k = φ(r) − r Φ(−r)
//! ```
//!
//! Each of `epochs` epochs does (2) to (8) for each row in random order: assumed density filtering,
//! in which repeated rows count as new ones. A layer has V inputs and a constant one; the means
//! start as draws from N(0, 1/(V + 1)), the variances at β/(α − 1) of the prior. A variance that
//! (6) would make zero or negative, or that would not be finite, stays as it is, and its mean with
//! it. After each epoch the factors N(w | 0, 1/λ) are refined once by expectation propagation, as
//! in the authors' code: the weight's normal is divided by its factor's, and λ's gamma by its
//! share. If the quotients are proper (and the variance below 10⁶), the factor gets the precision
//! (α − 1)/β of λ's quotient, and (7), (8) update λ with w as the residual.
//!
//! Target and features are standardised on the training rows; a feature that is constant in them is
//! left out. The prediction is normal with mean m_L and variance v_L + β/(α − 1): the second term
//! is aleatoric, the first epistemic.
//!
//! *Departures:* One hidden layer. The rectified moments are those of the paper in the form (9),
//! which is well-conditioned, so that the authors' expansion for r < −30 is not needed; (8) is
//! written as α' Z/Z₁ β/α. Where Z > e Z₁, an outlier for which the plug-in (8) would multiply β by
//! up to e^1000, γ gets the exact update of a row whose mean is known, α + ½ and β + ½ (y − m_L)²;
//! an update to α ≤ 1, β ≤ 0 or numbers that are not finite is not made. Priors are refined in the
//! order of inputs, then units. There is no validation part and nothing is searched, as in the
//! paper. Equation numbers are this file's; (5) and (6) are also the paper's.
//!
//! # References
//! J. M. Hernández-Lobato, R. P. Adams: *Probabilistic backpropagation for scalable learning of
//! Bayesian neural networks*, ICML 2015; code: github.com/HIPS/Probabilistic-Backpropagation
//! (`c/`).

mod gamma;
mod network;

use ndarray::{Array1, ArrayView2};
use serde::{Deserialize, Serialize};

use self::network::Network;
use crate::engine::scales::{Scales, standardise};
use crate::engine::standardised::{Standardised, StandardisedModel};
use crate::entry::{DEFAULTS, Tried, layer};
use crate::parameter::parameters;
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, Request, Restored, SideTable,
};
use uq_core::Table;
use uq_core::math::random::shuffle_prefix;
use uq_core::predictive::{Form, Gaussian, Predictive, Split};

const ID: &str = "pbp";

/// Rows between two checks of the deadline.
const BLOCK: usize = 128;

parameters! {
    /// Parameters of the network.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PbpParameters {
        /// Hidden units, with ReLU (the paper: 100 for protein).
        hidden: usize = 50, in 1..=10_000;
        /// Passes over the rows.
        epochs: usize = 40, in 1..=100_000;
    }
}

/// Probabilistic backpropagation as a method.
pub type Pbp = Configured<PbpParameters>;

impl MethodParameters for PbpParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str = "Bayesian neural network by probabilistic backpropagation";
    const TRIED: Option<Tried> = Some(Tried {
        settings: "Bayesian network of 50 hidden units, 40 passes of probabilistic backpropagation",
        cost: |n, d| 8e-5 * layer(n, d),
        parameters: DEFAULTS,
    });
    const VERSION: u32 = 1;

    fn restore(&self, state: &[u8]) -> Restored {
        Standardised::<PbpModel>::restored(state)
    }

    fn fit(&self, train_rows: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let PbpParameters { hidden, epochs } = *self;
        let (scales, x, y) = standardise(ID, train_rows, context)?;
        let (x, y) = (x.as_standard_layout(), y.column(0).to_vec());
        let rows = x.as_slice().unwrap_or_default();
        let mut network = Network::new(x.ncols(), hidden, &mut context.stream("start", 0));
        let mut order: Vec<usize> = (0..y.len()).collect();
        let mut trace = Trace::default();
        for epoch in 0..epochs {
            shuffle_prefix(&mut order, y.len(), &mut context.stream("order", epoch as u64));
            for block in order.chunks(BLOCK) {
                context.checkpoint()?;
                network.learn(rows, &y, block);
            }
            network.refine_prior();
            if !network.is_finite() {
                return Err(FitError::Diverged(format!(
                    "{ID}: weights are not finite in epoch {epoch}; look for extreme values in the \
                     table"
                )));
            }
            trace.noise.push(network.noise.plug_in_variance());
            trace.prior.push(network.prior.plug_in_variance());
        }
        Ok(Box::new(Standardised { scales, model: PbpModel { network, trace } }))
    }
}

/// The state after each epoch.
#[derive(Default, Serialize, Deserialize)]
struct Trace {
    /// β/(α − 1) of the noise, in standardised units.
    noise: Vec<f64>,
    /// β/(α − 1) of the weights.
    prior: Vec<f64>,
}

/// A trained network.
#[derive(Serialize, Deserialize)]
struct PbpModel {
    network: Network,
    trace: Trace,
}

impl StandardisedModel for PbpModel {
    const ID: &'static str = ID;

    fn check(&self, features: usize) -> Result<(), String> {
        self.network.check(features)
    }

    fn answer(
        &self,
        x: ArrayView2<f64>,
        request: &Request,
        context: &Context,
    ) -> Result<Predictive, FitError> {
        let x = x.as_standard_layout();
        let rows = x.as_slice().unwrap_or_default();
        let (mut means, mut doubts) = (vec![0.0; x.nrows()], vec![0.0; x.nrows()]);
        let blocks = means.chunks_mut(BLOCK).zip(doubts.chunks_mut(BLOCK));
        for (block, (means, doubts)) in blocks.enumerate() {
            context.checkpoint()?;
            let from = block * BLOCK * x.ncols();
            self.network.outputs(&rows[from..from + means.len() * x.ncols()], means, doubts);
        }
        let noise = self.network.noise.plug_in_variance();
        let (mean, doubt) = (Array1::from(means), Array1::from(doubts));
        let variance = &doubt + noise;
        let split = request.split.then(|| Split {
            aleatoric: Some(Array1::from_elem(mean.len(), noise)),
            epistemic: Some(doubt),
        });
        Ok(Predictive { form: Form::Gaussian(Gaussian { mean, variance }), split })
    }

    fn side_tables(&self, _: &Scales) -> Vec<SideTable> {
        let epochs = (0..self.trace.noise.len()).map(|e| e as f64).collect();
        let columns = vec![
            ("epoch".into(), epochs),
            ("noise_variance".into(), self.trace.noise.clone()),
            ("prior_variance".into(), self.trace.prior.clone()),
        ];
        vec![SideTable { name: "trace".into(), columns }]
    }
}

#[cfg(test)]
mod tests;

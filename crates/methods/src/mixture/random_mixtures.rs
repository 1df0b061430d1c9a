//! Draw random normal mixtures, and compare two closed forms with their entropies: an experiment,
//! not a model of the data.
//!
//! Each fit draws `mixtures` mixtures of each number of components and each spread: weights
//! proportional to U(0.02, 1), means U(−spread, spread), standard deviations U(0.3, 1.5). The
//! entropy H = −∫ p ln p is integrated by the trapezoidal rule, which converges faster than any
//! power for such functions. The side table `entropy-bounds` has one row: the share of the mixtures
//! in which Eq. (19) is at most H, that in which Eq. (20) is at least H (JCM, Theorem 1;
//! [`super::entropy`]), and their number. One counterexample refutes a theorem about every mixture.
//! The side table `entropy-gaps` has a row for each mixture: its number of `components`, its
//! `spread`, and H less (19) and H less (20) in nat, `pairwise` and `component_average`.
//!
//! The prediction at every row is the first mixture that was drawn: it depends neither on features
//! nor on the target.

use ndarray::{Array2, ArrayView2, Axis};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::entropy::EntropyBounds;
use crate::engine::own_units::{OwnUnits, OwnUnitsModel};
use crate::entry::Tried;
use crate::parameter::parameters;
use crate::state::require;
use crate::{
    Configured, Context, FitError, Fitted, MethodParameters, Request, Restored, SideTable,
};
use uq_core::Table;
use uq_core::math::random::Rng;
use uq_core::predictive::{Distribution, Form, Mixture, Predictive};

const ID: &str = "random-mixtures";

/// Error of a bound that rounding may cause, in nats.
const SLACK: f64 = 1e-9;

parameters! {
    /// Parameters of the experiment.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RandomMixturesParameters {
        /// Mixtures of each number of components and each spread.
        mixtures: usize = 4, in 1..=10_000;
    }
}

/// Numbers of components and spreads of the means: few and many, near together and far apart.
const KINDS: [(usize, f64); 6] = [(2, 1.0), (2, 10.0), (3, 1.0), (3, 10.0), (8, 1.0), (8, 10.0)];

/// The experiment as a method.
pub type RandomMixtures = Configured<RandomMixturesParameters>;

impl MethodParameters for RandomMixturesParameters {
    const ID: &'static str = ID;
    const TITLE: &'static str =
        "random normal mixtures, for claims about their entropy: no model of the data";
    const TRIED: Option<Tried> = None;
    const VERSION: u32 = 2;

    fn restore(&self, state: &[u8]) -> Restored {
        OwnUnits::<Drawn>::restored(state)
    }

    fn fit(&self, train: &Table, context: &Context) -> Result<Box<dyn Fitted>, FitError> {
        let mut gaps = Vec::new();
        let mut first = None;
        for (kind, (components, spread)) in KINDS.into_iter().enumerate() {
            context.checkpoint()?;
            let mut rng = context.stream("mixtures", kind as u64);
            let drawn = random(self.mixtures, components, spread, &mut rng);
            gaps.extend((0..self.mixtures).filter_map(|i| Gap::of(&drawn, i, spread)));
            first.get_or_insert(drawn);
        }
        let first =
            first.ok_or_else(|| FitError::Unsupported(format!("{ID} has no kinds of mixtures")))?;
        Ok(Box::new(OwnUnits { columns: train.columns(), model: Drawn { first, gaps } }))
    }
}

/// How far the entropy of a mixture is above each closed form, in nat.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Gap {
    components: usize,
    spread: f64,
    /// H less (19), which is not negative where (19) is a lower bound.
    pairwise: f64,
    /// H less (20), which is not positive where (20) is an upper bound.
    component_average: f64,
}

impl Gap {
    /// Of mixture `i`, the one in this row; `None` where a density underflows everywhere.
    fn of(mixtures: &Mixture, i: usize, spread: f64) -> Option<Self> {
        let (entropy, bounds) = (entropy(mixtures, i)?, EntropyBounds::bound(mixtures, i)?);
        let components = mixtures.means.ncols();
        let (pairwise, component_average) =
            (entropy - bounds.pairwise, entropy - bounds.component_average);
        Some(Self { components, spread, pairwise, component_average })
    }
}

/// The first mixtures, and the gaps of all of them.
#[derive(Serialize, Deserialize)]
struct Drawn {
    first: Mixture,
    gaps: Vec<Gap>,
}

impl OwnUnitsModel for Drawn {
    const ID: &'static str = ID;

    fn check(&self, _: usize) -> Result<(), String> {
        let Mixture { weights, means, variances } = &self.first;
        let (rows, components) = means.dim();
        let fits = weights.dim() == means.dim() && variances.dim() == means.dim();
        require(rows > 0 && components > 0 && fits, "mixtures without their numbers")
    }

    fn answer(
        &self,
        features: ArrayView2<f64>,
        _: &Request,
        _: &Context,
    ) -> Result<Predictive, FitError> {
        let k = self.first.means.ncols();
        let everywhere = |from: &Array2<f64>| {
            Array2::from_shape_fn((features.nrows(), k), |(_, c)| from[(0, c)])
        };
        let weights = self.first.weights.row(0).to_owned().insert_axis(Axis(0));
        let (means, variances) = (everywhere(&self.first.means), everywhere(&self.first.variances));
        Ok(Predictive::new(Form::Mixture(Mixture { weights, means, variances })))
    }

    fn side_tables(&self) -> Vec<SideTable> {
        let share = |holds: fn(&Gap) -> bool| {
            vec![self.gaps.iter().filter(|gap| holds(gap)).count() as f64 / self.gaps.len() as f64]
        };
        let bounds = vec![
            ("mixtures".into(), vec![self.gaps.len() as f64]),
            ("pairwise_holds".into(), share(|gap| gap.pairwise >= -SLACK)), // (19)
            ("component_average_holds".into(), share(|gap| gap.component_average <= SLACK)), // (20)
        ];
        let each = |of: fn(&Gap) -> f64| self.gaps.iter().map(of).collect::<Vec<_>>();
        let gaps = vec![
            ("components".into(), each(|gap| gap.components as f64)),
            ("spread".into(), each(|gap| gap.spread)),
            ("pairwise".into(), each(|gap| gap.pairwise)),
            ("component_average".into(), each(|gap| gap.component_average)),
        ];
        vec![
            SideTable { name: "entropy-bounds".into(), columns: bounds },
            SideTable { name: "entropy-gaps".into(), columns: gaps },
        ]
    }
}

/// This number of mixtures with means within ±`spread` and standard deviations from 0.3 to 1.5.
fn random(count: usize, components: usize, spread: f64, rng: &mut Rng) -> Mixture {
    let shape = (count, components);
    let mut weights = Array2::from_shape_simple_fn(shape, || rng.random_range(0.02..1.0));
    for mut row in weights.rows_mut() {
        let sum = row.sum();
        row /= sum;
    }
    let means = Array2::from_shape_simple_fn(shape, || rng.random_range(-spread..spread));
    let variances = Array2::from_shape_simple_fn(shape, || rng.random_range(0.3_f64..1.5).powi(2));
    Mixture { weights, means, variances }
}

/// −∫ p ln p of mixture `i` by the trapezoidal rule.
fn entropy(mixture: &Mixture, i: usize) -> Option<f64> {
    let (means, sds) = (mixture.means.row(i), mixture.variances.row(i).mapv(f64::sqrt));
    let widest = sds.iter().copied().fold(0.0, f64::max);
    let low = means.iter().copied().fold(f64::INFINITY, f64::min) - 12.0 * widest;
    let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max) + 12.0 * widest;
    let width = 0.05 * sds.iter().copied().fold(f64::INFINITY, f64::min);
    let steps = ((high - low) / width) as usize;
    let term = |step: usize| {
        let log_density = mixture.log_density(i, low + width * step as f64)?;
        Some(-log_density.exp() * log_density)
    };
    let sum: Option<f64> = (0..=steps).map(term).sum();
    Some(width * sum?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Method, Reading};
    use ndarray::array;
    use uq_core::math::random::Streams;

    #[test]
    fn one_normal_distribution_has_its_closed_form() {
        let mixture =
            Mixture { weights: array![[1.0]], means: array![[7.0]], variances: array![[4.0]] };
        let exact = 0.5 * (2.0 * std::f64::consts::PI * std::f64::consts::E * 4.0).ln();
        assert!((entropy(&mixture, 0).unwrap() - exact).abs() < 1e-12);
    }

    /// By Huber et al. (2008) the one is a lower bound; the other is the entropy given the
    /// component, which is lower too.
    #[test]
    fn the_lower_bound_holds_and_the_printed_upper_one_never() {
        let table = Table::unnamed(array![[0.0], [1.0]], array![0.0, 1.0]);
        let context = Context::new(Streams::new(1, "random-mixtures"));
        let method = RandomMixtures::new(RandomMixturesParameters { mixtures: 40 }).unwrap();
        let fitted = method.fit(&table, &context).unwrap();
        let tables = fitted.side_tables();
        let value = |column: &str| tables[0].column(column).unwrap()[0];
        assert_eq!(
            [value("mixtures"), value("pairwise_holds"), value("component_average_holds")],
            [240.0, 1.0, 0.0],
            "{tables:?}"
        );
        let gaps = |column: &str| tables[1].column(column).unwrap();
        assert!(
            gaps("pairwise").iter().all(|gap| *gap >= 0.0)
                && gaps("component_average").iter().all(|gap| *gap > 0.0)
        );
        // Given the component, what is left of the entropy is that of the component's weight at
        // most (Huber et al. 2008).
        for (gap, components) in gaps("component_average").iter().zip(gaps("components")) {
            assert!(*gap <= components.ln(), "{gap} {components}");
        }
        let answer = fitted
            .predict(&Reading::MAIN, table.features.view(), &Request::default(), &context)
            .unwrap();
        answer.validate().unwrap();
    }
}

//! Lay out what is not a prediction of y: the noise, the third quantity (9b), and the process
//! beside it (2a, 2b).

use ndarray::ArrayView2;

use super::choice::Family;
use super::fitted::{FittedRegression, Process};
use super::regression::Prediction;
use crate::engine::standardised::StandardisedModel;
use crate::gp::kernels::{Points, Workspace};
use crate::side_tables::{NoiseLaw, Tubes};
use crate::{Context, FitError, SideTable};
use uq_math::orthogonal::Orthogonal;

/// Weights, rows fitted by rows predicted, beyond which a figure's tables are left out.
const MOST_WEIGHTS: usize = 2_000_000;

/// A number that is stored; `None` where it is not finite, because JSON has no such number.
pub(super) fn defined(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// A table of one row, with a column for each number that is [`defined`].
fn one_row(name: &str, columns: &[(&str, f64)]) -> SideTable {
    let columns =
        columns.iter().filter_map(|(name, value)| Some(((*name).into(), vec![defined(*value)?])));
    SideTable { name: name.into(), columns: columns.collect() }
}

/// The [`NoiseLaw`]. `coefficients`: m_0, m_1, …. `families`: mean ln p(r) of the residuals left
/// out under each family that was tried (0 Gaussian, 1 gamma, 2 uniform, 3 beta), where one was
/// chosen. Also the tables of the exact process.
pub(super) fn of_fit(fitted: &FittedRegression) -> Vec<SideTable> {
    let noise = &fitted.chosen.noise;
    let (germ, first, second) = match noise.germ() {
        Orthogonal::Hermite => (0.0, f64::NAN, f64::NAN),
        Orthogonal::Laguerre { exponent } => (1.0, exponent, f64::NAN),
        Orthogonal::Legendre => (2.0, f64::NAN, f64::NAN),
        Orthogonal::Jacobi { alpha, beta } => (3.0, alpha, beta),
    };
    let [mean, variance, third, fourth] = noise.cumulants();
    let law = NoiseLaw {
        germ: Some(germ),
        first_exponent: defined(first),
        second_exponent: defined(second),
        mean: defined(mean),
        variance: defined(variance),
        skewness: defined(third / variance.powf(1.5)),
        excess_kurtosis: defined(fourth / (variance * variance)),
    };
    let mut all = vec![
        law.to_table(),
        SideTable {
            name: "coefficients".into(),
            columns: vec![("value".into(), noise.coefficients().to_vec())],
        },
    ];
    if let Some(scores) = fitted.chosen.scores {
        let tried = || (0..Family::ALL.len()).filter(|place| scores[*place].is_finite());
        let columns = vec![
            ("family".into(), tried().map(|place| place as f64).collect()),
            ("log_density".into(), tried().map(|place| scores[place]).collect()),
        ];
        all.push(SideTable { name: "families".into(), columns });
    }
    if let Process::Searched(process) = &fitted.process {
        all.extend(process.side_tables(&fitted.scales));
    }
    all
}

/// Everything at the rows that are predicted.
pub(super) fn predictions(
    fitted: &FittedRegression,
    features: ArrayView2<f64>,
    context: &Context,
) -> Result<Vec<Prediction>, FitError> {
    let (given, columns) = fitted.standardised(features)?;
    let points = Points::new(&given, features.nrows(), columns);
    let mut all = Vec::with_capacity(features.nrows());
    fitted.regression().predict(
        points,
        || context.checkpoint(),
        |prediction| all.push(prediction),
    )?;
    Ok(all)
}

/// `uncertainty`, one row, means over the rows in the target's squared units: (9b) as
/// `noise_in_mean`, `epistemic`, `gap`, `aleatoric`. With one feature besides [`Tubes`] at
/// `features`, and `comparison`, which compares them in one row.
pub(super) fn at(
    fitted: &FittedRegression,
    features: ArrayView2<f64>,
    context: &Context,
) -> Result<Vec<SideTable>, FitError> {
    let (given, columns) = fitted.standardised(features)?;
    let points = Points::new(&given, features.nrows(), columns);
    let weights = fitted.posterior().conditioning().weights().len();
    // The weights of each row are kept only for a figure.
    let drawn = features.ncols() == 1 && weights * features.nrows() <= MOST_WEIGHTS;
    let (mut all, mut sums) = (Vec::new(), [0.0; 3]);
    let each = |p: Prediction| {
        let parts = [p.noise_in_mean, p.epistemic, p.gap];
        sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        all.extend(drawn.then_some(p));
    };
    fitted.regression().predict(points, || context.checkpoint(), each)?;
    let square = fitted.target().scale.powi(2);
    let [noise_in_mean, epistemic, gap] =
        sums.map(|sum| square * sum / features.nrows().max(1) as f64);
    let mut found = vec![one_row(
        "uncertainty",
        &[
            ("noise_in_mean", noise_in_mean),
            ("epistemic", epistemic),
            ("gap", gap),
            ("aleatoric", square * fitted.chosen.noise.variance()),
        ],
    )];
    if drawn {
        found.extend(tubes(fitted, &all, features, context)?);
    }
    Ok(found)
}

fn tubes(
    fitted: &FittedRegression,
    all: &[Prediction],
    features: ArrayView2<f64>,
    context: &Context,
) -> Result<[SideTable; 2], FitError> {
    let (given, columns) = fitted.standardised(features)?;
    let points = Points::new(&given, features.nrows(), columns);
    let scale = fitted.target();
    // By the process's own code, with y itself.
    let (process_mean, process_variance) =
        fitted.plain().function(points, || context.checkpoint())?;
    let (centred_mean, _) = fitted.posterior().function(points, || context.checkpoint())?;
    let ridge = fitted.posterior().noise();
    let sd = |variance: f64| scale.scale * variance.max(0.0).sqrt();
    let wiener: Vec<f64> = all.iter().map(|p| sd(p.noise_in_mean)).collect();
    let latent: Vec<f64> = process_variance.iter().map(|v| sd(*v)).collect();
    let predictive: Vec<f64> = process_variance.iter().map(|v| sd(v + ridge)).collect();
    let twice: Vec<f64> = process_variance.iter().map(|v| sd(v + 2.0 * ridge)).collect();
    let back = |means: &mut dyn Iterator<Item = f64>| {
        means.map(|m| scale.shift + scale.scale * m).collect::<Vec<_>>()
    };
    let average = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let ratio =
        |a: &[f64], b: &[f64]| average(&a.iter().zip(b).map(|(a, b)| a / b).collect::<Vec<_>>());
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let apart = |process: &[f64]| {
        all.iter().zip(process).map(|(p, m)| scale.scale * (p.mean - m).abs()).fold(0.0, f64::max)
    };
    let comparison = one_row(
        "comparison",
        &[
            ("mean_apart", apart(&process_mean)),
            ("centred_mean_apart", apart(&centred_mean)),
            ("wiener", average(&wiener)),
            ("latent", average(&latent)),
            ("predictive", average(&predictive)),
            ("latent_by_wiener", ratio(&latent, &wiener)),
            ("predictive_by_wiener", ratio(&predictive, &wiener)),
            ("least_latent_excess", least(&mut latent.iter().zip(&wiener).map(|(a, b)| a - b))),
            ("least_predictive", least(&mut predictive.iter().copied())),
            ("identity_apart", identity_apart(fitted, all, points)),
        ],
    );
    let tubes = Tubes {
        x: features.column(0).to_vec(),
        mean: back(&mut all.iter().map(|p| p.mean)),
        process_mean: back(&mut process_mean.iter().copied()),
        wiener,
        latent,
        predictive,
        twice,
    };
    Ok([tubes.to_table(), comparison])
}

/// Largest difference between the two sides of κ − kᵀa = (κ − 2aᵀk + aᵀK a) + σ_M² aᵀa, the right
/// one with K itself, in the units of the process.
fn identity_apart(fitted: &FittedRegression, all: &[Prediction], points: Points) -> f64 {
    let posterior = fitted.posterior();
    let (kernel, observed) = (posterior.kernel(), posterior.points(points.columns()));
    let n = observed.rows();
    let mut workspace = Workspace::default();
    let (mut between, mut cross) = (vec![0.0; n * n], vec![0.0; points.rows() * n]);
    kernel.matrix(observed, observed, &mut between, &mut workspace);
    kernel.matrix(points, observed, &mut cross, &mut workspace);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let apart = all.iter().zip(cross.chunks_exact(n)).map(|(prediction, k)| {
        let a = &prediction.weights;
        let quadratic: f64 =
            a.iter().zip(between.chunks_exact(n)).map(|(weight, row)| weight * dot(a, row)).sum();
        let right = kernel.variance() - 2.0 * dot(a, k) + quadratic + prediction.noise_in_mean;
        (prediction.epistemic - right).abs()
    });
    apart.fold(0.0, f64::max)
}

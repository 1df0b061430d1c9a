//! Draw realisations of Ŷ and its distribution at one place, for a figure of one feature.

use ndarray::ArrayView2;

use super::fitted::FittedRegression;
use super::parameters::Realisations;
use super::regression::Prediction;
use super::side_tables::{defined, predictions};
use crate::gp::kernels::Points;
use crate::side_tables::{self, Densities, Histogram, Law, Projection};
use crate::{Context, FitError, SideTable};

/// Realisations that are kept as curves.
const CURVES: usize = 40;

/// Points of a density, and bins of the histogram.
const POINTS: usize = 201;
const BINS: usize = 50;

/// Largest number of places of rows whose density is kept.
const PLACES: usize = 9;

/// [`Realisations`](side_tables::Realisations) and [`Densities`]; and at the requested place the
/// [`Law`] and, where the draws vary, the [`Projection`] and the [`Histogram`].
pub(super) fn realisations(
    fitted: &FittedRegression,
    Realisations { draws, at }: Realisations,
    features: ArrayView2<f64>,
    context: &Context,
) -> Result<Vec<SideTable>, FitError> {
    let scale = fitted.target();
    let noise = &fitted.chosen.noise;
    let back = |value: f64| scale.shift + scale.scale * value;
    let grid = predictions(fitted, features, context)?;
    let n = fitted.posterior().conditioning().weights().len();
    let mut rng = context.stream("realisations", 0);
    let curves: Vec<Vec<f64>> = (0..CURVES.min(draws))
        .map(|_| (0..n).map(|_| noise.draw(&mut rng) - noise.mean()).collect())
        .collect();
    let value = |p: &Prediction, germs: &[f64]| {
        p.mean - p.weights.iter().zip(germs).map(|(a, m)| a * m).sum::<f64>()
    };
    let curve = |germs: &Vec<f64>| grid.iter().map(|p| back(value(p, germs))).collect();
    let curves = curves.iter().map(curve).collect();
    let realisations = side_tables::Realisations { x: features.column(0).to_vec(), curves };

    let mut places: Vec<f64> = fitted.posterior().points(1).values().to_vec();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places.truncate(PLACES);
    let mut densities = Densities::default();
    for (i, prediction) in at_places(fitted, &places, context)?.iter().enumerate() {
        let mut sample =
            prediction.variable(noise).sorted_draws(draws, &mut context.stream("place", i as u64));
        sample.iter_mut().for_each(|value| *value = back(*value));
        let Some(fitted_density) = Density::of(&sample) else { continue };
        let place = feature_back(fitted, places[i]);
        for y in fitted_density.grid() {
            densities.x.push(place);
            densities.y.push(y);
            densities.density.push(fitted_density.at(y));
        }
    }

    let asked = ndarray::Array2::from_elem((1, 1), at);
    let here = predictions(fitted, asked.view(), context)?;
    let mut all = vec![realisations.to_table(), densities.to_table()];
    if let Some(prediction) = here.first() {
        all.extend(projection(fitted, prediction, draws, context)?);
    }
    Ok(all)
}

/// The predictions at places in the units of the process.
fn at_places(
    fitted: &FittedRegression,
    places: &[f64],
    context: &Context,
) -> Result<Vec<Prediction>, FitError> {
    let mut all = Vec::with_capacity(places.len());
    let points = Points::new(places, places.len(), 1);
    fitted.regression().predict(
        points,
        || context.checkpoint(),
        |prediction| all.push(prediction),
    )?;
    Ok(all)
}

/// A feature in the data's units.
fn feature_back(fitted: &FittedRegression, x: f64) -> f64 {
    match &fitted.process {
        super::fitted::Process::Fixed { .. } => x,
        super::fitted::Process::Searched(_) => {
            fitted.scales.varying.first().map_or(x, |(_, scale)| scale.shift + scale.scale * x)
        }
    }
}

fn projection(
    fitted: &FittedRegression,
    prediction: &Prediction,
    draws: usize,
    context: &Context,
) -> Result<Vec<SideTable>, FitError> {
    let (scale, noise) = (fitted.target(), &fitted.chosen.noise);
    let back = |value: f64| scale.shift + scale.scale * value;
    let variable = prediction.variable(noise);
    let sample = variable.sorted_draws(draws, &mut context.stream("projection", 0));
    let inversion = variable.inversion();
    context.checkpoint()?;
    let steps = sample.len().div_ceil(500).max(1);
    let apart = inversion.as_ref().map_or(f64::NAN, |inversion| {
        let far =
            |i: usize| ((i as f64 + 0.5) / sample.len() as f64 - inversion.cdf(sample[i])).abs();
        (0..sample.len()).step_by(steps).map(far).fold(0.0, f64::max)
    });
    let n = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / n;
    let moment = |power: i32| sample.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / n;
    let drawn_skewness = moment(3) / moment(2).powf(1.5);
    let ridge = fitted.posterior().noise();
    let sd = |variance: f64| scale.scale * variance.max(0.0).sqrt();
    let [_, second, third, _] = noise.cumulants();
    let law = Law {
        mean: defined(back(prediction.mean)),
        wiener: defined(sd(prediction.noise_in_mean)),
        latent: defined(sd(prediction.epistemic)),
        predictive: defined(sd(prediction.epistemic + ridge)),
        twice: defined(sd(prediction.epistemic + 2.0 * ridge)),
        skewness: defined(variable.skewness()),
        drawn_skewness: defined(drawn_skewness),
        skewness_apart: defined((drawn_skewness - variable.skewness()).abs()),
        noise_skewness: defined(third / second.powf(1.5)),
        excess_kurtosis: defined(variable.excess_kurtosis()),
        drawn_mean_apart: defined(scale.scale * (mean - prediction.mean).abs()),
        cdf_apart: defined(apart),
        cdf_truncation: inversion.as_ref().and_then(|inversion| defined(inversion.truncation())),
    };
    let law = law.to_table();
    let sample: Vec<f64> = sample.into_iter().map(back).collect();
    let (Some(density), Some(inversion)) = (Density::of(&sample), &inversion) else {
        return Ok(vec![law]);
    };
    let y = density.grid();
    let step = y[1] - y[0];
    let exact = y.iter().map(|y| {
        let cdf = |y: f64| inversion.cdf((y - scale.shift) / scale.scale);
        (cdf(y + 0.5 * step) - cdf(y - 0.5 * step)) / step
    });
    let inverted = exact.collect();
    let projection =
        Projection { density: y.iter().map(|y| density.at(*y)).collect(), inverted, y };
    let (low, high) = density.ends();
    let width = (high - low) / BINS as f64;
    let mut counts = vec![0.0; BINS];
    for value in sample.iter().filter(|value| (low..high).contains(*value)) {
        counts[(((value - low) / width) as usize).min(BINS - 1)] += 1.0;
    }
    let histogram = Histogram {
        left: (0..BINS).map(|i| low + width * i as f64).collect(),
        height: counts.iter().map(|count| count / (n * width)).collect(),
    };
    Ok(vec![law, projection.to_table(), histogram.to_table()])
}

/// A kernel estimate of a density from sorted draws, with Silverman's width 0.9 min(sd, IQR/1.34)
/// n^(−1/5).
struct Density<'a> {
    sorted: &'a [f64],
    width: f64,
    ends: (f64, f64),
}

impl<'a> Density<'a> {
    /// `None` where the draws do not vary.
    fn of(sorted: &'a [f64]) -> Option<Self> {
        let n = sorted.len() as f64;
        let mean = sorted.iter().sum::<f64>() / n;
        let sd = (sorted.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt();
        let at = |level: f64| sorted[((sorted.len() - 1) as f64 * level) as usize];
        let spread = sd.min((at(0.75) - at(0.25)) / 1.34);
        let width = 0.9 * spread * n.powf(-0.2);
        // The far tail would compress everything else.
        let ends = (at(0.002) - 3.0 * width, at(0.998) + 3.0 * width);
        (width > 0.0 && ends.0 < ends.1).then_some(Self { sorted, width, ends })
    }

    fn ends(&self) -> (f64, f64) {
        self.ends
    }

    fn grid(&self) -> Vec<f64> {
        let (low, high) = self.ends;
        (0..POINTS).map(|i| low + (high - low) * i as f64 / (POINTS - 1) as f64).collect()
    }

    fn at(&self, y: f64) -> f64 {
        let from = self.sorted.partition_point(|x| *x < y - 8.0 * self.width);
        let near = self.sorted[from..].iter().take_while(|x| **x <= y + 8.0 * self.width);
        let sum: f64 = near.map(|x| (-0.5 * ((y - x) / self.width).powi(2)).exp()).sum();
        sum / (self.sorted.len() as f64 * self.width * (2.0 * std::f64::consts::PI).sqrt())
    }
}

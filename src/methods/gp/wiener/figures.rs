//! Draw realisations of Ŷ and its law at one place, for a figure of one feature.

use ndarray::ArrayView2;

use super::fitted::FittedRegression;
use super::parameters::Realisations;
use super::regression::Prediction;
use super::side_tables::{one_row, predictions};
use crate::methods::gp::kernels::Points;
use crate::methods::{Context, FitError, SideTable};

/// Realisations that are kept as curves.
const CURVES: usize = 40;

/// Points of a density, and bins of the histogram.
const POINTS: usize = 201;
const BINS: usize = 50;

/// Places of the rows whose density is kept, at most.
const PLACES: usize = 9;

/// `realisations` (x and a column for each curve), `densities` (at each row's place, all in one table), `projection` (at the place asked for:
/// y, the density fitted to the draws, the density by the characteristic function), `histogram` of the draws there, and `law`, one row:
/// moments exact and drawn, and how far the two routes to the distribution function are apart.
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
    let curves: Vec<Vec<f64>> =
        (0..CURVES.min(draws)).map(|_| (0..n).map(|_| noise.draw(&mut rng) - noise.mean()).collect()).collect();
    let value = |p: &Prediction, germs: &[f64]| p.mean - p.weights.iter().zip(germs).map(|(a, m)| a * m).sum::<f64>();
    let mut columns = vec![("x".to_owned(), features.column(0).to_vec())];
    for (i, germs) in curves.iter().enumerate() {
        columns.push((format!("curve{i}"), grid.iter().map(|p| back(value(p, germs))).collect()));
    }
    let realisations = SideTable { name: "realisations".into(), columns };

    let mut places: Vec<f64> = fitted.posterior().points(1).values().to_vec();
    places.sort_by(f64::total_cmp);
    places.dedup();
    places.truncate(PLACES);
    let mut densities: [Vec<f64>; 3] = Default::default();
    for (i, prediction) in at_places(fitted, &places, context)?.iter().enumerate() {
        let mut sample = prediction.variable(noise).sorted_draws(draws, &mut context.stream("place", i as u64));
        sample.iter_mut().for_each(|value| *value = back(*value));
        let Some(fitted_density) = Density::of(&sample) else { continue };
        let place = feature_back(fitted, places[i]);
        for y in fitted_density.grid() {
            densities[0].push(place);
            densities[1].push(y);
            densities[2].push(fitted_density.at(y));
        }
    }
    let [x, y, density] = densities;
    let densities = SideTable {
        name: "densities".into(),
        columns: vec![("x".into(), x), ("y".into(), y), ("density".into(), density)],
    };

    let asked = ndarray::Array2::from_elem((1, 1), at);
    let here = predictions(fitted, asked.view(), context)?;
    let mut all = vec![realisations, densities];
    if let Some(prediction) = here.first() {
        all.extend(projection(fitted, prediction, draws, context)?);
    }
    Ok(all)
}

/// The predictions at places in the units of the process.
fn at_places(fitted: &FittedRegression, places: &[f64], context: &Context) -> Result<Vec<Prediction>, FitError> {
    let mut all = Vec::with_capacity(places.len());
    let points = Points::new(places, places.len(), 1);
    fitted.regression().predict(points, || context.checkpoint(), |prediction| all.push(prediction))?;
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
        let far = |i: usize| ((i as f64 + 0.5) / sample.len() as f64 - inversion.cdf(sample[i])).abs();
        (0..sample.len()).step_by(steps).map(far).fold(0.0, f64::max)
    });
    let n = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / n;
    let moment = |power: i32| sample.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / n;
    let drawn_skewness = moment(3) / moment(2).powf(1.5);
    let ridge = fitted.posterior().noise();
    let sd = |variance: f64| scale.scale * variance.max(0.0).sqrt();
    let [_, second, third, _] = noise.cumulants();
    let law = one_row(
        "law",
        &[
            ("mean", back(prediction.mean)),
            ("wiener", sd(prediction.noise_in_mean)),
            ("latent", sd(prediction.epistemic)),
            ("predictive", sd(prediction.epistemic + ridge)),
            ("twice", sd(prediction.epistemic + 2.0 * ridge)),
            ("skewness", variable.skewness()),
            ("drawn_skewness", drawn_skewness),
            ("skewness_apart", (drawn_skewness - variable.skewness()).abs()),
            ("noise_skewness", third / second.powf(1.5)),
            ("excess_kurtosis", variable.excess_kurtosis()),
            ("drawn_mean_apart", scale.scale * (mean - prediction.mean).abs()),
            ("cdf_apart", apart),
            ("cdf_truncation", inversion.as_ref().map_or(f64::NAN, super::weighted::Inversion::truncation)),
        ],
    );
    let sample: Vec<f64> = sample.into_iter().map(back).collect();
    let (Some(density), Some(inversion)) = (Density::of(&sample), &inversion) else { return Ok(vec![law]) };
    let y = density.grid();
    let step = y[1] - y[0];
    let exact = y.iter().map(|y| {
        let cdf = |y: f64| inversion.cdf((y - scale.shift) / scale.scale);
        (cdf(y + 0.5 * step) - cdf(y - 0.5 * step)) / step
    });
    let exact = exact.collect();
    let projection = SideTable {
        name: "projection".into(),
        columns: vec![
            ("density".into(), y.iter().map(|y| density.at(*y)).collect()),
            ("inverted".into(), exact),
            ("y".into(), y),
        ],
    };
    let (low, high) = density.ends();
    let width = (high - low) / BINS as f64;
    let mut counts = vec![0.0; BINS];
    for value in sample.iter().filter(|value| (low..high).contains(*value)) {
        counts[(((value - low) / width) as usize).min(BINS - 1)] += 1.0;
    }
    let left: Vec<f64> = (0..BINS).map(|i| low + width * i as f64).collect();
    let height = counts.iter().map(|count| count / (n * width)).collect();
    let histogram =
        SideTable { name: "histogram".into(), columns: vec![("left".into(), left), ("height".into(), height)] };
    Ok(vec![law, projection, histogram])
}

/// A kernel estimate of a density from sorted draws, with Silverman's width 0.9 min(sd, IQR/1.34) n^(−1/5).
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
        // The far tail would leave no room for the rest.
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

//! Compute components, conditional moments and conditional densities of a fitted mixture of (x, y),
//! from the first repetition of a column.

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use super::Figure;
use super::gather::{Gather, each_panel};
use crate::evidence::EvidenceError;
use crate::evidence::results::{Results, Series};
use crate::evidence::trials::{decode, prediction, side_table};
use uq_core::predictive::{Distribution, Predictive};
use uq_methods::side_tables::{Components, Points};
use uqbench_run::benchmark::Panel;
use uqbench_run::benchmark::figures as keys;
use uqbench_run::runner::layout::Decoded;
use uqbench_run::runner::store::Store;

/// Standard deviations of ellipses and bands.
pub const DEVIATIONS: f64 = 2.0;

/// Fits of a mixture, one row of three panels each, or of four where another method is drawn too. A
/// row shares both axes, the figure shares the horizontal one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mixtures {
    /// Title of the figure.
    pub title: String,
    /// Title over the panels of the other method, if there is one.
    pub beside: Option<String>,
    /// Fits.
    pub rows: Vec<MixtureRow>,
}

/// One fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixtureRow {
    /// Title above its panels.
    pub title: String,
    /// Interval of x that is shaded; the title says why.
    pub marked: Option<(f64, f64)>,
    /// Coordinates of the training rows.
    pub training: (Vec<f64>, Vec<f64>),
    /// The mixture.
    pub components: Vec<Component>,
    /// Moments of the other method: `within` is the root of what it calls aleatoric.
    pub beside: Option<Moments>,
    /// The mixture's conditional moments.
    pub moments: Moments,
    /// Its conditional densities at a few x.
    pub slices: Vec<Slice>,
}

/// A component of a mixture of (x, y).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Component {
    /// Its weight.
    pub weight: f64,
    /// Means of x and y.
    pub mean: (f64, f64),
    /// Variance of x, covariance, variance of y.
    pub covariance: (f64, f64, f64),
}

/// Moments of y given x at n points, in the order of x.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    /// The points, n.
    pub x: Vec<f64>,
    /// Conditional means, n.
    pub mean: Vec<f64>,
    /// Conditional standard deviations, n.
    pub sd: Vec<f64>,
    /// Roots of the variance within components, n.
    pub within: Vec<f64>,
    /// The noise-free truth, n, where it is known.
    pub truth: Option<Vec<f64>>,
    /// True standard deviation of the noise about it, n, where it is known.
    pub noise: Option<Vec<f64>>,
}

/// The density of y given one x.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slice {
    /// The value of x.
    pub x: f64,
    /// Values of y, ascending.
    pub y: Vec<f64>,
    /// Density at each.
    pub density: Vec<f64>,
    /// Lower end, middle and upper end of the truth's interval, where it is known.
    pub truth: Option<[f64; 3]>,
}

/// Number of densities that are drawn, at the middles of as many equal parts of x.
const SLICES: usize = 6;
/// Probability beyond either end of a density that is drawn.
const TAIL: f64 = 1e-3;
/// Number of evenly spaced heights of a density. As many quantiles are added, so that no narrow
/// peak is missed.
const HEIGHTS: usize = 100;

impl Gather for keys::Mixture {
    fn gather(&self, results: &Results, store: &Store) -> Result<Option<Figure>, EvidenceError> {
        let rows = each_panel(&self.panels, results, |panel, series| {
            let beside =
                self.beside.as_ref().and_then(|beside| on_dataset_of(series, beside, results));
            row(
                panel,
                series,
                beside.as_ref(),
                self.marked.get(&series.dataset.key).copied(),
                store,
            )
        })?;
        let beside = self.beside.as_ref().map(|beside| beside.title.clone());
        Ok((!rows.is_empty())
            .then(|| Figure::Mixtures(Mixtures { title: self.title.clone(), beside, rows })))
    }
}

/// The column that a panel selects on the dataset of another one.
fn on_dataset_of<'a>(series: &Series, panel: &Panel, results: &'a Results) -> Option<Series<'a>> {
    results.series().into_iter().find(|s| s.is_column(&panel.labels, Some(&series.dataset.key)))
}

/// One row of the figure; `None` where no repetition is finished, or it stored no mixture of (x,
/// y).
fn row(
    panel: &Panel,
    series: &Series,
    beside: Option<&Series>,
    marked: Option<(f64, f64)>,
    store: &Store,
) -> Result<Option<MixtureRow>, EvidenceError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let training =
        side_table(result, Points::TRAINING, store)?.as_ref().and_then(Points::from_table);
    let components =
        side_table(result, Components::NAME, store)?.as_ref().and_then(Components::from_table);
    let (Some(training), Some(components)) = (training, components) else { return Ok(None) };
    let decoded = decode(result, store)?;
    let predictive = prediction(&decoded, &series.column.reading, result)?;
    let (Some(components), Some(x), Some(moments)) =
        (all_components(&components), &decoded.x, moments(&decoded, predictive))
    else {
        return Ok(None);
    };
    let training = (training.x, training.y);
    let (noise, truth) = (decoded.facts.noise.as_ref(), decoded.facts.truth.as_ref());
    let ends = |i: usize| {
        let (truth, reach) = (truth?[i], DEVIATIONS * noise?[i]);
        Some([truth - reach, truth, truth + reach])
    };
    let slice = |i: usize| {
        let (y, density) = density(predictive.distribution(), i)?;
        Some(Slice { x: x[i], y, density, truth: ends(i) })
    };
    let slices = slices_at(x).into_iter().filter_map(slice).collect();
    let beside = beside.map(|series| moments_of(series, store)).transpose()?.flatten();
    Ok(Some(MixtureRow {
        title: panel.title.clone(),
        marked,
        training,
        components,
        beside,
        moments,
        slices,
    }))
}

/// Moments of a column's first finished repetition.
fn moments_of(series: &Series, store: &Store) -> Result<Option<Moments>, EvidenceError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let decoded = decode(result, store)?;
    Ok(moments(&decoded, prediction(&decoded, &series.column.reading, result)?))
}

/// In the order of x; `None` for more than one feature, or where the method has no mean, variance
/// or aleatoric variance.
fn moments(decoded: &Decoded, predictive: &Predictive) -> Option<Moments> {
    let (x, mean, variance) = (decoded.x.as_ref()?, predictive.means()?, predictive.variances()?);
    let within = predictive.split.as_ref()?.aleatoric.as_ref()?;
    let order = ascending(x);
    let sorted = |values: &Array1<f64>| order.iter().map(|&i| values[i]).collect::<Vec<f64>>();
    Some(Moments {
        x: sorted(x),
        mean: sorted(&mean),
        sd: sorted(&variance.mapv(f64::sqrt)),
        within: sorted(&within.mapv(f64::sqrt)),
        truth: decoded.facts.truth.as_ref().map(sorted),
        noise: decoded.facts.noise.as_ref().map(sorted),
    })
}

/// The components of a mixture of y and one feature; `None` for a mixture of y alone.
fn all_components(
    Components { weights, means, covariances }: &Components,
) -> Option<Vec<Component>> {
    let ([y, x, ..], [yy, xy, xx, ..]) = (means.as_slice(), covariances.as_slice()) else {
        return None;
    };
    let one =
        |k| Component { weight: weights[k], mean: (x[k], y[k]), covariance: (xx[k], xy[k], yy[k]) };
    Some((0..weights.len()).map(one).collect())
}

/// The points in the order of x.
fn ascending(x: &Array1<f64>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&a, &b| x[a].total_cmp(&x[b]));
    order
}

/// The points that are nearest to the middles of [`SLICES`] equal parts of the range of x, each
/// once.
fn slices_at(x: &Array1<f64>) -> Vec<usize> {
    let order = ascending(x);
    let (Some(&first), Some(&last)) = (order.first(), order.last()) else { return Vec::new() };
    let (low, width) = (x[first], (x[last] - x[first]) / SLICES as f64);
    let nearest = |part: usize| {
        let wanted = low + (part as f64 + 0.5) * width;
        order
            .iter()
            .copied()
            .min_by(|&a, &b| (x[a] - wanted).abs().total_cmp(&(x[b] - wanted).abs()))
    };
    let mut chosen: Vec<usize> = (0..SLICES).filter_map(nearest).collect();
    chosen.dedup();
    chosen
}

/// The density of point `i` between its quantiles at [`TAIL`] and 1 − [`TAIL`]; `None` where it has
/// none.
fn density(distribution: &dyn Distribution, i: usize) -> Option<(Vec<f64>, Vec<f64>)> {
    let (low, high) = (distribution.quantile(i, TAIL)?, distribution.quantile(i, 1.0 - TAIL)?);
    let share = |k: usize| k as f64 / HEIGHTS as f64;
    let mut y: Vec<f64> = (0..=HEIGHTS).map(|k| low + share(k) * (high - low)).collect();
    y.extend((1..HEIGHTS).filter_map(|k| distribution.quantile(i, share(k))));
    y.sort_by(f64::total_cmp);
    let density: Option<Vec<f64>> =
        y.iter().map(|&y| Some(distribution.log_density(i, y)?.exp())).collect();
    Some((y, density?))
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use uq_core::predictive::Mixture;

    #[test]
    fn a_density_has_all_mass_but_its_tails_and_shows_narrow_peaks() {
        let mixture = Mixture {
            weights: array![[0.9, 0.1]],
            means: array![[0.0, 3.0]],
            variances: array![[1.0, 1e-8]],
        };
        let (y, density) = super::density(&mixture, 0).unwrap();
        assert!(y.is_sorted());
        // The peak of weight 0.1 and sd 1e-4 is 0.1/(1e-4 √2π) = 398.9; the quantiles from 0.91 to
        // 0.99 lie on it.
        let peak = density.iter().copied().fold(0.0, f64::max);
        assert!((380.0..400.0).contains(&peak), "{peak}");
        let plain =
            Mixture { weights: array![[1.0]], means: array![[2.0]], variances: array![[9.0]] };
        let (y, density) = super::density(&plain, 0).unwrap();
        let area: f64 =
            (1..y.len()).map(|k| 0.5 * (density[k] + density[k - 1]) * (y[k] - y[k - 1])).sum();
        assert!((area - 0.998).abs() < 1e-3, "{area}");
    }

    #[test]
    fn slices_lie_in_the_middle_of_equal_parts() {
        let x = Array1::from_shape_fn(401, |i| (i as f64 - 200.0) * 0.03);
        let at: Vec<f64> = slices_at(&x).into_iter().map(|i| x[i].round()).collect();
        assert_eq!(at, [-5.0, -3.0, -1.0, 1.0, 3.0, 5.0]);
        assert_eq!(slices_at(&array![4.0]), [0], "one point is one slice");
        assert!(slices_at(&Array1::zeros(0)).is_empty());
    }
}

//! Turn stored trials into what the figures draw.

mod boxes;
mod calibration;
mod decomposition;
mod hyper_functions;
mod learning;
mod mixture;
mod wiener;

use rayon::prelude::*;
use thiserror::Error;

use super::document::Document;
use crate::benchmark::label_text;
use crate::benchmark::{Contrast, Figure, MetricPanel, Panel, Reference};
use crate::evidence::EvidenceError;
use crate::evidence::differences::differences;
use crate::evidence::results::{Results, Series};
use crate::evidence::trials::{decode, prediction, side_table};
use crate::plot::{
    BandPanel, Bands, Boxes, DifferencePanel, DifferenceRow, Differences, Drawing, FigureError, HistogramPanel,
    Histograms, HyperFunctions, Learning, Mixtures, Realisations, Render, Sweep, SweepPanel, SweepSeries, Tubes,
};
use crate::runner::store::Store;
use crate::stats::local_regression;

/// Share of the points that a locally weighted regression line looks at.
const SPAN: f64 = 0.5;

/// Why a figure cannot be drawn.
#[derive(Debug, Error)]
pub enum DrawingError {
    /// What it shows cannot be read.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    /// The drawing itself.
    #[error("figure {file}: {source}")]
    Figure {
        /// The figure.
        file: String,
        /// Why.
        source: FigureError,
    },
}

/// A drawn figure.
pub struct Drawn {
    /// Its file name, without ending.
    pub file: String,
    /// Its title.
    pub title: String,
    /// SVG and PNG.
    pub documents: [Document; 2],
}

/// The figures of one benchmark. A figure without any finished trial is left out.
///
/// # Errors
/// [`DrawingError`] where stored trials cannot be read or drawn.
pub fn render(results: &Results, store: &Store) -> Result<Vec<Drawn>, DrawingError> {
    let one = |figure: &Figure| -> Result<Option<Drawn>, DrawingError> {
        let Some((file, title, drawing)) = drawing(figure, results, store)? else { return Ok(None) };
        let rendered = drawing.render().map_err(|source| DrawingError::Figure { file: file.clone(), source })?;
        let svg = Document::new(format!("{file}.svg"), rendered.svg);
        let png = Document::new(format!("{file}.png"), rendered.png);
        Ok(Some(Drawn { file, title, documents: [svg, png] }))
    };
    let all: Vec<Option<Drawn>> = results.plan.benchmark.figures.par_iter().map(one).collect::<Result<_, _>>()?;
    Ok(all.into_iter().flatten().collect())
}

fn drawing(
    figure: &Figure,
    results: &Results,
    store: &Store,
) -> Result<Option<(String, String, Drawing)>, DrawingError> {
    let found = match figure {
        Figure::TestBand { file, title, y_label, panels } => {
            let drawn = each_panel(panels, results, |panel, series| test_band(panel, series, y_label, store))?;
            (!drawn.is_empty()).then(|| (file, title, Drawing::Bands(Bands { title: title.clone(), panels: drawn })))
        }
        Figure::CurveBand { file, title, panels } => {
            let drawn = each_panel(panels, results, |panel, series| curve_band(panel, series, store))?;
            (!drawn.is_empty()).then(|| (file, title, Drawing::Bands(Bands { title: title.clone(), panels: drawn })))
        }
        Figure::Histogram { file, title, x_label, side_table: (name, column), panels } => {
            let drawn = each_panel(panels, results, |panel, series| histogram(panel, series, name, column, store))?;
            let drawing = Histograms { title: title.clone(), x_label: x_label.clone(), panels: drawn };
            (!drawing.panels.is_empty()).then_some((file, title, Drawing::Histograms(drawing)))
        }
        Figure::Sweep { file, title, x_label, log_x, log_y, local_regression, panels, series } => {
            // A metric may be undefined everywhere, as peak memory is where trials share a process: its panel is left out.
            let drawn = panels.iter().map(|panel| sweep_panel(panel, series, results, *local_regression, *log_x));
            let panels: Vec<SweepPanel> = drawn.filter(|panel| !panel.series.is_empty()).collect();
            let (name, x_label) = (title.clone(), x_label.clone());
            let drawing = Sweep { title: name, x_label, log_x: *log_x, log_y: *log_y, panels };
            (!drawing.panels.is_empty()).then_some((file, title, Drawing::Sweep(drawing)))
        }
        Figure::Contrast { file, title, panels } => {
            let drawn: Vec<DifferencePanel> = panels.iter().map(|panel| difference_panel(panel, results)).collect();
            let empty = drawn.iter().all(|panel| panel.rows.is_empty());
            let contrast = results.plan.benchmark.contrast.as_ref();
            let drawing = contrast.map(Contrast::names).map(|[test, reference]| Differences {
                title: title.clone(),
                test,
                reference,
                panels: drawn,
            });
            drawing.filter(|_| !empty).map(|drawing| (file, title, Drawing::Differences(drawing)))
        }
        Figure::Mixture { file, title, panels, beside, marked } => {
            let marked = |series: &Series| marked.get(&series.dataset.key).copied();
            let rows = each_panel(panels, results, |panel, series| {
                let beside = beside.as_ref().and_then(|beside| on_dataset_of(series, beside, results));
                mixture::row(panel, series, beside.as_ref(), marked(series), store)
            })?;
            let beside = beside.as_ref().map(|beside| beside.title.clone());
            (!rows.is_empty())
                .then(|| (file, title, Drawing::Mixtures(Mixtures { title: title.clone(), beside, rows })))
        }
        Figure::HyperFunctions { file, title, panels } => {
            let drawn = each_panel(panels, results, |panel, series| hyper_functions::panel(panel, series, store))?;
            let drawing = HyperFunctions { title: title.clone(), panels: drawn };
            (!drawing.panels.is_empty()).then_some((file, title, Drawing::HyperFunctions(drawing)))
        }
        Figure::Tubes { file, title, reading, panels } => {
            let drawn = each_panel(panels, results, |panel, series| wiener::tubes(panel, series, *reading, store))?;
            let drawing = Tubes { title: title.clone(), names: reading.names().map(str::to_owned), panels: drawn };
            (!drawing.panels.is_empty()).then_some((file, title, Drawing::Tubes(drawing)))
        }
        Figure::Realisations { file, title, panels } => {
            let rows = each_panel(panels, results, |panel, series| wiener::realisations(panel, series, store))?;
            let drawing = Realisations { title: title.clone(), rows };
            (!drawing.rows.is_empty()).then_some((file, title, Drawing::Realisations(drawing)))
        }
        Figure::Learning { file, title, x_label, y_label, series } => {
            let records = each_panel(series, results, |panel, series| learning::record(panel, series, store))?;
            let (curves, difference) = learning::curves(&records);
            let (name, x_label, y_label) = (title.clone(), x_label.clone(), y_label.clone());
            let drawing = Learning { title: name, x_label, y_label, curves, difference };
            (!drawing.curves.is_empty()).then_some((file, title, Drawing::Learning(drawing)))
        }
        Figure::Calibration { file, title, panels } => calibration::calibration(title, panels, results, store)?
            .map(|drawn| (file, title, Drawing::Calibration(drawn))),
        Figure::Boxes { file, title, metric, y_label, across, panels, series } => {
            let (y_label, across) = (y_label.clone(), *across);
            boxes::boxes(results, metric, panels, series)
                .map(|panels| (file, title, Drawing::Boxes(Boxes { title: title.clone(), y_label, across, panels })))
        }
        Figure::Variances { file, title, rows, datasets } => {
            decomposition::variances(title, rows, datasets, results, store)?
                .map(|drawn| (file, title, Drawing::Variances(drawn)))
        }
        Figure::Skill { file, title, rows, groups, lanes } => {
            decomposition::skill(title, rows, (groups, lanes), results, store)?
                .map(|drawn| (file, title, Drawing::SkillDots(drawn)))
        }
    };
    Ok(found.map(|(file, title, drawing)| (file.clone(), title.clone(), drawing)))
}

/// The panels whose column has a finished repetition.
fn each_panel<T>(
    panels: &[Panel],
    results: &Results,
    draw: impl Fn(&Panel, &Series) -> Result<Option<T>, DrawingError>,
) -> Result<Vec<T>, DrawingError> {
    let series = results.series();
    let mut drawn = Vec::new();
    for (panel, found) in chosen(panels, &series) {
        drawn.extend(draw(panel, found)?);
    }
    Ok(drawn)
}

/// The panels that select a column, with it.
fn chosen<'a>(panels: &'a [Panel], series: &'a [Series<'a>]) -> Vec<(&'a Panel, &'a Series<'a>)> {
    let select = |panel: &'a Panel| {
        let found = series.iter().find(|s| s.is_column(&panel.labels, panel.dataset.as_deref()));
        found.map(|found| (panel, found))
    };
    panels.iter().filter_map(select).collect()
}

/// The column that a panel selects on the dataset of another one.
fn on_dataset_of<'a>(series: &Series, panel: &Panel, results: &'a Results) -> Option<Series<'a>> {
    results.series().into_iter().find(|s| s.is_column(&panel.labels, Some(&series.dataset.key)))
}

/// Mean, standard deviation and outcome at the test rows of a column's first finished repetition.
struct Band {
    x: Option<Vec<f64>>,
    mean: Vec<f64>,
    sd: Vec<f64>,
    y: Vec<f64>,
    /// The noise-free truth, where it is known.
    truth: Option<Vec<f64>>,
}

fn band(series: &Series, store: &Store) -> Result<Option<Band>, DrawingError> {
    let Some(result) = series.first_finished() else { return Ok(None) };
    let decoded = decode(result, store)?;
    let predictive = prediction(&decoded, &series.column.reading, result)?;
    let Some((mean, variance)) = predictive.means().zip(predictive.variances()) else { return Ok(None) };
    let (mean, sd) = (mean.to_vec(), variance.mapv(f64::sqrt).to_vec());
    let y = decoded.y.to_vec();
    let truth = if decoded.facts.noise.is_some() { decoded.facts.truth.map(|t| t.to_vec()) } else { Some(y.clone()) };
    Ok(Some(Band { x: decoded.x.map(|x| x.to_vec()), mean, sd, y, truth }))
}

fn test_band(panel: &Panel, series: &Series, y_label: &str, store: &Store) -> Result<Option<BandPanel>, DrawingError> {
    let Some(band) = band(series, store)? else { return Ok(None) };
    let mut order: Vec<usize> = (0..band.y.len()).collect();
    order.sort_by(|&a, &b| band.y[a].total_cmp(&band.y[b]));
    let sorted = |values: &[f64]| order.iter().map(|&i| values[i]).collect::<Vec<_>>();
    let x: Vec<f64> = (1..=order.len()).map(|i| i as f64).collect();
    Ok(Some(BandPanel {
        title: panel.title.clone(),
        x_label: "Test row, in the order of its target".into(),
        y_label: y_label.into(),
        mean: sorted(&band.mean),
        sd: sorted(&band.sd),
        connected: false,
        truth: None,
        observed: Some((x.clone(), sorted(&band.y))),
        x,
    }))
}

fn curve_band(panel: &Panel, series: &Series, store: &Store) -> Result<Option<BandPanel>, DrawingError> {
    let (Some(band), Some(result)) = (band(series, store)?, series.first_finished()) else { return Ok(None) };
    let Some(x) = band.x else { return Ok(None) };
    let training =
        side_table(result, "training", store)?.and_then(|a| Some((a.column("x")?.to_vec(), a.column("y")?.to_vec())));
    Ok(Some(BandPanel {
        title: panel.title.clone(),
        x_label: "x".into(),
        y_label: "y".into(),
        x,
        mean: band.mean,
        sd: band.sd,
        connected: true,
        truth: band.truth,
        observed: training,
    }))
}

fn histogram(
    panel: &Panel,
    series: &Series,
    name: &str,
    column: &str,
    store: &Store,
) -> Result<Option<HistogramPanel>, DrawingError> {
    let mut values = Vec::new();
    for result in series.finished() {
        let found = side_table(result, name, store)?;
        values.extend(found.iter().filter_map(|a| a.column(column)).flatten().copied());
    }
    Ok((!values.is_empty()).then(|| HistogramPanel { title: panel.title.clone(), values }))
}

fn sweep_panel(panel: &MetricPanel, lines: &[Panel], results: &Results, smooth: bool, log_x: bool) -> SweepPanel {
    let all = results.series();
    let line = |wanted: &Panel| {
        let mut points: Vec<(f64, f64, f64)> = all
            .iter()
            .filter(|s| s.is_column(&wanted.labels, wanted.dataset.as_deref()))
            .filter_map(|s| {
                let summary = s.summary(&panel.metric)?;
                Some((s.x()?, summary.mean, summary.standard_error().unwrap_or(0.0)))
            })
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let x: Vec<f64> = points.iter().map(|p| p.0).collect();
        let mean: Vec<f64> = points.iter().map(|p| p.1).collect();
        let smooth = smooth.then(|| local_line(&x, &mean, log_x)).flatten();
        let standard_error = points.iter().map(|p| p.2).collect();
        (!x.is_empty()).then(|| SweepSeries { name: wanted.title.clone(), x, mean, standard_error, smooth })
    };
    let mut series: Vec<SweepSeries> = lines.iter().filter_map(line).collect();
    let ends = || series.iter().flat_map(|s| &s.x).copied();
    // From the first abscissa to the last; a reference has no error.
    let (low, high) = (ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max));
    let reference = |reference: &Reference| SweepSeries {
        name: reference.title.clone(),
        x: vec![low, high],
        mean: vec![reference.value; 2],
        standard_error: vec![f64::NAN; 2],
        smooth: None,
    };
    if !series.is_empty() {
        series.extend(panel.references.iter().map(reference).collect::<Vec<_>>());
    }
    SweepPanel { y_label: panel.label.clone(), series }
}

/// The local regression line at a hundred points between the first and the last abscissa.
fn local_line(x: &[f64], y: &[f64], log_x: bool) -> Option<Vec<(f64, f64)>> {
    let scale = |x: f64| if log_x { x.ln() } else { x };
    let scaled: Vec<f64> = x.iter().map(|&x| scale(x)).collect();
    let (first, last) = (*scaled.first()?, *scaled.last()?);
    let at: Vec<f64> = (0..=100).map(|i| first + (last - first) * f64::from(i) / 100.0).collect();
    let fitted = local_regression(&scaled, y, SPAN, &at)?;
    Some(at.iter().map(|&x| if log_x { x.exp() } else { x }).zip(fitted).collect())
}

fn difference_panel(panel: &MetricPanel, results: &Results) -> DifferencePanel {
    let contrast_label = results.plan.benchmark.contrast.as_ref().map(|c| c.label.as_str()).unwrap_or_default();
    let rows = differences(results, &panel.metric)
        .into_iter()
        .filter_map(|d| {
            let mean = d.comparison.summary.mean;
            // In per cent of the reference, so that datasets of different scale can be compared.
            let percent = 100.0 / d.reference.summary(&panel.metric)?.mean.abs();
            let half_width = d.comparison.summary.half_width(d.comparison.alpha)?;
            let rest: std::collections::BTreeMap<String, String> =
                d.test.column.labels.clone().into_iter().filter(|(label, _)| label != contrast_label).collect();
            Some(DifferenceRow {
                name: format!("{}: {}", d.test.dataset.heading, label_text(&rest)),
                estimate: percent * mean,
                low: percent * (mean - half_width),
                high: percent * (mean + half_width),
                marked: d.comparison.significant,
            })
        })
        .collect();
    DifferencePanel { label: panel.label.clone(), rows }
}

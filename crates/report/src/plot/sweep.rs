//! Draw metrics against a parameter: points with standard errors, one panel for each metric,
//! stacked over one axis.

use super::axis::{Axis, Frame, significant};
use super::header::{self, Entry, Sample};
use super::scene::Scene;
use super::style::{MARGIN, SeriesStyle, WIDTH, series, tint};
use super::{FigureError, Render, check};
use crate::words::figures;
use uqbench_judge::figures::{Sweep, SweepSeries};

/// Height of a panel's rectangle.
const HEIGHT: f64 = 205.0;
/// Gap between panels.
const GAP: f64 = 16.0;
/// Sideways shift between series at one parameter value, so that error bars do not cover each
/// other.
const SHIFT: f64 = 4.0;
/// Widest spread of the series at one parameter value.
const SPREAD: f64 = 12.0;

impl Render for Sweep {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without panels or a panel without a finite point, lengths that
    /// differ, a parameter that is not finite (not positive on a logarithmic axis), a negative
    /// standard error, or a bar or line that reaches zero on a logarithmic axis.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check_series(self)?;
        let names = names(self);
        let top = header::draw(scene, &self.title, &legend(self, &names), &notes(self), WIDTH);
        let frames = frames(self, top)?;
        let shift = SHIFT.min(SPREAD / (names.len().max(2) - 1) as f64);
        for (i, (panel, frame)) in self.panels.iter().zip(&frames).enumerate() {
            frame.grid(scene);
            for series in &panel.series {
                let place = names.iter().position(|name| *name == series.name).unwrap_or(0);
                let shift = (place as f64 - (names.len() - 1) as f64 / 2.0) * shift;
                draw_series(series, scene, frame, super::style::series(place), shift);
            }
            frame.axes(scene, i + 1 == self.panels.len());
        }
        let end = frames
            .last()
            .map_or(top, |frame| frame.bottom + frame.x.height_below(frame.right - frame.left));
        Ok((WIDTH, end + MARGIN))
    }
}

fn check_series(figure: &Sweep) -> Result<(), FigureError> {
    check::not_empty("the figure's panels", figure.panels.len())?;
    for panel in &figure.panels {
        for series in &panel.series {
            let name =
                |what: &str| format!("\"{}\", series \"{}\": {what}", panel.y_label, series.name);
            check::count(&name("mean"), series.mean.len(), series.x.len())?;
            check::count(&name("standard_error"), series.standard_error.len(), series.x.len())?;
            check::finite(&name("x"), &series.x)?;
            let known: Vec<f64> = series.standard_error.iter().flatten().copied().collect();
            check::not_negative(&name("standard_error"), &known)?;
            let (x, y): (Vec<f64>, Vec<f64>) = series.smooth.iter().flatten().copied().unzip();
            check::finite(&name("x of the smooth line"), &x)?;
            check::finite(&name("y of the smooth line"), &y)?;
            if figure.log_y {
                check::positive(&name("mean - standard_error"), &heights(series))?;
            }
            if figure.log_x {
                check::positive(&name("x"), &series.x)?;
                check::positive(&name("x of the smooth line"), &x)?;
            }
        }
        let points: usize = panel.series.iter().map(|series| points(series).count()).sum();
        check::not_empty(&format!("the finite points of \"{}\"", panel.y_label), points)?;
    }
    Ok(())
}

/// Names of all series in the order of their first appearance.
fn names(figure: &Sweep) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for series in figure.panels.iter().flat_map(|panel| &panel.series) {
        if !names.contains(&series.name.as_str()) {
            names.push(&series.name);
        }
    }
    names
}

fn legend(figure: &Sweep, names: &[&str]) -> Vec<Entry> {
    let drawn = |name: &str| {
        let mut all = figure.panels.iter().flat_map(|panel| &panel.series);
        all.any(|series| series.name == name && points(series).next().is_some())
    };
    let entry = |(place, name): (usize, &&str)| {
        let style = series(place);
        let line = Sample::Line(style.color, style.dash);
        drawn(name)
            .then(|| Entry::new(*name, &[line, Sample::Point(style.marker, style.color, false)]))
    };
    names.iter().enumerate().filter_map(entry).collect()
}

fn notes(figure: &Sweep) -> Vec<String> {
    let all = || figure.panels.iter().flat_map(|panel| &panel.series);
    let mut parts = Vec::new();
    if all().any(|series| series.standard_error.iter().flatten().any(|e| e.is_finite() && *e > 0.0))
    {
        parts.push(figures::ERROR_BARS);
    }
    if all().any(|series| series.smooth.is_some()) {
        parts.push(figures::LOCAL_REGRESSION);
    }
    let mut notes = if parts.is_empty() { vec![] } else { vec![parts.join(" ")] };
    for panel in &figure.panels {
        for series in &panel.series {
            let missing = series.mean.len() - points(series).count();
            if missing > 0 {
                let (name, label, n) = (&series.name, &panel.y_label, series.mean.len());
                notes.push(figures::missing_points(label, name, missing, n));
            }
        }
    }
    notes
}

/// Frames of the panels: one left edge and one horizontal axis for all.
fn frames(figure: &Sweep, top: f64) -> Result<Vec<Frame>, FigureError> {
    let all = || figure.panels.iter().flat_map(|panel| &panel.series);
    let places: Vec<f64> = all().flat_map(places).collect();
    let no_range = |what: &str| FigureError::Range { what: format!("\"{what}\"") };
    let x = Axis::covering(places, figure.log_x, 0.03, 9, &figure.x_label)
        .ok_or_else(|| no_range(&figure.x_label))?;
    let x = x.fitted(WIDTH - 120.0);
    let mut axes = Vec::new();
    for panel in &figure.panels {
        let heights: Vec<f64> = panel.series.iter().flat_map(heights).collect();
        let y = Axis::covering(heights, figure.log_y, 0.06, 5, &panel.y_label);
        axes.push(y.ok_or_else(|| no_range(&panel.y_label))?);
    }
    let left = MARGIN + axes.iter().map(|y| y.width_beside(HEIGHT)).fold(0.0, f64::max);
    let right = WIDTH - MARGIN - (x.number_width() / 2.0).max(4.0);
    let frame = |(i, y): (usize, Axis)| {
        let top = top + i as f64 * (HEIGHT + GAP);
        Frame { left, top, right, bottom: top + HEIGHT, x: x.clone(), y }
    };
    Ok(axes.into_iter().enumerate().map(frame).collect())
}

/// The points that can be drawn: x, mean, standard error (0 if unknown).
fn points(series: &SweepSeries) -> impl Iterator<Item = (f64, f64, f64)> {
    let triples = series.x.iter().zip(&series.mean).zip(&series.standard_error);
    triples
        .filter_map(|((x, mean), error)| Some((*x, finite(*mean)?, finite(*error).unwrap_or(0.0))))
}

/// The number, where it has a place on an axis.
fn finite(number: Option<f64>) -> Option<f64> {
    number.filter(|number| number.is_finite())
}

/// Runs of neighbouring points, by x, without a missing one between them.
fn runs(series: &SweepSeries) -> Vec<Vec<(f64, f64)>> {
    let mut points: Vec<(f64, Option<f64>)> =
        series.x.iter().copied().zip(series.mean.iter().copied().map(finite)).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let known = |run: &[(f64, Option<f64>)]| {
        run.iter().filter_map(|(x, mean)| Some((*x, (*mean)?))).collect()
    };
    points.split(|(_, mean)| mean.is_none()).map(known).collect()
}

fn places(series: &SweepSeries) -> Vec<f64> {
    points(series)
        .map(|(x, _, _)| x)
        .chain(series.smooth.iter().flatten().map(|(x, _)| *x))
        .collect()
}

fn heights(series: &SweepSeries) -> Vec<f64> {
    let bars = points(series).flat_map(|(_, mean, error)| [mean - error, mean + error]);
    bars.chain(series.smooth.iter().flatten().map(|(_, y)| *y)).collect()
}

fn draw_series(
    series: &SweepSeries,
    scene: &mut Scene,
    frame: &Frame,
    style: SeriesStyle,
    shift: f64,
) {
    let moved = |x: f64, y: f64| {
        let (px, py) = frame.at(x, y);
        (px + shift, py)
    };
    let points: Vec<_> = points(series).collect();
    // Where the points have a smooth line, their bars are paler than the line.
    let bar_color = tint(style.color, 0.6);
    for &(x, mean, error) in points.iter().filter(|(_, _, error)| *error > 0.0) {
        let (low, high) = (moved(x, mean - error), moved(x, mean + error));
        scene.line(low, high, 1.25, bar_color);
        for end in [low, high] {
            scene.line((end.0 - 2.5, end.1), (end.0 + 2.5, end.1), 1.25, bar_color);
        }
    }
    // A joined line stops at a missing point instead of bridging it.
    let lines: Vec<Vec<(f64, f64)>> = match &series.smooth {
        Some(smooth) => vec![smooth.iter().map(|&(x, y)| frame.at(x, y)).collect()],
        None => runs(series)
            .iter()
            .map(|run| run.iter().map(|&(x, mean)| moved(x, mean)).collect())
            .collect(),
    };
    for line in lines.iter().filter(|line| line.len() > 1) {
        scene.path(line, 2.0, style.color, style.dash);
    }
    for &(x, mean, error) in &points {
        scene.marker(moved(x, mean), style.marker, 3.5, style.color, false);
        let [at, value] = [x, mean].map(significant);
        let error = if error > 0.0 { format!(" ± {}", significant(error)) } else { String::new() };
        scene.tip(moved(x, mean), format!("{}, {at}: {value}{error}", series.name));
    }
}

//! Draw Gaussian processes of one feature: rows, mean and bands above; length scale, signal and
//! noise below.

use plotters::style::RGBColor;
use uqbench_judge::evidence::hyper_functions::HyperCurve;

use super::axis::{Axis, Frame, coordinate, significant};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{
    BLACK, BLUE, DASHED, DOTTED, LABEL, MARGIN, Marker, SOLID, VERMILLION, WIDTH, series, tint,
};
use super::tip::{known, spread};
use super::{FigureError, Render, check};
use crate::words::figures;
use uqbench_judge::figures::{HyperFunctions, HyperPanel};

/// Standard deviations on either side of the mean that hold 95 % of a normal distribution.
const REACH: f64 = 1.959_963_984_540_054;
/// Heights of the upper and of the lower panel.
const HEIGHTS: [f64; 2] = [230.0, 150.0];
/// Between them.
const GAP: f64 = 14.0;
/// Shares of the colours in the bands.
const BANDS: [f64; 2] = [0.3, 0.55];
/// Colour of the epistemic band, as in the paper: green; of the overall one: orange.
const GREEN: usize = 2;
const ORANGE: usize = 4;
/// Colours of the curves. They differ from the bands', because ω is not the epistemic variance.
const CURVES: [usize; 4] = [0, 1, 3, 5];

fn curve_color(place: usize) -> RGBColor {
    series(CURVES[place % CURVES.len()]).color
}

impl Render for HyperFunctions {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure or panel without points, lengths that differ, a number that is
    /// not finite, or a hyper-function that is not positive.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's panels", self.panels.len())?;
        self.panels.iter().enumerate().try_for_each(|(i, panel)| check_panel(panel, i + 1))?;
        let names = names(self);
        let mut top = header::draw(scene, &self.title, &legend(self, &names), &notes(self), WIDTH);
        for row in self.panels.chunks(2) {
            top = draw_row(scene, row, &names, top)?;
        }
        Ok((WIDTH, top + MARGIN))
    }
}

/// Names of all curves in the order of their first appearance.
fn names(figure: &HyperFunctions) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for curve in figure.panels.iter().flat_map(|panel| &panel.functions) {
        if !names.contains(&curve.name.as_str()) {
            names.push(&curve.name);
        }
    }
    names
}

fn legend(figure: &HyperFunctions, names: &[&str]) -> Vec<Entry> {
    let mut legend = vec![
        Entry::new("mean", &[Sample::Line(BLACK, SOLID)]),
        Entry::new("95 % of f (epistemic)", &[Sample::Box(tint(series(GREEN).color, BANDS[1]))]),
        Entry::new("95 % of y (overall)", &[Sample::Box(tint(series(ORANGE).color, BANDS[0]))]),
    ];
    if figure.panels.iter().any(|panel| panel.truth.is_some()) {
        legend.push(Entry::new("true f", &[Sample::Line(BLUE, DASHED)]));
    }
    let added = figure.panels.iter().any(|panel| panel.added.is_some());
    let rows = if added { "row known at the start" } else { "training row" };
    legend.push(Entry::new(rows, &[Sample::Point(Marker::Circle, BLACK, false)]));
    if added {
        legend.push(Entry::new("row added", &[Sample::Point(Marker::Triangle, VERMILLION, false)]));
    }
    let curve = |(place, name): (usize, &&str)| {
        Entry::new(*name, &[Sample::Line(curve_color(place), SOLID)])
    };
    legend.extend(names.iter().enumerate().map(curve));
    legend
}

fn notes(figure: &HyperFunctions) -> Vec<String> {
    let known =
        figure.panels.iter().flat_map(|panel| &panel.functions).any(|curve| curve.truth.is_some());
    if known { vec![figures::TRUE_FUNCTIONS.into()] } else { vec![] }
}

fn check_panel(panel: &HyperPanel, place: usize) -> Result<(), FigureError> {
    let name = |what: &str| format!("panel {place}: {what}");
    check::places(&name("x"), &panel.x)?;
    let columns = [("mean", &panel.mean), ("epistemic", &panel.epistemic), ("total", &panel.total)];
    for (what, column) in
        columns.into_iter().chain(panel.truth.iter().map(|truth| ("truth", truth)))
    {
        check::column(&name(what), column, &panel.x)?;
    }
    check::not_negative(&name("epistemic"), &panel.epistemic)?;
    check::not_negative(&name("total"), &panel.total)?;
    for (x, y) in std::iter::once(&panel.training).chain(&panel.added) {
        check::same_length(&name("y of the rows"), y, x)?;
        check::finite(&name("x of the rows"), x)?;
        check::finite(&name("y of the rows"), y)?;
    }
    for curve in &panel.functions {
        check::finite(&name("x of a hyper-function"), &curve.x)?;
        for values in std::iter::once(&curve.value).chain(&curve.truth) {
            check::same_length(&name(&curve.name), values, &curve.x)?;
            check::positive(&name(&curve.name), values)?;
        }
    }
    Ok(())
}

/// Every height that is drawn above.
fn heights(panel: &HyperPanel) -> Vec<f64> {
    let bands =
        panel.mean.iter().zip(&panel.total).flat_map(|(m, sd)| [m - REACH * sd, m + REACH * sd]);
    let rows = panel.training.1.iter().chain(panel.added.iter().flat_map(|(_, y)| y)).copied();
    bands.chain(rows).chain(panel.truth.iter().flatten().copied()).collect()
}

fn draw_fit(panel: &HyperPanel, scene: &mut Scene, frame: &Frame) {
    for (sd, place, share) in
        [(&panel.total, ORANGE, BANDS[0]), (&panel.epistemic, GREEN, BANDS[1])]
    {
        let edge = |i: usize, side: f64| frame.at(panel.x[i], panel.mean[i] + side * REACH * sd[i]);
        let upper = (0..panel.x.len()).map(|i| edge(i, 1.0));
        let lower = (0..panel.x.len()).rev().map(|i| edge(i, -1.0));
        scene.fill(upper.chain(lower).collect(), tint(series(place).color, share));
    }
    let mut line = |y: &[f64], color, dash| {
        let points: Vec<_> = panel.x.iter().zip(y).map(|(&x, &y)| frame.at(x, y)).collect();
        scene.path(&points, 1.75, color, dash);
    };
    if let Some(truth) = &panel.truth {
        line(truth, BLUE, DASHED);
    }
    line(&panel.mean, BLACK, SOLID);
    for (&x, &y) in panel.training.0.iter().zip(&panel.training.1) {
        scene.marker(frame.at(x, y), Marker::Circle, 2.0, BLACK, false);
    }
    for (&x, &y) in panel.added.iter().flat_map(|(x, y)| x.iter().zip(y)) {
        scene.marker(frame.at(x, y), Marker::Triangle, 3.5, VERMILLION, false);
    }
    for i in spread(panel.x.len()) {
        scene.tip(frame.at(panel.x[i], panel.mean[i]), words_of_fit(panel, i));
    }
    frame.axes(scene, panel.functions.is_empty());
}

/// The mean at a place, the bands about it, and the truth.
fn words_of_fit(panel: &HyperPanel, i: usize) -> String {
    let [mean, f, y] =
        [panel.mean[i], REACH * panel.epistemic[i], REACH * panel.total[i]].map(significant);
    let truth = known("true f", panel.truth.as_deref(), i);
    format!("mean, {}: {mean}, 95 % of f ± {f}, of y ± {y}{truth}", coordinate(panel.x[i]))
}

fn draw_functions(panel: &HyperPanel, scene: &mut Scene, frame: &Frame, names: &[&str]) {
    for curve in &panel.functions {
        let place = names.iter().position(|name| *name == curve.name).unwrap_or(0);
        let mut line = |y: &[f64], dash| {
            let points: Vec<_> = curve.x.iter().zip(y).map(|(&x, &y)| frame.at(x, y)).collect();
            scene.path(&points, 1.75, curve_color(place), dash);
        };
        line(&curve.value, SOLID);
        if let Some(truth) = &curve.truth {
            line(truth, DOTTED);
        }
        for i in spread(curve.x.len()) {
            scene.tip(frame.at(curve.x[i], curve.value[i]), words(curve, i));
        }
    }
    frame.axes(scene, true);
}

/// The value at a place, and the true one.
fn words(curve: &HyperCurve, i: usize) -> String {
    let truth = known("true", curve.truth.as_deref(), i);
    format!("{}, {}: {}{truth}", curve.name, coordinate(curve.x[i]), significant(curve.value[i]))
}

/// Draws one row of fits below `top`; returns the row's lower end.
fn draw_row(
    scene: &mut Scene,
    row: &[HyperPanel],
    names: &[&str],
    top: f64,
) -> Result<f64, FigureError> {
    let cell = (WIDTH - 2.0 * MARGIN) / row.len() as f64;
    let font = Font::bold(LABEL);
    let titles: Vec<Vec<String>> =
        row.iter().map(|panel| font.wrap(&panel.title, cell * 0.85)).collect();
    let title_height = titles.iter().map(Vec::len).max().unwrap_or(0) as f64 * font.line();
    let upper = top + title_height + 2.0;
    let mut end = upper;
    for (i, (panel, title)) in row.iter().zip(&titles).enumerate() {
        let no_range = || FigureError::Range { what: format!("panel \"{}\"", panel.title) };
        let y = Axis::covering(heights(panel), false, 0.04, 6, "y").ok_or_else(no_range)?;
        let values = panel
            .functions
            .iter()
            .flat_map(|c| c.value.iter().chain(c.truth.iter().flatten()).copied());
        let below = Axis::covering(values, true, 0.06, 4, &panel.functions_label);
        let places = panel
            .x
            .iter()
            .chain(&panel.training.0)
            .chain(panel.functions.iter().flat_map(|c| &c.x))
            .copied();
        let x = Axis::covering(places, false, 0.01, if row.len() > 1 { 5 } else { 9 }, "x")
            .ok_or_else(no_range)?;
        let beside = below.as_ref().map_or(0.0, |axis| axis.width_beside(HEIGHTS[1]));
        let left = MARGIN + cell * i as f64 + y.width_beside(HEIGHTS[0]).max(beside);
        let right = MARGIN + cell * (i + 1) as f64 - x.number_width() / 2.0 - 2.0;
        let x = x.fitted(right - left);
        let frame = Frame { left, top: upper, right, bottom: upper + HEIGHTS[0], x: x.clone(), y };
        for (k, line) in title.iter().enumerate() {
            let at = ((left + right) / 2.0, top + (k as f64 + 0.5) * font.line() - 2.0);
            scene.text(line, at, font, Align::Middle);
        }
        frame.grid(scene);
        draw_fit(panel, scene, &frame);
        let mut bottom = frame.bottom;
        if let Some(y) = below {
            let top = bottom + GAP;
            let frame = Frame { left, top, right, bottom: top + HEIGHTS[1], x: x.clone(), y };
            frame.grid(scene);
            draw_functions(panel, scene, &frame, names);
            bottom = frame.bottom;
        }
        end = end.max(bottom + x.height_below(right - left));
    }
    Ok(end + 10.0)
}

//! Draw predictions with one standard deviation on either side: a curve in its band, or test points
//! with error bars.

use super::axis::{Axis, Frame, coordinate, significant};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{BLACK, BLUE, LABEL, MARGIN, Marker, SOLID, VERMILLION, WIDTH, tint};
use super::tip::{known, spread};
use super::{FigureError, Render, check};
use plotters::style::RGBColor;
use uqbench_judge::figures::{BandPanel, Bands};

const BAND: f64 = 0.3;
/// Height of a panel's rectangle.
const HEIGHT: f64 = 300.0;
/// Points of a test set are drawn smaller beyond this many in a row, and tell no numbers.
const CROWD: usize = 160;

impl Render for Bands {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure or panel without points, lengths that differ, or a number that
    /// is not finite.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's panels", self.panels.len())?;
        self.panels.iter().enumerate().try_for_each(|(i, panel)| check_panel(panel, i + 1))?;
        let mut top = header::draw(scene, &self.title, &legend(self), &[], WIDTH);
        for row in self.panels.chunks(2) {
            top = draw_row(scene, row, top)?;
        }
        Ok((WIDTH, top + MARGIN))
    }
}

fn legend(figure: &Bands) -> Vec<Entry> {
    let (curves, points): (Vec<_>, Vec<_>) =
        figure.panels.iter().partition(|panel| panel.connected);
    let mut legend = Vec::new();
    let both = !curves.is_empty() && !points.is_empty();
    if curves.iter().any(|panel| panel.truth.is_some()) {
        legend.push(Entry::new("ground truth", &[Sample::Line(BLACK, SOLID)]));
    }
    if !curves.is_empty() {
        let band = [Sample::Box(tint(BLUE, BAND)), Sample::Line(VERMILLION, MEAN_DASH)];
        legend.push(Entry::new("prediction: mean ± 1 standard deviation", &band));
    }
    if curves.iter().any(|panel| panel.observed.is_some()) {
        let name = if both { "observed points" } else { "sample points" };
        legend.push(Entry::new(name, &[Sample::Point(Marker::Circle, BLACK, false)]));
    }
    if !points.is_empty() {
        let bar = [Sample::ErrorBar(BLUE), Sample::Point(Marker::Circle, BLUE, false)];
        legend.push(Entry::new("prediction: mean ± 1 standard deviation", &bar));
    }
    if points.iter().any(|panel| panel.observed.is_some()) {
        legend.push(Entry::new(
            "observed outcome",
            &[Sample::Point(Marker::Diamond, VERMILLION, false)],
        ));
    }
    legend
}

/// The mean is dashed, so that it can be distinguished from the truth without colour.
const MEAN_DASH: &[f64] = &[8.0, 3.0];

fn check_panel(panel: &BandPanel, place: usize) -> Result<(), FigureError> {
    let name = |what: &str| format!("panel {place}: {what}");
    check::places(&name("x"), &panel.x)?;
    check::column(&name("mean"), &panel.mean, &panel.x)?;
    check::column(&name("sd"), &panel.sd, &panel.x)?;
    check::not_negative(&name("sd"), &panel.sd)?;
    if let Some(truth) = &panel.truth {
        check::column(&name("truth"), truth, &panel.x)?;
    }
    if let Some((x, y)) = &panel.observed {
        check::finite(&name("x of the observations"), x)?;
        check::column(&name("y of the observations"), y, x)?;
    }
    Ok(())
}

/// Every height that is drawn.
fn heights(panel: &BandPanel) -> Vec<f64> {
    let mut heights = Vec::new();
    for (mean, sd) in panel.mean.iter().zip(&panel.sd) {
        heights.extend([mean - sd, mean + sd]);
    }
    if panel.connected {
        heights.extend(panel.truth.iter().flatten());
    }
    heights.extend(panel.observed.iter().flat_map(|(_, y)| y));
    heights
}

fn places(panel: &BandPanel) -> Vec<f64> {
    panel
        .x
        .iter()
        .copied()
        .chain(panel.observed.iter().flat_map(|(x, _)| x.iter().copied()))
        .collect()
}

fn draw_panel(panel: &BandPanel, scene: &mut Scene, frame: &Frame) {
    if panel.connected {
        draw_curve(panel, scene, frame);
    } else {
        draw_points(panel, scene, frame);
    }
    frame.axes(scene, true);
}

fn draw_curve(panel: &BandPanel, scene: &mut Scene, frame: &Frame) {
    let mut order: Vec<usize> = (0..panel.x.len()).collect();
    order.sort_by(|&a, &b| panel.x[a].total_cmp(&panel.x[b]));
    let upper = order.iter().map(|&i| frame.at(panel.x[i], panel.mean[i] + panel.sd[i]));
    let lower = order.iter().rev().map(|&i| frame.at(panel.x[i], panel.mean[i] - panel.sd[i]));
    scene.fill(upper.chain(lower).collect(), tint(BLUE, BAND));
    let mut curve = |y: &[f64], width: f64, color: RGBColor, dash| {
        let points: Vec<_> = order.iter().map(|&i| frame.at(panel.x[i], y[i])).collect();
        scene.path(&points, width, color, dash);
    };
    if let Some(truth) = &panel.truth {
        curve(truth, 1.75, BLACK, SOLID);
    }
    curve(&panel.mean, 2.0, VERMILLION, MEAN_DASH);
    for (&x, &y) in panel.observed.iter().flat_map(|(x, y)| x.iter().zip(y)) {
        scene.marker(frame.at(x, y), Marker::Circle, 3.25, BLACK, false);
    }
    for i in spread(order.len()).map(|i| order[i]) {
        let words = words(panel, i) + &known("truth", panel.truth.as_deref(), i);
        scene.tip(frame.at(panel.x[i], panel.mean[i]), words);
    }
}

/// The prediction at a point.
fn words(panel: &BandPanel, i: usize) -> String {
    let [mean, sd] = [panel.mean[i], panel.sd[i]].map(significant);
    format!("prediction, {}: {mean} ± {sd}", coordinate(panel.x[i]))
}

fn draw_points(panel: &BandPanel, scene: &mut Scene, frame: &Frame) {
    let radius = if panel.x.len() > CROWD { 2.0 } else { 2.75 };
    for ((&x, &mean), &sd) in panel.x.iter().zip(&panel.mean).zip(&panel.sd) {
        let (low, high) = (frame.at(x, mean - sd), frame.at(x, mean + sd));
        scene.line(low, high, 1.25, tint(BLUE, 0.75));
        for end in [low, high] {
            scene.line(
                (end.0 - radius * 0.8, end.1),
                (end.0 + radius * 0.8, end.1),
                1.25,
                tint(BLUE, 0.75),
            );
        }
    }
    for (&x, &mean) in panel.x.iter().zip(&panel.mean) {
        scene.marker(frame.at(x, mean), Marker::Circle, radius, BLUE, false);
    }
    for (&x, &y) in panel.observed.iter().flat_map(|(x, y)| x.iter().zip(y)) {
        scene.marker(frame.at(x, y), Marker::Diamond, radius * 0.9, VERMILLION, false);
    }
    // In a crowd, only some points could tell their numbers, and nothing would tell which.
    if panel.x.len() <= CROWD {
        for (i, (&x, &mean)) in panel.x.iter().zip(&panel.mean).enumerate() {
            scene.tip(frame.at(x, mean), words(panel, i));
        }
        for (&x, &y) in panel.observed.iter().flat_map(|(x, y)| x.iter().zip(y)) {
            scene.tip(frame.at(x, y), format!("outcome, {}: {}", coordinate(x), significant(y)));
        }
    }
}

/// Draws one row of panels below `top`; returns the row's lower end.
fn draw_row(scene: &mut Scene, row: &[BandPanel], top: f64) -> Result<f64, FigureError> {
    let cell = (WIDTH - 2.0 * MARGIN) / row.len() as f64;
    let title_font = Font::bold(LABEL);
    let titles: Vec<Vec<String>> =
        row.iter().map(|panel| title_font.wrap(&panel.title, cell * 0.8)).collect();
    let title_height = titles.iter().map(Vec::len).max().unwrap_or(0) as f64 * title_font.line();
    let (upper, lower) = (top + title_height + 2.0, top + title_height + 2.0 + HEIGHT);
    let shared = shared_heights(row);
    let mut end = lower;
    for (i, (panel, title)) in row.iter().zip(&titles).enumerate() {
        let no_range = || FigureError::Range { what: format!("panel \"{}\"", panel.title) };
        let heights = shared.clone().unwrap_or_else(|| heights(panel));
        let y = Axis::covering(heights, false, 0.04, 6, &panel.y_label).ok_or_else(no_range)?;
        let margin = if panel.connected { 0.01 } else { 0.02 };
        let count = if row.len() > 1 { 5 } else { 9 };
        let x = Axis::covering(places(panel), false, margin, count, &panel.x_label)
            .ok_or_else(no_range)?;
        let left = MARGIN + cell * i as f64 + y.width_beside(HEIGHT);
        let right = MARGIN + cell * (i + 1) as f64 - x.number_width() / 2.0 - 2.0;
        let frame = Frame { left, top: upper, right, bottom: lower, x: x.fitted(right - left), y };
        for (k, line) in title.iter().enumerate() {
            let at = ((left + right) / 2.0, top + (k as f64 + 0.5) * title_font.line() - 2.0);
            scene.text(line, at, title_font, Align::Middle);
        }
        frame.grid(scene);
        draw_panel(panel, scene, &frame);
        end = end.max(lower + frame.x.height_below(right - left));
    }
    Ok(end + 8.0)
}

/// The heights of all panels of a row, where the panels show the same quantity at about the same
/// scale, so that they can be compared by eye.
fn shared_heights(row: &[BandPanel]) -> Option<Vec<f64>> {
    let first = row.first()?;
    let size = |heights: &[f64]| {
        super::axis::span(heights.iter().copied()).map_or(0.0, |(low, high)| high - low)
    };
    let all: Vec<f64> = row.iter().flat_map(heights).collect();
    let narrowest = row.iter().map(|panel| size(&heights(panel))).fold(f64::INFINITY, f64::min);
    let same =
        row.iter().all(|panel| panel.y_label == first.y_label) && size(&all) <= 2.0 * narrowest;
    same.then_some(all)
}

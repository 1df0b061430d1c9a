//! Draw kernel regressions of one feature in three tubes of one standard deviation, panels in rows
//! of three.

use super::axis::{Axis, Frame, coordinate, significant};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{BLACK, BLUE, DASHED, LABEL, MARGIN, SOLID, VERMILLION, WIDTH, series, tint};
use super::tip::{known, spread};
use super::{FigureError, Render, check};
use crate::words::figures;
use plotters::style::RGBColor;
use uqbench_judge::figures::{TubePanel, Tubes};

/// Height of a panel's rectangle.
const HEIGHT: f64 = 165.0;
/// Half the size of a cross.
const CROSS: f64 = 2.5;

/// Light grey, dark grey, green, as in the paper.
fn colours() -> [RGBColor; 3] {
    [tint(BLACK, 0.14), tint(BLACK, 0.38), tint(series(2).color, 0.75)]
}

/// A cross at each of the coordinates.
pub(super) fn crosses(scene: &mut Scene, frame: &Frame, (x, y): (&[f64], &[f64])) {
    for (x, y) in x.iter().zip(y) {
        let (u, v) = frame.at(*x, *y);
        scene.line((u - CROSS, v - CROSS), (u + CROSS, v + CROSS), 1.0, BLACK);
        scene.line((u - CROSS, v + CROSS), (u + CROSS, v - CROSS), 1.0, BLACK);
    }
}

impl Render for Tubes {
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
        let mut legend: Vec<Entry> = vec![Entry::new("mean", &[Sample::Line(VERMILLION, DASHED)])];
        if self.panels.iter().any(|panel| panel.truth.is_some()) {
            legend.push(Entry::new("true function", &[Sample::Line(BLUE, SOLID)]));
        }
        legend.extend(
            self.names
                .iter()
                .zip(colours())
                .rev()
                .map(|(name, c)| Entry::new(name, &[Sample::Box(c)])),
        );
        let notes = [figures::TUBES.to_owned()];
        let mut top = header::draw(scene, &self.title, &legend, &notes, WIDTH);
        // One scale for all, so that widths can be compared by eye.
        let heights: Vec<f64> = self.panels.iter().flat_map(heights).collect();
        let rows = self.panels.len().div_ceil(3);
        for (i, row) in self.panels.chunks(3).enumerate() {
            top = draw_row(scene, row, &self.names, &heights, top, i + 1 == rows)?;
        }
        Ok((WIDTH, top + MARGIN))
    }
}

fn check_panel(panel: &TubePanel, place: usize) -> Result<(), FigureError> {
    let name = |what: &str| format!("panel {place}: {what}");
    check::places(&name("x"), &panel.x)?;
    for (what, column) in
        [("mean", &panel.mean)].into_iter().chain(panel.truth.iter().map(|t| ("truth", t)))
    {
        check::column(&name(what), column, &panel.x)?;
    }
    for tube in &panel.tubes {
        check::column(&name("standard deviation"), tube, &panel.x)?;
        check::not_negative(&name("standard deviation"), tube)?;
    }
    check::same_length(&name("y of the rows"), &panel.training.1, &panel.training.0)?;
    check::finite(&name("x of the rows"), &panel.training.0)?;
    check::finite(&name("y of the rows"), &panel.training.1)
}

fn heights(panel: &TubePanel) -> Vec<f64> {
    let edges = panel.mean.iter().zip(&panel.tubes[0]).flat_map(|(m, sd)| [m - sd, m + sd]);
    edges
        .chain(panel.truth.iter().flatten().copied())
        .chain(panel.training.1.iter().copied())
        .collect()
}

fn draw_panel(panel: &TubePanel, scene: &mut Scene, frame: &Frame, names: &[String; 3]) {
    frame.grid(scene);
    for (tube, colour) in panel.tubes.iter().zip(colours()) {
        let edge = |i: usize, side: f64| frame.at(panel.x[i], panel.mean[i] + side * tube[i]);
        let upper = (0..panel.x.len()).map(|i| edge(i, 1.0));
        let lower = (0..panel.x.len()).rev().map(|i| edge(i, -1.0));
        scene.fill(upper.chain(lower).collect(), colour);
    }
    let mut line = |y: &[f64], colour, dash| {
        let points: Vec<_> = panel.x.iter().zip(y).map(|(x, y)| frame.at(*x, *y)).collect();
        scene.path(&points, 1.75, colour, dash);
    };
    if let Some(truth) = &panel.truth {
        line(truth, BLUE, SOLID);
    }
    line(&panel.mean, VERMILLION, DASHED);
    crosses(scene, frame, (&panel.training.0, &panel.training.1));
    for i in spread(panel.x.len()) {
        scene.tip(frame.at(panel.x[i], panel.mean[i]), words(panel, i, names));
    }
}

/// The mean at a place, the tubes about it, and the truth.
fn words(panel: &TubePanel, i: usize, names: &[String; 3]) -> String {
    let tube = |(name, tube): (&String, &Vec<f64>)| format!(", {name} ± {}", significant(tube[i]));
    let tubes: String = names.iter().zip(&panel.tubes).map(tube).collect();
    let truth = known("true function", panel.truth.as_deref(), i);
    format!("mean, {}: {}{tubes}{truth}", coordinate(panel.x[i]), significant(panel.mean[i]))
}

/// Draws one row of panels below `top`; returns its lower end.
fn draw_row(
    scene: &mut Scene,
    row: &[TubePanel],
    names: &[String; 3],
    heights: &[f64],
    top: f64,
    last: bool,
) -> Result<f64, FigureError> {
    let font = Font::bold(LABEL);
    let beside = {
        let no_range = || FigureError::Range { what: "heights".into() };
        Axis::covering(heights.iter().copied(), false, 0.03, 5, "y").ok_or_else(no_range)?
    };
    let room = beside.width_beside(HEIGHT);
    let cell = (WIDTH - 2.0 * MARGIN) / 3.0;
    let (upper, lower) = (top + font.line(), top + font.line() + HEIGHT);
    let mut end = lower;
    for (i, panel) in row.iter().enumerate() {
        let no_range = || FigureError::Range { what: format!("panel \"{}\"", panel.title) };
        let x =
            Axis::covering(panel.x.iter().copied(), false, 0.02, 5, if last { "x" } else { "" });
        let left = MARGIN + cell * i as f64 + room;
        let right = MARGIN + cell * (i + 1) as f64 - 8.0;
        let x = x.ok_or_else(no_range)?.fitted(right - left);
        let mut y = beside.clone();
        if i > 0 {
            y.label = String::new();
        }
        let frame = Frame { left, top: upper, right, bottom: lower, x, y };
        scene.text(
            &panel.title,
            ((left + right) / 2.0, top + 0.5 * font.line() - 1.0),
            font,
            Align::Middle,
        );
        draw_panel(panel, scene, &frame, names);
        frame.axes(scene, true);
        end = end.max(lower + frame.x.height_below(right - left));
    }
    Ok(end + 8.0)
}

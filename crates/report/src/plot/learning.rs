//! Draw the curves of a sequential protocol: means over repetitions, with pointwise 95 % intervals
//! of these means.

use super::axis::{Axis, Frame, coordinate, significant};
use super::header::{self, Entry, Sample};
use super::scene::Scene;
use super::style::{BLACK, MARGIN, WIDTH, series, tint};
use super::tip::spread;
use super::{FigureError, Render, check};
use crate::words::figures;
use uqbench_judge::figures::{Learning, LearningCurve};

/// Heights of the upper and of the lower panel.
const HEIGHTS: [f64; 2] = [300.0, 150.0];
/// Between them.
const GAP: f64 = 14.0;
/// Look of the difference, after those of two curves.
const DIFFERENCE: usize = 2;

impl Render for Learning {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without curves, lengths that differ, or a number that is not
    /// finite.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's curves", self.curves.len())?;
        self.curves.iter().chain(&self.difference).try_for_each(check_curve)?;
        let entry = |place: usize, curve: &LearningCurve| {
            let style = series(place);
            Entry::new(
                &curve.name,
                &[Sample::Box(tint(style.color, BAND)), Sample::Line(style.color, style.dash)],
            )
        };
        let mut legend: Vec<Entry> =
            self.curves.iter().enumerate().map(|(place, curve)| entry(place, curve)).collect();
        legend.extend(self.difference.iter().map(|curve| entry(DIFFERENCE, curve)));
        let n = self.curves.iter().map(|curve| curve.repetitions).min().unwrap_or(0);
        let note = figures::learning_curves(n, self.difference.is_some());
        let top = header::draw(scene, &self.title, &legend, &[note], WIDTH);
        let places = self.curves.iter().flat_map(|curve| curve.x.iter().copied());
        let no_range = |what: &str| FigureError::Range { what: format!("\"{what}\"") };
        let x = Axis::covering(places, false, 0.01, 9, &self.x_label)
            .ok_or_else(|| no_range(&self.x_label))?;
        let axis = |curves: &[&LearningCurve], level: Option<f64>, count, label: &str| {
            let heights =
                curves.iter().flat_map(|curve| edges(curve)).flat_map(|(low, high)| [low, high]);
            Axis::covering(heights.chain(level), false, 0.04, count, label)
                .ok_or_else(|| no_range(label))
        };
        let above: Vec<&LearningCurve> = self.curves.iter().collect();
        let upper = axis(&above, None, 6, &self.y_label)?;
        let lower = self
            .difference
            .as_ref()
            .map(|curve| axis(&[curve], Some(0.0), 4, "Difference"))
            .transpose()?;
        let beside = lower.as_ref().map_or(0.0, |axis| axis.width_beside(HEIGHTS[1]));
        let left = MARGIN + upper.width_beside(HEIGHTS[0]).max(beside);
        let right = WIDTH - MARGIN - x.number_width() / 2.0;
        let x = x.fitted(right - left);
        let frame = Frame { left, top, right, bottom: top + HEIGHTS[0], x: x.clone(), y: upper };
        let looks: Vec<(usize, &LearningCurve)> = self.curves.iter().enumerate().collect();
        draw_curves(scene, &frame, &looks, lower.is_none());
        let mut bottom = frame.bottom;
        if let (Some(curve), Some(y)) = (&self.difference, lower) {
            let frame = Frame {
                left,
                top: bottom + GAP,
                right,
                bottom: bottom + GAP + HEIGHTS[1],
                x: x.clone(),
                y,
            };
            draw_curves(scene, &frame, &[(DIFFERENCE, curve)], true);
            scene.line(frame.at(x.low, 0.0), frame.at(x.high, 0.0), 1.0, BLACK);
            bottom = frame.bottom;
        }
        Ok((WIDTH, bottom + x.height_below(right - left) + MARGIN))
    }
}

/// Draws curves with their places in the legend, each in its band.
pub(super) fn draw_curves(
    scene: &mut Scene,
    frame: &Frame,
    curves: &[(usize, &LearningCurve)],
    numbers_below: bool,
) {
    frame.grid(scene);
    let edge = |curve: &LearningCurve, choose: fn((f64, f64)) -> f64| -> Vec<(f64, f64)> {
        curve.x.iter().zip(edges(curve)).map(|(x, ends)| frame.at(*x, choose(ends))).collect()
    };
    // All bands first, so that none covers a line; translucent, so that overlapping bands are all
    // visible.
    for (place, curve) in curves.iter().filter(|(_, curve)| curve.half_width.is_some()) {
        let (upper, lower) = (edge(curve, |ends| ends.1), edge(curve, |ends| ends.0));
        let outline = upper.into_iter().chain(lower.into_iter().rev()).collect();
        scene.fill_translucent(outline, series(*place).color, BAND);
    }
    for (place, curve) in curves.iter().filter(|(_, curve)| curve.half_width.is_some()) {
        for outline in [edge(curve, |ends| ends.1), edge(curve, |ends| ends.0)] {
            scene.path(&outline, 1.0, tint(series(*place).color, 0.6), series(*place).dash);
        }
    }
    for (place, curve) in curves {
        let points: Vec<_> =
            curve.x.iter().zip(&curve.mean).map(|(&x, &y)| frame.at(x, y)).collect();
        scene.path(&points, 2.0, series(*place).color, series(*place).dash);
        for i in spread(points.len()) {
            scene.tip(points[i], words(curve, i));
        }
    }
    frame.axes(scene, numbers_below);
}

/// Opacity of a band.
pub(super) const BAND: f64 = 0.22;

pub(super) fn check_curve(curve: &LearningCurve) -> Result<(), FigureError> {
    let name = |what: &str| format!("curve \"{}\": {what}", curve.name);
    check::places(&name("x"), &curve.x)?;
    check::column(&name("mean"), &curve.mean, &curve.x)?;
    if let Some(half_width) = &curve.half_width {
        check::column(&name("half_width"), half_width, &curve.x)?;
        check::not_negative(&name("half_width"), half_width)?;
    }
    Ok(())
}

/// Mean and band at a step.
fn words(curve: &LearningCurve, step: usize) -> String {
    let mean = curve.mean[step];
    let band = curve.half_width.as_ref().map_or_else(String::new, |widths| {
        let [low, high] = [mean - widths[step], mean + widths[step]].map(significant);
        format!(", band {low} to {high}")
    });
    format!("{}, {}: {}{band}", curve.name, coordinate(curve.x[step]), significant(mean))
}

/// Lower and upper end of the band at each step; the mean twice without one.
pub(super) fn edges(curve: &LearningCurve) -> impl Iterator<Item = (f64, f64)> + '_ {
    let reach = |i: usize| curve.half_width.as_ref().map_or(0.0, |widths| widths[i]);
    curve.mean.iter().enumerate().map(move |(i, mean)| (mean - reach(i), mean + reach(i)))
}

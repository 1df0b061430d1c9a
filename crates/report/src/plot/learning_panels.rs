//! Draw learning curves in rows of panels: means over repetitions in bands of one standard error.

use super::axis::{Axis, Frame};
use super::counts::least_to_most;
use super::far_points::{Near, near};
use super::header::{self, Entry, Sample};
use super::learning::{BAND, check_curve, draw_curves, edges};
use super::scene::{Align, Font, Scene};
use super::style::{BLACK, LABEL, MARGIN, WIDTH, series, tint};
use super::{FigureError, Render, check};
use crate::words::figures;
use uqbench_judge::figures::{LearningCurve, LearningPanel, LearningPanels};

/// Height of a panel's rectangle.
const HEIGHT: f64 = 170.0;
/// Room between the panels of a row, and right of the last one.
const GAP: f64 = 14.0;

impl Render for LearningPanels {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without panels, a panel without curves, lengths that differ, or
    /// a number that is not finite.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        self.panels.iter().flat_map(|panel| &panel.curves).try_for_each(check_curve)?;
        let near: Vec<Near> = self.panels.iter().map(|panel| near(&panel.curves)).collect();
        let axes = axes(self, &near)?;
        let across = self.across.clamp(1, self.panels.len());
        let beside = axes.iter().map(|(_, y)| y.width_beside(HEIGHT)).fold(0.0, f64::max);
        let cell = ((WIDTH - 2.0 * MARGIN) / across as f64).max((beside + 150.0).ceil());
        let width = 2.0 * MARGIN + cell * across as f64;
        let names = names(self);
        let mut top = header::draw(scene, &self.title, &legend(&names), &notes(self, &near), width);
        let font = Font::bold(LABEL);
        let panels: Vec<(&LearningPanel, &Near)> = self.panels.iter().zip(&near).collect();
        for (panels, axes) in panels.chunks(across).zip(axes.chunks(across)) {
            let upper = top + font.line() + 4.0;
            let mut end = upper + HEIGHT;
            for (i, ((panel, near), (x, y))) in panels.iter().zip(axes).enumerate() {
                let left = MARGIN + cell * i as f64 + beside;
                let right = MARGIN + cell * (i + 1) as f64 - GAP;
                let (x, y) = (x.clone().fitted(right - left), y.clone());
                let frame = Frame { left, top: upper, right, bottom: upper + HEIGHT, x, y };
                scene.text(
                    &panel.title,
                    ((left + right) / 2.0, top + 0.5 * font.line()),
                    font,
                    Align::Middle,
                );
                let look = |curve: &LearningCurve| {
                    names.iter().position(|name| *name == curve.name).unwrap_or(0)
                };
                let looks: Vec<(usize, &LearningCurve)> =
                    near.curves.iter().map(|one| (look(one), one)).collect();
                draw_curves(scene, &frame, &looks, true);
                if self.differences {
                    scene.line(frame.at(frame.x.low, 0.0), frame.at(frame.x.high, 0.0), 1.0, BLACK);
                }
                end = end.max(frame.bottom + frame.x.height_below(right - left));
            }
            top = end + GAP;
        }
        Ok((width, top - GAP + MARGIN))
    }
}

/// The axes of each panel; only the first panel of a row names the values.
fn axes(figure: &LearningPanels, near: &[Near]) -> Result<Vec<(Axis, Axis)>, FigureError> {
    check::not_empty("the figure's panels", figure.panels.len())?;
    let zero = figure.differences.then_some(0.0);
    let axes = |(i, (panel, near)): (usize, (&LearningPanel, &Near))| {
        check::not_empty(&format!("the curves of \"{}\"", panel.title), panel.curves.len())?;
        let no_range = || FigureError::Range { what: format!("\"{}\"", panel.title) };
        let places = panel.curves.iter().flat_map(|curve| curve.x.iter().copied());
        let heights = near.curves.iter().flat_map(edges).flat_map(|(low, high)| [low, high]);
        let label = if i % figure.across.max(1) == 0 { figure.y_label.as_str() } else { "" };
        let x = Axis::covering(places, false, 0.02, 6, &figure.x_label).ok_or_else(no_range)?;
        let y = Axis::covering(heights.chain(zero), false, 0.05, 5, label).ok_or_else(no_range)?;
        Ok((x, y))
    };
    figure.panels.iter().zip(near).enumerate().map(axes).collect()
}

/// Names of all curves in the order of their first appearance.
fn names(figure: &LearningPanels) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for curve in figure.panels.iter().flat_map(|panel| &panel.curves) {
        if !names.contains(&curve.name.as_str()) {
            names.push(&curve.name);
        }
    }
    names
}

fn notes(figure: &LearningPanels, near: &[Near]) -> Vec<String> {
    let counts =
        figure.panels.iter().flat_map(|panel| &panel.curves).map(|curve| curve.repetitions);
    let mut notes = vec![figures::curves(&least_to_most(counts), figure.differences)];
    for panel in figure.panels.iter().filter(|panel| panel.left_out > 0) {
        notes.push(figures::not_finite(&panel.title, panel.left_out));
    }
    notes
        .extend(figure.panels.iter().zip(near).filter_map(|(panel, near)| near.note(&panel.title)));
    notes
}

fn legend(names: &[&str]) -> Vec<Entry> {
    let entry = |(place, name): (usize, &&str)| {
        let style = series(place);
        Entry::new(
            *name,
            &[Sample::Box(tint(style.color, BAND)), Sample::Line(style.color, style.dash)],
        )
    };
    names.iter().enumerate().map(entry).collect()
}

//! Draw the noise and the error that methods state beside the true ones, with a row of small panels
//! for each method.

use super::axis::{Axis, Frame, coordinate, significant};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{BLUE, DASHED, LABEL, MARGIN, SOLID, VERMILLION, tint};
use super::tip::{known, spread};
use super::{FigureError, Render, check};
use crate::words::figures;
use uqbench_judge::figures::{VariancePanel, Variances};

/// Height of a panel.
const HEIGHT: f64 = 92.0;
/// Width of a panel.
const PANEL: f64 = 205.0;
/// Space between panels.
const GAP: f64 = 12.0;
/// Width of the names of rows.
const NAMES: f64 = 118.0;
/// Shares of the colours in the thick lines of the truth.
const TRUTH: f64 = 0.42;
/// The axis begins at most this many times below the smallest noise.
const DEEPEST: f64 = 20.0;

impl Render for Variances {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without panels, lengths that differ, and a number that is
    /// negative or not finite.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        panels(self).enumerate().try_for_each(|(i, panel)| check_panel(panel, i + 1))?;
        check::not_empty("the figure's panels", panels(self).count())?;
        let no_range = || FigureError::Range { what: "the standard deviations".into() };
        let y = heights(self).ok_or_else(no_range)?;
        let places = panels(self).flat_map(|panel| panel.x.iter().copied());
        let x = Axis::covering(places, false, 0.0, 4, "x").ok_or_else(no_range)?.fitted(PANEL);
        let beside = y.width_beside(HEIGHT);
        let count = self.columns.len() as f64;
        let width = (2.0 * MARGIN + NAMES + beside + count * (PANEL + GAP)).ceil();
        let mut top = header::draw(scene, &self.title, &legend(), &notes(self), width);
        let left = |column: usize| MARGIN + NAMES + beside + column as f64 * (PANEL + GAP);
        let font = Font::bold(LABEL);
        let titles: Vec<Vec<String>> =
            self.columns.iter().map(|title| font.wrap(title, PANEL)).collect();
        for (column, title) in titles.iter().enumerate() {
            for (k, line) in title.iter().enumerate() {
                let at = (left(column) + PANEL / 2.0, top + (k as f64 + 0.5) * font.line() - 2.0);
                scene.text(line, at, font, Align::Middle);
            }
        }
        top += titles.iter().map(Vec::len).max().unwrap_or(0) as f64 * font.line() + 2.0;
        for (place, (name, panels)) in self.rows.iter().enumerate() {
            let lines = font.wrap(name, NAMES - 6.0);
            for (k, line) in lines.iter().enumerate() {
                let middle = top
                    + HEIGHT / 2.0
                    + (k as f64 - (lines.len() as f64 - 1.0) / 2.0) * font.line();
                scene.text(line, (MARGIN, middle), font, Align::Start);
            }
            let last = place + 1 == self.rows.len();
            let mut first = true;
            for (column, panel) in panels.iter().enumerate() {
                let Some(panel) = panel else { continue };
                let (left, right) = (left(column), left(column) + PANEL);
                let frame =
                    Frame { left, top, right, bottom: top + HEIGHT, x: x.clone(), y: y.clone() };
                frame.grid(scene);
                draw_panel(panel, scene, &frame);
                if std::mem::take(&mut first) {
                    frame.axes(scene, last);
                } else {
                    frame.axis_below(scene, last);
                }
            }
            top += HEIGHT + GAP;
        }
        Ok((width, top + x.height_below(PANEL) + MARGIN))
    }
}

fn panels(figure: &Variances) -> impl Iterator<Item = &VariancePanel> {
    figure.rows.iter().flat_map(|(_, panels)| panels.iter().flatten())
}

/// One logarithmic axis for all panels; values far below the noise do not extend it.
fn heights(figure: &Variances) -> Option<Axis> {
    let positive = |values: &f64| *values > 0.0;
    let noise = panels(figure).flat_map(|panel| &panel.noise).copied().filter(positive);
    let deepest = noise.fold(f64::INFINITY, f64::min) / DEEPEST;
    let all = panels(figure).flat_map(lines).flatten().copied().filter(positive);
    Axis::covering(all.map(|v| v.max(deepest)), true, 0.03, 4, "standard deviation")
}

fn notes(figure: &Variances) -> Vec<String> {
    let mut notes = vec![figures::VARIANCES.to_owned()];
    if panels(figure).any(|panel| panel.aleatoric.is_none() || panel.epistemic.is_none()) {
        notes.push(figures::NO_THIN_LINE.into());
    }
    notes
}

fn legend() -> Vec<Entry> {
    vec![
        Entry::new("true noise", &[Sample::Box(tint(BLUE, TRUTH))]),
        Entry::new("aleatoric, as stated", &[Sample::Line(BLUE, SOLID)]),
        Entry::new(
            "true error of the mean (root mean square)",
            &[Sample::Box(tint(VERMILLION, TRUTH))],
        ),
        Entry::new("epistemic, as stated", &[Sample::Line(VERMILLION, DASHED)]),
    ]
}

fn lines(panel: &VariancePanel) -> impl Iterator<Item = &Vec<f64>> {
    [&panel.noise, &panel.error].into_iter().chain(&panel.aleatoric).chain(&panel.epistemic)
}

fn check_panel(panel: &VariancePanel, place: usize) -> Result<(), FigureError> {
    let name = |what: &str| format!("panel {place}: {what}");
    check::places(&name("x"), &panel.x)?;
    for line in lines(panel) {
        check::column(&name("standard deviations"), line, &panel.x)?;
        check::not_negative(&name("standard deviations"), line)?;
    }
    Ok(())
}

fn draw_panel(panel: &VariancePanel, scene: &mut Scene, frame: &Frame) {
    let at = |(&x, &y): (&f64, &f64)| frame.at(x, y.clamp(frame.y.low, frame.y.high));
    let mut line = |values: &[f64], width, color, dash| {
        scene.path(&panel.x.iter().zip(values).map(at).collect::<Vec<_>>(), width, color, dash);
    };
    line(&panel.noise, 7.0, tint(BLUE, TRUTH), SOLID);
    line(&panel.error, 5.0, tint(VERMILLION, TRUTH), SOLID);
    if let Some(aleatoric) = &panel.aleatoric {
        line(aleatoric, 1.75, BLUE, SOLID);
    }
    if let Some(epistemic) = &panel.epistemic {
        line(epistemic, 1.75, VERMILLION, DASHED);
    }
    let pairs = [
        ("noise", &panel.noise, &panel.aleatoric),
        ("error of the mean", &panel.error, &panel.epistemic),
    ];
    for (name, truth, stated) in pairs {
        let words = |i: usize| {
            let stated = known("stated", stated.as_deref(), i);
            format!("{name}, {}: true {}{stated}", coordinate(panel.x[i]), significant(truth[i]))
        };
        for line in std::iter::once(truth).chain(stated) {
            for i in spread(panel.x.len()) {
                scene.tip(at((&panel.x[i], &line[i])), words(i));
            }
        }
    }
}

//! Draw the noise and the error that methods state beside the true ones, with a row of small panels for each method.

use super::axis::{Axis, Frame, coordinate, significant};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{BLUE, DASHED, LABEL, MARGIN, SOLID, VERMILLION, tint};
use super::tip::{known, spread};
use super::{FigureError, Render, check};

/// Rows of panels that share both axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Variances {
    /// Title of the figure.
    pub title: String,
    /// Titles of the columns, one for each dataset.
    pub columns: Vec<String>,
    /// Name and panels of each row, one panel for each column; `None` leaves its place empty.
    pub rows: Vec<(String, Vec<Option<VariancePanel>>)>,
}

/// Standard deviations at n inputs, in the order of x. Zero lies below every axis.
#[derive(Clone, Debug, PartialEq)]
pub struct VariancePanel {
    /// Inputs, n.
    pub x: Vec<f64>,
    /// True standard deviation of the noise, n.
    pub noise: Vec<f64>,
    /// Root mean squared error of the mean, n.
    pub error: Vec<f64>,
    /// Stated aleatoric standard deviation, n, where there is one.
    pub aleatoric: Option<Vec<f64>>,
    /// Stated epistemic standard deviation, n, where there is one.
    pub epistemic: Option<Vec<f64>>,
}

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
    /// [`FigureError`] for a figure without panels, lengths that differ, and a number that is negative or not finite.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        self.panels().enumerate().try_for_each(|(i, panel)| panel.check(i + 1))?;
        check::not_empty("the figure's panels", self.panels().count())?;
        let no_range = || FigureError::Range { what: "the standard deviations".into() };
        let y = self.heights().ok_or_else(no_range)?;
        let places = self.panels().flat_map(|panel| panel.x.iter().copied());
        let x = Axis::covering(places, false, 0.0, 4, "x").ok_or_else(no_range)?.fitted(PANEL);
        let beside = y.width_beside(HEIGHT);
        let count = self.columns.len() as f64;
        let width = (2.0 * MARGIN + NAMES + beside + count * (PANEL + GAP)).ceil();
        let mut top = header::draw(scene, &self.title, &legend(), &self.notes(), width);
        let left = |column: usize| MARGIN + NAMES + beside + column as f64 * (PANEL + GAP);
        let font = Font::bold(LABEL);
        let titles: Vec<Vec<String>> = self.columns.iter().map(|title| font.wrap(title, PANEL)).collect();
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
                let middle = top + HEIGHT / 2.0 + (k as f64 - (lines.len() as f64 - 1.0) / 2.0) * font.line();
                scene.text(line, (MARGIN, middle), font, Align::Start);
            }
            let last = place + 1 == self.rows.len();
            let mut first = true;
            for (column, panel) in panels.iter().enumerate() {
                let Some(panel) = panel else { continue };
                let (left, right) = (left(column), left(column) + PANEL);
                let frame = Frame { left, top, right, bottom: top + HEIGHT, x: x.clone(), y: y.clone() };
                frame.grid(scene);
                panel.draw(scene, &frame);
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

impl Variances {
    fn panels(&self) -> impl Iterator<Item = &VariancePanel> {
        self.rows.iter().flat_map(|(_, panels)| panels.iter().flatten())
    }

    /// One logarithmic axis for all panels; values far below the noise do not extend it.
    fn heights(&self) -> Option<Axis> {
        let positive = |values: &f64| *values > 0.0;
        let noise = self.panels().flat_map(|panel| &panel.noise).copied().filter(positive);
        let deepest = noise.fold(f64::INFINITY, f64::min) / DEEPEST;
        let all = self.panels().flat_map(VariancePanel::lines).flatten().copied().filter(positive);
        Axis::covering(all.map(|v| v.max(deepest)), true, 0.03, 4, "standard deviation")
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![
            "Thin lines should lie on the thick ones of their colour. Stated: roots of mean variances over replicates; a line on the lower \
             edge lies below it."
                .to_owned(),
        ];
        if self.panels().any(|panel| panel.aleatoric.is_none() || panel.epistemic.is_none()) {
            notes.push("No thin line: the method defines no such part.".into());
        }
        notes
    }
}

fn legend() -> Vec<Entry> {
    vec![
        Entry::new("true noise", &[Sample::Box(tint(BLUE, TRUTH))]),
        Entry::new("aleatoric, as stated", &[Sample::Line(BLUE, SOLID)]),
        Entry::new("true error of the mean (root mean square)", &[Sample::Box(tint(VERMILLION, TRUTH))]),
        Entry::new("epistemic, as stated", &[Sample::Line(VERMILLION, DASHED)]),
    ]
}

impl VariancePanel {
    fn lines(&self) -> impl Iterator<Item = &Vec<f64>> {
        [&self.noise, &self.error].into_iter().chain(&self.aleatoric).chain(&self.epistemic)
    }

    fn check(&self, place: usize) -> Result<(), FigureError> {
        let name = |what: &str| format!("panel {place}: {what}");
        check::places(&name("x"), &self.x)?;
        for line in self.lines() {
            check::column(&name("standard deviations"), line, &self.x)?;
            check::not_negative(&name("standard deviations"), line)?;
        }
        Ok(())
    }

    fn draw(&self, scene: &mut Scene, frame: &Frame) {
        let at = |(&x, &y): (&f64, &f64)| frame.at(x, y.clamp(frame.y.low, frame.y.high));
        let mut line = |values: &[f64], width, color, dash| {
            scene.path(&self.x.iter().zip(values).map(at).collect::<Vec<_>>(), width, color, dash);
        };
        line(&self.noise, 7.0, tint(BLUE, TRUTH), SOLID);
        line(&self.error, 5.0, tint(VERMILLION, TRUTH), SOLID);
        if let Some(aleatoric) = &self.aleatoric {
            line(aleatoric, 1.75, BLUE, SOLID);
        }
        if let Some(epistemic) = &self.epistemic {
            line(epistemic, 1.75, VERMILLION, DASHED);
        }
        let pairs = [("noise", &self.noise, &self.aleatoric), ("error of the mean", &self.error, &self.epistemic)];
        for (name, truth, stated) in pairs {
            let words = |i: usize| {
                let stated = known("stated", stated.as_deref(), i);
                format!("{name}, {}: true {}{stated}", coordinate(self.x[i]), significant(truth[i]))
            };
            for line in std::iter::once(truth).chain(stated) {
                for i in spread(self.x.len()) {
                    scene.tip(at((&self.x[i], &line[i])), words(i));
                }
            }
        }
    }
}

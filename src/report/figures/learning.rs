//! Draw what a sequential protocol recorded: means over repetitions in the 95 % intervals of these means.

use super::axis::{Axis, Frame};
use super::header::{self, Entry, Sample};
use super::scene::Scene;
use super::style::{MARGIN, WIDTH, series, tint};
use super::{FigureError, Rendered, check};

/// Curves over the steps of a sequential protocol.
#[derive(Clone, Debug, PartialEq)]
pub struct Learning {
    /// Title of the figure.
    pub title: String,
    /// Label of the horizontal axis.
    pub x_label: String,
    /// Label of the vertical axis, with its unit.
    pub y_label: String,
    /// Curves.
    pub curves: Vec<LearningCurve>,
}

/// One curve of n steps.
#[derive(Clone, Debug, PartialEq)]
pub struct LearningCurve {
    /// Name in the legend.
    pub name: String,
    /// Steps, n, ascending.
    pub x: Vec<f64>,
    /// Means over repetitions, n.
    pub mean: Vec<f64>,
    /// Half widths of the 95 % intervals of the means, n, not negative; no band is drawn without them.
    pub half_width: Option<Vec<f64>>,
    /// Number of repetitions.
    pub repetitions: usize,
}

const HEIGHT: f64 = 320.0;

impl Learning {
    /// Renders the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without curves, lengths that differ, or a number that is not finite.
    pub fn render(&self) -> Result<Rendered, FigureError> {
        super::style::register_fonts()?;
        check::not_empty("the figure's curves", self.curves.len())?;
        self.curves.iter().try_for_each(LearningCurve::check)?;
        let entry = |(place, curve): (usize, &LearningCurve)| {
            let style = series(place);
            Entry::new(&curve.name, &[Sample::Box(tint(style.color, BAND)), Sample::Line(style.color, style.dash)])
        };
        let legend: Vec<Entry> = self.curves.iter().enumerate().map(entry).collect();
        let n = self.curves.iter().map(|curve| curve.repetitions).min().unwrap_or(0);
        let note = format!("Means over {n} repetitions, and their 95 % intervals by Student's distribution.");
        let mut scene = Scene::default();
        let top = header::draw(&mut scene, &self.title, &legend, &[note], WIDTH);
        let no_range = |what: &str| FigureError::Range { what: format!("\"{what}\"") };
        let places = self.curves.iter().flat_map(|curve| curve.x.iter().copied());
        let x = Axis::covering(places, false, 0.01, 9, &self.x_label).ok_or_else(|| no_range(&self.x_label))?;
        let heights = self.curves.iter().flat_map(LearningCurve::edges).flat_map(|(low, high)| [low, high]);
        let y = Axis::covering(heights, false, 0.04, 6, &self.y_label).ok_or_else(|| no_range(&self.y_label))?;
        let (left, right) = (MARGIN + y.width_beside(HEIGHT), WIDTH - MARGIN - x.number_width() / 2.0);
        let frame = Frame { left, top, right, bottom: top + HEIGHT, x: x.fitted(right - left), y };
        frame.grid(&mut scene);
        // All bands first, so that none covers a line.
        for (place, curve) in self.curves.iter().enumerate().filter(|(_, curve)| curve.half_width.is_some()) {
            let edges: Vec<(f64, f64)> = curve.edges().collect();
            let upper = curve.x.iter().zip(&edges).map(|(x, (_, high))| frame.at(*x, *high));
            let lower = curve.x.iter().zip(&edges).rev().map(|(x, (low, _))| frame.at(*x, *low));
            scene.fill(upper.chain(lower).collect(), tint(series(place).color, BAND));
        }
        for (place, curve) in self.curves.iter().enumerate() {
            let points: Vec<_> = curve.x.iter().zip(&curve.mean).map(|(&x, &y)| frame.at(x, y)).collect();
            scene.path(&points, 2.0, series(place).color, series(place).dash);
        }
        frame.axes(&mut scene, true);
        scene.render(WIDTH, frame.bottom + frame.x.height_below(right - left) + MARGIN)
    }
}

/// Share of the colour in a band.
const BAND: f64 = 0.22;

impl LearningCurve {
    fn check(&self) -> Result<(), FigureError> {
        let name = |what: &str| format!("curve \"{}\": {what}", self.name);
        check::not_empty(&name("x"), self.x.len())?;
        check::finite(&name("x"), &self.x)?;
        check::same_length(&name("mean"), &self.mean, &self.x)?;
        check::finite(&name("mean"), &self.mean)?;
        if let Some(half_width) = &self.half_width {
            check::same_length(&name("half_width"), half_width, &self.x)?;
            check::finite(&name("half_width"), half_width)?;
            check::not_negative(&name("half_width"), half_width)?;
        }
        Ok(())
    }

    /// Lower and upper end of the band at each step; the mean twice without one.
    fn edges(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let reach = |i: usize| self.half_width.as_ref().map_or(0.0, |widths| widths[i]);
        self.mean.iter().enumerate().map(move |(i, mean)| (mean - reach(i), mean + reach(i)))
    }
}

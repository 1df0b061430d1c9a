//! Draw metrics against a parameter: points with standard errors, one panel for each metric, stacked over one axis.

use super::axis::{Axis, Frame, significant};
use super::header::{self, Entry, Sample};
use super::scene::Scene;
use super::style::{MARGIN, SeriesStyle, WIDTH, series, tint};
use super::{FigureError, Render, check};

/// Metrics against a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Title of the figure.
    pub title: String,
    /// Label of the parameter, with its unit.
    pub x_label: String,
    /// Whether the parameter's axis is logarithmic.
    pub log_x: bool,
    /// Whether the vertical axes are logarithmic.
    pub log_y: bool,
    /// One panel for each metric, top to bottom.
    pub panels: Vec<SweepPanel>,
}

/// One metric.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPanel {
    /// Label of the metric, with its unit.
    pub y_label: String,
    /// Series; equal names have one look in all panels.
    pub series: Vec<SweepSeries>,
}

/// One series of n points. A point whose mean is not finite is left out, and the figure says how many were.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepSeries {
    /// Name in the legend.
    pub name: String,
    /// Values of the parameter, n; finite, positive on a logarithmic axis.
    pub x: Vec<f64>,
    /// Means of the metric, n.
    pub mean: Vec<f64>,
    /// Standard errors of the means, n, not negative; no bar is drawn for one that is not finite.
    pub standard_error: Vec<f64>,
    /// Points of a smooth line (local regression); without it the points are joined.
    pub smooth: Option<Vec<(f64, f64)>>,
}

/// Height of a panel's rectangle.
const HEIGHT: f64 = 205.0;
/// Gap between panels.
const GAP: f64 = 16.0;
/// Sideways shift between series at one parameter value, so that error bars do not cover each other.
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
    /// [`FigureError`] for a figure without panels or a panel without a finite point, lengths that differ, a parameter
    /// that is not finite (not positive on a logarithmic axis), a negative standard error, or a bar or line that
    /// reaches zero on a logarithmic axis.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        self.check()?;
        let names = self.names();
        let top = header::draw(scene, &self.title, &self.legend(&names), &self.notes(), WIDTH);
        let frames = self.frames(top)?;
        let shift = SHIFT.min(SPREAD / (names.len().max(2) - 1) as f64);
        for (i, (panel, frame)) in self.panels.iter().zip(&frames).enumerate() {
            frame.grid(scene);
            for series in &panel.series {
                let place = names.iter().position(|name| *name == series.name).unwrap_or(0);
                let shift = (place as f64 - (names.len() - 1) as f64 / 2.0) * shift;
                series.draw(scene, frame, super::style::series(place), shift);
            }
            frame.axes(scene, i + 1 == self.panels.len());
        }
        let end = frames.last().map_or(top, |frame| frame.bottom + frame.x.height_below(frame.right - frame.left));
        Ok((WIDTH, end + MARGIN))
    }
}

impl Sweep {
    fn check(&self) -> Result<(), FigureError> {
        check::not_empty("the figure's panels", self.panels.len())?;
        for panel in &self.panels {
            for series in &panel.series {
                let name = |what: &str| format!("\"{}\", series \"{}\": {what}", panel.y_label, series.name);
                check::same_length(&name("mean"), &series.mean, &series.x)?;
                check::same_length(&name("standard_error"), &series.standard_error, &series.x)?;
                check::finite(&name("x"), &series.x)?;
                let known: Vec<f64> = series.standard_error.iter().map(|e| if e.is_nan() { 0.0 } else { *e }).collect();
                check::not_negative(&name("standard_error"), &known)?;
                let (x, y): (Vec<f64>, Vec<f64>) = series.smooth.iter().flatten().copied().unzip();
                check::finite(&name("x of the smooth line"), &x)?;
                check::finite(&name("y of the smooth line"), &y)?;
                if self.log_y {
                    check::positive(&name("mean - standard_error"), &series.heights())?;
                }
                if self.log_x {
                    check::positive(&name("x"), &series.x)?;
                    check::positive(&name("x of the smooth line"), &x)?;
                }
            }
            let points: usize = panel.series.iter().map(|series| series.points().count()).sum();
            check::not_empty(&format!("the finite points of \"{}\"", panel.y_label), points)?;
        }
        Ok(())
    }

    /// Names of all series in the order of their first appearance.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            if !names.contains(&series.name.as_str()) {
                names.push(&series.name);
            }
        }
        names
    }

    fn legend(&self, names: &[&str]) -> Vec<Entry> {
        let drawn = |name: &str| {
            let mut all = self.panels.iter().flat_map(|panel| &panel.series);
            all.any(|series| series.name == name && series.points().next().is_some())
        };
        let entry = |(place, name): (usize, &&str)| {
            let style = series(place);
            let line = Sample::Line(style.color, style.dash);
            drawn(name).then(|| Entry::new(*name, &[line, Sample::Point(style.marker, style.color, false)]))
        };
        names.iter().enumerate().filter_map(entry).collect()
    }

    fn notes(&self) -> Vec<String> {
        let all = || self.panels.iter().flat_map(|panel| &panel.series);
        let mut parts = Vec::new();
        if all().any(|series| series.standard_error.iter().any(|e| e.is_finite() && *e > 0.0)) {
            parts.push("Bars: ± 1 standard error.".to_string());
        }
        if all().any(|series| series.smooth.is_some()) {
            parts.push("Lines: local regression.".to_string());
        }
        let mut notes = if parts.is_empty() { vec![] } else { vec![parts.join(" ")] };
        for panel in &self.panels {
            for series in &panel.series {
                let missing = series.mean.len() - series.points().count();
                if missing > 0 {
                    let (name, label, n) = (&series.name, &panel.y_label, series.mean.len());
                    notes.push(format!("{label}: not drawn, because not finite: {missing} of {n} points of {name}."));
                }
            }
        }
        notes
    }

    /// Frames of the panels: one left edge and one horizontal axis for all.
    fn frames(&self, top: f64) -> Result<Vec<Frame>, FigureError> {
        let all = || self.panels.iter().flat_map(|panel| &panel.series);
        let places: Vec<f64> = all().flat_map(SweepSeries::places).collect();
        let no_range = |what: &str| FigureError::Range { what: format!("\"{what}\"") };
        let x = Axis::covering(places, self.log_x, 0.03, 9, &self.x_label).ok_or_else(|| no_range(&self.x_label))?;
        let x = x.fitted(WIDTH - 120.0);
        let mut axes = Vec::new();
        for panel in &self.panels {
            let heights: Vec<f64> = panel.series.iter().flat_map(SweepSeries::heights).collect();
            let y = Axis::covering(heights, self.log_y, 0.06, 5, &panel.y_label);
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
}

impl SweepSeries {
    /// The points that can be drawn: x, mean, standard error (0 if unknown).
    fn points(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let triples = self.x.iter().zip(&self.mean).zip(&self.standard_error);
        triples.filter(|((_, mean), _)| mean.is_finite()).map(|((&x, &mean), &error)| {
            let error = if error.is_finite() { error } else { 0.0 };
            (x, mean, error)
        })
    }

    /// Runs of neighbouring points, by x, without a missing one between them.
    fn runs(&self) -> Vec<Vec<(f64, f64)>> {
        let mut points: Vec<(f64, f64)> = self.x.iter().copied().zip(self.mean.iter().copied()).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points.split(|(_, mean)| !mean.is_finite()).map(<[_]>::to_vec).collect()
    }

    fn places(&self) -> Vec<f64> {
        self.points().map(|(x, _, _)| x).chain(self.smooth.iter().flatten().map(|(x, _)| *x)).collect()
    }

    fn heights(&self) -> Vec<f64> {
        let bars = self.points().flat_map(|(_, mean, error)| [mean - error, mean + error]);
        bars.chain(self.smooth.iter().flatten().map(|(_, y)| *y)).collect()
    }

    fn draw(&self, scene: &mut Scene, frame: &Frame, style: SeriesStyle, shift: f64) {
        let moved = |x: f64, y: f64| {
            let (px, py) = frame.at(x, y);
            (px + shift, py)
        };
        let points: Vec<_> = self.points().collect();
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
        let lines: Vec<Vec<(f64, f64)>> = match &self.smooth {
            Some(smooth) => vec![smooth.iter().map(|&(x, y)| frame.at(x, y)).collect()],
            None => self.runs().iter().map(|run| run.iter().map(|&(x, mean)| moved(x, mean)).collect()).collect(),
        };
        for line in lines.iter().filter(|line| line.len() > 1) {
            scene.path(line, 2.0, style.color, style.dash);
        }
        for &(x, mean, error) in &points {
            scene.marker(moved(x, mean), style.marker, 3.5, style.color, false);
            let [at, value] = [x, mean].map(significant);
            let error = if error > 0.0 { format!(" ± {}", significant(error)) } else { String::new() };
            scene.tip(moved(x, mean), format!("{}, {at}: {value}{error}", self.name));
        }
    }
}

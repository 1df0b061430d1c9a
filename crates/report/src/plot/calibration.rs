//! Draw the calibration of several methods: a histogram of the probability integral transform (PIT)
//! above its reliability curve, with the bands of perfect calibration.

use super::axis::{Axis, Frame, coordinate, number, significant};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{
    BLACK, BLUE, DASHED, GREY, LABEL, MARGIN, SOLID, TICK, VERMILLION, WIDTH, tint,
};
use super::tip::spread;
use super::{FigureError, Render, check};
use crate::words::figures;
use uq_core::stats::{Pit, STEPS};
use uqbench_judge::figures::{Calibration, CalibrationPanel};

/// Error probability of each band.
const ALPHA: f64 = 0.05;
/// Density at which bars are cut: a bin with all outcomes of a method would flatten all other bars.
const TALLEST: f64 = 3.0;
/// Least height of the density's axis: twice what perfect calibration has.
const LOWEST: f64 = 2.0;

/// Heights of the two plots and the gap between them, which holds the upper one's numbers.
const HISTOGRAM: f64 = 105.0;
const CURVE: f64 = 160.0;
const GAP: f64 = 47.0;
/// Height of the plots of one method in large.
const LARGE: f64 = 230.0;
/// Gap between neighbours.
const SPACE: f64 = 16.0;
/// Widest plot.
const WIDEST: f64 = 230.0;
/// Tint of the bands and of the bars.
const BAND: f64 = 0.22;
const BAR: f64 = 0.65;

impl Render for Calibration {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError::Empty`] for a figure without panels.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's panels", self.panels.len())?;
        let histograms: Vec<Histogram> =
            self.panels.iter().map(|panel| Histogram::of(&panel.pit)).collect();
        let tallest = histograms.iter().map(Histogram::tallest).fold(0.0, f64::max);
        let mut top = header::draw(scene, &self.title, &legend(), &all_notes(self, tallest), WIDTH);
        let columns = match self.panels.len() {
            n @ 1..=4 => n,
            5 | 6 | 9 => 3,
            _ => 4,
        };
        let grid = Layout::new(columns, tallest.clamp(LOWEST, TALLEST));
        for (panels, histograms) in self.panels.chunks(columns).zip(histograms.chunks(columns)) {
            top = grid.draw_row(scene, panels, histograms, top);
        }
        Ok((WIDTH, top + MARGIN))
    }
}

/// The calibration of one method alone, in large.
pub struct LargeCalibration<'a> {
    /// Title of the figure.
    pub title: &'a str,
    /// The pooled transforms.
    pub pit: &'a Pit,
}

impl Render for LargeCalibration<'_> {
    fn title(&self) -> &str {
        self.title
    }

    /// Draws the histogram beside the curve.
    ///
    /// # Errors
    /// None.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        let histogram = Histogram::of(self.pit);
        let tallest = histogram.tallest();
        let top = header::draw(scene, self.title, &legend(), &notes(tallest), WIDTH) + 10.0;
        let density =
            Axis::between(0.0, tallest.clamp(LOWEST, TALLEST), false, 4, figures::DENSITY);
        let share = Axis::between(0.0, 1.0, false, 5, figures::SHARE_OF_PIT);
        let beside = density.width_beside(LARGE).max(share.width_beside(LARGE));
        let width = (WIDTH - 2.0 * MARGIN - 2.0 * (beside + SPACE)) / 2.0;
        let frame = |place: f64, y: Axis, label: &str| {
            let left = MARGIN + beside + place * (width + beside + SPACE);
            let x = Axis::between(0.0, 1.0, false, 5, label);
            Frame { left, top, right: left + width, bottom: top + LARGE, x, y }
        };
        let (left, right) = (frame(0.0, density, "PIT"), frame(1.0, share, "Level τ"));
        histogram.draw(scene, &left);
        draw_curve(scene, &right, self.pit);
        Ok((WIDTH, left.bottom + left.x.height_below(width) + MARGIN))
    }
}

fn all_notes(figure: &Calibration, tallest: f64) -> Vec<String> {
    notes(tallest).into_iter().chain(figure.notes.iter().cloned()).collect()
}

/// What is shown, where the tallest bar has this density.
fn notes(tallest: f64) -> Vec<String> {
    let mut notes: Vec<String> = figures::CALIBRATION.map(str::to_owned).into();
    if tallest > TALLEST {
        notes.push(figures::cut_bars(TALLEST));
    }
    notes
}

fn legend() -> [Entry; 4] {
    let band = [Sample::Box(tint(VERMILLION, BAND)), Sample::Line(VERMILLION, DASHED)];
    [
        Entry::new("density of PIT", &[Sample::Box(tint(BLUE, BAR))]),
        Entry::new("share of PIT ≤ τ", &[Sample::Line(BLUE, SOLID)]),
        Entry::new("perfect calibration", &[Sample::Line(BLACK, SOLID)]),
        Entry::new("its 95 % band", &band),
    ]
}

/// Densities, and the band in which they lie under perfect calibration.
struct Histogram {
    densities: Vec<f64>,
    band: (f64, f64),
}

impl Histogram {
    fn of(pit: &Pit) -> Self {
        Self { densities: pit.histogram(), band: pit.histogram_band(ALPHA) }
    }

    /// The tallest bar or band edge.
    fn tallest(&self) -> f64 {
        self.densities.iter().copied().fold(self.band.1, f64::max)
    }

    fn draw(&self, scene: &mut Scene, frame: &Frame) {
        let height = |density: f64| density.min(frame.y.high);
        let (low, high) = (height(self.band.0), height(self.band.1));
        scene.rectangle(frame.at(0.0, high), frame.at(1.0, low), tint(VERMILLION, BAND));
        frame.grid(scene);
        let width = 1.0 / self.densities.len() as f64;
        for (bin, &density) in
            self.densities.iter().enumerate().filter(|(_, density)| **density > 0.0)
        {
            let (left, top) = frame.at(bin as f64 * width, height(density));
            let (right, bottom) = frame.at((bin + 1) as f64 * width, 0.0);
            scene.rectangle((left, top), (right - 0.5, bottom), tint(BLUE, BAR));
            let [from, to] = [bin, bin + 1].map(|edge| coordinate(edge as f64 * width));
            let [density, low, high] = [density, self.band.0, self.band.1].map(significant);
            let words = format!("PIT from {from} to {to}: density {density}, band {low} to {high}");
            scene.tip(((left + right) / 2.0, top), words);
        }
        scene.line(frame.at(0.0, 1.0), frame.at(1.0, 1.0), 1.0, BLACK);
        // Over the bars, which hide the band behind them.
        for edge in [low, high] {
            scene.path(&[frame.at(0.0, edge), frame.at(1.0, edge)], 1.25, VERMILLION, DASHED);
        }
        frame.axes(scene, true);
        let middle = self.densities.len() / 2;
        for half in [0..middle, middle..self.densities.len()] {
            let tallest = half.max_by(|&a, &b| self.densities[a].total_cmp(&self.densities[b]));
            let Some(bin) = tallest.filter(|&bin| self.densities[bin] > frame.y.high) else {
                continue;
            };
            let (text, font) = (significant(self.densities[bin]), Font::plain(TICK));
            // Over its bar, but inside the plot.
            let (x, _) = frame.at((bin as f64 + 0.5) * width, 0.0);
            let room = 0.5 * font.width(&text);
            let x = x.clamp(frame.left + room, frame.right - room);
            scene.text(&text, (x, frame.top - 7.0), font, Align::Middle);
        }
    }
}

/// Positions of the plots in every row.
struct Layout {
    /// Left edges of the plots.
    lefts: Vec<f64>,
    /// Width of a plot.
    width: f64,
    density: Axis,
    share: Axis,
}

impl Layout {
    fn new(columns: usize, tallest: f64) -> Self {
        let density = Axis::between(0.0, tallest, false, 4, figures::DENSITY);
        let share = Axis::between(0.0, 1.0, false, 5, figures::SHARE_OF_PIT);
        let side = |label: bool| {
            let axis = |axis: &Axis, height| unlabelled(axis, label).width_beside(height);
            axis(&density, HISTOGRAM).max(axis(&share, CURVE))
        };
        let sides = side(true) + (columns - 1) as f64 * (side(false) + SPACE);
        // Half of the last tick number reaches beyond the right end.
        let inner = WIDTH - 2.0 * MARGIN - 6.0;
        let width = ((inner - sides) / columns as f64).min(WIDEST);
        let first = MARGIN + (inner - sides - columns as f64 * width) / 2.0 + side(true);
        let lefts =
            (0..columns).map(|i| first + i as f64 * (width + SPACE + side(false))).collect();
        Self { lefts, width, density, share }
    }

    /// Draws one row of panels below `top`; returns the row's lower end.
    fn draw_row(
        &self,
        scene: &mut Scene,
        panels: &[CalibrationPanel],
        histograms: &[Histogram],
        top: f64,
    ) -> f64 {
        let (title_font, note_font) = (Font::bold(LABEL), Font::plain(TICK).colored(GREY));
        let titles: Vec<_> =
            panels.iter().map(|panel| title_font.wrap(&panel.title, self.width + SPACE)).collect();
        let title_height =
            titles.iter().map(Vec::len).max().unwrap_or(0) as f64 * title_font.line();
        // Below the notes a line is left for the numbers of cut bars.
        let upper = top + title_height + note_font.line() + 18.0;
        let lower = upper + HISTOGRAM + GAP;
        let mut end = lower;
        for (i, ((panel, histogram), title)) in
            panels.iter().zip(histograms).zip(&titles).enumerate()
        {
            let (left, right) = (self.lefts[i], self.lefts[i] + self.width);
            let middle = (left + right) / 2.0;
            for (k, line) in title.iter().enumerate() {
                scene.text(
                    line,
                    (middle, top + (k as f64 + 0.5) * title_font.line()),
                    title_font,
                    Align::Middle,
                );
            }
            let count = |n: usize| number(n as f64, 0, 1.0);
            let note =
                format!("n = {}, n* = {}", count(panel.pit.outcomes()), count(panel.pit.effective));
            scene.text(
                &note,
                (middle, top + title_height + 0.5 * note_font.line()),
                note_font,
                Align::Middle,
            );
            let x = |label: &str| Axis::between(0.0, 1.0, false, 5, label).fitted(self.width);
            let (density, share) =
                (unlabelled(&self.density, i == 0), unlabelled(&self.share, i == 0));
            let frame = Frame {
                left,
                top: upper,
                right,
                bottom: upper + HISTOGRAM,
                x: x("PIT"),
                y: density,
            };
            histogram.draw(scene, &frame);
            let frame =
                Frame {
                    left, top: lower, right, bottom: lower + CURVE, x: x("Level τ"), y: share
                };
            draw_curve(scene, &frame, &panel.pit);
            end = end.max(frame.bottom + frame.x.height_below(self.width));
        }
        end + 14.0
    }
}

/// The axis with or without its label.
fn unlabelled(axis: &Axis, keep: bool) -> Axis {
    if keep { axis.clone() } else { Axis { label: String::new(), ..axis.clone() } }
}

/// The reliability curve in its band about the diagonal.
fn draw_curve(scene: &mut Scene, frame: &Frame, pit: &Pit) {
    let levels: Vec<f64> = (0..=STEPS).map(|step| step as f64 / STEPS as f64).collect();
    let band = pit.band(ALPHA);
    let along = |shift: f64| {
        levels
            .iter()
            .map(|&level| frame.at(level, (level + shift).clamp(0.0, 1.0)))
            .collect::<Vec<_>>()
    };
    let (low, high) = (along(-band), along(band));
    scene.fill(
        high.iter().copied().chain(low.iter().rev().copied()).collect(),
        tint(VERMILLION, BAND),
    );
    frame.grid(scene);
    for edge in [&low, &high] {
        scene.path(edge, 0.75, VERMILLION, DASHED);
    }
    scene.line(frame.at(0.0, 0.0), frame.at(1.0, 1.0), 1.0, BLACK);
    let shares = pit.reliability();
    let curve: Vec<_> = levels.iter().zip(&shares).map(|(&x, &y)| frame.at(x, y)).collect();
    scene.path(&curve, 2.0, BLUE, SOLID);
    for i in spread(curve.len()) {
        let [low, high] =
            [-band, band].map(|shift| significant((levels[i] + shift).clamp(0.0, 1.0)));
        let (level, share) = (coordinate(levels[i]), significant(shares[i]));
        scene.tip(curve[i], format!("share of PIT ≤ {level}: {share}, band {low} to {high}"));
    }
    frame.axes(scene, true);
}

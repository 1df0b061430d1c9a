//! Draw how the share of outcomes below their quantiles differs from the level, within the band of
//! perfect calibration.

use super::axis::{Axis, Frame, coordinate, number, significant};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{
    BLACK, BLUE, DASHED, GREY, LABEL, MARGIN, Marker, SOLID, TICK, VERMILLION, WIDTH, tint,
};
use super::tip::spread;
use super::{FigureError, Render, check};
use crate::words::figures;
use uq_core::stats::Reliability;
use uqbench_judge::figures::{QuantileReliability, ReliabilityPanel};

/// Error probability of the band.
const ALPHA: f64 = 0.05;
/// Height of a plot.
const HEIGHT: f64 = 180.0;
/// Gap between neighbours.
const SPACE: f64 = 16.0;
/// Widest plot.
const WIDEST: f64 = 300.0;
/// Share of the colour in the band.
const BAND: f64 = 0.22;
/// Radius of a point.
const RADIUS: f64 = 2.5;

impl Render for QuantileReliability {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without panels, and a panel without levels or with a share that
    /// is not finite.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's panels", self.panels.len())?;
        let plots: Vec<Plot> = self.panels.iter().map(Plot::of).collect::<Result<_, _>>()?;
        let heights = plots.iter().flat_map(|plot| plot.heights());
        let label = "Share of y ≤ q(τ), less τ";
        let no_range = || FigureError::Range { what: format!("\"{label}\"") };
        let y = Axis::covering(heights.chain([0.0]), false, 0.05, 5, label).ok_or_else(no_range)?;
        let tied = plots.iter().any(Plot::is_tied);
        let mut top =
            header::draw(scene, &self.title, &legend(tied), &all_notes(self, tied), WIDTH);
        let columns = match plots.len() {
            n @ 1..=4 => n,
            5 | 6 | 9 => 3,
            _ => 4,
        };
        for row in plots.chunks(columns) {
            top = draw_row(scene, row, &y, columns, top);
        }
        Ok((WIDTH, top + MARGIN))
    }
}

fn all_notes(figure: &QuantileReliability, tied: bool) -> Vec<String> {
    let mut notes: Vec<String> = figures::QUANTILES.map(str::to_owned).into();
    if tied {
        notes.push(figures::TIED_QUANTILES.to_owned());
    }
    notes.extend(figure.notes.iter().cloned());
    notes
}

fn legend(tied: bool) -> Vec<Entry> {
    let band = [Sample::Box(tint(VERMILLION, BAND)), Sample::Line(VERMILLION, DASHED)];
    let mut legend = vec![
        Entry::new(
            "share of y ≤ q(τ), less τ",
            &[Sample::Line(BLUE, SOLID), Sample::Point(Marker::Circle, BLUE, false)],
        ),
        Entry::new("perfect calibration", &[Sample::Line(BLACK, SOLID)]),
        Entry::new("its 95 % band, all levels together", &band),
    ];
    if tied {
        legend.push(Entry::new("down to the share of y < q(τ)", &[Sample::ErrorBar(BLUE)]));
    }
    legend
}

/// A panel with its band; the levels are subtracted from both.
struct Plot<'a> {
    panel: &'a ReliabilityPanel,
    below: Vec<f64>,
    at_most: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
}

impl<'a> Plot<'a> {
    fn of(panel: &'a ReliabilityPanel) -> Result<Self, FigureError> {
        let Reliability { levels, below, at_most, .. } = &panel.reliability;
        let name = |what: &str| format!("panel \"{}\": {what}", panel.title);
        check::not_empty(&name("levels"), levels.len())?;
        for (what, shares) in [("shares of y < q", below), ("shares of y ≤ q", at_most)] {
            check::column(&name(what), shares, levels)?;
        }
        let less = |values: &[f64]| {
            values.iter().zip(levels).map(|(value, level)| value - level).collect::<Vec<f64>>()
        };
        let (low, high): (Vec<f64>, Vec<f64>) = panel.reliability.band(ALPHA).into_iter().unzip();
        Ok(Self {
            panel,
            below: less(below),
            at_most: less(at_most),
            low: less(&low),
            high: less(&high),
        })
    }

    /// Every height that is drawn.
    fn heights(&self) -> impl Iterator<Item = f64> + '_ {
        [&self.below, &self.at_most, &self.low, &self.high].into_iter().flatten().copied()
    }

    /// Whether an outcome equals its quantile.
    fn is_tied(&self) -> bool {
        self.below != self.at_most
    }

    fn draw(&self, scene: &mut Scene, frame: &Frame) {
        let levels = &self.panel.reliability.levels;
        let along = |values: &[f64]| {
            levels.iter().zip(values).map(|(&x, &y)| frame.at(x, y)).collect::<Vec<_>>()
        };
        let (low, high) = (along(&self.low), along(&self.high));
        scene.fill(high.iter().chain(low.iter().rev()).copied().collect(), tint(VERMILLION, BAND));
        frame.grid(scene);
        for edge in [&low, &high] {
            scene.path(edge, 0.75, VERMILLION, DASHED);
        }
        scene.line(frame.at(0.0, 0.0), frame.at(1.0, 0.0), 1.0, BLACK);
        let (below, at_most) = (along(&self.below), along(&self.at_most));
        for (from, to) in below.into_iter().zip(&at_most).filter(|(from, to)| from != *to) {
            scene.line(from, *to, 1.25, BLUE);
        }
        scene.path(&at_most, 1.25, BLUE, SOLID);
        for &at in &at_most {
            scene.marker(at, Marker::Circle, RADIUS, BLUE, false);
        }
        for i in spread(at_most.len()) {
            scene.tip(at_most[i], self.words(i));
        }
        frame.axes(scene, true);
    }

    /// What is drawn at a level.
    fn words(&self, i: usize) -> String {
        let level = coordinate(self.panel.reliability.levels[i]);
        let [below, at_most, low, high] =
            [&self.below, &self.at_most, &self.low, &self.high].map(|all| significant(all[i]));
        let tied =
            if below == at_most { String::new() } else { format!(", of y < q({level}): {below}") };
        format!("share of y ≤ q({level}), less {level}: {at_most}{tied}, band {low} to {high}")
    }
}

/// Draws one row of plots below `top`; returns the row's lower end.
fn draw_row(scene: &mut Scene, row: &[Plot], y: &Axis, columns: usize, top: f64) -> f64 {
    let unlabelled = Axis { label: String::new(), ..y.clone() };
    let beside = |place: usize| {
        if place == 0 { y.width_beside(HEIGHT) } else { unlabelled.width_beside(HEIGHT) }
    };
    let sides = (0..columns).map(beside).sum::<f64>() + (columns - 1) as f64 * SPACE;
    // Half of the last tick number reaches beyond the right end.
    let inner = WIDTH - 2.0 * MARGIN - 6.0;
    let width = ((inner - sides) / columns as f64).min(WIDEST);
    let (title_font, note_font) = (Font::bold(LABEL), Font::plain(TICK).colored(GREY));
    let titles: Vec<_> =
        row.iter().map(|plot| title_font.wrap(&plot.panel.title, width + SPACE)).collect();
    let title_height = titles.iter().map(Vec::len).max().unwrap_or(0) as f64 * title_font.line();
    let upper = top + title_height + note_font.line() + 4.0;
    let mut left = MARGIN + (inner - sides - columns as f64 * width) / 2.0;
    let mut end = upper;
    for (place, (plot, title)) in row.iter().zip(&titles).enumerate() {
        left += beside(place);
        let (right, middle) = (left + width, left + width / 2.0);
        for (k, line) in title.iter().enumerate() {
            scene.text(
                line,
                (middle, top + (k as f64 + 0.5) * title_font.line()),
                title_font,
                Align::Middle,
            );
        }
        let count = |n: usize| number(n as f64, 0, 1.0);
        let Reliability { outcomes, effective, .. } = &plot.panel.reliability;
        let note = format!("n = {}, n* = {}", count(*outcomes), count(*effective));
        scene.text(
            &note,
            (middle, top + title_height + 0.5 * note_font.line()),
            note_font,
            Align::Middle,
        );
        let x = Axis::between(0.0, 1.0, false, 5, "Level τ").fitted(width);
        let y = if place == 0 { y.clone() } else { unlabelled.clone() };
        let frame = Frame { left, top: upper, right, bottom: upper + HEIGHT, x, y };
        plot.draw(scene, &frame);
        end = end.max(frame.bottom + frame.x.height_below(width));
        left = right + SPACE;
    }
    end + 14.0
}

//! Draw means as bars from zero with one standard error, in groups.

use super::axis::{Axis, Frame, significant};
use super::counts::least_to_most;
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{BLACK, GRID, MARGIN, TICK, WIDTH, series, tint};
use super::{FigureError, Render, check};
use crate::words::figures;
use uq_core::stats::digits::abscissa;
use uqbench_judge::figures::{Bar, Bars, BarsPanel};

/// Height of a panel's rectangle.
const HEIGHT: f64 = 190.0;
/// Room between panels.
const GAP: f64 = 14.0;
/// Share of a group's width that its bars take.
const FILLED: f64 = 0.82;
/// Share of the colour in a bar.
const SHADE: f64 = 0.45;

fn ends(bar: &Bar) -> [f64; 2] {
    let error = bar.standard_error.unwrap_or(0.0);
    [bar.mean - error, bar.mean + error]
}

impl Render for Bars {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without panels or groups, groups of another number of bars, or
    /// a number that is not finite.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's panels", self.panels.len())?;
        check::not_empty("the figure's groups", self.groups.len())?;
        let axes: Vec<Axis> =
            self.panels.iter().map(|panel| y_axis(self, panel)).collect::<Result<_, _>>()?;
        let beside = axes.iter().map(|axis| axis.width_beside(HEIGHT)).fold(0.0, f64::max);
        let (left, right) = (MARGIN + beside, WIDTH - MARGIN);
        let mut top = header::draw(scene, &self.title, &legend(self), &notes(self), WIDTH);
        for (panel, y) in self.panels.iter().zip(axes) {
            let frame = Frame { left, top, right, bottom: top + HEIGHT, x: x_axis(self), y };
            for (value, _) in &frame.y.ticks {
                let (_, height) = frame.at(0.0, *value);
                scene.line((left, height), (right, height), 0.75, GRID);
            }
            for (group, bars) in panel.bars.iter().enumerate() {
                for (place, bar) in bars.iter().enumerate() {
                    if let Some(bar) = bar {
                        draw_bar(self, scene, &frame, (group, place), bar);
                    }
                }
            }
            scene.line(frame.at(frame.x.low, 0.0), frame.at(frame.x.high, 0.0), 1.0, BLACK);
            if let Some(aim) = panel.aim.filter(|aim| frame.y.low <= *aim && *aim <= frame.y.high) {
                let ends = [frame.at(frame.x.low, aim), frame.at(frame.x.high, aim)];
                scene.line(ends[0], ends[1], 1.5, BLACK);
            }
            frame.axes(scene, true);
            top = frame.bottom + frame.x.height_below(right - left) + GAP;
        }
        Ok((WIDTH, top - GAP + MARGIN))
    }
}

/// Groups about whole numbers.
fn x_axis(figure: &Bars) -> Axis {
    let ticks =
        figure.groups.iter().enumerate().map(|(i, name)| (i as f64, name.clone())).collect();
    Axis {
        low: -0.5,
        high: figure.groups.len() as f64 - 0.5,
        log: false,
        ticks,
        label: String::new(),
    }
}

fn y_axis(figure: &Bars, panel: &BarsPanel) -> Result<Axis, FigureError> {
    check::count("groups of bars", panel.bars.len(), figure.groups.len())?;
    let name = |what: &str| format!("\"{}\": {what}", panel.y_label);
    for bars in &panel.bars {
        check::count(&name("bars of a group"), bars.len(), figure.series.len())?;
    }
    let ends: Vec<f64> =
        panel.bars.iter().flatten().flatten().flat_map(ends).chain(panel.aim).collect();
    check::finite(&name("means and standard errors"), &ends)?;
    let (least, most) =
        (panel.low.unwrap_or(f64::NEG_INFINITY), panel.high.unwrap_or(f64::INFINITY));
    let shown = ends.into_iter().chain([0.0]).map(|end| end.clamp(least, most));
    let no_range = || FigureError::Range { what: format!("\"{}\"", panel.y_label) };
    Axis::covering(shown, false, 0.06, 5, &panel.y_label).ok_or_else(no_range)
}

/// A bar, cut at the frame; the number of a cut bar stands at its cut.
fn draw_bar(
    figure: &Bars,
    scene: &mut Scene,
    frame: &Frame,
    (group, place): (usize, usize),
    bar: &Bar,
) {
    let style = series(place);
    let width = FILLED / figure.series.len() as f64;
    let start = group as f64 - 0.5 * FILLED + place as f64 * width;
    let inside = |value: f64| value.clamp(frame.y.low, frame.y.high);
    let (zero, height) = (inside(0.0), inside(bar.mean));
    let (a, b) =
        (frame.at(start, zero.max(height)), frame.at(start + 0.92 * width, zero.min(height)));
    scene.rectangle(a, b, tint(style.color, SHADE));
    scene.path(&[a, (b.0, a.1), b, (a.0, b.1), a], 1.0, style.color, style.dash);
    let middle = start + 0.46 * width;
    let [low, high] = ends(bar).map(inside);
    scene.line(frame.at(middle, low), frame.at(middle, high), 1.25, BLACK);
    let (x, y) = frame.at(middle, height);
    let error =
        bar.standard_error.map_or_else(String::new, |error| format!(" ± {}", significant(error)));
    let (series, group) = (&figure.series[place], &figure.groups[group]);
    scene.tip((x, y), format!("{series}, {group}: {}{error}", significant(bar.mean)));
    if height != bar.mean {
        let inwards = if bar.mean < height { -9.0 } else { 9.0 };
        scene.text(&short(bar.mean), (x, y + inwards), Font::plain(TICK - 2.0), Align::Middle);
    }
}

fn legend(figure: &Bars) -> Vec<Entry> {
    let entry = |(place, name): (usize, &String)| {
        let style = series(place);
        Entry::new(
            name,
            &[Sample::Box(tint(style.color, SHADE)), Sample::Line(style.color, style.dash)],
        )
    };
    figure.series.iter().enumerate().map(entry).collect()
}

fn notes(figure: &Bars) -> Vec<String> {
    let counts = figure
        .panels
        .iter()
        .flat_map(|panel| panel.bars.iter().flatten().flatten())
        .map(|bar| bar.repetitions);
    let mut notes = vec![figures::bars(&least_to_most(counts))];
    let cut = |panel: &BarsPanel| {
        let beyond = |bar: &Bar| {
            panel.low.is_some_and(|l| bar.mean < l) || panel.high.is_some_and(|h| bar.mean > h)
        };
        panel.bars.iter().flatten().flatten().any(beyond)
    };
    let aims: Vec<String> =
        figure.panels.iter().filter_map(|panel| panel.aim).map(abscissa).collect();
    if !aims.is_empty() {
        notes.push(figures::aim(&aims));
    }
    if figure.panels.iter().any(cut) {
        notes.push(figures::CUT_BAR.into());
    }
    notes
}

/// A number in few digits.
fn short(value: f64) -> String {
    if value.abs() < 1e4 { format!("{value:.0}") } else { format!("{value:.0e}") }
}

//! Draw paired differences with their intervals as a forest plot: one row for each cell, a zero
//! line, one panel for each metric.

use super::axis::{Axis, Frame, significant};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{
    BLACK, BLUE, GREY, GRID, LABEL, MARGIN, Marker, SOLID, STRIPE, TICK, VERMILLION, WHITE, WIDTH,
};
use super::{FigureError, Render, check};
use crate::words::figures;
use plotters::style::RGBColor;
use uqbench_judge::figures::{DifferencePanel, DifferenceRow, Differences, Interval, Measured};

fn is_better(measured: Measured, estimate: f64) -> bool {
    match measured {
        Measured::Losses => estimate < 0.0,
        Measured::Gains => estimate > 0.0,
    }
}

/// Height of a row.
const ROW: f64 = 21.0;
/// Least width of a panel's rectangle.
const NARROWEST: f64 = 200.0;
/// Gap between panels.
const GAP: f64 = 26.0;
/// A row that reaches this many times farther than the upper quartile of rows is cut; it would
/// flatten all others.
const OUTLIER: f64 = 5.0;

impl Render for Differences {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without panels, a panel without one finite row, or an interval
    /// whose ends are swapped.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's panels", self.panels.len())?;
        self.panels.iter().try_for_each(check_panel)?;
        let name_font = Font::plain(LABEL);
        let columns = columns(self);
        let names_width = |panel: &DifferencePanel| {
            panel.rows.iter().map(|row| name_font.width(&row.name)).fold(0.0, f64::max) + 12.0
        };
        let taken: f64 =
            columns.iter().map(|named| named.map_or(0.0, names_width)).sum::<f64>() + 2.0 * MARGIN;
        let count = self.panels.len() as f64;
        // Names are never cut: a figure of long names or many metrics grows wider instead.
        let font = Font::plain(TICK);
        let sides = sides(self);
        let narrowest = NARROWEST.max(sides.iter().map(|side| font.width(side)).sum::<f64>() + GAP);
        let width = WIDTH.max(taken + count * (narrowest + GAP));
        let panel_width = (width - taken) / count - GAP;
        let top = header::draw(scene, &self.title, &legend(self), &notes(self), width);
        let title_font = Font::bold(LABEL);
        let titles: Vec<_> =
            self.panels.iter().map(|panel| title_font.wrap(&panel.label, panel_width)).collect();
        let title_height =
            titles.iter().map(Vec::len).max().unwrap_or(0) as f64 * title_font.line();
        let upper = top + title_height + 2.0;
        let (mut left, mut end) = (MARGIN, upper);
        for ((panel, named), title) in self.panels.iter().zip(&columns).zip(&titles) {
            let names = named.map_or(0.0, names_width);
            let bottom = upper + ROW * panel.rows.len() as f64 + 6.0;
            let limit = limit(panel);
            let y = Axis::between(0.0, panel.rows.len() as f64, false, 1, "");
            let x = axis(panel, limit, panel_width, &axis_label(self))?;
            let frame = Frame {
                left: left + names + GAP / 2.0,
                top: upper,
                right: left + names + GAP / 2.0 + panel_width,
                bottom,
                x,
                y,
            };
            for (k, line) in title.iter().enumerate() {
                let at = (
                    (frame.left + frame.right) / 2.0,
                    top + (k as f64 + 0.5) * title_font.line() - 2.0,
                );
                scene.text(line, at, title_font, Align::Middle);
            }
            draw_panel(panel, scene, &frame, named.map(|_| left), &sides, self.measured);
            left += names + GAP + panel_width;
            end = end.max(bottom + frame.x.height_below(panel_width) + name_font.line());
        }
        Ok((width, end + MARGIN))
    }
}

/// For each panel, whether it needs a column of names of its own: the first does, and one whose
/// rows differ from those of the panel before.
fn columns(figure: &Differences) -> Vec<Option<&DifferencePanel>> {
    let same = |a: &DifferencePanel, b: &DifferencePanel| {
        a.rows.len() == b.rows.len() && a.rows.iter().zip(&b.rows).all(|(a, b)| a.name == b.name)
    };
    let named = |(i, panel)| (i == 0 || !same(&figure.panels[i - 1], panel)).then_some(panel);
    figure.panels.iter().enumerate().map(named).collect()
}

/// What the sides left and right of zero mean.
fn sides(figure: &Differences) -> [String; 2] {
    match figure.measured {
        Measured::Losses => {
            [format!("← {} better", figure.test), format!("{} worse →", figure.test)]
        }
        Measured::Gains => {
            [format!("← {} worse", figure.test), format!("{} better →", figure.test)]
        }
    }
}

fn axis_label(figure: &Differences) -> String {
    match figure.measured {
        Measured::Losses => format!("{} − {}", figure.test, figure.reference),
        Measured::Gains => format!("gain of {} over {}", figure.test, figure.reference),
    }
}

fn legend(figure: &Differences) -> Vec<Entry> {
    let rows = || figure.panels.iter().flat_map(drawable);
    let mut legend = Vec::new();
    for (better, word) in [(true, "better"), (false, "worse")] {
        if rows().any(|(row, interval)| {
            row.marked && is_better(figure.measured, interval.estimate) == better
        }) {
            let name = format!("{} {word}, corrected interval excludes 0", figure.test);
            let (marker, color) =
                if better { (Marker::Circle, BLUE) } else { (Marker::Square, VERMILLION) };
            let samples = [Sample::Line(color, SOLID), Sample::Point(marker, color, false)];
            legend.push(Entry::new(name, &samples));
        }
    }
    if rows().any(|(row, _)| !row.marked) {
        let samples = [Sample::Line(GREY, SOLID), Sample::Point(Marker::Circle, GREY, true)];
        legend.push(Entry::new("corrected interval includes 0", &samples));
    }
    legend
}

fn notes(figure: &Differences) -> Vec<String> {
    let mut notes = Vec::new();
    let is_cut = |panel: &DifferencePanel| {
        limit(panel)
            .is_some_and(|limit| drawable(panel).any(|(_, interval)| reach(interval) > limit))
    };
    if figure.panels.iter().any(is_cut) {
        notes.push(figures::CUT_INTERVAL.into());
    }
    notes
}

fn check_panel(panel: &DifferencePanel) -> Result<(), FigureError> {
    check::not_empty(&format!("the finite rows of \"{}\"", panel.label), drawable(panel).count())?;
    for (row, &Interval { low, high, .. }) in drawable(panel) {
        if low > high {
            let what = format!("\"{}\", row \"{}\": interval", panel.label, row.name);
            return Err(FigureError::Interval { what, low, high });
        }
    }
    Ok(())
}

/// Farthest distance from zero that is shown, where some rows are cut; `None` where all fit.
fn limit(panel: &DifferencePanel) -> Option<f64> {
    let mut reaches: Vec<f64> = drawable(panel).map(|(_, interval)| reach(interval)).collect();
    reaches.sort_by(f64::total_cmp);
    // With one or two rows there is no outlier.
    let quartile =
        if reaches.len() < 3 { return None } else { reaches[(reaches.len() - 1) * 3 / 4] };
    let farthest = *reaches.last()?;
    // Of the rows within bounds, the farthest sets the limit.
    let within = reaches.iter().rev().find(|reach| **reach <= OUTLIER * quartile)?;
    (quartile > 0.0 && farthest > OUTLIER * quartile).then_some(*within)
}

/// The axis of differences; it always shows zero.
fn axis(
    panel: &DifferencePanel,
    limit: Option<f64>,
    width: f64,
    label: &str,
) -> Result<Axis, FigureError> {
    let limit = limit.unwrap_or(f64::INFINITY);
    let numbers = |(_, interval): (&DifferenceRow, &Interval)| {
        [interval.estimate, interval.low, interval.high]
    };
    let ends: Vec<f64> =
        drawable(panel).flat_map(numbers).map(|v| v.clamp(-limit, limit)).collect();
    let count = ((width / 65.0) as usize).min(6);
    Axis::covering(ends.into_iter().chain([0.0]), false, 0.06, count, label)
        .map(|axis| axis.fitted(width))
        .ok_or_else(|| FigureError::Range { what: format!("\"{}\"", panel.label) })
}

/// Draws the panel, and the names of its rows from `names_left` on if it has a column of its own
/// for them.
fn draw_panel(
    panel: &DifferencePanel,
    scene: &mut Scene,
    frame: &Frame,
    names_left: Option<f64>,
    [below, above]: &[String; 2],
    measured: Measured,
) {
    let name_font = Font::plain(LABEL);
    let ground = |i: usize| if i.is_multiple_of(2) { STRIPE } else { WHITE };
    let middle = |i: usize| frame.top + 3.0 + (i as f64 + 0.5) * ROW;
    for (i, row) in panel.rows.iter().enumerate() {
        if ground(i) != WHITE {
            let left = names_left.unwrap_or(frame.left);
            scene.rectangle(
                (left, middle(i) - ROW / 2.0),
                (frame.right, middle(i) + ROW / 2.0),
                ground(i),
            );
        }
        if let Some(left) = names_left {
            scene.text(&row.name, (left + 4.0, middle(i)), name_font, Align::Start);
        }
    }
    for (value, _) in &frame.x.ticks {
        let (x, _) = frame.at(*value, 0.0);
        scene.line((x, frame.top), (x, frame.bottom), 0.75, GRID);
    }
    let (zero, _) = frame.at(0.0, 0.0);
    scene.line((zero, frame.top), (zero, frame.bottom), 1.25, BLACK);
    for (i, row) in panel.rows.iter().enumerate() {
        draw_row(row, scene, frame, middle(i), ground(i), measured);
    }
    frame.axis_below(scene, true);
    // Which side is which, under the axis label.
    let font = Font::plain(TICK).colored(GREY);
    let y = frame.bottom + frame.x.height_below(frame.right - frame.left) + font.line() / 2.0;
    if frame.x.low < 0.0 {
        scene.text(below, (frame.left, y), font, Align::Start);
    }
    if frame.x.high > 0.0 {
        scene.text(above, (frame.right, y), font, Align::End);
    }
}

/// The rows that can be drawn, with their intervals.
fn drawable(panel: &DifferencePanel) -> impl Iterator<Item = (&DifferenceRow, &Interval)> {
    panel.rows.iter().filter_map(|row| Some((row, row.difference.as_ref()?)))
}

/// Farthest distance from zero.
fn reach(interval: &Interval) -> f64 {
    interval.low.abs().max(interval.high.abs()).max(interval.estimate.abs())
}

fn look(marked: bool, is_better: bool) -> (Marker, RGBColor) {
    match (marked, is_better) {
        (true, true) => (Marker::Circle, BLUE),
        (true, false) => (Marker::Square, VERMILLION),
        (false, _) => (Marker::Circle, GREY),
    }
}

fn draw_row(
    row: &DifferenceRow,
    scene: &mut Scene,
    frame: &Frame,
    y: f64,
    ground: RGBColor,
    measured: Measured,
) {
    let font = Font::plain(TICK).colored(GREY);
    let Some(Interval { estimate, low: from, high: to }) = row.difference else {
        write_in_row(scene, "undefined", (frame.left + 6.0, y), font, Align::Start, ground);
        return;
    };
    let (marker, color) = look(row.marked, is_better(measured, estimate));
    let middle = frame.at(estimate.clamp(frame.x.low, frame.x.high), 0.0).0;
    let [written, least, most] = [estimate, from, to].map(significant);
    scene.tip((middle, y), format!("{}: {written}, interval {least} to {most}", row.name));
    let place = |v: f64| frame.at(v.clamp(frame.x.low, frame.x.high), 0.0).0;
    let (low, high) = (place(from), place(to));
    scene.line((low, y), (high, y), 1.75, color);
    for (value, at) in [(from, low), (to, high)] {
        if value < frame.x.low || value > frame.x.high {
            let outwards = if value < frame.x.low { -1.0 } else { 1.0 };
            let back = at - outwards * 8.0;
            scene.fill(vec![(at, y), (back, y - 4.5), (back, y + 4.5)], color);
        } else {
            scene.line((at, y - 3.5), (at, y + 3.5), 1.5, color);
        }
    }
    if estimate < frame.x.low {
        let font = font.colored(color);
        let at = (frame.left + 14.0, y);
        write_in_row(scene, &written, at, font, Align::Start, ground);
    } else if estimate > frame.x.high {
        let font = font.colored(color);
        let at = (frame.right - 14.0, y);
        write_in_row(scene, &written, at, font, Align::End, ground);
    } else {
        scene.marker((place(estimate), y), marker, 4.25, color, !row.marked);
    }
}

/// Writes on the row's ground, so that no line runs through the text.
fn write_in_row(
    scene: &mut Scene,
    text: &str,
    at: (f64, f64),
    font: Font,
    align: Align,
    ground: RGBColor,
) {
    let width = font.width(text);
    let left = if align == Align::End { at.0 - width } else { at.0 };
    scene.rectangle((left - 3.0, at.1 - 7.0), (left + width + 3.0, at.1 + 7.0), ground);
    scene.text(text, at, font, align);
}

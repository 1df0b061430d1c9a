//! Draw intervals against the outcomes of held-out rows, and their width against their coverage by
//! group: narrow enough for a phone, where its text keeps its size.

use super::axis::{Axis, Frame};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{
    BLACK, BLUE, DASHED, GREY, LABEL, MARGIN, Marker, SOLID, SeriesStyle, VERMILLION, series, tint,
};
use super::{FigureError, Render, check};
use crate::words::figures;
use uqbench_judge::figures::{GroupKind, HeldOut, HeldOutGroup, HeldOutRow};

/// Width of the figure.
const WIDE: f64 = 380.0;
/// Height of the panel of rows.
const ROWS: f64 = 140.0;
/// Height of the panel of groups.
const GROUPS: f64 = 95.0;
/// Radius of a group's point.
const RADIUS: f64 = 4.0;
/// Opacity of the line of an interval.
const BAND: f64 = 0.45;

impl Render for HeldOut {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without rows, an outcome that is not finite, and a width of a
    /// group that is negative or not finite.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's rows", self.rows.len())?;
        check::finite(
            "the outcomes",
            &self.rows.iter().map(|row| row.outcome).collect::<Vec<_>>(),
        )?;
        let widths: Vec<f64> = self.groups.iter().map(|group| group.width).collect();
        check::finite("the widths of groups", &widths)?;
        check::not_negative("the widths of groups", &widths)?;
        let top = header::draw(scene, &self.title, &legend_of_rows(), &[], WIDE);
        let mut bottom = draw_rows(self, scene, top)?;
        if !self.groups.is_empty() {
            let legend = legend_of_groups(&self.groups);
            bottom = header::draw_legend(scene, &legend, bottom + 8.0, WIDE);
            bottom = draw_groups(self, scene, bottom + 4.0)?;
        }
        Ok((WIDE, bottom + MARGIN))
    }
}

fn legend_of_rows() -> [Entry; 3] {
    [
        Entry::new(figures::INTERVAL, &[Sample::ErrorBar(tint(BLUE, BAND))]),
        Entry::new(figures::INSIDE, &[Sample::Point(Marker::Circle, BLACK, false)]),
        Entry::new(figures::OUTSIDE, &[Sample::Point(Marker::Diamond, VERMILLION, false)]),
    ]
}

/// The kinds of groups that occur, in the order of their marks.
fn legend_of_groups(groups: &[HeldOutGroup]) -> Vec<Entry> {
    [GroupKind::Mean, GroupKind::Width, GroupKind::Features]
        .into_iter()
        .filter(|kind| groups.iter().any(|group| group.kind == *kind))
        .map(|kind| {
            let SeriesStyle { marker, color, .. } = style(kind);
            Entry::new(figures::groups_by(kind), &[Sample::Point(marker, color, false)])
        })
        .collect()
}

/// None has the colour or the shape of a miss.
fn style(kind: GroupKind) -> SeriesStyle {
    match kind {
        GroupKind::Mean => series(0),
        GroupKind::Width => series(2),
        GroupKind::Features => SeriesStyle { color: series(3).color, ..series(4) },
    }
}

/// The numbers of all rows that are finite.
fn heights(rows: &[HeldOutRow]) -> impl Iterator<Item = f64> {
    rows.iter().flat_map(|row| [row.lower, row.upper, row.outcome]).filter(|end| end.is_finite())
}

/// Draws the panel of rows below `top`; returns its lower end. An end that is infinite reaches to
/// the edge.
fn draw_rows(figure: &HeldOut, scene: &mut Scene, top: f64) -> Result<f64, FigureError> {
    let no_range = || FigureError::Range { what: "the panel of rows".into() };
    let y = Axis::covering(heights(&figure.rows), false, 0.04, 5, &figure.outcome)
        .ok_or_else(no_range)?;
    let mut x = Axis::between(0.0, figure.rows.len() as f64 + 1.0, false, 2, "");
    x.ticks.clear();
    let left = MARGIN + y.width_beside(ROWS);
    let frame = Frame { left, top, right: WIDE - MARGIN, bottom: top + ROWS, x, y };
    frame.grid(scene);
    let wide = ((frame.right - frame.left) / figure.rows.len() as f64 * 0.6).clamp(1.0, 4.0);
    for (place, row) in (1..).map(f64::from).zip(&figure.rows) {
        let end = |end: f64| frame.at(place, end.clamp(frame.y.low, frame.y.high));
        scene.line(end(row.lower), end(row.upper), wide, tint(BLUE, BAND));
    }
    // Misses lie over the others, which would hide them.
    for is_covered in [true, false] {
        for (place, row) in (1..).map(f64::from).zip(&figure.rows) {
            if row.covered != is_covered {
                continue;
            }
            let at = frame.at(place, row.outcome);
            match is_covered {
                true => scene.marker(at, Marker::Circle, 1.6, BLACK, false),
                false => scene.marker(at, Marker::Diamond, 3.4, VERMILLION, false),
            }
            scene.tip(at, figures::held_out(row));
        }
    }
    frame.axes(scene, false);
    let (font, words) = (Font::plain(LABEL), figures::by_prediction(figure.rows.len(), figure.of));
    let middle = ((frame.left + frame.right) / 2.0, frame.bottom + font.line() / 2.0 + 2.0);
    scene.text(&words, middle, font, Align::Middle);
    Ok(frame.bottom + font.line() + 2.0)
}

/// Draws the panel of groups below `top`; returns its lower end.
fn draw_groups(figure: &HeldOut, scene: &mut Scene, top: f64) -> Result<f64, FigureError> {
    let no_range = || FigureError::Range { what: "the panel of groups".into() };
    let groups = &figure.groups;
    let ends =
        |group: &HeldOutGroup| group.interval.map_or([group.coverage.share(); 2], |(a, b)| [a, b]);
    let shares = groups.iter().flat_map(ends).chain([figure.level]);
    let y = Axis::covering(shares, false, 0.06, 4, figures::COVERAGE).ok_or_else(no_range)?;
    let widths = groups.iter().map(|group| group.width);
    let x = Axis::covering(widths, false, 0.06, 5, &figure.width).ok_or_else(no_range)?;
    let left = MARGIN + y.width_beside(GROUPS);
    let right = WIDE - MARGIN - x.number_width() / 2.0;
    let frame = Frame { left, top, right, bottom: top + GROUPS, x: x.fitted(right - left), y };
    frame.grid(scene);
    let level = |x: f64| frame.at(x, figure.level);
    scene.path(&[level(frame.x.low), level(frame.x.high)], 1.25, GREY, DASHED);
    for group in groups {
        let SeriesStyle { marker, color, .. } = style(group.kind);
        let [low, high] = ends(group);
        scene.path(
            &[frame.at(group.width, low), frame.at(group.width, high)],
            1.25,
            tint(color, 0.6),
            SOLID,
        );
        let at = frame.at(group.width, group.coverage.share());
        scene.marker(at, marker, RADIUS, color, false);
        scene.tip(at, figures::group(group));
    }
    frame.axes(scene, true);
    Ok(frame.bottom + frame.x.height_below(right - left))
}

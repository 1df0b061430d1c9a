//! Draw how far our numbers lie from the printed ones: a lane for each column of a table, a point
//! for each of its numbers, and one panel for each metric. Distances are in tolerances, so that
//! numbers of all scales share an axis.

use super::axis::{Axis, Frame};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{BLACK, BLUE, GREY, GRID, LABEL, MARGIN, Marker, STRIPE, VERMILLION, WIDTH};
use super::{FigureError, Render, check};
use crate::words::figures;
use plotters::style::RGBColor;
use uqbench_judge::figures::{Agreement, AgreementKind, AgreementPanel, AgreementPoint};

const KINDS: [(AgreementKind, &str); 4] = [
    (AgreementKind::Agree, "reproduced or close"),
    (AgreementKind::Undecided, "compatible or inconclusive"),
    (AgreementKind::Differ, "differs"),
    (AgreementKind::TooFew, "too few repetitions to judge"),
];

/// Height of a lane.
const LANE: f64 = 30.0;
/// Height over which the points of a lane are spread.
const SPREAD: f64 = 18.0;
/// Least width of a panel.
const NARROWEST: f64 = 200.0;
/// Gap between panels.
const GAP: f64 = 26.0;
/// Farthest distance that is drawn in its place; farther points lie at the edge.
const FARTHEST: f64 = 6.0;

impl Render for Agreement {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without panels or lanes, or a panel without a finite point.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's panels", self.panels.len())?;
        check::not_empty("the figure's lanes", self.lanes.len())?;
        let font = Font::plain(LABEL);
        let names = self.lanes.iter().map(|name| font.width(name)).fold(0.0, f64::max) + 12.0;
        let count = self.panels.len() as f64;
        let width = WIDTH.max(names + 2.0 * MARGIN + count * (NARROWEST + GAP));
        let panel_width = (width - names - 2.0 * MARGIN) / count - GAP;
        let top = header::draw(scene, &self.title, &legend(self), &notes(self), width);
        let title_font = Font::bold(LABEL);
        let titles: Vec<_> =
            self.panels.iter().map(|panel| title_font.wrap(&panel.label, panel_width)).collect();
        let title_height =
            titles.iter().map(Vec::len).max().unwrap_or(0) as f64 * title_font.line();
        let upper = top + title_height + 2.0;
        let bottom = upper + LANE * self.lanes.len() as f64;
        let middle = |lane: usize| upper + (lane as f64 + 0.5) * LANE;
        for (lane, name) in self.lanes.iter().enumerate() {
            if lane.is_multiple_of(2) {
                scene.rectangle(
                    (MARGIN, middle(lane) - LANE / 2.0),
                    (width - MARGIN, middle(lane) + LANE / 2.0),
                    STRIPE,
                );
            }
            scene.text(name, (MARGIN + 4.0, middle(lane)), font, Align::Start);
        }
        let mut end = bottom;
        for (number, (panel, title)) in self.panels.iter().zip(&titles).enumerate() {
            let left = MARGIN + names + GAP / 2.0 + number as f64 * (panel_width + GAP);
            let frame = frame_of(panel, (left, upper), (left + panel_width, bottom))?;
            for (line, words) in title.iter().enumerate() {
                let at = (
                    (frame.left + frame.right) / 2.0,
                    top + (line as f64 + 0.5) * title_font.line() - 2.0,
                );
                scene.text(words, at, title_font, Align::Middle);
            }
            draw_panel(panel, scene, &frame, &middle);
            end = end.max(bottom + frame.x.height_below(panel_width));
        }
        Ok((width, end + MARGIN))
    }
}

fn legend(figure: &Agreement) -> Vec<Entry> {
    let points = || figure.panels.iter().flat_map(|panel| &panel.points);
    let count = |kind| points().filter(|point| point.kind == kind).count();
    let entry = |(kind, words): (AgreementKind, &str)| {
        let (marker, color, hollow) = look(kind);
        Entry::new(format!("{words}: {}", count(kind)), &[Sample::Point(marker, color, hollow)])
    };
    KINDS.into_iter().filter(|(kind, _)| count(*kind) > 0).map(entry).collect()
}

fn notes(figure: &Agreement) -> Vec<String> {
    let far = figure
        .panels
        .iter()
        .flat_map(|panel| &panel.points)
        .filter(|point| point.distance.abs() > FARTHEST);
    let far = figures::farther(far.count(), FARTHEST);
    let without = figures::without_tolerance(figure.without_tolerance);
    std::iter::once(figures::TOLERANCE.into()).chain(far).chain(without).collect()
}

fn frame_of(
    panel: &AgreementPanel,
    (left, top): (f64, f64),
    (right, bottom): (f64, f64),
) -> Result<Frame, FigureError> {
    let finite: Vec<f64> =
        panel.points.iter().map(|point| point.distance).filter(|one| one.is_finite()).collect();
    check::not_empty(&format!("the finite points of \"{}\"", panel.label), finite.len())?;
    let ends = finite.into_iter().map(|one| one.clamp(-FARTHEST, FARTHEST)).chain([-1.5, 1.5]);
    let x = Axis::covering(ends, false, 0.06, 6, "(ours − printed) / tolerance δ")
        .map(|axis| axis.fitted(right - left))
        .ok_or_else(|| FigureError::Range { what: format!("\"{}\"", panel.label) })?;
    let y = Axis::between(0.0, 1.0, false, 1, "");
    Ok(Frame { left, top, right, bottom, x, y })
}

fn draw_panel(
    panel: &AgreementPanel,
    scene: &mut Scene,
    frame: &Frame,
    middle: &dyn Fn(usize) -> f64,
) {
    let place = |distance: f64| frame.at(distance, 0.0).0;
    for (value, _) in &frame.x.ticks {
        scene.line((place(*value), frame.top), (place(*value), frame.bottom), 0.75, GRID);
    }
    // Within these lines numbers differ by no more than the tolerance.
    for edge in [-1.0, 1.0] {
        scene.line((place(edge), frame.top), (place(edge), frame.bottom), 1.0, GREY);
    }
    scene.line((place(0.0), frame.top), (place(0.0), frame.bottom), 1.25, BLACK);
    let in_lane = |lane: usize| panel.points.iter().filter(move |point| point.lane == lane);
    let lanes = panel.points.iter().map(|point| point.lane + 1).max().unwrap_or(0);
    for lane in 0..lanes {
        let count = in_lane(lane).count() as f64;
        for (number, point) in in_lane(lane).enumerate() {
            let y = middle(lane) + ((number as f64 + 0.5) / count - 0.5) * SPREAD;
            draw_point(point, scene, frame, y);
        }
    }
    frame.axis_below(scene, true);
}

fn draw_point(point: &AgreementPoint, scene: &mut Scene, frame: &Frame, y: f64) {
    if !point.distance.is_finite() {
        return;
    }
    let (marker, color, hollow) = look(point.kind);
    let x = frame.at(point.distance.clamp(-FARTHEST, FARTHEST), 0.0).0;
    scene.tip((x, y), &point.words);
    if point.distance.abs() > FARTHEST {
        let back = x - point.distance.signum() * 9.0;
        scene.fill(vec![(x, y), (back, y - 4.5), (back, y + 4.5)], color);
    } else {
        scene.marker((x, y), marker, 4.25, color, hollow);
    }
}

fn look(kind: AgreementKind) -> (Marker, RGBColor, bool) {
    match kind {
        AgreementKind::Agree => (Marker::Circle, BLUE, false),
        AgreementKind::Undecided => (Marker::Circle, GREY, true),
        AgreementKind::TooFew => (Marker::Wedge, GREY, true),
        AgreementKind::Differ => (Marker::Square, VERMILLION, false),
    }
}

//! Draw skill as dots about a line at zero, with one row for each method and one panel for each
//! part of the variance.

use super::axis::{Axis, Frame, significant};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{BLACK, GREY, GRID, LABEL, MARGIN, Marker, STRIPE, TICK, series, tint};
use super::{FigureError, Render, check};
use crate::words::figures;
use uqbench_judge::figures::{Dot, SkillDots};

/// The lower end of the axis. Lower skill is drawn in the strip left of it.
const WORST: f64 = -1.0;
/// Height of a lane.
const LANE: f64 = 11.0;
/// Space above the first and below the last lane of a row.
const AIR: f64 = 4.0;
/// Width of the axis of a panel.
const PANEL: f64 = 215.0;
/// Width of one place in the strip of lower skill.
const PLACE: f64 = 10.0;
/// Space between panels.
const GAP: f64 = 22.0;
/// Radius of a dot.
const RADIUS: f64 = 3.6;

impl Render for SkillDots {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without dots, an index out of range, a skill that is NaN or
    /// above 1, and an error that is negative or not finite.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check_dots(self)?;
        let font = Font::plain(LABEL);
        let names = self.rows.iter().map(|name| font.width(name)).fold(0.0, f64::max) + 10.0;
        let lanes =
            self.lanes.iter().map(|name| Font::plain(TICK).width(name)).fold(0.0, f64::max) + 6.0;
        let strip = PLACE * self.groups.len() as f64 + 6.0;
        let left = |panel: usize| MARGIN + names + strip + panel as f64 * (strip + PANEL + GAP);
        let width = (left(self.panels.len() - 1) + PANEL + lanes + MARGIN).ceil();
        let mut top = header::draw(scene, &self.title, &legend(self), &notes(self), width);
        let bold = Font::bold(LABEL);
        for (panel, title) in self.panels.iter().enumerate() {
            scene.text(
                title,
                (left(panel) + PANEL / 2.0, top + bold.line() / 2.0 - 2.0),
                bold,
                Align::Middle,
            );
            let worse = (left(panel) - strip / 2.0, top + bold.line() / 2.0 - 2.0);
            scene.text("< −1", worse, Font::plain(TICK).colored(GREY), Align::Middle);
        }
        top += bold.line() + 2.0;
        let row_height = 2.0 * AIR + LANE * self.lanes.len() as f64;
        let bottom = top + row_height * self.rows.len() as f64;
        let x = Axis::between(WORST, 1.04, false, 5, "0: best constant, 1: perfect");
        draw_ground(self, scene, (top, row_height), (left(self.panels.len() - 1) + PANEL, lanes));
        for panel in 0..self.panels.len() {
            let y = Axis::between(0.0, 1.0, false, 2, "");
            let (left, right) = (left(panel), left(panel) + PANEL);
            let frame = Frame { left, top, right, bottom, x: x.clone(), y };
            for (value, _) in &frame.x.ticks {
                let at = frame.at(*value, 0.0).0;
                scene.line((at, top), (at, bottom), 0.75, GRID);
            }
            for edge in [left - strip + 2.0, left] {
                scene.line((edge, top), (edge, bottom), 0.75, tint(GREY, 0.5));
            }
            let zero = frame.at(0.0, 0.0).0;
            scene.line((zero, top), (zero, bottom), 1.75, BLACK);
            for row in 0..self.rows.len() {
                draw_row(self, scene, &frame, panel, row, row_height);
            }
            frame.axis_below(scene, true);
        }
        Ok((width, bottom + x.height_below(PANEL) + MARGIN))
    }
}

fn check_dots(figure: &SkillDots) -> Result<(), FigureError> {
    check::not_empty("the figure's dots", figure.dots.len())?;
    let limits = [figure.panels.len(), figure.rows.len(), figure.groups.len(), figure.lanes.len()];
    for (i, dot) in figure.dots.iter().enumerate() {
        let places = [dot.panel, dot.row, dot.group, dot.lane];
        if let Some((&found, _)) = places.iter().zip(&limits).find(|(place, limit)| place >= limit)
        {
            let expected = "a place in its list, counted from 0";
            return Err(FigureError::Value {
                what: "the dots".into(),
                place: i + 1,
                found: found as f64,
                expected,
            });
        }
        if dot.value.is_nan() || dot.value > 1.0 {
            let (what, expected) = ("the skills".into(), "a number of at most 1");
            return Err(FigureError::Value { what, place: i + 1, found: dot.value, expected });
        }
    }
    let errors: Vec<f64> = figure.dots.iter().filter_map(|dot| dot.error).collect();
    check::finite("the errors", &errors)?;
    check::not_negative("the errors", &errors)
}

fn legend(figure: &SkillDots) -> Vec<Entry> {
    let look = |(place, name): (usize, &String)| {
        let style = series(place);
        Entry::new(name.clone(), &[Sample::Point(style.marker, style.color, false)])
    };
    let mut legend: Vec<Entry> = figure.groups.iter().enumerate().map(look).collect();
    if figure.dots.iter().any(|dot| dot.nominal) {
        legend.push(Entry::new("nominal split", &[Sample::Point(Marker::Circle, GREY, true)]));
    }
    legend
}

fn notes(figure: &SkillDots) -> Vec<String> {
    let has_bars = figure.dots.iter().any(|dot| dot.error.is_some());
    let has_strip = figure.dots.iter().any(|dot| dot.value < WORST);
    vec![figures::lanes(&figure.lanes, has_bars, has_strip), figures::MISSING_DOTS.into()]
}

/// Names and stripes of rows, and names of lanes beyond `right`.
fn draw_ground(
    figure: &SkillDots,
    scene: &mut Scene,
    (top, height): (f64, f64),
    (right, lanes): (f64, f64),
) {
    let font = Font::plain(LABEL);
    for (row, name) in figure.rows.iter().enumerate() {
        let upper = top + height * row as f64;
        if row.is_multiple_of(2) {
            scene.rectangle((MARGIN, upper), (right + lanes, upper + height), STRIPE);
        }
        scene.text(name, (MARGIN + 4.0, upper + height / 2.0), font, Align::Start);
        for (lane, name) in figure.lanes.iter().enumerate() {
            let middle = upper + AIR + (lane as f64 + 0.5) * LANE;
            scene.text(
                name,
                (right + 5.0, middle),
                Font::plain(TICK - 2.0).colored(GREY),
                Align::Start,
            );
        }
    }
}

fn draw_row(
    figure: &SkillDots,
    scene: &mut Scene,
    frame: &Frame,
    panel: usize,
    row: usize,
    height: f64,
) {
    let upper = frame.top + height * row as f64;
    let own: Vec<&Dot> =
        figure.dots.iter().filter(|dot| dot.panel == panel && dot.row == row).collect();
    if own.is_empty() {
        let at = (frame.at(0.5, 0.0).0, upper + height / 2.0);
        scene.text("–", at, Font::plain(LABEL).colored(GREY), Align::Middle);
    }
    let middle = |dot: &Dot| upper + AIR + (dot.lane as f64 + 0.5) * LANE;
    let place = |dot: &Dot| match dot.value < WORST {
        true => frame.left - 3.0 - PLACE * (figure.groups.len() as f64 - dot.group as f64 - 0.5),
        false => frame.at(dot.value, 0.0).0,
    };
    for dot in own.iter().filter(|dot| dot.value >= WORST) {
        let error = dot.error.unwrap_or(0.0);
        let end = |v: f64| (frame.at(v.clamp(WORST, frame.x.high), 0.0).0, middle(dot));
        scene.line(
            end(dot.value - error),
            end(dot.value + error),
            1.25,
            tint(series(dot.group).color, 0.6),
        );
    }
    for dot in own {
        let style = series(dot.group);
        scene.marker((place(dot), middle(dot)), style.marker, RADIUS, style.color, dot.nominal);
        let error =
            dot.error.map_or_else(String::new, |error| format!(" ± {}", significant(error)));
        let [group, lane] = [figure.groups.get(dot.group), figure.lanes.get(dot.lane)]
            .map(|name| name.map_or("", String::as_str));
        scene.tip(
            (place(dot), middle(dot)),
            format!("{group}, {lane}: {}{error}", significant(dot.value)),
        );
    }
}

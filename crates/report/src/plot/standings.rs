//! Draw ranks with the ranks that an entrant may have: one row for each entrant, one panel for each
//! table.

use super::axis::{Axis, Frame};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{BLUE, GREY, GRID, LABEL, MARGIN, Marker, SOLID, STRIPE, TICK, WIDTH};
use super::{FigureError, Render, check};
use crate::words::figures;
use plotters::style::RGBColor;
use uqbench_judge::figures::{Standings, StandingsPanel, StandingsRow};

/// Height of a row.
const ROW: f64 = 21.0;
/// Gap between columns.
const GAP: f64 = 14.0;
/// Gap between panels.
const BETWEEN: f64 = 16.0;
/// Least width of the axis.
const NARROWEST: f64 = 240.0;
/// Width of the line of ranks on the same datasets.
const THICK: f64 = 4.5;
/// Most numbers on the axis.
const TICKS: usize = 12;

impl Render for Standings {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without panels, an empty panel, a rank outside 1 to the number
    /// of rows, and a set whose ends are swapped.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's panels", self.panels.len())?;
        self.panels.iter().try_for_each(check_panel)?;
        let (names, skills) = (Font::plain(LABEL), Font::plain(TICK).colored(GREY));
        let rows = || self.panels.iter().flat_map(|panel| &panel.rows);
        let name_width = rows().map(|row| names.width(&row.name)).fold(0.0, f64::max);
        let skill_width = rows().map(|row| skills.width(&row.skill)).fold(0.0, f64::max);
        // Names are never cut: a figure of long names grows wider instead.
        let taken = MARGIN + 4.0 + name_width + GAP + skill_width + GAP;
        let width = WIDTH.max(taken + NARROWEST + MARGIN);
        let notes: Vec<String> =
            std::iter::once(self.note.clone()).filter(|note| !note.is_empty()).collect();
        let mut top = header::draw(scene, &self.title, &legend(self), &notes, width);
        for panel in &self.panels {
            let title = Font::bold(LABEL);
            scene.text(&panel.label, (MARGIN + 4.0, top + title.line() / 2.0), title, Align::Start);
            top += title.line() + 2.0;
            let bottom = top + ROW * panel.rows.len() as f64;
            let frame = Frame {
                left: taken,
                top,
                right: width - MARGIN - GAP,
                bottom,
                x: axis(panel),
                y: Axis::between(0.0, panel.rows.len() as f64, false, 1, ""),
            };
            draw_panel(panel, scene, &frame, MARGIN + 4.0 + name_width + GAP + skill_width);
            top = bottom + frame.x.height_below(frame.right - frame.left) + BETWEEN;
        }
        Ok((width, top - BETWEEN + MARGIN))
    }
}

fn check_panel(panel: &StandingsPanel) -> Result<(), FigureError> {
    check::not_empty(&format!("the rows of \"{}\"", panel.label), panel.rows.len())?;
    for (at, row) in panel.rows.iter().enumerate() {
        for (best, worst) in row.these.into_iter().chain([row.others]) {
            if best > worst {
                let what = format!("\"{}\", row \"{}\": ranks", panel.label, row.name);
                let (low, high) = (best as f64, worst as f64);
                return Err(FigureError::Interval { what, low, high });
            }
            if [row.rank, best, worst].iter().any(|rank| !(1..=panel.rows.len()).contains(rank)) {
                return Err(FigureError::Value {
                    what: format!("the ranks of \"{}\"", panel.label),
                    place: at + 1,
                    found: row.rank as f64,
                    expected: "ranks from 1 to the number of rows",
                });
            }
        }
    }
    Ok(())
}

/// The axis of ranks, whole numbers alone, with room for a point at both ends.
fn axis(panel: &StandingsPanel) -> Axis {
    let worst = panel.rows.len();
    let step = worst.div_ceil(TICKS).max(1);
    let ticks = (1..=worst).filter(|rank| *rank == 1 || rank % step == 0);
    let axis = Axis::between(0.5, worst as f64 + 0.5, false, 2, figures::RANK);
    Axis { ticks: ticks.map(|rank| (rank as f64, rank.to_string())).collect(), ..axis }
}

fn color(row: &StandingsRow) -> RGBColor {
    if row.is_behind { GREY } else { BLUE }
}

fn legend(figure: &Standings) -> Vec<Entry> {
    let has = |behind: bool| {
        figure.panels.iter().flat_map(|panel| &panel.rows).any(|row| row.is_behind == behind)
    };
    let entry = |name: &str, color: RGBColor, hollow: bool| {
        Entry::new(
            name,
            &[Sample::Line(color, SOLID), Sample::Point(Marker::Circle, color, hollow)],
        )
    };
    let mut entries = vec![];
    if has(false) {
        entries.push(entry(figures::NOT_BEHIND, BLUE, false));
    }
    if has(true) {
        entries.push(entry(figures::BEHIND, GREY, true));
    }
    entries
}

fn draw_panel(panel: &StandingsPanel, scene: &mut Scene, frame: &Frame, skills_end: f64) {
    let middle = |at: usize| frame.top + (at as f64 + 0.5) * ROW;
    for (at, row) in panel.rows.iter().enumerate() {
        if at.is_multiple_of(2) {
            let (upper, lower) = (middle(at) - ROW / 2.0, middle(at) + ROW / 2.0);
            scene.rectangle((MARGIN, upper), (frame.right, lower), STRIPE);
        }
        scene.text(&row.name, (MARGIN + 4.0, middle(at)), Font::plain(LABEL), Align::Start);
        let font = Font::plain(TICK).colored(GREY);
        scene.text(&row.skill, (skills_end, middle(at)), font, Align::End);
    }
    for (value, _) in &frame.x.ticks {
        let (x, _) = frame.at(*value, 0.0);
        scene.line((x, frame.top), (x, frame.bottom), 0.75, GRID);
    }
    for (at, row) in panel.rows.iter().enumerate() {
        let place = |rank: usize| frame.at(rank as f64, 0.0).0;
        let (y, color) = (middle(at), color(row));
        let (best, worst) = row.others;
        scene.line((place(best), y), (place(worst), y), 1.0, color);
        for end in [best, worst] {
            scene.line((place(end), y - 3.5), (place(end), y + 3.5), 1.0, color);
        }
        if let Some((best, worst)) = row.these {
            scene.line((place(best), y), (place(worst), y), THICK, color);
        }
        scene.marker((place(row.rank), y), Marker::Circle, 4.25, color, row.is_behind);
        scene.tip((place(row.rank), y), figures::standing(row));
    }
    frame.axis_below(scene, true);
}

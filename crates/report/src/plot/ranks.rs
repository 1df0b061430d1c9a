//! Draw the mean ranks of methods with their critical difference: each method on an axis of ranks,
//! and bars that join methods whose ranks do not differ significantly.
//!
//! *Reference:* Demšar (2006), JMLR 7, 1-30, figure 1. There the axis is reversed; here the best
//! methods are on the left, as in the other figures.

use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{
    BLACK, BLUE, GREY, LABEL, MARGIN, Marker, SOLID, TICK, VERMILLION, WHITE, WIDTH,
};
use super::{FigureError, Render, check};
use crate::words::figures;
use uq_core::stats::ranks::cliques;
use uqbench_judge::figures::Ranks;

/// Height of a method's row.
const ROW: f64 = 21.0;
/// Distance of two levels of bars.
const LEVEL: f64 = 8.0;
/// Width of a bar.
const BAR: f64 = 4.5;
/// How far a bar goes beyond its methods, where the next method leaves room.
const OVERHANG: f64 = 4.0;
/// Least width of the axis, and of one rank on it.
const NARROWEST: (f64, f64) = (360.0, 26.0);
/// Gap between the axis and the columns of names beside it, across which leader lines run.
const LEAD: f64 = 14.0;
/// Gap around numbers and names.
const GAP: f64 = 6.0;

const BETTER: &str = "← better";
const WORSE: &str = "worse →";

/// Where the axis lies.
#[derive(Clone, Copy, Debug)]
struct Line {
    left: f64,
    right: f64,
    y: f64,
    worst: f64,
}

impl Line {
    /// Pixel of a rank.
    fn x(&self, rank: f64) -> f64 {
        self.left + (rank - 1.0) / (self.worst - 1.0) * (self.right - self.left)
    }
}

impl Render for Ranks {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for fewer than two methods, no dataset, a mean rank outside 1 to the number
    /// of methods, and a critical difference that is negative or not finite.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check_ranks(self)?;
        let mut order: Vec<usize> = (0..self.methods.len()).collect();
        order.sort_by(|&a, &b| self.methods[a].1.total_cmp(&self.methods[b].1));
        let (better, worse) = order.split_at(order.len().div_ceil(2));
        let columns = [(better, BETTER), (worse, WORSE)]
            .map(|(column, side)| column_width(self, column, side));
        let worst = self.methods.len() as f64;
        let fixed = 2.0 * (MARGIN + LEAD) + columns[0] + columns[1];
        // Names are never cut: a figure of long names or many methods grows wider instead.
        let width = WIDTH.max(fixed + NARROWEST.0.max(NARROWEST.1 * (worst - 1.0)));
        let groups = groups(self);
        let top =
            header::draw(scene, &self.title, &legend(self, &groups), &notes(self, &groups), width);
        let font = Font::plain(LABEL);
        let left = MARGIN + columns[0] + LEAD;
        let mut line = Line { left, right: width - MARGIN - columns[1] - LEAD, y: 0.0, worst };
        let heading = format!(
            "Mean rank over {} dataset{} (1 is best)",
            self.blocks,
            if self.blocks == 1 { "" } else { "s" }
        );
        scene.text(
            &heading,
            ((line.left + line.right) / 2.0, top + font.line() / 2.0),
            font,
            Align::Middle,
        );
        line.y = top + 2.0 * font.line();
        draw_difference(self, scene, &line, line.y);
        line.y += 20.0 + TICK;
        draw_axis(scene, &line);
        let levels = levels(&groups, |i| line.x(self.methods[i].1));
        let depth = levels.iter().max().map_or(0.0, |deepest| (deepest + 1) as f64 * LEVEL);
        let first_row = line.y + 12.0 + depth + ROW / 2.0;
        draw_leaders(self, scene, &line, better, first_row, Align::End);
        let from_the_end: Vec<usize> = worse.iter().rev().copied().collect();
        draw_leaders(self, scene, &line, &from_the_end, first_row, Align::Start);
        for (group, level) in groups.iter().zip(&levels) {
            draw_bar(self, scene, &line, &order, group, line.y + 12.0 + *level as f64 * LEVEL);
        }
        for (name, rank) in &self.methods {
            scene.marker((line.x(*rank), line.y), Marker::Circle, 3.25, BLACK, false);
            scene.tip((line.x(*rank), line.y), format!("{name}: mean rank {}", written(*rank)));
        }
        Ok((width, first_row + ROW * (better.len() as f64 - 0.5) + MARGIN))
    }
}

fn check_ranks(figure: &Ranks) -> Result<(), FigureError> {
    check::not_empty("ranks of fewer than two methods", figure.methods.len() / 2)?;
    check::not_empty("mean ranks over no dataset", figure.blocks)?;
    check::finite("the critical difference", &[figure.critical_difference])?;
    check::not_negative("the critical difference", &[figure.critical_difference])?;
    let worst = figure.methods.len() as f64;
    let outside =
        figure.methods.iter().position(|(_, rank)| !(1.0 - 1e-9..=worst + 1e-9).contains(rank));
    outside.map_or(Ok(()), |at| {
        Err(FigureError::Value {
            what: "the mean ranks".into(),
            place: at + 1,
            found: figure.methods[at].1,
            expected: "a number from 1 to the number of methods",
        })
    })
}

pub(super) fn groups(figure: &Ranks) -> Vec<Vec<usize>> {
    let ranks: Vec<f64> = figure.methods.iter().map(|(_, rank)| *rank).collect();
    cliques(&ranks, if figure.rejects { figure.critical_difference } else { f64::INFINITY })
}

fn legend(figure: &Ranks, groups: &[Vec<usize>]) -> Vec<Entry> {
    let why = match figure.rejects {
        true => "not told apart: mean ranks differ by less than CD",
        false => "not told apart: the test over all methods does not reject",
    };
    let entry = Entry::new(why, &[Sample::Line(BLUE, SOLID)]);
    if groups.is_empty() { Vec::new() } else { vec![entry] }
}

fn notes(figure: &Ranks, groups: &[Vec<usize>]) -> Vec<String> {
    let mut notes = Vec::new();
    if !figure.note.is_empty() {
        notes.push(figure.note.clone());
    }
    if groups.is_empty() {
        notes.push(figures::NO_BAR.into());
    }
    notes
}

/// Width that names and mean ranks on one side of the axis need, and the word above them.
fn column_width(figure: &Ranks, column: &[usize], side: &str) -> f64 {
    let names =
        column.iter().map(|&i| Font::plain(LABEL).width(&figure.methods[i].0)).fold(0.0, f64::max);
    (names + numbers_width(figure, column) + 2.0 * GAP).max(Font::plain(TICK).width(side) + GAP)
}

/// Width of the widest mean rank.
fn numbers_width(figure: &Ranks, column: &[usize]) -> f64 {
    column
        .iter()
        .map(|&i| Font::plain(TICK).width(&written(figure.methods[i].1)))
        .fold(0.0, f64::max)
}

/// The critical difference as a bracket from rank 1 on; one longer than the axis ends in an arrow.
fn draw_difference(figure: &Ranks, scene: &mut Scene, line: &Line, y: f64) {
    let font = Font::plain(TICK);
    let beyond = figure.critical_difference > line.worst - 1.0;
    let end = if beyond { line.right } else { line.x(1.0 + figure.critical_difference) };
    let color = VERMILLION;
    scene.line((line.left, y), (end, y), 1.5, color);
    scene.line((line.left, y - 4.5), (line.left, y + 4.5), 1.5, color);
    if beyond {
        scene.fill(vec![(end + 1.0, y), (end - 8.0, y - 4.5), (end - 8.0, y + 4.5)], color);
    } else {
        scene.line((end, y - 4.5), (end, y + 4.5), 1.5, color);
    }
    let longer = if beyond { ", longer than the axis" } else { "" };
    let text = format!("critical difference CD = {:.2}{longer}", figure.critical_difference);
    let width = font.width(&text);
    if width + 40.0 < end - line.left {
        let middle = (line.left + end) / 2.0;
        let half = width / 2.0 + GAP;
        scene.rectangle((middle - half, y - 7.0), (middle + half, y + 7.0), WHITE);
        scene.text(&text, (middle, y), font, Align::Middle);
    } else {
        scene.text(&text, (end + GAP, y), font, Align::Start);
    }
}

/// Names and mean ranks of the methods of one side, from the outermost down, each on a line to its
/// place on the axis. `align` is that of the names: they end left of the axis, or start right of
/// it.
fn draw_leaders(
    figure: &Ranks,
    scene: &mut Scene,
    line: &Line,
    column: &[usize],
    first_row: f64,
    align: Align,
) {
    let (names, numbers) = (Font::plain(LABEL), Font::plain(TICK).colored(GREY));
    let (edge, outwards) =
        if align == Align::End { (line.left - LEAD, -1.0) } else { (line.right + LEAD, 1.0) };
    let widest = numbers_width(figure, column);
    for (row, &i) in column.iter().enumerate() {
        let (name, rank) = &figure.methods[i];
        let y = first_row + row as f64 * ROW;
        let x = line.x(*rank);
        scene.path(&[(x, line.y), (x, y), (edge, y)], 1.0, GREY, SOLID);
        // Decimal points stand above each other: the numbers end at one place.
        let at = edge + outwards * GAP;
        let numbers_end = if align == Align::End { at } else { at + widest };
        scene.text(&written(*rank), (numbers_end, y), numbers, Align::End);
        scene.text(name, (at + outwards * (widest + GAP), y), names, align);
    }
}

/// The bar of one group, whose methods follow each other in `order`.
fn draw_bar(
    figure: &Ranks,
    scene: &mut Scene,
    line: &Line,
    order: &[usize],
    group: &[usize],
    y: f64,
) {
    let place = |i: usize| line.x(figure.methods[i].1);
    let (Some(&first), Some(&last)) = (group.first(), group.last()) else { return };
    // The bar ends before the next method: a bar that touched it would seem to join it.
    let room = |gap: f64| OVERHANG.min(0.4 * gap);
    let at = |method: usize| order.iter().position(|&i| i == method).unwrap_or(0);
    let before =
        at(first).checked_sub(1).map_or(OVERHANG, |k| room(place(first) - place(order[k])));
    let after = order.get(at(last) + 1).map_or(OVERHANG, |&i| room(place(i) - place(last)));
    let (left, right) = (place(first) - before, place(last) + after);
    scene.rectangle((left, y - BAR / 2.0), (right, y + BAR / 2.0), BLUE);
}

/// A mean rank as printed.
fn written(rank: f64) -> String {
    format!("{rank:.2}")
}

/// The axis with a mark and a number at every rank, a small mark halfway, and the meaning of its
/// ends.
fn draw_axis(scene: &mut Scene, line: &Line) {
    let font = Font::plain(TICK).colored(GREY);
    scene.line((line.left, line.y), (line.right, line.y), 1.25, BLACK);
    for rank in 1..=line.worst as usize {
        let x = line.x(rank as f64);
        scene.line((x, line.y - 6.0), (x, line.y), 1.0, BLACK);
        scene.text(&rank.to_string(), (x, line.y - 9.0 - TICK / 2.0), font, Align::Middle);
        if (rank as f64) < line.worst {
            let half = line.x(rank as f64 + 0.5);
            scene.line((half, line.y - 3.5), (half, line.y), 1.0, BLACK);
        }
    }
    scene.text(BETTER, (line.left - LEAD, line.y), font, Align::End);
    scene.text(WORSE, (line.right + LEAD, line.y), font, Align::Start);
}

/// The level of each group's bar, so that bars on one level do not touch; `place` is a method's
/// pixel.
fn levels(groups: &[Vec<usize>], place: impl Fn(usize) -> f64) -> Vec<usize> {
    let mut ends: Vec<f64> = Vec::new();
    let mut levels = Vec::new();
    for group in groups {
        let (Some(&first), Some(&last)) = (group.first(), group.last()) else { continue };
        let free = ends.iter().position(|end| end + 4.0 * OVERHANG < place(first));
        let level = free.unwrap_or(ends.len());
        if free.is_none() {
            ends.push(0.0);
        }
        ends[level] = place(last);
        levels.push(level);
    }
    levels
}

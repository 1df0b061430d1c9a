//! Draw title, legend and notes above the panels, in a strip of their own, where they cover no
//! data.

use super::scene::{Align, Font, Scene};
use super::style::{Dash, GREY, LABEL, MARGIN, Marker, TICK, TITLE};
use plotters::style::RGBColor;

/// Width of the sample in front of a legend's name.
const SAMPLE: f64 = 28.0;
/// Width of a sample that is only a point.
const POINT: f64 = 12.0;
/// Gap between sample and name.
const GAP: f64 = 6.0;
/// Gap between entries.
const SPACE: f64 = 22.0;

/// A piece of a legend's sample; pieces lie over each other.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sample {
    /// A filled box: a band or a bar.
    Box(RGBColor),
    /// A line.
    Line(RGBColor, Dash),
    /// A vertical error bar.
    ErrorBar(RGBColor),
    /// A point; hollow if true.
    Point(Marker, RGBColor, bool),
}

/// One entry of a legend.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// What is shown.
    pub name: String,
    /// How it looks.
    pub samples: Vec<Sample>,
}

impl Entry {
    /// Width of the sample.
    fn sample_width(&self) -> f64 {
        let narrow = |sample: &Sample| matches!(sample, Sample::Point(..) | Sample::ErrorBar(_));
        if self.samples.iter().all(narrow) { POINT } else { SAMPLE }
    }

    /// An entry of the given name and look.
    pub fn new(name: impl Into<String>, samples: &[Sample]) -> Self {
        Self { name: name.into(), samples: samples.to_vec() }
    }
}

/// Draws title, legend and notes across `width`; returns the height at which the panels may begin.
pub(super) fn draw(
    scene: &mut Scene,
    title: &str,
    legend: &[Entry],
    notes: &[String],
    width: f64,
) -> f64 {
    let mut top = MARGIN;
    let inner = width - 2.0 * MARGIN;
    let font = Font::bold(TITLE);
    for line in font.wrap(title, inner) {
        scene.text(&line, (width / 2.0, top + font.line() / 2.0), font, Align::Middle);
        top += font.line();
    }
    if !title.is_empty() {
        top += 4.0;
    }
    top = draw_legend(scene, legend, top, width);
    let font = Font::plain(TICK).colored(GREY);
    for line in notes.iter().flat_map(|note| font.wrap(note, inner)) {
        scene.text(&line, (width / 2.0, top + font.line() / 2.0), font, Align::Middle);
        top += font.line();
    }
    top + 8.0
}

/// Draws a legend across `width` below `top`; returns its lower end.
pub(super) fn draw_legend(scene: &mut Scene, legend: &[Entry], mut top: f64, width: f64) -> f64 {
    let font = Font::plain(LABEL);
    for row in rows(legend, width - 2.0 * MARGIN) {
        let total: f64 = row.iter().map(|entry| entry_width(entry)).sum::<f64>()
            + SPACE * (row.len() - 1) as f64;
        let mut left = (width - total) / 2.0;
        let middle = top + 0.5 * font.line() + 1.0;
        for entry in row {
            sample(scene, entry, left, middle);
            scene.text(
                &entry.name,
                (left + entry.sample_width() + GAP, middle),
                font,
                Align::Start,
            );
            left += entry_width(entry) + SPACE;
        }
        top += font.line() + 3.0;
    }
    top
}

fn entry_width(entry: &Entry) -> f64 {
    entry.sample_width() + GAP + Font::plain(LABEL).width(&entry.name)
}

/// The entries in rows no wider than `inner`.
fn rows(legend: &[Entry], inner: f64) -> Vec<Vec<&Entry>> {
    let mut rows: Vec<Vec<&Entry>> = Vec::new();
    let mut used = 0.0;
    for entry in legend {
        let width = entry_width(entry);
        match rows.last_mut() {
            Some(row) if used + SPACE + width <= inner => {
                row.push(entry);
                used += SPACE + width;
            }
            _ => {
                rows.push(vec![entry]);
                used = width;
            }
        }
    }
    rows
}

fn sample(scene: &mut Scene, entry: &Entry, left: f64, middle: f64) {
    let width = entry.sample_width();
    let (right, center) = (left + width, left + width / 2.0);
    for piece in &entry.samples {
        match *piece {
            Sample::Box(color) => {
                scene.rectangle((left, middle - 5.5), (right, middle + 5.5), color)
            }
            Sample::Line(color, dash) => {
                scene.path(&[(left, middle), (right, middle)], 2.0, color, dash)
            }
            Sample::ErrorBar(color) => {
                scene.line((center, middle - 7.0), (center, middle + 7.0), 1.25, color)
            }
            Sample::Point(marker, color, hollow) => {
                scene.marker((center, middle), marker, 4.0, color, hollow)
            }
        }
    }
}

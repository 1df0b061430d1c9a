//! Hold the shapes of a figure, in logical pixels; y grows downwards.

use super::face::face;
use super::style::BLACK;
use plotters::style::text_anchor::HPos;
use plotters::style::{RGBAColor, RGBColor};

/// Distance of text lines in em.
pub(super) const LEADING: f64 = 1.3;

/// Which part of a text lies at its anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

impl Align {
    /// Share of the text that lies before the anchor.
    pub(super) fn share(self) -> f64 {
        match self {
            Align::Start => 0.0,
            Align::Middle => 0.5,
            Align::End => 1.0,
        }
    }

    pub(super) fn horizontal(self) -> HPos {
        match self {
            Align::Start => HPos::Left,
            Align::Middle => HPos::Center,
            Align::End => HPos::Right,
        }
    }
}

/// Face, size and colour of a text.
#[derive(Clone, Copy, Debug)]
pub struct Font {
    /// Size in logical pixels.
    pub em: f64,
    /// Bold face instead of the normal one.
    pub bold: bool,
    /// Colour.
    pub color: RGBColor,
}

impl Font {
    /// Normal face, black.
    pub fn plain(em: f64) -> Self {
        Self { em, bold: false, color: BLACK }
    }

    /// Bold face, black.
    pub fn bold(em: f64) -> Self {
        Self { em, bold: true, color: BLACK }
    }

    /// The same font in another colour.
    pub fn colored(self, color: RGBColor) -> Self {
        Self { color, ..self }
    }

    /// Distance of two lines.
    pub fn line(&self) -> f64 {
        self.em * LEADING
    }

    /// Width of `text` in logical pixels.
    pub fn width(&self, text: &str) -> f64 {
        let face = face(self.bold);
        self.em * text.chars().map(|c| face.glyph(c).advance).sum::<f64>()
    }
}

/// One shape, in logical pixels; y grows downwards.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Stroke { points: Vec<(f64, f64)>, width: f64, color: RGBColor },
    Fill { points: Vec<(f64, f64)>, color: RGBAColor },
    Disc { center: (f64, f64), radius: f64, color: RGBColor },
    Text { text: String, at: (f64, f64), font: Font, align: Align, upwards: bool },
}

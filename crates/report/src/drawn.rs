//! Draw a figure of a benchmark, and hold it with its name.

use thiserror::Error;

use super::document::Document;
use crate::plot::{FigureError, render_of};
use uqbench_judge::figures::NamedFigure;

/// A drawn figure.
pub struct Drawn {
    /// Its file name, without ending.
    pub file: String,
    /// Its title.
    pub title: String,
    /// Its SVG.
    pub document: Document,
}

/// Why a figure cannot be drawn.
#[derive(Debug, Error)]
#[error("figure {file}: {source}")]
pub struct DrawingError {
    /// The figure.
    file: String,
    /// Why.
    source: FigureError,
}

impl Drawn {
    /// Draws a figure.
    ///
    /// # Errors
    /// [`DrawingError`].
    pub fn of(NamedFigure { file, title, figure }: &NamedFigure) -> Result<Self, DrawingError> {
        match Document::figure(file, render_of(figure)) {
            Ok(document) => Ok(Self { file: file.clone(), title: title.clone(), document }),
            Err(source) => Err(DrawingError { file: file.clone(), source }),
        }
    }
}

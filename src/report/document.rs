//! Hold one rendered file, before it is written.

use crate::plot::{FigureError, Render};

/// A rendered file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its name below the output folder.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Document {
    /// A file of this name.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into() }
    }

    /// A figure as `file`.svg and `file`.png.
    ///
    /// # Errors
    /// [`FigureError`] where it cannot be drawn.
    pub fn figure(file: &str, drawing: &dyn Render) -> Result<[Self; 2], FigureError> {
        let rendered = drawing.render()?;
        Ok([Self::new(format!("{file}.svg"), rendered.svg), Self::new(format!("{file}.png"), rendered.png)])
    }
}

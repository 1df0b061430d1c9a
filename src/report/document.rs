//! Hold one rendered file, before it is written.

use crate::plot::{FigureError, Render, Rendered};

/// A rendered file. Two are equal where their names and bytes are.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its name below the output folder.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// The figure that it shows, from which a PNG can be made.
    figure: Option<Rendered>,
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.bytes) == (&other.name, &other.bytes)
    }
}

impl Document {
    /// A file of this name.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into(), figure: None }
    }

    /// A figure as `file`.svg.
    ///
    /// # Errors
    /// [`FigureError`] where it cannot be drawn.
    pub fn figure(file: &str, drawing: &dyn Render) -> Result<Self, FigureError> {
        let rendered = drawing.render()?;
        let bytes = rendered.svg.clone().into_bytes();
        Ok(Self { name: format!("{file}.svg"), bytes, figure: Some(rendered) })
    }

    /// A figure's PNG under the name `file`.png; `None` for other documents.
    ///
    /// # Errors
    /// [`FigureError`] where it cannot be drawn.
    pub fn png(&self) -> Result<Option<Self>, FigureError> {
        let Some(figure) = &self.figure else { return Ok(None) };
        let stem = self.name.strip_suffix(".svg").unwrap_or(&self.name);
        Ok(Some(Self::new(format!("{stem}.png"), figure.png()?)))
    }
}

//! Hold one rendered file, before it is written.

use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::plot::{FigureError, Render, Rendered};

/// A rendered file. Two are equal where their names and bytes are. One that was kept has no figure from which a PNG can be made.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Its name below the output folder.
    pub name: String,
    /// Its content.
    #[serde(serialize_with = "as_text", deserialize_with = "of_text")]
    pub bytes: Vec<u8>,
    /// The figure that it shows, from which a PNG can be made.
    #[serde(skip)]
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

fn as_text<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    std::str::from_utf8(bytes).map_err(S::Error::custom)?.serialize(serializer)
}

fn of_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    Ok(String::deserialize(deserializer)?.into_bytes())
}

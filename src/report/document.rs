//! Hold one rendered file, before it is written.

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
}

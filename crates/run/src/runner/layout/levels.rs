//! Tell the levels of stored quantiles without reading them.

use super::{FormLayout, Layout};
use uq_methods::Reading;

impl Layout {
    /// The levels of a reading whose form is quantiles; `None` for any other form.
    pub fn levels_of(&self, reading: &Reading) -> Option<&[f64]> {
        match &self.readings.iter().find(|known| known.reading == *reading)?.form {
            FormLayout::Quantiles { levels, .. } => Some(levels),
            _ => None,
        }
    }
}

//! Tell at a place of a figure what it shows there.

use serde::{Deserialize, Serialize};

use super::scene::FINE;

/// Words about what a figure shows at a place. They are not part of its file; a page shows them at the pointer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tip {
    /// The place, in the units of the SVG's view box.
    pub at: (i32, i32),
    /// What is there.
    pub words: String,
}

impl Tip {
    /// Radius within which the words are shown, in the units of the SVG's view box.
    pub const REACH: i32 = 7 * FINE as i32;

    /// Words at a place in logical pixels.
    pub(super) fn new((x, y): (f64, f64), words: String) -> Self {
        Self { at: ((x * FINE).round() as i32, (y * FINE).round() as i32), words }
    }
}

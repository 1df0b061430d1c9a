//! Read the widths and left bearings of the embedded faces' glyphs.
//!
//! The plotting crate drops a glyph's left bearing when it paints a bitmap, which sets letters unevenly; with the bearing
//! known, text is set glyph by glyph. Only what the two embedded faces need is read: character map format 4.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Advance and left bearing of a glyph, in em.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Glyph {
    /// Distance to the next glyph's origin.
    pub advance: f64,
    /// Distance from the origin to the left edge of the ink.
    pub bearing: f64,
}

/// Metrics of every character of a face.
#[derive(Clone, Debug, Default)]
pub(super) struct Face {
    glyphs: HashMap<char, Glyph>,
}

/// The bold or the normal face.
pub(super) fn face(bold: bool) -> &'static Face {
    static NORMAL: OnceLock<Face> = OnceLock::new();
    static BOLD: OnceLock<Face> = OnceLock::new();
    let (cell, bytes) = if bold { (&BOLD, dejavu::sans::bold()) } else { (&NORMAL, dejavu::sans::regular()) };
    cell.get_or_init(|| Face::read(bytes).unwrap_or_default())
}

impl Face {
    /// Metrics of a character. A character that the face lacks has the width of the box that is drawn for it.
    pub fn glyph(&self, c: char) -> Glyph {
        self.glyphs.get(&c).copied().unwrap_or(Glyph { advance: 0.6, bearing: 0.05 })
    }

    /// Whether the metrics could be read.
    pub fn is_known(&self) -> bool {
        !self.glyphs.is_empty()
    }

    fn read(font: &[u8]) -> Option<Self> {
        let em = f64::from(short(font, table(font, b"head")? + 18)?);
        let measured = usize::from(short(font, table(font, b"hhea")? + 34)?);
        let metrics = table(font, b"hmtx")?;
        let glyph = |index: usize| {
            let advance = short(font, metrics + 4 * index.min(measured - 1))?;
            // Glyphs past the measured ones share the last advance, and have bearings of their own.
            let at = if index < measured { metrics + 4 * index + 2 } else { metrics + 2 * (measured + index) };
            Some(Glyph { advance: f64::from(advance) / em, bearing: f64::from(short(font, at)? as i16) / em })
        };
        let map = character_map(font)?;
        Some(Self { glyphs: map.into_iter().filter_map(|(c, index)| Some((c, glyph(index)?))).collect() })
    }
}

/// Big-endian 16-bit number at `at`.
fn short(font: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*font.get(at)?, *font.get(at + 1)?]))
}

/// Big-endian 32-bit number at `at`.
fn long(font: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(short(font, at)?) << 16 | usize::from(short(font, at + 2)?))
}

/// Offset of the table of this name.
fn table(font: &[u8], name: &[u8; 4]) -> Option<usize> {
    let count = usize::from(short(font, 4)?);
    let record = (0..count).map(|i| 12 + 16 * i).find(|&at| font.get(at..at + 4) == Some(name.as_slice()))?;
    long(font, record + 8)
}

/// Glyph index of every character of the first format 4 subtable (the basic multilingual plane).
fn character_map(font: &[u8]) -> Option<Vec<(char, usize)>> {
    let start = table(font, b"cmap")?;
    let subtables = usize::from(short(font, start + 2)?);
    let offsets = (0..subtables).filter_map(|i| Some(start + long(font, start + 4 + 8 * i + 4)?));
    let map = offsets.into_iter().find(|&at| short(font, at) == Some(4))?;
    // Four columns of the same length: last codes, (a pad), first codes, deltas, range offsets.
    let segments = usize::from(short(font, map + 6)?) / 2;
    let column = |index: usize| map + 14 + if index == 0 { 0 } else { 2 + 2 * segments * index };
    let mut found = Vec::new();
    for segment in 0..segments {
        let cell = |index: usize| short(font, column(index) + 2 * segment);
        let (last, first, delta, offset) = (cell(0)?, cell(1)?, cell(2)?, cell(3)?);
        for code in first..=last {
            let index = if offset == 0 {
                code.wrapping_add(delta)
            } else {
                // The offset counts bytes from its own position.
                let at = column(3) + 2 * segment + usize::from(offset) + 2 * usize::from(code - first);
                match short(font, at)? {
                    0 => 0,
                    index => index.wrapping_add(delta),
                }
            };
            if let (Some(c), true) = (char::from_u32(u32::from(code)), index != 0) {
                found.push((c, usize::from(index)));
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::face;

    #[test]
    fn known_metrics_of_the_embedded_faces() {
        // Of 2048 units an em: the space of DejaVu Sans is 651 wide, its M 1767 with a bearing of 201.
        let normal = face(false);
        assert_eq!(normal.glyph(' ').advance, 651.0 / 2048.0);
        assert_eq!((normal.glyph('M').advance, normal.glyph('M').bearing), (1767.0 / 2048.0, 201.0 / 2048.0));
        assert!(face(true).glyph('M').advance > normal.glyph('M').advance);
    }

    #[test]
    fn every_character_that_figures_add_has_a_glyph() {
        for c in "−±×·–←→⁻⁰¹²³⁴⁵⁶⁷⁸⁹\u{2009}\u{a0}µσαβ₀".chars() {
            assert!(face(false).glyphs.contains_key(&c) && face(true).glyphs.contains_key(&c), "{c:?}");
        }
    }
}

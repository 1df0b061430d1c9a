//! Widths and left bearings of the embedded faces' glyphs.
//!
//! The plotting crate drops a glyph's left bearing when it paints a bitmap, which sets letters
//! unevenly; with the bearing known, text is set glyph by glyph. A layout needs the widths before
//! anything is drawn.

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, OutlineCurve, Point};

/// Advance and left bearing of a glyph, in em.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Glyph {
    /// Distance to the next glyph's origin.
    pub advance: f64,
    /// Distance from the origin to the left edge of the ink.
    pub bearing: f64,
}

/// A cubic Bézier curve of a glyph's outline, in em from the glyph's origin; y grows upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Curve(pub [(f64, f64); 4]);

/// A face; `None` inside where it cannot be read.
#[derive(Clone, Debug)]
pub(super) struct Face(Option<FontRef<'static>>);

/// The bold or the normal face.
pub(super) fn face(bold: bool) -> &'static Face {
    static NORMAL: OnceLock<Face> = OnceLock::new();
    static BOLD: OnceLock<Face> = OnceLock::new();
    let (cell, bytes) =
        if bold { (&BOLD, dejavu::sans::bold()) } else { (&NORMAL, dejavu::sans::regular()) };
    cell.get_or_init(|| Face(FontRef::try_from_slice(bytes).ok()))
}

impl Face {
    /// Metrics of a character. A character that the face lacks has the width of the box that is
    /// drawn for it.
    pub fn glyph(&self, c: char) -> Glyph {
        self.known(c).unwrap_or(Glyph { advance: 0.6, bearing: 0.05 })
    }

    /// The outline of a character, contour after contour: of one that the face lacks, the box that
    /// is drawn for it.
    pub fn outline(&self, c: char) -> Vec<Curve> {
        let Some(font) = self.0.as_ref() else { return Vec::new() };
        let Some(em) = font.units_per_em().map(f64::from) else { return Vec::new() };
        let outline = font.outline(font.glyph_id(c));
        outline.map_or_else(Vec::new, |outline| {
            outline.curves.iter().map(|curve| cubic(curve, em)).collect()
        })
    }

    /// Whether the face could be read.
    pub fn is_known(&self) -> bool {
        self.0.is_some()
    }

    /// Metrics of a character that the face has.
    fn known(&self, c: char) -> Option<Glyph> {
        let font = self.0.as_ref()?;
        let id = font.glyph_id(c);
        let em = f64::from(font.units_per_em()?);
        let advance = f64::from(font.h_advance_unscaled(id)) / em;
        let bearing = f64::from(font.h_side_bearing_unscaled(id)) / em;
        // Number 0 is the box for characters that are missing.
        (id.0 != 0).then_some(Glyph { advance, bearing })
    }
}

/// A curve of an outline in units of which `em` are an em.
fn cubic(curve: &OutlineCurve, em: f64) -> Curve {
    let point = |at: &Point| (f64::from(at.x) / em, f64::from(at.y) / em);
    let between = |a: (f64, f64), b: (f64, f64), share: f64| {
        (a.0 + share * (b.0 - a.0), a.1 + share * (b.1 - a.1))
    };
    Curve(match curve {
        OutlineCurve::Line(a, b) => [point(a), point(a), point(b), point(b)],
        OutlineCurve::Quad(a, b, c) => {
            let [a, b, c] = [a, b, c].map(point);
            // A quadratic curve's control point lies two thirds of the way from each end.
            [a, between(a, b, 2.0 / 3.0), between(c, b, 2.0 / 3.0), c]
        }
        OutlineCurve::Cubic(a, b, c, d) => [a, b, c, d].map(point),
    })
}

#[cfg(test)]
mod tests {
    use super::face;

    #[test]
    fn known_metrics_of_the_embedded_faces() {
        // Of 2048 units an em: the space of DejaVu Sans is 651 wide, its M 1767 with a bearing of
        // 201.
        let normal = face(false);
        assert_eq!(normal.glyph(' ').advance, 651.0 / 2048.0);
        assert_eq!(
            (normal.glyph('M').advance, normal.glyph('M').bearing),
            (1767.0 / 2048.0, 201.0 / 2048.0)
        );
        assert!(face(true).glyph('M').advance > normal.glyph('M').advance);
    }

    #[test]
    fn every_character_that_figures_add_has_a_glyph() {
        for c in "−±×·–←→⁻⁰¹²³⁴⁵⁶⁷⁸⁹\u{2009}\u{a0}µσαβ₀".chars()
        {
            assert!(face(false).known(c).is_some() && face(true).known(c).is_some(), "{c:?}");
        }
    }

    #[test]
    fn a_character_that_a_face_lacks_has_the_width_of_its_box() {
        assert_eq!(face(false).glyph('漢').advance, 0.6);
    }
}

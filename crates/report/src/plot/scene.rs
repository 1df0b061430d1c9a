//! Collect the shapes of a figure in logical pixels, and paint them as SVG, PNG and PDF.
//!
//! Layout is computed once, so both outputs agree. Both are painted on integer coordinates at
//! [`FINE`] times the logical size: the SVG is scaled back by its view box, the bitmap is averaged
//! down to twice the logical size, which smooths every edge.

use super::face::face;
use super::shape::Shape;
pub use super::shape::{Align, Font};
use super::style::{self, Dash, FAMILY, Marker, WHITE};
use super::{FigureError, Tip, pdf, png};
use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle,
};
use uq_core::printable::turns;

/// Painted units a logical pixel.
pub(super) const FINE: f64 = 4.0;
/// Painted units a pixel of the PNG.
const SHRINK: usize = 2;

/// DejaVu's line height in em: the bitmap painter scales a font by its line height.
const LINE_HEIGHT: f64 = 1.164;
/// The SVG painter divides a font's size by this to get its em.
const SVG_EM: f64 = 1.24;
/// Height of a capital or digit in em.
const CAP: f64 = 0.73;
/// A rendered figure.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// SVG text at the logical size, with its text as text.
    pub svg: String,
    /// Words about places of the figure, in the order of drawing.
    pub tips: Vec<Tip>,
    scene: Scene,
    size: (u32, u32),
}

impl Rendered {
    /// PNG bytes at twice the logical size. They cost some ten times as much as the SVG.
    ///
    /// # Errors
    /// [`FigureError::Drawing`] where the plotting library fails.
    pub fn png(&self) -> Result<Vec<u8>, FigureError> {
        self.scene.png(self.size)
    }

    /// PDF bytes of vectors, a page of the logical size.
    ///
    /// # Errors
    /// [`FigureError::Drawing`] where they cannot be packed.
    pub fn pdf(&self) -> Result<Vec<u8>, FigureError> {
        let logical = |fine: u32| f64::from(fine) / FINE;
        pdf::encode(&self.scene.shapes, (logical(self.size.0), logical(self.size.1)))
            .map_err(|e| FigureError::Drawing(e.to_string()))
    }
}

/// The shapes of a figure, in the order in which they are painted.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    shapes: Vec<Shape>,
    tips: Vec<Tip>,
}

impl Scene {
    /// A straight solid line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, color: RGBColor) {
        self.path(&[from, to], width, color, style::SOLID);
    }

    /// A polyline, dashed along its length.
    pub fn path(&mut self, points: &[(f64, f64)], width: f64, color: RGBColor, dash: Dash) {
        for points in strokes(points, dash) {
            self.shapes.push(Shape::Stroke { points, width, color });
        }
    }

    /// A filled polygon.
    pub fn fill(&mut self, points: Vec<(f64, f64)>, color: RGBColor) {
        self.shapes.push(Shape::Fill { points, color: color.to_rgba() });
    }

    /// A filled polygon of the given opacity, for areas that overlap: 1 hides what lies behind it,
    /// 0 is not seen.
    pub fn fill_translucent(&mut self, points: Vec<(f64, f64)>, color: RGBColor, opacity: f64) {
        self.shapes.push(Shape::Fill { points, color: color.mix(opacity) });
    }

    /// A filled rectangle.
    pub fn rectangle(
        &mut self,
        (left, top): (f64, f64),
        (right, bottom): (f64, f64),
        color: RGBColor,
    ) {
        self.fill(vec![(left, top), (right, top), (right, bottom), (left, bottom)], color);
    }

    /// A data point; `hollow` ones are white inside. All shapes have about the area of a disc of
    /// this radius.
    pub fn marker(
        &mut self,
        (x, y): (f64, f64),
        marker: Marker,
        radius: f64,
        color: RGBColor,
        hollow: bool,
    ) {
        self.marker_shape((x, y), marker, radius, color);
        if hollow {
            self.marker_shape((x, y), marker, radius - 1.5, WHITE);
        }
    }

    fn marker_shape(&mut self, (x, y): (f64, f64), marker: Marker, radius: f64, color: RGBColor) {
        let polygon = |corners: &[(f64, f64)]| {
            corners.iter().map(|(u, v)| (x + u * radius, y + v * radius)).collect()
        };
        match marker {
            Marker::Circle => self.shapes.push(Shape::Disc { center: (x, y), radius, color }),
            Marker::Square => {
                self.fill(polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]), color)
            }
            Marker::Triangle => {
                self.fill(polygon(&[(0.0, -1.3), (1.15, 0.8), (-1.15, 0.8)]), color)
            }
            Marker::Diamond => {
                self.fill(polygon(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]), color)
            }
            Marker::Wedge => self.fill(polygon(&[(0.0, 1.3), (1.15, -0.8), (-1.15, -0.8)]), color),
        }
    }

    /// Words about what lies at this place.
    pub fn tip(&mut self, (x, y): (f64, f64), words: impl AsRef<str>) {
        self.tips.push(Tip::new((x, y), printable(words.as_ref())));
    }

    /// One line of text whose capitals are centred on the height of `at`.
    pub fn text(&mut self, text: &str, at: (f64, f64), font: Font, align: Align) {
        let at = (at.0, at.1 + font.em * CAP / 2.0);
        self.shapes.push(Shape::Text { text: printable(text), at, font, align, upwards: false });
    }

    /// One line of text that reads upwards, centred on `at`.
    pub fn text_upwards(&mut self, text: &str, at: (f64, f64), font: Font) {
        let at = (at.0 + font.em * CAP / 2.0, at.1);
        self.shapes.push(Shape::Text {
            text: printable(text),
            at,
            font,
            align: Align::Middle,
            upwards: true,
        });
    }

    /// Paints the shapes on a white ground of the given logical size.
    pub fn render(self, width: f64, height: f64) -> Result<Rendered, FigureError> {
        let (wide, high) = (width.ceil() as u32, height.ceil() as u32);
        let size = (wide * FINE as u32, high * FINE as u32);
        Ok(Rendered {
            svg: self.svg(size, (wide, high))?,
            tips: Tip::of_figure(&self.tips),
            scene: self,
            size,
        })
    }

    fn svg(&self, size: (u32, u32), logical: (u32, u32)) -> Result<String, FigureError> {
        let mut svg = String::new();
        {
            let mut backend = SVGBackend::with_string(&mut svg, size);
            // The SVG painter puts a top-anchored text's baseline 0.76 em below the anchor.
            self.paint(&mut backend, size, SVG_EM, 0.76, false)?;
            backend.present().map_err(|e| FigureError::Drawing(e.to_string()))?;
        }
        let painted = format!("<svg width=\"{}\" height=\"{}\"", size.0, size.1);
        let wanted = format!("<svg width=\"{}\" height=\"{}\"", logical.0, logical.1);
        Ok(svg.replacen(&painted, &wanted, 1))
    }

    fn png(&self, size: (u32, u32)) -> Result<Vec<u8>, FigureError> {
        let (width, height) = (size.0 as usize, size.1 as usize);
        let mut fine = vec![255u8; 3 * width * height];
        {
            let mut backend = BitMapBackend::with_buffer(&mut fine, size);
            // The bitmap painter puts the baseline half a line height below the top.
            self.paint(&mut backend, size, LINE_HEIGHT, LINE_HEIGHT / 2.0, true)?;
            backend.present().map_err(|e| FigureError::Drawing(e.to_string()))?;
        }
        let (columns, rows) = (width / SHRINK, height / SHRINK);
        let mut pixels = Vec::with_capacity(3 * columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                for channel in 0..3 {
                    let mut sum = 0usize;
                    for (dy, dx) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                        let at = (row * SHRINK + dy) * width + column * SHRINK + dx;
                        sum += usize::from(fine[3 * at + channel]);
                    }
                    pixels.push((sum / (SHRINK * SHRINK)) as u8);
                }
            }
        }
        png::encode(&pixels, columns as u32, rows as u32)
            .map_err(|e| FigureError::Drawing(e.to_string()))
    }

    /// Paints every shape. A font's size is `em` × `size_of_em`; its baseline lies `ascent` × em
    /// below the top anchor.
    fn paint<B: DrawingBackend>(
        &self,
        backend: &mut B,
        size: (u32, u32),
        size_of_em: f64,
        ascent: f64,
        bitmap: bool,
    ) -> Result<(), FigureError> {
        let fine = |v: f64| (v * FINE).round() as i32;
        let point = |&(x, y): &(f64, f64)| (fine(x), fine(y));
        let failed = |e: &dyn std::fmt::Display| FigureError::Drawing(e.to_string());
        backend
            .draw_rect((0, 0), (size.0 as i32, size.1 as i32), &WHITE, true)
            .map_err(|e| failed(&e))?;
        for shape in &self.shapes {
            match shape {
                Shape::Stroke { points, width, color } => {
                    let stroke_width = fine(*width).max(1) as u32;
                    let stroke = ShapeStyle { color: color.to_rgba(), filled: false, stroke_width };
                    let points: Vec<_> = points.iter().map(point).collect();
                    if !bitmap {
                        backend.draw_path(points, &stroke).map_err(|e| failed(&e))?;
                        continue;
                    }
                    // The bitmap painter's mitred outline of a whole polyline crosses itself at
                    // sharp turns.
                    for pair in points.windows(2).filter(|pair| pair[0] != pair[1]) {
                        backend.draw_path(pair.iter().copied(), &stroke).map_err(|e| failed(&e))?;
                    }
                    for joint in points.iter().skip(1).take(points.len().saturating_sub(2)) {
                        backend
                            .draw_circle(*joint, stroke_width / 2, color, true)
                            .map_err(|e| failed(&e))?;
                    }
                }
                Shape::Fill { points, color } => {
                    backend
                        .fill_polygon(points.iter().map(point), color)
                        .map_err(|e| failed(&e))?;
                }
                Shape::Disc { center, radius, color } => {
                    backend
                        .draw_circle(point(center), fine(*radius).max(1) as u32, color, true)
                        .map_err(|e| failed(&e))?;
                }
                Shape::Text { text, at, font, align, upwards } => {
                    let em = font.em * FINE;
                    let weight = if font.bold { FontStyle::Bold } else { FontStyle::Normal };
                    let mut desc = FontDesc::new(FontFamily::Name(FAMILY), em * size_of_em, weight);
                    // From the baseline back to the anchor, across the direction of reading.
                    let rise = (em * ascent).round() as i32;
                    let (mut x, mut y) = point(at);
                    if *upwards {
                        desc = desc.transform(FontTransform::Rotate270);
                        x -= rise;
                    } else {
                        y -= rise;
                    }
                    let text_style = TextStyle::from(desc).color(&font.color);
                    if !bitmap {
                        let text_style = text_style.pos(Pos::new(align.horizontal(), VPos::Top));
                        backend.draw_text(text, &text_style, (x, y)).map_err(|e| failed(&e))?;
                        continue;
                    }
                    let mut along = -align.share() * font.width(text) * FINE;
                    for c in text.chars() {
                        let glyph = face(font.bold).glyph(c);
                        let ink = (along + glyph.bearing * em).floor() as i32;
                        let at = if *upwards { (x, y - ink) } else { (x + ink, y) };
                        backend
                            .draw_text(c.encode_utf8(&mut [0; 4]), &text_style, at)
                            .map_err(|e| failed(&e))?;
                        along += glyph.advance * em;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The text without control characters, which an SVG must not hold, and without those that change
/// the direction of writing.
fn printable(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() && !turns(*c) && !matches!(c, '\u{fffe}' | '\u{ffff}'))
        .collect()
}

/// Cuts a polyline into the strokes of a dash pattern, measured along its length.
fn strokes(points: &[(f64, f64)], dash: Dash) -> Vec<Vec<(f64, f64)>> {
    if dash.is_empty() || points.len() < 2 {
        return vec![points.to_vec()];
    }
    let mut done = Vec::new();
    let mut stroke = vec![points[0]];
    let (mut index, mut left) = (0, dash[0]);
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        let mut length = (to.0 - from.0).hypot(to.1 - from.1);
        while length > left {
            let share = left / length;
            let cut = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
            if index % 2 == 0 {
                stroke.push(cut);
                done.push(std::mem::take(&mut stroke));
            } else {
                stroke = vec![cut];
            }
            length -= left;
            from = cut;
            index = (index + 1) % dash.len();
            left = dash[index];
        }
        left -= length;
        if index % 2 == 0 {
            stroke.push(to);
        }
    }
    if index % 2 == 0 && stroke.len() > 1 {
        done.push(stroke);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::super::style::{LABEL, register_fonts};
    use super::{Font, strokes};

    #[test]
    fn dashes_follow_the_line_around_a_corner() {
        let corner = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)];
        let dashes = strokes(&corner, &[4.0, 2.0]);
        assert_eq!(dashes, [vec![(0.0, 0.0), (4.0, 0.0)], vec![(5.0, 1.0), (5.0, 5.0)]]);
        assert_eq!(strokes(&corner, &[]), [corner.to_vec()]);
    }

    #[test]
    fn wrapped_lines_fit_and_keep_every_word() {
        register_fonts().unwrap();
        let font = Font::bold(LABEL);
        let text = "Continuous ranked probability score of the test column";
        let lines = font.wrap(text, 150.0);
        assert!(lines.len() > 1);
        assert!(lines.iter().all(|line| font.width(line) <= 150.0));
        assert_eq!(lines.join(" "), text);
        assert!(font.width(text) > Font::plain(LABEL).width(text), "the bold face is wider");
    }
}

//! Write the shapes of a figure as PDF bytes: vectors, with letters as outlines, so that no font is
//! embedded and every reader shows the same.

use std::collections::BTreeSet;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref};
use plotters::style::RGBColor;

use super::face::face;
use super::shape::{Font, Shape};

/// Points a logical pixel: both are defined by the inch, as a 72nd and a 96th.
const POINT: f32 = 0.75;

/// The share of a radius by which a cubic Bézier curve's control points lie beside the ends of a
/// quarter of a circle.
const QUARTER: f64 = 0.552_284_75;

/// Steps of opacity.
const OPAQUE: u8 = 100;

/// PDF bytes of `shapes`, in their order, on a page of `width` × `height` logical pixels.
pub(super) fn encode(
    shapes: &[Shape],
    (width, height): (f64, f64),
) -> Result<Vec<u8>, std::io::Error> {
    let page_size = [width as f32 * POINT, height as f32 * POINT];
    let mut painter = Painter { content: Content::new(), opacities: BTreeSet::new() };
    // Pixels grow downwards, a page upwards.
    painter.content.transform([POINT, 0.0, 0.0, -POINT, 0.0, page_size[1]]);
    painter.content.set_line_join(LineJoinStyle::RoundJoin).set_line_cap(LineCapStyle::ButtCap);
    shapes.iter().for_each(|shape| painter.paint(shape));
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&painter.content.finish())?;
    let packed = packed.finish()?;

    let [catalog, tree, page, content] = [1, 2, 3, 4].map(Ref::new);
    let state = |opacity: u8| Ref::new(5 + i32::from(opacity));
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(tree);
    pdf.pages(tree).kids([page]).count(1);
    let mut about = pdf.page(page);
    about.media_box(Rect::new(0.0, 0.0, page_size[0], page_size[1])).parent(tree);
    about.contents(content);
    let mut resources = about.resources();
    let mut states = resources.ext_g_states();
    for opacity in &painter.opacities {
        states.pair(Name(&named(*opacity)), state(*opacity));
    }
    states.finish();
    resources.finish();
    about.finish();
    for opacity in &painter.opacities {
        let share = f32::from(*opacity) / f32::from(OPAQUE);
        pdf.ext_graphics(state(*opacity)).non_stroking_alpha(share);
    }
    pdf.stream(content, &packed).filter(Filter::FlateDecode);
    Ok(pdf.finish())
}

/// What a state of this opacity is called.
fn named(opacity: u8) -> Vec<u8> {
    format!("O{opacity}").into_bytes()
}

/// A coordinate: a hundredth of a pixel is finer than any printer.
fn coordinate(value: f64) -> f32 {
    ((value * 100.0).round() / 100.0) as f32
}

/// Writes shapes; remembers their opacities.
struct Painter {
    content: Content,
    opacities: BTreeSet<u8>,
}

impl Painter {
    fn paint(&mut self, shape: &Shape) {
        match shape {
            Shape::Stroke { points, width, color } => {
                let [r, g, b] = shares(*color);
                self.content.set_stroke_rgb(r, g, b).set_line_width(*width as f32);
                self.trace(points);
                self.content.stroke();
            }
            Shape::Fill { points, color } => {
                self.set_opacity(color.3);
                self.set_fill(RGBColor(color.0, color.1, color.2));
                self.trace(points);
                self.content.close_path().fill_nonzero();
                self.set_opacity(1.0);
            }
            Shape::Disc { center, radius, color } => {
                self.set_fill(*color);
                self.circle(*center, *radius);
            }
            Shape::Text { text, at, font, align, upwards } => {
                self.set_fill(font.color);
                let start = -align.share() * font.width(text);
                self.letters(text, *at, font, start, *upwards);
            }
        }
    }

    fn set_fill(&mut self, color: RGBColor) {
        let [r, g, b] = shares(color);
        self.content.set_fill_rgb(r, g, b);
    }

    /// Sets how much of what lies behind the next fills is hidden.
    fn set_opacity(&mut self, share: f64) {
        let opacity = (share * f64::from(OPAQUE)).round() as u8;
        if opacity < OPAQUE || !self.opacities.is_empty() {
            self.opacities.insert(opacity);
            self.content.set_parameters(Name(&named(opacity)));
        }
    }

    fn trace(&mut self, points: &[(f64, f64)]) {
        for (i, (x, y)) in points.iter().enumerate() {
            let (x, y) = (coordinate(*x), coordinate(*y));
            if i == 0 {
                self.content.move_to(x, y)
            } else {
                self.content.line_to(x, y)
            };
        }
    }

    fn circle(&mut self, (x, y): (f64, f64), radius: f64) {
        let at = |u: f64, v: f64| (coordinate(x + u * radius), coordinate(y + v * radius));
        let (from_x, from_y) = at(1.0, 0.0);
        self.content.move_to(from_x, from_y);
        let mut from = (1.0, 0.0);
        for to in [(0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0)] {
            let beside =
                |a: (f64, f64), b: (f64, f64)| at(a.0 + QUARTER * b.0, a.1 + QUARTER * b.1);
            let ((x1, y1), (x2, y2), (x3, y3)) =
                (beside(from, to), beside(to, from), at(to.0, to.1));
            self.content.cubic_to(x1, y1, x2, y2, x3, y3);
            from = to;
        }
        self.content.fill_nonzero();
    }

    /// The outlines of a text that begins `start` along the direction of reading from `at`, its
    /// baseline.
    fn letters(&mut self, text: &str, at: (f64, f64), font: &Font, start: f64, upwards: bool) {
        let face = face(font.bold);
        let mut along = start;
        for c in text.chars() {
            let place = |(u, v): (f64, f64)| {
                let (read, rise) = (along + font.em * u, font.em * v);
                let (x, y) =
                    if upwards { (at.0 - rise, at.1 - read) } else { (at.0 + read, at.1 - rise) };
                (coordinate(x), coordinate(y))
            };
            let curves = face.outline(c);
            let mut last = None;
            for curve in &curves {
                let [from, a, b, to] = curve.0;
                if last != Some(from) {
                    let (x, y) = place(from);
                    self.content.move_to(x, y);
                }
                let ((x1, y1), (x2, y2), (x3, y3)) = (place(a), place(b), place(to));
                self.content.cubic_to(x1, y1, x2, y2, x3, y3);
                last = Some(to);
            }
            if !curves.is_empty() {
                self.content.fill_nonzero();
            }
            along += font.em * face.glyph(c).advance;
        }
    }
}

/// The colour's shares of red, green and blue.
fn shares(RGBColor(r, g, b): RGBColor) -> [f32; 3] {
    [r, g, b].map(|part| f32::from(part) / 255.0)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::plot::scene::{Align, Scene};
    use crate::plot::style::{BLACK, Marker, register_fonts};

    /// The unpacked instructions of a page.
    fn instructions(pdf: &[u8]) -> String {
        let find = |word: &[u8]| pdf.windows(word.len()).position(|one| one == word).unwrap();
        let (from, to) = (find(b"stream\n") + 7, find(b"\nendstream"));
        let mut text = String::new();
        flate2::read::ZlibDecoder::new(&pdf[from..to]).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn shapes_are_vectors_in_their_order_and_the_same_bytes_each_time() {
        register_fonts().unwrap();
        let mut scene = Scene::default();
        scene.line((0.0, 0.0), (8.0, 4.0), 2.0, BLACK);
        scene.fill_translucent(vec![(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)], BLACK, 0.25);
        scene.marker((4.0, 4.0), Marker::Circle, 2.0, BLACK, false);
        scene.text("I", (5.0, 5.0), Font::plain(10.0), Align::Start);
        let rendered = scene.render(100.0, 40.0).unwrap();
        let pdf = rendered.pdf().unwrap();
        assert_eq!(pdf, rendered.pdf().unwrap());
        assert!(pdf.starts_with(b"%PDF-"));
        let text = String::from_utf8_lossy(&pdf).into_owned();
        assert!(text.contains("/MediaBox [0 0 75 30]") && text.contains("/ca 0.25"), "{text}");
        let words = instructions(&pdf);
        let at = |part: &str| words.find(part).unwrap_or_else(|| panic!("{part} in {words}"));
        let order = [at("0 0 m\n8 4 l\nS"), at("/O25 gs"), at("6 4 m"), at("5.")];
        assert!(order.is_sorted(), "{words}");
    }
}

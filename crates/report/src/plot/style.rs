//! Fix the look shared by all figures: colours that colour-blind readers can distinguish, markers,
//! dashes, text sizes.

use super::FigureError;
use super::face::face;
use plotters::style::{FontStyle, RGBColor, register_font};
use std::sync::OnceLock;

/// Families a viewer of the SVG should try, and the name under which the embedded faces are
/// registered.
pub(super) const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// Width of a figure in logical pixels, unless its contents need more.
pub(super) const WIDTH: f64 = 800.0;
/// Outer margin in logical pixels.
pub(super) const MARGIN: f64 = 12.0;

/// Em of the figure's title.
pub(super) const TITLE: f64 = 15.0;
/// Em of panel titles, axis labels and legends.
pub(super) const LABEL: f64 = 12.5;
/// Em of tick numbers and notes.
pub(super) const TICK: f64 = 11.5;

/// Text, axes, truth.
pub(super) const BLACK: RGBColor = RGBColor(25, 25, 25);
/// Secondary text: notes and tick numbers.
pub(super) const GREY: RGBColor = RGBColor(85, 85, 85);
/// Grid lines.
pub(super) const GRID: RGBColor = RGBColor(226, 226, 226);
/// Every second row of a forest plot.
pub(super) const STRIPE: RGBColor = RGBColor(245, 245, 245);
/// Background.
pub(super) const WHITE: RGBColor = RGBColor(255, 255, 255);
/// Okabe-Ito blue.
pub(super) const BLUE: RGBColor = RGBColor(0, 114, 178);
/// Okabe-Ito vermillion.
pub(super) const VERMILLION: RGBColor = RGBColor(213, 94, 0);

/// Shape of a data point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A disc.
    Circle,
    /// A square on its side.
    Square,
    /// A triangle that points up.
    Triangle,
    /// A square on its corner.
    Diamond,
    /// A triangle that points down.
    Wedge,
}

/// Lengths of strokes and gaps of a line in logical pixels; empty is solid.
pub(super) type Dash = &'static [f64];

/// A solid line.
pub(super) const SOLID: Dash = &[];
/// A dotted line.
pub(super) const DOTTED: Dash = &[2.0, 3.0];
/// A dashed line.
pub(super) const DASHED: Dash = &[7.0, 4.0];

/// The three differences between one series and the next: colour, marker and dash.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeriesStyle {
    /// Colour of line and marker.
    pub color: RGBColor,
    /// Shape of the points.
    pub marker: Marker,
    /// Dash of the line.
    pub dash: Dash,
}

/// Okabe-Ito colours in the order of their contrast on white; yellow is left out, because it is not
/// visible there.
const COLORS: [RGBColor; 6] = [
    BLUE,
    VERMILLION,
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];
const MARKERS: [Marker; 5] =
    [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Wedge];
const DASHES: [Dash; 4] = [SOLID, DASHED, &[2.0, 3.0], &[9.0, 3.0, 2.0, 3.0]];

/// Style of the series of index `index`; the first 30 differ in colour and marker together.
pub(super) fn series(index: usize) -> SeriesStyle {
    SeriesStyle {
        color: COLORS[index % COLORS.len()],
        marker: MARKERS[index % MARKERS.len()],
        dash: DASHES[index % DASHES.len()],
    }
}

/// The colour mixed with white, opaque: `share` of 1 keeps it, 0 is white.
///
/// Opaque tints look the same in every viewer and where shapes overlap.
pub(super) fn tint(color: RGBColor, share: f64) -> RGBColor {
    let mix = |c: u8| (f64::from(c) * share + 255.0 * (1.0 - share)).round() as u8;
    RGBColor(mix(color.0), mix(color.1), mix(color.2))
}

/// Makes the embedded faces known to the plotting crate, once a process, so that no font of the
/// system is needed.
pub(super) fn register_fonts() -> Result<(), FigureError> {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    let done = *REGISTERED.get_or_init(|| {
        register_font(FAMILY, FontStyle::Normal, dejavu::sans::regular()).is_ok()
            && register_font(FAMILY, FontStyle::Bold, dejavu::sans::bold()).is_ok()
            && face(false).is_known()
            && face(true).is_known()
    });
    if done {
        Ok(())
    } else {
        Err(FigureError::Drawing("the embedded DejaVu fonts cannot be read".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::series;

    #[test]
    fn thirty_series_differ_in_colour_or_marker() {
        let mut seen = Vec::new();
        for index in 0..30 {
            let style = series(index);
            let pair = (style.color, style.marker);
            assert!(!seen.contains(&pair), "series {index}");
            seen.push(pair);
        }
    }
}

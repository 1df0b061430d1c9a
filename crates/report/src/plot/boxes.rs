//! Draw values in boxes: quartiles, median, whiskers and every value, in rows of panels.
//!
//! Whiskers follow Tukey's rule (J. W. Tukey: Exploratory Data Analysis, 1977). A value far from
//! all others would leave them no room. An axis therefore ends [`FAR`] interquartile ranges beyond
//! the quartiles of its panel's values, and values beyond it are counted at its edge.

use super::axis::{Axis, Frame, significant, span};
use super::header::{self, Entry, Sample};
use super::histograms::quantile;
use super::scene::{Align, Font, Scene};
use super::style::{
    BLACK, GRID, LABEL, MARGIN, Marker, SeriesStyle, TICK, WHITE, WIDTH, series, tint,
};
use super::{FigureError, Render, check};
use crate::words::figures::{self, Beyond, Unknown};
use uqbench_judge::figures::{BoxOf, Boxes, BoxesPanel};

/// Interquartile ranges between the box and the furthest end of a whisker.
const WHISKER: f64 = 1.5;
/// Interquartile ranges of all values of a panel between their quartiles and the end of the axis.
const FAR: f64 = 3.0;
/// Stands for an infinite value where differences are taken: beyond every axis.
const HUGE: f64 = 1e300;

/// Height of a panel's rectangle.
const HEIGHT: f64 = 210.0;
/// Smallest distance of two boxes.
const PITCH: f64 = 20.0;
/// Width of a box, in distances of two boxes.
const SHARE: f64 = 0.62;
/// Additional distance between two series, in distances of two boxes.
const APART: f64 = 0.6;
/// Room between the panels of a row, and right of the last one.
const GAP: f64 = 12.0;

/// What Tukey's rule makes of values.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Summary {
    quartiles: [f64; 3],
    /// Ends of the whiskers.
    whiskers: [f64; 2],
}

impl Summary {
    /// Of sorted values without NaN; `None` where there are none.
    fn of(sorted: &[f64]) -> Option<Self> {
        if sorted.is_empty() {
            return None;
        }
        let quartiles = [0.25, 0.5, 0.75].map(|level| quantile(sorted, level));
        let reach = WHISKER * (quartiles[2] - quartiles[0]);
        let within = |v: &&f64| (quartiles[0] - reach..=quartiles[2] + reach).contains(*v);
        // Between two values that are far apart, no value may lie within reach of a quartile.
        let low = sorted.iter().find(within).map_or(quartiles[0], |v| v.min(quartiles[0]));
        let high = sorted.iter().rev().find(within).map_or(quartiles[2], |v| v.max(quartiles[2]));
        Some(Self { quartiles, whiskers: [low, high] })
    }
}

/// A number, or ∞ for one between [`HUGE`] and another value.
fn in_words(value: f64) -> String {
    if value.abs() < HUGE / 10.0 {
        return significant(value);
    }
    if value < 0.0 { "−∞".into() } else { "∞".into() }
}

/// The known values in their order.
fn known(one: &BoxOf) -> impl Iterator<Item = f64> {
    one.values.iter().flatten().copied().filter(|value| !value.is_nan())
}

/// The known values in order, infinite ones as [`HUGE`].
fn sorted(one: &BoxOf) -> Vec<f64> {
    let mut sorted: Vec<f64> = known(one).map(|v| v.clamp(-HUGE, HUGE)).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Draws the box about the abscissa `x`, cut at the frame; values beyond it are counted at its
/// edge.
fn draw_box(one: &BoxOf, scene: &mut Scene, frame: &Frame, x: f64, style: SeriesStyle) {
    let sorted = sorted(one);
    let Some(Summary { quartiles: [q1, median, q3], whiskers }) = Summary::of(&sorted) else {
        return;
    };
    let inside = |v: f64| (frame.y.low..=frame.y.high).contains(&v);
    let at = |v: f64| frame.at(x, v.clamp(frame.y.low, frame.y.high));
    let (centre, half) =
        (at(median).0, SHARE / 2.0 * (frame.at(1.0, median).0 - frame.at(0.0, median).0));
    let across = |scene: &mut Scene, v: f64, half: f64, width: f64| {
        if inside(v) {
            scene.line((centre - half, at(v).1), (centre + half, at(v).1), width, BLACK);
        }
    };
    for (whisker, edge) in whiskers.into_iter().zip([q1, q3]) {
        scene.line(at(whisker), at(edge), 1.0, style.color);
        across(scene, whisker, half / 2.0, 1.0);
    }
    let (left, right, top, bottom) = (centre - half, centre + half, at(q3).1, at(q1).1);
    // A box that lies beyond the axis as a whole is a count only.
    if q3 >= frame.y.low && q1 <= frame.y.high {
        scene.rectangle((left, top), (right, bottom), tint(style.color, 0.25));
        let outline = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        scene.path(&outline, 1.25, style.color, style.dash);
    }
    across(scene, median, half, 2.5);
    let below = sorted.iter().filter(|v| **v < frame.y.low).count();
    let above = sorted.iter().filter(|v| **v > frame.y.high).count();
    let edges = [
        (below, Marker::Wedge, frame.bottom - 6.0, -1.0),
        (above, Marker::Triangle, frame.top + 6.0, 1.0),
    ];
    for (count, marker, y, inwards) in edges.into_iter().filter(|(count, ..)| *count > 0) {
        scene.marker((centre, y), marker, 4.0, style.color, false);
        // On a white ground, so that a whisker that continues does not cross the number.
        let (font, text, middle) = (Font::bold(TICK), count.to_string(), y + inwards * 12.0);
        let half = (font.width(&text) / 2.0 + 1.0, TICK / 2.0);
        scene.rectangle(
            (centre - half.0, middle - half.1),
            (centre + half.0, middle + half.1),
            WHITE,
        );
        scene.text(&text, (centre, middle), font, Align::Middle);
    }
    // Last, so that nothing hides a value.
    for &value in sorted.iter().filter(|v| inside(**v)) {
        let outlier = !(whiskers[0]..=whiskers[1]).contains(&value);
        let (radius, share) = if outlier { (3.2, 1.0) } else { (1.7, 0.75) };
        scene.marker(at(value), style.marker, radius, tint(style.color, share), outlier);
    }
    let place = at(median);
    let [low, q1, median, q3, high] = [whiskers[0], q1, median, q3, whiskers[1]].map(in_words);
    let words = format!("median {median}, quartiles {q1} to {q3}, whiskers {low} to {high}");
    scene.tip(place, format!("{}, {}: {words}", one.series, one.name));
}

/// Abscissas of the boxes, in distances of two boxes.
fn places(panel: &BoxesPanel) -> Vec<f64> {
    let mut place = 0.0;
    let mut places = Vec::with_capacity(panel.boxes.len());
    for (i, one) in panel.boxes.iter().enumerate() {
        if i > 0 {
            place += if panel.boxes[i - 1].series == one.series { 1.0 } else { 1.0 + APART };
        }
        places.push(place);
    }
    places
}

fn x_axis(panel: &BoxesPanel) -> Axis {
    let places = places(panel);
    let end = places.last().copied().unwrap_or(0.0);
    let ticks = places.into_iter().zip(panel.boxes.iter().map(|one| one.name.clone())).collect();
    Axis { low: -0.6, high: end + 0.6, log: false, ticks, label: panel.x_label.clone() }
}

/// The axis of the values; `None` where none is finite.
fn y_axis(panel: &BoxesPanel, label: &str) -> Option<Axis> {
    let mut finite: Vec<f64> =
        panel.boxes.iter().flat_map(known).filter(|v| v.is_finite()).collect();
    finite.sort_by(f64::total_cmp);
    let (least, largest) = span(finite.iter().copied())?;
    let (q1, q3) = (quantile(&finite, 0.25), quantile(&finite, 0.75));
    let reach = FAR * (q3 - q1);
    // Where the quartiles coincide they give no scale, and every value is shown.
    let (low, high) = if reach > 0.0 {
        (least.max(q1 - reach), largest.min(q3 + reach))
    } else {
        (least, largest)
    };
    Axis::covering([low, high], false, 0.06, 5, label)
}

/// Width that the boxes need.
fn width(panel: &BoxesPanel) -> f64 {
    let axis = x_axis(panel);
    (axis.high - axis.low) * PITCH.max(axis.number_width() + 5.0)
}

impl Render for Boxes {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without panels, and for a panel without a finite value.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        let axes = axes(self)?;
        let across = self.across.clamp(1, self.panels.len());
        let beside = axes.iter().map(|y| y.width_beside(HEIGHT)).fold(0.0, f64::max);
        let needed = self.panels.iter().map(width).fold(0.0, f64::max) + beside + GAP;
        let cell = needed.max((WIDTH - 2.0 * MARGIN) / across as f64).ceil();
        let width = 2.0 * MARGIN + cell * across as f64;
        let names = names(self);
        let mut top = header::draw(scene, &self.title, &legend(&names), &notes(self, &axes), width);
        let title_font = Font::bold(LABEL);
        for (panels, axes) in self.panels.chunks(across).zip(axes.chunks(across)) {
            let titles: Vec<_> =
                panels.iter().map(|panel| title_font.wrap(&panel.title, cell - GAP)).collect();
            let upper = top
                + titles.iter().map(Vec::len).max().unwrap_or(0) as f64 * title_font.line()
                + 4.0;
            let mut end = upper + HEIGHT;
            for (i, ((panel, y), title)) in panels.iter().zip(axes).zip(&titles).enumerate() {
                let left = MARGIN + cell * i as f64 + beside;
                let right = MARGIN + cell * (i + 1) as f64 - GAP;
                let (x, y) = (x_axis(panel), y.clone());
                let frame = Frame { left, top: upper, right, bottom: upper + HEIGHT, x, y };
                for (k, line) in title.iter().enumerate() {
                    let at = ((left + right) / 2.0, top + (k as f64 + 0.5) * title_font.line());
                    scene.text(line, at, title_font, Align::Middle);
                }
                for (value, _) in &frame.y.ticks {
                    let (_, height) = frame.at(0.0, *value);
                    scene.line((left, height), (right, height), 0.75, GRID);
                }
                for (one, place) in panel.boxes.iter().zip(places(panel)) {
                    let look = names.iter().position(|name| *name == one.series).unwrap_or(0);
                    draw_box(one, scene, &frame, place, series(look));
                }
                frame.axes(scene, true);
                end = end.max(frame.bottom + frame.x.height_below(right - left));
            }
            top = end + GAP;
        }
        Ok((width, top - GAP + MARGIN))
    }
}

/// The axis of the values of each panel; only the first panel of a row names them.
pub(super) fn axes(figure: &Boxes) -> Result<Vec<Axis>, FigureError> {
    check::not_empty("the figure's panels", figure.panels.len())?;
    let axis = |(i, panel): (usize, &BoxesPanel)| {
        let values = panel.boxes.iter().flat_map(known).filter(|v| v.is_finite());
        check::not_empty(&format!("the finite values of \"{}\"", panel.title), values.count())?;
        let label = if i % figure.across.max(1) == 0 { figure.y_label.as_str() } else { "" };
        y_axis(panel, label)
            .ok_or_else(|| FigureError::Range { what: format!("\"{}\"", panel.title) })
    };
    figure.panels.iter().enumerate().map(axis).collect()
}

/// Names of all series in the order of their first appearance.
fn names(figure: &Boxes) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for one in figure.panels.iter().flat_map(|panel| &panel.boxes) {
        if !names.contains(&one.series.as_str()) {
            names.push(&one.series);
        }
    }
    names
}

fn legend(names: &[&str]) -> Vec<Entry> {
    let entry = |(place, name): (usize, &&str)| {
        let style = series(place);
        let samples = [
            Sample::Box(tint(style.color, 0.25)),
            Sample::Line(style.color, style.dash),
            Sample::Point(style.marker, style.color, false),
        ];
        Entry::new(*name, &samples)
    };
    names.iter().enumerate().map(entry).collect()
}

/// What the boxes are, and what is not drawn of them.
pub(super) fn notes(figure: &Boxes, axes: &[Axis]) -> Vec<String> {
    let sizes = figure.panels.iter().flat_map(|panel| &panel.boxes).map(|one| one.values.len());
    let (least, most) = sizes.fold((usize::MAX, 0), |(a, b), n| (a.min(n), b.max(n)));
    let n = if least < most { format!("{least} to {most}") } else { most.to_string() };
    let mut notes = vec![figures::boxes(&n, WHISKER)];
    notes.extend(figures::beyond_axis(beyond(figure, axes), FAR));
    notes.extend(
        figure
            .panels
            .iter()
            .filter_map(|panel| figures::unknown_values(&panel.title, &unknown(panel))),
    );
    notes
}

/// The values that lie beyond the axis of their panel.
fn beyond(figure: &Boxes, axes: &[Axis]) -> Beyond {
    let beyond = |(panel, axis): (&BoxesPanel, &Axis)| {
        let inside = |v: &f64| (axis.low..=axis.high).contains(v);
        panel.boxes.iter().flat_map(known).filter(|v| !inside(v)).count()
    };
    let all = figure.panels.iter().flat_map(|panel| &panel.boxes).flat_map(known);
    Beyond {
        count: figure.panels.iter().zip(axes).map(beyond).sum(),
        infinite: all.filter(|v| v.is_infinite()).count(),
    }
}

/// The boxes of a panel with values that are not known.
fn unknown(panel: &BoxesPanel) -> Vec<Unknown<'_>> {
    let of = |one: &BoxOf| one.values.len() - known(one).count();
    let with_unknown = panel.boxes.iter().filter(|one| of(one) > 0);
    with_unknown
        .map(|one| Unknown {
            count: of(one),
            of: one.values.len(),
            name: &one.name,
            series: &one.series,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{BoxOf, BoxesPanel, HUGE, Summary, places, sorted, y_axis};

    fn panel(values: &[&[f64]]) -> BoxesPanel {
        let known = |v: &f64| Some(*v).filter(|v| !v.is_nan());
        let one = |v: &&[f64]| BoxOf {
            name: "a".into(),
            series: "s".into(),
            values: v.iter().map(known).collect(),
        };
        BoxesPanel {
            title: "P".into(),
            x_label: "x".into(),
            boxes: values.iter().map(one).collect(),
        }
    }

    #[test]
    fn whiskers_by_hand() {
        // Quartiles of 1..9 and 30: 3.25, 5.5, 7.75 by linear interpolation; the reach is 6.75, so
        // 30 is beyond 14.5.
        let sorted = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 30.0];
        let found = Summary::of(&sorted).unwrap();
        assert_eq!(found, Summary { quartiles: [3.25, 5.5, 7.75], whiskers: [1.0, 9.0] });
        let alone = Summary::of(&[2.0]).unwrap();
        assert_eq!(alone, Summary { quartiles: [2.0; 3], whiskers: [2.0; 2] });
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn a_whisker_never_ends_inside_its_box() {
        // The upper quartile, 75, lies between 1 and 297; no value above it is within 1.5 × 74.5.
        let found = Summary::of(&[0.0, 1.0, 1.0, 297.0]).unwrap();
        assert_eq!(found, Summary { quartiles: [0.75, 1.0, 75.0], whiskers: [0.0, 75.0] });
    }

    #[test]
    fn infinite_values_take_part_and_unknown_ones_do_not() {
        let one = &panel(&[&[f64::NEG_INFINITY, 3.0, f64::NAN, 1.0, 2.0]]).boxes[0];
        assert_eq!(sorted(one), [-HUGE, 1.0, 2.0, 3.0]);
        assert_eq!(Summary::of(&sorted(one)).unwrap().quartiles[1], 1.5);
    }

    #[test]
    fn far_values_do_not_stretch_the_axis() {
        // Pooled quartiles of 0..9 and −1e4: 1.5 and 6.5, so that the axis ends at 1.5 − 15 below,
        // and at 9 above.
        let near: Vec<f64> = (0..10).map(f64::from).collect();
        let axis = y_axis(&panel(&[&near, &[-1e4, f64::NEG_INFINITY]]), "y").unwrap();
        let margin = 0.06 * 22.5;
        assert!(
            (axis.low - (-13.5 - margin)).abs() < 1e-9 && (axis.high - (9.0 + margin)).abs() < 1e-9,
            "{axis:?}"
        );
        // Quartiles that coincide give no scale.
        let axis = y_axis(&panel(&[&[1.0; 10], &[50.0]]), "y").unwrap();
        assert!(axis.low < 1.0 && axis.high > 50.0);
        assert!(y_axis(&panel(&[&[f64::NAN, f64::INFINITY]]), "y").is_none());
    }

    #[test]
    fn series_are_separated_by_a_gap() {
        let mut panel = panel(&[&[1.0], &[2.0], &[3.0]]);
        panel.boxes[2].series = "t".into();
        assert_eq!(places(&panel), [0.0, 1.0, 2.6]);
    }
}

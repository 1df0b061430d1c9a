//! Draw a random function: realisations with densities at the rows' places, and beside them its
//! distribution at one place.

use super::axis::{Axis, Frame, coordinate, significant, span};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{
    BLACK, BLUE, DASHED, DOTTED, Dash, LABEL, MARGIN, SOLID, VERMILLION, WIDTH, series, tint,
};
use super::tip::{known, spread};
use super::tubes::crosses;
use super::{FigureError, Render, check};
use plotters::style::RGBColor;
use uqbench_judge::figures::{RealisationRow, Realisations};

/// Height of a panel's rectangle.
const HEIGHT: f64 = 300.0;
/// Share of the width between two places that the tallest density takes.
const REACH: f64 = 0.7;

/// Names of the densities of the draws.
const FITTED: &str = "density fitted to the draws";
const INVERTED: &str = "by the characteristic function";

/// Green, dark grey, light grey; after them in the order of all series.
fn normal_colour(place: usize) -> (RGBColor, Dash) {
    match place {
        0 => (series(2).color, SOLID),
        1 => (tint(BLACK, 0.75), DASHED),
        _ => (tint(BLACK, 0.5), DOTTED),
    }
}

impl Render for Realisations {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure or row without points, lengths that differ, or a number that is
    /// not finite.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's rows", self.rows.len())?;
        self.rows.iter().enumerate().try_for_each(|(i, row)| check_row(row, i + 1))?;
        let mut legend = vec![
            Entry::new("realisations", &[Sample::Line(purple(), SOLID)]),
            Entry::new("mean", &[Sample::Line(BLACK, DASHED)]),
            Entry::new("true function", &[Sample::Line(BLUE, SOLID)]),
            Entry::new(FITTED, &[Sample::Line(VERMILLION, SOLID)]),
            Entry::new(INVERTED, &[Sample::Line(BLACK, DOTTED)]),
            Entry::new("draws", &[Sample::Box(tint(purple(), 0.35))]),
        ];
        let names = self.rows.first().map(|row| &row.normals).into_iter().flatten().enumerate();
        legend.extend(names.map(|(i, (name, _, _))| {
            let (colour, dash) = normal_colour(i);
            Entry::new(name, &[Sample::Line(colour, dash)])
        }));
        let mut top = header::draw(scene, &self.title, &legend, &[], WIDTH);
        for row in &self.rows {
            top = draw_row(row, scene, top)?;
        }
        Ok((WIDTH, top + MARGIN))
    }
}

fn purple() -> RGBColor {
    series(3).color
}

fn check_row(row: &RealisationRow, place: usize) -> Result<(), FigureError> {
    let name = |what: &str| format!("row {place}: {what}");
    check::places(&name("x"), &row.x)?;
    let curves = row.curves.iter().chain(row.truth.iter()).chain([&row.mean]);
    for curve in curves {
        check::column(&name("a curve"), curve, &row.x)?;
    }
    let (places, y, density) = &row.densities;
    let (ends, heights) = &row.histogram;
    let (grid, drawn, inverted) = &row.projection;
    let pairs = [
        (y, places),
        (density, places),
        (heights, ends),
        (drawn, grid),
        (inverted, grid),
        (&row.training.1, &row.training.0),
    ];
    for (column, like) in pairs {
        check::column(&name("a column"), column, like)?;
        check::finite(&name("a column"), like)?;
    }
    check::not_empty(&name("projection"), grid.len())?;
    for (_, mean, sd) in &row.normals {
        check::positive(&name("standard deviation"), &[*sd])?;
        check::finite(&name("mean"), &[*mean])?;
    }
    Ok(())
}

fn draw_row(row: &RealisationRow, scene: &mut Scene, top: f64) -> Result<f64, FigureError> {
    let no_range = || FigureError::Range { what: format!("row \"{}\"", row.title) };
    let font = Font::bold(LABEL);
    let upper = top + font.line() + 2.0;
    let middle = MARGIN + 0.56 * (WIDTH - 2.0 * MARGIN);
    // Left.
    let (low, high) = span(row.x.iter().copied()).ok_or_else(no_range)?;
    let mut places: Vec<f64> = row.densities.0.clone();
    places.dedup();
    let room = (high - low) / places.len().saturating_sub(1).max(1) as f64 * REACH;
    let x = Axis::covering([low, high + room], false, 0.01, 7, "x").ok_or_else(no_range)?;
    let heights = row.curves.iter().flatten().chain(&row.mean).chain(row.truth.iter().flatten());
    let heights = heights.chain(&row.training.1).chain(&row.densities.1).copied();
    let y = Axis::covering(heights, false, 0.03, 7, "Ŷ(x)").ok_or_else(no_range)?;
    let left = MARGIN + y.width_beside(HEIGHT);
    let right = middle - 12.0;
    let frame =
        Frame { left, top: upper, right, bottom: upper + HEIGHT, x: x.fitted(right - left), y };
    scene.text(&row.title, ((left + right) / 2.0, top + 0.5 * font.line()), font, Align::Middle);
    draw_curves(row, scene, &frame, room);
    let mut end = frame.bottom + frame.x.height_below(right - left);
    // Right.
    let reach = row.normals.iter().flat_map(|(_, mean, sd)| [mean - 2.8 * sd, mean + 2.8 * sd]);
    let x_label = format!("Ŷ({})", row.at);
    let grid = row.projection.0.iter().copied();
    let x = Axis::covering(grid.chain(reach), false, 0.0, 6, &x_label).ok_or_else(no_range)?;
    let peak = |(_, _, sd): &(String, f64, f64)| 1.0 / (sd * (2.0 * std::f64::consts::PI).sqrt());
    let tallest =
        row.projection.1.iter().copied().chain(row.normals.iter().map(peak)).fold(0.0, f64::max);
    let tallest = row.histogram.1.iter().copied().fold(tallest, f64::max);
    let y = Axis::between(0.0, 1.05 * tallest, false, 5, "Density");
    let (left, right) = (middle + y.width_beside(HEIGHT), WIDTH - MARGIN - 6.0);
    let frame =
        Frame { left, top: upper, right, bottom: upper + HEIGHT, x: x.fitted(right - left), y };
    let title = format!("Projection at x = {}", row.at);
    scene.text(&title, ((left + right) / 2.0, top + 0.5 * font.line()), font, Align::Middle);
    draw_law(row, scene, &frame);
    end = end.max(frame.bottom + frame.x.height_below(right - left));
    Ok(end + 10.0)
}

fn draw_curves(row: &RealisationRow, scene: &mut Scene, frame: &Frame, room: f64) {
    frame.grid(scene);
    let mut line = |y: &[f64], width: f64, colour, dash| {
        let points: Vec<_> = row.x.iter().zip(y).map(|(x, y)| frame.at(*x, *y)).collect();
        scene.path(&points, width, colour, dash);
    };
    for curve in &row.curves {
        line(curve, 0.75, tint(purple(), 0.55), SOLID);
    }
    if let Some(truth) = &row.truth {
        line(truth, 2.0, BLUE, SOLID);
    }
    line(&row.mean, 2.0, BLACK, DASHED);
    for i in spread(row.x.len()) {
        let (x, mean) = (row.x[i], row.mean[i]);
        let truth = known("true function", row.truth.as_deref(), i);
        scene.tip(
            frame.at(x, mean),
            format!("mean, {}: {}{truth}", coordinate(x), significant(mean)),
        );
    }
    crosses(scene, frame, (&row.training.0, &row.training.1));
    let (places, y, density) = &row.densities;
    let tallest = density.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let mut from = 0;
    while from < places.len() {
        let to = from + places[from..].iter().take_while(|place| **place == places[from]).count();
        let points: Vec<_> =
            (from..to).map(|i| frame.at(places[i] + room * density[i] / tallest, y[i])).collect();
        scene.path(&points, 2.0, VERMILLION, SOLID);
        from = to;
    }
    frame.axes(scene, true);
}

fn draw_law(row: &RealisationRow, scene: &mut Scene, frame: &Frame) {
    frame.grid(scene);
    let (ends, heights) = &row.histogram;
    let width = if ends.len() > 1 { ends[1] - ends[0] } else { 0.0 };
    for (end, height) in ends.iter().zip(heights).filter(|(_, height)| **height > 0.0) {
        scene.rectangle(frame.at(*end, *height), frame.at(end + width, 0.0), tint(purple(), 0.35));
        let [from, to] = [*end, end + width].map(coordinate);
        let middle = frame.at(end + width / 2.0, *height);
        scene.tip(middle, format!("draws from {from} to {to}: density {}", significant(*height)));
    }
    let (low, high) = (frame.x.low, frame.x.high);
    let places: Vec<f64> = (0..=300).map(|k| low + (high - low) * f64::from(k) / 300.0).collect();
    for (i, (name, mean, sd)) in row.normals.iter().enumerate() {
        let density = |y: &f64| {
            (-0.5 * ((y - mean) / sd).powi(2)).exp() / (sd * (2.0 * std::f64::consts::PI).sqrt())
        };
        let densities: Vec<f64> = places.iter().map(density).collect();
        draw_density(scene, frame, name, (&places, &densities), normal_colour(i));
    }
    let (y, drawn, inverted) = &row.projection;
    draw_density(scene, frame, FITTED, (y, drawn), (VERMILLION, SOLID));
    draw_density(scene, frame, INVERTED, (y, inverted), (BLACK, DOTTED));
    frame.axes(scene, true);
}

/// Draws densities at these y, and tells them. With few draws the fitted density may exceed
/// everything that is drawn.
fn draw_density(
    scene: &mut Scene,
    frame: &Frame,
    name: &str,
    (y, densities): (&[f64], &[f64]),
    (colour, dash): (RGBColor, Dash),
) {
    let points: Vec<_> =
        y.iter().zip(densities).map(|(y, d)| frame.at(*y, d.min(frame.y.high))).collect();
    scene.path(&points, 2.0, colour, dash);
    for i in spread(points.len()) {
        scene
            .tip(points[i], format!("{name}, {}: {}", coordinate(y[i]), significant(densities[i])));
    }
}

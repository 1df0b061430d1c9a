//! Draw a Gaussian mixture of (x, y) and its distribution of y given x: components over the
//! training rows, mean and bands, densities.

mod parts;

use super::axis::{Axis, Frame, significant};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{
    BLACK, BLUE, Dash, LABEL, MARGIN, Marker, SOLID, VERMILLION, WIDTH, series, tint,
};
use super::tip::spread;
use super::{FigureError, Render, check};
use crate::words::figures::MIXTURES;
pub(super) use parts::ellipse;
use parts::{band, highest, noise_band, words};
use plotters::style::RGBColor;
use uqbench_judge::figures::{Component, MixtureRow, Mixtures, Moments, Slice};

/// Height of a panel.
const HEIGHT: f64 = 215.0;
/// Gap between neighbours, and least one of their axes' numbers.
const SPACE: f64 = 14.0;
const CLOSE: f64 = 6.0;
/// Tints of the shaded interval, the bands, the violins and the training rows.
const MARKED: f64 = 0.16;
const TOTAL: f64 = 0.22;
const WITHIN: f64 = 0.5;
const VIOLIN: f64 = 0.45;
const ROWS: f64 = 0.45;
/// Tint of the lightest component.
const FAINTEST: f64 = 0.55;
/// Width of a violin as a share of the distance of its neighbours.
const WIDE: f64 = 0.8;

const DOTTED: Dash = &[2.0, 2.5];
/// The mean is dashed, so that it can be distinguished from the truth without colour.
const DASHED: Dash = &[7.0, 3.0];

fn component_color() -> RGBColor {
    series(2).color
}

fn violin_color() -> RGBColor {
    series(3).color
}

fn marked_color() -> RGBColor {
    tint(series(4).color, MARKED)
}

/// Titles of the panels, and what is drawn in them; `None` stands for the other method.
const COLUMNS: [(Option<&str>, Draw); 4] = [
    (Some("Mixture of (x, y)"), draw_components),
    (None, draw_beside),
    (Some("Mixture: mean and bands of p(y | x)"), draw_bands),
    (Some("Density p(y | x)"), draw_slices),
];

type Draw = fn(&MixtureRow, &mut Scene, &Frame);

impl Render for Mixtures {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure, row or slice without points, lengths that differ, a number
    /// that is not finite, a covariance that is none.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's rows", self.rows.len())?;
        self.rows.iter().enumerate().try_for_each(|(i, row)| check_row(row, i + 1))?;
        let no_range = || FigureError::Range { what: "the figure".into() };
        let xs = self.rows.iter().flat_map(places);
        let x = Axis::covering(xs, false, 0.01, 7, "x").ok_or_else(no_range)?;
        let vertical = |row: &MixtureRow| {
            Axis::covering(heights(row), false, 0.02, 7, "y").ok_or_else(no_range)
        };
        let vertical: Vec<Axis> = self.rows.iter().map(vertical).collect::<Result<_, _>>()?;

        let notes = [MIXTURES.to_owned()];
        let mut top = header::draw(scene, &self.title, &legend(self), &notes, WIDTH);
        let columns: Vec<(&str, Draw)> = COLUMNS
            .iter()
            .filter_map(|(title, draw)| {
                title.or(self.beside.as_deref()).map(|title| (title, *draw))
            })
            .collect();
        let count = columns.len();
        // Only the first panel has the label.
        let beside = |i: usize, y: &Axis| {
            if i == 0 { y.clone() } else { Axis { label: String::new(), ..y.clone() } }
        };
        let side = |i: usize| {
            vertical.iter().map(|y| beside(i, y).width_beside(HEIGHT)).fold(0.0, f64::max)
        };
        let sides: f64 = (0..count).map(side).sum();
        let spaces = (count - 1) as f64 * SPACE;
        let width = (WIDTH - 2.0 * MARGIN - sides - spaces - x.number_width() / 2.0) / count as f64;
        let crowded = x.ticks.len() as f64 * (x.number_width() + CLOSE) > width;
        let x = if crowded { x.fitted(width) } else { x };
        let left = |i: usize| MARGIN + i as f64 * (width + SPACE) + (0..=i).map(side).sum::<f64>();
        let lefts: Vec<f64> = (0..count).map(left).collect();
        let font = Font::bold(LABEL);
        let titles: Vec<Vec<String>> =
            columns.iter().map(|(title, _)| font.wrap(title, width + SPACE)).collect();
        for (title, left) in titles.iter().zip(&lefts) {
            for (k, line) in title.iter().enumerate() {
                scene.text(
                    line,
                    (left + width / 2.0, top + (k as f64 + 0.5) * font.line()),
                    font,
                    Align::Middle,
                );
            }
        }
        top += titles.iter().map(Vec::len).max().unwrap_or(0) as f64 * font.line() + 4.0;
        for (row, y) in self.rows.iter().zip(&vertical) {
            for line in Font::plain(LABEL).wrap(&row.title, WIDTH - 2.0 * MARGIN) {
                top += font.line();
                scene.text(
                    &line,
                    (lefts[0], top - 0.5 * font.line()),
                    Font::plain(LABEL),
                    Align::Start,
                );
            }
            top += 4.0;
            let frame = |i: usize| Frame {
                left: lefts[i],
                top,
                right: lefts[i] + width,
                bottom: top + HEIGHT,
                x: x.clone(),
                y: beside(i, y),
            };
            for (i, (_, draw)) in columns.iter().enumerate() {
                let frame = frame(i);
                if let Some((low, high)) = row.marked {
                    let (low, high) = (low.max(x.low), high.min(x.high));
                    scene.rectangle(frame.at(low, y.high), frame.at(high, y.low), marked_color());
                }
                frame.grid(scene);
                draw(row, scene, &frame);
                frame.axes(scene, true);
            }
            top += HEIGHT + x.height_below(width) + 8.0;
        }
        Ok((WIDTH, top + MARGIN))
    }
}

fn legend(figure: &Mixtures) -> Vec<Entry> {
    let component = [
        Sample::Line(component_color(), SOLID),
        Sample::Point(Marker::Circle, component_color(), false),
    ];
    let within = match figure.beside {
        Some(_) => "± 2 sd within components, or aleatoric",
        None => "± 2 sd within components",
    };
    let mut legend = vec![
        Entry::new("training rows", &[Sample::Point(Marker::Circle, tint(BLACK, ROWS), false)]),
        Entry::new("component: mean and ellipse", &component),
        Entry::new("mean", &[Sample::Line(VERMILLION, DASHED)]),
        Entry::new(within, &[Sample::Box(tint(BLUE, WITHIN))]),
        Entry::new("± 2 sd in total", &[Sample::Box(tint(BLUE, TOTAL))]),
        Entry::new("density", &[Sample::Box(tint(violin_color(), VIOLIN))]),
    ];
    if figure.rows.iter().any(|row| row.moments.truth.is_some()) {
        legend.push(Entry::new("truth", &[Sample::Line(BLACK, SOLID)]));
    }
    if figure.rows.iter().any(|row| row.moments.truth.is_some() && row.moments.noise.is_some()) {
        legend.push(Entry::new(
            "truth ± 2 sd of its noise",
            &[Sample::Line(BLACK, DOTTED), Sample::ErrorBar(BLACK)],
        ));
    }
    legend
}

fn check_row(row: &MixtureRow, place: usize) -> Result<(), FigureError> {
    let name = |what: &str| format!("row {place}: {what}");
    let column =
        |what: &str, values: &[f64], like: &[f64]| check::column(&name(what), values, like);
    let (x, y) = &row.training;
    column("x of the training rows", x, x)?;
    column("y of the training rows", y, x)?;
    check::not_empty(&name("components"), row.components.len())?;
    let of = |f: fn(&Component) -> f64| row.components.iter().map(f).collect::<Vec<_>>();
    check::not_negative(&name("weights"), &of(|c| c.weight))?;
    check::finite(&name("weights"), &of(|c| c.weight))?;
    check::finite(&name("means of x"), &of(|c| c.mean.0))?;
    check::finite(&name("means of y"), &of(|c| c.mean.1))?;
    for (i, component) in row.components.iter().enumerate() {
        let (xx, xy, yy) = component.covariance;
        if !(xx > 0.0 && xx.is_finite() && xy.is_finite() && yy.is_finite() && xx * yy >= xy * xy) {
            return Err(FigureError::Value {
                what: name("determinants of the covariances"),
                place: i + 1,
                found: xx * yy - xy * xy,
                expected: "one of a covariance matrix, with a variance of x above zero",
            });
        }
    }
    for Moments { x, mean, sd, within, truth, noise } in all_moments(row) {
        check::not_empty(&name("x"), x.len())?;
        column("x", x, x)?;
        column("mean", mean, x)?;
        for (what, sd) in [("sd", Some(sd)), ("sd within", Some(within)), ("noise", noise.as_ref())]
        {
            let Some(sd) = sd else { continue };
            column(what, sd, x)?;
            check::not_negative(&name(what), sd)?;
        }
        truth.iter().try_for_each(|truth| column("truth", truth, x))?;
    }
    for Slice { x, y, density, truth } in &row.slices {
        check::finite(&name("x of a slice"), &[*x])?;
        check::not_empty(&name("a slice"), y.len())?;
        column("y of a slice", y, y)?;
        column("density of a slice", density, y)?;
        check::not_negative(&name("density of a slice"), density)?;
        truth.iter().try_for_each(|ends| column("truth of a slice", ends, ends))?;
    }
    Ok(())
}

/// The mixture's moments and those of the other method.
fn all_moments(row: &MixtureRow) -> impl Iterator<Item = &Moments> {
    std::iter::once(&row.moments).chain(&row.beside)
}

fn ellipses(row: &MixtureRow) -> impl Iterator<Item = (f64, f64)> {
    row.components.iter().flat_map(ellipse)
}

/// Every x that is drawn.
fn places(row: &MixtureRow) -> Vec<f64> {
    let training = row.training.0.iter().copied();
    training
        .chain(ellipses(row).map(|at| at.0))
        .chain(all_moments(row).flat_map(|m| m.x.iter().copied()))
        .collect()
}

/// Every height that is drawn.
fn heights(row: &MixtureRow) -> Vec<f64> {
    let training = row.training.1.iter().copied();
    let mut heights: Vec<f64> = training.chain(ellipses(row).map(|at| at.1)).collect();
    for moments in all_moments(row) {
        for (low, high) in [band(moments, &moments.sd), noise_band(moments).unwrap_or_default()] {
            heights.extend(low);
            heights.extend(high);
        }
        heights.extend(moments.truth.iter().flatten());
    }
    heights.extend(
        row.slices.iter().flat_map(|slice| slice.y.iter().chain(slice.truth.iter().flatten())),
    );
    heights
}

fn draw_components(row: &MixtureRow, scene: &mut Scene, frame: &Frame) {
    draw_training(row, scene, frame);
    let heaviest = row.components.iter().map(|c| c.weight).fold(f64::MIN_POSITIVE, f64::max);
    // Components of large weight last, over the others.
    let mut order: Vec<&Component> = row.components.iter().collect();
    order.sort_by(|a, b| a.weight.total_cmp(&b.weight));
    for component in order {
        let share = component.weight / heaviest;
        let color = tint(component_color(), FAINTEST + (1.0 - FAINTEST) * share);
        let ellipse: Vec<_> = ellipse(component).map(|(x, y)| frame.at(x, y)).collect();
        scene.path(&ellipse, 1.75, color, SOLID);
        let (x, y) = component.mean;
        scene.marker(frame.at(x, y), Marker::Circle, 1.0 + 3.5 * share.sqrt(), color, false);
        let [weight, of_x, of_y] = [component.weight, x, y].map(significant);
        scene.tip(
            frame.at(x, y),
            format!("component of weight {weight}: mean of x {of_x}, of y {of_y}"),
        );
    }
}

fn draw_training(row: &MixtureRow, scene: &mut Scene, frame: &Frame) {
    for (&x, &y) in row.training.0.iter().zip(&row.training.1) {
        scene.marker(frame.at(x, y), Marker::Circle, 1.25, tint(BLACK, ROWS), false);
    }
}

fn draw_bands(row: &MixtureRow, scene: &mut Scene, frame: &Frame) {
    draw_moments(row, &row.moments, "within components", scene, frame);
}

fn draw_beside(row: &MixtureRow, scene: &mut Scene, frame: &Frame) {
    if let Some(moments) = &row.beside {
        draw_moments(row, moments, "aleatoric", scene, frame);
    }
}

/// Draws moments; `part` is what their smaller spread is called.
fn draw_moments(row: &MixtureRow, moments: &Moments, part: &str, scene: &mut Scene, frame: &Frame) {
    let Moments { x, mean, sd, within, truth, .. } = moments;
    let points = |y: &[f64]| x.iter().zip(y).map(|(&x, &y)| frame.at(x, y)).collect::<Vec<_>>();
    for (sd, share) in [(sd, TOTAL), (within, WITHIN)] {
        let (low, high) = band(moments, sd);
        scene.fill(
            points(&high).into_iter().chain(points(&low).into_iter().rev()).collect(),
            tint(BLUE, share),
        );
    }
    draw_training(row, scene, frame);
    if let Some((low, high)) = noise_band(moments) {
        scene.path(&points(&low), 1.0, BLACK, DOTTED);
        scene.path(&points(&high), 1.0, BLACK, DOTTED);
    }
    if let Some(truth) = truth {
        scene.path(&points(truth), 1.25, BLACK, SOLID);
    }
    let mean = points(mean);
    scene.path(&mean, 1.75, VERMILLION, DASHED);
    for i in spread(mean.len()) {
        scene.tip(mean[i], words(moments, i, part));
    }
}

fn draw_slices(row: &MixtureRow, scene: &mut Scene, frame: &Frame) {
    let place = |slice: &Slice| frame.at(slice.x, 0.0).0;
    let gaps = row.slices.windows(2).map(|pair| (place(&pair[1]) - place(&pair[0])).abs());
    let half = 0.5 * WIDE * gaps.fold(frame.right - frame.left, f64::min);
    for slice in &row.slices {
        let peak = slice.density.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let side = |sign: f64| {
            let edge = move |(&y, density): (&f64, &f64)| {
                let (x, y) = frame.at(slice.x, y);
                (x + sign * half * density / peak, y)
            };
            slice.y.iter().zip(&slice.density).map(edge).collect::<Vec<_>>()
        };
        let outline: Vec<_> = side(1.0).into_iter().chain(side(-1.0).into_iter().rev()).collect();
        scene.fill(outline.clone(), tint(violin_color(), VIOLIN));
        scene.path(&outline, 1.0, violin_color(), SOLID);
        if let Some([low, middle, high]) = slice.truth {
            scene.line(frame.at(slice.x, low), frame.at(slice.x, high), 1.25, BLACK);
            for (y, reach) in [(low, 3.0), (middle, 5.0), (high, 3.0)] {
                let (x, y) = frame.at(slice.x, y);
                scene.line((x - reach, y), (x + reach, y), 1.25, BLACK);
            }
        }
        if let Some((y, words)) = highest(slice) {
            scene.tip(frame.at(slice.x, y), words);
        }
    }
}

//! Draw distributions of values: one histogram in each panel, with its median and its number of
//! values.

use super::axis::{Axis, Frame, coordinate, number, significant, span};
use super::header::{self, Entry, Sample};
use super::scene::{Align, Font, Scene};
use super::style::{BLUE, DASHED, GREY, LABEL, MARGIN, TICK, VERMILLION, WIDTH, tint};
use super::{FigureError, Render, check};
use uqbench_judge::figures::{HistogramPanel, Histograms};

/// Most bins in a histogram.
const MOST_BINS: usize = 60;
/// Height of a panel's rectangle.
const HEIGHT: f64 = 130.0;

impl Render for Histograms {
    fn title(&self) -> &str {
        &self.title
    }

    /// Draws the figure.
    ///
    /// # Errors
    /// [`FigureError`] for a figure without panels, a panel without values, or a value that is not
    /// finite.
    fn draw(&self, scene: &mut Scene) -> Result<(f64, f64), FigureError> {
        check::not_empty("the figure's panels", self.panels.len())?;
        for panel in &self.panels {
            let name = format!("histogram \"{}\"", panel.title);
            check::places(&name, &panel.values)?;
        }
        let legend = [
            Entry::new("values", &[Sample::Box(tint(BLUE, 0.65))]),
            Entry::new("median", &[Sample::Line(VERMILLION, DASHED)]),
        ];
        let mut top = header::draw(scene, &self.title, &legend, &[], WIDTH);
        let columns = match self.panels.len() {
            n @ 1..=3 => n,
            4 => 2,
            5 | 6 | 9 => 3,
            _ => 4,
        };
        for (i, row) in self.panels.chunks(columns).enumerate() {
            // The quantity is named under the lowest panel of each column only.
            let below = self.panels.len().saturating_sub((i + 1) * columns);
            top = draw_row(self, scene, row, columns, below, top)?;
        }
        Ok((WIDTH, top + MARGIN))
    }
}

/// Draws a row of panels; `below` of its columns go on underneath. Returns the row's lower end.
fn draw_row(
    figure: &Histograms,
    scene: &mut Scene,
    row: &[HistogramPanel],
    columns: usize,
    below: usize,
    top: f64,
) -> Result<f64, FigureError> {
    let cell = (WIDTH - 2.0 * MARGIN) / columns as f64;
    let (title_font, note_font) = (Font::bold(LABEL), Font::plain(TICK).colored(GREY));
    let titles: Vec<_> =
        row.iter().map(|panel| title_font.wrap(&panel.title, cell - 50.0)).collect();
    let title_height = titles.iter().map(Vec::len).max().unwrap_or(0) as f64 * title_font.line();
    let notes: Vec<_> = row.iter().map(|panel| note_font.wrap(&note(panel), cell - 24.0)).collect();
    let note_height = notes.iter().map(Vec::len).max().unwrap_or(0) as f64 * note_font.line();
    let upper = top + title_height + note_height + 4.0;
    let mut end = upper + HEIGHT;
    for (i, (panel, (title, note))) in row.iter().zip(titles.iter().zip(&notes)).enumerate() {
        let no_range = || FigureError::Range { what: format!("histogram \"{}\"", panel.title) };
        let bins = Bins::new(&panel.values).ok_or_else(no_range)?;
        let tallest = bins.counts.iter().copied().max().unwrap_or(1) as f64;
        let mut y = Axis::between(0.0, tallest * 1.05, false, 4, if i == 0 { "Count" } else { "" });
        // Counts are whole.
        y.ticks.retain(|(value, _)| value.fract().abs() < 1e-9);
        for (value, text) in &mut y.ticks {
            *text = number(*value, 0, tallest);
        }
        let label = if i >= below { figure.x_label.as_str() } else { "" };
        let x =
            Axis::covering([bins.low, bins.high()], false, 0.03, 4, label).ok_or_else(no_range)?;
        let left = MARGIN + cell * i as f64 + y.width_beside(HEIGHT);
        let right = MARGIN + cell * (i + 1) as f64 - 12.0;
        let frame =
            Frame { left, top: upper, right, bottom: upper + HEIGHT, x: x.fitted(right - left), y };
        let middle = (left + right) / 2.0;
        for (k, line) in title.iter().enumerate() {
            scene.text(
                line,
                (middle, top + (k as f64 + 0.5) * title_font.line()),
                title_font,
                Align::Middle,
            );
        }
        for (k, line) in note.iter().enumerate() {
            let at = (middle, top + title_height + (k as f64 + 0.5) * note_font.line());
            scene.text(line, at, note_font, Align::Middle);
        }
        bins.draw(scene, &frame, median(&panel.values));
        end = end.max(frame.bottom + frame.x.height_below(right - left));
    }
    Ok(end + 12.0)
}

fn note(panel: &HistogramPanel) -> String {
    // Each half stays on one line.
    let count =
        format!("n = {},", number(panel.values.len() as f64, 0, 1.0)).replace(' ', "\u{a0}");
    format!("{count} median\u{a0}{}", significant(median(&panel.values)))
}

/// Bins of equal width.
#[derive(Clone, Debug, PartialEq)]
struct Bins {
    low: f64,
    width: f64,
    counts: Vec<usize>,
}

impl Bins {
    /// Bins of the Freedman-Diaconis width 2 · IQR / n^(1/3), at most [`MOST_BINS`]; where the
    /// quartiles coincide, Sturges' number of bins.
    fn new(values: &[f64]) -> Option<Self> {
        let (low, high) = span(values.iter().copied())?;
        let n = values.len();
        if high <= low {
            let width = (low.abs() * 0.1).max(0.1);
            return Some(Self { low: low - width / 2.0, width, counts: vec![n] });
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let rule = 2.0 * (quantile(&sorted, 0.75) - quantile(&sorted, 0.25)) / (n as f64).cbrt();
        let count = if rule > 0.0 { (high - low) / rule } else { (n as f64).log2() + 1.0 };
        let count = (count.ceil() as usize).clamp(1, MOST_BINS);
        let width = (high - low) / count as f64;
        if !(width > 0.0 && width.is_finite()) {
            return None;
        }
        let mut counts = vec![0; count];
        for value in values {
            counts[(((value - low) / width) as usize).min(count - 1)] += 1;
        }
        Some(Self { low, width, counts })
    }

    fn high(&self) -> f64 {
        self.low + self.width * self.counts.len() as f64
    }

    fn draw(&self, scene: &mut Scene, frame: &Frame, median: f64) {
        frame.grid(scene);
        for (i, &count) in self.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let left = frame.at(self.low + self.width * i as f64, 0.0);
            let right = frame.at(self.low + self.width * (i + 1) as f64, count as f64);
            // A thin gap between bars shows where bins end.
            let gap = if right.0 - left.0 > 4.0 { 0.5 } else { 0.0 };
            scene.rectangle((left.0, right.1), (right.0 - gap, left.1), tint(BLUE, 0.65));
            let [from, to] = [i, i + 1].map(|edge| coordinate(self.low + self.width * edge as f64));
            let middle = (left.0 + right.0) / 2.0;
            scene.tip(
                (middle, right.1),
                format!("from {from} to {to}: count {}", coordinate(count as f64)),
            );
        }
        let (at, _) = frame.at(median, 0.0);
        scene.path(&[(at, frame.top), (at, frame.bottom)], 2.0, VERMILLION, DASHED);
        frame.axes(scene, true);
    }
}

/// Quantile of sorted values by linear interpolation between order statistics.
pub(super) fn quantile(sorted: &[f64], level: f64) -> f64 {
    let place = level * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile(&sorted, 0.5)
}

#[cfg(test)]
mod tests {
    use super::{Bins, median};

    #[test]
    fn every_value_is_counted_once() {
        let values: Vec<f64> = (0..1000).map(|i| (f64::from(i) * 0.618).fract().powi(2)).collect();
        let bins = Bins::new(&values).unwrap();
        assert_eq!(bins.counts.iter().sum::<usize>(), 1000);
        assert!(bins.counts.len() > 5 && bins.counts.len() <= 60);
    }

    #[test]
    fn freedman_diaconis_width_by_hand() {
        // Eight values 0..7: quartiles 1.75 and 5.25, width 2 * 3.5 / 2 = 3.5, so two bins.
        let values: Vec<f64> = (0..8).map(f64::from).collect();
        assert_eq!(Bins::new(&values).unwrap().counts, [4, 4]);
    }

    #[test]
    fn unusual_shapes_have_a_limited_number_of_bins() {
        assert_eq!(Bins::new(&[2.0; 5]).unwrap().counts, [5]);
        let mut spike = vec![0.0; 98];
        spike.extend([1.0, 2.0]);
        assert_eq!(Bins::new(&spike).unwrap().counts.len(), 8);
        let mut tail: Vec<f64> = (0..100).map(|i| f64::from(i) * 1e-3).collect();
        tail.push(1e6);
        assert_eq!(Bins::new(&tail).unwrap().counts.len(), 60);
    }

    #[test]
    fn medians_by_hand() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}

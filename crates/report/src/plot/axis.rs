//! Map data to pixels, choose round ticks, and draw the frame of a panel.

use super::scene::{Align, Font, Scene};
use super::style::{BLACK, GREY, GRID, LABEL, TICK};

/// Length of a tick mark.
const MARK: f64 = 4.0;
/// Gap between tick mark and number, and between numbers and axis label.
const GAP: f64 = 4.0;

/// Numbers of one axis: what is shown, and where the ticks are.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// Smallest value shown.
    pub low: f64,
    /// Largest value shown; above `low`.
    pub high: f64,
    /// Logarithmic instead of linear.
    pub log: bool,
    /// Values with a tick, ascending, and their numbers.
    pub ticks: Vec<(f64, String)>,
    /// Label under or beside the numbers; may be empty.
    pub label: String,
}

impl Axis {
    /// An axis that shows all finite `values` with a margin of `margin` × their span, and about
    /// `count` ticks.
    ///
    /// `None` when no value is finite. On a logarithmic axis all values must be positive.
    pub fn covering(
        values: impl IntoIterator<Item = f64>,
        log: bool,
        margin: f64,
        count: usize,
        label: &str,
    ) -> Option<Self> {
        let place = |v: f64| if log { v.log10() } else { v };
        let (low, high) = span(values.into_iter().map(place))?;
        // A single value, or several that differ by rounding only, gets room around it, in
        // proportion to its size.
        let pad = if high - low > 1e-12 * low.abs().max(high.abs()) && high - low > 1e-290 {
            (high - low) * margin
        } else {
            (low.abs() * 0.1).max(if log { 0.2 } else { 1e-3 })
        };
        let back = |v: f64| if log { 10f64.powf(v) } else { v };
        let (low, high) = (back(low - pad), back(high + pad));
        (low.is_finite() && high.is_finite() && low < high)
            .then(|| Self::between(low, high, log, count, label))
    }

    /// An axis from `low` to `high` exactly, with about `count` ticks.
    pub fn between(low: f64, high: f64, log: bool, count: usize, label: &str) -> Self {
        let ticks = if log { log_ticks(low, high, count) } else { linear_ticks(low, high, count) };
        Self { low, high, log, ticks, label: label.into() }
    }

    /// The same axis with as many ticks as leave air between their numbers along `width`.
    pub fn fitted(self, width: f64) -> Self {
        let mut count = self.ticks.len();
        let mut axis = self;
        let crowded = |axis: &Self| axis.ticks.len() as f64 * (axis.number_width() + 14.0) > width;
        while count > 2 && crowded(&axis) {
            count -= 1;
            let label = std::mem::take(&mut axis.label);
            axis = Self::between(axis.low, axis.high, axis.log, count, &label);
        }
        if crowded(&axis) && axis.ticks.len() > 2 {
            axis.ticks = axis.ticks.into_iter().step_by(2).collect();
        }
        axis
    }

    /// Position of `value` between the ends: 0 at `low`, 1 at `high`.
    pub fn share(&self, value: f64) -> f64 {
        if self.log {
            (value / self.low).log10() / (self.high / self.low).log10()
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }

    /// Width of the widest tick number.
    pub fn number_width(&self) -> f64 {
        self.ticks.iter().map(|(_, number)| Font::plain(TICK).width(number)).fold(0.0, f64::max)
    }

    /// Width that a vertical axis needs left of its panel of the given height.
    pub fn width_beside(&self, height: f64) -> f64 {
        let font = Font::plain(LABEL);
        MARK + GAP
            + self.number_width()
            + GAP
            + font.wrap(&self.label, height).len() as f64 * font.line()
            + 1.0
    }

    /// Height that a horizontal axis needs under its panel of the given width.
    pub fn height_below(&self, width: f64) -> f64 {
        let font = Font::plain(LABEL);
        MARK + GAP + TICK + GAP + font.wrap(&self.label, width).len() as f64 * font.line()
    }
}

/// Smallest and largest finite value.
pub(super) fn span(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    values.into_iter().filter(|v| v.is_finite()).fold(None, |range: Option<(f64, f64)>, v| {
        let (low, high) = range.unwrap_or((v, v));
        Some((low.min(v), high.max(v)))
    })
}

/// About `count` ticks at multiples of 1, 2 or 5 times a power of ten: of the steps that give at
/// least two ticks the one whose number of ticks comes closest, by ratio.
fn linear_ticks(low: f64, high: f64, count: usize) -> Vec<(f64, String)> {
    let wanted = count.max(2) as f64;
    let power = ((high - low) / wanted).log10().floor() as i32;
    let mut best: Option<(f64, Vec<(f64, String)>)> = None;
    for (multiple, power) in
        [(5.0, power - 1), (1.0, power), (2.0, power), (5.0, power), (1.0, power + 1)]
    {
        let step = multiple * 10f64.powi(power);
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        let found = (last - first + 1) as f64;
        let misfit = (found / wanted).ln().abs();
        if found >= 2.0 && best.as_ref().is_none_or(|(least, _)| misfit < *least) {
            let largest = low.abs().max(high.abs());
            let tick = |i: i64| (i as f64 * step, number(i as f64 * step, power, largest));
            best = Some((misfit, (first..=last).map(tick).collect()));
        }
    }
    best.map_or_else(Vec::new, |(_, ticks)| ticks)
}

/// Ticks at 1, 2 and 5 times powers of ten where a few decades are shown, else at (every few)
/// powers of ten.
fn log_ticks(low: f64, high: f64, count: usize) -> Vec<(f64, String)> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    // One notation for the whole axis.
    let powers = low < 1e-4 || high > 1e6;
    for (multiples, stride) in [(&[1.0, 2.0, 5.0][..], 1), (&[1.0, 3.0][..], 1), (&[1.0][..], 1)]
        .into_iter()
        .chain((2..=40).map(|stride| (&[1.0][..], stride)))
    {
        let mut ticks = Vec::new();
        for decade in (first..=last).filter(|decade| decade.rem_euclid(stride) == 0) {
            for multiple in multiples {
                let value = multiple * 10f64.powi(decade);
                if value >= low * (1.0 - 1e-9) && value <= high * (1.0 + 1e-9) {
                    ticks.push((
                        value,
                        number(value, decade, if powers { f64::INFINITY } else { value }),
                    ));
                }
            }
        }
        if ticks.len() < 2 {
            break;
        }
        if ticks.len() <= count + 2 {
            return ticks;
        }
    }
    // For less than a decade, or for hundreds, linear ticks have correct positions too.
    linear_ticks(low, high, count).into_iter().filter(|(value, _)| *value > 0.0).collect()
}

/// A number as printed, written down to the digit of 10^`power`: a true minus sign, thin spaces
/// between thousands, and powers of ten where `largest`, the largest magnitude beside it, is too
/// large or too small for digits to be counted.
pub(super) fn number(value: f64, power: i32, largest: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if !(1e-4..1e7).contains(&largest) {
        let exponent = value.abs().log10().floor() as i32;
        let digits = (exponent - power).clamp(1, 15) as usize;
        let mantissa = format!("{:.digits$}", value / 10f64.powi(exponent));
        let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.').replace('-', "−");
        let raised: String = exponent.to_string().chars().map(superscript).collect();
        return if mantissa == "1" {
            format!("10{raised}")
        } else {
            format!("{mantissa}×10{raised}")
        };
    }
    let decimals = (-power).clamp(0, 17) as usize;
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::new();
    for (i, digit) in whole.chars().enumerate() {
        if whole.len() > 4 && i > 0 && (whole.len() - i).is_multiple_of(3) {
            grouped.push('\u{2009}');
        }
        grouped.push(digit);
    }
    let sign = if value < 0.0 { "−" } else { "" };
    if fraction.is_empty() {
        format!("{sign}{grouped}")
    } else {
        format!("{sign}{grouped}.{fraction}")
    }
}

/// A number of three significant digits.
pub(super) fn significant(value: f64) -> String {
    // Rounding first: 9.996 has the digits of 10.
    let value: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    if value == 0.0 || !value.is_finite() {
        return number(value, 0, 1.0);
    }
    number(value, value.abs().log10().floor() as i32 - 2, value.abs())
}

/// A place on an axis in words: a whole number with all its digits, any other with three at most.
pub(super) fn coordinate(value: f64) -> String {
    if value.fract() == 0.0 {
        return number(value, 0, value.abs());
    }
    let text = significant(value);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn superscript(c: char) -> char {
    match c {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32(0x2070 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    }
}

/// The rectangle of a panel and the axes along it.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Left edge of the rectangle.
    pub left: f64,
    /// Upper edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Lower edge.
    pub bottom: f64,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
}

impl Frame {
    /// Pixel of a data point.
    pub fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (
            self.left + self.x.share(x) * (self.right - self.left),
            self.bottom - self.y.share(y) * (self.bottom - self.top),
        )
    }

    /// Grid lines at every tick.
    pub fn grid(&self, scene: &mut Scene) {
        for (value, _) in &self.x.ticks {
            let (x, _) = self.at(*value, self.y.low);
            scene.line((x, self.top), (x, self.bottom), 0.75, GRID);
        }
        for (value, _) in &self.y.ticks {
            let (_, y) = self.at(self.x.low, *value);
            scene.line((self.left, y), (self.right, y), 0.75, GRID);
        }
    }

    /// Left and lower border with tick marks, numbers and labels; drawn after the data.
    /// `numbers_below` is false where a panel underneath carries the same axis.
    pub fn axes(&self, scene: &mut Scene, numbers_below: bool) {
        let (number_font, label_font) = (Font::plain(TICK).colored(GREY), Font::plain(LABEL));
        self.axis_below(scene, numbers_below);
        scene.line((self.left, self.top), (self.left, self.bottom), 1.0, BLACK);
        for (value, number) in &self.y.ticks {
            let (_, y) = self.at(self.x.low, *value);
            scene.line((self.left - MARK, y), (self.left, y), 1.0, BLACK);
            scene.text(number, (self.left - MARK - GAP, y), number_font, Align::End);
        }
        let lines = label_font.wrap(&self.y.label, self.bottom - self.top);
        let outer = self.left - MARK - GAP - self.y.number_width() - GAP;
        for (i, line) in lines.iter().rev().enumerate() {
            let x = outer - (i as f64 + 0.5) * label_font.line();
            scene.text_upwards(line, (x, (self.top + self.bottom) / 2.0), label_font);
        }
    }

    /// Lower border with tick marks, numbers and label.
    pub fn axis_below(&self, scene: &mut Scene, numbers: bool) {
        let (number_font, label_font) = (Font::plain(TICK).colored(GREY), Font::plain(LABEL));
        scene.line((self.left, self.bottom), (self.right, self.bottom), 1.0, BLACK);
        for (value, number) in &self.x.ticks {
            let (x, _) = self.at(*value, self.y.low);
            scene.line((x, self.bottom), (x, self.bottom + MARK), 1.0, BLACK);
            if numbers {
                scene.text(
                    number,
                    (x, self.bottom + MARK + GAP + TICK / 2.0),
                    number_font,
                    Align::Middle,
                );
            }
        }
        if numbers {
            let middle = (self.left + self.right) / 2.0;
            for (i, line) in
                label_font.wrap(&self.x.label, self.right - self.left).iter().enumerate()
            {
                let y =
                    self.bottom + MARK + GAP + TICK + GAP + (i as f64 + 0.5) * label_font.line();
                scene.text(line, (middle, y), label_font, Align::Middle);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, coordinate, number, significant};

    fn numbers(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, number)| number.as_str()).collect()
    }

    #[test]
    fn linear_ticks_are_round_and_inside_the_range() {
        assert_eq!(
            numbers(&Axis::between(-0.31, 0.92, false, 5, "")),
            ["−0.2", "0", "0.2", "0.4", "0.6", "0.8"]
        );
        assert_eq!(
            numbers(&Axis::between(0.0, 10.0, false, 5, "")),
            ["0", "2", "4", "6", "8", "10"]
        );
        assert_eq!(
            numbers(&Axis::between(0.0, 55_000.0, false, 3, "")),
            ["0", "20\u{2009}000", "40\u{2009}000"]
        );
    }

    #[test]
    fn logarithmic_ticks_follow_the_number_of_decades() {
        assert_eq!(
            numbers(&Axis::between(0.01, 1.0, true, 7, "")),
            ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"]
        );
        assert_eq!(
            numbers(&Axis::between(1e-8, 1e-2, true, 4, "")),
            ["10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²"]
        );
        // Less than a decade without a round multiple: linear ticks.
        assert!(Axis::between(2.1, 4.3, true, 5, "").ticks.len() >= 3);
    }

    #[test]
    fn shares_run_from_zero_to_one() {
        for log in [false, true] {
            let axis = Axis::between(0.5, 50.0, log, 5, "");
            assert_eq!((axis.share(0.5), axis.share(50.0)), (0.0, 1.0));
        }
        assert!((Axis::between(0.5, 50.0, true, 5, "").share(5.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_single_value_still_gets_an_axis_and_none_gets_none() {
        let axis = Axis::covering([3.0, f64::NAN], false, 0.05, 5, "").unwrap();
        assert!(axis.low < 3.0 && axis.high > 3.0 && !axis.ticks.is_empty());
        assert!(Axis::covering([f64::NAN], false, 0.05, 5, "").is_none());
    }

    #[test]
    fn tick_numbers_of_narrow_and_extreme_ranges_do_not_overlap() {
        for (low, high) in
            [(1.0 + 1e-7, 1.0 + 3e-7), (3e-9, 8e-9), (2e11, 2.000_001e11), (-1e300, 1e300)]
        {
            let axis = Axis::covering([low, high], false, 0.0, 5, "").unwrap();
            let mut seen = numbers(&axis);
            assert!(seen.len() >= 3, "{seen:?}");
            seen.dedup();
            assert_eq!(seen.len(), axis.ticks.len(), "{seen:?}");
        }
        let nearly_one = Axis::covering([1.0, 1.0 + 1e-15], false, 0.05, 5, "").unwrap();
        assert!(nearly_one.high - nearly_one.low > 0.1);
        assert!(Axis::covering([0.0, 1e-310], false, 0.05, 5, "").is_some());
        assert!(Axis::covering([-f64::MAX, f64::MAX], false, 0.05, 5, "").is_none());
    }

    #[test]
    fn numbers_have_a_minus_sign_thin_spaces_and_powers_of_ten() {
        assert_eq!(number(-1234.5, -1, 2000.0), "−1234.5");
        assert_eq!(number(123_456.0, 0, 2e5), "123\u{2009}456");
        assert_eq!(number(-2.5e8, 0, 3e8), "−2.5×10⁸");
        assert_eq!(number(0.0, -3, 1.0), "0");
        assert_eq!(significant(0.012_345), "0.0123");
        assert_eq!(significant(-12.345), "−12.3");
        assert_eq!(significant(9.996), "10.0");
        assert_eq!(significant(1.0549e-4), "0.000105");
        assert_eq!(significant(1.0549e-6), "1.05×10⁻⁶");
        assert_eq!(significant(0.0), "0");
    }

    #[test]
    fn coordinates_have_the_digits_that_they_need() {
        assert_eq!([30.0, -5.0, 0.5, 0.05].map(coordinate), ["30", "−5", "0.5", "0.05"]);
        assert_eq!(
            [12_345.0, 12_345.6, 0.123_45].map(coordinate),
            ["12\u{2009}345", "12\u{2009}300", "0.123"]
        );
        assert_eq!([0.0, 2.5e-7].map(coordinate), ["0", "2.5×10⁻⁷"]);
    }
}

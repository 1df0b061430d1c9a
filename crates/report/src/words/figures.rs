//! Say below the titles of figures what their bands and marks are, and which points they leave out.

use super::try_table::bounds::percent_of;
use crate::grid::counted;
use uq_core::stats::digits::number;
use uqbench_judge::figures::{GroupKind, HeldOutGroup, HeldOutRow, StandingsRow, WatchedPeriod};

/// How a number is drawn that lies beyond the axis of bars.
pub const CUT_BAR: &str = "A number at the end of a bar is its mean, which lies beyond the axis.";

/// How an interval is drawn that goes on beyond the axis.
pub const CUT_INTERVAL: &str =
    "Arrowheads: the interval goes on beyond the axis; an estimate beyond it is printed.";

/// What the dotted curves of hyper-functions are.
pub const TRUE_FUNCTIONS: &str =
    "Dotted: the true length scale, signal and noise, each in its colour.";

/// What the axis of ranks is.
pub const RANK: &str = "Rank; 1 is best";

/// What the mark of an entrant is that is not shown to be worse than the first one.
pub const NOT_BEHIND: &str = "not told apart from the first";

/// What the mark of an entrant is that is shown to be worse than the first one.
pub const BEHIND: &str = "behind the first";

/// Why no bar joins methods in a diagram of ranks.
pub const NO_BAR: &str = "No bar: all mean ranks differ by CD or more.";

/// What ellipses and densities of a mixture are.
pub const MIXTURES: &str = "Ellipses: 2 sd; heavier components are darker, their means larger. \
    Densities: 0.1 % to 99.9 % quantile, scaled to their peaks.";

/// What tubes and crosses are.
pub const TUBES: &str = "Tubes: mean ± 1 standard deviation. Crosses: training rows.";

/// What the bars of a sweep are.
pub const ERROR_BARS: &str = "Bars: ± 1 standard error.";

/// What the lines of a sweep are.
pub const LOCAL_REGRESSION: &str = "Lines: local regression.";

/// How stated variances are compared with the true ones.
pub const VARIANCES: &str = "Thin lines should lie on the thick ones of their colour. Stated: \
    roots of mean variances over replicates; a line on the lower edge lies below it.";

/// Why a panel of variances lacks a thin line.
pub const NO_THIN_LINE: &str = "No thin line: the method defines no such part.";

/// What a dash and an empty lane of dots mean.
pub const MISSING_DOTS: &str = "–: no number, as where the method does not define this part. Empty \
    lane: not run, or no information beyond the level.";

/// How to read the shape of a distribution of PITs, and what the bands around it are.
pub const CALIBRATION: [&str; 2] = [
    "U shape: predictions too narrow; hump: too wide; falling: too high; rising: too low.",
    "Bands: all bins, or the whole curve, stay inside with probability 95 % or more under perfect \
     calibration, given n* independent outcomes among the n pooled ones (fewer where rows recur).",
];

/// How to read the points of quantiles, and what the bands around them are.
pub const QUANTILES: [&str; 2] = [
    "Falling from left to right: predictions too narrow; rising: too wide; all above 0: too high; \
     all below: too low.",
    "Bands: all points of a plot stay inside with probability 95 % or more under perfect \
     calibration, given n* independent outcomes among the n pooled ones (fewer where test sets of \
     several repetitions share rows).",
];

/// What calibration requires where outcomes equal their quantiles.
pub const TIED_QUANTILES: &str = "Where outcomes equal their quantiles, the share of y ≤ q(τ) may \
    exceed τ: calibration requires only that the vertical line from the share of y < q(τ) to that \
    of y ≤ q(τ) meets the band.";

/// What bars are, over `n` repetitions, a number or the least and the largest one.
pub fn bars(n: &str) -> String {
    match n {
        "1" => "One repetition.".into(),
        n => format!("Means over {n} repetitions; lines: ± 1 standard error."),
    }
}

/// What the lines across bars are: the number that the bars of each panel should reach.
pub fn aim(aims: &[String]) -> String {
    format!("Line across the bars: {}, which they should reach.", aims.join(", "))
}

/// What the curves of panels are, over `n` repetitions, a number or the least and the largest one.
pub fn curves(n: &str, are_differences: bool) -> String {
    match (n, are_differences) {
        ("1", false) => "One repetition.".into(),
        ("1", true) => "Paired differences of one repetition.".into(),
        (n, false) => {
            format!("Means over {n} repetitions; bands: ± 1 standard error of these repetitions.")
        }
        (n, true) => format!(
            "Mean paired differences over {n} repetitions; bands: ± 1 standard error of these \
             repetitions."
        ),
    }
}

/// What learning curves show: means over this number of repetitions, their bands, and in some
/// figures a difference below.
pub fn learning_curves(repetitions: usize, has_difference: bool) -> String {
    let mut note = format!(
        "Means over {}. Bands: pointwise 95 % intervals of the means by Student's distribution, \
         each step on its own.",
        counted(repetitions, "repetition")
    );
    if has_difference {
        note += " Differences are paired: both curves of a repetition start from the same rows.";
    }
    note
}

/// How many points of a panel are left out because they are not finite.
pub fn not_finite(panel: &str, count: usize) -> String {
    format!("{panel}: {count} points are not drawn, because they are not finite.")
}

/// The points of a panel that are left out because they lie far from all others, `far` ascending;
/// `None` where there is none.
pub fn far_points(panel: &str, far: &[f64]) -> Option<String> {
    let say = |value: f64| number(value, None);
    let [first, .., last] = far else {
        let only = far.first()?;
        return Some(format!(
            "{panel}: one point is not drawn, because it lies far from all others, at {}.",
            say(*only)
        ));
    };
    let (count, first, last) = (far.len(), say(*first), say(*last));
    Some(format!(
        "{panel}: {count} points are not drawn, because they lie far from all others, at {first} \
         to {last}."
    ))
}

/// How many of `of` points of a series are left out because they are not finite.
pub fn missing_points(panel: &str, series: &str, missing: usize, of: usize) -> String {
    format!("{panel}: not drawn, because not finite: {missing} of {of} points of {series}.")
}

/// What a box over `n` values is, whose whiskers reach `whisker` interquartile ranges at most.
pub fn boxes(n: &str, whisker: f64) -> String {
    format!(
        "Box: quartiles and median of {n} values, all shown; whisker: furthest value within \
         {whisker} interquartile ranges of the box; hollow: beyond."
    )
}

/// Values that lie beyond the axis of their panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// How many.
    pub count: usize,
    /// How many of them are infinite.
    pub infinite: usize,
}

/// What the triangles at the edge count, where an axis ends `far` interquartile ranges beyond the
/// quartiles; `None` where no value lies there.
pub fn beyond_axis(Beyond { count, infinite }: Beyond, far: f64) -> Option<String> {
    let infinite = match infinite {
        0 => String::new(),
        infinite => format!(", {infinite} of them infinite"),
    };
    (count > 0).then(|| {
        format!(
            "Triangles count the values beyond an axis ({count} in all{infinite}): it ends {far} \
             interquartile ranges beyond the quartiles of its panel's values."
        )
    })
}

/// Values of a box that are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown<'a> {
    /// How many.
    pub count: usize,
    /// Of how many.
    pub of: usize,
    /// The box.
    pub name: &'a str,
    /// Its series.
    pub series: &'a str,
}

/// The values of a panel that are not known; `None` where all are.
pub fn unknown_values(panel: &str, all: &[Unknown]) -> Option<String> {
    let each = |Unknown { count, of, name, series }: &Unknown| {
        format!("{count} of {of} of {name} ({series})")
    };
    let all: Vec<String> = all.iter().map(each).collect();
    (!all.is_empty()).then(|| format!("{panel}: undefined or not run: {}.", all.join(", ")))
}

/// What happens to bars of densities that are higher than this.
pub fn cut_bars(tallest: f64) -> String {
    format!("Bars are cut at {tallest}; the tallest of each half is printed above it.")
}

/// What the lanes of a row of dots are; some dots have bars, and some lie in the strip below −1.
pub fn lanes(names: &[String], has_bars: bool, has_strip: bool) -> String {
    let mut note = format!("Lanes of a row, from above: {} features.", names.join(", "));
    if has_bars {
        note += " Bars: ± 1 standard error.";
    }
    if has_strip {
        note += " In the strip: skill below −1.";
    }
    note
}

/// What the grey lines are beside the line of equal numbers.
pub const TOLERANCE: &str = "Grey lines: a distance of one tolerance δ.";

/// How many numbers lie farther from the printed ones than so many tolerances; `None` where none
/// does.
pub fn farther(count: usize, tolerances: f64) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!(
            "1 number lies farther than {tolerances} tolerances: an arrowhead at the edge."
        )),
        count => Some(format!(
            "{count} numbers lie farther than {tolerances} tolerances: arrowheads at the edge."
        )),
    }
}

const NO_TOLERANCE: &str =
    "without a tolerance (printed as 0, or of a metric for which no rule names one)";

/// How many numbers have no tolerance, and hence no point; `None` where none is.
pub fn without_tolerance(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 number {NO_TOLERANCE} has no point.")),
        count => Some(format!("{count} numbers {NO_TOLERANCE} have no point.")),
    }
}

/// The axis of a histogram of transforms.
pub const DENSITY: &str = "Density";

/// The axis of a reliability curve.
pub const SHARE_OF_PIT: &str = "Share of PIT ≤ τ";

/// What a line from end to end is.
pub const INTERVAL: &str = "interval";

/// What a small point is.
pub const INSIDE: &str = "outcome inside";

/// What a large point is.
pub const OUTSIDE: &str = "outcome outside";

/// Which rows are shown, in which order.
pub fn by_prediction(shown: usize, rows: usize) -> String {
    let part = if shown < rows { format!("{shown} of {rows}") } else { rows.to_string() };
    format!("{part} held-out rows, in order of prediction")
}

/// The share of rows that are covered.
pub const COVERAGE: &str = "Coverage";

/// How groups of rows were made.
pub fn groups_by(kind: GroupKind) -> &'static str {
    match kind {
        GroupKind::Mean => "by prediction",
        GroupKind::Width => "by width",
        GroupKind::Features => "by features",
    }
}

/// A row with its interval.
pub fn held_out(HeldOutRow { lower, upper, outcome, .. }: &HeldOutRow) -> String {
    let [low, high, outcome] = [lower, upper, outcome].map(|end| number(*end, None));
    let range = match (lower.is_finite(), upper.is_finite()) {
        (true, true) => format!("interval {low} to {high}"),
        (true, false) => format!("lower bound {low}"),
        _ => format!("upper bound {high}"),
    };
    format!("outcome {outcome}, {range}")
}

/// A group of rows with its coverage.
pub fn group(HeldOutGroup { name, coverage, width, .. }: &HeldOutGroup) -> String {
    let (share, width) = (percent_of(coverage.share()), number(*width, None));
    format!("{name}: {share} of {} rows covered, mean width {width}", coverage.rows)
}

/// The coverage of the rows of a period.
pub const OF_PERIOD: &str = "coverage of a period";

/// The coverage of all rows so far.
pub const SO_FAR: &str = "of all rows so far, with its interval";

/// The probability that intervals state.
pub const STATED_LEVEL: &str = "stated";

/// The smallest probability that is tolerated.
pub const TOLERATED: &str = "tolerated";

/// The evidence that raises an alarm.
pub const ALARM: &str = "alarm";

/// The axis of evidence.
pub const EVIDENCE: &str = "Evidence";

/// The coverage of a period.
pub fn watched_period(WatchedPeriod { label, rows, share, so_far, .. }: &WatchedPeriod) -> String {
    let [share, so_far] = [share, so_far].map(|share| percent_of(*share));
    format!("{label}: {share} of {rows} rows covered, {so_far} so far")
}

/// An evidence after a period.
pub fn evidence_of(name: &str, period: &str, evidence: f64) -> String {
    format!("{name}, {period}: {}", number(evidence, None))
}

/// The rank of an entrant, and the best and the worst one that it may have.
pub fn standing(
    StandingsRow { name, rank, these, others: (best, worst), .. }: &StandingsRow,
) -> String {
    let these = these
        .map_or_else(String::new, |(best, worst)| format!(", on these datasets {best} to {worst}"));
    format!("{name}: rank {rank}{these}, on others {best} to {worst}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_and_curves_say_how_many_repetitions_they_show() {
        insta::assert_snapshot!(bars("1"), @"One repetition.");
        insta::assert_snapshot!(bars("18 to 20"), @"Means over 18 to 20 repetitions; lines: ± 1 standard error.");
        insta::assert_snapshot!(curves("1", false), @"One repetition.");
        insta::assert_snapshot!(curves("1", true), @"Paired differences of one repetition.");
        insta::assert_snapshot!(curves("10", false), @"Means over 10 repetitions; bands: ± 1 standard error of these repetitions.");
        insta::assert_snapshot!(curves("10", true), @"Mean paired differences over 10 repetitions; bands: ± 1 standard error of these repetitions.");
        insta::assert_snapshot!(learning_curves(1, false), @"Means over 1 repetition. Bands: pointwise 95 % intervals of the means by Student's distribution, each step on its own.");
        insta::assert_snapshot!(learning_curves(20, true), @"Means over 20 repetitions. Bands: pointwise 95 % intervals of the means by Student's distribution, each step on its own. Differences are paired: both curves of a repetition start from the same rows.");
    }

    #[test]
    fn shapes_are_explained() {
        insta::assert_snapshot!(CALIBRATION.join("\n"), @"
        U shape: predictions too narrow; hump: too wide; falling: too high; rising: too low.
        Bands: all bins, or the whole curve, stay inside with probability 95 % or more under perfect calibration, given n* independent outcomes among the n pooled ones (fewer where rows recur).
        ");
        insta::assert_snapshot!(QUANTILES.join("\n"), @"
        Falling from left to right: predictions too narrow; rising: too wide; all above 0: too high; all below: too low.
        Bands: all points of a plot stay inside with probability 95 % or more under perfect calibration, given n* independent outcomes among the n pooled ones (fewer where test sets of several repetitions share rows).
        ");
        insta::assert_snapshot!(TIED_QUANTILES, @"Where outcomes equal their quantiles, the share of y ≤ q(τ) may exceed τ: calibration requires only that the vertical line from the share of y < q(τ) to that of y ≤ q(τ) meets the band.");
        insta::assert_snapshot!(VARIANCES, @"Thin lines should lie on the thick ones of their colour. Stated: roots of mean variances over replicates; a line on the lower edge lies below it.");
        insta::assert_snapshot!(MISSING_DOTS, @"–: no number, as where the method does not define this part. Empty lane: not run, or no information beyond the level.");
        insta::assert_snapshot!(MIXTURES, @"Ellipses: 2 sd; heavier components are darker, their means larger. Densities: 0.1 % to 99.9 % quantile, scaled to their peaks.");
    }

    #[test]
    fn points_that_are_left_out_are_counted_and_placed() {
        assert_eq!(far_points("Red wine", &[]), None);
        let far = |far: &[f64]| far_points("Red wine", far).unwrap();
        insta::assert_snapshot!(far(&[-3600.0]), @"Red wine: one point is not drawn, because it lies far from all others, at -3600.");
        insta::assert_snapshot!(far(&[-900.0, 1.0, 370.5]), @"Red wine: 3 points are not drawn, because they lie far from all others, at -900.0 to 370.5.");
        insta::assert_snapshot!(not_finite("Energy", 2), @"Energy: 2 points are not drawn, because they are not finite.");
        insta::assert_snapshot!(missing_points("RMSE", "game", 1, 3), @"RMSE: not drawn, because not finite: 1 of 3 points of game.");
    }

    #[test]
    fn boxes_say_what_they_leave_out() {
        insta::assert_snapshot!(boxes("9", 1.5), @"Box: quartiles and median of 9 values, all shown; whisker: furthest value within 1.5 interquartile ranges of the box; hollow: beyond.");
        let beyond = |count, infinite| beyond_axis(Beyond { count, infinite }, 3.0);
        assert_eq!(beyond(0, 0), None);
        insta::assert_snapshot!(beyond(9, 0).unwrap(), @"Triangles count the values beyond an axis (9 in all): it ends 3 interquartile ranges beyond the quartiles of its panel's values.");
        insta::assert_snapshot!(beyond(10, 1).unwrap(), @"Triangles count the values beyond an axis (10 in all, 1 of them infinite): it ends 3 interquartile ranges beyond the quartiles of its panel's values.");
        assert_eq!(unknown_values("Protein", &[]), None);
        let of = |name| Unknown { count: 2, of: 9, name, series: "projected" };
        insta::assert_snapshot!(unknown_values("Protein", &[of("2"), of("3")]).unwrap(), @"Protein: undefined or not run: 2 of 9 of 2 (projected), 2 of 9 of 3 (projected).");
    }

    #[test]
    fn numbers_at_the_edge_are_counted() {
        assert_eq!((farther(0, 6.0), without_tolerance(0)), (None, None));
        insta::assert_snapshot!(farther(1, 6.0).unwrap(), @"1 number lies farther than 6 tolerances: an arrowhead at the edge.");
        insta::assert_snapshot!(farther(2, 6.0).unwrap(), @"2 numbers lie farther than 6 tolerances: arrowheads at the edge.");
        insta::assert_snapshot!(without_tolerance(1).unwrap(), @"1 number without a tolerance (printed as 0, or of a metric for which no rule names one) has no point.");
        insta::assert_snapshot!(without_tolerance(2).unwrap(), @"2 numbers without a tolerance (printed as 0, or of a metric for which no rule names one) have no point.");
        insta::assert_snapshot!(cut_bars(3.0), @"Bars are cut at 3; the tallest of each half is printed above it.");
        let names = ["one", "two"].map(str::to_owned);
        insta::assert_snapshot!(lanes(&names, false, false), @"Lanes of a row, from above: one, two features.");
        insta::assert_snapshot!(lanes(&names, true, true), @"Lanes of a row, from above: one, two features. Bars: ± 1 standard error. In the strip: skill below −1.");
    }
}

//! Test whole figures: their texts, their numbers of marks, that bytes repeat, and which data they
//! refuse.

mod agreement;
mod bars;
mod boxes;
mod decomposition;
mod held_out;
mod hyper_functions;
mod learning_panels;
mod mixtures;
mod quantile_reliability;
mod ranks;
mod standings;
mod tips;
mod titles;
mod wiener;

use super::png::decode;
use super::{FigureError, Render};
use crate::words::figures;
use uq_core::stats::{Pit, PitCounts};
use uqbench_judge::figures::{
    BandPanel, Bands, Calibration, CalibrationPanel, DifferencePanel, DifferenceRow, Differences,
    HistogramPanel, Histograms, Interval, Measured, Sweep, SweepPanel, SweepSeries,
};

/// A figure of any kind.
type Drawing = Box<dyn Render>;

fn bands() -> Bands {
    let x: Vec<f64> = (0..40).map(|i| f64::from(i) / 4.0).collect();
    let truth: Vec<f64> = x.iter().map(|v| v * v.sin()).collect();
    let curve = BandPanel {
        title: "Trees & polynomials".into(),
        x_label: "x (s)".into(),
        y_label: "y (m)".into(),
        mean: truth.iter().map(|v| 0.9 * v).collect(),
        sd: vec![0.5; 40],
        x: x.clone(),
        connected: true,
        truth: Some(truth.clone()),
        observed: Some((vec![1.0, 2.0, 7.5], vec![0.8, 1.8, 7.0])),
    };
    let points = BandPanel {
        title: "Test points".into(),
        connected: false,
        truth: None,
        observed: Some((x, truth)),
        ..curve.clone()
    };
    Bands { title: "Mean and band".into(), panels: vec![curve, points] }
}

fn sweep() -> Sweep {
    let series = |name: &str, height: f64| SweepSeries {
        name: name.into(),
        x: vec![0.01, 0.1, 1.0],
        mean: [3.0 * height, 2.0 * height, height].map(Some).into(),
        standard_error: vec![Some(0.1); 3],
        smooth: None,
    };
    let panel = |label: &str| SweepPanel {
        y_label: label.into(),
        series: vec![series("game", 1.0), series("uniform weights", 1.5)],
    };
    Sweep {
        title: "Small and large data".into(),
        x_label: "Data fraction".into(),
        log_x: true,
        log_y: false,
        panels: vec![panel("Maximum fold loss"), panel("Overall loss")],
    }
}

fn histograms() -> Histograms {
    let panel = |title: &str| HistogramPanel {
        title: title.into(),
        values: (0..100).map(|i| f64::from(i).sqrt()).collect(),
    };
    Histograms {
        title: "Distribution".into(),
        x_label: "v".into(),
        panels: vec![panel("yacht"), panel("energy")],
    }
}

fn differences() -> Differences {
    let row = |name: &str, estimate: f64, marked: bool| DifferenceRow {
        name: name.into(),
        difference: Interval::finite(estimate, estimate - 0.5, estimate + 0.5),
        marked,
    };
    let rows = vec![
        row("yacht", -1.0, true),
        row("energy", 0.1, false),
        row("wine", 0.9, true),
        row("kin8nm", 0.2, false),
    ];
    let panel = |label: &str| DifferencePanel { label: label.into(), rows: rows.clone() };
    let (test, reference) = ("DT".into(), "uniform".into());
    Differences {
        title: "Paired differences".into(),
        test,
        reference,
        measured: Measured::Losses,
        panels: vec![panel("RMSE"), panel("CRPS")],
    }
}

/// Outcomes of the standard normal distribution, predicted with these means and standard
/// deviations.
fn calibration(cases: &[(&str, f64, f64)]) -> Calibration {
    use uq_core::math::special::{normal_cdf, normal_quantile};
    let panel = |&(title, mean, sd): &(&str, f64, f64)| {
        // A golden-section sequence: as even as a grid, and without its gaps at the ends.
        let uniform = |k: u32| ((f64::from(k) + 0.5) * 0.618_033_988_749_895).fract();
        let pit = |k: u32| normal_cdf((normal_quantile(uniform(k)) - mean) / sd);
        let pit = Pit::new(
            &[PitCounts::new(&(0..500).map(|k| (pit(k), pit(k))).collect::<Vec<_>>()).unwrap()],
            400,
        )
        .unwrap();
        CalibrationPanel { title: title.into(), pit }
    };
    Calibration {
        title: "Calibration".into(),
        notes: vec![],
        panels: cases.iter().map(panel).collect(),
    }
}

const CASES: [(&str, f64, f64); 5] = [
    ("honest", 0.0, 1.0),
    ("narrow", 0.0, 0.25),
    ("wide", 0.0, 2.0),
    ("high", 1.0, 1.0),
    ("low", -1.0, 1.0),
];

fn svg(drawing: &dyn Render) -> String {
    drawing.render().unwrap().svg
}

/// Number of text elements with exactly this text.
fn texts(svg: &str, text: &str) -> usize {
    svg.matches(&format!(">\n{text}\n</text>")).count()
}

/// Whether the texts of a figure, one after the other, have this note, which may be of several
/// lines.
fn is_noted(svg: &str, note: &str) -> bool {
    let text = |element: &str| {
        let (_, rest) = element.split_once(">\n")?;
        Some(rest.split_once("\n</text>")?.0.to_owned())
    };
    let texts: Vec<String> = svg.split("<text").skip(1).filter_map(text).collect();
    let escapes = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('\'', "&apos;"), ('"', "&quot;")];
    let note = escapes.iter().fold(note.to_owned(), |note, (sign, name)| note.replace(*sign, name));
    texts.join(" ").contains(&note)
}

fn count(svg: &str, pattern: &str) -> usize {
    svg.matches(pattern).count()
}

#[test]
fn every_figure_renders_to_a_sharp_png_and_the_same_bytes_twice() {
    let drawings: Vec<Drawing> = vec![
        Box::new(bands()),
        Box::new(sweep()),
        Box::new(histograms()),
        Box::new(differences()),
        Box::new(agreement::agreement()),
        Box::new(ranks::demsar()),
        Box::new(standings::standings()),
        Box::new(calibration(&CASES)),
        Box::new(calibration(&CASES[..1])),
        Box::new(mixtures::mixtures()),
        Box::new(hyper_functions::hyper_functions()),
        Box::new(hyper_functions::learning()),
        Box::new(learning_panels::learning_panels()),
        Box::new(wiener::tubes()),
        Box::new(wiener::realisations()),
    ];
    for drawing in drawings {
        let (rendered, again) = (drawing.render().unwrap(), drawing.render().unwrap());
        let png = rendered.png().unwrap();
        assert!(rendered.svg == again.svg && png == again.png().unwrap());
        let (width, height, rgb) = decode(&png);
        assert_eq!(width, 1600);
        let opening = format!(
            "<svg width=\"800\" height=\"{}\" viewBox=\"0 0 3200 {}\"",
            height / 2,
            2 * height
        );
        assert!(rendered.svg.starts_with(&opening), "{}", &rendered.svg[..100]);
        // White margins on all sides: nothing is clipped.
        let pixel = |x: u32, y: u32| &rgb[3 * (y * width + x) as usize..][..3];
        for x in 0..width {
            assert_eq!(
                (pixel(x, 3), pixel(x, height - 4)),
                (&[255; 3][..], &[255; 3][..]),
                "column {x}"
            );
        }
        for y in 0..height {
            assert_eq!(
                (pixel(3, y), pixel(width - 4, y)),
                (&[255; 3][..], &[255; 3][..]),
                "row {y}"
            );
        }
        assert!(rgb.chunks_exact(3).any(|p| p[0] < 60 && p[1] < 60 && p[2] < 60), "no ink");
    }
}

#[test]
fn special_characters_of_names_are_escaped() {
    let figure = Histograms { title: "a\u{0}<script>\u{1b}[2J & \"b\"".into(), ..histograms() };
    let svg = svg(&figure);
    assert_eq!(texts(&svg, "a&lt;script&gt;[2J &amp; &quot;b&quot;"), 1);
}

#[test]
fn bands_carry_titles_labels_legend_and_points() {
    let svg = svg(&bands());
    for text in [
        "Mean and band",
        "Trees &amp; polynomials",
        "Test points",
        "ground truth",
        "observed outcome",
    ] {
        assert_eq!(texts(&svg, text), 1, "{text}");
    }
    assert_eq!((texts(&svg, "x (s)"), texts(&svg, "y (m)")), (2, 2));
    // 3 training points and 40 means, and one of each in the legend; outcomes are diamonds.
    assert_eq!(count(&svg, "<circle"), 3 + 40 + 2);
    // Diamonds of the 40 outcomes, one in the legend, the band, and its box in the legend.
    assert_eq!(count(&svg, "<polygon"), 40 + 1 + 1 + 1);
}

#[test]
fn sweeps_carry_both_series_in_both_panels() {
    let svg = svg(&sweep());
    for text in [
        "Small and large data",
        "Data fraction",
        "Maximum fold loss",
        "Overall loss",
        "game",
        "uniform weights",
    ] {
        assert_eq!(texts(&svg, text), 1, "{text}");
    }
    // Numbers of the shared axis stand once, under the lowest panel.
    assert_eq!((texts(&svg, "0.01"), texts(&svg, "0.1")), (1, 1));
    assert_eq!(texts(&svg, figures::ERROR_BARS), 1);
    assert_eq!((count(&svg, "<circle"), count(&svg, "<polygon")), (2 * 3 + 1, 2 * 3 + 1));
}

#[test]
fn a_missing_point_is_left_out_and_reported() {
    let mut figure = sweep();
    figure.panels[1].series[0].mean[1] = None;
    let svg = svg(&figure);
    assert_eq!(count(&svg, "<circle"), 2 * 3 + 1 - 1);
    assert_eq!(texts(&svg, &figures::missing_points("Overall loss", "game", 1, 3)), 1);
}

#[test]
fn histograms_state_their_size_and_median() {
    let svg = svg(&histograms());
    assert_eq!(texts(&svg, "n\u{a0}=\u{a0}100, median\u{a0}7.04"), 2);
    assert_eq!(
        (texts(&svg, "yacht"), texts(&svg, "energy"), texts(&svg, "v"), texts(&svg, "Count")),
        (1, 1, 2, 1)
    );
}

#[test]
fn calibration_shows_bars_bands_and_curves_of_each_method() {
    let svg = svg(&calibration(&CASES));
    for text in [
        "honest",
        "narrow",
        "wide",
        "high",
        "low",
        "density of PIT",
        "perfect calibration",
        "its 95 % band",
    ] {
        assert_eq!(texts(&svg, text), 1, "{text}");
    }
    assert_eq!(
        (texts(&svg, "n = 500, n* = 400"), texts(&svg, "Level τ"), texts(&svg, "PIT")),
        (5, 5, 5)
    );
    // Three panels a row: labels stand beside the first.
    assert_eq!((texts(&svg, "Density"), texts(&svg, "Share of PIT ≤ τ")), (2, 2));
    // Twenty bars and two bands a panel, in the legend one of each; no outcome of the wide one is
    // in its first bin.
    assert_eq!(count(&svg, "<polygon"), 5 * (20 + 2) + 2 - 1);
    // P(PIT ≤ 0.05) = Φ(Φ⁻¹(0.05)/4) = 0.3404 of the narrow ones is a density of 6.81, cut in
    // either half.
    assert_eq!((texts(&svg, "6.80"), texts(&svg, "6.84")), (1, 1));
    assert_eq!(texts(&svg, &figures::cut_bars(3.0)), 1);
    let plain = calibration(&CASES[..1]);
    let noted = Calibration { notes: vec!["Left out: one.".into()], ..plain };
    let svg = self::svg(&noted);
    assert_eq!((texts(&svg, "Left out: one."), texts(&svg, &figures::cut_bars(3.0))), (1, 0));
}

#[test]
fn forest_rows_are_filled_only_where_marked() {
    let svg = svg(&differences());
    for text in ["RMSE", "CRPS", "yacht", "wine", "corrected interval includes 0"] {
        assert_eq!(texts(&svg, text), 1, "{text}");
    }
    for text in
        ["DT better, corrected interval excludes 0", "DT worse, corrected interval excludes 0"]
    {
        assert_eq!(texts(&svg, text), 1, "{text}");
    }
    // Once a panel.
    for text in ["DT − uniform", "← DT better", "DT worse →"] {
        assert_eq!(texts(&svg, text), 2, "{text}");
    }
    // Two panels and the legend: one blue disc each, and hollow discs of two circles for the open
    // rows.
    assert_eq!(count(&svg, "<circle"), 2 * (1 + 2 * 2) + 1 + 2);
    assert_eq!(count(&svg, "fill=\"#0072B2\" stroke=\"none\""), 3);
}

#[test]
fn a_far_row_is_cut_and_its_estimate_printed() {
    let mut figure = differences();
    figure.panels[1].rows[3] = DifferenceRow {
        name: "kin8nm".into(),
        difference: Interval::finite(120.0, 100.0, 140.0),
        marked: true,
    };
    figure.panels[1].rows[1].difference = None;
    let svg = svg(&figure);
    assert_eq!((texts(&svg, "120"), texts(&svg, "undefined"), texts(&svg, "100")), (1, 1, 0));
}

#[test]
fn a_figure_without_data_is_an_error_with_its_place() {
    let empty = |drawing: &dyn Render| matches!(drawing.render(), Err(FigureError::Empty { .. }));
    assert!(empty(&Bands { panels: vec![], ..bands() }));
    assert!(empty(&Sweep { panels: vec![], ..sweep() }));
    let mut low = Sweep { log_y: true, ..sweep() };
    assert!(low.render().is_ok());
    low.panels[0].series[0].standard_error[2] = Some(1.0);
    assert!(low.render().is_err(), "a bar that reaches zero has no place on a logarithmic axis");
    assert!(empty(&Histograms { panels: vec![], ..histograms() }));
    assert!(empty(&Differences { panels: vec![], ..differences() }));
    assert!(empty(&calibration(&[])));
    let mut figure = sweep();
    figure.panels[0].series.iter_mut().for_each(|series| series.mean = vec![None; 3]);
    let error = figure.render().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the finite points of \"Maximum fold loss\": there is nothing to draw"
    );
}

#[test]
fn faulty_numbers_are_refused_with_their_place() {
    let mut figure = bands();
    figure.panels[1].sd[4] = f64::NAN;
    let error = figure.render().unwrap_err();
    assert_eq!(error.to_string(), "panel 2: sd: number 5 is NaN, expected a finite number");

    let mut figure = bands();
    figure.panels[0].mean.pop();
    let error = figure.render().unwrap_err();
    assert_eq!(
        error,
        FigureError::Length { what: "panel 1: mean".into(), found: 39, expected: 40 }
    );

    let mut figure = sweep();
    figure.panels[0].series[1].x[0] = 0.0;
    assert!(figure.clone().render().unwrap_err().to_string().contains("the axis is logarithmic"));
    figure.log_x = false;
    assert!(figure.render().is_ok());

    let mut figure = histograms();
    figure.panels[1].values[9] = f64::INFINITY;
    let error = figure.render().unwrap_err();
    assert_eq!(
        error.to_string(),
        "histogram \"energy\": number 10 is inf, expected a finite number"
    );

    let mut figure = histograms();
    figure.panels[1].values = vec![f64::MAX, -f64::MAX];
    assert!(matches!(figure.render(), Err(FigureError::Range { .. })));

    let mut figure = differences();
    figure.panels[0].rows[0].difference = Interval::finite(-1.0, 5.0, 0.0);
    assert!(matches!(figure.render(), Err(FigureError::Interval { .. })));
}

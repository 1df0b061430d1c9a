//! Titles of panels keep apart and stay inside the picture, whatever the names.

use super::super::scene::Font;
use super::*;
use uq_core::stats::{Counts, Reliability};
use uqbench_judge::figures::{QuantileReliability, ReliabilityPanel};

const NAMES: [&str; 5] = [
    "calibrated_quantile_forest_validated_v2",
    "calibrated-log-normal-ngboost-validated",
    "a_method_with_a_name_of_fifty_characters_and_more_of_them",
    "averyveryverylongnamewithoutanyplacetobreakit",
    "calibrated quantile forest, validated inside the training rows",
];

/// The lines of bold text: height, left and right end, in the picture's units.
fn titles(svg: &str) -> Vec<(f64, f64, f64)> {
    let attribute = |tag: &str, name: &str| -> Option<String> {
        Some(tag.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0.to_owned())
    };
    let of_text = |part: &str| {
        let (tag, rest) = part.split_once('>')?;
        let tag = format!(" {tag}");
        let (text, _) = rest.split_once("</text>")?;
        attribute(&tag, "font-weight").filter(|weight| weight == "bold")?;
        let number = |name: &str| attribute(&tag, name)?.parse::<f64>().ok();
        let (x, y, size) = (number("x")?, number("y")?, number("font-size")?);
        let half = Font::bold(size).width(text.trim()) / 2.0;
        Some((y, x - half, x + half))
    };
    svg.split("<text").skip(1).filter_map(of_text).collect()
}

/// Refuses lines of one height that share a place, and a line outside of the picture.
fn check_titles(svg: &str) {
    let width: f64 =
        svg.split_once("viewBox=\"0 0 ").unwrap().1.split_once(' ').unwrap().0.parse().unwrap();
    let mut all = titles(svg);
    assert!(!all.is_empty());
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    for &(y, left, right) in &all {
        assert!(left >= 0.0 && right <= width, "{left} to {right} of {width} at {y}");
    }
    for pair in all.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        assert!(pair[0].2 < pair[1].1, "{pair:?}");
    }
}

#[test]
fn long_names_neither_overlap_nor_leave_the_picture() {
    let y = ndarray::Array1::from_iter((0..40).map(|i| f64::from(i) / 40.0));
    let predictive = uq_core::predictive::Predictive::new(uq_core::predictive::Form::Gaussian(
        uq_core::predictive::Gaussian {
            mean: ndarray::Array1::from_elem(40, 0.5),
            variance: ndarray::Array1::from_elem(40, 0.1),
        },
    ));
    let levels = [0.1, 0.5, 0.9];
    let pairs = predictive.transforms(y.view()).unwrap();
    for count in 1..=NAMES.len() {
        let of = |place: usize| NAMES[place % NAMES.len()].to_owned();
        let reliability = |place: usize| {
            let counts = Counts::count(&levels, &predictive, y.view()).unwrap();
            ReliabilityPanel {
                title: of(place),
                reliability: Reliability::new(&levels, &[counts], 40).unwrap(),
            }
        };
        let calibration = |place: usize| {
            let pit = Pit::new(&[PitCounts::new(&pairs).unwrap()], 40).unwrap();
            CalibrationPanel { title: of(place), pit }
        };
        let histogram =
            |place: usize| HistogramPanel { title: of(place), values: vec![1.0, 2.0, 4.0, 8.0] };
        let title =
            "Calibration: y of a_file_with_a_name_of_fifty_characters_and_more.csv".to_owned();
        let figures: [Box<dyn Render>; 3] = [
            Box::new(QuantileReliability {
                title: title.clone(),
                notes: Vec::new(),
                panels: (0..count).map(reliability).collect(),
            }),
            Box::new(Calibration {
                title: title.clone(),
                notes: Vec::new(),
                panels: (0..count).map(calibration).collect(),
            }),
            Box::new(Histograms {
                title,
                x_label: "v".into(),
                panels: (0..count).map(histogram).collect(),
            }),
        ];
        for figure in figures {
            check_titles(&figure.render().unwrap().svg);
        }
    }
}

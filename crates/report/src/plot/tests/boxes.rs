//! Test figures of boxes: what they draw, what they count at the edge, what they report as missing,
//! and what they refuse.

use super::super::boxes::{axes, notes};
use super::super::{FigureError, Render};
use super::{count, decode, is_noted, svg, texts};
use crate::words::figures::{self as words, Beyond, Unknown};
use uqbench_judge::figures::{BoxOf, Boxes, BoxesPanel};

/// Nine values about `centre`, half a unit apart.
fn values(centre: f64) -> Vec<Option<f64>> {
    (-4..=4).map(|i| Some(centre + f64::from(i) / 2.0)).collect()
}

pub(super) fn boxes() -> Boxes {
    let one = |name: &str, series: &str, centre: f64| BoxOf {
        name: name.into(),
        series: series.into(),
        values: values(centre),
    };
    let panel = |title: &str| BoxesPanel {
        title: title.into(),
        x_label: "Dimension p".into(),
        boxes: vec![
            one("13", "no projection", 1.0),
            one("2", "projected", 0.0),
            one("3", "projected", 2.0),
        ],
    };
    let panels = ["Boston", "Kin8nm", "Protein", "Power"].map(panel).to_vec();
    Boxes { title: "Boxes".into(), y_label: "RMSE (k$)".into(), across: 2, panels }
}

#[test]
fn every_box_has_its_name_its_values_and_its_look() {
    let svg = svg(&boxes());
    for text in ["Boxes", "Boston", "Power", "no projection", "projected"] {
        assert_eq!(texts(&svg, text), 1, "{text}");
    }
    // Values are named once a row, names of boxes in every panel.
    assert_eq!(
        (texts(&svg, "RMSE (k$)"), texts(&svg, "Dimension p"), texts(&svg, "13")),
        (2, 4, 4)
    );
    // Nine discs in each first box, one in the legend; squares of the two other boxes, three boxes
    // a panel, two samples and one square in the legend.
    assert_eq!(count(&svg, "<circle"), 4 * 9 + 1);
    assert_eq!(count(&svg, "<polygon"), 4 * (2 * 9 + 3) + 2 + 1);
    assert!(is_noted(&svg, &words::boxes("9", 1.5)), "the rule is stated");
    let figure = boxes();
    let notes = notes(&figure, &axes(&figure).unwrap());
    assert_eq!(notes.len(), 1, "no value is beyond its axis or unknown");
}

#[test]
fn values_beyond_the_axis_are_counted_at_its_edge() {
    let mut figure = boxes();
    // Fewer than a quarter of the panel's values, so that they do not move its quartiles.
    for _ in 0..2 {
        let more = figure.panels[0].boxes[2].clone();
        figure.panels[0].boxes.push(more);
    }
    figure.panels[0].boxes[1].values = vec![Some(-1e4); 9];
    figure.panels[3].boxes[2].values[0] = Some(f64::INFINITY);
    let svg = svg(&figure);
    assert_eq!(texts(&svg, "9"), 1);
    let beyond = Beyond { count: 10, infinite: 1 };
    assert!(is_noted(&svg, &words::beyond_axis(beyond, 3.0).unwrap()), "{svg}");
    // Neither a box nor a value of the nine is drawn, and a triangle is for the tenth value; each
    // triangle's count has a ground.
    assert_eq!(count(&svg, "<polygon"), 4 * (2 * 9 + 3) + 2 + 1 + 2 * (9 + 1) - 10 + 1 + 2);
}

#[test]
fn unknown_values_are_left_out_and_reported() {
    let mut figure = boxes();
    figure.panels[2].boxes[0].values[..2].fill(None);
    let svg = svg(&figure);
    let unknown = Unknown { count: 2, of: 9, name: "13", series: "no projection" };
    assert!(is_noted(&svg, &words::unknown_values("Protein", &[unknown]).unwrap()), "{svg}");
    assert_eq!(count(&svg, "<circle"), 4 * 9 + 1 - 2);
}

#[test]
fn many_boxes_widen_the_figure_and_bytes_repeat() {
    let mut figure = boxes();
    let [png, again] = [(); 2].map(|()| figure.render().unwrap().png().unwrap());
    assert!(decode(&png).0 == 1600 && png == again);
    for i in 4..40 {
        let more = BoxOf { name: i.to_string(), ..figure.panels[1].boxes[2].clone() };
        figure.panels[1].boxes.push(more);
    }
    let (width, height, rgb) = decode(&figure.render().unwrap().png().unwrap());
    assert!(width > 2 * (2 * 39 * 20), "{width}");
    let white = |x: u32, y: u32| rgb[3 * (y * width + x) as usize..][..3] == [255; 3];
    assert!(
        (0..width).all(|x| white(x, 3) && white(x, height - 4))
            && (0..height).all(|y| white(width - 4, y))
    );
}

#[test]
fn panels_without_a_finite_value_are_refused() {
    let mut figure = boxes();
    for one in &mut figure.panels[1].boxes {
        one.values = vec![None, Some(f64::NEG_INFINITY)];
    }
    let error = figure.render().unwrap_err();
    assert_eq!(error.to_string(), "the finite values of \"Kin8nm\": there is nothing to draw");
    figure.panels.clear();
    assert!(matches!(figure.render(), Err(FigureError::Empty { .. })));
}

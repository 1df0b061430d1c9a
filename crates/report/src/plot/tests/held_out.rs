//! Test the picture of held-out rows and the calibration of one method in large.

use super::super::{FigureError, LargeCalibration, Render};
use super::{CASES, calibration, svg, texts};
use crate::words::figures::{DENSITY, INSIDE, OUTSIDE, SHARE_OF_PIT};
use uq_core::stats::coverage::Coverage;
use uqbench_judge::figures::{GroupKind, HeldOut, HeldOutGroup, HeldOutRow};

pub(super) fn held_out() -> HeldOut {
    let row = |place: u32| HeldOutRow {
        lower: f64::from(place) - 2.0,
        upper: f64::from(place) + 2.0,
        outcome: f64::from(place) + f64::from(place % 5),
        covered: place % 5 <= 2,
    };
    let group = |name: &str, kind: GroupKind, width: f64, covered: usize| {
        let coverage = Coverage { covered, rows: 40 };
        HeldOutGroup { name: name.into(), kind, width, coverage, interval: coverage.interval() }
    };
    HeldOut {
        title: "Held-out rows".into(),
        outcome: "y (m)".into(),
        width: "Mean width".into(),
        level: 0.9,
        rows: (0..40).map(row).collect(),
        of: 400,
        groups: vec![
            group("smallest third", GroupKind::Mean, 3.0, 38),
            group("widest third", GroupKind::Width, 5.0, 36),
            group("colour=red", GroupKind::Features, 4.0, 20),
        ],
    }
}

#[test]
fn rows_misses_and_groups_are_named_and_told_at_the_pointer() {
    let figure = held_out();
    let svg = svg(&figure);
    for word in [
        "Held-out rows",
        INSIDE,
        OUTSIDE,
        "y (m)",
        "Mean width",
        "by features",
        "40 of 400 held-out rows, in order of prediction",
    ] {
        assert_eq!(texts(&svg, word), 1, "{word}");
    }
    let tips = figure.render().unwrap().tips;
    let has = |words: &str| tips.iter().any(|tip| tip.words == words);
    assert!(has("outcome 7.000, interval 4.000 to 8.000"), "{tips:?}");
    assert!(has("colour=red: 50.0 % of 40 rows covered, mean width 4.000"), "{tips:?}");
    assert_eq!(tips.len(), 43);
    let alone = HeldOut { groups: Vec::new(), ..figure };
    assert_eq!(texts(&super::svg(&alone), "Mean width"), 0);
}

#[test]
fn a_bound_without_another_end_reaches_to_the_edge() {
    let mut figure = held_out();
    figure.rows.iter_mut().for_each(|row| row.lower = f64::NEG_INFINITY);
    let tips = figure.render().unwrap().tips;
    assert!(tips.iter().any(|tip| tip.words == "outcome 7.000, upper bound 8.000"), "{tips:?}");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let refused = |change: fn(&mut HeldOut)| {
        let mut figure = held_out();
        change(&mut figure);
        figure.render().unwrap_err()
    };
    assert!(matches!(refused(|figure| figure.rows.clear()), FigureError::Empty { .. }));
    assert!(matches!(
        refused(|figure| figure.rows[3].outcome = f64::NAN),
        FigureError::Value { place: 4, .. }
    ));
    assert!(matches!(
        refused(|figure| figure.groups[1].width = -1.0),
        FigureError::Value { place: 2, .. }
    ));
}

#[test]
fn one_method_in_large_has_its_histogram_beside_its_curve() {
    let all = calibration(&CASES[..1]);
    let figure = LargeCalibration { title: "Calibration of dtb", pit: &all.panels[0].pit };
    let svg = svg(&figure);
    for word in ["Calibration of dtb", DENSITY, SHARE_OF_PIT, "PIT", "Level τ"] {
        assert_eq!(texts(&svg, word), 1, "{word}");
    }
}

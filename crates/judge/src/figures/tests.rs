//! Figures are data: written as JSON and read again, they are equal.

use super::*;

fn there_and_back(figure: Figure) -> serde_json::Value {
    let named = NamedFigure { file: "figure-1".into(), title: "A figure".into(), figure };
    let text = serde_json::to_string(&named).unwrap();
    assert_eq!(serde_json::from_str::<NamedFigure>(&text).unwrap(), named);
    serde_json::from_str(&text).unwrap()
}

#[test]
fn means_without_an_error_survive() {
    let bar = |standard_error| Some(Bar { mean: 0.1 + 0.2, standard_error, repetitions: 5 });
    let panel = BarsPanel {
        y_label: "RMSE".into(),
        low: Some(-3.0),
        high: None,
        aim: None,
        bars: vec![vec![bar(Some(0.1)), None], vec![bar(None), None]],
    };
    let value = there_and_back(Figure::Bars(Bars {
        title: "Surrogates".into(),
        groups: vec!["ac60".into(), "sty50".into()],
        series: vec!["JCM".into(), "GP".into()],
        panels: vec![panel],
    }));
    assert_eq!((&value["file"], &value["figure"]["kind"]), (&"figure-1".into(), &"bars".into()));
    let series = SweepSeries {
        name: "level".into(),
        x: vec![0.01, 1.0],
        mean: vec![Some(1e-300), None],
        standard_error: vec![None; 2],
        smooth: Some(vec![(0.0, 1.0 / 3.0)]),
    };
    let panels = vec![SweepPanel { y_label: "CRPS".into(), series: vec![series] }];
    let (title, x_label) = ("Sweep".into(), "Share".into());
    there_and_back(Figure::Sweep(Sweep { title, x_label, log_x: true, log_y: false, panels }));
}

#[test]
fn infinite_numbers_and_unknown_ones_survive() {
    let values = vec![Some(f64::NEG_INFINITY), None, Some(2.0), Some(f64::INFINITY), Some(-0.5)];
    let boxes = vec![BoxOf { name: "2".into(), series: "projected".into(), values }];
    let panels = vec![BoxesPanel { title: "Boston".into(), x_label: "p".into(), boxes }];
    let value = there_and_back(Figure::Boxes(Boxes {
        title: "Boxes".into(),
        y_label: "RMSE".into(),
        across: 2,
        panels,
    }));
    let written = &value["figure"]["panels"][0]["boxes"][0]["values"];
    assert_eq!(*written, serde_json::json!(["-inf", null, 2.0, "inf", -0.5]));
    let dot =
        |value, error| Dot { panel: 0, row: 0, group: 0, lane: 0, value, error, nominal: true };
    let [panels, rows, groups, lanes] =
        ["Aleatoric", "Trees", "Noise", "one"].map(|name| vec![name.to_owned()]);
    let dots = vec![dot(f64::NEG_INFINITY, None), dot(0.25, Some(0.1))];
    let value = there_and_back(Figure::SkillDots(SkillDots {
        title: "Skill".into(),
        panels,
        rows,
        groups,
        lanes,
        dots,
    }));
    assert_eq!(
        (&value["figure"]["kind"], &value["figure"]["dots"][0]["value"]),
        (&"skill-dots".into(), &"-inf".into())
    );
}

#[test]
fn results_of_the_statistics_survive() {
    use uq_core::stats::{Counts, Pit, PitCounts, Reliability};
    let even: Vec<(f64, f64)> =
        (0..50).map(|k| (f64::from(k) / 50.0, f64::from(k + 1) / 50.0)).collect();
    let pit = Pit::new(&[PitCounts::new(&even).unwrap()], 40).unwrap();
    let panels = vec![CalibrationPanel { title: "even".into(), pit }];
    there_and_back(Figure::Calibration(Calibration {
        title: "PIT".into(),
        notes: vec!["n".into()],
        panels,
    }));
    let counts = Counts { below: vec![20, 55], at_most: vec![20, 60], outcomes: 100 };
    let reliability = Reliability::new(&[0.25, 0.5], &[counts], 80).unwrap();
    let panels = vec![ReliabilityPanel { title: "a".into(), reliability }];
    let title = "Quantiles".into();
    there_and_back(Figure::QuantileReliability(QuantileReliability {
        title,
        notes: Vec::new(),
        panels,
    }));
}

#[test]
fn an_interval_that_is_not_finite_is_none() {
    assert_eq!(
        Interval::finite(1.0, 0.5, 1.5),
        Some(Interval { estimate: 1.0, low: 0.5, high: 1.5 })
    );
    assert_eq!(Interval::finite(1.0, f64::NEG_INFINITY, f64::INFINITY), None);
    assert_eq!(Interval::finite(f64::NAN, 0.5, 1.5), None);
}

//! Test figures of stated variances beside the true ones, and of their skill.

use super::super::png::decode;
use super::super::{FigureError, Render};
use super::{Drawing, count, is_noted, svg, texts};
use crate::words::figures;
use uqbench_judge::figures::{Dot, SkillDots, VariancePanel, Variances};

pub(super) fn variances() -> Variances {
    let panel = VariancePanel {
        x: vec![-1.0, 0.0, 1.0],
        noise: vec![0.1, 0.3, 1.0],
        error: vec![0.05, 0.2, 0.1],
        aleatoric: Some(vec![0.1, 0.2, 0.5]),
        epistemic: Some(vec![0.0, 0.1, 0.1]),
    };
    let half = VariancePanel { aleatoric: None, ..panel.clone() };
    Variances {
        title: "Stated and true".into(),
        columns: vec!["Noise".into(), "Gap".into()],
        rows: vec![
            ("Process".into(), vec![Some(panel.clone()), Some(panel)]),
            ("Trees".into(), vec![None, Some(half)]),
        ],
    }
}

fn skill() -> SkillDots {
    let dot = |panel, row, lane, value| Dot {
        panel,
        row,
        group: 0,
        lane,
        value,
        error: Some(0.1),
        nominal: false,
    };
    let dots = vec![
        dot(0, 0, 0, 0.9),
        dot(0, 0, 1, -0.3),
        dot(0, 1, 0, f64::NEG_INFINITY),
        Dot { group: 1, nominal: true, ..dot(1, 0, 0, 0.4) },
    ];
    SkillDots {
        title: "Skill".into(),
        panels: vec!["Aleatoric".into(), "Epistemic".into()],
        rows: vec!["Process".into(), "Trees".into()],
        groups: vec!["Noise".into(), "Gap".into()],
        lanes: vec!["one".into(), "two".into()],
        dots,
    }
}

#[test]
fn figures_of_variances_repeat_their_bytes_and_clip_nothing() {
    for drawing in [Box::new(variances()) as Drawing, Box::new(skill())] {
        let (rendered, again) = (drawing.render().unwrap(), drawing.render().unwrap());
        let png = rendered.png().unwrap();
        assert!(rendered.svg == again.svg && png == again.png().unwrap());
        let (width, height, rgb) = decode(&png);
        let white = |x: u32, y: u32| rgb[3 * (y * width + x) as usize..][..3] == [255; 3];
        assert!((0..width).all(|x| white(x, 3) && white(x, height - 4)), "{}", drawing.title());
        assert!((0..height).all(|y| white(3, y) && white(width - 4, y)), "{}", drawing.title());
    }
}

#[test]
fn truth_is_drawn_in_every_panel_and_stated_variances_where_they_exist() {
    let figure = svg(&variances());
    for text in [
        "Stated and true",
        "Noise",
        "Gap",
        "Process",
        "Trees",
        "true noise",
        "epistemic, as stated",
    ] {
        assert_eq!(texts(&figure, text), 1, "{text}");
    }
    assert!(is_noted(&figure, figures::NO_THIN_LINE), "a missing part is reported");
    // Thick lines: 7 and 5 pixels at 4 painted units each, one of both a panel.
    let thick = |width: u32| count(&figure, &format!("stroke-width=\"{width}\""));
    assert_eq!((thick(28), thick(20)), (3, 3));
    let mut whole = variances();
    whole.rows.pop();
    assert!(!is_noted(&svg(&whole), figures::NO_THIN_LINE));
}

#[test]
fn dots_have_their_look_and_missing_numbers_a_dash() {
    let figure = svg(&skill());
    for text in
        ["Skill", "Aleatoric", "Epistemic", "Process", "Trees", "Noise", "Gap", "nominal split"]
    {
        assert_eq!(texts(&figure, text), 1, "{text}");
    }
    assert_eq!(texts(&figure, "one"), 2, "each row has the lane's name");
    // Three dots of the first look, one in the legend, and the hollow one there of two discs.
    assert_eq!(count(&figure, "<circle"), 3 + 1 + 2);
    assert_eq!(texts(&figure, "–"), 1, "trees in the second panel");
    let lanes = skill().lanes;
    assert!(is_noted(&figure, &figures::lanes(&lanes, true, true)));
    let mut plain = skill();
    plain.dots.retain(|dot| !dot.nominal && dot.value.is_finite());
    let figure = svg(&plain);
    assert_eq!(texts(&figure, "nominal split"), 0);
    assert!(!is_noted(&figure, &figures::lanes(&lanes, true, true)));
    assert!(is_noted(&figure, &figures::lanes(&lanes, true, false)));
}

#[test]
fn faulty_figures_are_refused() {
    let refused = |change: fn(&mut VariancePanel)| {
        let mut figure = variances();
        change(figure.rows[1].1[1].as_mut().unwrap());
        figure.render().unwrap_err()
    };
    assert!(matches!(refused(|panel| panel.error.clear()), FigureError::Length { .. }));
    assert!(matches!(refused(|panel| panel.noise[1] = -1.0), FigureError::Value { .. }));
    assert!(matches!(refused(|panel| panel.x[1] = f64::NAN), FigureError::Value { .. }));
    let empty = Variances { rows: vec![("Process".into(), vec![None, None])], ..variances() };
    assert!(matches!(empty.render().unwrap_err(), FigureError::Empty { .. }));
    let refused = |change: fn(&mut Dot)| {
        let mut figure = skill();
        change(&mut figure.dots[1]);
        figure.render().unwrap_err()
    };
    for error in [
        refused(|dot| dot.value = f64::NAN),
        refused(|dot| dot.value = 1.1),
        refused(|dot| dot.lane = 2),
        refused(|dot| dot.error = Some(-0.1)),
    ] {
        assert!(matches!(error, FigureError::Value { .. }), "{error}");
    }
    assert!(matches!(
        SkillDots { dots: vec![], ..skill() }.render().unwrap_err(),
        FigureError::Empty { .. }
    ));
}

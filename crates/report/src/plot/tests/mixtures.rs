//! Test the figure of a mixture.

use super::super::Render;
use super::super::mixtures::ellipse;
use super::{count, svg, texts};
use crate::plot::FigureError;
use uqbench_judge::figures::{Component, MixtureRow, Mixtures, Moments, Slice};

pub(super) fn mixtures() -> Mixtures {
    let x: Vec<f64> = (0..21).map(|i| f64::from(i) / 2.0 - 5.0).collect();
    let component = |weight, mean| Component { weight, mean, covariance: (1.0, 0.8, 2.0) };
    let row = |title: &str, marked| MixtureRow {
        title: title.into(),
        beside: None,
        marked,
        training: (vec![-4.0, 0.0, 3.0], vec![-1.0, 0.5, 1.0]),
        components: vec![component(0.75, (-2.0, -1.0)), component(0.25, (2.0, 1.0))],
        moments: Moments {
            mean: x.iter().map(|x| 0.4 * x).collect(),
            sd: vec![1.5; 21],
            within: vec![1.0; 21],
            truth: Some(x.iter().map(|x| x.sin()).collect()),
            noise: Some(vec![0.5; 21]),
            x: x.clone(),
        },
        slices: [-2.0, 2.0]
            .map(|x| Slice {
                x,
                y: vec![-2.0, 0.0, 2.0],
                density: vec![0.0, 0.5, 0.0],
                truth: Some([-1.0, 0.0, 1.0]),
            })
            .into(),
    };
    Mixtures {
        title: "Two fits".into(),
        beside: None,
        rows: vec![row("first", Some((0.0, 9.0))), row("second", None)],
    }
}

#[test]
fn a_row_of_three_panels_shows_components_bands_and_densities() {
    let image = svg(&mixtures());
    for text in ["Two fits", "first", "second", "Density p(y | x)", "truth", "± 2 sd in total"] {
        assert_eq!(texts(&image, text), 1, "{text}");
    }
    assert_eq!((texts(&image, "x"), texts(&image, "y")), (6, 2));
    // Three training rows in two panels and two means a row; a row and a mean in the legend.
    assert_eq!(count(&image, "<circle"), 2 * (2 * 3 + 2) + 2);
    // Two bands and two violins a row, the marked interval in three panels; three boxes in the
    // legend.
    assert_eq!(count(&image, "<polygon"), 2 * (2 + 2) + 3 + 3);
}

#[test]
fn another_method_has_a_panel_of_its_own_in_the_rows_with_its_moments() {
    let mut figure = mixtures();
    figure.beside = Some("Process".into());
    figure.rows[0].beside = Some(figure.rows[0].moments.clone());
    let image = svg(&figure.clone());
    assert_eq!(
        (texts(&image, "Process"), texts(&image, "± 2 sd within components, or aleatoric")),
        (1, 1)
    );
    assert_eq!((texts(&image, "x"), texts(&image, "y")), (8, 2));
    // As without it, with three training rows more, two bands more, and the marked interval in one
    // panel more.
    assert_eq!(count(&image, "<circle"), 2 * (2 * 3 + 2) + 2 + 3);
    assert_eq!(count(&image, "<polygon"), 2 * (2 + 2) + 3 + 3 + 2 + 1);
    if let Some(beside) = &mut figure.rows[0].beside {
        beside.mean[2] = f64::INFINITY;
    }
    let message = figure.render().unwrap_err().to_string();
    assert!(message.starts_with("row 1: mean: number 3 is inf"), "{message}");
}

#[test]
fn an_unknown_truth_is_neither_drawn_nor_explained() {
    let mut figure = mixtures();
    for row in &mut figure.rows {
        (row.moments.truth, row.moments.noise, row.marked) = (None, None, None);
        row.slices.iter_mut().for_each(|slice| slice.truth = None);
    }
    let image = svg(&figure);
    for text in ["truth", "truth ± 2 sd of its noise"] {
        assert_eq!(texts(&image, text), 0, "{text}");
    }
}

#[test]
fn an_ellipse_lies_two_deviations_from_its_mean() {
    let component = mixtures().rows[0].components[0];
    let ((mx, my), (xx, xy, yy)) = (component.mean, component.covariance);
    let determinant = xx * yy - xy * xy;
    for (x, y) in ellipse(&component) {
        let (dx, dy) = (x - mx, y - my);
        // The squared Mahalanobis distance, by the inverse of a matrix of two rows.
        let distance = (yy * dx * dx - 2.0 * xy * dx * dy + xx * dy * dy) / determinant;
        assert!((distance - 4.0).abs() < 1e-12, "{distance}");
    }
}

#[test]
fn faulty_mixtures_are_refused_with_their_place() {
    let message = |change: fn(&mut MixtureRow)| {
        let mut figure = mixtures();
        change(&mut figure.rows[1]);
        figure.render().unwrap_err().to_string()
    };
    assert!(message(|row| row.moments.sd[3] = -1.0).starts_with("row 2: sd: number 4 is -1"));
    assert!(
        message(|row| row.moments.within[0] = f64::NAN)
            .starts_with("row 2: sd within: number 1 is NaN")
    );
    assert!(
        message(|row| row.components[1].covariance.1 = 5.0)
            .contains("determinants of the covariances: number 2 is -23")
    );
    assert!(
        message(|row| row.slices[0].density.truncate(1))
            .contains("density of a slice: 1 numbers, expected 3")
    );
    assert!(
        message(|row| row.components.clear())
            .contains("row 2: components: there is nothing to draw")
    );
    let empty = Mixtures { rows: vec![], ..mixtures() };
    assert!(matches!(empty.render(), Err(FigureError::Empty { .. })));
}

//! Tabulate which settings the searches inside the training rows chose, and how often.

use super::grid::Grid;
use super::place::place;
use super::section::Section;
use uq_core::stats::digits::abscissa;
use uqbench_judge::evidence::Evidence;
use uqbench_judge::evidence::searches::{Choice, Points};

/// Every point with how often it was chosen: `0.01, 3 (7); 0.1, 3 (2)`.
pub fn text(points: &Points) -> String {
    let point = |values: &[f64]| values.iter().map(|value| abscissa(*value)).collect::<Vec<_>>().join(", ");
    points.counts.iter().map(|(values, count)| format!("{} ({count})", point(values))).collect::<Vec<_>>().join("; ")
}

/// The table of chosen settings; `None` where nothing was searched.
pub fn section(evidence: &Evidence) -> Option<Section> {
    let mut grid = Grid::new(&["Dataset", "Column", "Variant", "#n", "Settings", "Chosen (how often)"]);
    for Choice { experiment, points } in &evidence.choices {
        let rest = [points.total().to_string(), points.settings.join(", "), text(points)];
        grid.push(place(evidence.results.plan, *experiment).into_iter().chain(rest));
    }
    let note = "n repetitions searched settings, each on held-out or out-of-bag rows of its own training rows. A point \
                lists its values in the order of the settings; for a setting that is no number it has the index in the \
                list of values, from 0. What each candidate scored is in the trials' artefacts.json.";
    let title = "Settings chosen inside the training rows".into();
    (!grid.rows.is_empty()).then(|| Section { title, grid, note: note.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_written_with_how_often_they_were_chosen() {
        let counts = vec![(vec![0.01, 3.0], 2), (vec![1e-4, 3.0], 1)];
        let points = Points { settings: vec!["rate".into(), "depth".into()], counts };
        assert_eq!(text(&points), "0.01, 3 (2); 1e-4, 3 (1)");
    }
}

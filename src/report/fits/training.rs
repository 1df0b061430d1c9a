//! Tell how long fits that climb a noisy bound were trained, and how it rose in the end.

use crate::evidence::Evidence;
use crate::methods::SideTable;
use crate::report::grid::Grid;
use crate::report::place::place;
use crate::report::section::Section;
use crate::stats::Summary;
use crate::stats::digits::mean_and_spread;

/// What such a fit calls the table: `converged`, `steps`, `step_budget`, `slope_per_1000_steps` in nats a row, `slope_standard_error`.
const NAME: &str = "convergence";

/// The cells of one experiment: fits, those that converged, steps, their budget, slope, its largest standard error.
fn cells(fits: &[&SideTable]) -> Option<[String; 6]> {
    let column = |name: &str| -> Vec<f64> {
        fits.iter().filter_map(|fit| fit.column(name).and_then(|values| values.first().copied())).collect()
    };
    let slopes = Summary::of(&column("slope_per_1000_steps"))?;
    let steps = Summary::of(&column("steps"))?;
    let converged = column("converged").iter().filter(|flag| **flag == 1.0).count();
    let most = |values: Vec<f64>| values.into_iter().fold(f64::NEG_INFINITY, f64::max);
    Some([
        fits.len().to_string(),
        converged.to_string(),
        mean_and_spread(Some(steps.mean), steps.sd),
        most(column("step_budget")).to_string(),
        mean_and_spread(Some(slopes.mean), slopes.sd),
        mean_and_spread(Some(most(column("slope_standard_error"))), None),
    ])
}

/// The table of training; `None` where no fit tells a slope.
pub fn section(evidence: &Evidence) -> Option<Section> {
    let head = ["Dataset", "Column", "Variant", "#n", "#Converged", "#Steps", "#Budget", "#Final slope", "#Its error"];
    let mut grid = Grid::new(&head);
    for fits in &evidence.diagnostics {
        let Some(cells) = cells(&fits.named(NAME)) else { continue };
        grid.rows.push(place(evidence.results.plan, fits.experiment).into_iter().chain(cells).collect());
    }
    let note = "Steps and final slope: mean ± standard deviation over n fits; the slope is that of the bound over the last windows of \
                training, in nats a row and 1000 steps, its error the largest standard error of any fit. A fit has converged \
                where slope and two standard errors together stay below its tolerance before the budget is used up: its bound \
                rises by little, and need not have stopped to rise.";
    let title = "Training of deep Gaussian processes".into();
    (!grid.rows.is_empty()).then(|| Section { title, grid, note: note.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_slopes_are_averaged_and_others_tell_nothing() {
        let fit = |converged: f64, steps: f64, slope: f64, error: f64| SideTable {
            name: NAME.into(),
            columns: [
                ("converged", converged),
                ("steps", steps),
                ("step_budget", 20_000.0),
                ("slope_per_1000_steps", slope),
                ("slope_standard_error", error),
            ]
            .map(|(name, value)| (name.to_owned(), vec![value]))
            .to_vec(),
        };
        let (one, two) = (fit(1.0, 9000.0, 0.002, 0.0005), fit(0.0, 20_000.0, 0.006, 0.001));
        let found = cells(&[&one, &two]).unwrap();
        assert_eq!(found, ["2", "1", "14500 ± 7778", "20000", "0.0040 ± 0.0028", "0.001000"]);
        let other = SideTable { name: NAME.into(), columns: vec![("converged".into(), vec![1.0])] };
        assert_eq!(cells(&[&other]), None);
    }
}

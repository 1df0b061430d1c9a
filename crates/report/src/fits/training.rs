//! Tabulate how long fits of a noisy bound were trained, and the final slope of the bound.

use crate::grid::Grid;
use crate::place::place;
use crate::section::Section;
use uq_core::stats::Summary;
use uq_core::stats::digits::mean_and_spread;
use uq_methods::side_tables::Climb;
use uqbench_judge::evidence::Evidence;

/// The cells of one experiment: fits, those that converged, steps, their budget, slope, its largest standard error.
fn cells(fits: &[Climb]) -> Option<[String; 6]> {
    let slopes: Vec<f64> = fits.iter().filter_map(|fit| fit.slope_per_1000_steps).collect();
    let slopes = Summary::of(&slopes)?;
    let steps = Summary::of(&fits.iter().map(|fit| fit.steps).collect::<Vec<_>>())?;
    let converged = fits.iter().filter(|fit| fit.converged).count();
    let budget = fits.iter().map(|fit| fit.step_budget).fold(f64::NEG_INFINITY, f64::max);
    let error = fits.iter().filter_map(|fit| fit.slope_standard_error).fold(f64::NEG_INFINITY, f64::max);
    Some([
        fits.len().to_string(),
        converged.to_string(),
        mean_and_spread(Some(steps.mean), steps.sd),
        budget.to_string(),
        mean_and_spread(Some(slopes.mean), slopes.sd),
        mean_and_spread(Some(error), None),
    ])
}

/// The table of training; `None` where no fit reports a slope.
pub fn section(evidence: &Evidence) -> Option<Section> {
    let head = ["Dataset", "Column", "Variant", "#n", "#Converged", "#Steps", "#Budget", "#Final slope", "#Its error"];
    let mut grid = Grid::new(&head);
    for fits in &evidence.diagnostics {
        let climbs: Vec<Climb> = fits.side_tables.iter().filter_map(Climb::from_table).collect();
        let Some(cells) = cells(&climbs) else { continue };
        grid.push(place(evidence.results.plan, fits.experiment).into_iter().chain(cells));
    }
    let note = "Steps and final slope: mean ± standard deviation over n fits; the slope is that of the bound over the last windows of \
                training, in nats a row and 1000 steps, its error the largest standard error of any fit. A fit has converged \
                where slope and two standard errors together stay below its tolerance before the budget is used up: its bound \
                rises slowly, and may still rise.";
    let title = "Training of deep Gaussian processes".into();
    (!grid.rows.is_empty()).then(|| Section { title, grid, note: note.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_slopes_are_averaged_and_other_fits_left_out() {
        let fit = |converged: bool, steps: f64, slope: f64, error: f64| Climb {
            converged,
            steps,
            step_budget: 20_000.0,
            restarts: 0.0,
            largest_jitter: 0.0,
            bound_per_row: Some(-1.0),
            slope_per_1000_steps: Some(slope),
            slope_standard_error: Some(error),
        };
        let (one, two) = (fit(true, 9000.0, 0.002, 0.0005), fit(false, 20_000.0, 0.006, 0.001));
        let found = cells(&[one.clone(), two]).unwrap();
        assert_eq!(found, ["2", "1", "14500 ± 7778", "20000", "0.0040 ± 0.0028", "0.001000"]);
        let short = Climb { bound_per_row: None, slope_per_1000_steps: None, slope_standard_error: None, ..one };
        assert_eq!(cells(&[short]), None, "too few windows for a slope");
    }
}

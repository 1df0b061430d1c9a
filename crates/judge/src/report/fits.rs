//! Tabulate what fits report: settings chosen, quantiles in the wrong order, learned noise,
//! training, and what else ran on the machine.

use super::cell::{Cell, Form};
use super::table::{About, Table};
use crate::evidence::Evidence;
use crate::evidence::searches::Choice;
use uq_core::stats::Summary;
use uq_core::stats::digits::abscissa;
use uq_methods::side_tables::{Climb, Crossings, LearnedNoise, SideTable};
use uqbench_run::runner::plan::Plan;
use uqbench_run::runner::record::Beside;

/// The tables of a benchmark's fits, in the order of its page.
pub(super) fn fits(evidence: &Evidence) -> Vec<Table> {
    let plan = evidence.results.plan;
    let quiet = (!evidence.beside.is_empty()).then(|| quiet(&evidence.beside));
    let tables = [
        settings(evidence, plan),
        crossings(evidence, plan),
        noise(evidence, plan),
        training(evidence, plan),
        quiet,
    ];
    tables.into_iter().flatten().collect()
}

/// Dataset, headings of its columns, and variant of an experiment of the plan.
fn place(plan: &Plan, experiment: usize) -> [Cell; 3] {
    let experiment = &plan.experiments[experiment];
    let dataset = &plan.benchmark.datasets[experiment.dataset];
    let headings: Vec<&str> =
        experiment.method.columns.iter().map(|column| column.heading.as_str()).collect();
    let variant =
        dataset.variant.as_deref().or(experiment.method.variant.as_deref()).unwrap_or_default();
    [Cell::text(&dataset.heading), Cell::text(headings.join(", ")), Cell::text(variant)]
}

/// The settings that searches inside the training rows chose; `None` where nothing was searched.
fn settings(evidence: &Evidence, plan: &Plan) -> Option<Table> {
    let head = ["Dataset", "Column", "Variant", "#n", "Settings", "Chosen (how often)"];
    let mut table = Table::new(About::Settings, head);
    for Choice { experiment, points } in &evidence.choices {
        let rest = [
            Cell::count(points.total()),
            Cell::text(points.settings.join(", ")),
            Cell::text(points.to_string()),
        ];
        table.push(place(plan, *experiment).into_iter().chain(rest));
    }
    table.filled()
}

/// Shares of crossed rows over the pairs of neighbouring levels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Crossed {
    pairs: usize,
    /// Mean share over pairs and repetitions.
    mean: f64,
    /// The largest mean share of a pair over the repetitions.
    most: f64,
    /// Its levels.
    between: (f64, f64),
}

impl Crossed {
    /// Over the repetitions, which request the same levels; `None` without one.
    fn of(repetitions: &[Crossings]) -> Option<Self> {
        let Crossings { level, next_level, .. } = repetitions.first()?;
        let share = |pair: usize| {
            repetitions.iter().map(|one| one.share_of_rows[pair]).sum::<f64>()
                / repetitions.len() as f64
        };
        let shares: Vec<f64> = (0..level.len()).map(share).collect();
        let (place, most) =
            shares.iter().copied().enumerate().reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        Some(Self { pairs: shares.len(), mean, most, between: (level[place], next_level[place]) })
    }
}

/// How often quantiles of predicted rows were in the wrong order before they were sorted; `None`
/// where no method has counted any.
fn crossings(evidence: &Evidence, plan: &Plan) -> Option<Table> {
    let head = [
        "Dataset",
        "Column",
        "Variant",
        "#n",
        "#Pairs",
        "#Crossed, %",
        "#Most, %",
        "Between the levels",
    ];
    let mut table = Table::new(About::Crossings, head);
    for fits in &evidence.diagnostics {
        let found: Vec<Crossings> = fits
            .named(Crossings::PREDICTED)
            .into_iter()
            .filter_map(Crossings::from_table)
            .collect();
        let Some(Crossed { pairs, mean, most, between: (low, high) }) = Crossed::of(&found) else {
            continue;
        };
        let levels = format!("{} and {}", abscissa(low), abscissa(high));
        let rest = [
            Cell::count(found.len()),
            Cell::count(pairs),
            Cell::number(Some(mean), Form::Hundredths(2)),
            Cell::number(Some(most), Form::Hundredths(2)),
            if most > 0.0 { Cell::text(levels) } else { Cell::empty() },
        ];
        table.push(place(plan, fits.experiment).into_iter().chain(rest));
    }
    table.filled()
}

/// The noise of one experiment's fits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Noise {
    variance: Summary,
    /// Fits whose noise is at an end of its range; `None` where no fit has one that could be
    /// reached.
    at_bound: Option<usize>,
}

impl Noise {
    /// Over the repetitions; `None` where no fit reports any.
    fn of<'a>(tables: impl IntoIterator<Item = &'a SideTable>) -> Option<Self> {
        let told: Vec<LearnedNoise> = tables.into_iter().filter_map(LearnedNoise::of).collect();
        let variances: Vec<f64> = told.iter().map(|noise| noise.variance).collect();
        let flags: Vec<bool> = told.iter().filter_map(|noise| noise.at_bound).collect();
        let at_bound = (!flags.is_empty()).then(|| flags.iter().filter(|flag| **flag).count());
        Some(Self { variance: Summary::from_values(&variances)?, at_bound })
    }
}

/// The noise that Gaussian processes learned, and whether an end of its range stopped it; `None`
/// where no fit reports any.
fn noise(evidence: &Evidence, plan: &Plan) -> Option<Table> {
    let head = ["Dataset", "Column", "Variant", "#n", "#Noise variance", "#At its bound"];
    let mut table = Table::new(About::LearnedNoise, head);
    for fits in &evidence.diagnostics {
        let Some(Noise { variance, at_bound }) = Noise::of(&fits.side_tables) else { continue };
        let rest = [
            Cell::count(variance.n),
            Cell::spread(Some(variance.mean), variance.sd),
            at_bound.map_or_else(Cell::empty, Cell::count),
        ];
        table.push(place(plan, fits.experiment).into_iter().chain(rest));
    }
    table.filled()
}

/// How long fits of a noisy bound were trained, and the final slope of the bound; `None` where no
/// fit reports a slope.
fn training(evidence: &Evidence, plan: &Plan) -> Option<Table> {
    let head = [
        "Dataset",
        "Column",
        "Variant",
        "#n",
        "#Converged",
        "#Steps",
        "#Budget",
        "#Final slope",
        "#Its error",
    ];
    let mut table = Table::new(About::Training, head);
    for fits in &evidence.diagnostics {
        let climbs: Vec<Climb> = fits.side_tables.iter().filter_map(Climb::from_table).collect();
        let Some(cells) = climbed(&climbs) else { continue };
        table.push(place(plan, fits.experiment).into_iter().chain(cells));
    }
    table.filled()
}

/// The cells of one experiment: fits, those that converged, steps, their budget, slope, its largest
/// standard error.
fn climbed(fits: &[Climb]) -> Option<[Cell; 6]> {
    let slopes: Vec<f64> = fits.iter().filter_map(|fit| fit.slope_per_1000_steps).collect();
    let slopes = Summary::from_values(&slopes)?;
    let steps = Summary::from_values(&fits.iter().map(|fit| fit.steps).collect::<Vec<_>>())?;
    let converged = fits.iter().filter(|fit| fit.converged).count();
    let budget = fits.iter().map(|fit| fit.step_budget).fold(f64::NEG_INFINITY, f64::max);
    let error =
        fits.iter().filter_map(|fit| fit.slope_standard_error).fold(f64::NEG_INFINITY, f64::max);
    Some([
        Cell::count(fits.len()),
        Cell::count(converged),
        Cell::spread(Some(steps.mean), steps.sd),
        Cell::number(Some(budget), Form::Exact),
        Cell::spread(Some(slopes.mean), slopes.sd),
        Cell::spread(Some(error), None),
    ])
}

/// What else ran while times and memory were measured, because other work makes them larger: one
/// line on all finished trials of a benchmark that scores time or memory.
fn quiet(noted: &[Option<Beside>]) -> Table {
    let known = || noted.iter().flatten();
    let most = known().map(|beside| beside.trials).max();
    let load = known().filter_map(|beside| beside.load).reduce(f64::max);
    let head =
        ["#Trials", "#Beside others", "#Most others at a time", "#Highest load", "#Not noted"];
    let mut table = Table::new(About::Quiet, head);
    table.push([
        Cell::count(noted.len()),
        Cell::count(known().filter(|beside| beside.trials > 0).count()),
        Cell::number(most.map(|most| most as f64), Form::Exact),
        Cell::number(load, Form::Decimals(1)),
        Cell::count(noted.len() - known().count()),
    ]);
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_methods::side_tables::{FitNoise, ProcessNoise};

    #[test]
    fn shares_are_averaged_and_the_worst_pair_is_named() {
        let repetition = |shares: [f64; 2]| {
            let (level, next_level) = (vec![0.1, 0.5], vec![0.5, 0.9]);
            Crossings { level, next_level, share_of_rows: shares.to_vec() }
        };
        let found = Crossed::of(&[repetition([0.0, 0.25]), repetition([0.5, 0.75])]).unwrap();
        assert_eq!(found, Crossed { pairs: 2, mean: 0.375, most: 0.5, between: (0.5, 0.9) });
        assert_eq!(Crossed::of(&[]), None);
    }

    #[test]
    fn noise_is_averaged_and_bounds_are_counted() {
        let fit = |noise_variance, noise_at_bound| {
            FitNoise { noise_variance, noise_floor: None, noise_at_bound }.to_table()
        };
        let found = Noise::of(&[fit(1e-6, true), fit(3e-6, false), fit(2e-6, true)]).unwrap();
        assert_eq!((found.variance.n, found.at_bound), (3, Some(2)));
        assert!((found.variance.mean - 2e-6).abs() < 1e-18);
        let found = Noise::of(&[ProcessNoise { variance: 0.25 }.to_table()]).unwrap();
        assert_eq!((found.variance.mean, found.at_bound), (0.25, None));
        let other =
            SideTable { name: FitNoise::NAME.into(), columns: vec![("rows".into(), vec![3.0])] };
        assert_eq!(Noise::of(&[other]), None);
    }

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
        let found = climbed(&[one.clone(), two]).unwrap();
        assert_eq!(found[..2], [Cell::count(2), Cell::count(1)]);
        let Cell::Number(steps) = &found[2] else { panic!("the steps have no mean") };
        assert_eq!((steps.value, steps.form), (14_500.0, Form::Spread));
        assert!((steps.spread.unwrap() - 11_000.0 / 2.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!(
            [&found[3], &found[5]],
            [&Cell::count(20_000), &Cell::spread(Some(0.001), None)]
        );
        let short = Climb {
            bound_per_row: None,
            slope_per_1000_steps: None,
            slope_standard_error: None,
            ..one
        };
        assert_eq!(climbed(&[short]), None, "too few windows for a slope");
    }

    #[test]
    fn the_largest_numbers_are_reported_and_unknown_ones_are_counted() {
        let busy = Beside { trials: 3, load: None };
        let found = quiet(&[Some(Beside { trials: 0, load: Some(0.31) }), Some(busy), None]);
        let load = Cell::number(Some(0.31), Form::Decimals(1));
        assert_eq!(
            found.rows,
            [[Cell::count(3), Cell::count(1), Cell::count(3), load, Cell::count(1)]]
        );
        let counts = [Cell::count(1), Cell::count(0), Cell::empty(), Cell::empty(), Cell::count(1)];
        assert_eq!(quiet(&[None]).rows, [counts]);
    }
}

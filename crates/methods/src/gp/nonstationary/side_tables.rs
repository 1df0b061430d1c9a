//! Lay out a fit's side tables, in the units of the features and the target.

use ndarray::{Array2, ArrayView2};

use super::layout::{Function, MEAN};
use super::posterior::Posterior;
use super::training::{Descent, Training};
use crate::SideTable;
use crate::engine::scales::{Scale, Scales};
use crate::side_tables::{Converged, Feature, HyperFunctions};

/// Points of the curve over one input.
const POINTS: usize = 200;

/// [`HyperFunctions`] at the rows, and for one input at 200 points over their range;
/// `inducing-inputs`, `latent` (a row for each function that varies), `restarts`,
/// `dropped-restarts` (only if there are any), `convergence` and `diagonal` (the learned mean and
/// both jitters).
pub(super) fn side_tables(
    scales: &Scales,
    training: &Training,
    posterior: &Posterior,
) -> Vec<SideTable> {
    let model = &posterior.model;
    let table =
        |name: &str, columns: Vec<(String, Vec<f64>)>| SideTable { name: name.into(), columns };
    let inputs = |x: ArrayView2<f64>| -> Vec<(usize, Vec<f64>)> {
        let columns = scales.varying.iter().zip(x.columns());
        columns
            .map(|((column, scale), x)| (column + 1, x.mapv(|x| back(*scale, x)).to_vec()))
            .collect()
    };
    let functions = |x: ArrayView2<f64>| {
        let found = model.hyper_functions(x);
        let length_scales = scales.varying.iter().zip(found.length_scale.columns());
        let length_scales =
            length_scales.map(|((_, scale), values)| (scale.scale * &values).to_vec());
        let features = inputs(x).into_iter().zip(length_scales);
        HyperFunctions {
            features: features
                .map(|((number, x), length_scale)| Feature { number, x, length_scale })
                .collect(),
            signal: (scales.target.scale * &found.signal).to_vec(),
            noise: found.noise.mapv(|variance| scales.target.scale * variance.sqrt()).to_vec(),
        }
    };
    let mut all = vec![functions(posterior.inputs.view()).to_table(HyperFunctions::AT_ROWS)];
    if posterior.inputs.ncols() == 1 {
        let column = posterior.inputs.column(0);
        let low = column.iter().copied().fold(f64::INFINITY, f64::min);
        let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let grid = Array2::from_shape_fn((POINTS, 1), |(i, _)| {
            low + (high - low) * i as f64 / (POINTS - 1) as f64
        });
        all.push(functions(grid.view()).to_table(HyperFunctions::ON_GRID));
    }
    if model.layout.inputs.is_some() {
        let inputs = inputs(model.inducing.view()).into_iter();
        let columns = inputs.map(|(number, x)| (HyperFunctions::input(number), x)).collect();
        all.push(table("inducing-inputs", columns));
    }
    let mut latent = [const { Vec::new() }; 4];
    for (place, function) in model.layout.latent() {
        let Function::Latent { mean, kernel, .. } = function else { continue };
        let (length_scale, variance) = match kernel {
            Some((length_scale, variance)) => {
                (model.theta[length_scale].exp(), model.theta[variance].exp())
            }
            None => (model.parameters.latent_length_scale, model.parameters.latent_variance),
        };
        let row = [place as f64, model.theta[mean], length_scale, variance];
        latent.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    let headings = ["function", "mean", "length_scale", "variance"].map(String::from);
    if !latent[0].is_empty() {
        all.push(table("latent", headings.into_iter().zip(latent).collect()));
    }
    all.extend(descents(training, model.parameters.steps));
    all.push(table(
        "diagonal",
        vec![
            ("mean".into(), vec![back(scales.target, model.theta[MEAN])]),
            ("jitter".into(), vec![scales.target.scale.powi(2) * model.parameters.jitter]),
            ("extra_jitter".into(), vec![scales.target.scale.powi(2) * posterior.extra_jitter()]),
        ],
    ));
    all
}

/// The best point of each start (`restarts`), starts whose objective is not finite
/// (`dropped-restarts`), and one row on the point that is kept (`convergence`: a fit that has not
/// `converged` has 0 there; `starts_within_one_nat` counts it itself too).
fn descents(training: &Training, steps: usize) -> Vec<SideTable> {
    let ends = &training.descents;
    let one = |name: &str, value: f64| (name.to_owned(), vec![value]);
    let column =
        |name: &str, of: &dyn Fn(&Descent) -> f64| (name.to_owned(), ends.iter().map(of).collect());
    let flag = |holds: bool| f64::from(u8::from(holds));
    let mut restarts = vec![
        column("restart", &|end| end.restart as f64),
        column("start", &|end| end.first),
        column("objective", &|end| end.objective),
        column("step", &|end| end.step as f64),
        column("slope", &|end| end.slope),
        column("attempts", &|end| end.attempts as f64),
        column("learning_rate", &|end| end.learning_rate),
        column("converged", &|end| flag(end.converged)),
    ];
    restarts.push(("kept".into(), (0..ends.len()).map(|i| flag(i == training.best)).collect()));
    let mut all = vec![SideTable { name: "restarts".into(), columns: restarts }];
    if !training.dropped.is_empty() {
        let dropped = training.dropped.iter().map(|&restart| restart as f64).collect();
        all.push(SideTable {
            name: "dropped-restarts".into(),
            columns: vec![("restart".into(), dropped)],
        });
    }
    if let Some(best) = ends.get(training.best) {
        let near = ends.iter().filter(|end| end.objective <= best.objective + 1.0).count();
        let mut columns = Converged { converged: best.converged }.to_columns();
        columns.extend([
            one("step", best.step as f64),
            one("step_budget", steps as f64),
            one("attempts", best.attempts as f64),
            one("learning_rate", best.learning_rate),
            one("objective", best.objective),
            one("slope", best.slope),
            one("starts_within_one_nat", near as f64),
        ]);
        all.push(SideTable { name: Converged::NAME.into(), columns });
    }
    all
}

/// The number in the units of its column.
fn back(scale: Scale, value: f64) -> f64 {
    scale.shift + scale.scale * value
}

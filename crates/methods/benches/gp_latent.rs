//! Times of the latent variable model on 800 rows of four outputs, by number of frequencies: a fit,
//! a prediction of 200 rows, and the two inner loops (a pass over the rows, and closed-form
//! weights). The smallest of several.
//!
//! `cargo bench --bench gp_latent`

use std::hint::black_box;
use std::time::{Duration, Instant};

use ndarray::{Array2, Axis};
use uq_core::math::random::Streams;
use uq_math::normal_draws::fill_standard_normal;
use uq_methods::Context;
use uq_methods::gp::RffGplvmParameters;
use uq_methods::gp::latent::LatentModel;
use uq_methods::gp::latent::nodes::{Scores, pass};
use uq_methods::gp::latent::weights::{Moments, Posterior, Ratios, Totals, Workspace, condition};

const ROWS: usize = 800;
const OUTPUTS: usize = 4;
const TURNS: usize = 5;

/// Linear, squared, periodic and step outputs of two latent inputs, standardised.
fn outputs(rows: usize) -> Array2<f64> {
    let mut draws = vec![0.0; rows * (2 + OUTPUTS)];
    fill_standard_normal(&mut draws, &mut Streams::new(1, "bench").stream("rows", 0));
    let mut all = Array2::zeros((rows, OUTPUTS));
    for (mut y, z) in all.rows_mut().into_iter().zip(draws.chunks(2 + OUTPUTS)) {
        let truth =
            [z[0], (z[0] - z[1]).powi(2), (z[0] + z[1]).sin(), (z[1] - 0.5 * z[0]).signum()];
        y.iter_mut().zip(truth).zip(&z[2..]).for_each(|((y, f), e)| *y = f + e);
    }
    let (mean, sd) = (all.sum_axis(Axis(0)) / rows as f64, all.std_axis(Axis(0), 0.0));
    (all - mean) / sd
}

fn fastest(mut work: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..TURNS).map(time).min().unwrap_or(Duration::MAX)
}

fn main() {
    let (train, test) = (outputs(ROWS), outputs(200));
    let context = Context::new(Streams::new(1, "bench"));
    println!("   J rank turns   fit s predict s   pass ms  ns a weight   weights ms  GFLOP/s");
    for frequencies in [10, 25, 50, 100, 200, 500] {
        let parameters = RffGplvmParameters { frequencies, ..RffGplvmParameters::default() };
        let Ok(model) = LatentModel::fit(train.view(), &parameters, &context) else { continue };
        let fit = fastest(|| {
            black_box(LatentModel::fit(black_box(train.view()), &parameters, &context).is_ok());
        });
        let answer = fastest(|| {
            black_box(model.uncertainty(test.view(), 0, parameters.test_samples, &context).is_ok());
        });
        let nodes = model.grid.len();
        let rows: Vec<f64> = train.iter().copied().collect();
        let mut scores = Scores::default();
        scores.of(&model.grid.log_prior, &model.climb.posterior);
        let (mut moments, mut row) = (Moments::default(), Vec::new());
        let one_pass = fastest(|| {
            black_box(pass(&scores, (&rows, &rows), (ROWS, OUTPUTS), &mut moments, &mut row));
        });
        let squares = [ROWS as f64; OUTPUTS];
        let totals = Totals { rows: ROWS, squares: &squares, floor: 1e-6 };
        let (mut workspace, mut posterior) = (Workspace::default(), Posterior::default());
        let ratios = Ratios::Given(&model.climb.posterior.ratio);
        let basis = &model.climb.basis;
        let weights = fastest(|| {
            black_box(
                condition(basis, &moments, totals, ratios, &mut workspace, &mut posterior).is_ok(),
            );
        });
        // Two products of r × G by G × r, two of D × r by r × G, and about 9 r³ for the
        // eigenvectors.
        let r = basis.rank as f64;
        let flops =
            4.0 * r * r * nodes as f64 + 4.0 * OUTPUTS as f64 * r * nodes as f64 + 9.0 * r.powi(3);
        let [pass_s, weights_s] = [one_pass, weights].map(|time| time.as_secs_f64());
        println!(
            "{frequencies:4} {r:4} {:5} {:7.3} {:9.3} {:9.3} {:12.2} {:12.3} {:8.1}",
            model.climb.trace.len(),
            fit.as_secs_f64(),
            answer.as_secs_f64(),
            1e3 * pass_s,
            1e9 * pass_s / (ROWS * nodes) as f64,
            1e3 * weights_s,
            1e-9 * flops / weights_s
        );
    }
}

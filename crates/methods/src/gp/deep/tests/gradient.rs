//! Gradients against finite differences with the same draws.

use super::super::layer::MeanFunction;
use super::*;

#[test]
fn the_gradient_agrees_with_differences_through_three_layers() {
    // A projection in the first layer, the identity in the second; more points than a block has
    // columns.
    let problem = Problem::new(23, 4, 40);
    let (network, theta) = problem.network(3, 3);
    assert!(
        matches!(network.layers[0].mean, MeanFunction::Linear(_))
            && network.layers[0].blocks.len() > 1
    );
    let layers = network.layers.iter();
    let kernels = layers.flat_map(|layer| layer.ln_scales().chain([layer.ln_variance()]));
    let places: Vec<usize> = kernels
        .chain([network.noise()])
        .chain(parameters(&network).into_iter().step_by(7))
        .collect();
    let rows: Vec<usize> = (0..23).collect();
    let (_, gradient) = problem.loss(&network, &theta, &rows, 1.5, 9);
    let mut worst = 0.0_f64;
    for place in places {
        let at = |step: f64| {
            let mut moved = theta.clone();
            moved[place] += step;
            problem.loss(&network, &moved, &rows, 1.5, 9).0
        };
        // The fourth-order difference.
        let h = 2e-4;
        let slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
        worst = worst.max((slope - gradient[place]).abs() / (1.0 + slope.abs()));
    }
    assert!(worst < 1e-5, "{worst:e}");
}

#[test]
fn single_precision_moves_loss_and_gradient_by_its_rounding() {
    let problem = Problem::new(60, 4, 40);
    let (network, theta) = problem.network(3, 4);
    let rows: Vec<usize> = (0..60).collect();
    let (double, exact) = problem.loss_by_chunks(&network, &theta, (&rows, 1.5), 25, 9);
    let (single, rounded) =
        problem.loss_in(network.work::<f32>(25), &network, &theta, (&rows, 1.5), 9);
    assert!(
        (single - double).abs() < 1e-6 * double.abs() && single != double,
        "{single} against {double}"
    );
    let norm = |numbers: &mut dyn Iterator<Item = f64>| numbers.map(|x| x * x).sum::<f64>().sqrt();
    let moved = norm(&mut rounded.iter().zip(&exact).map(|(a, b)| a - b));
    assert!(moved < 1e-5 * norm(&mut exact.iter().copied()), "{moved:e}");
}

#[test]
fn entries_above_a_diagonal_are_never_changed() {
    let problem = Problem::new(30, 2, 25);
    let (network, theta) = problem.network(2, 5);
    let (_, gradient) = problem.loss(&network, &theta, &(0..30).collect::<Vec<_>>(), 1.0, 1);
    let known = parameters(&network);
    let above: Vec<usize> = (0..network.end()).filter(|place| !known.contains(place)).collect();
    assert!(!above.is_empty());
    assert!(above.iter().all(|place| gradient[*place] == 0.0 && theta[*place] == 0.0));
}

#[test]
fn a_shared_length_scale_has_the_sum_of_the_derivatives() {
    let problem = Problem::new(15, 3, 10);
    let (mut network, mut theta) = problem.network(2, 3);
    network.ard = false;
    for layer in &network.layers {
        theta[layer.ln_scales()].fill(0.3);
    }
    let rows: Vec<usize> = (0..15).collect();
    let (_, mut gradient) = problem.loss(&network, &theta, &rows, 1.0, 9);
    network.tie(&mut gradient);
    for layer in &network.layers {
        let at = |step: f64| {
            let mut moved = theta.clone();
            moved[layer.ln_scales()].iter_mut().for_each(|ln_scale| *ln_scale += step);
            problem.loss(&network, &moved, &rows, 1.0, 9).0
        };
        let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
        for place in layer.ln_scales() {
            assert!(
                (slope - gradient[place]).abs() < 1e-5 * (1.0 + slope.abs()),
                "{slope} {}",
                gradient[place]
            );
        }
    }
}

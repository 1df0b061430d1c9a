//! Check with a counting allocator that training allocates nothing after its first step.

use allocation_counter::measure;
use ndarray::Array2;
use rand::RngExt;
use serde_json::json;
use uq_core::Table;
use uq_core::math::random::Streams;
use uq_math::autodiff::{Activation, Tape};
use uq_methods::nets::{Adam, AdamSettings, Mlp, Start};
use uq_methods::{Context, registry};

fn rows(count: usize) -> (Array2<f64>, Array2<f64>) {
    let mut rng = Streams::new(1, "allocation").stream("rows", 0);
    let x = Array2::from_shape_simple_fn((count, 3), || rng.random_range(-1.7..1.7));
    let y = Array2::from_shape_fn((count, 1), |(i, _)| {
        f64::sin(2.0 * x[(i, 0)]) + rng.random_range(-0.5..0.5)
    });
    (x, y)
}

#[test]
fn a_repeated_step_on_the_tape_allocates_nothing() {
    let (x, y) = rows(256);
    let order: Vec<usize> = (0..256).collect();
    let net = Mlp::new(&[3, 20, 2], Activation::Relu);
    let mut parameters = vec![0.0; net.end()];
    net.draw_start(
        Start::He,
        &mut parameters,
        &mut Streams::new(1, "allocation").stream("weights", 0),
    );
    let mut gradient = vec![0.0; parameters.len()];
    let mut adam = Adam::new(AdamSettings::default(), parameters.len());
    let mut tape = Tape::new();
    let mut epoch = || {
        for rows in order.chunks(64) {
            tape.reset();
            let (input, target) =
                (tape.constant_rows(x.view(), rows), tape.constant_rows(y.view(), rows));
            let outputs = net.forward(&mut tape, &parameters, input);
            let (mean, raw) = (tape.columns(outputs, 0, 1), tape.columns(outputs, 1, 1));
            let loss = tape.gaussian_nll_softplus(mean, raw, 1e-6, target);
            let loss = tape.mean(loss);
            tape.backward(loss, &mut gradient);
            adam.step(&mut parameters, &gradient, 1.0);
        }
    };
    let cold = measure(&mut epoch);
    let warm = measure(|| (0..10).for_each(|_| epoch()));
    assert!(cold.count_total > 0, "the counter counts");
    assert_eq!((warm.count_total, warm.bytes_total), (0, 0));
}

#[test]
fn epochs_of_a_fit_allocate_only_room_for_their_trace() {
    let (x, y) = rows(300);
    let table = Table::unnamed(x, y.column(0).to_owned());
    let allocations = |id: &str, epochs: usize| {
        let parameters = json!({ "hidden": 8, "training": { "epochs": epochs, "patience": epochs, "batch": 64 } });
        let method = registry::build(id, &parameters).unwrap();
        let fit = || {
            drop(
                method
                    .fit(&table, &Context::new(Streams::new(1, "allocation")))
                    .map_err(|e| panic!("{e}")),
            )
        };
        // The first fit also pays for allocations that a thread keeps.
        fit();
        measure(fit).count_total
    };
    for id in ["mean-variance-network", "bnn-vi"] {
        // Traces of the losses grow by doubling: once each from 20 to 40 epochs. One allocation an
        // epoch would be 20 more.
        let (fewer, more) = (allocations(id, 20), allocations(id, 40));
        assert!(more - fewer <= 4, "{id}: {fewer} allocations in 20 epochs, {more} in 40");
    }
}

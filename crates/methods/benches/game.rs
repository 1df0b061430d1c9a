//! Times of solving one zero-sum game.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run should stop")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ndarray::Array2;
use rand::RngExt;
use uq_core::math::random::Streams;
use uq_methods::trees::game::GameSolver;

fn games(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("game");
    for (m, n) in [(10, 100), (20, 100)] {
        let random = |i: u64| {
            let mut rng = Streams::new(1, "bench").stream("game", i);
            Array2::from_shape_simple_fn((m, n), || rng.random::<f64>())
        };
        let random: Vec<Array2<f64>> = (0..50).map(random).collect();
        let tied: Vec<Array2<f64>> =
            random.iter().map(|game| game.mapv(|loss| (loss * 10.0).round() / 10.0)).collect();
        for (name, games) in [("random", random), ("ties", tied)] {
            let mut solver = GameSolver::default();
            let mut next = games.iter().cycle();
            group.bench_function(format!("{m} x {n} {name}"), |b| {
                b.iter(|| {
                    let game = next.next().expect("the cycle is endless");
                    black_box(solver.solve(game.view()).expect("the game is solvable").value)
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, games);
criterion_main!(benches);

use super::*;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, ZeroConeT,
};
use ndarray::{Array2, Axis, array, concatenate};
use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, proptest};
use rand::{RngExt, SeedableRng};

use uq_core::math::random::Rng;

fn random_game(m: usize, n: usize, seed: u64) -> Array2<f64> {
    let mut rng = Rng::seed_from_u64(seed);
    Array2::from_shape_simple_fn((m, n), || rng.random::<f64>())
}

/// Asserts that the strategies are probabilities and that neither player gains by leaving them.
fn assert_saddle(losses: &Array2<f64>, e: &Equilibrium) {
    let spread = losses.iter().copied().fold(f64::MIN, f64::max)
        - losses.iter().copied().fold(f64::MAX, f64::min);
    let tolerance = 1e-9 * spread + 1e-15 * e.value.abs();
    for strategy in [&e.row_strategy, &e.column_strategy] {
        assert!(strategy.iter().all(|&w| (0.0..=1.0 + 1e-15).contains(&w)), "{strategy:?}");
        assert!((strategy.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    for column in losses.columns() {
        let loss: f64 = column.iter().zip(&e.row_strategy).map(|(l, p)| l * p).sum();
        assert!(loss <= e.value + tolerance, "Player II gains {}", loss - e.value);
    }
    for row in losses.rows() {
        let loss: f64 = row.iter().zip(&e.column_strategy).map(|(l, q)| l * q).sum();
        assert!(loss >= e.value - tolerance, "Player I gains {}", e.value - loss);
    }
    assert!(e.gap.abs() <= tolerance, "gap {}", e.gap);
}

fn close(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12)
}

#[test]
fn known_games() {
    let third = 1.0 / 3.0;
    let scissors = array![[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]];
    let e = solve(scissors.view()).unwrap();
    assert!(
        close(&e.row_strategy, &[third; 3])
            && close(&e.column_strategy, &[third; 3])
            && e.value.abs() < 1e-15
    );
    let e = solve(array![[1.0, -1.0], [-1.0, 1.0]].view()).unwrap();
    assert!(
        close(&e.row_strategy, &[0.5; 2])
            && close(&e.column_strategy, &[0.5; 2])
            && e.value.abs() < 1e-15
    );
    // A saddle point in pure strategies: the second row's worst loss is the least.
    let e = solve(array![[3.0, 9.0], [4.0, 5.0]].view()).unwrap();
    assert_eq!((e.row_strategy, e.column_strategy, e.value), (vec![0.0, 1.0], vec![0.0, 1.0], 5.0));
}

#[test]
fn a_game_of_one_row_or_one_column_has_its_best_pure_strategy() {
    let e = solve(array![[2.0, 7.0, 3.0]].view()).unwrap();
    assert_eq!(
        (e.row_strategy, e.column_strategy, e.value, e.gap),
        (vec![1.0], vec![0.0, 1.0, 0.0], 7.0, 0.0)
    );
    let e = solve(array![[2.0], [7.0], [3.0]].view()).unwrap();
    assert_eq!(
        (e.row_strategy, e.column_strategy, e.value, e.gap),
        (vec![1.0, 0.0, 0.0], vec![1.0], 2.0, 0.0)
    );
}

#[test]
fn tied_rows_leave_the_weight_to_the_first() {
    let e = solve(Array2::from_elem((4, 6), 0.3).view()).unwrap();
    assert_eq!((e.row_strategy, e.value, e.gap), (vec![1.0, 0.0, 0.0, 0.0], 0.3, 0.0));
    for seed in 0..50 {
        let game = random_game(6, 20, seed);
        let alone = solve(game.view()).unwrap();
        let doubled = concatenate![Axis(0), game, game];
        let e = solve(doubled.view()).unwrap();
        assert_saddle(&doubled, &e);
        assert!(
            close(&e.row_strategy[..6], &alone.row_strategy),
            "seed {seed}: {:?}",
            e.row_strategy
        );
        assert!(
            e.row_strategy[6..].iter().all(|&p| p.abs() < 1e-12),
            "seed {seed}: {:?}",
            e.row_strategy
        );
    }
}

#[test]
fn a_tiny_spread_on_a_large_offset_is_solved_in_its_own_units() {
    for seed in 0..50 {
        let game = random_game(10, 100, seed).mapv(|u| 0.7 + 1e-9 * u);
        let e = solve(game.view()).unwrap();
        assert!(e.gap <= 1e-18, "gap {}", e.gap);
        assert_saddle(&game, &e);
    }
}

/// Losses of trees on their own training rows: many exact zeros, others down to a billionth of the
/// largest. Doubles take rounding for a pivot in about one of a hundred such games.
#[test]
fn losses_over_nine_decades_are_solved() {
    let mut rng = Rng::seed_from_u64(5);
    for _ in 0..2_000 {
        let game = Array2::from_shape_simple_fn((20, 7), || {
            if rng.random::<f64>() < 0.4 {
                0.0
            } else {
                14.0 * 10_f64.powf(-9.0 * rng.random::<f64>())
            }
        });
        assert_saddle(&game, &solve(game.view()).unwrap());
    }
}

#[test]
fn a_reused_solver_gives_the_solution_of_a_new_one() {
    let mut solver = GameSolver::default();
    for (m, n) in [(10, 100), (3, 4), (1, 1), (20, 7)] {
        let game = random_game(m, n, 11);
        assert_eq!(*solver.solve(game.view()).unwrap(), solve(game.view()).unwrap());
    }
}

#[test]
fn an_interior_point_method_finds_the_same_value() {
    for (seed, tied) in (0..6).flat_map(|seed| [(seed, false), (seed, true)]) {
        let mut game = random_game(10, 100, seed);
        if tied {
            game.mapv_inplace(|loss| (loss * 10.0).round() / 10.0);
        }
        let value = interior_point_value(&game);
        let own = solve(game.view()).unwrap();
        assert!((own.value - value).abs() < 1e-7, "own value {}, clarabel's {value}", own.value);
    }
}

/// min v over (p, v) subject to Σp = 1, p ≥ 0 and Lᵀp − v ≤ 0, by clarabel.
fn interior_point_value(game: &Array2<f64>) -> f64 {
    let (m, n) = game.dim();
    let mut dense = Array2::zeros((1 + m + n, m + 1));
    for i in 0..m {
        dense[(0, i)] = 1.0;
        dense[(1 + i, i)] = -1.0;
        for j in 0..n {
            dense[(1 + m + j, i)] = game[(i, j)];
            dense[(1 + m + j, m)] = -1.0;
        }
    }
    let rows: Vec<Vec<f64>> = dense.rows().into_iter().map(|row| row.to_vec()).collect();
    let constraints = CscMatrix::from(&rows);
    let mut bounds = vec![0.0; 1 + m + n];
    bounds[0] = 1.0;
    let mut cost = vec![0.0; m + 1];
    cost[m] = 1.0;
    let settings = DefaultSettingsBuilder::default().verbose(false).build().unwrap();
    let cones = [ZeroConeT(1), NonnegativeConeT(m + n)];
    let curvature = CscMatrix::zeros((m + 1, m + 1));
    let mut solver =
        DefaultSolver::new(&curvature, &cost, &constraints, &bounds, &cones, settings).unwrap();
    solver.solve();
    solver.solution.obj_val
}

#[test]
fn faults_are_named() {
    assert_eq!(solve(Array2::zeros((0, 3)).view()), Err(GameError::Empty { rows: 0, columns: 3 }));
    let message = solve(array![[1.0, 2.0], [3.0, f64::NAN]].view()).unwrap_err().to_string();
    assert_eq!(
        message,
        "the loss in row 1, column 1 (both from 0) is NaN, expected a finite number"
    );
    let wide = solve(array![[f64::MIN, f64::MAX]].view()).unwrap_err();
    assert_eq!(wide, GameError::TooWide { low: f64::MIN, high: f64::MAX });
}

proptest! {
    #[test]
    fn strategies_are_a_saddle_point(
        m in 1_usize..25,
        n in 1_usize..60,
        seed: u64,
        decimals in 0_u32..5,
    ) {
        // Few decimals make ties, four of them hardly any.
        let scale = 10_f64.powi(decimals as i32);
        let game = random_game(m, n, seed).mapv(|loss| (loss * scale).round() / scale);
        assert_saddle(&game, &solve(game.view()).unwrap());
    }

    #[test]
    fn a_two_by_two_game_has_its_closed_form(entries in prop::array::uniform4(-50_i32..50)) {
        let [a, b, c, d] = entries.map(f64::from);
        let e = solve(array![[a, b], [c, d]].view()).unwrap();
        let (upper, lower) = (a.max(b).min(c.max(d)), a.min(c).max(b.min(d)));
        if upper == lower {
            prop_assert!((e.value - upper).abs() < 1e-11);
        } else {
            let determinant = a + d - b - c;
            prop_assert!((e.value - (a * d - b * c) / determinant).abs() < 1e-11);
            prop_assert!((e.row_strategy[0] - (d - c) / determinant).abs() < 1e-11);
            prop_assert!((e.column_strategy[0] - (d - b) / determinant).abs() < 1e-11);
        }
    }

    #[test]
    fn a_dominated_row_gets_no_weight(seed: u64, row in 0_usize..6, margin in 0.001..1.0) {
        let mut game = random_game(6, 15, seed);
        let worse = game.row((row + 1) % 6).mapv(|loss| loss + margin);
        game.row_mut(row).assign(&worse);
        prop_assert_eq!(solve(game.view()).unwrap().row_strategy[row], 0.0);
    }

    #[test]
    fn shift_scale_and_order_of_columns_do_not_matter(
        entries in prop::collection::vec(-8_i32..8, 40),
        shift in -64_i32..64,
        power in -9_i32..9,
        turn in 0_usize..8,
    ) {
        // Whole numbers and powers of two: the games are the same to the last bit, ties included.
        let game = Array2::from_shape_vec((5, 8), entries).unwrap().mapv(f64::from);
        let e = solve(game.view()).unwrap();
        let moved = solve(game.mapv(|loss| (loss + f64::from(shift)) * 2.0_f64.powi(power)).view())
            .unwrap();
        prop_assert!(close(&moved.row_strategy, &e.row_strategy));
        prop_assert!(
            (moved.value / 2.0_f64.powi(power) - f64::from(shift) - e.value).abs() < 1e-11
        );
        let order: Vec<usize> = (0..16).map(|j| (3 * j + turn) % 8).collect();
        let turned = solve(game.select(Axis(1), &order).view()).unwrap();
        prop_assert!(
            close(&turned.row_strategy, &e.row_strategy),
            "{:?} {:?}",
            turned.row_strategy,
            e.row_strategy
        );
    }

    #[test]
    fn p_is_lexicographically_smallest_from_the_last_row(
        entries in prop::collection::vec(0_i32..4, 12),
        extra in any::<bool>(),
    ) {
        // Copies of rows at the end do not change the choice before them: any weight that they took
        // could move to the first.
        let game = Array2::from_shape_vec((4, 3), entries).unwrap().mapv(f64::from);
        let e = solve(game.view()).unwrap();
        let appended = if extra { game.clone() } else { game.select(Axis(0), &[0, 1]) };
        let e2 = solve(concatenate![Axis(0), game, appended].view()).unwrap();
        prop_assert!(
            close(&e2.row_strategy[..4], &e.row_strategy),
            "{:?} {:?}",
            e2.row_strategy,
            e.row_strategy
        );
    }
}

//! Compute test functions of the literature at points of the unit cube, with the sign that makes
//! them problems of maximisation.
//!
//! Reference: S. Surjanovic, D. Bingham: *Virtual Library of Simulation Experiments*,
//! <https://www.sfu.ca/~ssurjano>.

use std::f64::consts::{E, PI};

use super::between;

/// Largest value of Styblinski and Tang's function for each input.
pub const STYBTANG_BEST: f64 = 39.166_165_703_771_42;

/// Where it is, as a coordinate of the unit cube: x = −2.903534.
pub const STYBTANG_AT: f64 = (5.0 - 2.903_534_027_771_177) / 10.0;

/// Ackley's function on [−5, 5]^d.
pub fn ackley(z: &[f64]) -> f64 {
    let d = z.len() as f64;
    let x = || z.iter().map(|z| between(-5.0, 5.0, *z));
    let squares = x().map(|x| x * x).sum::<f64>() / d;
    let waves = x().map(|x| (2.0 * PI * x).cos()).sum::<f64>() / d;
    20.0 * (-0.2 * squares.sqrt()).exp() + waves.exp() - 20.0 - E
}

/// Styblinski and Tang's function on [−5, 5]^d.
pub fn styblinski_tang(z: &[f64]) -> f64 {
    let term = |z: &f64| {
        let x = between(-5.0, 5.0, *z);
        x.powi(4) - 16.0 * x * x + 5.0 * x
    };
    -0.5 * z.iter().map(term).sum::<f64>()
}

/// Branin's function on [−5, 10] × [0, 15].
pub fn branin(z: &[f64]) -> f64 {
    let (x, y) = (between(-5.0, 10.0, z[0]), between(0.0, 15.0, z[1]));
    let bow = y - 5.1 / (4.0 * PI * PI) * x * x + 5.0 / PI * x - 6.0;
    -(bow * bow + 10.0 * (1.0 - 1.0 / (8.0 * PI)) * x.cos() + 10.0)
}

/// Hartmann's function on [0, 1]^6.
pub fn hartmann_6(z: &[f64]) -> f64 {
    const ALPHA: [f64; 4] = [1.0, 1.2, 3.0, 3.2];
    const A: [[f64; 6]; 4] = [
        [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
        [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
        [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
        [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
    ];
    const P: [[f64; 6]; 4] = [
        [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
        [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
        [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650],
        [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
    ];
    let bump = |(a, p): (&[f64; 6], &[f64; 6])| {
        let square = a.iter().zip(p).zip(z).map(|((a, p), z)| a * (z - p).powi(2)).sum::<f64>();
        (-square).exp()
    };
    ALPHA.iter().zip(A.iter().zip(&P)).map(|(alpha, row)| alpha * bump(row)).sum()
}

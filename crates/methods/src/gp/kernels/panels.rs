//! Walk over all pairs of points, a lane of them at a time: the inner loops of a stationary kernel
//! and of its derivatives.
//!
//! The second points are turned into panels of [`LANES`], so that squared distances of one point to
//! a whole lane stay in the processor's registers until the kernel's value is made of them. They
//! are summed from differences, never from |a|² + |b|² − 2 aᵀb, which would leave 1e-16 |a|²
//! between equal rows: a distance of 1e-8 instead of 0, which changes a rough kernel.

use faer::traits::pulp::{Arch, Simd, WithSimd};

use super::profile::Profile;

/// Points that are worked on at once.
pub(super) const LANES: usize = 32;

/// One number of each of [`LANES`] points.
pub(super) type Lane = [f64; LANES];

/// Beyond this squared distance correlations are zero; an infinite one would meet a zero in a
/// product.
const FARTHEST: f64 = 1e300;

/// Points against points, both divided by the length scales.
#[derive(Clone, Copy)]
pub(super) struct Pairs<'a> {
    /// First points, row by row.
    pub scaled: &'a [f64],
    /// Number of first points.
    pub rows: usize,
    /// Second points, d lanes for each panel.
    pub panels: &'a [Lane],
    /// Number of second points.
    pub columns: usize,
    /// Number of features, d.
    pub inputs: usize,
    /// Whether the points are the same ones and only pairs i ≤ j matter.
    pub upper: bool,
}

/// What the derivatives are made of: sums of w = ∂L/∂k · k over pairs.
#[derive(Default)]
pub(super) struct Sums {
    /// Σ w.
    pub total: f64,
    /// Σ w ∂ln k/∂ln α.
    pub by_alpha: f64,
}

/// Turns points into panels; missing ones at the end are zero.
pub(super) fn turn(
    values: &[f64],
    rows: usize,
    inverse_scales: impl Fn(usize) -> f64,
    columns: usize,
    to: &mut Vec<Lane>,
) {
    to.clear();
    to.resize(rows.div_ceil(LANES) * columns, [0.0; LANES]);
    for f in 0..columns {
        let inverse = inverse_scales(f);
        for j in 0..rows {
            to[j / LANES * columns + f][j % LANES] = values[j * columns + f] * inverse;
        }
    }
}

/// Squared distances of one point to a panel.
#[inline(always)]
fn squared_distances(x: &[f64], panel: &[Lane]) -> Lane {
    let mut s = [0.0; LANES];
    for (x, lane) in x.iter().zip(panel) {
        for l in 0..LANES {
            let difference = x - lane[l];
            s[l] += difference * difference;
        }
    }
    // NaN stays.
    s.map(|s| if s > FARTHEST { FARTHEST } else { s })
}

/// Fills rows × columns numbers with variance · correlation.
pub(super) fn fill<P: Profile>(profile: P, pairs: Pairs, variance: f64, to: &mut [f64]) {
    Arch::new().dispatch(Fill { profile, pairs, variance, to });
}

struct Fill<'a, P> {
    profile: P,
    pairs: Pairs<'a>,
    variance: f64,
    to: &'a mut [f64],
}

impl<P: Profile> WithSimd for Fill<'_, P> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self {
            profile,
            pairs: Pairs { scaled, rows, panels, columns, inputs, upper },
            variance,
            to,
        } = self;
        for i in 0..rows {
            let x = &scaled[i * inputs..][..inputs];
            let row = &mut to[i * columns..][..columns];
            let first = if upper { i / LANES } else { 0 };
            for p in first..columns.div_ceil(LANES) {
                let mut k = squared_distances(x, &panels[p * inputs..][..inputs]);
                for k in &mut k {
                    *k = variance * profile.correlation(*k);
                }
                let count = (columns - p * LANES).min(LANES);
                row[p * LANES..][..count].copy_from_slice(&k[..count]);
            }
        }
    }
}

/// Adds to `squares` (d lanes) Σ w (∂ln k/∂s) (x − x')² by feature, and to `moves` (as many lanes
/// as the panels; left alone where empty) Σ w (∂ln k/∂s)(x − x') by feature and second point. With
/// `upper` each pair i < j counts twice.
pub(super) fn pull<P: Profile>(
    profile: P,
    pairs: Pairs,
    k: &[f64],
    dk: &[f64],
    squares: &mut [Lane],
    moves: &mut [Lane],
) -> Sums {
    if moves.is_empty() {
        Arch::new().dispatch(Pull::<P, false> { profile, pairs, k, dk, squares, moves })
    } else {
        Arch::new().dispatch(Pull::<P, true> { profile, pairs, k, dk, squares, moves })
    }
}

struct Pull<'a, P, const MOVES: bool> {
    profile: P,
    pairs: Pairs<'a>,
    k: &'a [f64],
    dk: &'a [f64],
    squares: &'a mut [Lane],
    moves: &'a mut [Lane],
}

impl<P: Profile, const MOVES: bool> WithSimd for Pull<'_, P, MOVES> {
    type Output = Sums;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Sums {
        let Self {
            profile,
            pairs: Pairs { scaled, rows, panels, columns, inputs, upper },
            k,
            dk,
            squares,
            moves,
        } = self;
        let (mut total, mut by_alpha) = ([0.0; LANES], [0.0; LANES]);
        for p in 0..columns.div_ceil(LANES) {
            let at = p * LANES;
            let count = (columns - at).min(LANES);
            let panel = &panels[p * inputs..][..inputs];
            let rows = if upper { rows.min(at + count) } else { rows };
            for i in 0..rows {
                let x = &scaled[i * inputs..][..inputs];
                let mut w =
                    products(&k[i * columns + at..][..count], &dk[i * columns + at..][..count]);
                if upper {
                    for (l, w) in w.iter_mut().enumerate() {
                        *w *= if at + l > i { 2.0 } else { f64::from(u8::from(at + l == i)) };
                    }
                }
                let s = squared_distances(x, panel);
                for l in 0..LANES {
                    total[l] += w[l];
                    by_alpha[l] += w[l] * profile.by_alpha(s[l]);
                    w[l] *= profile.slope(s[l]);
                }
                for (f, (x, lane)) in x.iter().zip(panel).enumerate() {
                    for l in 0..LANES {
                        let difference = x - lane[l];
                        let moved = w[l] * difference;
                        squares[f][l] += moved * difference;
                        if MOVES {
                            moves[p * inputs + f][l] += moved;
                        }
                    }
                }
            }
        }
        Sums { total: total.iter().sum(), by_alpha: by_alpha.iter().sum() }
    }
}

/// k · dk; zero where the lane goes beyond the last column.
#[inline(always)]
fn products(k: &[f64], dk: &[f64]) -> Lane {
    let mut w = [0.0; LANES];
    if let (Some(k), Some(dk)) = (k.as_array::<LANES>(), dk.as_array::<LANES>()) {
        for l in 0..LANES {
            w[l] = k[l] * dk[l];
        }
    } else {
        for (w, (k, dk)) in w.iter_mut().zip(k.iter().zip(dk)) {
            *w = k * dk;
        }
    }
    w
}

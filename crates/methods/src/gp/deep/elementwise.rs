//! Run the loops between the matrix products on the processor's vectors: correlations, sums of
//! squares, scaled rows.
//!
//! Matrices are row-major with one column for each row of the batch, so that every loop runs along
//! the batch.

use faer::traits::pulp::{Arch, Simd, WithSimd};

use uq_core::math::vectorised::exp;
use uq_math::matrix_product::Real;

/// Columns whose squared distances are kept in registers.
const LANES: usize = 32;

/// Fills `out` (M × B) with exp(−½ Σ_k (z_mk − h_kb)²), for `points` z (M × d, scaled) and `inputs`
/// h (d × B, scaled).
pub(super) fn correlate(points: &[f64], inputs: &[f64], columns: usize, out: &mut [f64]) {
    Arch::new().dispatch(Correlate { points, inputs, columns, out });
}

struct Correlate<'a> {
    points: &'a [f64],
    inputs: &'a [f64],
    columns: usize,
    out: &'a mut [f64],
}

impl WithSimd for Correlate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { points, inputs, columns, out } = self;
        let dimensions = inputs.len() / columns;
        for (point, row) in points.chunks_exact(dimensions).zip(out.chunks_exact_mut(columns)) {
            let mut first = 0;
            let mut tiles = row.chunks_exact_mut(LANES);
            for tile in tiles.by_ref() {
                correlate_tile(point, inputs, columns, first, tile, LANES);
                first += LANES;
            }
            let rest = tiles.into_remainder();
            let width = rest.len();
            correlate_tile(point, inputs, columns, first, rest, width);
        }
    }
}

#[inline(always)]
fn correlate_tile(
    point: &[f64],
    inputs: &[f64],
    columns: usize,
    first: usize,
    tile: &mut [f64],
    width: usize,
) {
    let mut squares = [0.0; LANES];
    for (z, row) in point.iter().zip(inputs.chunks_exact(columns)) {
        for (square, h) in squares[..width].iter_mut().zip(&row[first..first + width]) {
            let step = z - h;
            *square += step * step;
        }
    }
    for (to, square) in tile[..width].iter_mut().zip(&squares) {
        *to = exp(-0.5 * square);
    }
}

/// Copies numbers of one precision to those of another.
pub(super) fn convert<S: Real, T: Real>(from: &[S], to: &mut [T]) {
    Arch::new().dispatch(Convert { from, to });
}

struct Convert<'a, S, T> {
    from: &'a [S],
    to: &'a mut [T],
}

impl<S: Real, T: Real> WithSimd for Convert<'_, S, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<V: Simd>(self, _: V) {
        for (to, from) in self.to.iter_mut().zip(self.from) {
            *to = T::from_f64(from.to_f64());
        }
    }
}

/// Adds `factor` times the column sums of squares of `matrix` (any number of rows × B) to `sums`
/// (B).
pub(super) fn add_squares<T: Real>(matrix: &[T], factor: f64, sums: &mut [f64]) {
    Arch::new().dispatch(AddSquares { matrix, factor, sums });
}

struct AddSquares<'a, T> {
    matrix: &'a [T],
    factor: f64,
    sums: &'a mut [f64],
}

impl<T: Real> WithSimd for AddSquares<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let columns = self.sums.len();
        for row in self.matrix.chunks_exact(columns) {
            for (sum, x) in self.sums.iter_mut().zip(row) {
                let x = x.to_f64();
                *sum += self.factor * (x * x);
            }
        }
    }
}

/// Multiplies every row of `matrix` (any number of rows × B) by `factors` (B), element by element.
pub(super) fn scale_rows<T: Real>(matrix: &mut [T], factors: &[T]) {
    Arch::new().dispatch(ScaleRows { matrix, factors });
}

struct ScaleRows<'a, T> {
    matrix: &'a mut [T],
    factors: &'a [T],
}

impl<T: Real> WithSimd for ScaleRows<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for row in self.matrix.chunks_exact_mut(self.factors.len()) {
            for (x, factor) in row.iter_mut().zip(self.factors) {
                *x *= *factor;
            }
        }
    }
}

/// Multiplies `matrix` by `other` (both M × B) element by element, and adds its row sums to `rows`
/// (M), its column sums to `columns` (B).
pub(super) fn multiply_and_sum(
    matrix: &mut [f64],
    other: &[f64],
    rows: &mut [f64],
    columns: &mut [f64],
) {
    Arch::new().dispatch(MultiplyAndSum { matrix, other, rows, columns });
}

struct MultiplyAndSum<'a> {
    matrix: &'a mut [f64],
    other: &'a [f64],
    rows: &'a mut [f64],
    columns: &'a mut [f64],
}

impl WithSimd for MultiplyAndSum<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let width = self.columns.len();
        let rows = self.matrix.chunks_exact_mut(width).zip(self.other.chunks_exact(width));
        for ((row, other), total) in rows.zip(self.rows) {
            let mut lanes = [0.0; LANES];
            let mut tiles = row.chunks_exact_mut(LANES);
            let (mut others, mut sums) =
                (other.chunks_exact(LANES), self.columns.chunks_exact_mut(LANES));
            for ((tile, other), sums) in tiles.by_ref().zip(others.by_ref()).zip(sums.by_ref()) {
                for (((x, y), sum), lane) in tile.iter_mut().zip(other).zip(sums).zip(&mut lanes) {
                    *x *= y;
                    *sum += *x;
                    *lane += *x;
                }
            }
            let rest = tiles
                .into_remainder()
                .iter_mut()
                .zip(others.remainder())
                .zip(sums.into_remainder());
            for (((x, y), sum), lane) in rest.zip(&mut lanes) {
                *x *= y;
                *sum += *x;
                *lane += *x;
            }
            *total += lanes.iter().sum::<f64>();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: usize, salt: usize) -> Vec<f64> {
        (0..count).map(|i| ((i * 7919 + salt * 104_729) % 1009) as f64 / 400.0 - 1.2).collect()
    }

    #[test]
    fn every_loop_agrees_with_its_definition_at_and_between_whole_tiles() {
        for (m, d, b) in [(1, 1, 1), (3, 2, 31), (4, 5, 32), (2, 3, 77), (7, 13, 128)] {
            let (points, inputs) = (numbers(m * d, 1), numbers(d * b, 2));
            let mut found = vec![9.0; m * b];
            correlate(&points, &inputs, b, &mut found);
            let (other, factors) = (numbers(m * b, 3), numbers(b, 4));
            let mut squares = vec![1.0; b];
            add_squares(&other, 2.0, &mut squares);
            let mut scaled = other.clone();
            scale_rows(&mut scaled, &factors);
            let (mut single, mut again) = (vec![0.0_f32; m * b], vec![0.0; m * b]);
            convert(&other, &mut single);
            convert(&single, &mut again);
            assert!(
                again
                    .iter()
                    .zip(&other)
                    .all(|(found, x)| (found - x).abs() <= x.abs() * f64::from(f32::EPSILON))
            );
            let (mut product, mut rows, mut columns) = (found.clone(), vec![0.5; m], vec![0.25; b]);
            multiply_and_sum(&mut product, &other, &mut rows, &mut columns);
            for i in 0..m {
                for j in 0..b {
                    let square: f64 =
                        (0..d).map(|k| (points[i * d + k] - inputs[k * b + j]).powi(2)).sum();
                    assert!(
                        (found[i * b + j] - (-0.5 * square).exp()).abs() < 1e-15,
                        "{m} {d} {b}: {i} {j}"
                    );
                    assert_eq!(scaled[i * b + j], other[i * b + j] * factors[j]);
                    assert_eq!(product[i * b + j], found[i * b + j] * other[i * b + j]);
                }
                let sum: f64 = product[i * b..(i + 1) * b].iter().sum();
                assert!((rows[i] - 0.5 - sum).abs() < 1e-12);
            }
            for j in 0..b {
                let sum: f64 = (0..m).map(|i| product[i * b + j]).sum();
                assert!((columns[j] - 0.25 - sum).abs() < 1e-12);
                let sum: f64 = (0..m).map(|i| 2.0 * other[i * b + j].powi(2)).sum();
                assert!((squares[j] - 1.0 - sum).abs() < 1e-12);
            }
        }
    }
}

//! Invert a symmetric positive definite matrix that is held in tiles, in place and without
//! allocation.
//!
//! ```text
//! A = L Lᵀ,   Y = L⁻¹,   A⁻¹ = Yᵀ Y,   ln |A| = 2 Σ ln L_ii
//! ```
//!
//! Each third takes n³/3 operations, n³ together, and all but the pivots' tiles are products of
//! small squares that stay in registers. Y has a small residual, |Y L − I| ≲ ε √κ for a matrix of
//! condition κ, and Yᵀ Y inherits it, so that a trace tr(A⁻¹ B) is right where entries of A⁻¹ are
//! not: Gauss–Jordan (the sweep operator) costs as much and has ε κ there, which for a process
//! almost without noise is more than the gradient itself. A tile of rows beyond n is filled up with
//! those of the identity, which changes neither inverse nor determinant.
//!
//! # References
//! N. J. Higham: *Accuracy and stability of numerical algorithms*, 2nd edition, SIAM 2002, Sections
//! 10.1, 14.2 and 14.4.

use uq_core::math::vectorised::sum;

/// Rows of a tile.
pub(super) const SIDE: usize = 8;

/// One number of each of [`SIDE`] rows.
pub(super) type Lane = [f64; SIDE];

/// A square of the matrix, row by row.
pub(super) type Tile = [Lane; SIDE];

const ZERO: Tile = [[0.0; SIDE]; SIDE];

const IDENTITY: Tile = {
    let mut tile = ZERO;
    let mut i = 0;
    while i < SIDE {
        tile[i][i] = 1.0;
        i += 1;
    }
    tile
};

/// The place of tile (i, j), i ≥ j, among those of the lower triangle.
#[inline(always)]
pub(super) fn place(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

/// Room for an inversion.
#[derive(Debug)]
pub(super) struct Panels {
    /// L_ip of the pivot p, tile by tile.
    column: Vec<Tile>,
    /// L_ipᵀ, tile by tile.
    transposed: Vec<Tile>,
}

impl Panels {
    /// For matrices of `count` × `count` tiles.
    pub fn new(count: usize) -> Self {
        Self { column: vec![ZERO; count], transposed: vec![ZERO; count] }
    }
}

/// A lower triangle of zeros, of `count` × `count` tiles.
pub(super) fn zeros(count: usize) -> Vec<Tile> {
    vec![ZERO; count * (count + 1) / 2]
}

/// Turns A into A⁻¹ and returns ln |A|; `None` where a pivot is not positive and finite.
#[inline(always)]
pub(super) fn invert(tiles: &mut [Tile], panels: &mut Panels) -> Option<f64> {
    let ln_determinant = factorise(tiles, panels)?;
    invert_factor(tiles, panels.column.len());
    square_inverse(tiles, panels.column.len());
    Some(ln_determinant)
}

/// Turns A into L and returns ln |A|.
#[inline(always)]
fn factorise(tiles: &mut [Tile], panels: &mut Panels) -> Option<f64> {
    let Panels { column, transposed } = panels;
    let count = column.len();
    let mut ln_determinant = 0.0;
    for p in 0..count {
        let pivot = &mut tiles[place(p, p)];
        ln_determinant += factorise_tile(pivot)?;
        let pivot = *pivot;
        for i in p + 1..count {
            // L_ip L_ppᵀ = A_ip, row by row of the transposed tile.
            transposed[i] = transpose(&tiles[place(i, p)]);
            solve_lower(&pivot, &mut transposed[i]);
            column[i] = transpose(&transposed[i]);
            tiles[place(i, p)] = column[i];
        }
        for i in p + 1..count {
            let row = &mut tiles[place(i, p + 1)..=place(i, i)];
            for (tile, right) in row.iter_mut().zip(&transposed[p + 1..]) {
                subtract_product(tile, &column[i], right);
            }
        }
    }
    Some(ln_determinant)
}

/// Turns L into Y = L⁻¹, column by column of tiles: Y_ij = −L_ii⁻¹ Σ_k L_ik Y_kj, k from j to i −
/// 1.
#[inline(always)]
fn invert_factor(tiles: &mut [Tile], count: usize) {
    for j in 0..count {
        let mut inverse = IDENTITY;
        solve_lower(&tiles[place(j, j)], &mut inverse);
        tiles[place(j, j)] = inverse;
        for i in j + 1..count {
            let mut total = ZERO;
            for k in j..i {
                subtract_product(&mut total, &tiles[place(i, k)], &tiles[place(k, j)]);
            }
            solve_lower(&tiles[place(i, i)], &mut total);
            tiles[place(i, j)] = total;
        }
    }
}

/// Turns Y into the lower triangle of Yᵀ Y, whose tile (i, j) needs rows from i on alone.
#[inline(always)]
fn square_inverse(tiles: &mut [Tile], count: usize) {
    for i in 0..count {
        for j in 0..=i {
            let mut total = ZERO;
            for k in i..count {
                add_transposed_product(&mut total, &tiles[place(k, i)], &tiles[place(k, j)]);
            }
            tiles[place(i, j)] = total;
        }
    }
}

/// Adds A x to `to`, for a symmetric A in tiles.
#[inline(always)]
pub(super) fn add_product(to: &mut [Lane], tiles: &[Tile], x: &[Lane]) {
    for i in 0..x.len() {
        for j in 0..=i {
            let tile = &tiles[place(i, j)];
            for r in 0..SIDE {
                let mut products = [0.0; SIDE];
                for c in 0..SIDE {
                    products[c] = tile[r][c] * x[j][c];
                }
                to[i][r] += sum(&products);
                if i != j {
                    for c in 0..SIDE {
                        to[j][c] += tile[r][c] * x[i][r];
                    }
                }
            }
        }
    }
}

/// Turns a tile into its L, with zeros above the diagonal, and returns the ln of its determinant.
#[inline(always)]
fn factorise_tile(tile: &mut Tile) -> Option<f64> {
    let mut ln_determinant = 0.0;
    for k in 0..SIDE {
        for j in 0..k {
            let factor = tile[k][j];
            for row in &mut tile[k..] {
                row[k] -= factor * row[j];
            }
        }
        let d = tile[k][k];
        if !(d > 0.0 && d < f64::INFINITY) {
            return None;
        }
        ln_determinant += d.ln();
        let inverse = 1.0 / d.sqrt();
        for row in &mut tile[k..] {
            row[k] *= inverse;
        }
        tile[k][k + 1..].fill(0.0);
    }
    Some(ln_determinant)
}

/// Turns B into L⁻¹ B.
#[inline(always)]
fn solve_lower(lower: &Tile, b: &mut Tile) {
    for r in 0..SIDE {
        let mut row = b[r];
        for k in 0..r {
            for c in 0..SIDE {
                row[c] -= lower[r][k] * b[k][c];
            }
        }
        let inverse = 1.0 / lower[r][r];
        b[r] = row.map(|value| value * inverse);
    }
}

#[inline(always)]
fn transpose(tile: &Tile) -> Tile {
    std::array::from_fn(|r| std::array::from_fn(|c| tile[c][r]))
}

/// Rows at once, so that their sums stay in registers.
const ROWS: usize = 4;

/// `to −= left · right`.
#[inline(always)]
fn subtract_product(to: &mut Tile, left: &Tile, right: &Tile) {
    for (to, left) in to.chunks_exact_mut(ROWS).zip(left.chunks_exact(ROWS)) {
        let mut sums: [Lane; ROWS] = std::array::from_fn(|r| to[r]);
        for k in 0..SIDE {
            for r in 0..ROWS {
                for c in 0..SIDE {
                    sums[r][c] -= left[r][k] * right[k][c];
                }
            }
        }
        to.copy_from_slice(&sums);
    }
}

/// `to += leftᵀ · right`.
#[inline(always)]
fn add_transposed_product(to: &mut Tile, left: &Tile, right: &Tile) {
    for (first, to) in to.chunks_exact_mut(ROWS).enumerate() {
        let mut sums: [Lane; ROWS] = std::array::from_fn(|r| to[r]);
        for k in 0..SIDE {
            for r in 0..ROWS {
                for c in 0..SIDE {
                    sums[r][c] += left[k][first * ROWS + r] * right[k][c];
                }
            }
        }
        to.copy_from_slice(&sums);
    }
}

//! Invert a symmetric positive definite matrix that is held in tiles, in place and without allocation.
//!
//! Sweeping a pivot D = A_pp with C = A_{·p} puts
//!
//! ```text
//! A_pp ← −D⁻¹,   A_{·p} ← C D⁻¹,   A ← A − C D⁻¹ Cᵀ elsewhere
//! ```
//!
//! and once every pivot is swept A holds −A⁻¹; the pivots' determinants multiply to |A|. That is n³ operations for the inverse and the
//! determinant together, as many as a factorisation and an inversion from it, but all of them are products of small
//! squares that stay in registers. A tile of rows beyond n is filled up with those of the identity, which changes
//! neither.
//!
//! # References
//! A. P. Dempster: *Elements of continuous multivariate analysis*, Addison-Wesley, 1969, 4.3.2 (the sweep operator).

/// Rows of a tile.
pub(super) const SIDE: usize = 8;

/// One number of each of [`SIDE`] rows.
pub(super) type Lane = [f64; SIDE];

/// A square of the matrix, row by row.
pub(super) type Tile = [Lane; SIDE];

const ZERO: Tile = [[0.0; SIDE]; SIDE];

/// The place of tile (i, j), i ≥ j, among those of the lower triangle.
#[inline(always)]
pub(super) fn place(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

/// The sum of a lane, by halves.
#[inline(always)]
pub(super) fn sum(lane: &Lane) -> f64 {
    ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]))
}

/// Room for an inversion.
#[derive(Debug)]
pub(super) struct Panels {
    /// Cᵀ, tile by tile.
    column: Vec<Tile>,
    /// C D⁻¹, tile by tile.
    scaled: Vec<Tile>,
}

impl Panels {
    /// For matrices of `count` tiles a side.
    pub fn new(count: usize) -> Self {
        Self { column: vec![ZERO; count], scaled: vec![ZERO; count] }
    }
}

/// A lower triangle of zeros, `count` tiles a side.
pub(super) fn zeros(count: usize) -> Vec<Tile> {
    vec![ZERO; count * (count + 1) / 2]
}

/// Turns A into A⁻¹ and returns ln |A|; `None` where a pivot is not positive and finite.
#[inline(always)]
pub(super) fn invert(tiles: &mut [Tile], panels: &mut Panels) -> Option<f64> {
    let Panels { column, scaled } = panels;
    let count = column.len();
    let mut ln_determinant = 0.0;
    for p in 0..count {
        let mut pivot = tiles[place(p, p)];
        ln_determinant += sweep_all(&mut pivot)?;
        for i in (0..count).filter(|&i| i != p) {
            column[i] = if i > p { transposed(&tiles[place(i, p)]) } else { tiles[place(p, i)] };
            // The swept pivot is −D⁻¹.
            scaled[i] = ZERO;
            subtract_product(&mut scaled[i], &transposed(&column[i]), &pivot);
        }
        for i in (0..count).filter(|&i| i != p) {
            let row = &mut tiles[place(i, 0)..=place(i, i)];
            for ((j, tile), column) in row.iter_mut().enumerate().zip(column.iter()) {
                if j != p {
                    subtract_product(tile, &scaled[i], column);
                }
            }
        }
        for i in 0..p {
            tiles[place(p, i)] = transposed(&scaled[i]);
        }
        for i in p + 1..count {
            tiles[place(i, p)] = scaled[i];
        }
        tiles[place(p, p)] = pivot;
    }
    for lane in tiles.iter_mut().flatten() {
        lane.iter_mut().for_each(|a| *a = -*a);
    }
    Some(ln_determinant)
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

/// Turns a tile D into −D⁻¹ and returns ln |D|.
#[inline(always)]
fn sweep_all(tile: &mut Tile) -> Option<f64> {
    let mut ln_determinant = 0.0;
    for k in 0..SIDE {
        let (row, d) = (tile[k], tile[k][k]);
        if !(d > 0.0 && d < f64::INFINITY) {
            return None;
        }
        ln_determinant += d.ln();
        let inverse = 1.0 / d;
        for (_, lane) in tile.iter_mut().enumerate().filter(|&(r, _)| r != k) {
            let factor = lane[k] * inverse;
            for c in 0..SIDE {
                lane[c] -= factor * row[c];
            }
            lane[k] = factor;
        }
        tile[k] = row.map(|a| a * inverse);
        tile[k][k] = -inverse;
    }
    Some(ln_determinant)
}

#[inline(always)]
fn transposed(tile: &Tile) -> Tile {
    std::array::from_fn(|r| std::array::from_fn(|c| tile[c][r]))
}

/// `to −= left · right`.
#[inline(always)]
fn subtract_product(to: &mut Tile, left: &Tile, right: &Tile) {
    /// Rows at once: their sums stay in registers.
    const ROWS: usize = 4;
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

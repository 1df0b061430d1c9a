//! Evaluate all components at blocks of rows: the inner loops of expectation maximisation and of
//! the conditional mixture.
//!
//! A block of [`LANES`] × [`CHUNKS`] rows is transposed, so that one column's values of [`LANES`]
//! rows are neighbours. Every operation then acts on whole lanes, and all components process a
//! block before the next one is loaded. Lanes are added in a fixed order and no product is fused
//! with a sum, so that the numbers do not depend on the processor.

use faer::traits::pulp::{Arch, Simd, WithSimd};
use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use super::factor::{Factor, triangle};
use uq_core::math::vectorised::{exp, sum};

/// Rows that are processed at once.
pub(super) const LANES: usize = 16;

/// Lanes in a block: enough to pay for adding the lanes up, few enough for all components' work to
/// stay in cache.
const CHUNKS: usize = 8;

/// One number of each of [`LANES`] rows.
pub(super) type Lane = [f64; LANES];

/// A component in the form of the inner loops; columns in the order of the factor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kernel {
    /// ln π − ½ ln |2πΣ|.
    pub ln_scale: f64,
    /// Means of the columns.
    pub centre: Vec<f64>,
    /// Σ = L Lᵀ.
    pub factor: Factor,
}

/// Sums over the rows, weighted by a component's responsibilities r: of 1, of u = L⁻¹(ξ − μ) and of
/// u uᵀ.
#[derive(Clone, Debug, Default)]
pub(super) struct Moments {
    pub total: f64,
    pub first: Vec<f64>,
    /// Lower triangle, row by row.
    pub second: Vec<f64>,
}

/// Memory that one pass over the rows uses; reused from step to step.
#[derive(Debug, Default)]
pub struct Workspace {
    /// The block's rows, chunk by chunk, m lanes in each.
    block: Vec<Lane>,
    /// u of each component, chunk by chunk, m lanes in each.
    whitened: Vec<Lane>,
    /// ln π_k N(ξ | k), then the responsibilities: chunk by chunk, K lanes in each.
    terms: Vec<Lane>,
    /// r u_i of one component and one column, one lane for each chunk.
    weighted: Vec<Lane>,
    /// ln p(ξ) of each row of the block.
    log_density: Vec<Lane>,
    /// One for each component.
    pub(super) moments: Vec<Moments>,
}

impl Workspace {
    /// Makes room for `components` over `columns`, and clears the sums.
    pub(super) fn prepare(&mut self, components: usize, columns: usize) {
        self.block.resize(CHUNKS * columns, [0.0; LANES]);
        self.whitened.resize(components * CHUNKS * columns, [0.0; LANES]);
        self.terms.resize(CHUNKS * components, [0.0; LANES]);
        self.weighted.resize(CHUNKS, [0.0; LANES]);
        self.log_density.resize(CHUNKS, [0.0; LANES]);
        self.moments.resize_with(components, Moments::default);
        for moments in &mut self.moments {
            moments.total = 0.0;
            moments.first.clear();
            moments.first.resize(columns, 0.0);
            moments.second.clear();
            moments.second.resize(triangle(columns), 0.0);
        }
    }

    /// Runs over the rows block by block; after each block `each` gets the place of its first row
    /// and the results of its rows. With `sums` the moments are added up.
    ///
    /// `columns` are the places in a row of the kernels' columns.
    pub(super) fn pass(
        &mut self,
        rows: ArrayView2<f64>,
        columns: &[usize],
        kernels: &[Kernel],
        sums: bool,
        mut each: impl FnMut(usize, Block),
    ) {
        let (m, n, k) = (columns.len(), rows.nrows(), kernels.len());
        let arch = Arch::new();
        for first in (0..n).step_by(LANES * CHUNKS) {
            let count = (n - first).min(LANES * CHUNKS);
            arch.dispatch(OneBlock { workspace: self, rows, first, kernels, columns, count, sums });
            each(
                first,
                Block {
                    count,
                    components: k,
                    columns: m,
                    whitened: &self.whitened,
                    responsibilities: &self.terms,
                    log_density: &self.log_density,
                },
            );
        }
    }

    /// Responsibilities and log densities of the first `count` rows of the block.
    #[inline(always)]
    fn evaluate(&mut self, kernels: &[Kernel], m: usize, count: usize) {
        let (chunks, k) = (count.div_ceil(LANES), kernels.len());
        let stride = CHUNKS * m;
        for (c, kernel) in kernels.iter().enumerate() {
            let whitened = &mut self.whitened[c * stride..][..chunks * m];
            whiten(
                kernel,
                m,
                &self.block[..chunks * m],
                whitened,
                &mut self.terms[..chunks * k],
                k,
                c,
            );
        }
        for (terms, density) in
            self.terms[..chunks * k].chunks_exact_mut(k).zip(&mut self.log_density)
        {
            *density = normalise(terms);
        }
        // Rows that only fill up the last lane belong to no component.
        for padding in count..chunks * LANES {
            for term in &mut self.terms[padding / LANES * k..][..k] {
                term[padding % LANES] = 0.0;
            }
        }
    }

    /// Adds the block's rows to the moments.
    #[inline(always)]
    fn accumulate(&mut self, m: usize, chunks: usize) {
        let (k, stride) = (self.moments.len(), CHUNKS * m);
        for (c, moments) in self.moments.iter_mut().enumerate() {
            let whitened = &self.whitened[c * stride..][..chunks * m];
            let responsibilities = self.terms[..chunks * k].chunks_exact(k);
            let mut total = [0.0; LANES];
            for r in responsibilities.clone() {
                add(&mut total, &r[c]);
            }
            let total = sum(&total);
            if total == 0.0 {
                continue;
            }
            moments.total += total;
            let mut second = moments.second.iter_mut();
            for i in 0..m {
                let mut first = [0.0; LANES];
                for ((w, u), r) in self
                    .weighted
                    .iter_mut()
                    .zip(whitened.chunks_exact(m))
                    .zip(responsibilities.clone())
                {
                    for b in 0..LANES {
                        w[b] = r[c][b] * u[i][b];
                    }
                    add(&mut first, w);
                }
                moments.first[i] += sum(&first);
                for (j, entry) in second.by_ref().take(i + 1).enumerate() {
                    let mut product = [0.0; LANES];
                    for (w, u) in self.weighted.iter().zip(whitened.chunks_exact(m)) {
                        for b in 0..LANES {
                            product[b] += w[b] * u[j][b];
                        }
                    }
                    *entry += sum(&product);
                }
            }
        }
    }
}

/// The work on one block. A type rather than a closure, because a closure is not always
/// inlined into the code for the processor's own instructions, and then runs as for the oldest
/// processor.
struct OneBlock<'a> {
    workspace: &'a mut Workspace,
    rows: ArrayView2<'a, f64>,
    first: usize,
    kernels: &'a [Kernel],
    columns: &'a [usize],
    count: usize,
    sums: bool,
}

impl WithSimd for OneBlock<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { workspace, rows, first, kernels, columns, count, sums } = self;
        let (m, chunks) = (columns.len(), count.div_ceil(LANES));
        load(rows, first, count, columns, &mut workspace.block[..chunks * m]);
        workspace.evaluate(kernels, m, count);
        if sums {
            workspace.accumulate(m, chunks);
        }
    }
}

/// The results of a pass for one block of rows.
pub(super) struct Block<'a> {
    /// Rows of the block.
    pub count: usize,
    components: usize,
    columns: usize,
    whitened: &'a [Lane],
    responsibilities: &'a [Lane],
    log_density: &'a [Lane],
}

impl Block<'_> {
    /// ln p of the block's `i`-th row.
    pub fn log_density(&self, i: usize) -> f64 {
        self.log_density[i / LANES][i % LANES]
    }

    /// The responsibilities of all components for the rows of one chunk.
    pub fn responsibilities(&self, chunk: usize) -> &[Lane] {
        &self.responsibilities[chunk * self.components..][..self.components]
    }

    /// L⁻¹(ξ − μ) of component `k` at the rows of one chunk.
    pub fn whitened(&self, chunk: usize, k: usize) -> &[Lane] {
        &self.whitened[(k * CHUNKS + chunk) * self.columns..][..self.columns]
    }
}

/// Transposes rows `first..first + count`; the last lane is filled up with the last row.
#[inline(always)]
fn load(rows: ArrayView2<f64>, first: usize, count: usize, columns: &[usize], block: &mut [Lane]) {
    let m = columns.len();
    for (c, chunk) in block.chunks_exact_mut(m.max(1)).enumerate() {
        for b in 0..LANES {
            let row = rows.row(first + (c * LANES + b).min(count - 1));
            for (lane, &column) in chunk.iter_mut().zip(columns) {
                lane[b] = row[column];
            }
        }
    }
}

/// Solves L u = ξ − μ by forward substitution, and puts ln π N(ξ | μ, Σ) at place `c` of every `k`
/// terms.
#[inline(always)]
fn whiten(
    kernel: &Kernel,
    m: usize,
    block: &[Lane],
    whitened: &mut [Lane],
    terms: &mut [Lane],
    k: usize,
    c: usize,
) {
    let Kernel { ln_scale, centre, factor } = kernel;
    let places = terms.chunks_exact_mut(k);
    if m == 0 {
        places.for_each(|term| term[c] = [*ln_scale; LANES]);
        return;
    }
    for ((x, u), term) in block.chunks_exact(m).zip(whitened.chunks_exact_mut(m)).zip(places) {
        let mut square = [0.0; LANES];
        let mut below = factor.packed.as_slice();
        for i in 0..m {
            let (known, open) = u.split_at_mut(i);
            let (coefficients, rest) = below.split_at(i + 1);
            below = rest;
            let mut value = x[i].map(|x| x - centre[i]);
            for (l, known) in coefficients.iter().zip(known) {
                for b in 0..LANES {
                    value[b] -= l * known[b];
                }
            }
            for b in 0..LANES {
                value[b] *= factor.inverse_diagonal[i];
                square[b] += value[b] * value[b];
            }
            open[0] = value;
        }
        for b in 0..LANES {
            term[c][b] = ln_scale - 0.5 * square[b];
        }
    }
}

/// Turns the terms ln a_k into a_k / Σ a, and returns ln Σ a; NaN where no term is finite.
#[inline(always)]
pub(super) fn normalise(terms: &mut [Lane]) -> Lane {
    let mut largest = [f64::NEG_INFINITY; LANES];
    for term in terms.iter() {
        for b in 0..LANES {
            largest[b] = if term[b] > largest[b] { term[b] } else { largest[b] };
        }
    }
    let mut total = [0.0; LANES];
    for term in terms.iter_mut() {
        for b in 0..LANES {
            term[b] = exp(term[b] - largest[b]);
            total[b] += term[b];
        }
    }
    let inverse: Lane = std::array::from_fn(|b| 1.0 / total[b]);
    for term in terms.iter_mut() {
        for b in 0..LANES {
            term[b] *= inverse[b];
        }
    }
    for b in 0..LANES {
        largest[b] += total[b].ln();
    }
    largest
}

#[inline(always)]
fn add(to: &mut Lane, from: &Lane) {
    for b in 0..LANES {
        to[b] += from[b];
    }
}

//! Evaluate the hyper-functions at rows, and pull a gradient back to the inducing inputs and to the
//! values there.
//!
//! ```text
//! ln h(x) = μ_h + k_h(x, X̄) a_h,   a_h = K_h(X̄, X̄)⁻¹ L γ_h = L⁻ᵀ γ_h         (5, with its mean)
//! ```
//!
//! Where the latent kernels are not learned, k_h(X, X̄) L⁻ᵀ is computed once and a step costs two
//! products with it.

use super::inducing::{Group, InducingGroup, WIDTH};
use super::layout::{Function, Layout};
use super::tiles::{Lane, SIDE, place};
use uq_core::math::vectorised::{exp, sum};

/// A hyper-function that varies.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// Its place among ℓ_1 … ℓ_D, σ, ω.
    function: usize,
    kernel: Option<(usize, usize)>,
    white: usize,
}

/// Latent kernels that are the same for all functions and not learned.
#[derive(Clone, Debug)]
pub(super) struct FixedLatent {
    /// ℓ_h.
    pub length_scale: f64,
    /// v_h.
    pub variance: f64,
    /// X̄, M × D.
    pub inputs: Vec<f64>,
}

/// Room for the hyper-functions at rows.
#[derive(Clone, Debug)]
pub(super) struct Latent {
    layout: Layout,
    members: Vec<Member>,
    jitter: f64,
    /// Lanes of rows.
    count: usize,
    fixed: Option<FixedLatent>,
    /// Whether `cross` holds k_h(X, X̄) L⁻ᵀ of every function, computed once.
    projected: bool,
    groups: Vec<InducingGroup>,
    /// ā of each group, M.
    bars: Vec<Vec<Group>>,
    /// Squared distances of the inducing inputs, lower triangle.
    squares: Vec<f64>,
    /// k_h(x, x̄_m), function by function, m by m.
    cross: Vec<Lane>,
    /// Squared distances of the rows from one inducing input, and the pull on it.
    distances: Vec<Lane>,
    pulls: Vec<Lane>,
    inputs_slope: Vec<f64>,
}

impl Latent {
    /// Room for `count` lanes of rows.
    pub fn new(layout: &Layout, jitter: f64, fixed: Option<FixedLatent>, count: usize) -> Self {
        let members: Vec<Member> = layout
            .latent()
            .filter_map(|(function, place)| match place {
                Function::Latent { kernel, white, .. } => Some(Member { function, kernel, white }),
                Function::Constant(_) => None,
            })
            .collect();
        let (m, lanes) = (layout.inducing, |count: usize| vec![[0.0; SIDE]; count]);
        let groups = members.len().div_ceil(WIDTH);
        Self {
            jitter,
            count,
            fixed,
            projected: false,
            groups: vec![InducingGroup::new(m); groups],
            bars: vec![vec![[0.0; WIDTH]; m]; groups],
            squares: vec![0.0; place(m, 0)],
            cross: lanes(members.len() * m * count),
            distances: lanes(count),
            pulls: lanes(count),
            inputs_slope: vec![0.0; m * layout.dims],
            members,
            layout: layout.clone(),
        }
    }

    /// Computes k_h(X, X̄) L⁻ᵀ of the fixed latent kernels for all later evaluations.
    pub fn project(&mut self, rows: &[Lane]) {
        let Some(fixed) = &self.fixed else { return };
        let (m, dims) = (self.layout.inducing, self.layout.dims);
        fill_squares(&mut self.squares, &fixed.inputs, dims);
        let Some(group) = self.groups.first_mut() else { return };
        let decay = 0.5 / fixed.length_scale.powi(2);
        (group.variance, group.decay) = ([fixed.variance; WIDTH], [decay; WIDTH]);
        group.solve(&self.squares, self.jitter);
        let count = self.count;
        let (first, others) = self.cross.split_at_mut(m * count);
        for (i, lanes) in first.chunks_exact_mut(count).enumerate() {
            fill_distances(&mut self.distances, rows, &fixed.inputs[i * dims..(i + 1) * dims]);
            for (lane, square) in lanes.iter_mut().zip(&self.distances) {
                *lane = square.map(|square| fixed.variance * exp(-square * decay));
            }
        }
        group.whiten(first, count);
        others.chunks_exact_mut(m * count).for_each(|other| other.copy_from_slice(first));
        self.projected = true;
    }

    /// ln h of every function at the rows (D inputs of `count` lanes): ln ℓ_1 … ln ℓ_D, ln σ, ln ω
    /// (or ln ω²), `count` lanes each.
    #[inline(always)]
    pub fn evaluate(&mut self, theta: &[f64], rows: &[Lane], out: &mut [Lane]) {
        let (m, count, dims) = (self.layout.inducing, self.count, self.layout.dims);
        for (function, lanes) in self.layout.functions.iter().zip(out.chunks_exact_mut(count)) {
            let (Function::Constant(at) | Function::Latent { mean: at, .. }) = *function;
            lanes.fill([theta[at]; SIDE]);
        }
        if self.members.is_empty() {
            return;
        }
        if self.projected {
            for (f, member) in self.members.iter().enumerate() {
                let to = &mut out[member.function * count..(member.function + 1) * count];
                for (i, white) in theta[member.white..member.white + m].iter().enumerate() {
                    let from = &self.cross[(f * m + i) * count..(f * m + i + 1) * count];
                    for (to, from) in to.iter_mut().zip(from) {
                        for c in 0..SIDE {
                            to[c] += white * from[c];
                        }
                    }
                }
            }
            return;
        }
        let inputs = match (&self.fixed, self.layout.inputs) {
            (Some(fixed), _) => &fixed.inputs[..],
            (None, at) => &theta[at.unwrap_or(0)..][..m * dims],
        };
        fill_squares(&mut self.squares, inputs, dims);
        for (f, member) in self.members.iter().enumerate() {
            let (group, h) = (&mut self.groups[f / WIDTH], f % WIDTH);
            let (length_scale, variance) = match (member.kernel, &self.fixed) {
                (Some((length_scale, variance)), _) => {
                    (exp(theta[length_scale]), exp(theta[variance]))
                }
                (None, Some(fixed)) => (fixed.length_scale, fixed.variance),
                (None, None) => (1.0, 1.0),
            };
            group.variance[h] = variance;
            group.decay[h] = 0.5 / (length_scale * length_scale);
            for (to, from) in group.white.iter_mut().zip(&theta[member.white..member.white + m]) {
                to[h] = *from;
            }
        }
        for group in &mut self.groups {
            group.solve(&self.squares, self.jitter);
        }
        for i in 0..m {
            fill_distances(&mut self.distances, rows, &inputs[i * dims..(i + 1) * dims]);
            for (f, member) in self.members.iter().enumerate() {
                let (group, h) = (&self.groups[f / WIDTH], f % WIDTH);
                let (variance, decay, a) =
                    (group.variance[h], group.decay[h], group.coefficients[i][h]);
                let cross = &mut self.cross[(f * m + i) * count..(f * m + i + 1) * count];
                let to = &mut out[member.function * count..(member.function + 1) * count];
                for ((to, k), square) in to.iter_mut().zip(cross).zip(&self.distances) {
                    let mut value = *square;
                    value.iter_mut().for_each(|x| *x = variance * exp(-*x * decay));
                    *k = value;
                    for c in 0..SIDE {
                        to[c] += a * value[c]; // (5)
                    }
                }
            }
        }
    }

    /// Adds to `gradient` the derivatives by the parameters that follow from those by ln h at the
    /// rows (`slopes`, laid out as by [`Latent::evaluate`]), at the point that was evaluated last.
    /// Where `by_rows` is given, the derivatives by the rows' inputs are added to it, unless the
    /// latent kernels are fixed.
    #[inline(always)]
    pub fn pull_back(
        &mut self,
        theta: &[f64],
        rows: &[Lane],
        slopes: &[Lane],
        gradient: &mut [f64],
        mut by_rows: Option<&mut [Lane]>,
    ) {
        let (m, count, dims) = (self.layout.inducing, self.count, self.layout.dims);
        for (function, lanes) in self.layout.functions.iter().zip(slopes.chunks_exact(count)) {
            let (Function::Constant(at) | Function::Latent { mean: at, .. }) = *function;
            let mut total = [0.0; SIDE];
            for lane in lanes {
                for c in 0..SIDE {
                    total[c] += lane[c];
                }
            }
            gradient[at] += sum(&total);
        }
        if self.projected {
            for (f, member) in self.members.iter().enumerate() {
                let slopes = &slopes[member.function * count..(member.function + 1) * count];
                for i in 0..m {
                    let from = &self.cross[(f * m + i) * count..(f * m + i + 1) * count];
                    gradient[member.white + i] += dot(slopes, from);
                }
            }
            return;
        }
        let Some(at) = self.layout.inputs else { return };
        let inputs = &theta[at..at + m * dims];
        for i in 0..m {
            let input = &inputs[i * dims..(i + 1) * dims];
            fill_distances(&mut self.distances, rows, input);
            self.pulls.fill([0.0; SIDE]);
            for (f, member) in self.members.iter().enumerate() {
                let (group, h) = (&self.groups[f / WIDTH], f % WIDTH);
                let (decay, a) = (2.0 * group.decay[h], group.coefficients[i][h]);
                let cross = &self.cross[(f * m + i) * count..(f * m + i + 1) * count];
                let slopes = &slopes[member.function * count..(member.function + 1) * count];
                let (mut bar, mut stretch) = ([0.0; SIDE], [0.0; SIDE]);
                let lanes =
                    slopes.iter().zip(cross).zip(self.distances.iter().zip(&mut self.pulls));
                for ((slope, k), (square, pull)) in lanes {
                    for c in 0..SIDE {
                        let product = slope[c] * k[c];
                        bar[c] += product;
                        stretch[c] += product * square[c];
                        pull[c] += decay * a * product;
                    }
                }
                let bar = sum(&bar);
                self.bars[f / WIDTH][i][h] = bar;
                if let Some((length_scale, variance)) = member.kernel {
                    gradient[length_scale] += decay * a * sum(&stretch);
                    gradient[variance] += a * bar;
                }
            }
            for d in 0..dims {
                let mut total = [0.0; SIDE];
                for (pull, x) in self.pulls.iter().zip(&rows[d * count..(d + 1) * count]) {
                    for c in 0..SIDE {
                        total[c] += pull[c] * (x[c] - input[d]);
                    }
                }
                self.inputs_slope[i * dims + d] = sum(&total);
                let Some(by_rows) = by_rows.as_deref_mut() else { continue };
                let own = d * count..(d + 1) * count;
                for (to, (pull, x)) in
                    by_rows[own.clone()].iter_mut().zip(self.pulls.iter().zip(&rows[own]))
                {
                    for c in 0..SIDE {
                        to[c] -= pull[c] * (x[c] - input[d]);
                    }
                }
            }
        }
        for (g, (group, bar)) in self.groups.iter_mut().zip(&mut self.bars).enumerate() {
            let slopes = group.pull_back(bar, inputs, dims, &mut self.inputs_slope);
            for (h, member) in self.members[g * WIDTH..].iter().take(WIDTH).enumerate() {
                if let Some((length_scale, variance)) = member.kernel {
                    gradient[length_scale] += slopes.length_scale[h];
                    gradient[variance] += slopes.variance[h];
                }
                for (to, bar) in gradient[member.white..member.white + m].iter_mut().zip(bar.iter())
                {
                    *to += bar[h];
                }
            }
        }
        for (to, slope) in gradient[at..at + m * dims].iter_mut().zip(&self.inputs_slope) {
            *to += slope;
        }
    }
}

/// Squared distances of the inducing inputs (M × D), lower triangle.
#[inline(always)]
fn fill_squares(squares: &mut [f64], inputs: &[f64], dims: usize) {
    let mut i = 0;
    let mut j = 0;
    for square in squares {
        let (x, y) = (&inputs[i * dims..(i + 1) * dims], &inputs[j * dims..(j + 1) * dims]);
        *square = x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum();
        (i, j) = if i == j { (i + 1, 0) } else { (i, j + 1) };
    }
}

/// Squared distances of the rows from one inducing input.
#[inline(always)]
fn fill_distances(distances: &mut [Lane], rows: &[Lane], input: &[f64]) {
    distances.fill([0.0; SIDE]);
    for (lanes, centre) in rows.chunks_exact(distances.len()).zip(input) {
        for (square, x) in distances.iter_mut().zip(lanes) {
            for c in 0..SIDE {
                square[c] += (x[c] - centre) * (x[c] - centre);
            }
        }
    }
}

#[inline(always)]
fn dot(left: &[Lane], right: &[Lane]) -> f64 {
    let mut total = [0.0; SIDE];
    for (a, b) in left.iter().zip(right) {
        for c in 0..SIDE {
            total[c] += a[c] * b[c];
        }
    }
    sum(&total)
}

//! Build kernels from kernels: a sum of kernels is a kernel, and so is a product.

use serde::{Deserialize, Serialize};

use super::{Points, Shape, Stationary, Workspace};
use crate::parameter::Such;
use crate::state::require;

/// How a kernel is made, as a benchmark file writes it: `"rbf"`, `{ sum = ["rbf", "matern-12"] }`,
/// `{ product = [..] }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Composition {
    /// One stationary kernel.
    Shape(Shape),
    /// Their sum.
    Sum {
        /// The terms.
        sum: Vec<Composition>,
    },
    /// Their product.
    Product {
        /// The factors; each keeps a variance of its own, of which only the product matters.
        product: Vec<Composition>,
    },
}

impl Composition {
    /// The compositions that a method accepts.
    pub const COMPLETE: Such<Self> = Such(
        "\"rbf\", \"matern-12\", \"matern-32\", \"matern-52\", \"rational-quadratic\", { sum = \
         [..] } or { product = [..] } with at least one part in each",
        Self::is_complete,
    );

    /// The kernel over `inputs` features with unit parameters.
    pub fn kernel(&self, inputs: usize) -> Kernel {
        let all = |parts: &[Self]| parts.iter().map(|part| part.kernel(inputs)).collect();
        match self {
            Self::Shape(shape) => Kernel::Stationary(Stationary::unit(*shape, inputs)),
            Self::Sum { sum } => Kernel::Sum(all(sum)),
            Self::Product { product } => Kernel::Product(all(product)),
        }
    }

    /// Whether every sum and product has a part.
    pub fn is_complete(&self) -> bool {
        match self {
            Self::Shape(_) => true,
            Self::Sum { sum: parts } | Self::Product { product: parts } => {
                !parts.is_empty() && parts.iter().all(Self::is_complete)
            }
        }
    }
}

/// A kernel with its parameters. All of them are positive; they are handled by their logarithms,
/// part by part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Piece>", into = "Vec<Piece>")]
pub enum Kernel {
    /// A stationary kernel.
    Stationary(Stationary),
    /// k₁ + k₂ + …
    Sum(Vec<Kernel>),
    /// k₁ · k₂ · …
    Product(Vec<Kernel>),
}

/// A part of a kernel as it is written: a sum or product with the number of its parts, which follow
/// it. A list has no depth at which a reader runs out of stack.
#[derive(Serialize, Deserialize)]
enum Piece {
    Stationary(Stationary),
    Sum(usize),
    Product(usize),
}

/// Most sums and products inside each other that are read.
const MOST_INSIDE: usize = 100;

impl From<Kernel> for Vec<Piece> {
    fn from(kernel: Kernel) -> Self {
        let with = |own: Piece, parts: Vec<Kernel>| {
            std::iter::once(own).chain(parts.into_iter().flat_map(Self::from)).collect()
        };
        match kernel {
            Kernel::Stationary(kernel) => vec![Piece::Stationary(kernel)],
            Kernel::Sum(parts) => with(Piece::Sum(parts.len()), parts),
            Kernel::Product(parts) => with(Piece::Product(parts.len()), parts),
        }
    }
}

impl TryFrom<Vec<Piece>> for Kernel {
    type Error = &'static str;

    fn try_from(pieces: Vec<Piece>) -> Result<Self, Self::Error> {
        let mut pieces = pieces.into_iter();
        let kernel = Self::take(&mut pieces, MOST_INSIDE)?;
        if pieces.next().is_none() { Ok(kernel) } else { Err("parts of no kernel") }
    }
}

impl Kernel {
    /// The kernel that comes next; `inside` counts down where sums and products have parts.
    fn take(pieces: &mut std::vec::IntoIter<Piece>, inside: usize) -> Result<Self, &'static str> {
        let below = inside.checked_sub(1).ok_or("a kernel that is too deep")?;
        let (combine, count): (fn(Vec<Self>) -> Self, usize) =
            match pieces.next().ok_or("a kernel that ends early")? {
                Piece::Stationary(kernel) => return Ok(Self::Stationary(kernel)),
                Piece::Sum(count) => (Self::Sum, count),
                Piece::Product(count) => (Self::Product, count),
            };
        (0..count).map(|_| Self::take(pieces, below)).collect::<Result<_, _>>().map(combine)
    }

    /// Checks a kernel that was read: it has a part, and each part has a length scale for each of
    /// the `features`.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, features: usize) -> Result<(), String> {
        let parts = self.stationary_parts();
        let fits = parts.iter().all(|part| part.length_scales.len() == features);
        require(!parts.is_empty() && fits, "a kernel of other features")
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        match self {
            Self::Stationary(kernel) => kernel.parameters(),
            Self::Sum(parts) | Self::Product(parts) => parts.iter().map(Self::parameters).sum(),
        }
    }

    /// The logarithms of the parameters: of each stationary part in turn ln variance, ln ℓ_1 …, and
    /// ln α if it has one.
    pub fn log_parameters(&self) -> Vec<f64> {
        let mut all = Vec::with_capacity(self.parameters());
        self.push_log_parameters(&mut all);
        all
    }

    fn push_log_parameters(&self, to: &mut Vec<f64>) {
        match self {
            Self::Stationary(kernel) => kernel.push_log_parameters(to),
            Self::Sum(parts) | Self::Product(parts) => {
                parts.iter().for_each(|part| part.push_log_parameters(to))
            }
        }
    }

    /// Sets the parameters from their logarithms.
    ///
    /// # Panics
    /// If their number differs.
    pub fn set_log_parameters(&mut self, from: &[f64]) {
        match self {
            Self::Stationary(kernel) => kernel.set_log_parameters(from),
            Self::Sum(parts) | Self::Product(parts) => {
                let mut rest = from;
                for part in parts {
                    let (own, others) = rest.split_at(part.parameters());
                    part.set_log_parameters(own);
                    rest = others;
                }
                assert!(rest.is_empty(), "one number for each parameter");
            }
        }
    }

    /// The stationary kernels that it is made of, in the order of the parameters.
    pub fn stationary_parts(&self) -> Vec<&Stationary> {
        match self {
            Self::Stationary(kernel) => vec![kernel],
            Self::Sum(parts) | Self::Product(parts) => {
                parts.iter().flat_map(Self::stationary_parts).collect()
            }
        }
    }

    /// k(x, x), the same everywhere.
    pub fn variance(&self) -> f64 {
        match self {
            Self::Stationary(kernel) => kernel.variance,
            Self::Sum(parts) => parts.iter().map(Self::variance).sum(),
            Self::Product(parts) => parts.iter().map(Self::variance).product(),
        }
    }

    /// Adds `d_variance` · ∂k(x, x)/∂ln parameter to `gradient`.
    pub fn pull_back_variance(&self, d_variance: f64, gradient: &mut [f64]) {
        match self {
            Self::Stationary(kernel) => gradient[0] += d_variance * kernel.variance,
            Self::Sum(parts) => {
                for (part, own) in split(parts, gradient) {
                    part.pull_back_variance(d_variance, own);
                }
            }
            Self::Product(parts) => {
                let all = self.variance();
                for (part, own) in split(parts, gradient) {
                    part.pull_back_variance(d_variance * all / part.variance(), own);
                }
            }
        }
    }

    /// Writes K(a, b) (n × m).
    ///
    /// # Panics
    /// If shapes do not fit.
    pub fn matrix(&self, a: Points, b: Points, to: &mut [f64], workspace: &mut Workspace) {
        self.fill(a, Some(b), to, workspace);
    }

    /// Writes the upper triangle of K(a, a) (n × n).
    ///
    /// # Panics
    /// If shapes do not fit.
    pub fn matrix_upper(&self, a: Points, to: &mut [f64], workspace: &mut Workspace) {
        self.fill(a, None, to, workspace);
    }

    fn fill(&self, a: Points, b: Option<Points>, to: &mut [f64], workspace: &mut Workspace) {
        let (parts, combine): (_, fn(&mut f64, f64)) = match self {
            Self::Stationary(kernel) => return kernel.matrix(a, b, to, workspace),
            Self::Sum(parts) => (parts, |sum, k| *sum += k),
            Self::Product(parts) => (parts, |product, k| *product *= k),
        };
        let Some((first, others)) = parts.split_first() else { return to.fill(0.0) };
        first.fill(a, b, to, workspace);
        let mut one = workspace.take(to.len());
        for part in others {
            part.fill(a, b, &mut one, workspace);
            to.iter_mut().zip(&one).for_each(|(to, k)| combine(to, *k));
        }
        workspace.put(one);
    }

    /// Adds to `gradient` the derivatives by the logarithms of the parameters, and to `d_b` (m × d)
    /// those by the points `b`, of a number L with ∂L/∂K = `dk` (n × m), where `k` is K(a, b) as
    /// [`Kernel::matrix`] wrote it.
    ///
    /// For a K(b, b) whose two arguments move together pass `b` twice and a symmetric `dk`, and
    /// double what is added to `d_b`.
    ///
    /// # Panics
    /// If shapes do not fit.
    #[expect(
        clippy::too_many_arguments,
        reason = "matrices come with the points that they belong to"
    )]
    pub fn pull_back(
        &self,
        a: Points,
        b: Points,
        k: &[f64],
        dk: &[f64],
        gradient: &mut [f64],
        d_b: Option<&mut [f64]>,
        workspace: &mut Workspace,
    ) {
        self.pull((a, Some(b)), (k, dk), gradient, d_b, workspace);
    }

    /// The pull-back for K(a, a) with a symmetric `dk`; of both matrices the upper triangle is
    /// read.
    ///
    /// # Panics
    /// If shapes do not fit.
    pub fn pull_back_upper(
        &self,
        a: Points,
        k: &[f64],
        dk: &[f64],
        gradient: &mut [f64],
        workspace: &mut Workspace,
    ) {
        self.pull((a, None), (k, dk), gradient, None, workspace);
    }

    fn pull(
        &self,
        points: (Points, Option<Points>),
        (k, dk): (&[f64], &[f64]),
        gradient: &mut [f64],
        mut d_b: Option<&mut [f64]>,
        workspace: &mut Workspace,
    ) {
        match self {
            Self::Stationary(kernel) => kernel.pull_back(points, (k, dk), gradient, d_b, workspace),
            Self::Sum(parts) => {
                let mut one = workspace.take(k.len());
                for (part, own) in split(parts, gradient) {
                    part.fill(points.0, points.1, &mut one, workspace);
                    part.pull(points, (&one, dk), own, d_b.as_deref_mut(), workspace);
                }
                workspace.put(one);
            }
            Self::Product(parts) => {
                for (place, (part, own)) in split(parts, gradient).enumerate() {
                    // ∂L/∂k_p · k_p is the same for all factors, and a stationary kernel uses
                    // nothing else.
                    if matches!(part, Self::Stationary(_)) {
                        part.pull(points, (k, dk), own, d_b.as_deref_mut(), workspace);
                        continue;
                    }
                    let mut rest = workspace.take(k.len());
                    let mut one = workspace.take(k.len());
                    rest.copy_from_slice(dk);
                    for (_, other) in parts.iter().enumerate().filter(|(other, _)| *other != place)
                    {
                        other.fill(points.0, points.1, &mut one, workspace);
                        rest.iter_mut().zip(&one).for_each(|(rest, k)| *rest *= k);
                    }
                    part.fill(points.0, points.1, &mut one, workspace);
                    part.pull(points, (&one, &rest), own, d_b.as_deref_mut(), workspace);
                    workspace.put(one);
                    workspace.put(rest);
                }
            }
        }
    }
}

/// Each part with its piece of the gradient.
fn split<'a>(
    parts: &'a [Kernel],
    gradient: &'a mut [f64],
) -> impl Iterator<Item = (&'a Kernel, &'a mut [f64])> {
    let mut rest = gradient;
    parts.iter().map(move |part| {
        let (own, others) = std::mem::take(&mut rest).split_at_mut(part.parameters());
        rest = others;
        (part, own)
    })
}

//! Define the operations that make the matrices of a tape.

use super::activation::Activation;

/// A matrix on a tape, by its position. `Tape::reset` makes it invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Var(pub(super) usize);

/// The operation that made a matrix.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Constant,
    /// Parameters, from this position of the flat slice on.
    Parameter(usize),
    Product {
        left: Var,
        right: Var,
        transposed: (bool, bool),
    },
    Dense {
        input: Var,
        weights: Var,
        bias: Var,
        activation: Activation,
    },
    Elementwise(ElementwiseKind, Var),
    Binary(BinaryKind, Var, Var),
    /// A function of up to four matrices of one shape, element by element; its derivatives are
    /// stored after its value.
    Pointwise([Option<Var>; 4]),
    Sum(Var),
    LogSumExp(Var),
    /// Columns from this one on.
    Columns(Var, usize),
    /// Rows whose numbers are in `Tape::indices` from this position on.
    Gather(Var, usize),
    Cholesky(Var),
    /// L⁻¹ B, of L and B.
    Solve(Var, Var),
    LnDeterminant(Var),
    Diagonal(Var),
    SquaredDistances(Var, Var, Var),
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum BinaryKind {
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// A function of one number.
#[derive(Clone, Copy, Debug)]
pub(super) enum ElementwiseKind {
    Exp,
    Ln,
    Ln1p,
    Sqrt,
    Square,
    LnGamma,
    Relu,
    Tanh,
    Softplus,
    Sigmoid,
    /// factor · x + shift.
    Affine(f64, f64),
    /// The kernel as a function of the squared distance.
    Rbf,
}

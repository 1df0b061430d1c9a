//! Record operations, and walk them back.

use std::mem::MaybeUninit;

use super::binary::BinaryKind;
use super::elementwise::ElementwiseKind;
use super::{
    Activation, binary, columns, dense, distances, elementwise, factorisation, leaves, pointwise, product, reductions,
};

/// A matrix on a tape. It is a place on the tape: after [`Tape::reset`] it means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Var(pub(super) usize);

/// How a matrix came to be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Constant,
    /// From this place on in the flat parameters.
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
    /// A function of up to four matrices of one shape, element by element; its derivatives lie behind its value.
    Pointwise([Option<Var>; 4]),
    Sum(Var),
    RowSums(Var),
    ColumnSums(Var),
    LogSumExp(Var),
    /// Columns from this one on.
    Columns(Var, usize),
    /// Side by side.
    Beside(Var, Var),
    /// Rows at `Tape::indices` from this place on.
    Gather(Var, usize),
    Cholesky(Var),
    Solve {
        factor: Var,
        transposed: bool,
        right: Var,
    },
    LnDeterminant(Var),
    Diagonal(Var),
    AddDiagonal(Var, Var),
    SquaredDistances(Var, Var, Var),
}

/// One matrix of the tape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub op: Op,
    pub rows: usize,
    pub columns: usize,
    /// Where its values start in the arena.
    pub start: usize,
    /// Whether a parameter or a variable stands behind it.
    pub wanted: bool,
    /// Whether its gradient holds something.
    pub touched: bool,
}

impl Node {
    pub fn len(&self) -> usize {
        self.rows * self.columns
    }
}

/// A record of operations on matrices. [`Tape::reset`] empties it and keeps its memory: recording the same operations again
/// allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    nodes: Vec<Node>,
    /// Values of all nodes, one after the other; longer than what is in use.
    values: Vec<f64>,
    /// As the values.
    gradients: Vec<f64>,
    used: usize,
    /// Rows that were gathered.
    indices: Vec<usize>,
    /// What a factorisation needs on its way.
    pub(super) scratch: Vec<MaybeUninit<u8>>,
    /// What an operation needs on its way back.
    workspace: Vec<f64>,
}

/// What a new node may read and must write.
pub(super) struct Forward<'a> {
    nodes: &'a [Node],
    before: &'a [f64],
    /// The node's value; whatever the memory held before.
    pub out: &'a mut [f64],
    /// Room behind the value that the node asked for.
    pub extra: &'a mut [f64],
}

impl<'a> Forward<'a> {
    pub fn value(&self, var: Var) -> &'a [f64] {
        let node = &self.nodes[var.0];
        &self.before[node.start..][..node.len()]
    }
}

/// Values and gradients of everything before the node whose gradient is handed on.
pub(super) struct Operands<'a> {
    nodes: &'a mut [Node],
    values: &'a [f64],
    gradients: &'a mut [f64],
    pub indices: &'a [usize],
    /// Memory for what an operation needs in between; it holds anything before.
    pub workspace: &'a mut Vec<f64>,
}

impl<'a> Operands<'a> {
    pub fn value(&self, var: Var) -> &'a [f64] {
        let node = &self.nodes[var.0];
        &self.values[node.start..][..node.len()]
    }

    pub fn shape(&self, var: Var) -> (usize, usize) {
        (self.nodes[var.0].rows, self.nodes[var.0].columns)
    }

    /// The gradient to add to; `None` where nobody wants it.
    pub fn gradient(&mut self, var: Var) -> Option<&mut [f64]> {
        let node = &mut self.nodes[var.0];
        if !node.wanted {
            return None;
        }
        let gradient = &mut self.gradients[node.start..][..node.len()];
        if !node.touched {
            node.touched = true;
            gradient.fill(0.0);
        }
        Some(gradient)
    }
}

impl Tape {
    /// An empty tape.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all operations and keeps the memory.
    pub fn reset(&mut self) {
        self.nodes.clear();
        self.indices.clear();
        self.used = 0;
    }

    /// Rows and columns.
    pub fn shape(&self, var: Var) -> (usize, usize) {
        (self.nodes[var.0].rows, self.nodes[var.0].columns)
    }

    /// The values, row by row.
    pub fn value(&self, var: Var) -> &[f64] {
        let node = &self.nodes[var.0];
        &self.values[node.start..][..node.len()]
    }

    /// The only value of a 1 × 1 matrix.
    ///
    /// # Panics
    /// If it has another shape.
    pub fn scalar(&self, var: Var) -> f64 {
        assert_eq!(self.shape(var), (1, 1), "a scalar has one row and one column");
        self.value(var)[0]
    }

    /// The gradient that the last [`Tape::backward`] found, row by row; `None` where it does not depend on a parameter or a
    /// variable, or the result does not depend on it.
    ///
    /// That of an operation's result may have been used up on the way; it holds for [`Tape::variable`]s and parameters.
    pub fn gradient(&self, var: Var) -> Option<&[f64]> {
        let node = &self.nodes[var.0];
        node.touched.then(|| &self.gradients[node.start..][..node.len()])
    }

    /// Numbers that the tape has memory for; the same before and after a warm step.
    pub fn capacity(&self) -> usize {
        let arenas = self.nodes.capacity() + self.values.capacity() + self.gradients.capacity();
        arenas + self.indices.capacity() + self.scratch.capacity() + self.workspace.capacity()
    }

    /// Adds a node of this shape with `extra` numbers behind it; it is wanted where one of its operands is.
    pub(super) fn push(&mut self, op: Op, shape: (usize, usize), extra: usize, operands: &[Var]) -> (Var, Forward<'_>) {
        let wanted = operands.iter().any(|var| self.nodes[var.0].wanted);
        self.push_leaf(op, shape, extra, wanted)
    }

    pub(super) fn push_leaf(
        &mut self,
        op: Op,
        shape: (usize, usize),
        extra: usize,
        wanted: bool,
    ) -> (Var, Forward<'_>) {
        let (rows, columns) = shape;
        let start = self.used;
        let node = Node { op, rows, columns, start, wanted, touched: false };
        self.used += node.len() + extra;
        if self.values.len() < self.used {
            self.values.resize(self.used, 0.0);
        }
        let (before, rest) = self.values.split_at_mut(start);
        let (out, rest) = rest.split_at_mut(node.len());
        let var = Var(self.nodes.len());
        self.nodes.push(node);
        (var, Forward { nodes: &self.nodes[..var.0], before, out, extra: &mut rest[..extra] })
    }

    /// Takes the last node off again.
    pub(super) fn pop(&mut self) {
        if let Some(node) = self.nodes.pop() {
            self.used = node.start;
        }
    }

    /// Notes rows for a gathering, and returns their place.
    pub(super) fn note(&mut self, rows: &[usize]) -> usize {
        let place = self.indices.len();
        self.indices.extend_from_slice(rows);
        place
    }

    /// Writes the derivatives of `result` by the parameters to `gradient`; zero where `result` does not depend on one.
    ///
    /// # Panics
    /// If `result` is not 1 × 1, or a parameter lies outside `gradient`.
    pub fn backward(&mut self, result: Var, gradient: &mut [f64]) {
        assert_eq!(self.shape(result), (1, 1), "only a 1 x 1 result can be differentiated");
        gradient.fill(0.0);
        if self.gradients.len() < self.values.len() {
            self.gradients.resize(self.values.len(), 0.0);
        }
        for node in &mut self.nodes {
            node.touched = false;
        }
        let last = &mut self.nodes[result.0];
        last.touched = last.wanted;
        self.gradients[last.start] = 1.0;
        for place in (0..=result.0).rev() {
            let node = self.nodes[place];
            if !node.touched {
                continue;
            }
            let (before, rest) = self.gradients.split_at_mut(node.start);
            let own = &mut rest[..node.len()];
            let operands = &mut Operands {
                nodes: &mut self.nodes[..place],
                values: &self.values,
                gradients: before,
                indices: &self.indices,
                workspace: &mut self.workspace,
            };
            // The node's own value lies behind its operands', in the same arena.
            let behind = &self.values[node.start..];
            match node.op {
                Op::Constant => {}
                Op::Parameter(at) => leaves::backward(own, &mut gradient[at..]),
                Op::Product { left, right, transposed } => product::backward(own, left, right, transposed, operands),
                Op::Dense { input, weights, bias, activation } => {
                    dense::backward(own, &behind[..node.len()], (input, weights, bias), activation, operands);
                }
                Op::Elementwise(kind, x) => elementwise::backward(own, &behind[..node.len()], kind, x, operands),
                Op::Binary(kind, a, b) => {
                    binary::backward(own, (node.rows, node.columns), kind, (a, b), operands);
                }
                Op::Pointwise(inputs) => pointwise::backward(own, &behind[node.len()..], &inputs, operands),
                Op::Sum(x) => reductions::sum_backward(own, x, operands),
                Op::RowSums(x) => reductions::row_sums_backward(own, x, operands),
                Op::ColumnSums(x) => reductions::column_sums_backward(own, x, operands),
                Op::LogSumExp(x) => reductions::log_sum_exp_backward(own, &behind[..node.len()], x, operands),
                Op::Columns(x, from) => columns::columns_backward(own, node.columns, x, from, operands),
                Op::Beside(a, b) => columns::beside_backward(own, a, b, operands),
                Op::Gather(x, place) => columns::gather_backward(own, node.rows, x, place, operands),
                Op::Cholesky(x) => factorisation::cholesky_backward(own, &behind[..node.len()], x, operands),
                Op::Solve { factor, transposed, right } => {
                    let system = (factor, transposed, right);
                    factorisation::solve_backward(own, &behind[..node.len()], system, operands);
                }
                Op::LnDeterminant(x) => factorisation::ln_determinant_backward(own, x, operands),
                Op::Diagonal(x) => factorisation::diagonal_backward(own, x, operands),
                Op::AddDiagonal(x, values) => factorisation::add_diagonal_backward(own, x, values, operands),
                Op::SquaredDistances(a, b, scales) => distances::backward(own, (a, b, scales), operands),
            }
        }
    }
}

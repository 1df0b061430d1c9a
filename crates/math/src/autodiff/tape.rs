//! Record operations on matrices.

use std::mem::MaybeUninit;

use super::op::{Op, Var};

/// One matrix of the tape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub op: Op,
    pub rows: usize,
    pub columns: usize,
    /// Where its values start in the arena.
    pub start: usize,
    /// Whether it depends on a parameter or a variable.
    pub wanted: bool,
    /// Whether its gradient has been written.
    pub touched: bool,
}

impl Node {
    pub fn len(&self) -> usize {
        self.rows * self.columns
    }
}

/// A record of operations on matrices. [`Tape::reset`] empties it and keeps its memory: recording
/// the same operations again allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    pub(super) nodes: Vec<Node>,
    /// Values of all nodes, one after the other. The vector may be longer than the part in use.
    pub(super) values: Vec<f64>,
    /// Gradients, in the layout of the values.
    pub(super) gradients: Vec<f64>,
    used: usize,
    /// Rows that were gathered.
    pub(super) indices: Vec<usize>,
    /// Temporary memory of factorisations.
    pub(super) scratch: Vec<MaybeUninit<u8>>,
    /// Temporary memory of the backward pass.
    pub(super) workspace: Vec<f64>,
}

/// The memory of a new node: values of earlier nodes to read, and its own to write.
pub(super) struct Forward<'a> {
    nodes: &'a [Node],
    before: &'a [f64],
    /// The node's value; it holds arbitrary numbers before.
    pub out: &'a mut [f64],
    /// The extra numbers after the value that the node requested.
    pub extra: &'a mut [f64],
}

impl<'a> Forward<'a> {
    pub fn value(&self, var: Var) -> &'a [f64] {
        let node = &self.nodes[var.0];
        &self.before[node.start..][..node.len()]
    }
}

/// Values and gradients of everything before the node whose gradient is passed on.
pub(super) struct Operands<'a> {
    pub nodes: &'a mut [Node],
    pub values: &'a [f64],
    pub gradients: &'a mut [f64],
    pub indices: &'a [usize],
    /// Temporary memory of an operation; it holds arbitrary numbers before.
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

    /// The gradient to add to; `None` where it is not needed.
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

    /// Removes all operations and keeps the memory.
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

    /// The gradient of the last [`Tape::backward`], row by row; `None` where the matrix does not
    /// depend on a parameter or a variable, or the result does not depend on the matrix.
    ///
    /// It is valid for [`Tape::variable`]s and parameters. The gradient of an operation's result
    /// may have been overwritten.
    pub fn gradient(&self, var: Var) -> Option<&[f64]> {
        let node = &self.nodes[var.0];
        node.touched.then(|| &self.gradients[node.start..][..node.len()])
    }

    /// Number of values that the tape has memory for. It does not grow when the same operations are
    /// recorded again.
    pub fn capacity(&self) -> usize {
        let arenas = self.nodes.capacity() + self.values.capacity() + self.gradients.capacity();
        arenas + self.indices.capacity() + self.scratch.capacity() + self.workspace.capacity()
    }

    /// Adds a node of this shape with `extra` numbers after it. It needs a gradient if one of its
    /// operands does.
    pub(super) fn push(
        &mut self,
        op: Op,
        shape: (usize, usize),
        extra: usize,
        operands: &[Var],
    ) -> (Var, Forward<'_>) {
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

    /// Removes the last node.
    pub(super) fn pop(&mut self) {
        if let Some(node) = self.nodes.pop() {
            self.used = node.start;
        }
    }

    /// Stores row numbers for a gather, and returns their position.
    pub(super) fn note(&mut self, rows: &[usize]) -> usize {
        let place = self.indices.len();
        self.indices.extend_from_slice(rows);
        place
    }
}

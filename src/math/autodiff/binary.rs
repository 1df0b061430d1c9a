//! Combine two matrices element by element; a single row, column or number is repeated to the other's shape.

use super::tape::{Op, Operands, Tape, Var};

/// An operation on two numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum BinaryKind {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Tape {
    /// a + b, either one repeated to the other's shape.
    pub fn add(&mut self, a: Var, b: Var) -> Var {
        self.binary(BinaryKind::Add, a, b)
    }

    /// a − b, either one repeated to the other's shape.
    pub fn subtract(&mut self, a: Var, b: Var) -> Var {
        self.binary(BinaryKind::Subtract, a, b)
    }

    /// a b element by element, either one repeated to the other's shape.
    pub fn multiply(&mut self, a: Var, b: Var) -> Var {
        self.binary(BinaryKind::Multiply, a, b)
    }

    /// a / b element by element, either one repeated to the other's shape.
    pub fn divide(&mut self, a: Var, b: Var) -> Var {
        self.binary(BinaryKind::Divide, a, b)
    }

    fn binary(&mut self, kind: BinaryKind, a: Var, b: Var) -> Var {
        let (left, right) = (self.shape(a), self.shape(b));
        let shape = (repeated(left.0, right.0), repeated(left.1, right.1));
        let (var, node) = self.push(Op::Binary(kind, a, b), shape, 0, &[a, b]);
        let (x, y) = (node.value(a), node.value(b));
        match kind {
            BinaryKind::Add => each(shape, node.out, (x, left), (y, right), |_, x, y| x + y),
            BinaryKind::Subtract => each(shape, node.out, (x, left), (y, right), |_, x, y| x - y),
            BinaryKind::Multiply => each(shape, node.out, (x, left), (y, right), |_, x, y| x * y),
            BinaryKind::Divide => each(shape, node.out, (x, left), (y, right), |_, x, y| x / y),
        }
        var
    }
}

/// The common length of two that are equal or one of which is 1.
fn repeated(a: usize, b: usize) -> usize {
    assert!(a == b || a == 1 || b == 1, "{a} and {b} rows or columns cannot be matched");
    if a == 1 { b } else { a }
}

/// A matrix and its shape.
type Shaped<'a> = (&'a [f64], (usize, usize));

/// The place in a matrix of this shape that stands for row i, column j of the larger one.
fn place((rows, columns): (usize, usize), i: usize, j: usize) -> usize {
    let (i, j) = (if rows == 1 { 0 } else { i }, if columns == 1 { 0 } else { j });
    i * columns + j
}

/// out = f(out, x, y) for each element.
#[inline]
fn each(shape: (usize, usize), out: &mut [f64], x: Shaped, y: Shaped, f: impl Fn(f64, f64, f64) -> f64) {
    if x.1 == shape && y.1 == shape {
        for ((out, x), y) in out.iter_mut().zip(x.0).zip(y.0) {
            *out = f(*out, *x, *y);
        }
        return;
    }
    for i in 0..shape.0 {
        for (j, out) in out[i * shape.1..][..shape.1].iter_mut().enumerate() {
            *out = f(*out, x.0[place(x.1, i, j)], y.0[place(y.1, i, j)]);
        }
    }
}

/// Adds f(own, x, y) of each element to the gradient of an operand of shape `to`, over all elements that it stands for.
#[inline]
fn collect(
    shape: (usize, usize),
    (gradient, to): (&mut [f64], (usize, usize)),
    own: &[f64],
    x: Shaped,
    y: Shaped,
    f: impl Fn(f64, f64, f64) -> f64,
) {
    if to == shape && x.1 == shape && y.1 == shape {
        for (((gradient, own), x), y) in gradient.iter_mut().zip(own).zip(x.0).zip(y.0) {
            *gradient += f(*own, *x, *y);
        }
        return;
    }
    for i in 0..shape.0 {
        for (j, own) in own[i * shape.1..][..shape.1].iter().enumerate() {
            gradient[place(to, i, j)] += f(*own, x.0[place(x.1, i, j)], y.0[place(y.1, i, j)]);
        }
    }
}

/// ā += c̄ ∂c/∂a and b̄ += c̄ ∂c/∂b, summed over what was repeated.
pub(super) fn backward(
    own: &[f64],
    shape: (usize, usize),
    kind: BinaryKind,
    (a, b): (Var, Var),
    operands: &mut Operands,
) {
    let (left, right) = (operands.shape(a), operands.shape(b));
    let (x, y) = ((operands.value(a), left), (operands.value(b), right));
    if let Some(gradient) = operands.gradient(a) {
        let to = (gradient, left);
        match kind {
            BinaryKind::Add | BinaryKind::Subtract => collect(shape, to, own, x, y, |c, _, _| c),
            BinaryKind::Multiply => collect(shape, to, own, x, y, |c, _, y| c * y),
            BinaryKind::Divide => collect(shape, to, own, x, y, |c, _, y| c / y),
        }
    }
    if let Some(gradient) = operands.gradient(b) {
        let to = (gradient, right);
        match kind {
            BinaryKind::Add => collect(shape, to, own, x, y, |c, _, _| c),
            BinaryKind::Subtract => collect(shape, to, own, x, y, |c, _, _| -c),
            BinaryKind::Multiply => collect(shape, to, own, x, y, |c, x, _| c * x),
            BinaryKind::Divide => collect(shape, to, own, x, y, |c, x, y| -c * x / (y * y)),
        }
    }
}

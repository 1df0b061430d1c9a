//! Combine two matrices element by element; a single row, column or number is repeated to the
//! other's shape.

use super::op::{BinaryKind, Op, Var};
use super::tape::{Operands, Tape};

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

/// The common length of two lengths that are equal or of which one is 1.
fn repeated(a: usize, b: usize) -> usize {
    assert!(a == b || a == 1 || b == 1, "{a} and {b} rows or columns cannot be matched");
    if a == 1 { b } else { a }
}

/// A matrix and its shape.
type Shaped<'a> = (&'a [f64], (usize, usize));

/// The values of row i: one for each column, or a single one that is repeated.
fn row((values, (rows, columns)): Shaped<'_>, i: usize) -> &[f64] {
    &values[if rows == 1 { 0 } else { i * columns }..][..columns]
}

/// out = f(out, x, y) for each element.
#[inline]
fn each(
    shape: (usize, usize),
    out: &mut [f64],
    x: Shaped,
    y: Shaped,
    f: impl Fn(f64, f64, f64) -> f64,
) {
    for (i, out) in out.chunks_exact_mut(shape.1.max(1)).enumerate() {
        match (row(x, i), row(y, i)) {
            ([x], [y]) => out.iter_mut().for_each(|out| *out = f(*out, *x, *y)),
            ([x], y) => out.iter_mut().zip(y).for_each(|(out, y)| *out = f(*out, *x, *y)),
            (x, [y]) => out.iter_mut().zip(x).for_each(|(out, x)| *out = f(*out, *x, *y)),
            (x, y) => out.iter_mut().zip(x).zip(y).for_each(|((out, x), y)| *out = f(*out, *x, *y)),
        }
    }
}

/// Adds f(own, x, y) of each element to the gradient of an operand of shape `to`, over all elements
/// to which it is repeated.
#[inline]
fn collect(
    shape: (usize, usize),
    (gradient, to): (&mut [f64], (usize, usize)),
    own: &[f64],
    (x, y): (Shaped, Shaped),
    f: impl Fn(f64, f64, f64) -> f64,
) {
    for (i, own) in own.chunks_exact(shape.1.max(1)).enumerate() {
        let first = if to.0 == 1 { 0 } else { i * to.1 };
        let (x, y) = (row(x, i), row(y, i));
        match &mut gradient[first..][..to.1] {
            [gradient] => along(own, x, y, &f, |share| *gradient += share),
            gradient => {
                let mut gradient = gradient.iter_mut();
                along(own, x, y, &f, |share| {
                    gradient.next().into_iter().for_each(|to| *to += share)
                });
            }
        }
    }
}

/// Passes f(own, x, y) of each element of a row to `take`.
#[inline]
fn along(
    own: &[f64],
    x: &[f64],
    y: &[f64],
    f: impl Fn(f64, f64, f64) -> f64,
    mut take: impl FnMut(f64),
) {
    match (x, y) {
        ([x], [y]) => own.iter().for_each(|own| take(f(*own, *x, *y))),
        ([x], y) => own.iter().zip(y).for_each(|(own, y)| take(f(*own, *x, *y))),
        (x, [y]) => own.iter().zip(x).for_each(|(own, x)| take(f(*own, *x, *y))),
        (x, y) => own.iter().zip(x).zip(y).for_each(|((own, x), y)| take(f(*own, *x, *y))),
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
    let both = ((operands.value(a), left), (operands.value(b), right));
    if let Some(gradient) = operands.gradient(a) {
        let to = (gradient, left);
        match kind {
            BinaryKind::Add | BinaryKind::Subtract => collect(shape, to, own, both, |c, _, _| c),
            BinaryKind::Multiply => collect(shape, to, own, both, |c, _, y| c * y),
            BinaryKind::Divide => collect(shape, to, own, both, |c, _, y| c / y),
        }
    }
    if let Some(gradient) = operands.gradient(b) {
        let to = (gradient, right);
        match kind {
            BinaryKind::Add => collect(shape, to, own, both, |c, _, _| c),
            BinaryKind::Subtract => collect(shape, to, own, both, |c, _, _| -c),
            BinaryKind::Multiply => collect(shape, to, own, both, |c, x, _| c * x),
            BinaryKind::Divide => collect(shape, to, own, both, |c, x, y| -c * x / (y * y)),
        }
    }
}

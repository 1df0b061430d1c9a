//! Walk a tape backwards: each operation passes its gradient on to its operands.

use super::op::{Op, Var};
use super::tape::{Operands, Tape};
use super::{
    binary, columns, dense, distances, elementwise, factorisation, leaves, pointwise, product,
    reductions,
};

impl Tape {
    /// Writes the derivatives of `result` by the parameters to `gradient`; zero where `result` does
    /// not depend on one.
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
                Op::Product { left, right, transposed } => {
                    product::backward(own, left, right, transposed, operands)
                }
                Op::Dense { input, weights, bias, activation } => {
                    dense::backward(
                        own,
                        &behind[..node.len()],
                        (input, weights, bias),
                        activation,
                        operands,
                    );
                }
                Op::Elementwise(kind, x) => {
                    elementwise::backward(own, &behind[..node.len()], kind, x, operands)
                }
                Op::Binary(kind, a, b) => {
                    binary::backward(own, (node.rows, node.columns), kind, (a, b), operands);
                }
                Op::Pointwise(inputs) => {
                    pointwise::backward(own, &behind[node.len()..], &inputs, operands)
                }
                Op::Sum(x) => reductions::sum_backward(own, x, operands),
                Op::LogSumExp(x) => {
                    reductions::log_sum_exp_backward(own, &behind[..node.len()], x, operands)
                }
                Op::Columns(x, from) => {
                    columns::columns_backward(own, node.columns, x, from, operands)
                }
                Op::Gather(x, place) => {
                    columns::gather_backward(own, node.rows, x, place, operands)
                }
                Op::Cholesky(x) => {
                    factorisation::cholesky_backward(own, &behind[..node.len()], x, operands)
                }
                Op::Solve(factor, right) => {
                    factorisation::solve_backward(
                        own,
                        &behind[..node.len()],
                        (factor, right),
                        operands,
                    );
                }
                Op::LnDeterminant(x) => factorisation::ln_determinant_backward(own, x, operands),
                Op::Diagonal(x) => factorisation::diagonal_backward(own, x, operands),
                Op::SquaredDistances(a, b, scales) => {
                    distances::backward(own, (a, b, scales), operands)
                }
            }
        }
    }
}

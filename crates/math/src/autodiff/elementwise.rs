//! Apply a function to each element.

use faer::traits::pulp::{Arch, Simd, WithSimd};
use statrs::function::gamma::{digamma, ln_gamma};

use super::activation::{Bend, Relu, Sigmoid, Softplus, Tanh};
use super::op::{ElementwiseKind, Op, Var};
use super::tape::{Operands, Tape};
use uq_core::math::vectorised::{exp, ln};

impl Tape {
    /// eˣ.
    pub fn exp(&mut self, x: Var) -> Var {
        self.elementwise(ElementwiseKind::Exp, x)
    }

    /// ln x.
    pub fn ln(&mut self, x: Var) -> Var {
        self.elementwise(ElementwiseKind::Ln, x)
    }

    /// ln(1 + x).
    pub fn ln_1p(&mut self, x: Var) -> Var {
        self.elementwise(ElementwiseKind::Ln1p, x)
    }

    /// √x.
    pub fn sqrt(&mut self, x: Var) -> Var {
        self.elementwise(ElementwiseKind::Sqrt, x)
    }

    /// x².
    pub fn square(&mut self, x: Var) -> Var {
        self.elementwise(ElementwiseKind::Square, x)
    }

    /// ln Γ(x), for x > 0.
    pub fn ln_gamma(&mut self, x: Var) -> Var {
        self.elementwise(ElementwiseKind::LnGamma, x)
    }

    /// max(x, 0).
    pub fn relu(&mut self, x: Var) -> Var {
        self.elementwise(ElementwiseKind::Relu, x)
    }

    /// The hyperbolic tangent.
    pub fn tanh(&mut self, x: Var) -> Var {
        self.elementwise(ElementwiseKind::Tanh, x)
    }

    /// ln(1 + eˣ).
    pub fn softplus(&mut self, x: Var) -> Var {
        self.elementwise(ElementwiseKind::Softplus, x)
    }

    /// 1 / (1 + e⁻ˣ).
    pub fn sigmoid(&mut self, x: Var) -> Var {
        self.elementwise(ElementwiseKind::Sigmoid, x)
    }

    /// The squared-exponential kernel exp(−r²/2) of squared distances r².
    pub fn rbf(&mut self, squared_distances: Var) -> Var {
        self.elementwise(ElementwiseKind::Rbf, squared_distances)
    }

    /// factor · x + shift, both constants.
    pub fn affine(&mut self, x: Var, factor: f64, shift: f64) -> Var {
        self.elementwise(ElementwiseKind::Affine(factor, shift), x)
    }

    /// factor · x, a constant factor.
    pub fn scale(&mut self, x: Var, factor: f64) -> Var {
        self.affine(x, factor, 0.0)
    }

    fn elementwise(&mut self, kind: ElementwiseKind, x: Var) -> Var {
        let shape = self.shape(x);
        let (var, node) = self.push(Op::Elementwise(kind, x), shape, 0, &[x]);
        dispatch(kind, Forwards { x: node.value(x), y: node.out });
        var
    }
}

/// x̄ += ȳ f'(x).
pub(super) fn backward(
    own: &[f64],
    outputs: &[f64],
    kind: ElementwiseKind,
    x: Var,
    operands: &mut Operands,
) {
    let inputs = operands.value(x);
    if let Some(gradient) = operands.gradient(x) {
        dispatch(kind, Backwards { x: inputs, y: outputs, own, gradient });
    }
}

/// A function as the inner loops need it.
trait Curve: Copy {
    fn value(self, x: f64) -> f64;
    /// f'(x), where y = f(x).
    fn slope(self, x: f64, y: f64) -> f64;
}

/// A loop over elements.
trait Loop {
    fn run<C: Curve>(self, curve: C);
}

macro_rules! curves {
    ($($name:ident: |$x:ident, $y:ident| $value:expr, $slope:expr;)*) => {$(
        #[derive(Clone, Copy)]
        struct $name;

        impl Curve for $name {
            #[inline(always)]
            fn value(self, $x: f64) -> f64 {
                $value
            }

            #[inline(always)]
            #[allow(unused_variables, reason = "a slope may need only x or only y")]
            fn slope(self, $x: f64, $y: f64) -> f64 {
                $slope
            }
        }
    )*};
}

curves! {
    Exp: |x, y| exp(x), y;
    Ln: |x, y| ln(x), 1.0 / x;
    Ln1p: |x, y| x.ln_1p(), 1.0 / (1.0 + x);
    Sqrt: |x, y| x.sqrt(), 0.5 / y;
    Square: |x, y| x * x, 2.0 * x;
    LnGamma: |x, y| ln_gamma(x), digamma(x);
    BentRelu: |x, y| Relu::value(x), Relu::slope(y);
    BentTanh: |x, y| Tanh::value(x), Tanh::slope(y);
    BentSoftplus: |x, y| Softplus::value(x), Softplus::slope(y);
    BentSigmoid: |x, y| Sigmoid::value(x), Sigmoid::slope(y);
    Rbf: |x, y| exp(-0.5 * x), -0.5 * y;
}

#[derive(Clone, Copy)]
struct Affine(f64, f64);

impl Curve for Affine {
    #[inline(always)]
    fn value(self, x: f64) -> f64 {
        self.0 * x + self.1
    }

    #[inline(always)]
    fn slope(self, _: f64, _: f64) -> f64 {
        self.0
    }
}

fn dispatch(kind: ElementwiseKind, work: impl Loop) {
    match kind {
        ElementwiseKind::Exp => work.run(Exp),
        ElementwiseKind::Ln => work.run(Ln),
        ElementwiseKind::Ln1p => work.run(Ln1p),
        ElementwiseKind::Sqrt => work.run(Sqrt),
        ElementwiseKind::Square => work.run(Square),
        ElementwiseKind::LnGamma => work.run(LnGamma),
        ElementwiseKind::Relu => work.run(BentRelu),
        ElementwiseKind::Tanh => work.run(BentTanh),
        ElementwiseKind::Softplus => work.run(BentSoftplus),
        ElementwiseKind::Sigmoid => work.run(BentSigmoid),
        ElementwiseKind::Affine(factor, shift) => work.run(Affine(factor, shift)),
        ElementwiseKind::Rbf => work.run(Rbf),
    }
}

struct Forwards<'a> {
    x: &'a [f64],
    y: &'a mut [f64],
}

struct Backwards<'a> {
    x: &'a [f64],
    y: &'a [f64],
    own: &'a [f64],
    gradient: &'a mut [f64],
}

/// A loop with its function, compiled for the processor's vectors.
struct Vectorised<L, C>(L, C);

impl Loop for Forwards<'_> {
    fn run<C: Curve>(self, curve: C) {
        Arch::new().dispatch(Vectorised(self, curve));
    }
}

impl<C: Curve> WithSimd for Vectorised<Forwards<'_>, C> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self(Forwards { x, y }, curve) = self;
        for (y, x) in y.iter_mut().zip(x) {
            *y = curve.value(*x);
        }
    }
}

impl Loop for Backwards<'_> {
    fn run<C: Curve>(self, curve: C) {
        Arch::new().dispatch(Vectorised(self, curve));
    }
}

impl<C: Curve> WithSimd for Vectorised<Backwards<'_>, C> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self(Backwards { x, y, own, gradient }, curve) = self;
        for (((gradient, own), x), y) in gradient.iter_mut().zip(own).zip(x).zip(y) {
            *gradient += own * curve.slope(*x, *y);
        }
    }
}

//! Apply a layer's activation function, and compute its derivative from its output.

use std::marker::PhantomData;

use faer::traits::pulp::{Arch, Simd, WithSimd};

use uq_core::math::vectorised::{exp, sigmoid, softplus, tanh};

/// The activation function of a dense layer, applied to each element of x W + b.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// Nothing.
    Identity,
    /// max(z, 0).
    Relu,
    /// The hyperbolic tangent.
    Tanh,
    /// ln(1 + eᶻ).
    Softplus,
    /// 1 / (1 + e⁻ᶻ).
    Sigmoid,
}

impl Activation {
    /// Replaces each z by y(z).
    pub fn apply(self, values: &mut [f64]) {
        if self != Self::Identity {
            self.run(Apply(values));
        }
    }

    /// Multiplies each derivative by y with dy/dz, computed from the `outputs` y.
    pub fn chain(self, outputs: &[f64], derivatives: &mut [f64]) {
        if self != Self::Identity {
            self.run(Chain(outputs, derivatives));
        }
    }

    /// Does work whose inner loops have this activation, in the processor's own instructions.
    pub fn run<W: Bent>(self, work: W) -> W::Output {
        match self {
            Self::Identity => Arch::new().dispatch(With::<W, Identity>(work, PhantomData)),
            Self::Relu => Arch::new().dispatch(With::<W, Relu>(work, PhantomData)),
            Self::Tanh => Arch::new().dispatch(With::<W, Tanh>(work, PhantomData)),
            Self::Softplus => Arch::new().dispatch(With::<W, Softplus>(work, PhantomData)),
            Self::Sigmoid => Arch::new().dispatch(With::<W, Sigmoid>(work, PhantomData)),
        }
    }
}

/// Work in whose inner loops there is an activation.
pub trait Bent {
    /// Its result.
    type Output;

    /// Does the work. An implementation must be `inline(always)`: else it is not compiled for the
    /// processor's own instructions.
    fn run<B: Bend, S: Simd>(self, simd: S) -> Self::Output;
}

struct With<W, B>(W, PhantomData<B>);

impl<W: Bent, B: Bend> WithSimd for With<W, B> {
    type Output = W::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> W::Output {
        self.0.run::<B, S>(simd)
    }
}

/// An activation as the inner loops need it.
pub trait Bend {
    /// y(z).
    fn value(z: f64) -> f64;
    /// dy/dz as a function of y.
    fn slope(y: f64) -> f64;
    /// Replaces each z by y(z).
    #[inline(always)]
    fn replace<S: Simd>(_: S, values: &mut [f64]) {
        values.iter_mut().for_each(|value| *value = Self::value(*value));
    }
}

struct Identity;
pub(super) struct Relu;
pub(super) struct Tanh;
pub(super) struct Softplus;
pub(super) struct Sigmoid;

impl Bend for Identity {
    #[inline(always)]
    fn value(z: f64) -> f64 {
        z
    }

    #[inline(always)]
    fn slope(_: f64) -> f64 {
        1.0
    }
}

impl Bend for Relu {
    /// Keeps a NaN.
    #[inline(always)]
    fn value(z: f64) -> f64 {
        if z < 0.0 { 0.0 } else { z }
    }

    #[inline(always)]
    fn slope(y: f64) -> f64 {
        if y > 0.0 { 1.0 } else { 0.0 }
    }

    /// The larger one of 0 and z, which is z where z is not a number. Of a choice between 0 and the
    /// number that is there the compiler makes a masked store, which took 29 % of the time of the
    /// loop over the output of MC-Dropout on an AMD EPYC.
    #[inline(always)]
    fn replace<S: Simd>(simd: S, values: &mut [f64]) {
        // Without vectors the larger one of 0 and no number is 0.
        let (whole, rest) =
            if S::F64_LANES > 1 { S::as_mut_simd_f64s(values) } else { (&mut [][..], values) };
        let zero = simd.splat_f64s(0.0);
        whole.iter_mut().for_each(|z| *z = simd.max_f64s(zero, *z));
        rest.iter_mut().for_each(|z| *z = Self::value(*z));
    }
}

impl Bend for Tanh {
    #[inline(always)]
    fn value(z: f64) -> f64 {
        tanh(z)
    }

    #[inline(always)]
    fn slope(y: f64) -> f64 {
        1.0 - y * y
    }
}

impl Bend for Softplus {
    #[inline(always)]
    fn value(z: f64) -> f64 {
        softplus(z)
    }

    /// 1 − e⁻ʸ, for small y by its series.
    #[inline(always)]
    fn slope(y: f64) -> f64 {
        let series = y * (1.0 - y * (0.5 - y * (1.0 / 6.0)));
        if y < 1e-4 { series } else { 1.0 - exp(-y) }
    }
}

impl Bend for Sigmoid {
    #[inline(always)]
    fn value(z: f64) -> f64 {
        sigmoid(z)
    }

    #[inline(always)]
    fn slope(y: f64) -> f64 {
        y * (1.0 - y)
    }
}

struct Apply<'a>(&'a mut [f64]);

impl Bent for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bend, S: Simd>(self, simd: S) {
        B::replace(simd, self.0);
    }
}

struct Chain<'a>(&'a [f64], &'a mut [f64]);

impl Bent for Chain<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bend, S: Simd>(self, _: S) {
        for (derivative, y) in self.1.iter_mut().zip(self.0) {
            *derivative *= B::slope(*y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_replaced_by_their_values_to_the_last_bit() {
        let special = [f64::NAN, -0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY, -1e-310, 1e-310];
        for count in [0, 1, 3, 4, 17, 50] {
            let numbers = (0..count).map(|i| f64::from((i * 29) % 23) - 11.0);
            let z: Vec<f64> =
                special.iter().copied().chain(numbers).skip(usize::from(count == 3)).collect();
            let mut found = z.clone();
            Activation::Relu.apply(&mut found);
            let bits =
                |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(
                bits(&found),
                bits(&z.iter().map(|&z| Relu::value(z)).collect::<Vec<_>>()),
                "{z:?}"
            );
        }
    }
}

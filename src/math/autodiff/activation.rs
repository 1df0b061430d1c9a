//! Apply a layer's activation function, and compute its derivative from its output.

use faer::traits::pulp::{Arch, Simd, WithSimd};

use crate::math::vectorised::{exp, sigmoid, softplus, tanh};

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
        match self {
            Self::Identity => {}
            Self::Relu => Arch::new().dispatch(Apply::<Relu>::new(values)),
            Self::Tanh => Arch::new().dispatch(Apply::<Tanh>::new(values)),
            Self::Softplus => Arch::new().dispatch(Apply::<Softplus>::new(values)),
            Self::Sigmoid => Arch::new().dispatch(Apply::<Sigmoid>::new(values)),
        }
    }

    /// Multiplies each derivative by y with dy/dz, computed from the `outputs` y.
    pub(super) fn chain(self, outputs: &[f64], derivatives: &mut [f64]) {
        match self {
            Self::Identity => {}
            Self::Relu => Arch::new().dispatch(Chain::<Relu>::new(outputs, derivatives)),
            Self::Tanh => Arch::new().dispatch(Chain::<Tanh>::new(outputs, derivatives)),
            Self::Softplus => Arch::new().dispatch(Chain::<Softplus>::new(outputs, derivatives)),
            Self::Sigmoid => Arch::new().dispatch(Chain::<Sigmoid>::new(outputs, derivatives)),
        }
    }
}

/// An activation as the inner loops need it.
pub(super) trait Bend {
    fn value(z: f64) -> f64;
    /// dy/dz as a function of y.
    fn slope(y: f64) -> f64;
}

pub(super) struct Relu;
pub(super) struct Tanh;
pub(super) struct Softplus;
pub(super) struct Sigmoid;

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

struct Apply<'a, B>(&'a mut [f64], std::marker::PhantomData<B>);

impl<'a, B> Apply<'a, B> {
    fn new(values: &'a mut [f64]) -> Self {
        Self(values, std::marker::PhantomData)
    }
}

impl<B: Bend> WithSimd for Apply<'_, B> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for value in self.0 {
            *value = B::value(*value);
        }
    }
}

struct Chain<'a, B>(&'a [f64], &'a mut [f64], std::marker::PhantomData<B>);

impl<'a, B> Chain<'a, B> {
    fn new(outputs: &'a [f64], derivatives: &'a mut [f64]) -> Self {
        Self(outputs, derivatives, std::marker::PhantomData)
    }
}

impl<B: Bend> WithSimd for Chain<'_, B> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (derivative, y) in self.1.iter_mut().zip(self.0) {
            *derivative *= B::slope(*y);
        }
    }
}

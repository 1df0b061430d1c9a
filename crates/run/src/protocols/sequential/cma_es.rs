//! Draw the next point of an evolution strategy from all values so far: separable CMA-ES, a control
//! without any model.
//!
//! A generation of λ = 4 + ⌊3 ln d⌋ points is drawn from N(m, σ² C), C diagonal. Then the mean
//! moves to the weighted better half, and C and σ adapt. The strategy starts at the best starting
//! point with σ = 0.2 of the cube's side. Points outside are moved to the side, and count where
//! they lie. Every state is computed anew from the values, so that a stopped trial goes on.
//!
//! References: N. Hansen: *The CMA evolution strategy: a tutorial*, arXiv:1604.00772, 2016; R. Ros,
//! N. Hansen: *A simple modification in CMA-ES achieving linear time and space complexity*, PPSN
//! 2008.

use super::criterion::largest;
use super::evaluated::Evaluated;
use uq_core::math::random::Streams;
use uq_math::normal_draws::fill_standard_normal;

/// Standard deviation of the first generation.
const FIRST_STEP: f64 = 0.2;

/// A generation's distribution and its paths.
struct State {
    mean: Vec<f64>,
    step: f64,
    /// Diagonal of C.
    variances: Vec<f64>,
    step_path: Vec<f64>,
    path: Vec<f64>,
}

/// Constants of the strategy in d dimensions; names are the tutorial's.
struct Rates {
    weights: Vec<f64>,
    mu_eff: f64,
    c_sigma: f64,
    d_sigma: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
    /// E|N(0, I)|.
    chi: f64,
}

/// Points of a generation.
fn offspring(d: usize) -> usize {
    4 + (3.0 * (d as f64).ln()).floor() as usize
}

impl Rates {
    fn new(d: usize) -> Self {
        let (lambda, d) = (offspring(d) as f64, d as f64);
        let half = (lambda / 2.0).floor() as usize;
        let raw: Vec<f64> =
            (1..=half).map(|i| (lambda / 2.0 + 0.5).ln() - (i as f64).ln()).collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / sum).collect();
        let mu_eff = weights.iter().map(|w| w * w).sum::<f64>().recip();
        let c_sigma = (mu_eff + 2.0) / (d + mu_eff + 5.0);
        let d_sigma = 1.0 + 2.0 * (((mu_eff - 1.0) / (d + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma;
        let c_c = (4.0 + mu_eff / d) / (d + 4.0 + 2.0 * mu_eff / d);
        // A diagonal has fewer numbers to learn, so that it learns (d + 2)/3 times as fast.
        let faster = (d + 2.0) / 3.0;
        let c_1 = (2.0 / ((d + 1.3).powi(2) + mu_eff) * faster).min(1.0);
        let c_mu = (2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((d + 2.0).powi(2) + mu_eff) * faster)
            .min(1.0 - c_1);
        let chi = d.sqrt() * (1.0 - 1.0 / (4.0 * d) + 1.0 / (21.0 * d * d));
        Self { weights, mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi }
    }
}

/// The next point after `start` points that no strategy chose; `None` where none of those has a
/// value.
pub fn next_point(known: &Evaluated, start: usize, streams: &Streams) -> Option<Vec<f64>> {
    let d = known.points.ncols();
    let of_start: Vec<f64> = known.values[..start]
        .iter()
        .map(|v| if v.is_nan() { f64::NEG_INFINITY } else { *v })
        .collect();
    let first = largest(&of_start);
    if of_start.get(first).is_none_or(|value| *value == f64::NEG_INFINITY) {
        return None;
    }
    let (lambda, rates) = (offspring(d), Rates::new(d));
    let mut state = State {
        mean: known.points.row(first).to_vec(),
        step: FIRST_STEP,
        variances: vec![1.0; d],
        step_path: vec![0.0; d],
        path: vec![0.0; d],
    };
    let chosen = known.values.len() - start;
    for generation in 0..chosen / lambda {
        state.adapt(known, start + generation * lambda, lambda, (generation + 1, &rates));
    }
    let mut draw = vec![0.0; d];
    fill_standard_normal(&mut draw, &mut streams.stream("offspring", chosen as u64));
    let coordinate = |j: usize| {
        (state.mean[j] + state.step * state.variances[j].sqrt() * draw[j]).clamp(0.0, 1.0)
    };
    Some((0..d).map(coordinate).collect())
}

impl State {
    /// Adapts to the generation of `lambda` points from place `from`; `count` is its number, from
    /// 1.
    fn adapt(
        &mut self,
        known: &Evaluated,
        from: usize,
        lambda: usize,
        (count, rates): (usize, &Rates),
    ) {
        let d = self.mean.len() as f64;
        let mut order: Vec<usize> = (from..from + lambda).collect();
        let loss =
            |i: usize| if known.values[i].is_nan() { f64::INFINITY } else { -known.values[i] };
        order.sort_by(|a, b| loss(*a).total_cmp(&loss(*b)));
        let step_of =
            |i: usize, j: usize, state: &Self| (known.points[(i, j)] - state.mean[j]) / state.step;
        let weighted = |j: usize, state: &Self, power: i32| -> f64 {
            rates
                .weights
                .iter()
                .zip(&order)
                .map(|(w, i)| w * step_of(*i, j, state).powi(power))
                .sum()
        };
        let places = 0..self.mean.len();
        let moves: Vec<f64> = places.clone().map(|j| weighted(j, self, 1)).collect();
        let squares: Vec<f64> = places.clone().map(|j| weighted(j, self, 2)).collect();
        let gain = |c: f64| (c * (2.0 - c) * rates.mu_eff).sqrt();
        for j in places.clone() {
            let whitened = moves[j] / self.variances[j].sqrt();
            self.step_path[j] =
                (1.0 - rates.c_sigma) * self.step_path[j] + gain(rates.c_sigma) * whitened;
        }
        let length = self.step_path.iter().map(|p| p * p).sum::<f64>().sqrt();
        let settled = (1.0 - (1.0 - rates.c_sigma).powi(2 * count as i32)).sqrt();
        // A path that is long because the step is too small must not enter C.
        let counts = f64::from(length / settled < (1.4 + 2.0 / (d + 1.0)) * rates.chi);
        for j in places {
            self.path[j] = (1.0 - rates.c_c) * self.path[j] + counts * gain(rates.c_c) * moves[j];
            let lost = (1.0 - counts) * rates.c_c * (2.0 - rates.c_c);
            let kept = 1.0 - rates.c_1 - rates.c_mu + rates.c_1 * lost;
            let rank_one = rates.c_1 * self.path[j].powi(2);
            self.variances[j] = kept * self.variances[j] + rank_one + rates.c_mu * squares[j];
            self.mean[j] += self.step * moves[j];
        }
        self.step *= ((length / rates.chi - 1.0) * rates.c_sigma / rates.d_sigma).exp();
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;
    use uqbench_data::objectives::Evaluation;

    fn run(d: usize, evaluations: usize, f: impl Fn(&[f64]) -> f64) -> Evaluated {
        let evaluate = |x: &[f64]| Evaluation { value: f(x), constraint: f64::NAN };
        let mut known = Evaluated::at(Array2::from_elem((1, d), 0.9), &evaluate);
        for _ in 0..evaluations {
            let point = next_point(&known, 1, &Streams::new(1, "cma-es")).unwrap();
            known.add(&point, &evaluate);
        }
        known
    }

    fn best(known: &Evaluated) -> f64 {
        known.values[known.best().unwrap()]
    }

    #[test]
    fn a_sphere_and_a_scaled_sphere_are_solved() {
        let sphere = |x: &[f64]| -x.iter().map(|x| (x - 0.3).powi(2)).sum::<f64>();
        assert!(best(&run(5, 1500, sphere)) > -1e-10);
        let scaled = |x: &[f64]| {
            -x.iter()
                .enumerate()
                .map(|(j, x)| 10_f64.powi(j as i32) * (x - 0.3).powi(2))
                .sum::<f64>()
        };
        assert!(best(&run(5, 2500, scaled)) > -1e-8);
    }

    #[test]
    fn an_optimum_at_a_side_is_found_and_undefined_values_are_worst() {
        let corner = run(4, 800, |x| x.iter().sum());
        assert!(best(&corner) > 4.0 - 1e-6, "{}", best(&corner));
        let half = run(3, 900, |x| {
            if x[0] > 0.6 && x[0] < 0.89 { f64::NAN } else { -(x[0] - 0.55).powi(2) - x[1] - x[2] }
        });
        assert!(best(&half) > -0.15, "{}", best(&half));
    }

    #[test]
    fn without_a_start_there_is_no_point() {
        let evaluate = |_: &[f64]| Evaluation { value: f64::NAN, constraint: f64::NAN };
        let known = Evaluated::at(Array2::from_elem((2, 3), 0.5), &evaluate);
        assert_eq!(next_point(&known, 2, &Streams::new(1, "cma-es")), None);
    }
}

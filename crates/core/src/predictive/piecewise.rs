//! Represent a density that is constant between edges (a histogram), with exponential tails beyond
//! the outermost edges.
//!
//! With the probabilities L and R and the scales s and t of the tails, the distribution function is
//! L exp((x − e₀)/s) below the first edge e₀, linear between edges, and 1 − R exp(−(x − e_K)/t)
//! above the last one. A tail without probability is none. The integrals of the CRPS follow from F
//! and 1 − F being lines or exponentials.

use ndarray::{Array2, ArrayView1};

use super::crps::crps_piece;
use super::distribution::{finite, ln_of_probability};
use super::mixture::ln_sum_exp;
use super::validate::{self, weight_row};
use super::{Distribution, Exactness, InvalidPredictive, Quantity};

/// A piecewise constant density with K pieces at each of n points.
#[derive(Clone, Debug, PartialEq)]
pub struct Piecewise {
    /// Edges of the pieces, n × (K + 1), or 1 × (K + 1) where all points share them; increasing
    /// along a row.
    pub edges: Array2<f64>,
    /// Probabilities of the pieces, n × K.
    pub masses: Array2<f64>,
    /// Probability and scale of the lower tail, then of the upper one: n × 4, or 1 × 4 where all
    /// points share them. A row of masses with both probabilities sums to one.
    pub tails: Array2<f64>,
}

/// An exponential tail, by the distance from its edge.
#[derive(Clone, Copy)]
struct Tail {
    mass: f64,
    scale: f64,
}

impl Tail {
    /// The probability of more than this distance.
    fn beyond(self, distance: f64) -> f64 {
        if self.mass == 0.0 { 0.0 } else { self.mass * (-distance / self.scale).exp() }
    }

    /// ln of the probability between two distances; −∞ where there is none.
    fn ln_between(self, near: f64, far: f64) -> f64 {
        if self.mass == 0.0 || near >= far {
            return f64::NEG_INFINITY;
        }
        self.mass.ln() - near / self.scale + (-(-(far - near) / self.scale).exp_m1()).ln()
    }

    fn ln_density(self, distance: f64) -> f64 {
        if self.mass == 0.0 {
            f64::NEG_INFINITY
        } else {
            self.mass.ln() - self.scale.ln() - distance / self.scale
        }
    }

    /// ∫ B² between two distances, where B is the probability beyond a distance.
    fn square(self, near: f64, far: f64) -> f64 {
        if self.mass == 0.0 || near >= far {
            return 0.0;
        }
        let (a, b) = (self.beyond(near), self.beyond(far));
        0.5 * self.scale * (a - b) * (a + b)
    }

    /// ∫ (1 − B)² between two distances.
    fn complement_square(self, near: f64, far: f64) -> f64 {
        if near >= far {
            return 0.0;
        }
        let linear = if self.mass == 0.0 {
            0.0
        } else {
            2.0 * self.scale * (self.beyond(near) - self.beyond(far))
        };
        // Rounding must not make a short interval negative.
        (far - near - linear + self.square(near, far)).max(0.0)
    }

    /// The part of the CRPS between two distances, where the outcome has this distance. It is the
    /// same on both sides: F or 1 − F is B, squared farther out than the outcome, and 1 − B nearer
    /// than it.
    fn crps(self, near: f64, far: f64, outcome: f64) -> f64 {
        self.complement_square(near, far.min(outcome)) + self.square(near.max(outcome), far)
    }
}

/// The distribution at one point.
struct Row<'a> {
    edges: ArrayView1<'a, f64>,
    masses: ArrayView1<'a, f64>,
    lower: Tail,
    upper: Tail,
}

impl Row<'_> {
    fn first(&self) -> f64 {
        self.edges[0]
    }

    fn last(&self) -> f64 {
        self.edges[self.masses.len()]
    }

    /// Lower edge, upper edge and probability of each piece.
    fn pieces(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        (0..self.masses.len()).map(|k| (self.edges[k], self.edges[k + 1], self.masses[k]))
    }

    fn cdf(&self, y: f64) -> f64 {
        if y < self.first() {
            return self.lower.beyond(self.first() - y);
        }
        if y >= self.last() {
            return 1.0 - self.upper.beyond(y - self.last());
        }
        let below = |(a, b, mass): (f64, f64, f64)| mass * ((y - a) / (b - a)).clamp(0.0, 1.0);
        // Rounding must not exceed what lies below the upper tail.
        (self.lower.mass + self.pieces().map(below).sum::<f64>()).min(1.0 - self.upper.mass)
    }

    /// The density of the piece at the last edge is that below it.
    fn ln_density(&self, y: f64) -> f64 {
        if y < self.first() {
            return self.lower.ln_density(self.first() - y);
        }
        if y > self.last() {
            return self.upper.ln_density(y - self.last());
        }
        let piece =
            self.pieces().find(|(a, b, _)| *a <= y && y < *b).or_else(|| self.pieces().last());
        piece.map_or(f64::NAN, |(a, b, mass)| mass.ln() - (b - a).ln())
    }

    fn quantile(&self, level: f64) -> f64 {
        if self.lower.mass > 0.0 && level <= self.lower.mass {
            return self.first() + self.lower.scale * (level / self.lower.mass).ln();
        }
        let mut below = self.lower.mass;
        let mut end = self.first();
        for (a, b, mass) in self.pieces().filter(|piece| piece.2 > 0.0) {
            if level <= below + mass {
                return (a + (b - a) * ((level - below) / mass)).clamp(a, b);
            }
            below += mass;
            end = b;
        }
        // Without an upper tail, rounding kept the sum of all masses below the level.
        if self.upper.mass == 0.0 {
            return end;
        }
        self.last() + self.upper.scale * (self.upper.mass / (1.0 - level)).ln().max(0.0)
    }

    /// E g(Y), given the mean of g over a piece, and E g(e ± sE) for a tail from the edge e, where
    /// E is exponential.
    fn average(&self, piece: impl Fn(f64, f64) -> f64, tail: impl Fn(f64, f64) -> f64) -> f64 {
        let of_tail = |edge: f64, sign: f64, Tail { mass, scale }: Tail| {
            if mass == 0.0 { 0.0 } else { mass * tail(edge, sign * scale) }
        };
        of_tail(self.first(), -1.0, self.lower)
            + self.pieces().map(|(a, b, mass)| mass * piece(a, b)).sum::<f64>()
            + of_tail(self.last(), 1.0, self.upper)
    }

    fn ln_probability(&self, low: f64, high: f64) -> f64 {
        let (first, last) = (self.first(), self.last());
        let lower = self.lower.ln_between(first - high.min(first), first - low.min(first));
        let upper = self.upper.ln_between(low.max(last) - last, high.max(last) - last);
        let mut terms = vec![lower, upper];
        terms.extend(self.pieces().map(|(a, b, mass)| {
            let share = (high.min(b) - low.max(a)) / (b - a);
            if share > 0.0 { mass.ln() + share.ln() } else { f64::NEG_INFINITY }
        }));
        ln_sum_exp(terms.iter().copied()).min(0.0)
    }

    fn crps_within(&self, y: f64, low: f64, high: f64) -> f64 {
        let (first, last) = (self.first(), self.last());
        let mut sum = self.lower.crps(first - high.min(first), first - low.min(first), first - y);
        let mut level = self.lower.mass;
        for (a, b, mass) in self.pieces() {
            let (from, to) = (a.clamp(low, high), b.clamp(low, high));
            let at = |x: f64| if x == a { level } else { level + mass * ((x - a) / (b - a)) };
            if from < to {
                sum += crps_piece(from, to, at(from), at(to), y);
            }
            level += mass;
        }
        sum + self.upper.crps(low.max(last) - last, high.max(last) - last, y - last)
    }
}

impl Piecewise {
    pub(super) fn exactness_of(_: Quantity) -> Exactness {
        Exactness::Exact
    }

    pub(super) fn affine(&self, shift: f64, scale: f64) -> Self {
        let mut tails = self.tails.clone();
        for of_tail in [1, 3] {
            tails.column_mut(of_tail).mapv_inplace(|x| scale * x);
        }
        Self { edges: shift + scale * &self.edges, masses: self.masses.clone(), tails }
    }

    fn row(&self, i: usize) -> Row<'_> {
        let tails = weight_row(&self.tails, i);
        let tail = |at: usize| Tail { mass: tails[at], scale: tails[at + 1] };
        Row {
            edges: weight_row(&self.edges, i),
            masses: self.masses.row(i),
            lower: tail(0),
            upper: tail(2),
        }
    }
}

impl Distribution for Piecewise {
    fn len(&self) -> usize {
        self.masses.nrows()
    }

    fn mean(&self, i: usize) -> Option<f64> {
        finite(self.row(i).average(|a, b| 0.5 * (a + b), |edge, scale| edge + scale))
    }

    fn variance(&self, i: usize) -> Option<f64> {
        let mean = self.mean(i)?;
        let piece = |a: f64, b: f64| {
            let (a, b) = (a - mean, b - mean);
            (a * a + a * b + b * b) / 3.0
        };
        finite(
            self.row(i).average(piece, |edge, scale| (edge + scale - mean).powi(2) + scale * scale),
        )
    }

    fn log_density(&self, i: usize, y: f64) -> Option<f64> {
        ln_of_probability(self.row(i).ln_density(y)).filter(|_| !y.is_nan())
    }

    fn cdf(&self, i: usize, y: f64) -> Option<f64> {
        finite(self.row(i).cdf(y)).filter(|_| !y.is_nan())
    }

    fn cdf_below(&self, i: usize, y: f64) -> Option<f64> {
        self.cdf(i, y)
    }

    fn ln_probability(&self, i: usize, low: f64, high: f64) -> Option<f64> {
        if low.is_nan() || high.is_nan() {
            return None;
        }
        ln_of_probability(self.row(i).ln_probability(low, high))
    }

    fn quantile(&self, i: usize, level: f64) -> Option<f64> {
        if !(0.0..=1.0).contains(&level) {
            return None;
        }
        finite(self.row(i).quantile(level))
    }

    fn crps_within(&self, i: usize, y: f64, low: f64, high: f64) -> Option<f64> {
        finite(self.row(i).crps_within(y.clamp(low, high), low, high)).filter(|_| !y.is_nan())
    }

    fn exactness(&self, quantity: Quantity) -> Exactness {
        Self::exactness_of(quantity)
    }

    fn validate(&self) -> Result<(), InvalidPredictive> {
        let (rows, pieces) = self.masses.dim();
        validate::nonnegative_matrix("masses", self.masses.view())?;
        validate::finite_matrix("edges", self.edges.view())?;
        validate::nonnegative_matrix("tails", self.tails.view())?;
        validate::length("a row of edges", self.edges.ncols(), pieces + 1)?;
        validate::length("a row of tails", self.tails.ncols(), 4)?;
        for (what, of) in
            [("the column of edges", &self.edges), ("the column of tails", &self.tails)]
        {
            if of.nrows() != 1 {
                validate::length(what, of.nrows(), rows)?;
            }
        }
        for (row, edges) in self.edges.rows().into_iter().enumerate() {
            if let Some(k) = (1..edges.len()).find(|&k| edges[k] <= edges[k - 1]) {
                return Err(InvalidPredictive::Edges { row, lower: edges[k - 1], upper: edges[k] });
            }
        }
        for row in 0..rows {
            let Row { masses, lower, upper, .. } = self.row(row);
            for tail in [lower, upper] {
                if tail.mass > 0.0 && tail.scale == 0.0 {
                    return Err(InvalidPredictive::NotPositive {
                        what: "the scale of a tail",
                        row,
                        found: tail.scale,
                    });
                }
            }
            validate::total(
                "masses, with those of the tails,",
                row,
                masses.sum() + lower.mass + upper.mass,
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    /// Three pieces, one of them empty, and tails of other sizes.
    fn example() -> Piecewise {
        Piecewise {
            edges: array![[-1.0, 0.5, 1.0, 3.0]],
            masses: array![[0.3, 0.0, 0.45]],
            tails: array![[0.1, 0.7, 0.15, 1.9]],
        }
    }

    /// Simpson's rule between neighbouring points, which have to contain all kinks of the function.
    fn integral(points: &[f64], f: impl Fn(f64) -> f64) -> f64 {
        let between = |pair: &[f64]| {
            let (n, width) = (4000, (pair[1] - pair[0]) / 4000.0);
            // A little inside, because the density jumps at the ends.
            let f = |x: f64| f(x.clamp(pair[0] + 1e-12, pair[1] - 1e-12));
            let piece = |k: i32| {
                let a = pair[0] + width * f64::from(k);
                width / 6.0 * (f(a) + 4.0 * f(a + 0.5 * width) + f(a + width))
            };
            (0..n).map(piece).sum::<f64>()
        };
        points.windows(2).map(between).sum()
    }

    /// The edges with ends that leave out a probability of 1e-14, and further points, in order.
    fn points(further: &[f64]) -> Vec<f64> {
        let mut points = [&[-25.0, -1.0, 0.5, 1.0, 3.0, 60.0], further].concat();
        points.sort_by(f64::total_cmp);
        points.dedup();
        points
    }

    #[test]
    fn moments_and_the_distribution_function_are_integrals_of_the_density() {
        let form = example();
        let density = |x: f64| form.log_density(0, x).map_or(0.0, f64::exp);
        let moment = |power: i32, about: f64| {
            integral(&points(&[]), |x| density(x) * (x - about).powi(power))
        };
        assert!((moment(0, 0.0) - 1.0).abs() < 1e-10);
        let mean = form.mean(0).unwrap();
        assert!((moment(1, 0.0) - mean).abs() < 1e-9);
        assert!((moment(2, mean) - form.variance(0).unwrap()).abs() < 1e-8);
        for y in [-3.0, -1.0, 0.0, 0.7, 2.0, 3.0, 5.0] {
            let below: Vec<f64> = points(&[y]).into_iter().filter(|x| *x <= y).collect();
            assert!((integral(&below, density) - form.cdf(0, y).unwrap()).abs() < 1e-10, "F({y})");
        }
    }

    #[test]
    fn the_crps_and_its_parts_are_their_integrals() {
        let form = example();
        let cdf = |x: f64| form.cdf(0, x).unwrap();
        for y in [-4.0, -1.0, -0.2, 0.7, 1.0, 2.9, 3.5, 11.0] {
            for (low, high) in
                [(-25.0, 60.0), (-2.0, 0.8), (-9.0, -1.5), (0.6, 0.9), (2.0, 7.0), (4.0, 9.0)]
            {
                let within: Vec<f64> = points(&[y, low, high])
                    .into_iter()
                    .filter(|x| (low..=high).contains(x))
                    .collect();
                let expected = integral(&within, |x| (cdf(x) - f64::from(y <= x)).powi(2));
                let found = form.crps_within(0, y, low, high).unwrap();
                assert!(
                    (found - expected).abs() < 1e-9,
                    "y = {y} within {low} and {high}: {found}, {expected}"
                );
            }
            let found = form.crps(0, y).unwrap();
            assert!((found - form.crps_within(0, y, -25.0, 60.0).unwrap()).abs() < 1e-12);
        }
    }

    #[test]
    fn a_uniform_and_an_exponential_distribution_have_their_known_scores() {
        let none = array![[0.0; 4]];
        let uniform = Piecewise {
            edges: array![[0.0, 0.25, 1.0]],
            masses: array![[0.25, 0.75]],
            tails: none,
        };
        assert_eq!(uniform.validate(), Ok(()));
        for y in [0.0, 0.3, 1.0] {
            let expected = (y * y * y + (1.0 - y) * (1.0 - y) * (1.0 - y)) / 3.0;
            assert!((uniform.crps(0, y).unwrap() - expected).abs() < 1e-15);
            assert!((uniform.quantile(0, y).unwrap() - y).abs() < 1e-15);
        }
        assert!(
            (uniform.crps(0, 3.0).unwrap() - (1.0 / 3.0 + 2.0)).abs() < 1e-15,
            "beyond its end"
        );
        assert_eq!(
            (uniform.log_density(0, 0.4), uniform.log_density(0, 1.5)),
            (Some(0.0), Some(f64::NEG_INFINITY))
        );
        assert_eq!(uniform.ln_probability(0, 2.0, 3.0), Some(f64::NEG_INFINITY));
        // Exponential with mean 2, on either side: y − 2t (1 − exp(−y/t)) + t/2 (Taillardat et al.
        // 2016).
        let exponential =
            |tails| Piecewise { edges: array![[0.0, 1.0]], masses: array![[0.0]], tails };
        let (t, y) = (2.0_f64, 3.0_f64);
        let expected = y - 2.0 * t * (1.0 - (-y / t).exp()) + 0.5 * t;
        let (upper, lower) =
            (exponential(array![[0.0, 0.0, 1.0, t]]), exponential(array![[1.0, t, 0.0, 0.0]]));
        assert!((upper.crps(0, 1.0 + y).unwrap() - expected).abs() < 1e-14);
        assert!((lower.crps(0, -y).unwrap() - expected).abs() < 1e-14);
        assert_eq!((upper.mean(0), lower.mean(0)), (Some(1.0 + t), Some(-t)));
        assert!((upper.variance(0).unwrap() - t * t).abs() < 1e-14);
        assert!((upper.quantile(0, 0.5).unwrap() - (1.0 + t * 2.0_f64.ln())).abs() < 1e-14);
        // Far out the probability itself underflows, its logarithm does not.
        let far = upper.ln_probability(0, 3001.0, f64::INFINITY).unwrap();
        assert!((far + 1500.0).abs() < 1e-9, "{far}");
    }

    #[test]
    fn what_is_no_density_is_refused() {
        let refused = |change: &dyn Fn(&mut Piecewise)| {
            let mut form = example();
            change(&mut form);
            form.validate().unwrap_err().to_string()
        };
        assert_eq!(example().validate(), Ok(()));
        assert!(
            refused(&|form| form.edges[[0, 2]] = 0.5).contains("edges in row 0 go from 0.5 to 0.5")
        );
        assert!(refused(&|form| form.masses[[0, 1]] = -0.1).contains("masses in row 0 is -0.1"));
        assert!(refused(&|form| form.masses[[0, 1]] = 0.1).contains("in row 0 sum to 1.1"));
        assert!(
            refused(&|form| form.tails[[0, 3]] = 0.0).contains("the scale of a tail in row 0 is 0")
        );
        assert!(
            refused(&|form| form.edges = array![[0.0, 1.0]])
                .contains("a row of edges has 2 entries, expected 4")
        );
    }
}

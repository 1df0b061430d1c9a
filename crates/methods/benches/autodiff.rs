//! Times of one training epoch on the tape against a backward pass written by hand, measured in
//! turn: 41 000 rows, batch 512, Gaussian negative log-likelihood, Adam; shuffling and gathering
//! included. Times are the smallest of many turns.
//!
//! `cargo bench --bench autodiff`

use std::hint::black_box;
use std::time::{Duration, Instant};

use faer::Accum;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use rand::RngExt;
use uq_core::math::random::{Streams, shuffle_prefix};
use uq_core::math::vectorised::{exp, ln, sigmoid, softplus, tanh};
use uq_math::autodiff::{Activation, Tape};
use uq_math::matrix_product::{Factor, multiply};
use uq_methods::nets::{Adam, AdamSettings, Mlp, Start};

const ROWS: usize = 41_000;
const BATCH: usize = 512;
const FLOOR: f64 = 1e-6;
const TURNS: usize = 60;

/// Rows and a target with noise.
fn rows(inputs: usize) -> (Array2<f64>, Array2<f64>) {
    let mut rng = Streams::new(1, "bench").stream("rows", 0);
    let x = Array2::from_shape_simple_fn((ROWS, inputs), || rng.random_range(-1.7..1.7));
    let y = Array2::from_shape_fn((ROWS, 1), |(i, _)| {
        f64::sin(2.0 * x[(i, 0)]) + x[(i, 1)] * rng.random_range(-0.5..0.5)
    });
    (x, y)
}

/// A way to train, one epoch at a time.
trait Trainer {
    fn epoch(&mut self, x: &Array2<f64>, y: &Array2<f64>, order: &[usize]) -> f64;
    fn parameters(&self) -> &[f64];
}

struct OnTape {
    net: Mlp,
    tape: Tape,
    parameters: Vec<f64>,
    gradient: Vec<f64>,
    adam: Adam,
}

impl Trainer for OnTape {
    fn epoch(&mut self, x: &Array2<f64>, y: &Array2<f64>, order: &[usize]) -> f64 {
        let Self { net, tape, parameters, gradient, adam } = self;
        let mut total = 0.0;
        for rows in order.chunks(BATCH) {
            tape.reset();
            let input = tape.constant_rows(x.view(), rows);
            let target = tape.constant_rows(y.view(), rows);
            let outputs = net.forward(tape, parameters, input);
            let (mean, raw) = (tape.columns(outputs, 0, 1), tape.columns(outputs, 1, 1));
            let loss = tape.gaussian_nll_softplus(mean, raw, FLOOR, target);
            let loss = tape.mean(loss);
            tape.backward(loss, gradient);
            adam.step(parameters, gradient, 1.0);
            total += tape.scalar(loss);
        }
        total
    }

    fn parameters(&self) -> &[f64] {
        &self.parameters
    }
}

/// Multiplication of the hand-written pass: to (+)= a b, all row by row; the flags transpose a and
/// b.
type Multiply = fn(&mut [f64], Accum, (&[f64], usize, usize, bool), (&[f64], usize, usize, bool));

fn own(
    to: &mut [f64],
    accumulate: Accum,
    a: (&[f64], usize, usize, bool),
    b: (&[f64], usize, usize, bool),
) {
    let factor = |(values, rows, columns, transposed)| Factor { values, rows, columns, transposed };
    multiply(to, accumulate, factor(a), factor(b), 1.0);
}

fn matrixmultiply(
    to: &mut [f64],
    accumulate: Accum,
    a: (&[f64], usize, usize, bool),
    b: (&[f64], usize, usize, bool),
) {
    let view = |(values, rows, columns, transposed)| {
        let view = ArrayView2::from_shape((rows, columns), values)
            .unwrap_or_else(|_| std::process::abort());
        if transposed { view.reversed_axes() } else { view }
    };
    let (a, b) = (view(a), view(b));
    let shape = (a.nrows(), b.ncols());
    let mut to = ArrayViewMut2::from_shape(shape, to).unwrap_or_else(|_| std::process::abort());
    general_mat_mul(1.0, &a, &b, if accumulate == Accum::Add { 1.0 } else { 0.0 }, &mut to);
}

/// A network of one hidden layer, differentiated by hand.
struct ByHand {
    multiply: Multiply,
    inputs: usize,
    hidden: usize,
    tanh: bool,
    parameters: Vec<f64>,
    gradient: Vec<f64>,
    adam: Adam,
    x: Vec<f64>,
    y: Vec<f64>,
    h: Vec<f64>,
    by_h: Vec<f64>,
    outputs: Vec<f64>,
    by_outputs: Vec<f64>,
}

impl Trainer for ByHand {
    fn epoch(&mut self, x: &Array2<f64>, y: &Array2<f64>, order: &[usize]) -> f64 {
        let (d, k) = (self.inputs, self.hidden);
        let (all, targets) = (x.as_slice().unwrap_or_default(), y.as_slice().unwrap_or_default());
        let mut total = 0.0;
        for rows in order.chunks(BATCH) {
            let n = rows.len();
            for (i, &row) in rows.iter().enumerate() {
                self.x[i * d..][..d].copy_from_slice(&all[row * d..][..d]);
                self.y[i] = targets[row];
            }
            total += faer::traits::pulp::Arch::new().dispatch(Pass { by: self, n });
            let (g1, g2) = self.gradient.split_at_mut(d * k + k);
            let (x, h) = (&self.x[..n * d], &self.h[..n * k]);
            (self.multiply)(
                &mut g1[..d * k],
                Accum::Replace,
                (x, n, d, true),
                (&self.by_h[..n * k], n, k, false),
            );
            (self.multiply)(
                &mut g2[..2 * k],
                Accum::Replace,
                (h, n, k, true),
                (&self.by_outputs[..2 * n], n, 2, false),
            );
            self.adam.step(&mut self.parameters, &self.gradient, 1.0);
        }
        total
    }

    fn parameters(&self) -> &[f64] {
        &self.parameters
    }
}

/// Forward and backward without the products with the inputs, in the processor's own instructions.
struct Pass<'a> {
    by: &'a mut ByHand,
    n: usize,
}

impl faer::traits::pulp::WithSimd for Pass<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: faer::traits::pulp::Simd>(self, _: S) -> f64 {
        let Self { by, n } = self;
        let ByHand { inputs: d, hidden: k, x, y, h, by_h, outputs, by_outputs, gradient, .. } = by;
        let (d, k) = (*d, *k);
        let (first, second) = by.parameters.split_at(d * k + k);
        let (h, by_h) = (&mut h[..n * k], &mut by_h[..n * k]);
        for row in h.chunks_exact_mut(k) {
            row.copy_from_slice(&first[d * k..]);
        }
        (by.multiply)(h, Accum::Add, (&x[..n * d], n, d, false), (&first[..d * k], d, k, false));
        if by.tanh {
            h.iter_mut().for_each(|h| *h = tanh(*h));
        } else {
            h.iter_mut().for_each(|h| *h = if *h < 0.0 { 0.0 } else { *h });
        }
        let (outputs, by_outputs) = (&mut outputs[..2 * n], &mut by_outputs[..2 * n]);
        for row in outputs.chunks_exact_mut(2) {
            row.copy_from_slice(&second[2 * k..]);
        }
        (by.multiply)(outputs, Accum::Add, (h, n, k, false), (&second[..2 * k], k, 2, false));
        let mut loss = 0.0;
        let mut bias = [0.0; 2];
        for ((out, by_out), y) in
            outputs.chunks_exact(2).zip(by_outputs.chunks_exact_mut(2)).zip(&*y)
        {
            let variance = softplus(out[1]) + FLOOR;
            let error = y - out[0];
            let pull = error / variance;
            loss += 0.918_938_533_204_672_7 + 0.5 * (ln(variance) + error * pull);
            by_out[0] = -pull / n as f64;
            by_out[1] = 0.5 * (1.0 / variance - pull * pull) * sigmoid(out[1]) / n as f64;
            bias[0] += by_out[0];
            bias[1] += by_out[1];
        }
        (by.multiply)(
            by_h,
            Accum::Replace,
            (by_outputs, n, 2, false),
            (&second[..2 * k], k, 2, true),
        );
        let (g1, g2) = gradient.split_at_mut(d * k + k);
        g2[2 * k..].copy_from_slice(&bias);
        let hidden_bias = &mut g1[d * k..];
        hidden_bias.fill(0.0);
        for (by_h, h) in by_h.chunks_exact_mut(k).zip(h.chunks_exact(k)) {
            if by.tanh {
                for ((g, h), sum) in by_h.iter_mut().zip(h).zip(&mut *hidden_bias) {
                    *g *= 1.0 - h * h;
                    *sum += *g;
                }
            } else {
                for ((g, h), sum) in by_h.iter_mut().zip(h).zip(&mut *hidden_bias) {
                    *g = if *h > 0.0 { *g } else { 0.0 };
                    *sum += *g;
                }
            }
        }
        loss / n as f64
    }
}

fn compare(inputs: usize, hidden: usize, activation: Activation) {
    let (x, y) = rows(inputs);
    let net = Mlp::new(&[inputs, hidden, 2], activation);
    let mut start = vec![0.0; net.end()];
    net.draw_start(Start::He, &mut start, &mut Streams::new(1, "bench").stream("start", 0));
    let adam = || Adam::new(AdamSettings::default(), start.len());
    let gradient = vec![0.0; start.len()];
    let by_hand = |multiply: Multiply| ByHand {
        multiply,
        inputs,
        hidden,
        tanh: activation == Activation::Tanh,
        parameters: start.clone(),
        gradient: gradient.clone(),
        adam: adam(),
        x: vec![0.0; BATCH * inputs],
        y: vec![0.0; BATCH],
        h: vec![0.0; BATCH * hidden],
        by_h: vec![0.0; BATCH * hidden],
        outputs: vec![0.0; BATCH * 2],
        by_outputs: vec![0.0; BATCH * 2],
    };
    let tape = OnTape {
        net,
        tape: Tape::new(),
        parameters: start.clone(),
        gradient: gradient.clone(),
        adam: adam(),
    };
    let mut trainers: [(&str, Box<dyn Trainer>); 3] = [
        ("on the tape", Box::new(tape)),
        ("by hand, the same products", Box::new(by_hand(own))),
        ("by hand, matrixmultiply", Box::new(by_hand(matrixmultiply))),
    ];
    let mut least = [Duration::MAX; 3];
    let mut losses = [0.0; 3];
    for turn in 0..TURNS {
        for (t, (_, trainer)) in trainers.iter_mut().enumerate() {
            let mut order: Vec<usize> = (0..ROWS).collect();
            let mut rng = Streams::new(1, "bench").stream("batches", turn as u64);
            let begin = Instant::now();
            shuffle_prefix(&mut order, ROWS, &mut rng);
            losses[t] = black_box(trainer.epoch(&x, &y, &order));
            least[t] = least[t].min(begin.elapsed());
        }
    }
    let distance =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    for (t, (name, trainer)) in trainers.iter().enumerate() {
        let apart = distance(trainer.parameters(), trainers[1].1.parameters());
        let ratio = least[t].as_secs_f64() / least[1].as_secs_f64();
        println!(
            "{inputs}-{hidden}-2 {activation:?}: {name}: {:.2} ms an epoch, {ratio:.2} x; loss \
             {:.6}, apart {apart:.1e}",
            least[t].as_secs_f64() * 1e3,
            losses[t] / ROWS as f64 * BATCH as f64
        );
    }
}

/// Times of the network's products alone, in microseconds.
fn products() {
    let numbers: Vec<f64> =
        (0..BATCH * 100).map(|i| ((i * 7919) % 101) as f64 / 50.0 - 1.0).collect();
    for (m, k, n, ta, tb) in [
        (BATCH, 8, 50, false, false),
        (8, BATCH, 50, true, false),
        (BATCH, 50, 2, false, false),
        (50, BATCH, 2, true, false),
        (BATCH, 2, 50, false, true),
        (BATCH, 50, 50, false, false),
        (50, BATCH, 50, true, false),
        (BATCH, 50, 50, false, true),
    ] {
        let (a, b) = (&numbers[..m * k], &numbers[..k * n]);
        let (a, b) = (
            (a, if ta { k } else { m }, if ta { m } else { k }, ta),
            (b, if tb { n } else { k }, if tb { k } else { n }, tb),
        );
        let mut to = vec![0.0; m * n];
        let mut least = [Duration::MAX; 2];
        for _ in 0..400 {
            for (t, multiply) in [own as Multiply, matrixmultiply].into_iter().enumerate() {
                let begin = Instant::now();
                multiply(black_box(&mut to), Accum::Add, black_box(a), black_box(b));
                least[t] = least[t].min(begin.elapsed());
            }
        }
        let flops = (2 * m * k * n) as f64;
        let [own, other] = least.map(|t| t.as_secs_f64());
        println!(
            "{m} x {k} x {n}, transposed {ta} {tb}: ours (faer) {:.1} us ({:.1} Gflop/s), \
             matrixmultiply {:.1} us",
            own * 1e6,
            flops / own * 1e-9,
            other * 1e6
        );
    }
    let mut values = vec![0.0; BATCH * 50];
    for (name, f) in
        [("tanh", Activation::Tanh), ("softplus", Activation::Softplus), ("relu", Activation::Relu)]
    {
        let mut least = Duration::MAX;
        for _ in 0..200 {
            values.copy_from_slice(&numbers[..BATCH * 50]);
            let begin = Instant::now();
            f.apply(black_box(&mut values));
            least = least.min(begin.elapsed());
        }
        println!("{name}: {:.2} ns a number", least.as_secs_f64() * 1e9 / values.len() as f64);
    }
    black_box(exp(values[0]));
}

fn main() {
    products();
    compare(8, 50, Activation::Relu);
    compare(8, 50, Activation::Tanh);
    compare(9, 100, Activation::Relu);
}

"""What single precision does to a deep ensemble's scores: `python benches/single_precision.py FILE.csv...`, with numpy.

FILE.csv is of `uqbench data export KEY FILE.csv`, with the target last. Five mean-variance networks of 50 hidden units are trained for
40 epochs of batches of 100 rows, as `deep-ensemble` trains, once in double and once in single precision, with the same splits, starts and
orders of rows. Printed is by how much a split's score moves, in standard deviations of that score over the splits.
reports/laboratory/costs.md has the result.
"""
import sys

import numpy as np

SPLITS, MEMBERS, HIDDEN, EPOCHS, BATCH, STEP, FLOOR = 20, 5, 50, 40, 100, 0.01, 1e-6
NAMES = ("log-likelihood", "RMSE")


def softplus(x):
    return np.logaddexp(x, x.dtype.type(0))


def member(x, y, new, seed, kind):
    """Mean and variance at new rows, by Adam on the likelihood; every number of `kind`."""
    rng = np.random.default_rng(seed)
    inside, hidden = 1 / np.sqrt(x.shape[1]), 1 / np.sqrt(HIDDEN)
    shapes = [((x.shape[1], HIDDEN), inside), ((HIDDEN,), inside), ((HIDDEN, 2), hidden), ((2,), hidden)]
    theta = [rng.uniform(-limit, limit, shape).astype(kind) for shape, limit in shapes]
    first, second, steps = [np.zeros_like(t) for t in theta], [np.zeros_like(t) for t in theta], 0
    x, y, new = (a.astype(kind) for a in (x, y, new))
    for _ in range(EPOCHS):
        for rows in np.array_split(rng.permutation(len(y)), -(-len(y) // BATCH)):
            a, t = x[rows], y[rows]
            sums = a @ theta[0] + theta[1]
            units = np.maximum(sums, 0)
            out = units @ theta[2] + theta[3]
            variance = softplus(out[:, 1]) + kind(FLOOR)
            error = t - out[:, 0]
            by_mean = -error / variance
            by_variance = (1 / variance - error**2 / variance**2) / 2
            by_out = np.column_stack([by_mean, by_variance / (1 + np.exp(-out[:, 1]))]) / kind(len(t))
            by_units = (by_out @ theta[2].T) * (sums > 0)
            slopes = [a.T @ by_units, by_units.sum(0), units.T @ by_out, by_out.sum(0)]
            steps += 1
            for k, slope in enumerate(slopes):
                first[k] = kind(0.9) * first[k] + kind(0.1) * slope
                second[k] = kind(0.999) * second[k] + kind(0.001) * slope**2
                ahead = first[k] / kind(1 - 0.9**steps)
                theta[k] = theta[k] - kind(STEP) * ahead / (np.sqrt(second[k] / kind(1 - 0.999**steps)) + kind(1e-8))
    out = np.maximum(new @ theta[0] + theta[1], 0) @ theta[2] + theta[3]
    return out[:, 0].astype(float), (softplus(out[:, 1]) + kind(FLOOR)).astype(float)


def scores(table, split, kind):
    """Mean log density of the equal mixture, and RMSE, in the target's units."""
    order = np.random.default_rng(split).permutation(len(table))
    test, train = table[order[: len(table) // 10]], table[order[len(table) // 10 :]]
    mean, spread = train.mean(0), train.std(0)
    used = np.append(spread[:-1] > 0, True)
    train, new = ((t - mean)[:, used] / spread[used] for t in (train, test))
    both = [member(train[:, :-1], train[:, -1], new[:, :-1], (split, one), kind) for one in range(MEMBERS)]
    means, variances = (np.array([one[k] for one in both]) for k in (0, 1))
    logs = -0.5 * (np.log(2 * np.pi * variances) + (new[:, -1] - means) ** 2 / variances)
    density = np.logaddexp.reduce(logs, axis=0) - np.log(MEMBERS) - np.log(spread[-1])
    return density.mean(), spread[-1] * np.sqrt(((new[:, -1] - means.mean(0)) ** 2).mean())


def main():
    print("| table | score | spread over splits | largest move, in spreads | mean move, in spreads |\n| --- | --- | ---: | ---: | ---: |")
    for file in sys.argv[1:]:
        table = np.loadtxt(file, delimiter=",", skiprows=1)
        double, single = (np.array([scores(table, s, kind) for s in range(SPLITS)]) for kind in (np.float64, np.float32))
        spread = double.std(0, ddof=1)
        moves = np.abs(single - double) / spread
        for k, name in enumerate(NAMES):
            print(f"| {file} | {name} | {spread[k]:.4f} | {moves[:, k].max():.4f} | {moves[:, k].mean():.4f} |", flush=True)


if __name__ == "__main__":
    main()

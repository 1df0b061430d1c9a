"""The model of this project: an average of ridge regressions on random features, each on rows drawn with replacement."""

import os

import numpy as np
from uqbench import gaussian, method

MEMBERS = 20
FEATURES = 100
#: A test of the gate changes these: other draws, and errors that the model states too small or too large.
DRAW = int(os.environ.get("GATE_DRAW", "0"))
STRETCH = float(os.environ.get("GATE_STRETCH", "1"))


def features(X, directions, offsets):
    return np.cos(X @ directions + offsets)


@method("random-features")
def fit_predict(X_train, y_train, X_test, request):
    rng = np.random.default_rng([request.seed, DRAW])
    centre, scale = X_train.mean(axis=0), X_train.std(axis=0) + 1e-12
    Z_train, Z_test = (X_train - centre) / scale, (X_test - centre) / scale
    means, variances = [], []
    for _ in range(MEMBERS):
        drawn = rng.integers(len(y_train), size=len(y_train))
        left_out = np.setdiff1d(np.arange(len(y_train)), drawn)
        directions = rng.normal(size=(X_train.shape[1], FEATURES)) / 2
        offsets = rng.uniform(0, 2 * np.pi, size=FEATURES)
        A = features(Z_train[drawn], directions, offsets)
        weights = np.linalg.solve(A.T @ A + np.eye(FEATURES), A.T @ (y_train[drawn] - y_train.mean()))
        error = y_train[left_out] - y_train.mean() - features(Z_train[left_out], directions, offsets) @ weights
        means.append(y_train.mean() + features(Z_test, directions, offsets) @ weights)
        variances.append(np.mean(error**2))
    mean = np.mean(means, axis=0)
    return gaussian(mean, np.full(len(mean), STRETCH**2 * np.mean(variances) + 1e-12))


if __name__ == "__main__":
    fit_predict.main()

"""Conformalised quantile regression of MAPIE over a quantile forest (Romano, Patterson, Candès, 2019, NeurIPS).

Settings: calibration, the share of the training rows that calibrate (0.5), and the arguments of
`quantile_forest.RandomForestQuantileRegressor`, such as n_estimators.
"""
import numpy as np
from mapie.regression import ConformalizedQuantileRegressor
from quantile_forest import RandomForestQuantileRegressor
from sklearn.base import BaseEstimator, RegressorMixin
from uqbench import Unsupported, method, quantiles

SETTINGS = {"n_estimators": 500, "min_samples_leaf": 10, "max_features": 1 / 3, "max_samples_leaf": None}


class Column(RegressorMixin, BaseEstimator):
    """One quantile as MAPIE wants it, a regressor of its own: its only feature is the number of a row of `table`.

    So the forest predicts each row once for all intervals.
    """

    def __init__(self, table, column):
        self.table, self.column, self.n_features_in_ = table, column, 1

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.table[np.asarray(X)[:, 0].astype(int), self.column]


@method("mapie cqr", packages=["mapie", "quantile-forest", "scikit-learn"])
def mapie_cqr(X_train, y_train, X_test, request):
    levels, settings = np.asarray(request.levels), {**SETTINGS, **request.settings}
    held_out = round(settings.pop("calibration", 0.5) * len(y_train))
    if not 2 <= held_out < len(y_train):
        raise Unsupported(f"{held_out} of {len(y_train)} training rows calibrate, expected 2 or more and one to fit")
    # MAPIE has an interval where its coverage, and what it leaves out, are at least a share of one calibration row.
    levels = levels[(levels == 0.5) | (np.abs(np.abs(1 - 2 * levels) - 0.5) <= 0.5 - 1 / held_out)]
    order = request.rng().permutation(len(y_train))
    calibrate, fit = order[:held_out], order[held_out:]
    fixed = {"random_state": request.seed, "n_jobs": request.threads}
    forest = RandomForestQuantileRegressor(**settings, **fixed).fit(X_train[fit], y_train[fit])
    asked = np.vstack([X_train[calibrate], X_test])
    table = forest.predict(asked, quantiles=list(levels), weighted_leaves=True)
    rows, new = np.split(np.arange(len(asked), dtype=float)[:, None], [held_out])
    found = table[held_out:].copy()
    for low, high in ((k, len(levels) - 1 - k) for k in range(len(levels) // 2)):
        trio = [Column(table, at) for at in (low, high, len(levels) // 2)]
        model = ConformalizedQuantileRegressor(trio, confidence_level=levels[high] - levels[low], prefit=True)
        model.conformalize(rows, y_train[calibrate])
        ends = model.predict_interval(new, symmetric_correction=True)[1]
        found[:, [low, high]] = ends[:, :, 0]
    return quantiles(np.sort(found, axis=1), levels)


if __name__ == "__main__":
    mapie_cqr.main()

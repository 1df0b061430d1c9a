"""Histogram boosting of scikit-learn, one model for each level of the quantiles.

Settings: the arguments of `sklearn.ensemble.HistGradientBoostingRegressor`, such as max_iter and learning_rate.
"""
import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from uqbench import method, quantiles

# With early stopping a random part of the rows would be held out.
SETTINGS = {"max_iter": 200, "learning_rate": 0.05, "early_stopping": False}


@method("sklearn boosting", packages=["scikit-learn"])
def sklearn_boosting(X_train, y_train, X_test, request):
    def quantile(level):
        settings = {**SETTINGS, **request.settings, "random_state": request.seed}
        model = HistGradientBoostingRegressor(loss="quantile", quantile=level, **settings)
        return model.fit(X_train, y_train).predict(X_test)

    # Models of neighbouring levels may cross. Sorting never takes them further from the truth
    # (Chernozhukov, Fernández-Val, Galichon, 2010, Econometrica).
    return quantiles(np.sort(np.column_stack([quantile(level) for level in request.levels]), axis=1), request.levels)


if __name__ == "__main__":
    sklearn_boosting.main()

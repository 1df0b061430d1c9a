"""LightGBM, one model for each level of the quantiles (Ke et al., 2017, NeurIPS).

Settings: the arguments of `lightgbm.LGBMRegressor`, such as n_estimators, learning_rate, num_leaves and subsample.
"""
import numpy as np
from lightgbm import LGBMRegressor
from uqbench import Unsupported, method, quantiles

SETTINGS = {"n_estimators": 200, "learning_rate": 0.05, "subsample": 0.8, "subsample_freq": 1}
# The same numbers on every processor, for one seed.
REPEATABLE = {"deterministic": True, "force_row_wise": True, "verbose": -1}


@method("lightgbm", packages=["lightgbm", "scikit-learn"])
def lightgbm_quantiles(X_train, y_train, X_test, request):
    if len(y_train) < 2:
        raise Unsupported("LightGBM needs at least 2 training rows")
    fixed = {**REPEATABLE, "random_state": request.seed, "n_jobs": request.threads}

    def quantile(level):
        model = LGBMRegressor(**{**SETTINGS, **request.settings}, objective="quantile", alpha=level, **fixed)
        return model.fit(X_train, y_train).predict(X_test)

    # Models of neighbouring levels may cross. Sorting never takes them further from the truth
    # (Chernozhukov, Fernández-Val, Galichon, 2010, Econometrica).
    return quantiles(np.sort(np.column_stack([quantile(level) for level in request.levels]), axis=1), request.levels)


if __name__ == "__main__":
    lightgbm_quantiles.main()

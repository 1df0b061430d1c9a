"""CatBoost, one model for all quantiles, loss MultiQuantile (Prokhorenkova et al., 2018, NeurIPS).

Settings: the arguments of `catboost.CatBoostRegressor`, such as iterations, learning_rate and depth.
"""
import numpy as np
from catboost import CatBoostRegressor
from uqbench import Unsupported, method, quantiles

# A tree has a leaf value for each level, so that 1000 trees, the package's default, take minutes.
SETTINGS = {"iterations": 200, "learning_rate": 0.1}


@method("catboost quantiles", packages=["catboost"])
def catboost_quantiles(X_train, y_train, X_test, request):
    if np.ptp(y_train) == 0 or np.all(np.ptp(X_train, axis=0) == 0):
        raise Unsupported("CatBoost needs a target and a feature that vary")
    loss = "MultiQuantile:alpha=" + ",".join(map(str, request.levels))
    fixed = {"random_seed": request.seed, "thread_count": request.threads}
    model = CatBoostRegressor(
        **{**SETTINGS, **request.settings}, loss_function=loss, allow_writing_files=False, **fixed
    )
    found = model.fit(X_train, y_train, verbose=False).predict(X_test)
    # Quantiles of one model may cross. Sorting never takes them further from the truth
    # (Chernozhukov, Fernández-Val, Galichon, 2010, Econometrica).
    return quantiles(np.sort(found, axis=1), request.levels)


if __name__ == "__main__":
    catboost_quantiles.main()

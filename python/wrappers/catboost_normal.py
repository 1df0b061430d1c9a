"""CatBoost with normal distributions, loss RMSEWithUncertainty (Malinin, Prokhorenkova, Ustimenko, 2021, ICLR).

Settings: the arguments of `catboost.CatBoostRegressor`, such as iterations, learning_rate and depth.
"""
import numpy as np
from catboost import CatBoostRegressor
from uqbench import Unsupported, gaussian, method

SETTINGS = {"iterations": 1000}


@method("catboost normal", packages=["catboost"])
def catboost_normal(X_train, y_train, X_test, request):
    if np.ptp(y_train) == 0 or np.all(np.ptp(X_train, axis=0) == 0):
        raise Unsupported("CatBoost needs a target and a feature that vary")
    fixed = {"random_seed": request.seed, "thread_count": request.threads}
    model = CatBoostRegressor(
        **{**SETTINGS, **request.settings}, loss_function="RMSEWithUncertainty", allow_writing_files=False, **fixed
    )
    mean, variance = model.fit(X_train, y_train, verbose=False).predict(X_test).T
    return gaussian(mean, variance).with_split(aleatoric=variance)


if __name__ == "__main__":
    catboost_normal.main()

"""NGBoost with normal distributions (Duan et al., 2020, ICML).

Settings: the arguments of `ngboost.NGBRegressor`, such as n_estimators, learning_rate and early_stopping_rounds.
"""
import numpy as np
from ngboost import NGBRegressor
from uqbench import Unsupported, gaussian, method

SETTINGS = {"n_estimators": 500, "learning_rate": 0.01}


@method("ngboost", packages=["ngboost", "scikit-learn", "scipy"])
def ngboost_normal(X_train, y_train, X_test, request):
    if np.ptp(y_train) == 0:
        raise Unsupported("NGBoost needs a target that varies: the variance of a constant is 0")
    np.random.seed(request.seed)  # the trees of its default base learner draw from numpy's shared generator
    model = NGBRegressor(**{**SETTINGS, **request.settings}, random_state=request.seed, verbose=False)
    best = model.fit(X_train, y_train).best_val_loss_itr
    # Where held-out rows stop it, the package would predict with all rounds, those after the best one too.
    found = model.pred_dist(X_test, max_iter=None if best is None else best + 1)
    return gaussian(found.params["loc"], found.params["scale"] ** 2)


if __name__ == "__main__":
    ngboost_normal.main()

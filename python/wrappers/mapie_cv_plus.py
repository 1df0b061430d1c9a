"""CV+ of MAPIE about histogram boosting (Barber et al., 2021, Annals of Statistics).

Settings: folds (10), and the arguments of `sklearn.ensemble.HistGradientBoostingRegressor`, such as max_iter.
"""
import numpy as np
from mapie.regression import CrossConformalRegressor
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.model_selection import KFold
from uqbench import Unsupported, method, quantiles


@method("mapie cv+", packages=["mapie", "scikit-learn"])
def mapie_cv_plus(X_train, y_train, X_test, request):
    levels, settings = np.asarray(request.levels), dict(request.settings)
    folds = KFold(settings.pop("folds", 10), shuffle=True, random_state=request.seed)
    if len(y_train) < folds.n_splits:
        raise Unsupported(f"{len(y_train)} training rows are too few for {folds.n_splits} folds")
    # MAPIE has an interval where its coverage, and what it leaves out, are at least a share of one training row.
    levels = levels[(levels == 0.5) | (np.abs(np.abs(1 - 2 * levels) - 0.5) <= 0.5 - 1 / len(y_train))]
    lower = levels[levels < 0.5]
    base = HistGradientBoostingRegressor(**{"early_stopping": False, **settings}, random_state=request.seed)
    model = CrossConformalRegressor(base, confidence_level=list(1 - 2 * lower), method="plus", cv=folds)
    points, intervals = model.fit_conformalize(X_train, y_train).predict_interval(X_test)
    # Ends of central intervals, and the point prediction in the middle.
    middle = [points[:, None]] * int(np.sum(levels == 0.5))
    return quantiles(np.sort(np.hstack([intervals[:, 0], *middle, intervals[:, 1]]), axis=1), levels)


if __name__ == "__main__":
    mapie_cv_plus.main()

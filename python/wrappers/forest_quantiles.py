"""Quantile regression forest of the package `quantile-forest` (Johnson, 2024, JOSS; Meinshausen, 2006, JMLR).

Settings: the arguments of `quantile_forest.RandomForestQuantileRegressor`, such as n_estimators, min_samples_leaf,
max_features and max_samples_leaf.
"""
from quantile_forest import RandomForestQuantileRegressor
from uqbench import method, quantiles

# All rows of a leaf, as in Meinshausen's paper; the package keeps one of them by default.
SETTINGS = {"n_estimators": 500, "min_samples_leaf": 10, "max_features": 1 / 3, "max_samples_leaf": None}


@method("quantile-forest package", packages=["quantile-forest", "scikit-learn"])
def forest_quantiles(X_train, y_train, X_test, request):
    settings = {**SETTINGS, **request.settings, "random_state": request.seed, "n_jobs": request.threads}
    model = RandomForestQuantileRegressor(**settings).fit(X_train, y_train)
    # Every tree counts the same, as in Meinshausen's Eq. (5).
    return quantiles(model.predict(X_test, quantiles=list(request.levels), weighted_leaves=True), request.levels)


if __name__ == "__main__":
    forest_quantiles.main()

"""Split conformal prediction of MAPIE about a linear model (Lei et al., 2018, JASA).

Setting: calibration, the share of the training rows that calibrate (0.5).
"""
import numpy as np
from mapie.regression import SplitConformalRegressor
from sklearn.linear_model import LinearRegression
from uqbench import Unsupported, method, quantiles


@method("mapie split", packages=["mapie", "scikit-learn"])
def mapie_split(X_train, y_train, X_test, request):
    held_out = round(request.settings.get("calibration", 0.5) * len(y_train))
    if not 2 <= held_out < len(y_train):
        raise Unsupported(f"{held_out} of {len(y_train)} training rows calibrate, expected 2 or more and one to fit")
    levels = np.asarray(request.levels)
    # MAPIE has an interval where its coverage, and what it leaves out, are at least a share of one calibration row.
    levels = levels[(levels == 0.5) | (np.abs(np.abs(1 - 2 * levels) - 0.5) <= 0.5 - 1 / held_out)]
    lower = levels[levels < 0.5]
    order = request.rng().permutation(len(y_train))
    calibrate, fit = order[:held_out], order[held_out:]
    model = SplitConformalRegressor(LinearRegression(), confidence_level=list(1 - 2 * lower), prefit=False)
    model.fit(X_train[fit], y_train[fit]).conformalize(X_train[calibrate], y_train[calibrate])
    points, intervals = model.predict_interval(X_test)
    # Ends of central intervals, and the point prediction in the middle.
    middle = [points[:, None]] * int(np.sum(levels == 0.5))
    return quantiles(np.sort(np.hstack([intervals[:, 0], *middle, intervals[:, 1]]), axis=1), levels)


if __name__ == "__main__":
    mapie_split.main()

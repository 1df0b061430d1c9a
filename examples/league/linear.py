"""Predict the standard board by least squares, and submit the predictions. Needs uqbench and numpy."""

import numpy as np
import uqbench
from uqbench import league

predictions = {}
for task in league.tasks("standard"):
    one = np.ones((len(task.X_train), 1))
    design = np.hstack([one, task.X_train])
    weights, *_ = np.linalg.lstsq(design, task.y_train, rcond=None)
    variance = np.mean((task.y_train - design @ weights) ** 2)
    mean = np.hstack([np.ones((len(task.X_test), 1)), task.X_test]) @ weights
    predictions[task.key] = uqbench.gaussian(mean, np.full(len(mean), variance))
print(league.submit(predictions, "card.toml").page)

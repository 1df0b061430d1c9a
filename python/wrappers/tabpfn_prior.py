"""TabPFN (Hollmann et al., 2025, Nature), where its weights are at hand.

They have a licence of their own, and are never downloaded here. Settings: weights, their file, which is to be one of
the method's `files`, so that its hash is in the key; and the arguments of `tabpfn.TabPFNRegressor`.
"""
from pathlib import Path

import numpy as np
from uqbench import Unavailable, method, quantiles


@method("tabpfn", packages=["tabpfn", "torch", "scikit-learn"])
def tabpfn_prior(X_train, y_train, X_test, request):
    settings = {**request.settings}
    weights = Path(settings.pop("weights", "tabpfn-regressor.ckpt"))
    if not weights.is_file():
        raise Unavailable(
            f"{weights} is no file with the weights of TabPFN; accept their licence, download them, and"
            " name the file among the method's files and in its setting `weights`"
        )
    from tabpfn import TabPFNRegressor  # after the weights are known: importing torch takes seconds

    fixed = {"model_path": weights, "device": "cpu", "random_state": request.seed}
    model = TabPFNRegressor(**settings, **fixed).fit(X_train, y_train)
    found = model.predict(X_test, output_type="quantiles", quantiles=list(request.levels))
    return quantiles(np.sort(np.column_stack(found), axis=1), request.levels)


if __name__ == "__main__":
    tabpfn_prior.main()

"""Exact Gaussian process of scikit-learn: RBF with a length scale for each feature, and noise.

Its time grows with the cube of the rows. Settings: the arguments of
`sklearn.gaussian_process.GaussianProcessRegressor`, such as n_restarts_optimizer.
"""
import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from uqbench import Unsupported, gaussian, method

BOUNDS = (1e-6, 1e6)


@method("sklearn gp", packages=["scikit-learn", "scipy"])
def sklearn_gp(X_train, y_train, X_test, request):
    if np.ptp(y_train) == 0:
        raise Unsupported("a Gaussian process with noise needs a target that varies")
    centre, scale = X_train.mean(axis=0), X_train.std(axis=0)
    scale[scale == 0] = 1.0
    kernel = ConstantKernel(1.0, BOUNDS) * RBF(np.ones(X_train.shape[1]), (1e-3, 1e4)) + WhiteKernel(0.1, (1e-6, 10.0))
    model = GaussianProcessRegressor(kernel, normalize_y=True, random_state=request.seed, **request.settings)
    mean, sd = model.fit((X_train - centre) / scale, y_train).predict((X_test - centre) / scale, return_std=True)
    # The kernel's noise is that of a new target, in units of the training target's variance.
    noise = np.full(len(mean), model.kernel_.k2.noise_level * y_train.var())
    return gaussian(mean, sd**2).with_split(aleatoric=noise, epistemic=sd**2 - noise)


if __name__ == "__main__":
    sklearn_gp.main()

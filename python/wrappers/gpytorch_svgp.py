"""Sparse Gaussian process by stochastic variational inference in GPyTorch (Hensman, Fusi, Lawrence, 2013, UAI).

Settings: inducing (100), steps (1000), batch (128), learning_rate (0.01), noise (0.05, of the
standardised target).
"""
import gpytorch as gp
import numpy as np
import torch
from sklearn.cluster import KMeans
from uqbench import gaussian, method

torch.set_default_dtype(torch.float64)


class Model(gp.models.ApproximateGP):
    """RBF with a length scale for each feature, q(u) with a full covariance, inducing inputs that are learned."""
    def __init__(self, inducing):
        q = gp.variational.CholeskyVariationalDistribution(len(inducing))
        super().__init__(gp.variational.VariationalStrategy(self, inducing, q, learn_inducing_locations=True))
        self.mean = gp.means.ZeroMean()
        self.kernel = gp.kernels.ScaleKernel(gp.kernels.RBFKernel(ard_num_dims=inducing.shape[1]))
        self.kernel.outputscale, self.kernel.base_kernel.lengthscale = 1.0, inducing.shape[1] ** 0.5

    def forward(self, x):
        return gp.distributions.MultivariateNormal(self.mean(x), self.kernel(x))


@method("gpytorch svgp", packages=["gpytorch", "torch", "scikit-learn"])
def gpytorch_svgp(X_train, y_train, X_test, request):
    torch.manual_seed(request.seed)
    torch.set_num_threads(request.threads)
    known = {"inducing": 100, "steps": 1000, "batch": 128, "learning_rate": 0.01, "noise": 0.05}
    settings = {**known, **request.settings}
    centre, scale = X_train.mean(axis=0), np.where(np.ptp(X_train, axis=0) > 0, X_train.std(axis=0), 1.0)
    shift, unit = y_train.mean(), y_train.std() or 1.0
    rows = (X_train - centre) / scale
    inducing = min(settings["inducing"], len(np.unique(rows, axis=0)))
    places = KMeans(inducing, n_init=1, random_state=request.seed).fit(rows).cluster_centers_
    X, y = torch.tensor(rows), torch.tensor((y_train - shift) / unit)
    model, noise = Model(torch.tensor(places)), gp.likelihoods.GaussianLikelihood()
    noise.noise = settings["noise"]
    bound = gp.mlls.VariationalELBO(noise, model, num_data=len(y))
    adam = torch.optim.Adam([*model.parameters(), *noise.parameters()], lr=settings["learning_rate"])
    for _ in range(settings["steps"]):
        batch = torch.randint(len(y), (min(settings["batch"], len(y)),))
        adam.zero_grad()
        (-bound(model(X[batch]), y[batch])).backward()
        adam.step()
    model.eval()
    with torch.no_grad():  # in parts: the covariance of all test rows would not fit into memory
        parts = [model(part) for part in torch.split(torch.tensor((X_test - centre) / scale), 1000)]
        mean, variance = (torch.cat(all).numpy() for all in zip(*((p.mean, p.variance) for p in parts)))
    aleatoric, epistemic = np.full(len(mean), noise.noise.item() * unit**2), variance * unit**2
    return gaussian(mean * unit + shift, aleatoric + epistemic).with_split(aleatoric, epistemic)


if __name__ == "__main__":
    gpytorch_svgp.main()

"""Deep ensemble, written plainly in torch (Lakshminarayanan, Pritzel, Blundell, 2017, NeurIPS).

Settings: members (5), hidden (50), epochs (40), batch (100), learning_rate (0.01).
"""
import numpy as np
import torch
from torch import nn
from uqbench import method, mixture

FLOOR = 1e-6


def member(X, y, settings):
    """A network with a mean and a variance at its output, trained by Adam on the normal likelihood."""
    network = nn.Sequential(nn.Linear(X.shape[1], settings["hidden"]), nn.ReLU(), nn.Linear(settings["hidden"], 2))
    adam = torch.optim.Adam(network.parameters(), lr=settings["learning_rate"])
    for _ in range(settings["epochs"]):
        for batch in torch.randperm(len(y)).split(settings["batch"]):
            mean, variance = moments(network, X[batch])
            adam.zero_grad()
            (variance.log() + (y[batch] - mean) ** 2 / variance).mean().backward()
            adam.step()
    return network


def moments(network, X):
    mean, raw = network(X).T
    return mean, nn.functional.softplus(raw) + FLOOR


@method("torch ensemble", packages=["torch"])
def torch_ensemble(X_train, y_train, X_test, request):
    torch.manual_seed(request.seed)
    torch.set_num_threads(request.threads)
    torch.set_default_dtype(torch.float64)
    known = {"members": 5, "hidden": 50, "epochs": 40, "batch": 100, "learning_rate": 0.01}
    settings = {**known, **request.settings}
    centre, scale = X_train.mean(axis=0), np.where(np.ptp(X_train, axis=0) > 0, X_train.std(axis=0), 1.0)
    shift, unit = y_train.mean(), y_train.std() or 1.0
    X, new = (torch.tensor((rows - centre) / scale) for rows in (X_train, X_test))
    y = torch.tensor((y_train - shift) / unit)
    networks = [member(X, y, settings) for _ in range(settings["members"])]
    with torch.no_grad():
        found = [torch.stack(part, dim=1).numpy() for part in zip(*(moments(network, new) for network in networks))]
    means, variances = found[0] * unit + shift, found[1] * unit**2
    parts = {"aleatoric": variances.mean(axis=1), "epistemic": means.var(axis=1)}
    return mixture(np.full(len(networks), 1 / len(networks)), means, variances).with_split(**parts)


if __name__ == "__main__":
    torch_ensemble.main()

"""Monte-Carlo dropout, written plainly in torch (Gal, Ghahramani, 2016, ICML).

Settings: rate (0.05) of dropped inputs and hidden units, precision (10, of the standardised target), length_scale
(0.01), hidden (50), epochs (400), batch (128), learning_rate (0.001), passes (100).
"""
import numpy as np
import torch
from torch import nn
from uqbench import method, mixture


@method("torch dropout", packages=["torch"])
def torch_dropout(X_train, y_train, X_test, request):
    torch.manual_seed(request.seed)
    torch.set_num_threads(request.threads)
    torch.set_default_dtype(torch.float64)
    known = {"rate": 0.05, "precision": 10.0, "length_scale": 0.01, "passes": 100}
    training = {"hidden": 50, "epochs": 400, "batch": 128, "learning_rate": 0.001}
    settings = {**known, **training, **request.settings}
    centre, scale = X_train.mean(axis=0), np.where(np.ptp(X_train, axis=0) > 0, X_train.std(axis=0), 1.0)
    shift, unit = y_train.mean(), y_train.std() or 1.0
    X, new = (torch.tensor((rows - centre) / scale) for rows in (X_train, X_test))
    y = torch.tensor((y_train - shift) / unit)
    rate, precision = settings["rate"], settings["precision"]
    first, last = nn.Linear(X.shape[1], settings["hidden"]), nn.Linear(settings["hidden"], 1)
    for layer in (first, last):
        nn.init.xavier_uniform_(layer.weight)
        nn.init.zeros_(layer.bias)
    decay = (1 - rate) * settings["length_scale"] ** 2 / (2 * len(y) * precision)
    adam = torch.optim.Adam([*first.parameters(), *last.parameters()], lr=settings["learning_rate"])
    for _ in range(settings["epochs"]):
        for batch in torch.randperm(len(y)).split(settings["batch"]):
            hidden = first(nn.functional.dropout(X[batch], rate)).relu()
            error = last(nn.functional.dropout(hidden, rate))[:, 0] - y[batch]
            adam.zero_grad()
            ((error**2).mean() / 2 + decay * (first.weight.square().sum() + last.weight.square().sum())).backward()
            adam.step()

    def draw():
        """One pass: all rows share its masks, so that a row's prediction does not depend on the others."""
        masks = [nn.functional.dropout(torch.ones(size), rate) for size in (X.shape[1], settings["hidden"])]
        return last(first(new * masks[0]).relu() * masks[1])[:, 0]

    with torch.no_grad():
        means = torch.stack([draw() for _ in range(settings["passes"])], dim=1).numpy() * unit + shift
    noise = np.full(len(means), unit**2 / precision)
    variances, weights = np.repeat(noise[:, None], means.shape[1], axis=1), np.full(means.shape[1], 1 / means.shape[1])
    return mixture(weights, means, variances).with_split(aleatoric=noise, epistemic=means.var(axis=1))


if __name__ == "__main__":
    torch_dropout.main()

"""Read a store of finished trials."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Union

from ._command import run
from ._table import Table, read_csv

__all__ = ["predictions", "scores"]

Place = Union[str, Path]

_TEXT = (
    "trial",
    "benchmark",
    "dataset",
    "method",
    "id",
    "parameters",
    "variant",
    "outcome",
    "reason",
    "reading",
    "metric",
)
_TYPES = {**{name: str for name in _TEXT}, "split": int, "seed": int, "validation": bool}

# 3: some trials are damaged and were left out, as the program says.
_CODES = (0, 3)


def _export(store: Place, benchmarks: Sequence[Place], profile: str, datasets: Sequence[str], *options: str) -> Table:
    chosen = ["--datasets", ",".join(datasets)] if datasets else []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        run(["export", store, file, *benchmarks, "--profile", profile, *chosen, *options], _CODES)
        return read_csv(file, _TYPES)


def scores(store: Place, *benchmarks: Place, profile: str = "quick", datasets: Sequence[str] = ()) -> Table:
    """Every score of every trial: a row for each trial, reading and metric. docs/commands.md describes the columns.

    Args:
        store: A store or a pack.
        benchmarks: Names, or TOML files; all by default.
        profile: ``smoke``, ``quick`` or ``full``.
        datasets: Only these datasets.

    Raises:
        CommandError: the store cannot be read, or a name is unknown.
    """
    return _export(store, benchmarks, profile, datasets)


def predictions(store: Place, *benchmarks: Place, profile: str = "quick", datasets: Sequence[str] = ()) -> Table:
    """Every prediction of every trial: a row for each test row, with its outcome ``y``, ``mean``, ``sd`` and quantiles
    ``q0.005`` to ``q0.995``, in the units of the scores; NaN where one is undefined. Arguments as of :func:`scores`.

    Raises:
        CommandError: the store cannot be read or has no predictions (as a pack may), or a name is unknown.
    """
    return _export(store, benchmarks, profile, datasets, "--predictions")

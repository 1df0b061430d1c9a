"""Read a store of finished trials."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Optional, Union

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


def _listed(option: str, values: str | Sequence[str]) -> list[str]:
    """The words of an option that takes names between commas; none where there are none."""
    names = [values] if isinstance(values, str) else list(values)
    return [option, ",".join(names)] if names else []


def _chosen(
    datasets: str | Sequence[str],
    methods: str | Sequence[str],
    splits: int | None,
    with_: str | Sequence[str],
) -> list[str]:
    commands = [with_] if isinstance(with_, str) else list(with_)
    words = [*_listed("--datasets", datasets), *_listed("--methods", methods)]
    words += [] if splits is None else ["--splits", str(splits)]
    return words + [word for command in commands for word in ("--with", command)]


def _export(store: Place, benchmarks: Sequence[Place], profile: Optional[str], words: Sequence[str]) -> Table:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        stated = [] if profile is None else ["--profile", profile]
        run(["export", store, file, *benchmarks, *stated, *words], _CODES)
        table = read_csv(file, _TYPES)
    if table.rows == 0 or ("outcome" in table and bool((table["outcome"] == "not run").all())):
        warnings.warn(
            f"no finished trial of {store} is chosen: profile={profile!r}, benchmarks={[str(name) for name in benchmarks]!r}, "
            f"options={list(words)!r}",
            stacklevel=3,
        )
    return table


def scores(
    store: Place,
    *benchmarks: Place,
    profile: Optional[str] = None,
    datasets: str | Sequence[str] = (),
    methods: str | Sequence[str] = (),
    splits: int | None = None,
    with_: str | Sequence[str] = (),
) -> Table:
    """Every score of every trial: a row for each trial, reading and metric. docs/look-up/files.md describes the columns.

    Args:
        store: A store or a pack.
        benchmarks: Names, or TOML files; all by default. The file of a selection (``uqbench new FILE --like``) stands for its
            benchmarks and for the arguments below that are not given.
        profile: ``smoke``, ``quick`` (the default) or ``full``.
        datasets: Only these datasets.
        methods: Only these methods; ``external`` stands for all of ``with_``.
        splits: Number of splits, instead of the profile's.
        with_: Commands of external methods that were run with ``--with``, such as ``"python mine.py"``: their trials are found by
            the same command and the same files.

    Warns:
        UserWarning: no finished trial is chosen, so that the table has no scores.

    Raises:
        CommandError: the store cannot be read, or a name is unknown.
    """
    return _export(store, benchmarks, profile, _chosen(datasets, methods, splits, with_))


def predictions(
    store: Place,
    *benchmarks: Place,
    profile: Optional[str] = None,
    datasets: str | Sequence[str] = (),
    methods: str | Sequence[str] = (),
    splits: int | None = None,
    with_: str | Sequence[str] = (),
) -> Table:
    """Every prediction of every trial: a row for each test row, with its outcome ``y``, ``mean``, ``sd`` and quantiles
    ``q0.005`` to ``q0.995``, in the units of the scores; NaN where one is undefined. Arguments and warnings as of
    :func:`scores`.

    Raises:
        CommandError: the store cannot be read or has no predictions (as a pack may), or a name is unknown.
    """
    return _export(store, benchmarks, profile, [*_chosen(datasets, methods, splits, with_), "--predictions"])

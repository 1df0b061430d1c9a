"""Score predictions that one already has."""

from __future__ import annotations

import csv
import re
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ._command import run
from ._prediction import Floats, Prediction, floats, is_missing
from ._table import Table, read_csv

__all__ = ["Scored", "score"]


@dataclass(frozen=True)
class Scored:
    """The scores of predictions."""

    #: The page, in Markdown.
    page: str
    #: Every number: a row for each method and metric, over all rows, in each split, and in each group.
    numbers: Table

    def of(self, metric: str, method: str | None = None) -> float:
        """The score of all rows by a metric, such as ``crps``; ``method`` is needed where there are several.

        Raises:
            KeyError: there is no such score, or there are several.
        """
        found = self.numbers.where(metric=metric, split="", group="")
        found = found if method is None else found.where(method=method)
        if found.rows != 1:
            raise KeyError(f"{found.rows} scores by {metric!r} of {method or 'any method'}, expected one")
        return float(found["score"][0])


def score(
    y: Any,
    prediction: Prediction | Mapping[str, Prediction],
    *,
    level: float | None = None,
    group: Sequence[Any] | None = None,
    split: Sequence[Any] | None = None,
    row: Sequence[Any] | None = None,
    train_rows: int | Sequence[int] | None = None,
    out: str | Path | None = None,
) -> Scored:
    """Score predictions of the outcomes ``y`` (m) by every metric that they define, with intervals; ``uqbench score``.

    What the program notes or warns of becomes a warning of Python. Rows without an outcome (NaN, masked, NA) are left out, with a
    warning.

    Args:
        y: Outcomes.
        prediction: Of these rows; or several by name, which are then compared with the first.
        level: Probability of the central intervals; needed for :func:`interval`.
        group: A label for each row: groups are judged by themselves.
        split: A label for each row: the test set that it belongs to.
        row: A label for each row: which row of the data it is. A row that several test sets have is then known.
        train_rows: Number of training rows, for each row or the mean of all test sets; by default what a test set leaves of all
            tested rows.
        out: Folder for the page, its numbers and its figures; they are not kept by default.

    Raises:
        CommandError: the program refuses the numbers; its message names row and column.
        ValueError: lengths differ, a prediction is missing, or the form has no columns: a histogram, for example, is scored by its
            quantiles.
    """
    outcomes = floats(y)
    if outcomes.ndim != 1:
        raise ValueError(f"y has the shape {outcomes.shape}, expected one number a row")
    methods = {"prediction": prediction} if isinstance(prediction, Prediction) else dict(prediction)
    each = {name: prediction_columns("prediction" if len(methods) == 1 else f"prediction {name!r}", one) for name, one in methods.items()}
    labels: dict[str, Any] = {
        name: _labels(name, part) for name, part in (("group", group), ("split", split), ("row", row)) if part is not None
    }
    option = train_rows if isinstance(train_rows, (int, np.integer)) else None
    if train_rows is not None and option is None:
        labels["train_rows"] = floats(train_rows)
    for columns in (*each.values(), labels):
        _check_lengths(columns, len(outcomes))
    known = np.flatnonzero(~np.isnan(outcomes))
    if len(known) == 0:
        raise ValueError("y has no outcome: expected a number in some row")
    if len(known) < len(outcomes):
        missing = len(outcomes) - len(known)
        warnings.warn(f"y: {missing} of {len(outcomes)} rows have no outcome (NaN, masked, NA) and are left out", stacklevel=2)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, (name, columns) in enumerate(each.items()):
            files.append(Path(folder) / ("predictions.csv" if len(methods) == 1 else f"predictions-{number + 1}.csv"))
            method = [name] * len(outcomes)
            _write(files[-1], {**columns, "y": outcomes, "method": method, **labels}, known)
        kept = Path(folder) / "out" if out is None else Path(out)
        options = [] if level is None else ["--level", repr(float(level))]
        options += [] if option is None else ["--train-rows", str(option)]
        names = ["prediction"] if len(methods) == 1 else [f"prediction {name!r}" for name in methods]
        told = _Words(dict(zip(map(str, files), names)), known)
        page = run(["score", *files, "--out", kept, *options], in_words=told)
        text = {name: str for name in ("method", "split", "group", "metric", "exactness")}
        return Scored(page, read_csv(kept / "score.csv", text))


class _Words:
    """Says a message about files and options in the words of the arguments."""

    def __init__(self, names: Mapping[str, str], known: NDArray[np.intp]):
        self._names = names
        self._known = known

    def __call__(self, message: str) -> str:
        for file, name in self._names.items():
            for found in reversed(list(re.finditer(re.escape(file) + r"(?:, line (\d+))?", message))):
                message = message[: found.start()] + name + self._row(found.group(1)) + message[found.end() :]
        for option, argument in (("--level 0.9", "level=0.9 (--level 0.9)"), ("--train-rows N", "train_rows=N"), ("--train-rows", "train_rows")):
            message = message.replace(option, argument)
        return message + ("; sd is the root of the argument variance" if 'column "sd"' in message else "")

    def _row(self, line: str | None) -> str:
        # The header is line 1, and rows are counted from 0.
        return "" if line is None else f", row {int(self._known[int(line) - 2])}"


def prediction_columns(name: str, prediction: Prediction) -> dict[str, Floats]:
    """The columns of a prediction, none of which has a missing number."""
    for argument, array in prediction.arrays.items():
        missing = np.argwhere(np.isnan(array))
        if len(missing):
            raise ValueError(f"{name}: {argument} is missing (NaN, masked, NA) in row {int(missing[0][0])}; expected a number in every row")
    return _columns(prediction)


def _labels(name: str, values: Sequence[Any]) -> list[Any]:
    labels: list[Any] = values.tolist() if hasattr(values, "tolist") else list(values)
    missing = [place for place, label in enumerate(labels) if is_missing(label)]
    if missing:
        raise ValueError(f"{name} has no label in row {missing[0]}; expected one in every row")
    return labels


def _columns(prediction: Prediction) -> dict[str, Floats]:
    arrays = prediction.arrays
    if prediction.form == "gaussian":
        return {"mean": arrays["mean"], "sd": _root(arrays["variance"])}
    if prediction.form == "student-t":
        return {"location": arrays["location"], "scale": arrays["scale"], "df": arrays["degrees_of_freedom"]}
    if prediction.form == "mixture":
        parts = {"weight": np.broadcast_to(arrays["weights"], arrays["means"].shape), "mean": arrays["means"]}
        parts["sd"] = _root(arrays["variances"])
        count = arrays["means"].shape[1]
        return {f"{name}{k + 1}": part[:, k] for k in range(count) for name, part in parts.items()}
    if prediction.form == "quantiles":
        return {f"q{float(level)!r}": column for level, column in zip(arrays["levels"], arrays["values"].T)}
    if prediction.form == "samples":
        return {f"s{number + 1}": column for number, column in enumerate(arrays["values"].T)}
    if prediction.form == "interval":
        return {"lower": arrays["lower"], "upper": arrays["upper"]}
    raise ValueError(f"the form {prediction.form} has no columns of its own: score its quantiles, or draws of it")


def _root(variance: Floats) -> Floats:
    if (variance < 0).any():
        row = int(np.argwhere(variance < 0)[0][0])
        raise ValueError(f"the variance of row {row} is below 0, expected a number above 0")
    return np.sqrt(variance)


def _check_lengths(columns: Mapping[str, Any], rows: int) -> None:
    wrong: list[str] = [f"{name} has {len(column)}" for name, column in columns.items() if len(column) != rows]
    if wrong:
        raise ValueError(f"y has {rows} rows, but {', '.join(wrong)}")


def _write(path: Path, columns: Mapping[str, Any], known: NDArray[np.intp]) -> None:
    # Python writes a double so that it reads back equal.
    cells = [column.tolist() if isinstance(column, np.ndarray) else list(column) for column in columns.values()]
    rows = list(zip(*cells))
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows[place] for place in known.tolist())

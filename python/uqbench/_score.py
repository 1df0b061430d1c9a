"""Score predictions that one already has."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional, Union

import numpy as np

from ._command import run
from ._prediction import Floats, Prediction
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
    out: str | Path | None = None,
) -> Scored:
    """Score predictions of the outcomes ``y`` (m) by every metric that they define, with intervals; ``uqbench score``.

    Args:
        y: Outcomes.
        prediction: Of these rows; or several by name, which are then compared with the first.
        level: Probability of the central intervals; needed for :func:`interval`.
        group: A label for each row: groups are judged by themselves.
        split: A label for each row: the test set that it belongs to.
        out: Folder for the page, its numbers and its figures; they are not kept by default.

    Raises:
        CommandError: the program refuses the numbers; its message names row and column.
        ValueError: lengths differ, or the form has no columns: a mixture, for example, is scored by its quantiles.
    """
    outcomes = np.asarray(y, dtype=np.float64)
    methods = {"prediction": prediction} if isinstance(prediction, Prediction) else dict(prediction)
    labels = {name: part for name, part in (("group", group), ("split", split)) if part is not None}
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, (name, one) in enumerate(methods.items()):
            files.append(Path(folder) / ("predictions.csv" if len(methods) == 1 else f"predictions-{number + 1}.csv"))
            columns: dict[str, Any] = {**_columns(one), "y": outcomes, "method": [name] * len(outcomes), **labels}
            _write(files[-1], columns, len(outcomes))
        kept = Path(folder) / "out" if out is None else Path(out)
        options = [] if level is None else ["--level", repr(float(level))]
        page = run(["score", *files, "--out", kept, *options])
        text = {name: str for name in ("method", "split", "group", "metric", "exactness")}
        return Scored(page, read_csv(kept / "score.csv", text))


def _columns(prediction: Prediction) -> dict[str, Floats]:
    arrays = prediction.arrays
    if prediction.form == "gaussian":
        return {"mean": arrays["mean"], "sd": np.sqrt(arrays["variance"])}
    if prediction.form == "quantiles":
        return {f"q{float(level)!r}": column for level, column in zip(arrays["levels"], arrays["values"].T)}
    if prediction.form == "samples":
        return {f"s{number + 1}": column for number, column in enumerate(arrays["values"].T)}
    if prediction.form == "interval":
        return {"lower": arrays["lower"], "upper": arrays["upper"]}
    raise ValueError(f"the form {prediction.form} has no columns of its own: score its quantiles, or draws of it")


def _write(path: Path, columns: Mapping[str, Any], rows: int) -> None:
    wrong: list[str] = [f"{name} has {len(column)}" for name, column in columns.items() if len(column) != rows]
    if wrong:
        raise ValueError(f"y has {rows} rows, but {', '.join(wrong)}")
    # Python writes a double so that it reads back equal.
    cells = [column.tolist() if isinstance(column, np.ndarray) else list(column) for column in columns.values()]
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*cells))

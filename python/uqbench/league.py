"""Predict the splits of a board of the league with any program, and bring the predictions back.

``tasks`` gives training rows and test features of each split as arrays; ``submit`` checks the predictions of all splits, scores them,
and keeps them as an entry; ``uqbench league`` shows the board.
"""

from __future__ import annotations

import csv
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

from ._command import run
from ._prediction import Floats, Prediction
from ._score import prediction_columns

__all__ = ["Submitted", "Task", "submit", "tasks"]


@dataclass(frozen=True)
class Task:
    """One split of a dataset: what a fit may see of it."""

    #: The dataset's key.
    dataset: str
    #: The split, from 0.
    split: int
    #: Features of the n training rows, n × d, in their own units; NaN where a number is missing.
    X_train: Floats
    #: Their targets, n.
    y_train: Floats
    #: Features of the m test rows, m × d.
    X_test: Floats
    #: The d features: ``name``, ``unit``, ``kind`` (``numeric``, ``binary``, ``constant``, ``level``, ``missing``).
    columns: list[dict[str, Any]]
    #: The target: ``name``, ``unit``, and ``resolution`` where it is rounded or discrete.
    target: dict[str, Any]
    #: The group of each training row, n whole numbers, where rows of a group depend on each other: divide the training rows by whole
    #: groups. Test rows are of other groups.
    groups_train: Optional[Any] = None
    #: The period of each training row, n whole numbers in ascending order, where rows that are near in time depend on each other.
    times_train: Optional[Any] = None

    @property
    def key(self) -> tuple[str, int]:
        """What :func:`submit` knows the split by."""
        return (self.dataset, self.split)


@dataclass(frozen=True)
class Submitted:
    """An entry that was added."""

    #: Its skill by dataset, and where it is, as text.
    page: str


def tasks(
    board: str,
    datasets: Sequence[str] | None = None,
    splits: int | None = None,
    folder: str | Path | None = None,
    *,
    mirror: str | Path | None = None,
    offline: bool = False,
) -> Iterator[Task]:
    """The splits of a board, one after the other; ``uqbench league init``.

    Args:
        board: Its name, such as ``standard``, or a benchmark file.
        datasets: Only these, by key, for a part of the board.
        splits: Only the first ones of each dataset, for a part of the board.
        folder: Where the arrays are kept. A folder that has them already is read, and nothing else is done. By default they are in a
            temporary folder.
        mirror: Folder or address of data files, as ``--mirror``.
        offline: Never open a network connection.

    Raises:
        CommandError: there is no such board, or its datasets are not at hand.
        ValueError: the folder has the arrays of another board.
    """
    kept = None if folder is None else Path(folder)
    if kept is not None and (kept / "task.json").is_file():
        return _read(kept, board, datasets, splits, None)
    holder = tempfile.TemporaryDirectory() if kept is None else None
    place = kept if holder is None else Path(holder.name) / "tasks"
    assert place is not None
    options = [] if datasets is None else ["--datasets", ",".join(datasets)]
    options += [] if splits is None else ["--splits", str(splits)]
    run(["league", "init", board, place, "--arrays", "npy", *options, *_sources(mirror, offline)])
    return _read(place, board, datasets, splits, holder)


def _read(
    folder: Path,
    board: str,
    datasets: Sequence[str] | None,
    splits: int | None,
    holder: tempfile.TemporaryDirectory[str] | None,
) -> Iterator[Task]:
    task = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    if not board.endswith(".toml") and task["board"] not in (board, f"league-{board}"):
        raise ValueError(f"{folder} has the splits of {task['board']}, expected those of {board}: choose another folder")

    def is_called(key: str, name: str) -> bool:
        return name in (key, key.split(":")[0])

    missing = [name for name in datasets or () if not any(is_called(one["key"], name) for one in task["datasets"])]
    if missing:
        raise ValueError(f"{folder} has no split of {', '.join(missing)}: choose another folder")
    chosen = [one for one in task["datasets"] if datasets is None or any(is_called(one["key"], name) for name in datasets)]

    def each() -> Iterator[Task]:
        with nullcontext() if holder is None else holder:
            for dataset in chosen:
                for split in dataset["splits"][:splits]:
                    place = folder / split["folder"]
                    x_train, y_train, x_test = (np.load(place / f"{name}.npy") for name in ("X_train", "y_train", "X_test"))
                    facts = (dataset["columns"], dataset["target"])
                    file = dataset.get("dependent", {}).get("file")
                    codes = {} if file is None else {file: np.load(place / f"{file}.npy")}
                    yield Task(dataset["key"], split["split"], x_train, y_train, x_test, *facts, **codes)

    return each()


def submit(
    predictions: Mapping[tuple[str, int], Prediction],
    card: str | Path | Mapping[str, Any],
    into: str | Path = "uqbench-league",
    *,
    board: str | None = None,
    mirror: str | Path | None = None,
    offline: bool = False,
) -> Submitted:
    """Check predictions of a board, score them and keep them as an entry; ``uqbench league add``.

    The predictions go to the program as text, because numpy writes no Parquet: Python writes a double so that it reads back equal, bit
    by bit, and the file can be looked at. The entry that is kept is Parquet.

    Args:
        predictions: By dataset and split (:attr:`Task.key`), at each row of ``X_test``. All of one form.
        card: A filled ``card.toml``, or its keys and values.
        into: The folder of entries.
        board: The board, where it is that of a benchmark file.
        mirror: Folder or address of data files, as ``--mirror``.
        offline: Never open a network connection.

    Raises:
        CommandError: the entry is refused; the message says why, by dataset, split and row.
        ValueError: splits differ in form or in levels, or a prediction is missing.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "predictions.csv"
        _write(file, predictions)
        path = Path(folder) / "card.toml"
        if isinstance(card, Mapping):
            path.write_text(_toml(card), encoding="utf-8")
        else:
            path = Path(card)

        def in_words(message: str) -> str:
            message = message.replace(str(file), "the file of predictions")
            return message.replace(str(path), "the card") if isinstance(card, Mapping) else message

        options = [] if board is None else ["--board", board]
        words = ["league", "add", file, path, "--into", into, *options, *_sources(mirror, offline)]
        return Submitted(run(words, in_words=in_words))


def _sources(mirror: str | Path | None, offline: bool) -> list[str]:
    return ([] if mirror is None else ["--mirror", str(mirror)]) + (["--offline"] if offline else [])


def _write(file: Path, predictions: Mapping[tuple[str, int], Prediction]) -> None:
    if not predictions:
        raise ValueError("there are no predictions: expected one of each split of a board")
    names: list[str] | None = None
    with open(file, "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        for (dataset, split), prediction in predictions.items():
            columns = prediction_columns(f"prediction of {dataset}, split {split}", prediction)
            for part in ("aleatoric", "epistemic"):
                if part in prediction.arrays:
                    columns[part] = prediction.arrays[part]
            if names is None:
                names = list(columns)
                writer.writerow(["dataset", "split", "row", *names])
            if list(columns) != names:
                raise ValueError(
                    f"the prediction of {dataset}, split {split} has the columns {', '.join(columns)}, "
                    f"expected {', '.join(names)} as in the first split"
                )
            cells = [column.tolist() for column in columns.values()]
            writer.writerows([dataset, split, row, *numbers] for row, numbers in enumerate(zip(*cells)))


def _toml(card: Mapping[str, Any]) -> str:
    """The keys and values of a card as TOML."""
    tables = {key: value for key, value in card.items() if isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping)}
    lines = [f"{_text(key)} = {_value(value)}" for key, value in card.items() if key not in tables and value is not None]
    for key, entries in tables.items():
        for entry in entries:
            lines += [f"[[{_text(key)}]]", *(f"{_text(name)} = {_value(value)}" for name, value in entry.items())]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    return _text(value)


def _text(value: Any) -> str:
    # As in JSON, but for the last control character.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")

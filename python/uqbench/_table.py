"""Tables as columns of numpy arrays."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Callable, Dict, List, Union

import numpy as np
from numpy.typing import NDArray

__all__ = ["Table", "read_csv"]

# Values that a warning names at most.
_SHOWN = 8


class Table(Mapping[str, NDArray[Any]]):
    """Named columns of equal length: text, whole numbers, truth values, or doubles with NaN for what is missing."""

    def __init__(self, columns: dict[str, NDArray[Any]]):
        self._columns = columns

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """Number of columns."""
        return len(self._columns)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self._columns.values()), ()))

    def where(self, **equal: Any) -> Table:
        """The rows whose columns equal these values: ``table.where(metric="crps")``.

        Warns:
            UserWarning: no row has these values; it names those that the first such column has.
        """
        keep = np.ones(self.rows, dtype=bool)
        for name, value in equal.items():
            before = keep
            keep = keep & (self._columns[name] == value)
            if before.any() and not keep.any():
                found = sorted({str(cell) for cell in self._columns[name][before]})
                shown = ", ".join(found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
                warnings.warn(f"no row has {name}={value!r}: found {shown}", stacklevel=2)
        return Table({name: column[keep] for name, column in self._columns.items()})

    def to_pandas(self) -> Any:
        """The table as a pandas ``DataFrame``; pandas has to be installed."""
        import pandas

        return pandas.DataFrame(self._columns)

    def to_polars(self) -> Any:
        """The table as a polars ``DataFrame``; polars has to be installed."""
        import polars

        return polars.DataFrame(self._columns)

    def __repr__(self) -> str:
        return f"Table({self.rows} rows: {', '.join(self._columns)})"


def _number(cell: str) -> float:
    return float(cell) if cell else float("nan")


_READERS: dict[type, Callable[[str], Any]] = {str: str, float: _number, int: int, bool: lambda cell: cell == "true"}


def read_csv(path: str | Path, types: Mapping[str, type]) -> Table:
    """Read a CSV file; a column that ``types`` does not name has doubles."""
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        names = next(reader)
        cells: list[list[Any]] = [[] for _ in names]
        readers = [_READERS[types.get(name, float)] for name in names]
        for row in reader:
            for column, read, cell in zip(cells, readers, row):
                column.append(read(cell))
    return Table({name: np.array(column, dtype=types.get(name, float)) for name, column in zip(names, cells)})

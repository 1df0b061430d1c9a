"""Predictive distributions: what a method answers, and what is scored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Dict, Optional

import numpy as np
from numpy.typing import NDArray

__all__ = ["Prediction", "atoms", "gaussian", "interval", "mixture", "piecewise", "quantiles", "samples", "student_t"]

#: An array of doubles.
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Prediction:
    """The predictive distributions of the target at m rows, in the target's units.

    The functions of this module make them. ``form`` names the form, ``arrays`` has its arrays of doubles by name.
    """

    form: str
    arrays: dict[str, Floats]
    tables: dict[str, dict[str, Sequence[float]]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(next(iter(self.arrays.values())))

    def with_split(self, aleatoric: Any = None, epistemic: Any = None) -> Prediction:
        """The same with the variances (each m, squared units) that the method itself calls aleatoric or epistemic."""
        parts = {"aleatoric": aleatoric, "epistemic": epistemic}
        arrays = {name: _vector(name, part, len(self)) for name, part in parts.items() if part is not None}
        return Prediction(self.form, {**self.arrays, **arrays}, self.tables)

    def with_table(self, name: str, columns: dict[str, Sequence[float]]) -> Prediction:
        """The same with a small table of numbers, which is stored with the trial."""
        return Prediction(self.form, self.arrays, {**self.tables, name: columns})


def floats(values: Any) -> Floats:
    """The values as doubles; NaN for what is masked or missing (``numpy.ma``, pandas' NA, None)."""
    if isinstance(values, np.ma.MaskedArray):
        return np.asarray(np.ma.filled(values.astype(np.float64), np.nan))
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        objects = np.array(np.asarray(values, dtype=object))
        missing = np.array([is_missing(value) for value in objects.flat], dtype=bool).reshape(objects.shape)
        if not missing.any():
            raise
        objects[missing] = np.nan
        return objects.astype(np.float64)


def is_missing(value: Any) -> bool:
    """Whether a cell is masked or missing: None, NaN, pandas' NA or NaT."""
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and math.isnan(value)


def _vector(name: str, values: Any, rows: int | None = None) -> Floats:
    array = floats(values)
    if array.ndim != 1 or (rows is not None and len(array) != rows):
        expected = "one number a row" if rows is None else f"{rows} numbers"
        raise ValueError(f"{name} has the shape {array.shape}, expected {expected}")
    return array


def _matrix(name: str, values: Any, rows: int | None = None) -> Floats:
    array = floats(values)
    if array.ndim != 2 or (rows is not None and len(array) != rows):
        expected = "two dimensions, a row for each test row" if rows is None else f"{rows} rows"
        raise ValueError(f"{name} has the shape {array.shape}, expected {expected}")
    return array


def _shared(name: str, values: Any, shape: Sequence[int]) -> Floats:
    array = floats(values)
    if array.shape not in [tuple(shape), tuple(shape[1:])]:
        raise ValueError(
            f"{name} have the shape {array.shape}, expected {tuple(shape)}, or {tuple(shape[1:])} for all rows"
        )
    return array


def gaussian(mean: Any, variance: Any) -> Prediction:
    """Normal distributions with these means and variances, each m."""
    mean = _vector("mean", mean)
    return Prediction("gaussian", {"mean": mean, "variance": _vector("variance", variance, len(mean))})


def student_t(location: Any, scale: Any, degrees_of_freedom: Any) -> Prediction:
    """Student-t distributions; each argument m."""
    location = _vector("location", location)
    arrays = {"location": location, "scale": _vector("scale", scale, len(location))}
    arrays["degrees_of_freedom"] = _vector("degrees_of_freedom", degrees_of_freedom, len(location))
    return Prediction("student-t", arrays)


def mixture(weights: Any, means: Any, variances: Any) -> Prediction:
    """Mixtures of k normal distributions: means and variances m × k, weights m × k, or k for all rows."""
    means = _matrix("means", means)
    variances = _matrix("variances", variances, len(means))
    return Prediction("mixture", {"means": means, "variances": variances, "weights": _shared("weights", weights, means.shape)})


def quantiles(values: Any, levels: Any) -> Prediction:
    """Quantiles (m × L, not falling along a row) at increasing levels (L) between 0 and 1.

    To be scored, they may have the levels 0 and 1, the ends of the distributions; the answer of a method may not.
    """
    values, levels = _matrix("values", values), _vector("levels", levels)
    if not ((levels >= 0).all() and (levels <= 1).all()):
        raise ValueError(f"levels are {levels.tolist()}, expected numbers from 0 to 1")
    distinct, counts = np.unique(levels, return_counts=True)
    if (counts > 1).any():
        level = float(distinct[counts > 1][0])
        raise ValueError(f"levels have {level!r} {int(counts.max())} times, expected each level once")
    if values.shape[1] != len(levels):
        raise ValueError(f"values have {values.shape[1]} columns, expected one for each of the {len(levels)} levels")
    return Prediction("quantiles", {"values": values, "levels": levels})


def samples(values: Any) -> Prediction:
    """Draws, m × S, at least two a row."""
    return Prediction("samples", {"values": _matrix("values", values)})


def atoms(values: Any, weights: Any) -> Prediction:
    """Weighted points: values m × k, weights m × k, or k for all rows."""
    values = _matrix("values", values)
    return Prediction("atoms", {"values": values, "weights": _shared("weights", weights, values.shape)})


def piecewise(edges: Any, masses: Any, tails: Any = None) -> Prediction:
    """Densities that are constant between edges (histograms), with exponential tails where ``tails`` are given.

    Args:
        edges: Increasing along a row, m × (k + 1), or k + 1 for all rows.
        masses: Probabilities between the edges, m × k.
        tails: Probability and scale of the lower tail, then of the upper one, m × 4, or 4 for all rows. The tail below the
            first edge e has the distribution function probability · exp((y − e) / scale). A row of masses with both
            probabilities sums to 1.
    """
    masses = _matrix("masses", masses)
    rows, pieces = masses.shape
    arrays = {"masses": masses, "edges": _shared("edges", edges, (rows, pieces + 1))}
    if tails is not None:
        arrays["tails"] = _shared("tails", tails, (rows, 4))
    return Prediction("piecewise", arrays)


def interval(lower: Any, upper: Any) -> Prediction:
    """Central intervals, each end m. They can be scored, but are no answer of a method: they have no distribution."""
    lower = _vector("lower", lower)
    return Prediction("interval", {"lower": lower, "upper": _vector("upper", upper, len(lower))})

"""Write methods for the benchmark harness ``uqbench`` in Python, read its results, and score predictions.

``method`` makes a method of a function; ``gaussian``, ``quantiles``, ``samples`` and their kin are its answers.
``scores`` and ``predictions`` read a store. ``score`` scores predictions that one already has. ``check`` fails a test where the
scores of a model got worse. The module ``league`` gives the splits of a board, and takes predictions of them.
"""

from . import league
from ._command import CommandError, command
from ._gate import GotWorse, check
from ._method import Diverged, Method, Request, Unavailable, Unsupported, method
from ._prediction import Prediction, atoms, gaussian, interval, mixture, piecewise, quantiles, samples, student_t
from ._score import Scored, score
from ._store import predictions, scores
from ._table import Table

__all__ = [
    "CommandError",
    "Diverged",
    "GotWorse",
    "Method",
    "Prediction",
    "Request",
    "Scored",
    "Table",
    "Unavailable",
    "Unsupported",
    "atoms",
    "check",
    "command",
    "gaussian",
    "interval",
    "league",
    "method",
    "mixture",
    "piecewise",
    "predictions",
    "quantiles",
    "samples",
    "score",
    "scores",
    "student_t",
]

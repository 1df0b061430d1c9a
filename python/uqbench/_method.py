"""Make a method of a function: the three calls of the contract, docs/do/external-methods.md."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import numpy as np

from ._code import loaded_code, watch
from ._prediction import Floats, Prediction

__all__ = ["Diverged", "Method", "Request", "Unavailable", "Unsupported", "method"]

CONTRACT = 1

watch()


class Unsupported(Exception):
    """Raised by a method that does not handle the problem; the trial is then finished."""


class Diverged(Exception):
    """Raised by a method whose computation did not converge; the trial is then finished."""


class Unavailable(Exception):
    """Raised by a method that lacks what it needs, such as weights; the trial runs again with the next run."""


@dataclass(frozen=True)
class Request:
    """What a trial asks for, besides the arrays. Fields of later versions of the contract are left out."""

    #: Seed of all random numbers, from 0 to 2³¹ − 1.
    seed: int
    #: Number of threads to use.
    threads: int = 1
    #: ``seconds``, ``memory`` in bytes (``None`` is no limit), and ``processes``.
    limits: Mapping[str, Any] = field(default_factory=dict)
    #: ``name`` and ``kind`` of each feature: ``constant``, ``binary`` or ``numeric``.
    columns: Sequence[Mapping[str, str]] = ()
    #: Name of the target.
    target: str = ""
    #: Levels of the quantiles that are wanted.
    levels: Sequence[float] = ()
    #: Number of draws that are wanted of a method that can only be sampled.
    samples: int = 0
    #: Whether aleatoric and epistemic variances are wanted.
    split: bool = False
    #: Settings of the benchmark file.
    settings: Mapping[str, Any] = field(default_factory=dict)

    def rng(self) -> np.random.Generator:
        """A generator of random numbers with the seed."""
        return np.random.default_rng(self.seed)


FitPredict = Callable[[Floats, Floats, Floats, Request], Prediction]


class Method:
    """A method: call it as the function that it was made of, or let :meth:`main` answer the harness."""

    def __init__(
        self,
        fit_predict: FitPredict,
        name: str,
        deterministic: bool,
        versions: dict[str, str],
        server: bool,
        tolerance: float | None = None,
    ):
        self.fit_predict = fit_predict
        self.description: dict[str, Any] = {
            "contract": CONTRACT,
            "name": name,
            "versions": versions,
            "deterministic": deterministic,
            "server": server,
            "arrays": "npy",
        }
        if tolerance is not None:
            self.description["tolerance"] = tolerance

    def __call__(self, X_train: Floats, y_train: Floats, X_test: Floats, request: Request) -> Prediction:
        return self.fit_predict(X_train, y_train, X_test, request)

    def main(self, arguments: Sequence[str] | None = None) -> None:
        """Answer ``describe``, ``run`` or ``serve``, the first word of the command line.

        Raises:
            SystemExit: there is no such call.
        """
        words: list[str] = list(sys.argv[1:] if arguments is None else arguments)
        calls = {"describe": self._describe, "run": self._run, "serve": self._serve}
        if len(words) != 1 or words[0] not in calls:
            raise SystemExit(
                "expected one word, describe, run or serve; `uqbench method check` calls a method with them"
            )
        calls[words[0]]()

    def _describe(self) -> None:
        # Stated where there is none, too: that tells a method that has looked from one that knows nothing of it.
        print(json.dumps({**self.description, "code": loaded_code()}))

    def _run(self) -> None:
        request = json.loads(Path("request.json").read_text(encoding="utf-8"))
        Path("response.json").write_text(json.dumps(self._answer(request)), encoding="utf-8")

    def _serve(self) -> None:
        # Libraries print on standard output, even past Python: only responses may be there.
        responses = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        for line in sys.stdin:
            responses.write(json.dumps(self._answer(json.loads(line))) + "\n")
            responses.flush()

    def _answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        if request["contract"] != CONTRACT:
            return _error("unsupported", f"this method follows version {CONTRACT} of the contract")
        folder = Path(request["folder"])
        X_train, y_train, X_test = (np.load(folder / f"{name}.npy") for name in ("X_train", "y_train", "X_test"))
        known = {name: request[name] for name in Request.__dataclass_fields__ if name in request}
        try:
            prediction = self.fit_predict(X_train, y_train, X_test, Request(**known))
        except Unsupported as error:
            return _error("unsupported", str(error))
        except Diverged as error:
            return _error("diverged", str(error))
        except Unavailable as error:
            return _error("unavailable", str(error))
        return _response(prediction, folder)


def _error(kind: str, message: str) -> dict[str, Any]:
    return {"contract": CONTRACT, "error": kind, "message": message}


def _response(prediction: Prediction, folder: Path) -> dict[str, Any]:
    if not isinstance(prediction, Prediction):
        raise TypeError(
            f"fit_predict returned {type(prediction).__name__}, expected such as uqbench.gaussian(mean, variance)"
        )
    if prediction.form == "interval":
        raise TypeError("an interval is no predictive distribution: return uqbench.quantiles of both ends")
    response: dict[str, Any] = {"contract": CONTRACT, "form": prediction.form}
    for name, array in prediction.arrays.items():
        if name == "levels":
            response[name] = array.tolist()
            continue
        np.save(folder / f"{name}.npy", np.ascontiguousarray(array))
        response[name] = f"{name}.npy"
    if prediction.tables:
        response["tables"] = {
            name: {column: _numbers(values) for column, values in table.items()}
            for name, table in prediction.tables.items()
        }
    return response


def _numbers(values: Sequence[float]) -> list[float | None]:
    """Numbers as JSON has them: it has no NaN, which the contract writes as null."""
    return [None if np.isnan(value) else float(value) for value in values]


def method(
    name: str | None = None,
    *,
    deterministic: bool = False,
    packages: Sequence[str] = (),
    server: bool = True,
    tolerance: float | None = None,
) -> Callable[[FitPredict], Method]:
    """Make a method of a function ``fit_predict(X_train, y_train, X_test, request)``.

    The arrays are doubles, n × d, n and m × d; the answer is a :class:`Prediction` of the m rows of ``X_test``.

    Args:
        name: Its name in tables; the function's by default.
        deterministic: Whether another seed would give the same numbers.
        packages: Installed packages that the numbers depend on. Their versions are part of every trial's key, as those
            of Python and numpy always are.
        server: Whether one process answers many requests, so that imports are paid once. The function must then give
            the same numbers whatever was asked before.
        tolerance: The largest relative difference of a score that another processor or version of a library may make;
            ``None`` where all machines give the same bits. ``uqbench rerun`` grades by it.
    """
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    versions.update({package: metadata.version(package) for package in packages})

    def make(fit_predict: FitPredict) -> Method:
        return Method(fit_predict, name or fit_predict.__name__, deterministic, versions, server, tolerance)

    return make

"""The documented ways to read the exported table of all trials do read it, where their packages are installed."""

import ast
import math
import re
from pathlib import Path
from typing import Any, Callable

import pytest

import uqbench as uq

DOCS = Path(__file__).parents[2] / "docs" / "commands.md"

BENCHMARK = """
id = "two"
title = "Two methods"
protocol = { holdout = { test = { fraction = 0.2 } } }
datasets = [{ key = "yacht", heading = "Yacht" }]
metrics = [{ id = "crps", heading = "CRPS" }, { id = "rmse", heading = "RMSE" }]
methods = [
  { id = "linear-gaussian", columns = [{ heading = "Linear", labels = { m = "linear" } }] },
  { id = "unconditional-gaussian", columns = [{ heading = "None", labels = { m = "none" } }] },
]
[profiles.smoke]
splits = 3
"""


def snippet(name: str) -> str:
    """The only block of code in the docs that names this."""
    blocks = re.findall(r"^```(?:python|sql)\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    found = [block for block in blocks if name in block]
    assert len(found) == 1, f"{len(found)} blocks of {DOCS.name} name {name}"
    return found[0]


def last_value(code: str) -> Any:
    """Run lines of Python as an interactive session does: the value of the last one is shown."""
    *lines, last = ast.parse(code).body
    names: dict = {}
    exec(compile(ast.Module(body=lines, type_ignores=[]), "docs", "exec"), names)
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(body=last.value), "docs", "eval"), names)


@pytest.fixture
def expected(uqbench: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict:
    """Write `trials.parquet` into the working folder; the mean CRPS by benchmark, dataset and method."""
    (tmp_path / "two.toml").write_text(BENCHMARK, encoding="utf-8")
    places = ["--store", "store", "--profile", "smoke"]
    ran = uqbench("run", "two.toml", *places, "--out", "out", "--cache", "cache", "--offline")
    assert ran.returncode == 0, ran.stderr
    exported = uqbench("export", "store", "trials.parquet", "two.toml", "--profile", "smoke")
    assert exported.returncode == 0, exported.stderr
    monkeypatch.chdir(tmp_path)
    # By a way of its own: the Python package asks the program for CSV.
    table = uq.scores(tmp_path / "store", tmp_path / "two.toml", profile="smoke").where(metric="crps")
    sums: dict = {}
    for benchmark, dataset, method, score in zip(table["benchmark"], table["dataset"], table["method"], table["score"]):
        sums.setdefault((str(benchmark), str(dataset), str(method)), []).append(float(score))
    assert {len(scores) for scores in sums.values()} == {3} and len(sums) == 2
    return {key: math.fsum(scores) / len(scores) for key, scores in sums.items()}


def test_pandas(expected: dict) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    found = last_value(snippet("import pandas"))
    assert found.to_dict() == pytest.approx(expected)


def test_polars(expected: dict) -> None:
    pytest.importorskip("polars")
    found = last_value(snippet("import polars"))
    assert {row[:3]: row[3] for row in found.rows()} == pytest.approx(expected)


def test_duckdb(expected: dict) -> None:
    duckdb = pytest.importorskip("duckdb")
    found = duckdb.sql(snippet("-- DuckDB")).fetchall()
    assert {row[:3]: row[3] for row in found} == pytest.approx(expected)

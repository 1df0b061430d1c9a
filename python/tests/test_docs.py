"""The snippets of the documentation that read the table of all trials run as they are written."""

import importlib.util
import re
import subprocess
from pathlib import Path

import pytest

import uqbench as uq

COMMANDS = Path(__file__).parents[2] / "docs" / "commands.md"


def snippets() -> dict[str, str]:
    """The code below the description of `uqbench export`, by the package that it needs."""
    text = COMMANDS.read_text(encoding="utf-8").split("\n`uqbench export STORE", 1)[1]
    found = {}
    for language, code in re.findall(r"^```(python|sql)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        package = "duckdb" if language == "sql" else re.match(r"import (\w+)", code)[1]  # type: ignore[index]
        found[package] = code
    return found


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    for words in (
        ["run", "dtb-figure-2", "--profile", "smoke", "--store", "store", "--out", "out", "--offline"],
        ["export", "store", "trials.parquet", "dtb-figure-2", "--profile", "smoke"],
    ):
        ended = subprocess.run([uq.command(), *words], cwd=folder, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
    return folder


def test_each_package_has_a_snippet_of_three_lines() -> None:
    assert set(snippets()) == {"pandas", "polars", "duckdb"}
    assert all(len([line for line in code.splitlines() if not line.startswith("--")]) <= 3 for code in snippets().values())


@pytest.mark.parametrize("package", ["pandas", "polars", "duckdb"])
def test_the_snippet_reads_the_table(package: str, trials: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # pandas reads Parquet by pyarrow.
    needed = ["pandas", "pyarrow"] if package == "pandas" else [package]
    if any(importlib.util.find_spec(one) is None for one in needed):
        pytest.skip(f"{' or '.join(needed)} is not installed")
    monkeypatch.chdir(trials)
    code = snippets()[package]
    if package == "duckdb":
        import duckdb

        rows = duckdb.sql(code).fetchall()
    else:
        # The last line of a snippet is an expression.
        *before, last = code.strip().splitlines()
        names: dict = {}
        exec("\n".join(before), names)
        result = eval(last, names)
        rows = list(result.items()) if package == "pandas" else result.rows()
    assert rows and all(row[-1] > 0 for row in rows), "a CRPS for each benchmark, dataset and method"

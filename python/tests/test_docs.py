"""The snippets of the documentation that read the table of all trials run as they are written."""

import importlib.util
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import uqbench as uq

DOCS = Path(__file__).parents[2] / "docs"


def snippets() -> dict[str, str]:
    """The code below the description of `uqbench export`, by the package that it needs."""
    text = (DOCS / "look-up" / "files.md").read_text(encoding="utf-8").split("\n`uqbench export STORE", 1)[1]
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


def walk() -> list[tuple[str, str]]:
    """The blocks of docs/learn/my-method.md from its method to its scores, in order: a language and a text."""
    text = (DOCS / "learn" / "my-method.md").read_text(encoding="utf-8").split("\n## 2. ", 1)[1]
    return re.findall(r"^```(python|sh)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_walk_of_a_method_ends_with_its_mean_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # The guide's commands name `python` and `uqbench`, as in an activated environment.
    folders = [str(Path(sys.executable).parent), str(Path(uq.command()).parent)]
    if shutil.which("python", path=folders[0]) is None:
        pytest.skip("there is no command `python` beside the interpreter")
    monkeypatch.setenv("PATH", os.pathsep.join([*folders, os.environ["PATH"]]))
    rows = "".join(f"{i * 37 % 100},{i * 53 % 71},{i * 37 % 100 + i * 29 % 13}\n" for i in range(80))
    Path("my.csv").write_text(f"a,b,y\n{rows}")
    (_, method), *blocks = walk()
    Path("mine.py").write_text(method)
    commands = [line for language, text in blocks if language == "sh" for line in text.splitlines()]
    assert [line.split()[1] for line in commands] == ["method", "try", "new", "run", "compare"]
    for line in commands:
        line = line.replace("--methods deep-ensemble", "--methods linear-gaussian").replace('"Deep ensemble"', '"Linear Gaussian"')
        # Yacht is bundled; Boston is where a mirror is.
        line = line.replace("boston,yacht", "yacht") + (" --offline" if line.split()[1] == "run" else "")
        ended = subprocess.run(line, shell=True, capture_output=True, text=True)
        assert ended.returncode == 0, f"{line}\n{ended.stderr}"
    (code,) = [text for language, text in blocks if language == "python" and "uqbench.scores" in text]
    code = code.replace("boston", "yacht")
    ended = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert math.isfinite(float(ended.stdout)), ended.stdout


def test_the_page_of_python_draws_a_table_of_a_report(trials: Path, tmp_path: Path) -> None:
    text = (DOCS / "look-up" / "report-format.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "table.py").write_text(code, encoding="utf-8")
    report = trials / "out" / "dtb-figure-2-report.json"
    words = [sys.executable, "-X", "utf8", tmp_path / "table.py", report]
    ended = subprocess.run(words, capture_output=True, text=True, encoding="utf-8")
    assert ended.returncode == 0, ended.stderr
    title, head, *rows = ended.stdout.splitlines()
    assert ": " in title and head.startswith("Dataset") and rows
    assert any(character.isdigit() for character in rows[0]), rows


def test_the_walk_of_a_table_ends_with_its_predictions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (DOCS / "learn" / "my-table.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    commands = [line for block in blocks for line in block.splitlines()]
    assert [line.split()[:2] for line in commands if line.startswith("uqbench")] == [
        ["uqbench", "data"],
        ["uqbench", "audit"],
        ["uqbench", "try"],
    ]
    if shutil.which("awk") is None:
        pytest.skip("there is no awk")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(uq.command()).parent), os.environ["PATH"]]))
    for line in commands:
        # The walk takes the whole panel of methods; two of them show that its commands work.
        line += " --methods linear-gaussian,unconditional-quantiles" if line.startswith("uqbench try") else ""
        ended = subprocess.run(line, shell=True, capture_output=True, text=True)
        # `audit` ends with 3, because the targets are censored.
        assert ended.returncode == (3 if line.startswith("uqbench audit") else 0), f"{line}\n{ended.stderr}"
        if line.startswith("uqbench audit"):
            assert "the target looks censored: 16 rows have its largest value, 50" in ended.stdout
    (of_rows,) = re.findall(r"^```text\n(row,line,.*?)\n", text, re.MULTILINE)
    assert Path("uqbench-report/try/boston-rows.csv").read_text().splitlines()[0] == of_rows
    (header,) = re.findall(r"^```text\n(row,mean,.*?)\n", text, re.MULTILINE)
    lines = Path("pred.csv").read_text().splitlines()
    assert lines[0] == header and len(lines) == len(Path("new.csv").read_text().splitlines())

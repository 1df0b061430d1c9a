"""Code from outside of installed packages is stated in a method's description."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]

MINE = """
import numpy as np
from uqbench import gaussian, method
import mylib
import single

@method("mine", deterministic=True)
def f(X_train, y_train, X_test, request):
    return gaussian(np.zeros(len(X_test)), np.ones(len(X_test)))

if __name__ == "__main__":
    f.main()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A package and a module on PYTHONPATH, and a script in another folder."""
    (tmp_path / "project" / "mylib").mkdir(parents=True)
    (tmp_path / "run").mkdir()
    (tmp_path / "project" / "mylib" / "__init__.py").write_text("from pathlib import Path\nW = (Path(__file__).parent / 'w.json').read_text()\n")
    (tmp_path / "project" / "mylib" / "later.py").write_text("X = 1\n")
    (tmp_path / "project" / "mylib" / "w.json").write_text("[1]")
    (tmp_path / "project" / "single.py").write_text("Y = 1\n")
    (tmp_path / "run" / "mine.py").write_text(MINE)
    return tmp_path


def code(project: Path, name: str = "mine.py") -> "dict[str, str]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PACKAGE), str(project / "project")])}
    run = subprocess.run(
        [sys.executable, name, "describe"], cwd=project / "run", env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout.splitlines()[-1]).get("code", {})


def test_what_is_loaded_from_elsewhere_is_named(project: Path) -> None:
    assert sorted(code(project)) == ["mylib", "single", "w.json"]


@pytest.mark.parametrize(
    "changed, names",
    [("mylib/__init__.py", {"mylib"}), ("mylib/later.py", {"mylib"}), ("single.py", {"single"}), ("mylib/w.json", {"w.json"})],
)
def test_an_edit_changes_the_hash_of_what_was_edited(project: Path, changed: str, names: "set[str]") -> None:
    before = code(project)
    assert code(project) == before
    path = project / "project" / changed
    path.write_text(path.read_text() + "\n")
    after = code(project)
    assert {name for name in before if after[name] != before[name]} == names


def test_the_place_of_a_package_does_not_matter(project: Path, tmp_path: Path) -> None:
    before = code(project)
    other = tmp_path / "moved"
    (project / "project").rename(other)
    (project / "project").symlink_to(other)
    assert code(project) == before


def test_an_ordinary_method_states_none(project: Path) -> None:
    text = MINE.replace("import mylib\nimport single\n", "")
    (project / "run" / "plain.py").write_text(text)
    assert code(project, "plain.py") == {}


def test_a_module_beside_the_script_is_a_named_file(project: Path) -> None:
    (project / "run" / "helper.py").write_text("Z = 1\n")
    (project / "run" / "both.py").write_text(MINE.replace("import mylib\nimport single", "import helper"))
    assert code(project, "both.py") == {}

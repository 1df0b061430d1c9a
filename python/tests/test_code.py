"""Code from outside of installed packages is stated in a method's description."""

import json
import os
import py_compile
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
    (tmp_path / "project" / "mylib" / "deep").mkdir(parents=True)
    (tmp_path / "run").mkdir()
    (tmp_path / "project" / "mylib" / "__init__.py").write_text(
        "from pathlib import Path\nW = (Path(__file__).parent / 'w.json').read_text()\n"
    )
    (tmp_path / "project" / "mylib" / "later.py").write_text("X = 1\n")
    (tmp_path / "project" / "mylib" / "deep" / "sub.py").write_text("X = 2\n")
    (tmp_path / "project" / "mylib" / "w.json").write_text("[1]")
    (tmp_path / "project" / "single.py").write_text("Y = 1\n")
    (tmp_path / "run" / "mine.py").write_text(MINE)
    return tmp_path


def code(project: Path, name: str = "mine.py", **more: str) -> "dict[str, str]":
    # The project lies in the temporary folder of the tests, which must not be that of the method.
    (project / "tmp").mkdir(exist_ok=True)
    path = os.pathsep.join([str(PACKAGE), str(project / "project")])
    environment = {**os.environ, "PYTHONPATH": path, "TMPDIR": str(project / "tmp"), **more}
    run = subprocess.run(
        [sys.executable, name, "describe"], cwd=project / "run", env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout.splitlines()[-1])["code"]


def test_what_is_loaded_from_elsewhere_is_named(project: Path) -> None:
    assert sorted(code(project)) == ["mylib", "single"]


@pytest.mark.parametrize(
    "changed, names",
    [
        ("mylib/__init__.py", {"mylib"}),
        ("mylib/later.py", {"mylib"}),
        ("mylib/deep/sub.py", {"mylib"}),
        ("single.py", {"single"}),
        ("mylib/w.json", {"mylib"}),
    ],
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


def extend(project: Path, lines: str) -> None:
    """Let the loaded module do more."""
    with (project / "project" / "single.py").open("a") as file:
        file.write("from pathlib import Path\nHERE = Path(__file__).parent\n" + lines)


def test_files_of_one_name_are_hashed_together_in_one_order(project: Path) -> None:
    folders = [project / "project" / name for name in "abcde"]
    for folder in folders:
        folder.mkdir()
        (folder / "config.json").write_text(folder.name)
    extend(project, "for name in 'abcde': (HERE / name / 'config.json').read_text()\n")
    before = code(project, PYTHONHASHSEED="1")
    assert "file config.json" in before
    assert all(code(project, PYTHONHASHSEED=seed) == before for seed in ("2", "3"))
    for folder in folders:
        (folder / "config.json").write_text(folder.name + "!")
        after = code(project)
        assert after["file config.json"] != before["file config.json"]
        before = after


@pytest.mark.parametrize("place", ["tmp", "cache", "config", "home/.cache", "home/.config"])
def test_files_of_the_machine_do_not_count(project: Path, place: str) -> None:
    (project / place).mkdir(parents=True)
    (project / place / "x.json").write_text("1")
    extend(project, f"(HERE.parent / {place!r} / 'x.json').read_text()\n")
    if place.startswith("home"):
        folders = {"HOME": str(project / "home"), "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": ""}
    else:
        folders = {"XDG_CACHE_HOME": str(project / "cache"), "XDG_CONFIG_HOME": str(project / "config")}
    assert sorted(code(project, **folders)) == ["mylib", "single"]


def test_files_that_the_method_writes_do_not_count(project: Path) -> None:
    extend(project, "(HERE / 'log.txt').write_text('x')\n(HERE / 'log.txt').read_text()\n")
    assert sorted(code(project)) == ["mylib", "single"]


def test_a_data_file_named_like_a_package_keeps_the_hash_of_the_package(project: Path) -> None:
    before = code(project)
    (project / "data").mkdir()
    (project / "data" / "mylib").write_text("1")
    extend(project, "(HERE.parent / 'data' / 'mylib').read_text()\n")
    after = code(project)
    assert sorted(after) == ["file mylib", "mylib", "single"]
    assert after["mylib"] == before["mylib"]


def test_a_module_that_moves_within_its_package_changes_the_hash(project: Path) -> None:
    before = code(project)
    (project / "project" / "mylib" / "deep").rename(project / "project" / "mylib" / "deeper")
    assert code(project)["mylib"] != before["mylib"]


def test_folders_that_are_not_of_the_package_are_not_walked(project: Path) -> None:
    before = code(project)
    for name in (".venv", "__pycache__", "node_modules", "env/lib/site-packages"):
        (project / "project" / "mylib" / name).mkdir(parents=True, exist_ok=True)
        (project / "project" / "mylib" / name / "x.py").write_text("")
    assert code(project) == before


def test_a_namespace_package_is_one_entry_wherever_it_lies(project: Path) -> None:
    for root, name in [("project", "one"), ("other", "two"), ("other/site-packages", "three")]:
        (project / root / "space").mkdir(parents=True)
        (project / root / "space" / f"{name}.py").write_text("")
    extend(project, "import space.one, space.two, space.three\n")
    path = [PACKAGE, project / "project", project / "other", project / "other" / "site-packages"]
    before = code(project, PYTHONPATH=os.pathsep.join(map(str, path)))
    assert sorted(before) == ["mylib", "single", "space"]
    # What is installed has a version.
    (project / "other" / "site-packages" / "space" / "three.py").write_text("X = 1\n")
    path[1:3] = reversed(path[1:3])
    assert code(project, PYTHONPATH=os.pathsep.join(map(str, path))) == before
    (project / "other" / "space" / "two.py").write_text("X = 1\n")
    assert code(project, PYTHONPATH=os.pathsep.join(map(str, path)))["space"] != before["space"]


def test_a_module_that_fails_when_it_is_asked_is_no_error(project: Path) -> None:
    lazy = """
import sys

class Lazy:
    def __getattr__(self, name):
        raise RuntimeError(name)

class Odd:
    __file__ = __spec__ = 3
    __path__ = 4

sys.modules["lazy"] = Lazy()
sys.modules["odd"] = Odd()
sys.modules["odd.one"] = sys.modules[__name__]
"""
    before = code(project)
    extend(project, lazy)
    after = code(project)
    assert sorted(after) == ["mylib", "odd", "single"]
    assert after["mylib"] == before["mylib"]


def test_a_virtual_environment_in_the_folder_of_the_project_does_not_leave_it_out(project: Path) -> None:
    extend(project, "import sys\nsys.prefix = str(HERE)\n")
    assert sorted(code(project)) == ["mylib", "single"]


def test_code_that_is_executed_as_a_text_counts(project: Path) -> None:
    (project / "project" / "text.py").write_text("A = 1\n")
    (project / "project" / "value.txt").write_text("1")
    extend(project, "exec((HERE / 'text.py').read_text())\nB = eval((HERE / 'value.txt').read_text())\n")
    before = code(project)
    assert sorted(before) == ["file text.py", "file value.txt", "mylib", "single"]
    (project / "project" / "text.py").write_text("A = 2\n")
    after = code(project)
    assert {name for name in before if after[name] != before[name]} == {"file text.py"}


@pytest.mark.parametrize("compiled", [False, True])
def test_a_module_that_is_in_no_list_counts(project: Path, compiled: bool) -> None:
    path = project / "project" / "hidden.py"
    path.write_text("A = 1\n")
    if compiled:
        py_compile.compile(str(path), doraise=True)
    lines = "import importlib.util as u\nS = u.spec_from_file_location('hidden', HERE / 'hidden.py')\n"
    extend(project, lines + "M = u.module_from_spec(S)\nS.loader.exec_module(M)\n")
    before = code(project)
    assert sorted(before) == ["file hidden.py", "mylib", "single"]
    path.write_text("A = 22\n")
    assert code(project)["file hidden.py"] != before["file hidden.py"]


def test_data_that_a_package_brings_along_count_before_they_are_read(project: Path) -> None:
    package = project / "project" / "mylib"
    before = code(project)
    (package / "deep" / "weights.npz").write_text("1")
    after = code(project)
    assert {name for name in before if after[name] != before[name]} == {"mylib"}
    # What it writes is not what it consists of.
    for place in ("logs/a.json", "cache/b.npy", "results/c.csv", "run.log", ".hidden/d.json", "picture.png"):
        (package / place).parent.mkdir(exist_ok=True)
        (package / place).write_text("1")
    assert code(project) == after


def test_data_beside_modules_in_a_folder_that_is_no_package_do_not_count(project: Path) -> None:
    (project / "project" / "space").mkdir()
    (project / "project" / "space" / "part.py").write_text("X = 1\n")
    extend(project, "import space.part\n")
    before = code(project)
    (project / "project" / "space" / "today.json").write_text("1")
    assert code(project) == before and "space" in before


def test_a_traceback_that_is_shown_adds_nothing(project: Path) -> None:
    extend(project, "import traceback\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    traceback.format_exc()\n")
    assert sorted(code(project)) == ["mylib", "single"]

"""The wrappers of other packages are whole and short, and their benchmark files are valid. `just wrappers` runs them."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "wrappers"
PYTHON = [path for path in FOLDER.glob("*.py") if "\n@method(" in path.read_text(encoding="utf-8")]
WRAPPERS = sorted([*PYTHON, *FOLDER.glob("*.R")])


@pytest.mark.parametrize("wrapper", WRAPPERS, ids=lambda wrapper: wrapper.stem)
def test_a_wrapper_is_short_and_states_its_settings(wrapper: Path) -> None:
    text = wrapper.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    assert re.search(r"^#? ?Settings?:|[.] Settings?: ", text, re.MULTILINE), "the first lines say which settings it takes"


def test_every_wrapper_is_in_the_comparison_and_on_the_page() -> None:
    compared = re.findall(r'files = \["(.+?)"\]', (FOLDER / "wrappers.toml").read_text(encoding="utf-8"))
    page = (FOLDER.parents[1] / "docs" / "do" / "wrappers.md").read_text(encoding="utf-8")
    assert sorted(compared) == [wrapper.name for wrapper in WRAPPERS]
    assert all(f"| `{name}` |" in page for name in compared)


def test_every_package_is_pinned() -> None:
    lines = [line for file in FOLDER.glob("requirements*.txt") for line in file.read_text().splitlines() if line]
    packages = [line for line in lines if not line.startswith("#")]
    assert packages and all(re.fullmatch(r"[\w-]+==[\d.]+", package) for package in packages)


@pytest.mark.parametrize("name", ["wrappers.toml", "peers.toml"])
def test_a_benchmark_file_is_valid_and_runs_nothing_unasked(uqbench, name: str) -> None:
    ended = uqbench("run", FOLDER / name, "--profile", "smoke")
    assert ended.returncode != 0 and "--allow-external" in ended.stderr, ended.stderr

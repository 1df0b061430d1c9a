"""The program that is tested: UQBENCH, else the installed one, else that of PATH."""

import subprocess
from pathlib import Path
from typing import Callable

import pytest

from uqbench import command


@pytest.fixture
def uqbench(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess]:
    """Run the program in a folder of its own, offline."""

    def run(*words: object) -> subprocess.CompletedProcess:
        return subprocess.run(
            [command(), *map(str, words)], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8"
        )

    return run

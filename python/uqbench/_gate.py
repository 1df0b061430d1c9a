"""Fail a test where the scores of a model got worse."""

from __future__ import annotations

import subprocess
import warnings
from collections.abc import Sequence
from pathlib import Path

from ._command import CommandError, command

__all__ = ["GotWorse", "check"]

#: The exit code of ``uqbench check`` where a score got worse.
_WORSE = 4


class GotWorse(AssertionError):
    """A score got worse; the message is the table of those that did."""


def check(
    benchmark: str | Path,
    against: str | Path,
    *,
    metrics: Sequence[str] = (),
    profile: str = "full",
    store: str | Path = "uqbench-store",
) -> str:
    """Run what a benchmark file lacks, and compare its scores with those of an earlier run; ``uqbench check``.

    Both runs have the same rows in each split, so that differences are paired. Commands that the file names are run.

    Args:
        benchmark: The file of the benchmark.
        against: The file of the earlier scores, which ``uqbench check --bless --reason TEXT`` writes.
        metrics: Only these scores, such as ``log-likelihood``; by default all that the benchmark is compared by.
        profile: The profile of the earlier run.
        store: The folder of finished trials. A trial runs again where its method's files have changed.

    Returns:
        What changed, in Markdown.

    Raises:
        GotWorse: a score got worse.
        CommandError: a trial failed, or a file cannot be read.
    """
    shared = ["--profile", profile, "--store", str(store)]
    ran = _run("run", str(benchmark), *shared, "--allow-external", "--out", str(Path(store) / "pages"), "--formats", "md")
    if ran.returncode != 0:
        raise CommandError(ran.stderr.strip() or f"uqbench run ended with code {ran.returncode}")
    chosen = ["--metrics", ",".join(metrics)] if metrics else []
    checked = _run("check", str(benchmark), *shared, *chosen, "--against", str(against))
    if checked.returncode == _WORSE:
        raise GotWorse(checked.stdout)
    if checked.returncode != 0:
        raise CommandError(checked.stderr.strip() or f"uqbench check ended with code {checked.returncode}")
    for line in checked.stderr.splitlines():
        warnings.warn(line, UserWarning, stacklevel=2)
    return checked.stdout


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([command(), *words], check=False, capture_output=True, text=True, encoding="utf-8")

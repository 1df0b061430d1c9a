"""Find and run the program ``uqbench``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Callable, Union

__all__ = ["CommandError", "command", "run"]


class CommandError(RuntimeError):
    """The program is not there, or ended with an error; the message is the program's own."""


def command() -> str:
    """The path of the program: that in the environment variable ``UQBENCH``, of this installation, or of ``PATH``.

    Raises:
        CommandError: there is none.
    """
    chosen = os.environ.get("UQBENCH")
    if chosen:
        if not Path(chosen).is_file():
            raise CommandError(f"UQBENCH is {chosen!r}, and there is no such file: set it to the path of the program")
        return chosen
    own = shutil.which("uqbench", path=sysconfig.get_path("scripts"))
    found = own or shutil.which("uqbench")
    if found is None:
        raise CommandError("the program `uqbench` was not found: install it, or set UQBENCH to its path")
    return found


#: How the notes and warnings of the program begin.
_TOLD = ("note: ", "warning: ")


def _as_it_is(message: str) -> str:
    return message


def run(words: Sequence[str | Path], codes: Sequence[int] = (0,), in_words: Callable[[str], str] = _as_it_is) -> str:
    """Run the program with these words, and return its standard output. Its notes and warnings become Python's.

    Args:
        words: The command and its options.
        codes: Exit codes of success.
        in_words: Says a message of the program in the words of the caller.

    Raises:
        CommandError: it ended with another exit code than these.
    """
    ended = subprocess.run([command(), *map(str, words)], check=False, capture_output=True, text=True, encoding="utf-8")
    if ended.returncode not in codes:
        message = ended.stderr.strip() or f"uqbench {words[0]} ended with code {ended.returncode}"
        raise CommandError(in_words(message))
    for line in ended.stderr.splitlines():
        if line.startswith(_TOLD):
            # Of the function of this package that was called.
            warnings.warn(in_words(line), UserWarning, stacklevel=3)
    return ended.stdout

"""Hash the code that a method has loaded and that no version number tells: modules on PYTHONPATH, editable installs."""

from __future__ import annotations

import hashlib
import os
import site
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from importlib.util import source_from_cache
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, Tuple

#: Endings of the files of a package that are code.
CODE = (".py", ".so", ".pyd", ".dll", ".dylib", ".r", ".jl")

#: Endings of the files of data that packages bring along. Logs and what is cached are none.
DATA = (
    *(".json", ".jsonl", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".txt", ".csv", ".tsv", ".parquet"),
    *(".npy", ".npz", ".pkl", ".pt", ".pth", ".onnx", ".safetensors", ".joblib", ".rds"),
)

#: Folders in a package that hold what it writes, in small letters: another file there each day would mean new trials each day.
OUTPUTS = ("cache", "caches", "checkpoints", "log", "logs", "out", "output", "outputs", "results", "runs", "temp", "tmp")

#: Folders in a package, or in a repository that is imported as one, that hold no code of it. Nor do hidden ones.
NOT_OF_THE_PACKAGE = ("__pycache__", "site-packages", "dist-packages", "node_modules")

#: Folders of the system, whose files are no data of a method. Not all of /var, where some systems keep the homes.
SYSTEM = (
    *("/proc", "/sys", "/dev", "/run", "/etc", "/usr", "/lib", "/lib64", "/opt"),
    *("/var/cache", "/var/db", "/var/lib", "/var/log", "/var/run", "/var/spool", "/var/tmp"),
)

#: Files that were opened since the package was imported, where the method is asked for its description.
_read: Set[str] = set()
_written: Set[str] = set()


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        # The mode is None where a file is opened with os.open; the flags always tell.
        writes = arguments[2] & (os.O_WRONLY | os.O_RDWR)
        (_written if writes else _read).add(os.fsdecode(arguments[0]))


def watch() -> None:
    """Remember which files are opened from now on, if the method is asked for its description."""
    if sys.argv[-1:] == ["describe"]:
        sys.addaudithook(_note)


def loaded_code() -> dict[str, str]:
    """SHA-256 by name of what is loaded from outside of installed packages and the standard library.

    A package is one entry, with all files of code below its folder, loaded or not, and, where it has an ``__init__.py``, its
    files of data. Files that were read are entries ``file NAME``, one for all files of that name: data, and code that is no
    loaded module, as where it is executed as a text. The files of the working folder are left out, because the harness
    has put them there and knows their hashes. So are files that this process has written, and data files of the
    machine: of the system, of Python, temporary ones and caches.
    """
    # To hash a file is to open it, so these are taken first.
    written = _real(list(_written))
    read = _real(list(_read)) - written
    known = _real([*_installed(), os.getcwd(), os.path.dirname(__file__)])

    loaded: Dict[str, Set[Path]] = {}
    for name, module in list(sys.modules.items()):
        path = _file(module)
        if path and name != "__main__" and path not in written and not _is_below(path, known):
            loaded.setdefault(name.partition(".")[0], set()).add(path)
    # The files of each entry, by their paths in it.
    entries: Dict[str, Dict[Path, str]] = {name: _package(name, files, known) for name, files in loaded.items()}

    no_data = {path for files in entries.values() for path in files}
    machine = known | _machine()
    for path in {_source(path) for path in read} - no_data - written:
        if os.path.isfile(path) and not _is_below(path, machine):
            entries.setdefault(f"file {path.name}", {})[path] = path.name
    return {name: _hash(files) for name, files in sorted(entries.items())}


def _source(path: Path) -> Path:
    """The file of code that a compiled file was made from, where it is there: Python reads either of them."""
    if path.suffix == ".pyc":
        try:
            source = Path(source_from_cache(str(path)))
        except ValueError:  # Another file of this ending.
            return path
        return Path(os.path.realpath(source)) if source.is_file() else path
    return path


def _installed() -> List[str]:
    """The folders of the standard library and of installed packages."""
    paths = sysconfig.get_paths()
    folders = {*paths.values(), *site.getsitepackages(), site.getusersitepackages()}
    folders.update(path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages"))
    # The paths of data, scripts and headers hold more than packages.
    wide = {paths.get(name) for name in ("data", "scripts", "include", "platinclude")}
    return [folder for folder in folders - wide if folder]


def _machine() -> Set[Path]:
    """The folders whose files differ from machine to machine, or from day to day, and are no data of a method."""
    caches = [os.environ.get("XDG_CACHE_HOME") or "~/.cache", os.environ.get("XDG_CONFIG_HOME") or "~/.config"]
    # A virtual environment may be the folder of the project itself, so only its own folders are named.
    own = [os.path.join(sys.prefix, name) for name in ("bin", "etc", "include", "lib", "lib64", "share", "Scripts")]
    folders = _real([*SYSTEM, *map(os.path.expanduser, caches), tempfile.gettempdir(), sys.base_prefix, *own])
    # The root, which has no name, would leave out everything.
    return {folder for folder in folders if folder.name}


def _file(module: object) -> Optional[Path]:
    for origin in (_attribute(module, "__file__"), _attribute(_attribute(module, "__spec__"), "origin")):
        if isinstance(origin, str) and os.path.isfile(origin):
            return Path(os.path.realpath(origin))
    return None


def _package(name: str, loaded: Set[Path], known: Set[Path]) -> Dict[Path, str]:
    """The files of a package, or the file of a module that is none, each with its path in the package."""
    folders = _folders(name)
    files = loaded.union(*(_walk(folder, known, (folder / "__init__.py").is_file()) for folder in folders))
    return {path: _within(path, folders) for path in files}


def _folders(name: str) -> List[Path]:
    """The folders of a package; a namespace package may have many."""
    try:
        return sorted(_real(_attribute(sys.modules.get(name), "__path__") or []))
    except Exception:  # What stands for a module may answer anything.
        return []


def _walk(folder: Path, known: Set[Path], with_data: bool) -> Iterator[Path]:
    """The files of code below the folder of a package. A folder without ``__init__.py`` may be anything, so its data do not count."""
    data = set(_walk_endings(folder, known, DATA, (*NOT_OF_THE_PACKAGE, *OUTPUTS))) if with_data else set()
    yield from data.union(_walk_endings(folder, known, CODE, NOT_OF_THE_PACKAGE))


def _walk_endings(folder: Path, known: Set[Path], endings: Tuple[str, ...], left_out: Tuple[str, ...]) -> Iterator[Path]:
    for parent, below, names in os.walk(folder):
        if _is_below(Path(parent), known):
            below.clear()
            continue
        # Walked no further than needed, as the folder may be a whole repository with its environments.
        below[:] = [name for name in below if not name.startswith(".") and name.lower() not in left_out]
        for name in names:
            path = os.path.join(parent, name)
            if name.lower().endswith(endings) and os.path.isfile(path):
                yield Path(os.path.realpath(path))


def _hash(files: Dict[Path, str]) -> str:
    """Hash files by their paths in the entry and their contents, in an order that does not depend on where they lie."""
    total = hashlib.sha256()
    for name, content in sorted((os.fsencode(name), _content(path)) for path, name in files.items()):
        total.update(name + b"\0" + content)
    return total.hexdigest()


def _content(path: Path) -> bytes:
    total = hashlib.sha256()
    try:
        with path.open("rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                total.update(block)
    except OSError:  # What cannot be read was not loaded.
        return b""
    return total.digest()


def _attribute(module: object, name: str) -> Any:
    """An attribute of a module, or None: a module that loads itself when it is asked may fail then."""
    try:
        return getattr(module, name, None)
    except Exception:
        return None


def _within(path: Path, folders: List[Path]) -> str:
    """The path of a file in its package, because where the package lies is another on another machine."""
    above = next((folder for folder in folders if folder in path.parents), path.parent)
    return path.relative_to(above).as_posix()


def _real(paths: Iterable[str]) -> Set[Path]:
    return {Path(os.path.realpath(path)) for path in paths}


def _is_below(path: Path, folders: Set[Path]) -> bool:
    return path in folders or not folders.isdisjoint(path.parents)

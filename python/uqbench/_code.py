"""Hash the code that a method has loaded and that no version number tells: modules on PYTHONPATH, editable installs."""

from __future__ import annotations

import hashlib
import site
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any, List, Set

#: Endings of the files of a package that are code.
CODE = (".py", ".so", ".pyd", ".dll", ".dylib", ".r", ".jl")

#: Files that were opened for reading since the package was imported, where the method is asked for its description.
_opened: Set[str] = set()


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str) and str(arguments[1] or "r").startswith("r"):
        _opened.add(arguments[0])


def watch() -> None:
    """Remember which files are opened from now on, if the method is asked for its description."""
    if sys.argv[-1:] == ["describe"]:
        sys.addaudithook(_note)


def loaded_code() -> dict[str, str]:
    """SHA-256 by name of what is loaded from outside of installed packages and the standard library.

    A package is one entry, with all files of code below its folder, loaded or not. A file that was read is one entry, by its name. The
    files of the working folder are left out, because the harness has put them there and knows their hashes.
    """
    own = Path(__file__).resolve().parent
    known = [*_installed(), Path.cwd().resolve(), own]
    found: dict[str, List[Path]] = {}
    for name, module in list(sys.modules.items()):
        top = name.partition(".")[0]
        for path in _files(module):
            if name != "__main__" and not _is_below(path, known):
                found.setdefault(top, []).append(path)
    code = {name: _hash(_whole(name, files)) for name, files in found.items()}
    in_packages = {path for name, files in found.items() for path in _whole(name, files)}
    for text in list(_opened):
        path = Path(text).resolve()
        is_code = path.suffix in (".pyc", *CODE) or path in in_packages
        if path.is_file() and not is_code and not _is_below(path, known) and not _is_below(path, _SYSTEM):
            code[path.name] = _hash([path])
    return dict(sorted(code.items()))


#: Folders of the system, whose files are no data of a method.
_SYSTEM = [Path(name) for name in ("/proc", "/sys", "/dev", "/etc", "/usr", "/lib", "/lib64")]


def _installed() -> List[Path]:
    """The folders of the standard library and of installed packages."""
    folders = {*sysconfig.get_paths().values(), *site.getsitepackages(), site.getusersitepackages()}
    folders.update(path for path in sys.path if Path(path).name in ("site-packages", "dist-packages"))
    # The paths of data, scripts and headers hold more than packages.
    wide = {sysconfig.get_paths().get(name) for name in ("data", "scripts", "include", "platinclude")}
    return [Path(folder).resolve() for folder in folders - wide if folder]


def _files(module: object) -> Iterator[Path]:
    spec = getattr(module, "__spec__", None)
    origin = getattr(module, "__file__", None) or getattr(spec, "origin", None)
    if isinstance(origin, str) and Path(origin).is_file():
        yield Path(origin).resolve()


def _whole(name: str, files: List[Path]) -> List[Path]:
    """The files of code of a package, or the file of a module that is none."""
    package = sys.modules.get(name)
    folders = [Path(folder).resolve() for folder in getattr(package, "__path__", [])]
    below = [path for folder in folders for path in folder.rglob("*") if path.suffix.lower() in CODE and path.is_file()]
    return sorted({*files, *below})


def _hash(files: List[Path]) -> str:
    total = hashlib.sha256()
    for path in files:
        # Where the package lies is another on another machine.
        total.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _is_below(path: Path, folders: List[Path]) -> bool:
    return any(folder == path or folder in path.parents for folder in folders)

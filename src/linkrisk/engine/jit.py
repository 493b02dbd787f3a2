"""How kernels are compiled: the one place that decides it.

Every number that linkrisk counts hangs on exact ties, so all kernels are compiled alike:

- no ``fastmath``: reordering or contracting sums makes equal distances differ in the last bits, and ties are
  lost;
- ``error_model="numpy"``: a division by zero gives inf or NaN as in numpy, instead of a Python exception;
- ``nogil``: several threads can run kernels side by side;
- ``cache``: the machine code is kept on disk, so that only the first run on a machine compiles.

numba types a kernel as its own Dispatcher; the casts here give it back the type of the function it was
written as. Importing this module imports numba (a fraction of a second): modules that hold kernels are
imported where they are first needed, not by a package's ``__init__``.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba

from linkrisk.engine import whole
from linkrisk.engine.whole import make_compiler_class

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


_njit: Any = numba.njit  # some of its options are unknown to a type checker
_config: Any = numba.config  # its settings are made at run time, unknown to a type checker


_ALIKE: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": False}
"""Options of all kernels."""

_compiler_class = make_compiler_class()

PACKAGE = Path(__file__).parent.parent
"""Folder of linkrisk."""

_IMPORTED = re.compile(r"^from linkrisk\.([\w.]+) import", re.MULTILINE)


def _kernel_sources(source: Path) -> set[Path]:
    """Return a file of kernels and all files of kernels that are compiled into it, however far."""
    found, todo = {source}, [source]
    while todo:
        for module in _IMPORTED.findall(todo.pop().read_text(encoding="utf-8")):
            path = PACKAGE.joinpath(*module.split(".")).with_suffix(".py")
            if "kernel" in path.name and path not in found and path.is_file():
                found.add(path)
                todo.append(path)
    return found


def _sources_digest(source: Path) -> str:
    """Digest of what a kernel's machine code depends on: the name of the folder it is cached in.

    numba ties cached code to the file of the kernel itself, not to the kernels compiled into it: without this, a
    distance changed in one file would go on being computed the old way in another.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted({Path(__file__), Path(whole.__file__), *_kernel_sources(source)}):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_place() -> Path | None:
    """First folder that can be written to: where the user's numba caches, beside the package, in his home, or none."""
    places = [
        Path(_config.CACHE_DIR) if _config.CACHE_DIR else None,
        Path(__file__).parent / "__pycache__",
        Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")),  # noqa: PTH111  (never raises)
    ]
    return next((place for place in places if place is not None and _is_writable(place)), None)


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def _cache_folder(source: Path) -> str:
    """Return the folder for the machine code of a file of kernels; empty if none can be written to."""
    place = cache_place()
    if place is None:
        return ""
    folder = place / f"linkrisk-kernels-{_sources_digest(source)}"
    return str(folder) if _is_writable(folder) else ""


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function of arrays and numbers to machine code that runs on one thread.

    The function must live in a file: the cache is found by its path. It may call other kernels, but not itself.
    """
    before = _config.CACHE_DIR
    folder = _cache_folder(Path(function.__code__.co_filename))
    _config.CACHE_DIR = folder  # read while the decorator runs
    try:
        compiled = _njit(cache=bool(folder), **_whole(), **_ALIKE)(function)
    finally:
        _config.CACHE_DIR = before
    return _as_part(compiled, function)


def inlined_kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a small function into each kernel that calls it.

    A call that passes a dozen arrays copies some eighty words; where it runs once for each pair of
    records, that costs more than the distance. LLVM inlines it, not numba, which would find out all types again for
    each call.
    """
    compiled = _njit(**_whole(), **_ALIKE)(function)
    return _as_part(compiled, function, forceinline=True)


def _whole() -> dict[str, Any]:
    """Return the option that makes a kernel with all it calls at once, where this numba can do it."""
    return {} if _compiler_class is None else {"pipeline_class": _compiler_class}


def _as_part(compiled: Any, function: Callable[Parameters, Result], **options: bool) -> Callable[Parameters, Result]:
    """Let a kernel be another function for kernels than for Python: one that needs no way in from Python."""
    part: Any = _njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options, **_ALIKE)(function)
    compiled.get_call_template = part.get_call_template
    compiled.get_overload = part.get_overload
    return cast("Callable[Parameters, Result]", compiled)

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
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


_config: Any = numba.config  # its settings are made at run time, unknown to a type checker


def _sources_digest() -> str:
    """Digest of all kernel sources: the name of the folder their machine code is cached in.

    numba ties cached code to the file of the kernel itself, not to the kernels compiled into it: without this, a
    distance changed in one file would go on being computed the old way in another.
    """
    package = Path(__file__).parent.parent
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(package.rglob("*kernel*.py")):
        digest.update(source.read_bytes())
    digest.update(Path(__file__).read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> str:
    """First folder that can be written to: where the user's numba caches, beside the package, in his home, or none."""
    places = [
        Path(_config.CACHE_DIR) if _config.CACHE_DIR else None,
        Path(__file__).parent / "__pycache__",
        Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")),  # noqa: PTH111  (never raises)
    ]
    for place in places:
        if place is None:
            continue
        folder = place / f"linkrisk-kernels-{_sources_digest()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return str(folder)
        except OSError:
            continue
    return ""


CACHE_FOLDER = _cache_folder()


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function of arrays and numbers to machine code that runs on one thread.

    The function must live in a file: the cache is found by its path.
    """
    before = _config.CACHE_DIR
    _config.CACHE_DIR = CACHE_FOLDER  # read while the decorator runs
    try:
        compiled = numba.njit(cache=bool(CACHE_FOLDER), nogil=True, error_model="numpy", fastmath=False)(function)
    finally:
        _config.CACHE_DIR = before
    return cast("Callable[Parameters, Result]", compiled)


def inlined_kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a small function into each kernel that calls it.

    A call that passes a dozen arrays copies some eighty words; where it runs once a pair of records, that
    costs more than the distance.
    """
    compiled = numba.njit(inline="always", nogil=True, error_model="numpy", fastmath=False)(function)
    return cast("Callable[Parameters, Result]", compiled)

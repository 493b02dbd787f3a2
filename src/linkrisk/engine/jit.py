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

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

prange: type[range] = numba.prange
"""``range`` whose iterations a `parallel_kernel` shares out among threads."""


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function of arrays and numbers to machine code that runs on one thread.

    The function must live in a file: the cache is found by its path.
    """
    compiled = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=False)(function)
    return cast("Callable[Parameters, Result]", compiled)


def parallel_kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function whose `prange` loops run on all threads.

    Iterations must not depend on each other, and a sum over iterations must be written to an array and added
    up in order afterwards: a reduction over threads depends on their number, and ties with it.
    """
    compiled = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=False, parallel=True)(function)
    return cast("Callable[Parameters, Result]", compiled)


def inlined_kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a small function into each kernel that calls it.

    A call that passes a dozen arrays copies some eighty words; where it runs once a pair of records, that
    costs more than the distance.
    """
    compiled = numba.njit(inline="always", nogil=True, error_model="numpy", fastmath=False)(function)
    return cast("Callable[Parameters, Result]", compiled)

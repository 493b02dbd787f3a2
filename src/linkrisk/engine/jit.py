"""How kernels are compiled: the one place that decides it.

Every number that linkrisk counts hangs on exact ties, so all kernels are compiled alike:

- no ``fastmath``: reordering or contracting sums makes equal distances differ in the last bits, and ties are
  lost;
- ``error_model="numpy"``: a division by zero gives inf or NaN as in numpy, instead of a Python exception;
- ``nogil``: several threads can run kernels side by side;
- their machine code is kept (`linkrisk.engine.machine_code`), so that only the first run on a machine compiles.

A kernel is made when it is first called: importing a module of kernels costs nothing, and numba is imported only if a
kernel runs.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from linkrisk.engine import beginning  # noqa: F401  (takes the time)

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_ALIKE: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": False}
"""Options of all kernels."""

_making = threading.RLock()


class _Kernel:
    """A function that is compiled when it is first called, and its machine code kept.

    For Python it is a dispatcher of numba with a keeper of machine code. For other kernels, which ask for
    ``_numba_type_``, it is another one: a part that needs no way in from Python and is compiled into them.
    """

    def __init__(self, function: Callable[..., Any], *, makes_arrays: bool, is_inlined: bool = False) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._makes_arrays = makes_arrays
        self._is_inlined = is_inlined
        self._run = self._first_run

    def __call__(self, *arguments: Any) -> Any:
        return self._run(*arguments)

    def _first_run(self, *arguments: Any) -> Any:
        self._run = self.compiled
        return self._run(*arguments)

    @functools.cached_property
    def compiled(self) -> Any:
        """What Python calls."""
        from linkrisk.engine import machine_code, whole  # noqa: PLC0415  (they import numba)

        with _making:
            pipeline = {} if (compiler := whole.compiler_class()) is None else {"pipeline_class": compiler}
            made = self._made(**pipeline)
            made._cache = machine_code.Keeper(self._function)  # noqa: SLF001  (numba's own way keeps code by paths and times)
            return made

    @functools.cached_property
    def part(self) -> Any:
        """What other kernels call."""
        with _making:
            return self._made(no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=self._is_inlined)

    @property
    def _numba_type_(self) -> Any:
        return self.part._numba_type_

    def _made(self, **options: Any) -> Any:
        import numba  # noqa: PLC0415  (a quarter of a second)

        njit: Any = numba.njit  # some of its options are unknown to a type checker
        # Told in either case: a part would take it from the first kernel that calls it.
        return njit(**options, **_ALIKE, _nrt=self._makes_arrays)(self._function)


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function of arrays and numbers to machine code that runs on one thread.

    The function must live in a file, whose content its machine code is kept by. It may call other kernels, but not
    itself. From Python it takes no keywords.
    """
    return cast("Callable[Parameters, Result]", _Kernel(function, makes_arrays=True))


def lean_kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a kernel that makes no arrays: it works in those it is given, and counts no references to them.

    numba counts who uses an array, by atomic operations, wherever one is taken out of a tuple or a row is looked at:
    in kernels of short steps that takes three quarters of the time. Nothing is counted here, and whatever would need
    memory, sorting or assigning one array to another included, is refused when it is compiled. A kernel
    that returns a new array must not be called from here: nobody would give its memory back.
    """
    return cast("Callable[Parameters, Result]", _Kernel(function, makes_arrays=False))


def inlined_kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a small function, which makes no arrays (`lean_kernel`), into each kernel that calls it.

    A call that passes a dozen arrays copies some eighty words; where it runs once for each pair of
    records, that costs more than the distance. LLVM inlines it, not numba, which would find out all types again for
    each call.
    """
    return cast("Callable[Parameters, Result]", _Kernel(function, makes_arrays=False, is_inlined=True))

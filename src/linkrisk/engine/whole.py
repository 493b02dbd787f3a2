"""Compiling a kernel as a whole: what it calls is optimised and turned into machine code once, inside it.

numba compiles each function that a kernel calls as if it were to be run by itself: it optimises it, makes machine
code of it, then copies its intermediate code into the caller and optimises that again, at every level. Where kernels
call kernels seven levels deep, much of the time goes there. Here a function that is compiled on the way to a kernel is
a *part*: its intermediate code is kept as it is, linked into the kernel, and optimised there with everything else.

The machine code differs from numba's only by what LLVM knows when it optimises; nothing is reordered that must not be
(`linkrisk.engine.jit`), so that no result changes. A part has no machine code of its own and is never run by itself.

This leans on insides of numba, told in `NEEDED`: where one is missing, there is no such compiler, and numba goes its
own way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from numba.core import codegen, compiler, targetconfig

_codegen: Any = codegen  # numba's insides have no types
_compiler: Any = compiler
_targetconfig: Any = targetconfig

NEEDED = (
    (_codegen, "JITCodeLibrary"),
    (_codegen, "JITCPUCodegen._library_class"),
    (_codegen, "JITCPUCodegen.set_env"),
    (_codegen, "CPUCodeLibrary._finalize_dynamic_globals"),
    (_codegen, "CPUCodeLibrary._get_module_for_linking"),
    (_compiler, "Compiler.compile_extra"),
    (_targetconfig, "TargetConfig._values"),
    (_targetconfig, "TargetConfig.options"),
    (_targetconfig, "Option.default"),
    (_compiler, "CompileResult._find_referenced_environments"),
)
"""What is used of numba beyond what it documents."""


def _is_there(module: Any, path: str) -> bool:
    for name in path.split("."):
        if not hasattr(module, name):
            return False
        module = getattr(module, name)
    return True


@cache
def compiler_class() -> Any:
    """Return numba's compiler, made to compile a kernel as a whole; None if this numba is not as we know it."""
    if not all(_is_there(module, path) for module, path in NEEDED):
        return None
    part_library = _make_part_library()

    class WholeCompiler(_compiler.Compiler):  # type: ignore[misc]  # numba's insides have no types
        """numba's compiler, with parts for all that is compiled on the way."""

        def compile_extra(self, func: Callable[..., Any]) -> Any:
            """Compile a kernel; the caller holds numba's lock."""
            generator = self.state.targetctx.codegen()
            self.state.library = generator.create_library(func.__qualname__)
            self.state.library.enable_object_caching()
            with _libraries(generator, part_library), _quick_options():
                result = super().compile_extra(func)
            for environment in result._find_referenced_environments():  # noqa: SLF001  (a part sets none)
                generator.set_env(environment.env_name, environment)
            return result

    return WholeCompiler


@contextmanager
def _libraries(generator: Any, kind: Any) -> Iterator[None]:
    """Let a code generator make libraries of this kind for a while."""
    before = generator._library_class  # noqa: SLF001
    generator._library_class = kind  # noqa: SLF001
    try:
        yield
    finally:
        generator._library_class = before  # noqa: SLF001


@contextmanager
def _quick_options() -> Iterator[None]:
    """Let numba's sets of options be compared quickly for a while: it looks them up for every call that it types.

    numba gives all of them one hash, and compares every option. Here the hash is that of plain values which are not the
    usual ones, and only options that are set in one of two are compared: the others are the usual ones in both.
    """
    options = _targetconfig.TargetConfig
    slow_hash, slow_equal = options.__hash__, options.__eq__

    def quick_hash(self: Any) -> int:
        usual, found = self.options, 0
        for name, value in self._values.items():
            if isinstance(value, bool | int | str) and value != usual[name].default:
                found ^= hash((name, value))
        return found

    def quick_equal(self: Any, other: Any) -> Any:
        if type(self) is not type(other):
            return slow_equal(self, other)
        here, there = self._values, other._values  # noqa: SLF001
        if self is other or here == there:
            return True
        return all(getattr(self, name) == getattr(other, name) for name in {*here, *there})

    options.__hash__, options.__eq__ = quick_hash, quick_equal
    try:
        yield
    finally:
        options.__hash__, options.__eq__ = slow_hash, slow_equal


class _WithoutEnvironments:
    """A code generator as a part sees it: its global variables are not in memory yet, so that none can be set."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def set_env(self, name: str, environment: object) -> None:
        """Leave it to the kernel that the part ends in."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)


def _make_part_library() -> Any:
    class PartLibrary(_codegen.JITCodeLibrary):  # type: ignore[misc]  # numba's insides have no types
        """Intermediate code of a part and of what it calls, neither optimised as a whole nor run."""

        @property
        def codegen(self) -> Any:
            """The code generator, which sets no environments."""
            return _WithoutEnvironments(self._codegen)

        def finalize(self) -> None:
            """Link what the part calls into it; nothing else."""
            self._raise_if_finalized()
            for library in dict.fromkeys(self._linking_libraries):
                self._reload_init.update(library._reload_init)  # noqa: SLF001
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)  # noqa: SLF001
            self._finalize_dynamic_globals()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002  (numba's signature)
            """Return no address: there is no machine code."""
            self._ensure_finalized()
            return 0

    return PartLibrary

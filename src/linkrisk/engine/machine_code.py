"""Where machine code of kernels is kept: on this machine once it was compiled, or in the package, as a wheel ships it.

numba keeps machine code, too, but in a way that is tied to paths and times of files, and it sets up all that compiling
needs before it looks. Here each kernel has one file per signature, in a folder named after all that its code depends
on: the sources compiled into it, the versions of Python, numba and llvmlite, the system, and the processor. Code of
anything else lies in another folder and is never looked at.

*On this machine* code is made for the very processor. *Shipped* code (``make dist``) is made for a level of processors,
`LEVEL`, and taken where the processor has all that the level asks for. Without fused or reordered operations
(`linkrisk.engine.jit`) both give the same results to the last bit.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import secrets
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba.core import compiler
from numba.core.environment import Environment
from numba.core.registry import cpu_target
from numba.core.runtime import nrt
from numba.core.serialize import dumps as untyped_dumps

from linkrisk.engine import whole
from linkrisk.engine.beginning import BEGINNING

_config: Any = numba.config  # its settings are made at run time, unknown to a type checker
_binding: Any = llvmlite.binding  # has no types
_compiler: Any = compiler
_cpu_target: Any = cpu_target
_runtime: Any = nrt.rtsys
_dumps: Any = untyped_dumps

PACKAGE = Path(__file__).parent.parent
"""Folder of linkrisk."""

SHIPPED = PACKAGE / "engine" / "machine_code_shipped"
"""Folder of the machine code that a wheel brings along; a checkout has one only while a wheel is made."""

LEVEL = "x86-64-v3"
"""Processors that shipped code is made for: those of x86-64 since about 2013."""

LEVEL_FEATURES = (
    *("sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "cx16", "sahf"),
    *("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"),
)
"""What such a processor can do, in LLVM's words (System V ABI, x86-64, micro-architecture levels)."""

DIGEST_SIZE = hashlib.sha256().digest_size
"""Bytes before the content of a file, which tell whether it is whole."""

Target = tuple[str, str, str]
"""What machine code is made for: system, processor, and what the processor can do."""

_IMPORTED = re.compile(r"^from linkrisk\.([\w.]+) import", re.MULTILINE)


@cache
def cache_place() -> Path | None:
    """First folder that can be written to: where the user's numba caches, beside the package, in his home, or none."""
    places = [
        Path(_config.CACHE_DIR) if _config.CACHE_DIR else None,
        Path(__file__).parent / "__pycache__",
        Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")),  # noqa: PTH111  (never raises)
    ]
    # Who has no home has "~/.cache" left, a folder of whatever folder he is in.
    known = (place for place in places if place is not None and (place.is_absolute() or _config.CACHE_DIR))
    return next((place for place in known if _is_writable(place)), None)


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def native_target() -> Target:
    """Return what numba makes code for: this processor, unless the user has told numba otherwise."""
    triple, name, features = _cpu_target.target_context.codegen().magic_tuple()
    return str(triple), str(name), str(features)


@cache
def shipped_target() -> Target | None:
    """Return what shipped code is made for; None where the processor cannot run it, or is to run something else."""
    if _config.CPU_NAME or _config.CPU_FEATURES is not None or not _config.ENABLE_AVX:
        return None
    triple, features = native_target()[0], _binding.get_host_cpu_features()
    is_able = triple.startswith("x86_64") and all(features.get(name) for name in LEVEL_FEATURES)
    return (triple, LEVEL, "") if is_able else None


def made_with() -> str:
    """Return the versions that machine code hangs on."""
    versions = [sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, np.__version__]
    return " ".join(str(version) for version in versions)


@cache
def _text(source: Path) -> bytes:
    return source.read_bytes()


def kernel_sources(source: Path) -> set[Path]:
    """Return a file of kernels and all files of kernels that are compiled into it, however far."""
    found, todo = {source}, [source]
    while todo:
        for path in _imported_kernels(todo.pop()) - found:
            found.add(path)
            todo.append(path)
    return found


def _imported_kernels(source: Path) -> frozenset[Path]:
    return frozenset(path for path in _imported(source) if "kernel" in path.name)


@cache
def _imported(source: Path) -> frozenset[Path]:
    modules = _IMPORTED.findall(_text(source).decode())
    paths = {PACKAGE.joinpath(*module.split(".")).with_suffix(".py") for module in modules}
    return frozenset(path for path in paths if path.is_file())


def all_sources(source: Path) -> set[Path]:
    """Return the files that machine code comes from: kernels, constants they import, how they are compiled."""
    kernels = kernel_sources(source)
    ways = {Path(__file__), Path(__file__).with_name("jit.py"), Path(whole.__file__)}
    return ways.union(kernels, *(_imported(kernel) for kernel in kernels))


@cache
def _sources_digest(source: Path) -> str:
    """Digest of these files. A distance changed in one must not go on being computed the old way in another."""
    digest = hashlib.sha256()
    for path in sorted(all_sources(source)):
        digest.update(_text(path))
    return digest.hexdigest()


def are_as_imported(paths: Iterable[Path]) -> bool:
    """Tell whether files are as they were when this process began: what it has imported is then what they say.

    Otherwise the code of old sources would be kept under the name of new ones.
    """
    try:
        return all(max(found.st_mtime_ns, found.st_ctime_ns) <= BEGINNING for found in (path.stat() for path in paths))
    except OSError:
        return False


def _folder_name(source: Path, target: Target) -> str:
    told = "\n".join((_sources_digest(source), made_with(), *target))
    return f"linkrisk-kernels-{hashlib.sha256(told.encode()).hexdigest()[:16]}"


class _Kept(NamedTuple):
    """What a file holds: types of the arguments, what the code calls outside of it, the kernel as numba reduces it.

    numba also keeps an environment for each function that was compiled into the kernel: constants, of which our kernels
    have none, and the global names of its module, which machine code never looks at. Making them again would
    import all these modules, parts of scipy among them, so only their names and constants are kept. numba keeps the
    intermediate code, too, to compile it into other kernels. Parts are there for that, so that only a table of
    contents is kept: the names of the functions that are called from outside.
    """

    signature: Any
    calls: tuple[str, ...]
    result: tuple[Any, ...]
    environments: tuple[tuple[str, tuple[Any, ...]], ...]

    @classmethod
    def of(cls, signature: Any, result: Any) -> _Kept:
        """Reduce a kernel that was just compiled."""
        (name, kind, (code, _)), *reduced, environments = result._reduce()  # noqa: SLF001  (as numba's own cache does)
        plain = tuple((environment.env_name, tuple(environment.consts)) for environment in environments)
        library = name, kind, (code, _table_of_contents(result.fndesc))
        return cls(signature, _calls(result.library), (library, *reduced), plain)

    def rebuilt(self, context: Any) -> Any:
        """Return the kernel, in memory and ready to be called."""
        environments = [_environment(name, constants) for name, constants in self.environments]
        return _compiler.CompileResult._rebuild(context, *self.result, environments)  # noqa: SLF001


def _table_of_contents(description: Any) -> bytes:
    """Return a module in LLVM's form that has the names of a kernel's ways in, and nothing in them."""
    names = description.llvm_func_name, description.llvm_cpython_wrapper_name, description.llvm_cfunc_wrapper_name
    text = "\n".join(f'define void @"{name}"() {{ ret void }}' for name in names)
    return bytes(_binding.parse_assembly(text).as_bitcode())


def _environment(name: str, constants: tuple[Any, ...]) -> Any:
    environment: Any = Environment({})
    environment.consts[:] = list(constants)
    environment.env_name = name
    return environment


class Keeper:
    """Keeps the machine code of one kernel: what numba's dispatchers ask for as their cache.

    Shipped code comes first: it is there from the beginning, and nothing is compiled beside it.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self._source = Path(function.__code__.co_filename)
        self._name = function.__qualname__

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return the kernel for these types as it was kept; None if it was not, or cannot run here."""
        if not are_as_imported(all_sources(self._source)):
            return None
        _runtime.initialize(context)
        for folder in self._folders():
            kept = _read(folder / self._file_name(signature))
            if kept is not None and kept.signature == signature and all(map(_is_known, kept.calls)):
                return kept.rebuilt(context)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the kernel for these types, if it can be kept, and there is a place."""
        place = cache_place()
        if place is None or result.lifted or result.library.has_dynamic_globals:
            return
        if not are_as_imported(all_sources(self._source)):
            return
        folder = place / _folder_name(self._source, native_target())
        _write(folder / self._file_name(signature), _dumps(_Kept.of(signature, result)))

    def _folders(self) -> list[Path]:
        place, shipped = cache_place(), shipped_target()
        folders = [SHIPPED / _folder_name(self._source, shipped)] if shipped and SHIPPED.is_dir() else []
        return folders if place is None else [*folders, place / _folder_name(self._source, native_target())]

    def _file_name(self, signature: Any) -> str:
        return f"{self._name}-{hashlib.sha256(str(signature).encode()).hexdigest()[:16]}"


def _calls(library: Any) -> tuple[str, ...]:
    """Return the functions outside of a kernel that it calls: of numba's runtime, Python, the mathematical library."""
    functions = library._final_module.functions  # noqa: SLF001
    names = {str(function.name) for function in functions if function.is_declaration}
    return tuple(sorted(name for name in names if not name.startswith("llvm.")))


@cache
def _is_known(name: str) -> bool:
    """Tell whether a function is there to be called. Code that calls another ends the process."""
    return _binding.address_of_symbol(name) is not None


def _read(path: Path) -> Any:
    """Return what a file holds; None if there is none, or it is not as it was written."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, content = content[:DIGEST_SIZE], content[DIGEST_SIZE:]
    if hashlib.sha256(content).digest() != digest:
        return None
    return pickle.loads(content)  # noqa: S301  (who can write to these folders can write to the package, or is its user)


def _write(path: Path, content: bytes) -> None:
    """Write a file at once: who reads it meanwhile finds all of it or nothing. A full disk is no fault."""
    temporary = path.with_name(f"{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as file:
            file.write(hashlib.sha256(content).digest() + content)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)

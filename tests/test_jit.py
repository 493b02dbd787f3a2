"""How kernels are compiled and where their machine code is kept."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import linkrisk
from linkrisk.engine.machine_code import kernel_sources
from linkrisk.engine.whole import compiler_class

INNER = """
from linkrisk.engine.jit import kernel


@kernel
def times(x):
    return 1.0 * x
"""

OUTER = """
from linkrisk.engine.jit import kernel
from linkrisk.linkage.inner_kernels import times


@kernel
def total(values):
    result = 0.0
    for value in values:
        result += times(value)
    return result
"""

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from numba.core import event
from linkrisk.linkage import outer_kernels
with event.install_recorder("numba:compile") as recorder:
    found = outer_kernels.total(np.ones(1))
print(outer_kernels.__file__.startswith(sys.argv[1]), found, len(recorder.buffer) > 0)
"""


@pytest.mark.slow
def test_a_changed_kernel_is_compiled_anew_wherever_it_is_used(tmp_path: Path) -> None:
    """A kernel compiled into others must not live on in their cached machine code (numba looks at one file only)."""
    package = tmp_path / "linkrisk"
    shutil.copytree(Path(linkrisk.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    inner = package / "linkage" / "inner_kernels.py"
    (package / "linkage" / "outer_kernels.py").write_text(OUTER, encoding="utf-8")

    def run() -> list[str]:
        command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
        output = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  (our own script)
        return output.stdout.split()

    inner.write_text(INNER, encoding="utf-8")
    assert run() == ["True", "1.0", "True"]
    assert run() == ["True", "1.0", "False"]
    inner.write_text(INNER.replace("1.0 * x", "2.0 * x"), encoding="utf-8")
    assert run() == ["True", "2.0", "True"]


def test_a_kernel_is_compiled_anew_only_for_what_is_compiled_into_it() -> None:
    """Changing how tables are searched must not cost minutes of compiling distances."""
    package = Path(linkrisk.__file__).parent
    sources = {
        path.relative_to(package).as_posix() for path in kernel_sources(package / "linkage" / "search_kernels.py")
    }
    assert {
        "linkage/search_kernels.py",
        "linkage/distance_kernels.py",
        "distances/kernels.py",
        "differences/kernels.py",
        "differences/twin_kernels.py",
    } == sources


KERNELS = """
import numpy as np
from linkrisk.engine import whole
if {is_plain}:
    whole.compiler_class = lambda: None
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel


@inlined_kernel
def doubled(x: float) -> float:
    return 2.0 * x


@kernel
def largest(values):
    if len(values) == 0:
        raise ValueError("no values")
    return np.sort(values)[-1]


@kernel
def twice_the_largest(values):
    return doubled(largest(values))


@lean_kernel
def raised(rows):
    for i in range(len(rows)):
        rows[i][0] += doubled(largest(rows[i]) - 0.35)
    return rows[0, 0]


@lean_kernel
def copied(values):
    return values.copy()[0]
"""

CALLS = """
import numpy as np
import kernels
values = np.array([0.3, 0.1, 0.2])
print(kernels.twice_the_largest(values), kernels.largest(values), kernels.doubled(0.25))
try:
    kernels.twice_the_largest(values[:0])
except ValueError as error:
    print(error)
values[0] = 0.65
print(kernels.raised(values.reshape(1, -1)), values[0])
try:
    kernels.copied(values)
except Exception as error:
    print("NRT required" in str(error))
print(len(kernels.twice_the_largest.compiled.overloads), len(kernels.largest.compiled.overloads))
"""


@pytest.mark.parametrize("is_plain", [False, True])
def test_kernels_in_kernels_do_the_same_however_they_are_compiled(tmp_path: Path, *, is_plain: bool) -> None:
    """Called from Python or from a kernel, compiled as a whole or by numba's own way, cached or not: same answers."""
    (tmp_path / "kernels.py").write_text(KERNELS.format(is_plain=is_plain), encoding="utf-8")
    for _ in ("compiled", "from the cache"):
        command = [sys.executable, "-c", CALLS]
        output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)  # noqa: S603  (ours)
        assert output.stdout.splitlines() == ["0.6 0.3 0.5", "no values", "1.25 1.25", "True", "1 1"]


def test_this_numba_is_known() -> None:
    """What `linkrisk.engine.whole` uses of numba's insides is there: otherwise the first run takes twice as long."""
    assert compiler_class() is not None


def kernels_of(source: Path) -> dict[str, tuple[str, ast.FunctionDef]]:
    """Return the kernels that a file defines, with their decorators, by name."""
    body = ast.parse(source.read_text(encoding="utf-8")).body
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    found = [(function, ast.unparse(name)) for function in functions for name in function.decorator_list]
    return {function.name: (name, function) for function, name in found if name.endswith("kernel")}


def test_nobody_has_to_give_memory_back_in_lean_kernels() -> None:
    """A kernel that counts no references calls none that may return an array: numba would not refuse it, but leak."""
    package = Path(linkrisk.__file__).parent
    of_files = {path: kernels_of(path) for path in package.rglob("*kernel*.py")}
    plain = {"int", "float", "bool", "None", "tuple"}
    lenders, n_lean = [], 0
    for path, kernels in of_files.items():
        reachable = {name: kernel for source in kernel_sources(path) for name, kernel in of_files[source].items()}
        for decorator, function in kernels.values():
            n_lean += decorator != "kernel"
            for call in ast.walk(function):
                name = getattr(call.func, "id", "") if isinstance(call, ast.Call) else ""
                if decorator != "kernel" and name in reachable and reachable[name][0] == "kernel":
                    returned = ast.walk(reachable[name][1].returns or ast.Constant(None))
                    names = {node.id for node in returned if isinstance(node, ast.Name)}
                    lenders += [f"{function.name} calls {name}"] if names - plain else []
    assert n_lean > 100
    assert not lenders

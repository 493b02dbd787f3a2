"""Where machine code is kept, when it is taken, and when it is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from linkrisk.engine import machine_code
from linkrisk.engine.machine_code import LEVEL, LEVEL_FEATURES, Keeper, native_target, shipped_target

KERNELS = """
from linkrisk.engine.jit import kernel


@kernel
def scaled_sum(values, factor):
    total = 0.0
    for value in values:
        total += factor * value
    return total
"""

RUN = """
import sys
from pathlib import Path
import numpy as np
from linkrisk.engine import machine_code
machine_code.SHIPPED = Path(sys.argv[1])
from numba.core import event
sys.path.insert(0, "")
import kernels
values = np.random.default_rng(0).normal(size=1001)
with event.install_recorder("numba:compile") as recorder:
    found = kernels.scaled_sum(values, 0.3)
print(float(found).hex(), len(recorder.buffer) > 0)
"""

FORK = f"""
import json, os, sys, time
import numba, numpy as np
import linkrisk.engine.jit
from linkrisk.engine import machine_code

numba.njit(lambda values: values.sum())(np.ones(1))  # what numba sets up for its first compilation

for line in sys.stdin:
    folder, place, shipped = json.loads(line)
    child = os.fork()
    if child == 0:
        os.environ["NUMBA_CACHE_DIR"] = place
        numba.core.config.reload_config()
        machine_code.BEGINNING = time.time_ns()  # a process begins here
        os.chdir(folder)
        sys.argv[1:] = [shipped]
        exec({RUN!r})
        sys.stdout.flush()
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print("died here", flush=True)
"""
"""A process that has the packages, and lets a child, which knows no kernel yet, do what `RUN` does."""

Run = Callable[[Path, Path, Path], str]


@pytest.fixture(scope="module")
def forked() -> Iterator[Run]:
    """Return what runs the kernels of a folder, with machine code kept and shipped in two others."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", FORK], stdin=pipe, stdout=pipe, text=True) as process:  # noqa: S603  (our own)

        def run(folder: Path, place: Path, shipped: Path) -> str:
            assert process.stdin is not None
            assert process.stdout is not None
            print(json.dumps([str(folder), str(place), str(shipped)]), file=process.stdin, flush=True)
            return process.stdout.readline()

        yield run
        process.communicate()


class Machine:
    """Runs a kernel in processes of their own, with machine code kept, and shipped, in two folders."""

    def __init__(self, folder: Path, forked: Run) -> None:
        self.folder, self.forked = folder, forked
        self.own, self.shipped = folder / "own", folder / "shipped"
        self.write(KERNELS)

    def write(self, kernels: str) -> None:
        """Write the module of kernels."""
        (self.folder / "kernels.py").write_text(kernels, encoding="utf-8")

    def run(self, place: Path | None = None, environment: Mapping[str, str] | None = None) -> tuple[str, bool]:
        """Return the sum, to the last bit, and whether the kernel was compiled; where the processor is told, afresh."""
        if environment is None:
            found, is_compiled = self.forked(self.folder, place or self.own, self.shipped).split()
            return found, is_compiled == "True"
        told = {**os.environ, "NUMBA_CACHE_DIR": str(place or self.own), **environment}
        command = [sys.executable, "-c", RUN, str(self.shipped)]
        output = subprocess.run(  # noqa: S603  (our own script)
            command, check=True, capture_output=True, text=True, cwd=self.folder, env=told
        )
        found, is_compiled = output.stdout.split()
        return found, is_compiled == "True"

    def ship(self) -> tuple[str, bool]:
        """Compile for the level of shipped code, as ``make dist`` does."""
        return self.run(self.shipped, {"NUMBA_CPU_NAME": LEVEL, "NUMBA_CPU_FEATURES": ""})


@pytest.fixture
def machine(tmp_path: Path, forked: Run) -> Machine:
    """Return a machine on which nothing is compiled yet."""
    return Machine(tmp_path, forked)


def test_code_is_kept_by_what_it_depends_on(machine: Machine) -> None:
    """Compiled once; again if a source changes, not if a file is only touched; code cut off is compiled anew."""
    first, is_compiled = machine.run()
    assert is_compiled
    (machine.folder / "kernels.py").touch()
    assert machine.run() == (first, False)
    (kept,) = machine.own.glob("linkrisk-kernels-*/*")
    for damaged in (kept.read_bytes()[:200], kept.read_bytes()[:-9] + b"x" + kept.read_bytes()[-8:], b""):
        kept.write_bytes(damaged)
        assert machine.run() == (first, True)
    machine.write(KERNELS.replace("factor * value", "value"))
    changed, is_compiled = machine.run()
    assert is_compiled
    assert changed != first


CHANGED_MEANWHILE = """
from pathlib import Path
import numpy as np
import kernels
path = Path("kernels.py")
path.write_text(path.read_text().replace("factor * value", "2.0 * factor * value"))
print(kernels.scaled_sum(np.ones(3), 1.0))
"""


def test_a_source_that_changes_during_a_run_leaves_no_old_code(machine: Machine) -> None:
    """What was imported before is computed as it was, and not kept under the name of the new source."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(machine.own)}
    command = [sys.executable, "-c", CHANGED_MEANWHILE]
    told = subprocess.run(  # noqa: S603  (our own script)
        command, check=True, capture_output=True, text=True, cwd=machine.folder, env=environment
    )
    assert float(told.stdout) == 3.0
    found, is_compiled = machine.run()
    assert is_compiled
    machine.write(KERNELS)
    assert float.fromhex(found) == pytest.approx(2.0 * float.fromhex(machine.run()[0]))


@pytest.mark.skipif(shipped_target() is None, reason="shipped code is made for another kind of processor")
def test_shipped_code_is_taken_where_it_can_run_and_refused_elsewhere(machine: Machine) -> None:
    """Same result to the last bit; nothing is compiled. Another version or processor has its own code."""
    expected, is_compiled = machine.ship()
    assert is_compiled
    assert machine.run() == (expected, False)
    assert not machine.own.exists() or not list(machine.own.glob("linkrisk-kernels-*"))
    other_processor = {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": ""}
    assert machine.run(environment=other_processor) == (expected, True)
    (folder,) = machine.shipped.iterdir()
    folder.rename(folder.with_name("linkrisk-kernels-0123456789abcdef"))  # of other sources, or another version
    assert machine.run() == (expected, True)


def test_a_processor_that_lacks_something_gets_no_shipped_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each feature of the level is asked for, and another architecture has none."""
    shipped_target.cache_clear()

    def target(features: Mapping[str, bool], triple: str = "x86_64-unknown-linux-gnu") -> Any:
        monkeypatch.setattr(machine_code._binding, "get_host_cpu_features", lambda: features)
        monkeypatch.setattr(machine_code, "native_target", lambda: (triple, "any", ""))
        shipped_target.cache_clear()
        return shipped_target()

    able = dict.fromkeys(LEVEL_FEATURES, True)
    try:
        assert target({**able, "avx512f": True}) == ("x86_64-unknown-linux-gnu", LEVEL, "")
        assert target(able, "aarch64-unknown-linux-gnu") is None
        for name in LEVEL_FEATURES:
            assert target({**able, name: False}) is None
            assert target({other: True for other in able if other != name}) is None
    finally:
        shipped_target.cache_clear()


def test_folders_differ_by_version_and_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code of another Python, numba, system or processor lies in a folder that nobody looks at."""
    source = Path(machine_code.__file__).parent / "dice_kernels.py"
    triple, name, features = native_target()
    names = {
        machine_code._folder_name(source, target)
        for target in ((triple, name, features), ("x86_64-apple-darwin", name, features), (triple, "other", features))
    }
    assert len(names) == 3
    monkeypatch.setattr(machine_code, "made_with", lambda: "cpython-399 9.9 9.9")
    assert machine_code._folder_name(source, native_target()) not in names


def test_code_that_calls_what_is_not_there_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such code would end the process instead of raising an exception."""
    context = machine_code._cpu_target.target_context
    machine_code._runtime.initialize(context)  # what is not known before stays unknown to this process
    assert machine_code._is_known("NRT_MemInfo_alloc_aligned") or machine_code._is_known("PyErr_Occurred")
    assert not machine_code._is_known("no_such_function_anywhere")
    kept = machine_code._Kept((), ("no_such_function_anywhere",), (), ())
    monkeypatch.setattr(machine_code, "_read", lambda _: kept)
    assert Keeper(machine_code.made_with).load_overload((), context) is None


def test_constants_that_kernels_import_are_sources() -> None:
    """The tolerance of ties is compiled into kernels: another one is another machine code."""
    differences = machine_code.PACKAGE / "differences"
    assert differences / "twins.py" in machine_code.all_sources(differences / "twin_kernels.py")


def test_without_a_place_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nothing can be written compiles each time, and says nothing."""
    monkeypatch.setattr(machine_code, "cache_place", lambda: None)
    Keeper(machine_code.made_with).save_overload((), None)

"""How kernels are compiled and where their machine code is kept."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import linkrisk
from linkrisk.engine.jit import _kernel_sources

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from linkrisk.differences.coordinates import numeric_coordinates
from linkrisk.distances.distance import Distance, Rule
from linkrisk.linkage.search import distances
values = np.array([[0.0], [1.0]])
theta = np.ones(1)
print(distances(Distance(Rule.QUADRATIC, theta, numeric_coordinates(values, values, np.arange(2)), theta))[0, 1])
"""


@pytest.mark.slow
def test_a_changed_kernel_is_compiled_anew_wherever_it_is_used(tmp_path: Path) -> None:
    """A kernel compiled into others must not live on in their cached machine code (numba looks at one file only)."""
    package = tmp_path / "linkrisk"
    shutil.copytree(Path(linkrisk.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))

    def run() -> float:
        command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
        output = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  (our own script)
        return float(output.stdout)

    assert run() == 1.0
    source = package / "distances" / "kernels.py"  # compiled into the kernels of linkage/distance_kernels.py
    text = source.read_text(encoding="utf-8")
    assert "total += d[k, j] * row" in text
    source.write_text(text.replace("+= d[k, j] * row", "+= 2.0 * d[k, j] * row"), encoding="utf-8")
    assert run() == 2.0


def test_a_kernel_is_compiled_anew_only_for_what_is_compiled_into_it() -> None:
    """Changing how tables are searched must not cost minutes of compiling distances."""
    package = Path(linkrisk.__file__).parent
    sources = {
        path.relative_to(package).as_posix() for path in _kernel_sources(package / "linkage" / "search_kernels.py")
    }
    assert {
        "linkage/search_kernels.py",
        "linkage/distance_kernels.py",
        "distances/kernels.py",
        "differences/kernels.py",
        "differences/twin_kernels.py",
    } == sources

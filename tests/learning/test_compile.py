"""What is compiled before anything is learned: everything, so that no time limit and no second run pays for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
from linkrisk.distances.bilinear import BilinearFamily
from linkrisk.learning.compiling import compile_learning
compile_learning(BilinearFamily())
from linkrisk.learning.boxes import kernels as box_kernels, log_kernels as box_log_kernels
from linkrisk.learning.cover import feasibility_kernels, relaxation_kernels
from linkrisk.learning.lines import kernels as line_kernels
from linkrisk.learning.problem import interval_kernels, row_kernels
from linkrisk.learning.proof import margin_kernels
kernels = [
    box_kernels.search_slice, box_log_kernels.order_nodes, line_kernels.search_lines,
    feasibility_kernels.collect_cores, row_kernels.minimal_rows, row_kernels.scan_rows,
    row_kernels.scan_forms, interval_kernels.intervals_of_rows, interval_kernels.intervals_of_forms,
    interval_kernels.reach_of_forms, line_kernels.deepest_step, relaxation_kernels.sum_shares,
    margin_kernels.mark_linked, margin_kernels.mark_unclear_signs,
]
print([kernel.__name__ for kernel in kernels if not kernel.compiled.signatures])
"""


@pytest.mark.slow
def test_all_engines_are_compiled_beforehand() -> None:
    """In a process of its own, so that no other test has compiled anything."""
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)  # noqa: S603  (own code)
    assert run.stdout.strip() == "[]"

"""What is compiled before anything is learned: everything, so that no time limit and no second run pays for it."""

from __future__ import annotations

import subprocess
import sys

CODE = """
from linkrisk.aggregate.bilinear import BilinearFamily
from linkrisk.learn.learn import compile_learning
compile_learning(BilinearFamily())
from linkrisk.learn import box_kernels, box_log_kernels, interval_kernels, line_kernels, oracle_kernels
from linkrisk.learn import relaxation_kernels, row_kernels
kernels = [
    box_kernels.search_slice, box_log_kernels.order_nodes, line_kernels.search_lines,
    oracle_kernels.collect_cores, row_kernels.minimal_rows, row_kernels.scan_rows,
    row_kernels.scan_forms, interval_kernels.intervals_of_rows, interval_kernels.intervals_of_forms,
    interval_kernels.reach_of_forms, line_kernels.deepest_step, relaxation_kernels.sum_shares,
]
print([kernel.py_func.__name__ for kernel in kernels if not kernel.signatures])
"""


def test_all_engines_are_compiled_beforehand() -> None:
    """In a process of its own, so that no other test has compiled anything."""
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)  # noqa: S603  (own code)
    assert run.stdout.strip() == "[]"

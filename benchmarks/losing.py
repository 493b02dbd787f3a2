"""Information loss: PIL on a million records, all measures on 10^5 (`python -m benchmarks losing`).

Generated files of 13 attributes with noise of 16 % of the standard deviation; reading and pairing are not counted. PIL
beside Table 5 of abril-bilinear.txt is in `benchmarks.trade`.
"""

from __future__ import annotations

import subprocess
import sys

from benchmarks.linking import best_times
from benchmarks.table import Row
from linkrisk.data import pair_files
from linkrisk.data.columns import FilePair
from linkrisk.datasets import census_like
from linkrisk.losses import loss_of_pair
from linkrisk.protection import add_noise

N_ATTRIBUTES = 13
REPEATS = 3


def make_files(n_records: int) -> FilePair:
    """Make records of 13 attributes and a version with noise."""
    original = census_like(n_records, seed=1)
    return pair_files(original, add_noise(original, 16.0, secret_seed=2).data)


PIL_SCRIPT = """
import sys, time, tracemalloc
from benchmarks.losing import make_files
from linkrisk.losses import probabilistic_loss
probabilistic_loss(make_files(1000))
files = make_files(int(sys.argv[1]))
times = []
for _ in range(3):
    start = time.perf_counter()
    probabilistic_loss(files)
    times.append(time.perf_counter() - start)
tracemalloc.start()
probabilistic_loss(files)
print(min(times), tracemalloc.get_traced_memory()[1] / 1e6)
"""
"""Extra memory is the peak of what numpy allocates, the two files not counted."""


def losing_rows() -> list[Row]:
    """PIL of 10^6 records in a process of its own, and every measure on 10^5."""
    output = subprocess.run(  # noqa: S603  (our own interpreter and script)
        [sys.executable, "-c", PIL_SCRIPT, "1000000"], check=True, capture_output=True, text=True
    ).stdout
    seconds, megabytes = (float(part) for part in output.split())
    files = make_files(100_000)
    best = best_times(
        {"with": lambda: loss_of_pair(files), "without": lambda: loss_of_pair(files, interactions=False)}, REPEATS
    )
    size = f"1e+05 x {N_ATTRIBUTES}"
    return [
        Row(f"PIL, 1e+06 x {N_ATTRIBUTES}", seconds, "s", goal="seconds"),
        Row(f"PIL, 1e+06 x {N_ATTRIBUTES}, extra memory", megabytes, "MB"),
        Row(f"all measures, {size}, propensity with products (105 terms)", best["with"], "s"),
        Row(f"all measures, {size}, propensity with main effects only", best["without"], "s"),
    ]

"""Protecting: MDAV on 10^5 records, its fast variant and the other methods on 10^6."""

from __future__ import annotations

import json
import subprocess
import sys

from benchmarks.table import Row

SCRIPT = """
import json, resource, sys, time
from linkrisk.datasets import census_like
from linkrisk.protection import METHODS

method, n_records, parameters = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
names = list(census_like(10).columns[:7])
if "k" in parameters and method in ("mdav", "z_scores", "principal_components"):
    parameters["groups"] = [names]
METHODS[method].apply(census_like(200)[names], **parameters)  # compile
file = census_like(n_records, seed=1)[names]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.perf_counter()
protection = METHODS[method].apply(file, **parameters)
seconds = time.perf_counter() - start
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(seconds, after / 1e3, (after - before) / 1e3, getattr(protection.details[0], "sse_over_sst", 0.0))
"""
"""Memory is the peak of the whole process, interpreter and file included, in MB; then what protecting added."""

MILLION = 1_000_000
STATED = (
    ("mdav", 100_000, {"k": 5, "raw": True}, "under 60 s"),
    ("mdav", 100_000, {"k": 5, "raw": True, "variant": "fast"}, ""),
    ("mdav", MILLION, {"k": 5, "raw": True, "variant": "fast"}, "completes"),
    ("individual_ranking", MILLION, {"k": 5}, "seconds"),
    ("rank_swap", MILLION, {"p": 2}, "seconds"),
    ("rank_swap", MILLION, {"p": 2, "variant": "pairs"}, "seconds"),
    ("noise", MILLION, {"p": 10}, "seconds"),
    ("correlated_noise", MILLION, {"p": 10}, "seconds"),
    ("z_scores", MILLION, {"k": 5}, "seconds"),
    ("principal_components", MILLION, {"k": 5}, "seconds"),
)
MEGABYTES_OF_MDAV = "under 500 MB"


def protecting_rows() -> list[Row]:
    """Time and memory of each method on generated records of seven attributes, each in a process of its own."""
    rows = []
    for method, n_records, parameters, goal in STATED:
        output = subprocess.run(  # noqa: S603  (our own interpreter and script)
            [sys.executable, "-c", SCRIPT, method, str(n_records), json.dumps(parameters)],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        seconds, peak, added, lost = (float(part) for part in output.split())
        given = ", ".join(f"{name} = {value}" for name, value in parameters.items())
        what = f"{method}, {given}, {n_records:.0e} x 7"
        share = f", SSE/SST {lost:.4f}" if lost else ""
        rows.append(Row(f"{what}{share}", seconds, "s", goal=goal))
        memory_goal = MEGABYTES_OF_MDAV if n_records < MILLION else ""
        rows.append(Row(f"{what}, peak memory ({added:.0f} MB added)", peak, "MB", goal=memory_goal))
    return rows

"""Compiling the kernels before they are needed, so that the wait can be announced."""

from __future__ import annotations

from functools import cache

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.coordinates import numeric_coordinates
from linkrisk.distances.distance import Distance, Rule
from linkrisk.linkage.candidates import Candidates
from linkrisk.linkage.matching.auction import FEW, assign_full, assign_or_leave
from linkrisk.linkage.search import nearest


@cache
def compile_kernels() -> None:
    """Link a handful of numbers through the tree and against everybody: compiles or loads all kernels they use."""
    for method in ("tree", "all"):
        _link_few(method)


@cache
def compile_sieve() -> None:
    """Link them, and list candidates, through the sieve, which files of numbers without holes do not need."""
    _link_few("sieve")
    Candidates(_few(np.array([0.0, 1.0, 2.0, np.nan])), threads=1).nearest(2)


@cache
def compile_auctions() -> None:
    """Assign a handful of records as large files are: compiles or loads the auctions."""
    size = FEW + 1
    cost = np.add.outer(np.arange(1.0, size + 1.0), np.arange(size)).astype(np.float64)
    row, column = np.indices(cost.shape).reshape(2, -1)
    assign_full(cost)
    assign_or_leave(row, column, cost.ravel(), np.full(size, 3.0 * size), (size, size), 0.1)


def _link_few(method: str) -> None:
    nearest(_few(np.arange(4.0)), method=method, threads=1)


def _few(numbers: FloatArray) -> Distance:
    values = numbers.reshape(-1, 1)
    coordinates = numeric_coordinates(values, values, np.arange(len(values)))
    return Distance(Rule.WEIGHTED, np.ones(1), coordinates, importance=np.ones(1))

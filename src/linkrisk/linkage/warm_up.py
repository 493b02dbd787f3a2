"""Compiling the kernels before they are needed, so that the wait can be announced."""

from __future__ import annotations

from functools import cache

import numpy as np

from linkrisk.differences.coordinates import numeric_coordinates
from linkrisk.distances.distance import Distance, Rule
from linkrisk.linkage.search import nearest


@cache
def compile_kernels() -> None:
    """Link a handful of numbers through the tree and against everybody: compiles or loads all kernels they use."""
    for method in ("tree", "all"):
        _link_few(method)


@cache
def compile_sieve() -> None:
    """Link them through the sieve, which files of numbers without holes do not need."""
    _link_few("sieve")


def _link_few(method: str) -> None:
    values = np.arange(4.0).reshape(-1, 1)
    coordinates = numeric_coordinates(values, values, np.arange(4))
    distance = Distance(Rule.WEIGHTED, np.ones(1), coordinates, importance=np.ones(1))
    nearest(distance, method=method, threads=1)

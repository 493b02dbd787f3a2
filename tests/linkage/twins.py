"""The slow twin of an attacker on a comparison: every distance by definition, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.attackers import Attacker, Kernel
from linkrisk.data.attributes import Kind
from linkrisk.data.columns import FilePair
from linkrisk.differences import Comparison
from linkrisk.linkage import Linkage
from tests.oracle import distances as oracle
from tests.oracle import informed, matching
from tests.oracle.differences import difference
from tests.oracle.linking import TOLERANCE, Link, have_same_differences, is_nearer, link_files
from tests.oracle.measures import zeta

Pair = Callable[[int, int], Any]
Rows = list[list[Any]]


@dataclass(frozen=True)
class Twin:
    """Distance and twins by definition; ``margin`` is how clear a case must be to be decided by floats too.

    ``is_copy`` tells records equal to the own one: only their distances are equal in floats for certain.
    """

    distance: Pair
    is_twin: Pair
    tolerance: Fraction = TOLERANCE
    margin: float = 0.0
    is_copy: Pair = lambda _i, _j: False


RULES: dict[str, Callable[[Any, Sequence[str], list[Any]], Any]] = {
    "mean": lambda _attacker, _names, d: oracle.mean(d),
    "median": lambda _attacker, _names, d: oracle.median(d),
    "weighted_mean": lambda attacker, _names, d: oracle.weighted(d, exact(attacker.weights)),
    "weighted_mean_metric": lambda attacker, _names, d: oracle.weighted(d, exact(attacker.weights)),
    "owa": lambda attacker, _names, d: oracle.owa(d, exact(attacker.weights)),
    "choquet": lambda attacker, names, d: choquet(attacker, dict(zip(names, d, strict=True))),
    "choquet_metric": lambda attacker, names, d: choquet(attacker, dict(zip(names, d, strict=True))),
}
"""Attackers whose distance is made of the d_k: attacker, names of the attributes and d give the distance."""

FORMS: dict[str, Callable[[Any, Rows, Rows, list[int]], Rows]] = {
    "mahalanobis": lambda _attacker, a, b, own: oracle.mahalanobis_matrix(a, b, own),
    "mahalanobis0": lambda _attacker, a, b, _own: oracle.mahalanobis0_matrix(a, b),
    "bilinear": lambda attacker, _a, _b, _own: given_matrix(attacker),
    "bilinear_free": lambda attacker, _a, _b, _own: given_matrix(attacker),
    "bilinear_psd": lambda attacker, _a, _b, _own: given_matrix(attacker),
    "bilinear_higham": lambda attacker, _a, _b, _own: oracle.repaired(given_matrix(attacker)),
}
"""Attackers whose distance is a form of the vectors: attacker, both files and who belongs to whom give its matrix."""

ELSEWHERE = {
    "kernel": oracle.kernel,
    "distance_standardised": oracle.dbrl2_weights,
    "probabilistic": matching.em,
    "informed": informed.noise_cost,
}
"""Attackers whose twin is neither; they are compared in `vector_twin`, tests/distances, test_probabilistic.py and
tests/informed."""


def make_twin(attacker: Attacker, comparison: Comparison, files: FilePair) -> Twin:
    """Twin of any attacker, working on the scaled values of the comparison as exact rationals."""
    if attacker.name not in RULES:
        return vector_twin(attacker, comparison, files)
    d = cache(exact_differences(comparison, files))
    own = comparison.coordinates.own.tolist()
    rule = RULES[attacker.name]
    return Twin(
        distance=cache(lambda i, j: rule(attacker, comparison.names, d(i, j))),
        is_twin=cache(lambda i, j: have_same_differences(d(i, own[i]), d(i, j))),
    )


def vector_twin(attacker: Attacker, comparison: Comparison, files: FilePair) -> Twin:
    """Twin of an attacker that works on whole vectors; twins are told by the differences before he transforms them."""
    numeric, x, y = comparison.vectors()
    a, b = [exact(row) for row in x.tolist()], [exact(row) for row in y.tolist()]
    own = numeric.coordinates.own.tolist()
    d = cache(exact_differences(numeric, files))

    def are_twins(i: int, j: int) -> bool:
        return have_same_differences(d(i, own[i]), d(i, j))

    def are_copies(i: int, j: int) -> bool:
        return b[own[i]] == b[j]

    if isinstance(attacker, Kernel):
        degree = attacker.degree
        kernel = cache(lambda i, j: oracle.kernel(a[i], b[j], degree))
        return Twin(kernel, are_twins, margin=2.0**-41, is_copy=are_copies)
    matrix = FORMS[attacker.name](attacker, a, b, own)
    t = Fraction(0) if attacker.name == "bilinear_free" else TOLERANCE
    form = cache(lambda i, j: oracle.bilinear(a[i], b[j], matrix))
    return Twin(form, are_twins, t, margin=1e-7, is_copy=are_copies)


def given_matrix(attacker: Any) -> Rows:
    """Return the matrix given to an attacker, in rationals."""
    return [exact(row) for row in np.asarray(attacker.matrix).tolist()]


def exact(values: Any) -> list[Fraction]:
    """Floats as the rationals they are."""
    return [Fraction(value) for value in values]


def choquet(attacker: Any, d: dict[str, Any]) -> Any:
    """Integral by the definition, whichever way the measure was given."""
    given = attacker.measure if attacker.measure is not None else attacker.mobius
    values = {frozenset(subset): Fraction(value) for subset, value in given.items()}
    measure = values if attacker.measure is not None else zeta(values, list(d))
    return oracle.choquet(d, measure)


def exact_differences(comparison: Comparison, files: FilePair) -> Callable[[int, int], list[Any]]:
    """d_k of two records: numbers on the comparison's scale, labels as they stand in the files."""

    def differences(i: int, j: int) -> list[Any]:
        result = []
        columns = [column for column in files.columns if column.attribute.name in comparison.names]
        for k, column in enumerate(columns):
            attribute = column.attribute
            x: Any
            y: Any
            if attribute.kind in {Kind.NUMERIC, Kind.DATE}:
                x = known(comparison.coordinates.original[i, k])
                y = known(comparison.coordinates.protected[j, k])
            else:
                x, y = column.original[i], column.protected[j]
            settings: dict[str, Any] = {"one": attribute.missing_one, "both": attribute.missing_both or 0}
            if attribute.kind is Kind.ORDINAL:
                settings |= {"order": attribute.order, "inclusive": attribute.inclusive}
            result.append(Fraction(difference(attribute.kind.value, x, y, **settings)))
        return result

    return differences


def known(value: float) -> Fraction | None:
    """Return a number as a rational, None where missing."""
    return None if np.isnan(value) else Fraction(float(value))


def check_linkage(linkage: Linkage, twin: Twin, own: list[int], n_protected: int) -> None:
    """Compare what was found with the double loop: distances up to rounding, everything counted exactly.

    Records whose outcome hangs on less than ``twin.margin`` (relative) are passed over: rounding may decide them.
    """
    expected = link_files(twin.distance, twin.is_twin, own, n_protected, twin.tolerance)
    clear = [k for k, link in enumerate(expected) if is_clear(link, twin, own[k], k, n_protected)]
    for k, link in enumerate(expected):
        check_record(linkage, k, link, twin, is_counted=k in clear)
    if len(clear) == len(expected):
        for ties in ("unique", "class", "expected"):
            assert abs(linkage.links(ties) - sum(link.gain(ties) for link in expected)) < 1e-9, ties


def is_clear(link: Link, twin: Twin, own: int, i: int, n_protected: int) -> bool:
    """Whether no other distance is nearly, but not exactly, where the record's own changes sides."""
    if own < 0 or twin.margin == 0.0:
        return True
    gaps = [abs(twin.distance(i, j) - link.own) for j in range(n_protected) if not (j == own or twin.is_copy(i, j))]
    size = max([abs(link.own), *(abs(twin.distance(i, j)) for j in range(n_protected))])
    return all(gap > twin.margin * float(size) for gap in gaps)


def check_record(linkage: Linkage, k: int, link: Link, twin: Twin, *, is_counted: bool) -> None:
    """One record."""
    slack = max(twin.margin, 2.0**-44)
    if link.own is None:
        assert np.isnan(linkage.own[k])
    else:
        assert_near(linkage.own[k], link.own, slack)
    if link.nearest_other is None:
        assert linkage.nearest_other[k] == np.inf
        return
    assert_near(linkage.nearest_other[k], link.nearest_other, slack)
    if not is_counted:
        return
    assert twin.margin or not is_nearer(link.nearest_other, Fraction(linkage.nearest_other[k]))
    if link.second_other is not None and (link.own is None or is_nearer(link.second_other, link.own)):
        assert_near(linkage.second_other[k], link.second_other, slack)
    assert bool(linkage.is_beaten[k]) == link.is_beaten
    assert int(linkage.tied[k]) == link.tied
    assert int(linkage.twins[k]) == link.twins
    if linkage.rank is not None:
        assert int(linkage.rank[k]) == (0 if link.own is None else link.nearer + 1)


def assert_near(fast: float, slow: Any, slack: float) -> None:
    """Equal up to a relative slack (absolute below 1)."""
    slow = float(slow)
    assert abs(fast - slow) <= slack * max(abs(slow), 1.0 if slack > 2.0**-41 else 0.0), (fast, slow)


def check_others(linkage: Linkage, distances: FloatArray, own: list[int]) -> None:
    """Check that the record named as nearest other is at that distance, and is not the own one."""
    for i, other in enumerate(linkage.other.tolist()):
        if other >= 0:
            assert other != own[i]
            assert distances[i, other] == linkage.nearest_other[i]
        else:
            assert distances.shape[1] == int(own[i] >= 0)

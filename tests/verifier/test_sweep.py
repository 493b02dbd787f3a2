"""Two weights, where the optimum is known exactly: ties, duplicates, holes, weights of records, all rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkrisk.data.columns import FilePair
from linkrisk.differences.comparison import make_comparison
from linkrisk.verifier import check_certificate
from tests.linkage.files import mixed_file_pairs, numeric_file_pairs
from tests.verifier.certificates import full_tree, make_twin, signed, write_certificate
from tests.verifier.twins import Twin, Vector, sweep

FLOOR = 0.0625

Pair = tuple[int, int]


def edges(attacker: str) -> list[Vector]:
    """Return the two edges of the cone of weights."""
    floor = Fraction(FLOOR if attacker == "weighted_mean_metric" else 0)
    return [[1 - floor, floor], [floor, 1 - floor]]


def on_edges(twin: Twin, pair: Pair, attacker: str) -> Vector:
    """Return the values of a row on the two edges."""
    return [sum((a * b for a, b in zip(e, twin.row(*pair), strict=True)), Fraction(0)) for e in edges(attacker)]


def conflict(a: Vector, b: Vector) -> tuple[float, float] | None:
    """Return multipliers of two rows whose mixture is positive on no edge, None if there are none."""
    if not (a[0] > 0 > a[1] and b[1] > 0 > b[0]):
        return None
    least, most = a[0] / -b[0], -a[1] / b[1]
    ratio = float((least + most) / 2)
    if least > most:
        return None
    assume(least <= Fraction(ratio) <= most)
    return 1.0, ratio


def find_proof(twin: Twin, attacker: str) -> tuple[list[Pair], dict[str, Any]]:
    """Return records lost to one row, and cores of two rows each: intervals of a line meet if any two of them do."""
    pairs = [(i, j) for i in twin.people for j in twin.rivals(i)]
    values = {pair: on_edges(twin, pair, attacker) for pair in pairs}
    lost = {pair[0]: pair for pair in pairs if max(values[pair]) <= 0}
    cores: dict[frozenset[int], dict[str, Any]] = {}
    for first in pairs:
        for second in pairs:
            members = frozenset([first[0], second[0]])
            if members & lost.keys() or members in cores or any(c < members for c in cores):
                continue
            found = conflict(values[first], values[second])
            if found is not None:
                cores[members] = {"rows": [[*first, found[0]], [*second, found[1]]], "cuts": [], "slack": 0.0}
    tree = full_tree(list(cores), [i for i in twin.people if i not in lost])
    return list(lost.values()), {"kind": "cover", "cores": list(cores.values()), "cuts": [], "tree": tree}


@pytest.mark.slow
@pytest.mark.parametrize("attacker", ["weighted_mean", "owa", "weighted_mean_metric"])
@settings(max_examples=30)
@given(
    files=st.one_of(mixed_file_pairs(max_records=5), numeric_file_pairs(max_attributes=2, max_records=6)),
    seed=st.integers(0, 2**32 - 1),
    ties=st.sampled_from(["unique", "class", "expected"]),
)
def test_the_exact_optimum_is_certified(attacker: str, ties: str, files: FilePair, seed: int) -> None:
    """The optimum of the sweep is accepted with its proof; a bound below it, and links above it, never are."""
    assume(len(files.columns) >= 2)
    comparison = make_comparison(files)
    comparison = comparison.select(comparison.names[:2])
    rng = np.random.default_rng(seed)
    weights = [float(w) for w in rng.integers(0, 4, files.n_original)] if seed % 3 == 0 else None
    twin = make_twin(comparison, attacker, ties=ties, weights=weights)
    floor = Fraction(FLOOR if attacker == "weighted_mean_metric" else 0)
    best, s = sweep(twin, floor, 1 - floor)
    lost, proof = find_proof(twin, attacker)
    theta = [1.0 - float(s), float(s)]
    assume(twin.links(theta) == best)  # the optimum may hang on more digits than a float has
    options = {"floor": FLOOR} if floor else None
    certificate = write_certificate(
        comparison, attacker, theta, float(best), lost=lost, proof=proof, ties=ties, weights=weights, options=options
    )
    verdict = check_certificate(certificate, comparison)
    assert verdict, verdict
    assert verdict.bound == float(best)
    less = max(0.0, float(best) - 0.25)
    assert best == 0 or not check_certificate(signed(certificate, bound=less, status="time_limit"), comparison)
    more = signed(certificate, links=float(best) + 0.25, bound=float(best) + 0.25)
    assert not check_certificate(more, comparison)

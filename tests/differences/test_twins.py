"""Twins at the border of the tolerance: every place that tells them agrees with exact arithmetic, to the last bit."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkrisk.attackers import Attacker, Choquet
from linkrisk.data import pair_files
from linkrisk.data.attributes import Attribute, Kind
from linkrisk.data.columns import ColumnPair
from linkrisk.differences import Comparison, make_comparison
from linkrisk.differences.rules import rules_for
from linkrisk.differences.twin_kernels import is_twin
from linkrisk.differences.twins import is_same
from linkrisk.learning.learn import learn
from linkrisk.learning.problem.pairs import Pairs
from linkrisk.linkage.search import nearest
from linkrisk.verifier import check_certificate
from linkrisk.verifier.problem.differences import SquaredDifferences
from tests.learning.families import FAMILIES
from tests.linkage.attackers import MONOTONE, random_attacker
from tests.linkage.files import paired
from tests.oracle.differences import difference
from tests.oracle.linking import have_same_differences
from tests.verifier.test_learned import certificate_of

BORDER = [math.sqrt(1.0 - 2.0**-40), 1.0, 1.0 / math.sqrt(1.0 - 2.0**-40)]
"""Ratios of two differences whose squares are just about the same, or equal."""

FAR = 1000.0


def nudged(value: float, steps: int) -> float:
    """Go some floats up or down."""
    for _ in range(abs(steps)):
        value = math.nextafter(value, math.copysign(math.inf, steps))
    return value


@st.composite
def near_twins(draw: st.DrawFn, max_attributes: int = 3) -> tuple[list[float], list[list[float]], list[float]]:
    """Draw a record, some protected ones (the first is its own, the others nearly as far), and costs of holes."""
    n_attributes = draw(st.integers(1, max_attributes))
    size = 2.0 ** draw(st.sampled_from([0, 0, 0, -190, -60, 60, 240]))
    number = st.integers(0, 2**32).map(lambda seed: size * Random(seed).uniform(-1.0, 1.0))  # noqa: S311  (a draw that can be repeated)
    x = [draw(number) for _ in range(n_attributes)]
    own = [draw(number) for _ in range(n_attributes)]
    sides = st.tuples(st.sampled_from(BORDER), st.sampled_from([-1.0, 1.0]), st.integers(-3, 3), st.integers(0, 9))
    others = []
    for _ in range(draw(st.integers(1, 4))):
        other = []
        for a, b in zip(x, own, strict=True):
            ratio, side, steps, hole = draw(sides)
            other.append(math.nan if hole == 0 else nudged(a + side * ratio * (b - a), steps))
        others.append(other)
    ratios, nudges = st.sampled_from([ratio**2 for ratio in BORDER]), st.integers(-2, 2)
    costs = [nudged(draw(ratios) * (a - b) ** 2, draw(nudges)) for a, b in zip(x, own, strict=True)]
    return x, [own, *others], [cost if 1e-100 < cost < 1e100 else 2.0 for cost in costs]


def make_near_twins(x: list[float], protected: list[list[float]], costs: list[float]) -> Comparison:
    """Return a comparison of these very numbers; the second original record belongs to the last protected one."""
    columns = [
        ColumnPair(
            Attribute(f"V{k + 1}", Kind.NUMERIC, missing_one=cost), np.arange(2.0), np.arange(len(protected) + 0.0)
        )
        for k, cost in enumerate(costs)
    ]
    comparison = make_comparison(paired(columns, [0, len(protected) - 1]))
    original = np.array([x, x])
    return replace(
        comparison, coordinates=replace(comparison.coordinates, original=original, protected=np.array(protected))
    )


def exact_twins(comparison: Comparison, i: int) -> list[bool]:
    """Tell twins in fractions, from the definitions."""
    coordinates = comparison.coordinates

    def known(value: float) -> Fraction | None:
        return None if math.isnan(value) else Fraction(value)

    def d(j: int) -> list[Fraction]:
        values = zip(coordinates.original[i], coordinates.protected[j], coordinates.missing_one, strict=True)
        return [Fraction(difference("numeric", known(x), known(y), one=float(one))) for x, y, one in values]

    own = d(int(coordinates.own[i]))
    return [have_same_differences(own, d(j)) for j in range(len(coordinates.protected))]


@given(near_twins())
@settings(max_examples=200, deadline=None)
def test_twins_are_exact(drawn: tuple[list[float], list[list[float]], list[float]]) -> None:
    """Kernel, learner and verifier tell the twins that fractions tell."""
    comparison = make_near_twins(*drawn)
    coordinates = comparison.coordinates
    queries, rules = rules_for(coordinates, coordinates.original)
    columns = np.ascontiguousarray(coordinates.protected.T)
    pairs, squares = Pairs(comparison), SquaredDifferences(coordinates)
    for i, own in enumerate(coordinates.own.tolist()):
        expected = exact_twins(comparison, i)
        assert [is_twin(queries, i, columns, j, own, rules) for j in range(columns.shape[1])] == expected
        assert pairs.is_twin(pairs.differences(i), i)[pairs.point_of].tolist() == expected
        assert pairs.twins(pairs.differences(i), i) == sum(expected)
        assert squares.is_twin(i).tolist() == expected


@given(st.floats(1e-100, 1e100), st.sampled_from([*BORDER, 1.0 - 2.0**-40, 0.5, 2.0]), st.integers(-3, 3))
@settings(max_examples=200, deadline=None)
def test_costs_of_holes_are_compared_exactly(cost: float, ratio: float, steps: int) -> None:
    """Where the own value is missing and another's is too, or all of them: floats, and still no rounding."""
    other = nudged(ratio * cost, steps)
    assume(1e-100 <= other <= 1e100)
    comparison = make_near_twins([math.nan], [[1.0], [math.nan]], [cost])
    coordinates = replace(comparison.coordinates, missing_both=np.array([other]))
    comparison = replace(comparison, coordinates=coordinates)
    expected = [True, is_same(Fraction(other), Fraction(cost))]
    pairs = Pairs(comparison)
    assert pairs.is_twin(pairs.differences(0), 0)[pairs.point_of].tolist() == expected
    assert SquaredDifferences(coordinates).is_twin(0).tolist() == expected


def many_twins(seed: int, n_attributes: int) -> Comparison:
    """Return a record with many twins, all at the border on every attribute, and another record far away."""
    random = np.random.default_rng(seed)
    x, own = random.uniform(-1.0, 1.0, size=(2, n_attributes)).tolist()
    protected = [own]
    for _ in range(60):
        ratio = BORDER[random.integers(3)]
        sides = random.choice([-1.0, 1.0], size=n_attributes).tolist()
        protected.append(
            [
                nudged(a + side * ratio * (b - a), int(random.integers(-2, 3)))
                for a, b, side in zip(x, own, sides, strict=True)
            ]
        )
    is_kept = exact_twins(make_near_twins(x, protected, [2.0] * n_attributes), 0)
    twins = [record for record, is_one in zip(protected, is_kept, strict=True) if is_one]
    return make_near_twins(x, [*twins, [FAR] * n_attributes], [2.0] * n_attributes)


def check_twins(comparison: Comparison, attacker: Attacker) -> None:
    """Check that all are counted as tied, and none as nearer or farther."""
    for method in ("tree", "all"):
        linkage = nearest(attacker.distance(comparison), method=method, is_ranking=True, threads=1)
        n_twins = len(comparison.coordinates.protected) - 2
        assert linkage.twins[0] == linkage.tied[0] == n_twins
        assert linkage.strangers[0] == 0
        assert not linkage.is_beaten[0]
        assert linkage.rank is not None
        assert linkage.rank[0] == 1


@pytest.mark.parametrize("kind", MONOTONE)
@pytest.mark.parametrize("n_attributes", [1, 2])
def test_linkage_counts_twins_exactly(kind: str, n_attributes: int) -> None:
    """A twin is tied, also where rounding makes its distance look nearer or farther than the tolerance allows."""
    for seed in range(15):
        comparison = many_twins(seed, n_attributes)
        check_twins(comparison, random_attacker(kind, np.random.default_rng(seed), comparison.names))


def test_linkage_counts_twins_of_cancelling_terms_exactly() -> None:
    """Möbius values of both signs: the rounding of a sum is larger than its share of the sum."""
    for seed in range(15):
        comparison = many_twins(seed, 17)
        mobius: dict[str | tuple[str, ...] | frozenset[str], float] = dict.fromkeys(comparison.names, 2.0 / 17)
        mobius |= {(f"V{k}", f"V{k % 17 + 1}"): -1.0 / 17 for k in range(1, 18)}
        check_twins(comparison, Choquet(mobius=mobius, additivity=2))


def test_learners_do_not_let_rounding_tell_twins() -> None:
    """An example where rounding made a twin of a stranger, and "2 links, optimal" of one link."""
    original, protected = [[-1.0], [0.0], [1.0]], [[-1.9340435159553702], [1.9340435159562497], [30.0]]
    comparison = make_comparison(pair_files(np.array(original), np.array(protected)), "original")
    for ties in ("class", "expected"):
        learned = learn(FAMILIES["weighted_mean"], comparison, ties=ties)
        assert learned.links == 1.0
        assert learned.is_linked.tolist() == [True, False, False]
        assert check_certificate(certificate_of(learned), comparison)

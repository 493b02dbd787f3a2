"""Features, distances, twins and links against slow twins: mixed kinds, holes, ties, weights."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkrisk.data.columns import FilePair
from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.engine.progress import no_progress
from linkrisk.verifier.certificate.document import Claim
from linkrisk.verifier.exact.rationals import nearest_floats, wholes
from linkrisk.verifier.problem.instance import Instance
from linkrisk.verifier.problem.links import count_links
from linkrisk.verifier.verification import Rejection
from tests.linkage.files import mixed_file_pairs, numeric_file_pairs, numeric_files
from tests.verifier.certificates import make_twin
from tests.verifier.twins import Twin, subsets

ATTACKERS = (
    ("weighted_mean", None),
    ("weighted_mean_metric", None),
    ("owa", None),
    ("choquet", None),
    ("choquet_metric", None),
    ("choquet", 1),
    ("choquet", 2),
    ("choquet", 3),
    ("bilinear", None),
    ("bilinear_free", None),
    ("bilinear_psd", None),
)

file_pairs = st.one_of(mixed_file_pairs(max_records=5), numeric_file_pairs(max_records=5))


def make_instance(
    comparison: Comparison,
    attacker: str,
    additivity: int | None = None,
    ties: str = "unique",
    weights: list[float] | None = None,
    tolerance: float | None = None,
) -> Instance:
    """Return an instance that claims nothing."""
    if tolerance is None:
        tolerance = 0.0 if attacker == "bilinear_free" else 2.0**-40
    floor = 0.01 if attacker == "weighted_mean_metric" else None
    claim = Claim(
        attacker, floor, additivity, comparison.names, str(comparison.scale), ties, tolerance, weights, [], 0, 0,
        "optimal", 0, "", "", "",
    )  # fmt: skip
    return Instance(claim, comparison)


def both(
    files: FilePair, attacker: str, additivity: int | None = None, **settings: Any
) -> tuple[Comparison, Instance, Twin]:
    """Return an instance and its twin."""
    comparison = make_comparison(files)
    try:
        instance = make_instance(comparison, attacker, additivity, **settings)
    except Rejection:  # no numbers among the attributes
        assume(False)
    return comparison, instance, make_twin(comparison, attacker, additivity=additivity, **settings)


def admissible(attacker: str, n: int, additivity: int | None, rng: np.random.Generator) -> list[float]:
    """Draw admissible parameters in small steps, with zeros now and then."""
    weights = (rng.integers(0, 9, n) + (rng.random(n) < 0.5)) / 8
    weights[0] += 0.125
    if attacker == "weighted_mean_metric":
        weights += 0.125
    if attacker.startswith("bilinear"):
        root = rng.integers(-2, 3, (n, n)) / 2
        matrix = root @ root.T + np.eye(n) * 0.25
        if attacker == "bilinear_free":
            matrix -= rng.integers(0, 3) * np.eye(n)
            matrix[0, 0] += 0.0625
        return [float(value) for value in matrix[np.triu_indices(n)]]
    if not attacker.startswith("choquet"):
        return [float(value) for value in weights]
    return _measure(weights, n, additivity, is_metric=attacker == "choquet_metric")


def _measure(weights: Any, n: int, additivity: int | None, *, is_metric: bool) -> list[float]:
    """Return a measure made of weights: their sum, or, where it need not be submodular, its square."""
    weights = weights + 0.125 * is_metric
    if additivity is not None:
        pairs = {frozenset(s): 0.25 for s in subsets(n, additivity) if len(s) == 2}
        return [float(weights[s[0]]) if len(s) == 1 else pairs.get(frozenset(s), 0.0) for s in subsets(n, additivity)]
    sums = [sum(float(weights[k]) for k in range(n) if mask >> k & 1) for mask in range(1, 1 << n)]
    return sums if is_metric else [value**2 for value in sums]


@pytest.mark.slow
@pytest.mark.parametrize(("attacker", "additivity"), ATTACKERS)
@settings(max_examples=20)
@given(files=file_pairs)
def test_rows_equal_their_twins(attacker: str, additivity: int | None, files: FilePair) -> None:
    """Exact rows and features are those of the definitions, up to the unit they are counted in."""
    _, instance, twin = both(files, attacker, additivity)
    for i in twin.people:
        for j in range(twin.n_protected):
            row, phi = instance.row(i, j), instance.features(i, j)
            places = range(instance.family.n_parameters)
            assert [Fraction(row.get(p, 0), instance.unit) for p in places] == twin.row(i, j)
            assert [Fraction(phi.get(p, 0), instance.unit) for p in places] == twin.phi(i, j)


@pytest.mark.slow
@pytest.mark.parametrize(("attacker", "additivity"), ATTACKERS)
@settings(max_examples=20)
@given(files=file_pairs, seed=st.integers(0, 2**32 - 1))
def test_distances_lie_within_their_errors(attacker: str, additivity: int | None, files: FilePair, seed: int) -> None:
    """*Guarantee* of `Family.distances`: the exact distance is within the error of the one in floating point."""
    _, instance, twin = both(files, attacker, additivity)
    theta = admissible(attacker, instance.differences.n_attributes, additivity, np.random.default_rng(seed))
    whole, shift = wholes(theta)
    instance.family.check_parameters(whole)
    floats = nearest_floats(whole)
    factor = Fraction(1 << shift, 1 << max(value.bit_length() for value in whole))
    exact = [Fraction(value) * factor for value in theta]
    for i in range(len(twin.own)):
        values, errors = instance.family.distances(floats, instance.differences.floats(i))
        sizes = (1.0 + np.abs(instance.differences.floats(i)).max()) ** 2 * np.abs(floats).sum()
        assert (errors < 1e-11 * sizes).all()
        for j in range(twin.n_protected):
            distance = sum((a * b for a, b in zip(exact, twin.phi(i, j), strict=True)), Fraction(0))
            assert abs(distance - Fraction(float(values[j]))) <= Fraction(float(errors[j]))


@pytest.mark.slow
@pytest.mark.parametrize(("attacker", "additivity"), ATTACKERS)
@settings(max_examples=25)
@given(files=file_pairs, seed=st.integers(0, 2**32 - 1), ties=st.sampled_from(["unique", "class", "expected"]))
def test_links_equal_their_twins(attacker: str, additivity: int | None, ties: str, files: FilePair, seed: int) -> None:
    """Links are counted as the definitions say, with ties, weights, margins and holes."""
    rng = np.random.default_rng(seed)
    weights = [float(w) for w in rng.integers(0, 4, files.n_original) / 3] if rng.random() < 0.3 else None
    tolerance = 0.25 if rng.random() < 0.2 else None
    _, instance, twin = both(files, attacker, additivity, ties=ties, weights=weights, tolerance=tolerance)
    theta = admissible(attacker, instance.differences.n_attributes, additivity, rng)
    assert count_links(instance, theta, no_progress) == twin.links(theta)
    for i in twin.people:
        assert instance.worth(i) == twin.worth(i)
        assert np.flatnonzero(instance.counting(i)).tolist() == twin.rivals(i)


@pytest.mark.slow
@given(scale=st.integers(-500, 500), seed=st.integers(0, 2**32 - 1))
def test_links_of_extreme_values(scale: int, seed: int) -> None:
    """Values and parameters of any size are counted exactly: squares that overflow or vanish leave a doubt."""
    rng = np.random.default_rng(seed)
    x = rng.integers(-3, 4, (5, 2)).astype(float)
    y = x + rng.integers(-1, 2, (5, 2))
    comparison = _rescaled(x, y, 2.0**scale)
    for attacker in ("weighted_mean", "choquet", "bilinear_psd"):
        instance, twin = make_instance(comparison, attacker), make_twin(comparison, attacker)
        theta = [value * 2.0**-300 for value in admissible(attacker, 2, None, rng)]
        assert count_links(instance, theta, no_progress) == twin.links(theta)


def _rescaled(x: Any, y: Any, factor: float) -> Comparison:
    comparison = make_comparison(numeric_files(x, y))
    coordinates = replace(comparison.coordinates, original=x * factor, protected=y * factor)
    return replace(comparison, coordinates=coordinates)


INADMISSIBLE: list[tuple[str, int | None, list[float]]] = [
    ("weighted_mean", None, [1.0, -1e-300]),
    ("weighted_mean_metric", None, [1.0, 0.0101]),
    ("owa", None, [-0.0001, 1.0]),
    ("choquet", None, [0.5, 0.5, 0.49999999999999994]),
    ("choquet", None, [0.0, 0.0, 0.0]),
    ("choquet", None, [-1e-300, 0.5, 1.0]),
    ("choquet_metric", None, [0.5, 0.5, 1.0000000000000002]),
    ("choquet_metric", None, [0.0, 1.0, 1.0]),
    ("choquet", 2, [0.5, 0.5, -0.5000000000000001]),
    ("choquet", 2, [0.0, 0.0, 0.0]),
    ("choquet", 1, [0.5, -0.1]),
    ("bilinear_psd", None, [1.0, 1.0, 0.9999999999999999]),
    ("bilinear_psd", None, [0.0, 1e-300, 1.0]),
    ("bilinear_psd", None, [-1e-300, 0.0, 1.0]),
    ("bilinear_free", None, [0.0, 0.0, 0.0]),
    ("bilinear", None, [1.0, 0.0, -1.0]),
    ("bilinear", None, [1.0, 0.0]),
]

ADMISSIBLE: list[tuple[str, int | None, list[float]]] = [
    ("weighted_mean", None, [1.0, 0.0]),
    ("weighted_mean_metric", None, [0.99, 0.02]),
    ("choquet", None, [0.0, 0.0, 1.0]),
    ("choquet_metric", None, [0.5, 0.5, 1.0]),
    ("choquet", 2, [0.5, 0.5, -0.5]),
    ("bilinear_psd", None, [1.0, 1.0, 1.0]),
    ("bilinear_psd", None, [0.0, 0.0, 1.0]),
    ("bilinear_free", None, [-1.0, 0.0, 0.0]),
    ("bilinear", None, [1.0, -1.0, 1.0]),
]


@pytest.mark.parametrize("case", [*((False, *case) for case in INADMISSIBLE), *((True, *case) for case in ADMISSIBLE)])
def test_parameters_are_checked_exactly(case: tuple[bool, str, int | None, list[float]]) -> None:
    """Parameters on the edge of their set are admissible, one bit beyond it they are not."""
    is_fine, attacker, additivity, theta = case
    comparison = make_comparison(
        numeric_files([[0.0, 1.0], [1.0, 5.0], [7.0, 2.0]], [[0.5, 2.0], [1.0, 3.0], [6.0, 2.0]])
    )
    instance = make_instance(comparison, attacker, additivity)
    if is_fine:
        count_links(instance, theta, no_progress)
    else:
        with pytest.raises(Rejection):
            count_links(instance, theta, no_progress)

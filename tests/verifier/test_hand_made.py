"""Certificates made by hand on small files are accepted, and their claims are those of brute force."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.verifier import check_certificate
from tests.linkage.files import numeric_files
from tests.verifier.certificates import Cone, Solved, make_twin, signed, write_certificate

POLYHEDRAL = (
    ("weighted_mean", None),
    ("owa", None),
    ("choquet", None),
    ("choquet_metric", None),
    ("choquet", 2),
    ("choquet", 3),
    ("bilinear_free", None),
    ("bilinear", None),
)


def noisy_comparison(seed: int, n_records: int, n_attributes: int) -> Comparison:
    """Return a file and the same with much noise: about half of the records can be linked."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_records, n_attributes))
    return make_comparison(numeric_files(x, x + 1.5 * rng.normal(size=x.shape)))


def solve(seed: int, attacker: str, additivity: int | None, n_attributes: int = 2) -> tuple[Comparison, Solved]:
    """Solve a small file by brute force."""
    comparison = noisy_comparison(seed, 5, n_attributes)
    twin = make_twin(comparison, attacker, additivity=additivity)
    solved = Solved(twin, Cone(attacker, twin, n_attributes, additivity))
    assume(solved.is_clear and solved.links == twin.links(solved.theta))
    return comparison, solved


def certificate_of(
    comparison: Comparison, solved: Solved, attacker: str, additivity: int | None, proof: Any
) -> dict[str, Any]:
    """Write down what brute force found."""
    options = {} if additivity is None else {"additivity": additivity}
    return write_certificate(comparison, attacker, solved.theta, int(solved.links), proof=proof, options=options)


@pytest.mark.slow
@pytest.mark.parametrize(("attacker", "additivity"), POLYHEDRAL)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1), n_attributes=st.integers(1, 3))
@example(seed=567, n_attributes=3)  # three records in a circle: their core needs whole multipliers
def test_valid_certificates_are_accepted(attacker: str, additivity: int | None, seed: int, n_attributes: int) -> None:
    """A certificate with the optimum of brute force and its cores is valid; a lower bound is not shown."""
    comparison, solved = solve(seed, attacker, additivity, n_attributes)
    certificate = certificate_of(comparison, solved, attacker, additivity, solved.proof())
    verdict = check_certificate(certificate, comparison)
    assert verdict, verdict
    assert verdict.links == verdict.bound == float(solved.links)
    lower = signed(certificate, bound=int(solved.links) - 1, status="time_limit")
    assert solved.links == 0 or not check_certificate(lower, comparison)


@pytest.mark.slow
@pytest.mark.parametrize(("attacker", "additivity"), POLYHEDRAL)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32 - 1))
def test_bounds_from_multipliers(attacker: str, additivity: int | None, seed: int) -> None:
    """A leaf with multipliers of the relaxation proves its rounded value, and not less."""
    comparison, solved = solve(seed, attacker, additivity)
    certificate = certificate_of(comparison, solved, attacker, additivity, solved.dual_proof())
    multipliers = certificate["proof"]["tree"][0]["multipliers"]
    most = 5 - int(np.ceil(sum(multipliers) - 1e-6))
    assert check_certificate(signed(certificate, bound=most, status="time_limit"), comparison)
    if most > 0:
        assert not check_certificate(signed(certificate, bound=most - 1, status="time_limit"), comparison)


@pytest.mark.slow
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32 - 1))
def test_semidefinite_cores(seed: int) -> None:
    """Two records that no semidefinite form links together are accepted as a core, in one direction only."""
    comparison = noisy_comparison(seed, 6, 2)
    twin = make_twin(comparison, "bilinear_psd")
    theta = [1.0, 0.0, 1.0]
    links = int(twin.links(theta))
    found = next(semidefinite_core(twin), None)
    assume(found is not None)
    assert found is not None
    core = {"rows": [[*pair, m] for pair, m in found]}
    proof = {"kind": "cover", "cores": [core], "tree": [{"cores": [0], "multipliers": [1.0]}]}
    certificate = write_certificate(comparison, "bilinear_psd", theta, links, bound=5, status="time_limit", proof=proof)
    verdict = check_certificate(certificate, comparison)
    assert verdict, verdict
    for row in core["rows"]:
        row[2] = 1.0 - row[2]
    if found[0][1] < 0.3:
        assert not check_certificate(signed(certificate, proof=proof), comparison) or mixture_is_negative(
            twin, core["rows"]
        )


def semidefinite_core(twin: Any) -> Any:
    """Yield pairs with multipliers whose mixture is clearly negative definite."""
    rows = [(i, j) for i in twin.people for j in twin.rivals(i)]
    for first in rows:
        for second in rows:
            for share in (0.1, 0.25, 0.5, 0.75, 0.9):
                if first[0] != second[0] and mixture_is_negative(twin, [[*first, share], [*second, 1 - share]]):
                    yield [(first, share), (second, 1 - share)]


def mixture_is_negative(twin: Any, rows: list[list[Any]]) -> bool:
    """Whether a mixture of rows is negative definite, by its two leading minors."""
    parts = [[Fraction(m) * x for x in twin.row(i, j)] for i, j, m in rows]
    a, b, c = (sum(column, Fraction(0)) for column in zip(*parts, strict=True))
    return a < 0 and a * c - b * b / 4 > 0

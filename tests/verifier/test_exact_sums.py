"""Sums of weights are compared exactly, however far apart these are; numbers of any size are used as they are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.verifier import check_certificate
from tests.linkage.files import numeric_files
from tests.verifier.certificates import make_twin, proven_bound, signed, write_certificate

FAR = [1.0, 1e10, 1e20, 1e100, 1e200, 1e300]


@pytest.mark.parametrize("weight", FAR)
@pytest.mark.parametrize("ties", ["unique", "expected"])
def test_a_forged_bound_is_caught(weight: float, ties: str) -> None:
    """A record that can be linked is not hidden by the weight of another that cannot: 'none more than 0' is wrong."""
    x = np.array([[0.0, 0.0], [100.0, 100.0], [200.0, 0.0], [201.0, 10.0], [300.0, 300.0]])
    y = x + np.array([0.0, 1.0])
    y[4] = y[1]
    comparison = make_comparison(numeric_files(x, y), "original")
    weights = [1.0, 1.0, 1.0, 1.0, weight]
    twin = make_twin(comparison, "weighted_mean", ties=ties, weights=weights)
    lost = [] if ties == "expected" else [(1, 4), (4, 1)]
    total = sum((twin.worth(i) for i in range(5) if ties == "expected" or i not in {1, 4}), Fraction(0))
    honest = write_certificate(
        comparison, "weighted_mean", [1.0, 1.0], float(twin.links([1.0, 1.0])), bound=float(total),
        status="time_limit", lost=lost, ties=ties, weights=weights,
    )  # fmt: skip
    verdict = check_certificate(honest, comparison)
    assert verdict, verdict
    assert float(total) > 0.0
    for bound in (0.0, float(np.nextafter(float(total), 0.0))):
        for status in ("optimal", "time_limit"):
            forged = signed(honest, links=0.0 if bound == 0.0 else honest["links"], bound=bound, status=status)
            assert not check_certificate(forged, comparison)


def conflict() -> tuple[Comparison, dict[str, Any]]:
    """Return three records, two of which are in conflict under weighted means, with the core that shows it."""
    x = np.array([[100.0, 100.0], [0.0, 0.0], [1.0, 0.0]])
    y = np.array([[100.0, 100.0], [2.0, 0.0], [1.0, 1.0]])
    comparison = make_comparison(numeric_files(x, y), "original")
    twin = make_twin(comparison, "weighted_mean")
    first, second = twin.row(1, 2), twin.row(2, 1)
    ratio = next(
        Fraction(2) ** e
        for e in range(-30, 31)
        if all(a + Fraction(2) ** e * b <= 0 for a, b in zip(first, second, strict=True))
    )
    return comparison, {"rows": [[1, 2, 1.0], [2, 1, float(ratio)]]}


@pytest.mark.parametrize("light", [3.0, 0.1, 1e-10, 1e-300, 5e-324])
@pytest.mark.parametrize("heavy", [1.0, 1e10, 1e300])
def test_leaves_prove_exactly_what_they_say(light: float, heavy: float) -> None:
    """The lighter of two records in conflict is given up, to the last bit, beside any weight."""
    comparison, core = conflict()
    weights = [heavy, heavy, light]
    whole = Fraction(light)
    tree = [{"cores": [0], "multipliers": [whole.numerator], "divisor": whole.denominator}]
    proof = {"kind": "cover", "cores": [core], "tree": tree}
    certificate = write_certificate(
        comparison, "weighted_mean", [1.0, 1.0], 0.0, status="time_limit", weights=weights, proof=proof
    )
    bound = sum(map(Fraction, weights), Fraction(0)) - min(Fraction(light), Fraction(heavy))
    assert proven_bound(certificate, comparison) == bound
    tree[0] = {"cores": [0, 0], "multipliers": [light, 0]}
    assert proven_bound(signed(certificate, proof=proof), comparison) == bound


def test_an_optimum_is_exact() -> None:
    """'Optimal' needs a proof to the last bit; a multiplier that is an ulp too small shows only a bound."""
    comparison, core = conflict()
    weights = [0.1, 0.7, 1.1]
    twin = make_twin(comparison, "weighted_mean", weights=weights)
    theta = [2.0, 1.0]
    links = float(twin.links(theta))
    assert twin.links(theta) == Fraction(0.1) + Fraction(1.1)
    for y, is_shown in ((0.7, True), (float(np.nextafter(0.7, 0.0)), False), (float(np.nextafter(0.7, 1.0)), True)):
        proof = {"kind": "cover", "cores": [core], "tree": [{"cores": [0], "multipliers": [y]}]}
        certificate = write_certificate(comparison, "weighted_mean", theta, links, weights=weights, proof=proof)
        verdict = check_certificate(certificate, comparison)
        assert bool(verdict) == is_shown, verdict
        weaker = signed(certificate, bound=1.25, status="time_limit")
        assert check_certificate(weaker, comparison)


def test_rounded_claims_are_the_nearest_floats() -> None:
    """Links of worth a third are claimed as the nearest float, no other."""
    x = np.array([[0.0], [1.0], [2.0], [50.0]])
    y = np.array([[0.5], [0.5], [0.5], [50.0]])
    comparison = make_comparison(numeric_files(x, y), "original")
    twin = make_twin(comparison, "weighted_mean", ties="expected")
    exact = twin.links([1.0])
    assert exact.denominator == 1 or float(exact) != exact
    certificate = write_certificate(comparison, "weighted_mean", [1.0], float(exact), ties="expected")
    verdict = check_certificate(certificate, comparison)
    assert verdict, verdict
    for links in np.nextafter(float(exact), [0.0, 9.0]).tolist():
        assert not check_certificate(signed(certificate, links=links, bound=links), comparison)


def test_parameters_and_multipliers_of_any_size() -> None:
    """Whole numbers far beyond float64 mean just what floats mean, up to a common factor; longer ones are refused."""
    comparison, core = conflict()
    weights = [1.0, 1.0, 1.0]
    twin = make_twin(comparison, "weighted_mean", weights=weights)
    links = float(twin.links([3.0, 1.0]))
    tree = [{"cores": [0], "multipliers": [1]}]
    proof = {"kind": "cover", "cores": [core], "tree": tree}
    certificate = write_certificate(
        comparison, "weighted_mean", [3.0, 1.0], links, bound=2.0, status="time_limit", proof=proof
    )
    assert check_certificate(certificate, comparison)
    factor = 7**900
    (i, j, m), (k, q, n) = core["rows"]
    a, b = (Fraction(m) / Fraction(n)).as_integer_ratio()
    huge = {"rows": [[i, j, a * factor], [k, q, hex(b * factor)]]}
    for parameters in ([3 * factor, factor], [hex(3 * factor), hex(factor)], [3, 1], ["0x3", 1.0]):
        proof = {"kind": "cover", "cores": [huge], "tree": [{"cores": [0], "multipliers": [factor], "divisor": factor}]}
        verdict = check_certificate(signed(certificate, parameters=parameters, proof=proof), comparison)
        assert verdict, verdict
    for wrong in ("3", "0X3", "0x3 ", hex(1 << 65536), 1 << 65536, [3], None, True, float("inf")):
        assert not _accepts(certificate, comparison, parameters=[wrong, 1])
    for divisor in (0, -1, 1.0, "0x0", True):
        changed = {"kind": "cover", "cores": [core], "tree": [{"cores": [0], "multipliers": [1], "divisor": divisor}]}
        assert not _accepts(certificate, comparison, proof=changed)


def _accepts(certificate: dict[str, Any], comparison: Comparison, **changes: Any) -> bool:
    try:
        return bool(check_certificate(signed(certificate, **changes), comparison))
    except ValueError:  # a number that JSON cannot write
        return False


def test_a_repaired_form_has_no_margin() -> None:
    """Its links are counted with the tolerance of ties, so that nothing else can be claimed; and it is semidefinite."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(5, 2))
    comparison = make_comparison(numeric_files(x, x + 1.5 * rng.normal(size=x.shape)))
    twin = make_twin(comparison, "bilinear_psd")
    theta = [1.0, 0.5, 1.0]
    certificate = write_certificate(
        comparison, "bilinear_higham", theta, int(twin.links(theta)), bound=5, status="repaired", tolerance=0.0
    )
    verdict = check_certificate(certificate, comparison)
    assert verdict, verdict
    assert "no bilinear form more than 5" in verdict.reason
    assert "margin" not in verdict.reason
    for tolerance in (5e-324, 2.0**-40, 0.9):
        assert not check_certificate(signed(certificate, tolerance=tolerance), comparison)
    assert not check_certificate(signed(certificate, parameters=[1.0, 1.0 + 2.0**-52, 1.0]), comparison)

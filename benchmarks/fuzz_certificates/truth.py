"""Is what an accepted certificate says true? Judged in fractions, from the definitions of docs/certificates.md.

Links and admissible parameters are judged by code that shares nothing with the verifier. The optimum is known from
below: the links, counted here, of the parameters that the learner finds for the problem that the certificate states.
So a bound that is too low is seen where the learner finds the optimum, as it does on files of a few records.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from tests.verifier.certificates import make_twin
from tests.verifier.twins import Twin, dot, subsets

from linkrisk.differences.comparison import Comparison
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.distances.bilinear import BilinearFamily, Form
from linkrisk.distances.choquet import ChoquetFamily
from linkrisk.distances.family import Family
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.errors import InputError
from linkrisk.learning.learn import learn
from linkrisk.verifier import Verification

TOLERANCE = 2.0**-40

FORMS = {
    "bilinear": Form.NONNEGATIVE,
    "bilinear_free": Form.FREE,
    "bilinear_higham": Form.FREE,
    "bilinear_psd": Form.SEMIDEFINITE,
}

LEARNING_SECONDS = 5.0


class Truth:
    """What is true of one pair of files."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self._best = cache(self._learned)

    def fault(self, certificate: Mapping[str, Any], verdict: Verification) -> str | None:
        """Return what is wrong with an accepted certificate, None if nothing is."""
        theta = [exact(value) for value in certificate["parameters"]]
        counted = self.twin(certificate, is_counting=True)
        if not self.is_admissible(certificate, theta, counted):
            return "the parameters are not admissible"
        links = counted.links(theta)
        if certificate["links"] != float(links) or verdict.links != float(links):
            return f"the parameters make {links} links"
        best = max(self._optimum(certificate), links)
        if float(best) > certificate["bound"] or verdict.bound != certificate["bound"]:
            return f"some parameters make {best} links"
        if (certificate["status"] == "optimal" or " makes more " in verdict.reason) and best > links:
            return f"not optimal: some parameters make {best} links"
        return self._wrong_word(certificate, verdict)

    def _wrong_word(self, certificate: Mapping[str, Any], verdict: Verification) -> str | None:
        """Return a condition of the sentence that is not so, or that is missing."""
        attacker, n_pairs = certificate["attacker"], int((self.comparison.coordinates.own >= 0).sum())
        tolerance = certificate["tolerance"]
        conditions = [
            f"attributes {', '.join(self.comparison.names)}",
            f"scale {self.comparison.scale}",
            f"ties {certificate['ties']}",
            *([f"nearer by a margin of {_written(tolerance)}"] if tolerance > TOLERANCE else []),
            *([f"floor {_written(attacker['floor'])}"] if attacker.get("floor") is not None else []),
            *([f"additivity {attacker['additivity']}"] if attacker.get("additivity") is not None else []),
            *(["weights of the certificate"] if certificate["weights"] is not None else []),
        ]
        start = f"{attacker['name']} makes {_written(certificate['links'])} links among {n_pairs} pairs, and no "
        if not verdict.reason.startswith(start) or f"({', '.join(conditions)}" not in verdict.reason:
            return f"the verdict says: {verdict.reason}"
        if tuple(certificate["attributes"]) != self.comparison.names or certificate["n_pairs"] != n_pairs:
            return "attributes or number of pairs are others"
        return None

    def twin(self, certificate: Mapping[str, Any], *, is_counting: bool) -> Twin:
        """Return the problem that a certificate states; links of repaired forms are counted with a tolerance."""
        name = certificate["attacker"]["name"]
        is_repaired = name == "bilinear_higham"
        tolerance = TOLERANCE if is_repaired and is_counting else certificate["tolerance"]
        return make_twin(
            self.comparison,
            "bilinear_free" if is_repaired else name,
            ties=certificate["ties"],
            weights=certificate["weights"],
            tolerance=tolerance,
            additivity=certificate["attacker"].get("additivity"),
        )

    def is_admissible(self, certificate: Mapping[str, Any], theta: Sequence[Fraction], twin: Twin) -> bool:
        """Tell whether the attacker of a certificate can have these parameters."""
        attacker = certificate["attacker"]
        name, additivity = attacker["name"], attacker.get("additivity")
        n = self.comparison.vectors()[0].n_attributes if name in FORMS else self.comparison.n_attributes
        if name in {"choquet", "choquet_metric"}:
            return is_measure(theta, n, additivity, is_metric=name == "choquet_metric")
        if name not in FORMS:
            floor = Fraction(attacker.get("floor") or 0)
            return len(theta) == n and min(theta) >= 0 and min(theta) >= floor * sum(theta)
        if len(theta) != n * (n + 1) // 2 or (name != "bilinear_higham" and not any(theta)):
            return False
        if name == "bilinear":
            pairs = ((i, j) for i in range(len(twin.own)) for j in range(twin.n_protected))
            return all(dot(theta, twin.phi(i, j)) >= 0 for i, j in pairs)
        return name == "bilinear_free" or is_semidefinite(theta, n)

    def _optimum(self, certificate: Mapping[str, Any]) -> Fraction:
        """Return the best links known of the problem of a certificate."""
        attacker = certificate["attacker"]
        weights = certificate["weights"]
        key = (
            attacker["name"],
            attacker.get("floor"),
            attacker.get("additivity"),
            certificate["ties"],
            float(certificate["tolerance"]),
            None if weights is None else tuple(map(float, weights)),
        )
        best: Fraction = self._best(key)
        return best

    def _learned(self, key: tuple[Any, ...]) -> Fraction:
        name, floor, additivity, ties, tolerance, weights = key
        certificate = {
            "attacker": {"name": name, "floor": floor, "additivity": additivity},
            "ties": ties,
            "tolerance": tolerance,
            "weights": weights,
        }
        family = family_of(name, floor, additivity)
        try:
            learned = learn(
                family,
                self.comparison,
                ties=ties,
                weights=None if weights is None else np.array(weights),
                margin=tolerance if tolerance > family.tolerance else 0.0,
                time_limit=LEARNING_SECONDS,
            )
        except (InputError, ArithmeticError):
            return Fraction(0)
        twin = self.twin(certificate, is_counting=False)
        theta = [Fraction(value) for value in learned.wholes or learned.theta.tolist()]
        return twin.links(theta) if self.is_admissible(certificate, theta, twin) else Fraction(0)


def family_of(name: str, floor: float | None, additivity: int | None) -> Family:
    """Return the learner's family of an attacker."""
    if name in FORMS:
        return BilinearFamily(FORMS[name])
    if name == "owa":
        return OWAFamily()
    if name in {"weighted_mean", "weighted_mean_metric"}:
        return WeightedMeanFamily() if floor is None else WeightedMeanFamily(floor=floor)
    return (
        ChoquetFamily(is_metric=name == "choquet_metric") if additivity is None else AdditiveChoquetFamily(additivity)
    )


def exact(value: Any) -> Fraction:
    """Return a number of a certificate.

    >>> exact("-0x1f"), exact(0.5)
    (Fraction(-31, 1), Fraction(1, 2))
    """
    return Fraction(int(value, 16) if isinstance(value, str) else value)


def is_measure(theta: Sequence[Fraction], n: int, additivity: int | None, *, is_metric: bool) -> bool:
    """Tell whether parameters are a monotone measure, positive on all attributes; a metric one is submodular, too."""
    sets = subsets(n, additivity) if additivity is not None else None
    if len(theta) != (len(sets) if sets else (1 << n) - 1):
        return False
    if sets is None:
        mu = [Fraction(0), *theta]
    else:
        masks = [sum(1 << k for k in members) for members in sets]
        mu = [sum((v for m, v in zip(masks, theta, strict=True) if m & a == m), Fraction(0)) for a in range(1 << n)]
    gains = [(a, k) for a in range(1 << n) for k in range(n) if not a >> k & 1]
    if mu[-1] <= 0 or any(mu[a | 1 << k] < mu[a] for a, k in gains):
        return False
    if not is_metric:
        return True
    pairs = [
        (a, 1 << k, 1 << m) for a in range(1 << n) for k, m in combinations(range(n), 2) if not a & (1 << k | 1 << m)
    ]
    return all(mu[1 << k] > 0 for k in range(n)) and all(
        mu[a | k] + mu[a | m] >= mu[a | k | m] + mu[a] for a, k, m in pairs
    )


def is_semidefinite(theta: Sequence[Fraction], n: int) -> bool:
    """Tell whether the matrix of an upper triangle has no negative principal minor."""
    matrix = [[Fraction(0)] * n for _ in range(n)]
    upper = [(k, m) for k in range(n) for m in range(k, n)]
    for value, (row, column) in zip(theta, upper, strict=True):
        matrix[row][column] = matrix[column][row] = value
    chosen = (members for size in range(1, n + 1) for members in combinations(range(n), size))
    return all(_determinant([[matrix[k][m] for m in members] for k in members]) >= 0 for members in chosen)


def _determinant(matrix: list[list[Fraction]]) -> Fraction:
    if len(matrix) == 1:
        return matrix[0][0]
    minors = ([row[:k] + row[k + 1 :] for row in matrix[1:]] for k in range(len(matrix)))
    return sum(((-1) ** k * matrix[0][k] * _determinant(minor) for k, minor in enumerate(minors)), Fraction(0))


def _written(value: float) -> str:
    value = float(value)
    return str(int(value)) if value.is_integer() and math.fabs(value) < 1e16 else repr(value)

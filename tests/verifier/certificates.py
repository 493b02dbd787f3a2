"""Certificates made by hand: by trying all sets of records, with multipliers from linear programmes."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from scipy.optimize import linprog

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.coordinates import DifferenceRule
from linkrisk.differences.text import text_differences
from linkrisk.engine.progress import no_progress
from linkrisk.verifier import certificate_digest, data_digest
from linkrisk.verifier.certificate.document import make_claim
from linkrisk.verifier.check import _Check
from linkrisk.verifier.problem.instance import Instance
from linkrisk.verifier.verification import Rejection
from tests.verifier.twins import FEATURES, Twin, Vector, mobius_features, subsets

TOLERANCE = 2.0**-40
CLEAR = 1e-7
"""A margin that a linear programme finds in floating point and that is certainly there ..."""

NOTHING = 1e-9
"""... and one that is certainly not."""

VANISHING = 1e-12
"""Size up to which a sum of rows counts as mere rounding."""


def make_twin(
    comparison: Comparison,
    attacker: str,
    *,
    ties: str = "unique",
    weights: Sequence[float] | None = None,
    tolerance: float | None = None,
    additivity: int | None = None,
) -> Twin:
    """Return the problem of a comparison in fractions."""
    is_signed = attacker.startswith("bilinear")
    compared, x, y = comparison.vectors() if is_signed else (comparison, np.zeros((0, 0)), np.zeros((0, 0)))
    squares = exact_squares(compared)

    def vectors(i: int, j: int) -> Vector:
        return [Fraction(a) - Fraction(b) for a, b in zip(x[i].tolist(), y[j].tolist(), strict=True)]

    return Twin(
        squares=squares,
        differences=vectors if is_signed else squares,
        features=mobius_features(additivity) if additivity else FEATURES[attacker],
        own=comparison.coordinates.own.tolist(),
        n_protected=len(comparison.coordinates.protected),
        ties=ties,
        tolerance=Fraction(default_tolerance(attacker) if tolerance is None else tolerance),
        weights=weights,
    )


def default_tolerance(attacker: str) -> float:
    """Return the tolerance of an attacker without a margin."""
    return 0.0 if attacker == "bilinear_free" else TOLERANCE


def exact_squares(comparison: Comparison) -> Callable[[int, int], Vector]:
    """Return d of two records in fractions; each pair is worked out once."""
    c = comparison.coordinates
    rules = [DifferenceRule(rule) for rule in c.rules]
    squared, equal, ordered = DifferenceRule.SQUARED, DifferenceRule.EQUAL, DifferenceRule.ORDERED

    def one(x: float, y: float, k: int) -> Fraction:
        if math.isnan(x) or math.isnan(y):
            return Fraction(float(c.missing_both[k] if math.isnan(x) and math.isnan(y) else c.missing_one[k]))
        if rules[k] is squared:
            return (Fraction(x) - Fraction(y)) ** 2
        if rules[k] is equal:
            return Fraction(int(x != y))
        if rules[k] is ordered:
            return Fraction((abs(x - y) + float(c.offset[k])) / float(c.divisor[k]))
        pair = c.texts[k]
        assert pair is not None
        return Fraction(float(text_differences([pair.original[int(x)]], [pair.protected[int(y)]])[0, 0]))

    @cache
    def squares(i: int, j: int) -> Vector:
        rows = zip(c.original[i].tolist(), c.protected[j].tolist(), strict=True)
        return [one(x, y, k) for k, (x, y) in enumerate(rows)]

    return squares


def write_certificate(
    comparison: Comparison,
    attacker: str,
    theta: Sequence[float],
    links: float,
    *,
    bound: float | None = None,
    status: str = "optimal",
    lost: Iterable[tuple[int, int]] = (),
    proof: Mapping[str, Any] | None = None,
    ties: str = "unique",
    weights: Sequence[float] | None = None,
    tolerance: float | None = None,
    options: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """Return a certificate with its digest."""
    return signed(
        {
            "confidential": "CONFIDENTIAL",
            "certificate": 2,
            "version": "0",
            "original": "0" * 64,
            "protected": "1" * 64,
            "data": data_digest(comparison),
            "reading": {},
            "attacker": {"name": attacker, **(options or {})},
            "attributes": list(comparison.names),
            "scale": str(comparison.scale),
            "ties": ties,
            "tolerance": default_tolerance(attacker) if tolerance is None else tolerance,
            "weights": None if weights is None else list(weights),
            "parameters": list(theta),
            "links": links,
            "bound": links if bound is None else bound,
            "status": status,
            "n_pairs": int((comparison.coordinates.own >= 0).sum()),
            "lost": [list(pair) for pair in lost],
            "proof": proof,
        }
    )


def signed(certificate: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a copy of a certificate with some entries changed, and a digest that fits."""
    result = {**copy.deepcopy(dict(certificate)), **changes}
    result["digest"] = certificate_digest(result)
    return result


def proven_bound(certificate: Mapping[str, Any], comparison: Comparison) -> Fraction | None:
    """Return the bound that lost records and proof of a certificate show, None where they are rejected."""
    check = _Check(certificate, comparison, None, no_progress)
    try:
        instance = Instance(make_claim(certificate), comparison)
        return check._prove(instance, check._check_lost(instance), Fraction(0))
    except Rejection:
        return None


class Cone:
    """Admissible parameters by their inequalities, each with its label; ``normal`` bounds them."""

    def __init__(self, attacker: str, twin: Twin, n_attributes: int, additivity: int | None = None) -> None:
        self.rows: list[list[float]] = []
        self.labels: list[dict[str, Any] | None] = []
        self.is_signed = attacker.startswith("bilinear")
        n = n_attributes
        if attacker in {"choquet", "choquet_metric"} and additivity is None:
            self._add_gains(n, is_metric=attacker == "choquet_metric")
            self.normal = [0.0] * ((1 << n) - 2) + [1.0]
        elif additivity is not None:
            self._add_mobius(n, additivity)
            self.normal = [1.0] * len(subsets(n, additivity))
        elif self.is_signed:
            self._add_pairs(attacker, twin)
            self.normal = [0.0] * (n * (n + 1) // 2)
        else:
            self.rows = np.eye(n).tolist()
            self.labels = [None] * n
            self.normal = [1.0] * n

    def _add_gains(self, n: int, *, is_metric: bool) -> None:
        for mask in range(1 << n):
            outside = [k for k in range(n) if not mask >> k & 1]
            for added in [*combinations(outside, 1), *(combinations(outside, 2) if is_metric else ())]:
                row = np.zeros(1 << n)
                if len(added) == 1:
                    row[mask | 1 << added[0]] += 1
                    row[mask] -= 1
                else:
                    first, second = 1 << added[0], 1 << added[1]
                    row[[mask | first, mask | second]] += 1
                    row[[mask | first | second, mask]] -= 1
                self.rows.append(row[1:].tolist())
                self.labels.append({"set": mask, "attributes": list(added)})

    def _add_mobius(self, n: int, additivity: int) -> None:
        sets = subsets(n, additivity)
        for k in range(n):
            for mask in range(1 << n):
                if not mask >> k & 1:
                    inside = [k in s and all(a == k or mask >> a & 1 for a in s) for s in sets]
                    self.rows.append([float(value) for value in inside])
                    self.labels.append({"set": mask, "attributes": [k]})

    def _add_pairs(self, attacker: str, twin: Twin) -> None:
        if attacker == "bilinear":
            for i in range(len(twin.own)):
                for j in range(twin.n_protected):
                    self.rows.append([float(value) for value in twin.phi(i, j)])
                    self.labels.append({"pair": [i, j]})


class Solved:
    """All sets of records that can be linked together, the best of them, and cores of those that cannot."""

    def __init__(self, twin: Twin, cone: Cone) -> None:
        self.twin = twin
        self.cone = cone
        self.is_clear = True
        self.theta: list[float] = []
        self.links = Fraction(-1)
        self.cores: list[dict[str, Any]] = []
        self.members: list[frozenset[int]] = []
        for size in range(len(twin.people) + 1):
            for chosen in combinations(twin.people, size):
                if not any(core.issubset(chosen) for core in self.members):
                    self._try(chosen)

    def _try(self, chosen: tuple[int, ...]) -> None:
        theta, margin = self._widest(chosen)
        self.is_clear &= margin > CLEAR or margin < NOTHING  # theta = 0 has margin 0
        worth = sum((self.twin.worth(i) for i in chosen), Fraction(0))
        if margin > CLEAR:
            if worth > self.links:
                self.links, self.theta = worth, theta
            return
        self.members.append(frozenset(chosen))
        self.cores.append(self._core(chosen))

    def _widest(self, chosen: tuple[int, ...]) -> tuple[list[float], float]:
        """Return theta, strictly inside the cone, with the largest margin on the rows of some records."""
        rows = [self._unit(self.twin.row(i, j)) for i in chosen for j in self.twin.rivals(i)]
        n = len(self.cone.normal)
        constraints = np.array([*rows, *self._unit_cuts()]).reshape(-1, n)
        a = np.column_stack([-constraints, np.ones(len(constraints))])
        box = [(-1.0, 1.0)] * n + [(None, 1.0)]
        found = linprog([0.0] * n + [-1.0], A_ub=a, b_ub=np.zeros(len(a)), bounds=box)
        assert found.success
        assert found.x is not None
        return [float(value) for value in found.x[:n]], float(found.x[n])

    def _core(self, chosen: tuple[int, ...]) -> dict[str, Any]:
        """Return multipliers, of sum 1, that make rows, inequalities and normal vanish."""
        pairs = [(i, j) for i in chosen for j in self.twin.rivals(i)]
        vectors = [[float(x) for x in self.twin.row(i, j)] for i, j in pairs]
        has_normal = any(self.cone.normal)
        columns = np.array([*vectors, *self.cone.rows, *([self.cone.normal] if has_normal else [])])
        ones = np.array([1.0] * len(pairs) + [0.0] * (len(columns) - len(pairs)))
        cost = np.zeros(len(columns))
        cost[-1] = -1.0 if has_normal else 0.0
        found = linprog(cost, A_eq=np.vstack([columns.T, ones]), b_eq=[*[0.0] * columns.shape[1], 1.0])
        if not found.success or found.x is None:
            self.is_clear = False
            return {"rows": [], "cuts": [], "slack": 0.0}
        kept = np.where(found.x > 1e-12, found.x, 0.0)
        self.is_clear &= bool(np.abs(columns.T @ kept).max() < VANISHING)  # the solver's own tolerance is far larger
        m = self._exact_where_needed(columns, kept.tolist(), pairs)
        cuts = m[len(pairs) : len(pairs) + len(self.cone.rows)]
        return {
            "rows": [[i, j, value] for (i, j), value in zip(pairs, m, strict=False) if value],
            "cuts": [[c, value] for c, value in enumerate(cuts) if value and self.cone.labels[c]],
            "slack": m[-1] if has_normal else 0.0,
        }

    def _exact_where_needed(
        self, columns: FloatArray, multipliers: list[float], pairs: Sequence[tuple[int, int]]
    ) -> list[float] | list[int]:
        """Return whole multipliers where rounded ones show nothing: as few vectors as entries depend by a rule alone.

        Differences of records to each other in a circle are such vectors (three records, three attributes).
        """
        used = [c for c, m in enumerate(multipliers) if m]
        if len(used) > columns.shape[1] or max(used) >= len(pairs):
            return multipliers
        null = null_vector([self.twin.row(*pairs[c]) for c in used])
        self.is_clear &= null is not None and min(null) > 0
        exact = dict(zip(used, null or [0] * len(used), strict=True))
        return [exact.get(c, 0) for c in range(len(multipliers))]

    def proof(self) -> dict[str, Any]:
        """Return a proof whose tree decides on every record until a core is linked whole."""
        tree = full_tree(self.members, self.twin.people)
        return {"kind": "cover", "cores": self.cores, "cuts": self._labels(), "tree": tree}

    def dual_proof(self) -> dict[str, Any]:
        """Return a proof of a single leaf: multipliers of the linear relaxation, as good as that is."""
        people = self.twin.people
        a = np.array([[float(i in members) for i in people] for members in self.members]).reshape(-1, len(people))
        worths = [float(self.twin.worth(i)) for i in people]
        y = linprog([-1.0] * len(a), A_ub=a.T, b_ub=worths).x if len(a) else None
        leaf = {"cores": list(range(len(a))), "multipliers": [] if y is None else np.maximum(y, 0.0).tolist()}
        return {"kind": "cover", "cores": self.cores, "cuts": self._labels(), "tree": [leaf]}

    def _labels(self) -> list[dict[str, Any]]:
        """Inequalities by their place; those that need no label are never used."""
        return [label for label in self.cone.labels if label is not None]

    def _unit(self, row: Iterable[Fraction | float]) -> list[float]:
        values = [float(x) for x in row]
        largest = max(*map(abs, values), 1e-300)
        return [value / largest for value in values]

    def _unit_cuts(self) -> list[list[float]]:
        return [self._unit(row) for row in self.cone.rows if any(row)]


def null_vector(rows: Sequence[Sequence[Fraction]]) -> list[int] | None:
    """Return whole numbers, not all 0, with which the rows sum to 0, if these are unique but for a factor.

    >>> null_vector([[Fraction(2), Fraction(-4)], [Fraction(-3), Fraction(6)]])
    [3, 2]
    >>> null_vector([[Fraction(2), Fraction(0)], [Fraction(0), Fraction(6)]])
    """
    left = [[*row, *(Fraction(int(k == m)) for k in range(len(rows)))] for m, row in enumerate(rows)]
    done = 0
    for place in range(len(rows[0])):
        pivot = next((k for k in range(done, len(left)) if left[k][place]), None)
        if pivot is None:
            continue
        left[done], left[pivot] = left[pivot], left[done]
        for k in range(done + 1, len(left)):
            factor = left[k][place] / left[done][place]
            left[k] = [a - factor * b for a, b in zip(left[k], left[done], strict=True)]
        done += 1
    if done != len(rows) - 1:
        return None
    combination = left[-1][len(rows[0]) :]
    sign = 1 if next(value for value in combination if value) > 0 else -1
    unit = sign * math.lcm(*(value.denominator for value in combination))
    return [int(value * unit) for value in combination]


def full_tree(cores: Sequence[frozenset[int]], people: Sequence[int]) -> list[dict[str, Any]]:
    """Return a tree that decides on every record until a core is linked whole."""
    tree: list[dict[str, Any]] = []

    def grow(kept: tuple[int, ...], left: Sequence[int]) -> int:
        place = len(tree)
        tree.append({"cores": [], "multipliers": []})
        whole = [c for c, members in enumerate(cores) if members.issubset(kept)]
        if whole:
            tree[place] = {"core": whole[0]}
        elif left:
            keep = grow((*kept, left[0]), left[1:])
            tree[place] = {"record": left[0], "keep": keep, "give": grow(kept, left[1:])}
        return place

    grow((), people)
    return tree

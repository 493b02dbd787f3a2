"""Choquet integrals over all monotone fuzzy measures, or over those that are submodular too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.verifier.certificate.fields import as_list, as_whole, check_keys, entry
from linkrisk.verifier.exact.rationals import LEAST, ROUNDING, TINY, Row, nearest_floats
from linkrisk.verifier.families.closure import has_no_positive_closure
from linkrisk.verifier.verification import Rejection


class Measures:
    """theta is mu of every subset except the empty one: with A as a bit mask, mu(A) is at place A - 1."""

    is_signed: ClassVar[bool] = False
    is_nonnegative: ClassVar[bool] = False
    least_tolerance: ClassVar[float] = 2.0**-40

    def __init__(self, n_attributes: int, *, is_metric: bool) -> None:
        self.n_attributes = n_attributes
        self.n_parameters = (1 << n_attributes) - 1
        self.is_metric = is_metric

    def features(self, differences: Sequence[int]) -> Row:
        """Return the increments of the sorted differences, each at the set of attributes that reach it."""
        order = sorted(range(self.n_attributes), key=lambda k: differences[k])
        phi: Row = {}
        remaining, previous = self.n_parameters, 0
        for k in order:
            if differences[k] > previous:
                phi[remaining - 1] = differences[k] - previous
            previous = differences[k]
            remaining -= 1 << k
        return phi

    def distances(self, theta: FloatArray, differences: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the integrals; they are monotone and homogeneous in the differences, so that errors are relative."""
        order = np.argsort(differences, axis=1, kind="stable")
        ascending = np.take_along_axis(differences, order, axis=1)
        passed = np.cumsum(np.left_shift(1, order), axis=1)
        reached = self.n_parameters - np.concatenate([np.zeros_like(passed[:, :1]), passed[:, :-1]], axis=1)
        with np.errstate(all="ignore"):
            increments = np.diff(ascending, axis=1, prepend=0.0)
            values = (increments * theta[reached - 1]).sum(axis=1)
            error = (2 * self.n_attributes + 16) * ROUNDING * values + TINY * (1.0 + self.n_attributes * theta[-1])
            error += 2.0 * LEAST * ascending[:, -1]
        return np.asarray(values), np.asarray(error)

    def check_parameters(self, theta: Sequence[int]) -> None:
        """Raise unless theta is a monotone measure; for a metric also submodular and positive on every attribute.

        Rounding keeps order: only what is equal as floats is compared again, in whole numbers.
        """
        if theta[-1] <= 0:
            raise Rejection(
                "The parameters are not admissible: the measure of the set of all attributes is not positive"
            )
        exact = [0, *theta]
        measure = nearest_floats(exact)
        for k in range(self.n_attributes):
            without, with_k = _by_attribute(np.arange(measure.size), k)
            in_doubt = without[measure[with_k] <= measure[without]].tolist()
            if any(exact[mask | 1 << k] < exact[mask] for mask in in_doubt):
                raise Rejection("The parameters are not admissible: the measure is not monotone")
        if self.is_metric:
            if any(exact[1 << k] <= 0 for k in range(self.n_attributes)):
                raise Rejection("The parameters are not admissible: the measure of a single attribute is not positive")
            self._check_submodular(exact, measure)

    def _check_submodular(self, exact: Sequence[int], measure: FloatArray) -> None:
        masks = np.arange(measure.size)
        for k, m in combinations(range(self.n_attributes), 2):
            rest = masks[masks & (1 << k | 1 << m) == 0]
            sides = [measure[rest | 1 << k], measure[rest | 1 << m], measure[rest | 1 << k | 1 << m], measure[rest]]
            gain = sides[0] + sides[1] - sides[2] - sides[3]
            for mask in rest[~(gain > 16 * ROUNDING * sum(sides) + 16 * LEAST)].tolist():
                first, second = mask | 1 << k, mask | 1 << m
                if exact[first] + exact[second] < exact[first | second] + exact[mask]:
                    raise Rejection("The parameters are not admissible: the measure is not submodular")

    def is_polar(self, row: Row) -> bool:
        """Tell whether row . mu <= 0 for all monotone measures, and so for all submodular ones among them."""
        return has_no_positive_closure({place + 1: value for place, value in row.items()}, self.n_attributes)

    def cut(self, label: Mapping[str, Any]) -> Row:
        """Return mu(A + k) - mu(A), or mu(A + k) + mu(A + l) - mu(A + k + l) - mu(A)."""
        base, added = read_gain(label, self.n_attributes)
        if len(added) == 1:
            signs = {base | 1 << added[0]: 1, base: -1}
        elif self.is_metric:
            first, second = 1 << added[0], 1 << added[1]
            signs = {base | first: 1, base | second: 1, base | first | second: -1, base: -1}
        else:
            raise Rejection("The proof uses submodularity, which the measures of this attacker need not have")
        return {mask - 1: sign for mask, sign in signs.items() if mask}

    @property
    def normal(self) -> Row:
        """Return the row whose product with theta is mu(all)."""
        return {self.n_parameters - 1: 1}

    def bound(self, place: int) -> int:
        """Return 1, because no set has a larger measure than the set of all attributes."""
        del place
        return 1


def read_gain(label: Mapping[str, Any], n_attributes: int) -> tuple[int, list[int]]:
    """Return the set of an inequality on gains, and the one or two attributes outside it."""
    where = "An inequality of the proof"
    check_keys(label, ("set", "attributes"), where)
    base = as_whole(entry(label, "set", where), "The set of an inequality", below=1 << n_attributes)
    added = [
        as_whole(k, "An attribute of an inequality", below=n_attributes)
        for k in as_list(entry(label, "attributes", where), "The attributes of an inequality")
    ]
    if not 1 <= len(set(added)) == len(added) <= 2 or any(base >> k & 1 for k in added):
        raise Rejection("An inequality of the proof does not name one or two attributes outside its set")
    return base, added


def _by_attribute(masks: IntArray, k: int) -> tuple[IntArray, IntArray]:
    """Return all sets without attribute k, and the same sets with it."""
    blocks = masks.reshape(-1, 2, 1 << k)
    return blocks[:, 0, :].ravel(), blocks[:, 1, :].ravel()

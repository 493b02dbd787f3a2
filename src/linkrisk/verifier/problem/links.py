"""Counting links: in floating point with a bound on the error, and exactly where this leaves a pair in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress
from linkrisk.verifier.exact.rationals import ROUNDING, Number, nearest_floats, product, wholes
from linkrisk.verifier.problem.instance import Instance
from linkrisk.verifier.verification import Rejection


def count_links(instance: Instance, theta: Sequence[Number], progress: Progress) -> Fraction:
    """Return the total worth of the records that theta links; raise `Rejection` where theta is not admissible.

    *Guarantee* (docs/mathematics.md#exact-signs): every sign is decided exactly.
    """
    if len(theta) != instance.family.n_parameters:
        raise Rejection(f"The certificate does not have {instance.family.n_parameters} parameters, as the attacker has")
    exact = wholes(theta)[0]
    instance.family.check_parameters(exact)
    counter = _Counter(instance, exact)
    total = Fraction(0)
    for i in range(instance.n_original):
        interrupt.check()
        progress(i, instance.n_original)
        distances, errors = counter.distances(i)
        if instance.family.is_nonnegative:
            counter.check_not_negative(i, distances, errors)
        if instance.own[i] >= 0 and counter.is_linked(i, distances, errors):
            total += instance.worth(i)
    return total


class _Counter:
    """Counts the links of one theta: of whole numbers, and of the floats next to these, up to a common factor."""

    def __init__(self, instance: Instance, exact: Sequence[int]) -> None:
        self.instance = instance
        self.exact = exact
        self.theta = nearest_floats(exact)

    def distances(self, i: int) -> tuple[FloatArray, FloatArray]:
        """Return the distances of record i to all protected ones, with bounds on their errors."""
        return self.instance.family.distances(self.theta, self.instance.differences.floats(i))

    def is_linked(self, i: int, distances: FloatArray, errors: FloatArray) -> bool:
        """Tell whether theta . v(i, j) is positive for every j that counts."""
        own, near = self.instance.own[i], 1.0 - self.instance.tolerance
        with np.errstate(all="ignore"):
            margin = near * distances - distances[own]
            error = errors + errors[own] + 8.0 * ROUNDING * (np.abs(distances) + abs(distances[own]))
        counting = self.instance.counting(i)
        if (counting & (margin < -error)).any():
            return False
        in_doubt = np.flatnonzero(counting & ~(margin > error)).tolist()
        return all(product(self.exact, self.instance.row(i, j)) > 0 for j in in_doubt)

    def check_not_negative(self, i: int, distances: FloatArray, errors: FloatArray) -> None:
        """Raise where a distance of record i is negative."""
        for j in np.flatnonzero(~(distances > errors)).tolist():
            if distances[j] < -errors[j] or product(self.exact, self.instance.features(i, j)) < 0:
                raise Rejection("The parameters are not admissible: a distance on the two files is negative")

"""Counting what parameters link, exactly, at points near those that an engine found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.distances.distance import Distance
from linkrisk.learning.cover.feasibility import Feasibility
from linkrisk.learning.cover.search import CLEAR
from linkrisk.learning.problem.problem import Problem
from linkrisk.learning.proof.margins import ExactTheta, Margins
from linkrisk.learning.search import Clock
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import Ties

BITS_INSIDE = range(10, 45)
"""Parameters are moved inside by one over two to one of these powers of the way: the first that keeps the links."""


@dataclass(frozen=True)
class Counted:
    """What some parameters link, exactly: which records of the problem, and what they are worth, in its units.

    ``wholes`` are the parameters without rounding, where floats are not all there is to them. ``linkage`` is that of
    the distance, where it was needed to count.
    """

    theta: FloatArray
    wholes: tuple[int, ...] | None
    distance: Distance
    linkage: Linkage | None
    linked: BoolArray
    links: int | Fraction


class Counter:
    """Counts the links of parameters of a problem."""

    def __init__(self, problem: Problem, feasibility: Feasibility, margins: Margins, threads: int | None) -> None:
        self.problem = problem
        self.family = problem.family.unrepaired()
        self.feasibility = feasibility
        self.margins = margins
        self.threads = threads
        self.everybody = np.ones(len(problem.records), dtype=bool)
        self._last_central: tuple[FloatArray, list[FloatArray]] | None = None

    def most_central(self, theta: FloatArray, wanted: int, clock: Clock) -> Counted:
        """Move theta to where its links have a large margin, and off the border of the admissible set.

        On the border, rows that presolve has left out may be ties: they hold only inside. The first point is taken
        that makes, exactly, as many links as wanted; if none does, the point that makes most. Points that rounding has
        put outside do not count; the interior of the set is never outside. Where there was no time to look at the rows,
        theta is counted as it is.

        *Guarantee* (docs/mathematics.md#central): the links returned are those counted at the point returned.
        """
        return self._first_best(self._points_near(theta, clock), self.count, wanted)

    def most_central_repaired(self, theta: FloatArray, wanted: int, clock: Clock) -> Counted:
        """Do the same with parameters that are repaired before they are counted."""
        return self._first_best(self._points_near(theta, clock), self.count_repaired, wanted)

    def count(self, theta: FloatArray) -> Counted | None:
        """Tell which records parameters link, exactly, as they are reported; None if they are not admissible."""
        point = self.family.normalised(theta)
        exact = ExactTheta.of(point)
        if not self.is_admissible(exact):
            return None
        distance = self._distance(theta)
        linkage = self._linkage_to_count(distance)
        linked = self.margins.linked(exact, linkage)
        return Counted(point, None, distance, linkage, linked, self._worth(linked, linkage))

    def count_carefully(self, theta: FloatArray) -> BoolArray:
        """Tell exactly which records parameters link, a step inside their set."""
        point = self.inner(theta, self.linked(theta))
        exact = ExactTheta.of(self.family.normalised(point))
        if not self.is_admissible(exact):
            return np.zeros(len(self.problem.records), dtype=bool)
        return self.margins.linked(exact)

    def count_exact(self, wholes: tuple[int, ...]) -> Counted:
        """Return what parameters without rounding link; distance and linkage are those of floats near them."""
        theta = ExactTheta(wholes)
        linked = self.margins.linked(theta)
        return Counted(theta.floats, wholes, self._distance(theta.floats), None, linked, self._worth(linked))

    def count_wholes(self, wholes: tuple[int, ...]) -> Counted | None:
        """Tell which records parameters without rounding link; None if they are not admissible."""
        return self.count_exact(wholes) if self.is_admissible(ExactTheta(wholes)) else None

    def linkage(self, counted: Counted) -> Linkage:
        """Return the linkage of what was counted."""
        return counted.linkage or nearest(counted.distance, threads=self.threads)

    def among_all(self, linked: BoolArray) -> BoolArray:
        """Tell of all original records which are linked: none that presolve has put aside is."""
        result = np.zeros(len(self.problem.comparison.coordinates.original), dtype=bool)
        result[self.problem.records[linked]] = True
        return result

    def count_repaired(self, theta: FloatArray) -> Counted:
        """Tell which records parameters link once they are repaired; ties are not exact any more."""
        family = self.problem.family
        point = family.normalised(family.repaired(theta))
        exact = ExactTheta(family.repaired_wholes(point))
        distance = family.distance(theta, self.problem.comparison)
        linkage = self._linkage_to_count(distance)
        margins = Margins(replace(self.problem, tolerance=distance.tolerance))
        linked = margins.linked(exact, linkage)
        return Counted(point, exact.wholes, distance, linkage, linked, self._worth(linked, linkage))

    def linked(self, theta: FloatArray) -> BoolArray:
        """Tell which records parameters link beyond rounding, by the rows that presolve has left."""
        if self.problem.family.is_nonnegative and len(self.problem.source.negative(theta, 1)[0]):
            return np.zeros(len(self.problem.records), dtype=bool)
        return np.asarray(self.feasibility.scan(theta, self.everybody) > CLEAR * float(np.abs(theta).max()))

    def inner(self, theta: FloatArray, linked: BoolArray) -> FloatArray:
        """Move theta towards the interior by a thousandth of the way, or less where its links do not allow that."""
        interior = self.problem.parameters.interior
        scale = float(np.abs(theta).max()) / float(np.abs(interior).max())
        for power in BITS_INSIDE:
            share = 2.0**-power
            point = np.asarray((1.0 - share) * theta + share * scale * interior)
            if self.linked(point)[linked].all():
                return point
        return theta

    def is_admissible(self, theta: ExactTheta) -> bool:
        """Whether parameters are in their set, exactly, and make no negative distance where that is forbidden."""
        if not any(theta.wholes):
            return False
        if self.problem.parameters.violated(theta.wholes):
            return False
        return not self.problem.family.is_nonnegative or self.margins.negative_pair(theta) is None

    def _first_best(
        self, points: Iterable[FloatArray], count: Callable[[FloatArray], Counted | None], wanted: int
    ) -> Counted:
        """Return the first point that makes the links wanted, or the one that makes most."""
        best: Counted | None = None
        for point in points:
            found = count(point)
            if found is None:
                continue
            if best is None or found.links > best.links:
                best = found
            if found.links >= wanted:
                break
        if best is None:
            raise AssertionError("there is always a point")
        return best

    def _points_near(self, theta: FloatArray, clock: Clock) -> Iterator[FloatArray]:
        """Yield points to be counted: in the middle of what links the same records, a step inside, and as it is."""
        if self.problem.n_unseen:
            yield theta
            return
        linked = self.linked(theta)
        yield from self._central(theta, linked, clock)
        yield self.inner(theta, linked)
        yield theta
        yield self.problem.parameters.interior

    def _central(self, theta: FloatArray, linked: BoolArray, clock: Clock) -> list[FloatArray]:
        """Return the point in the middle of what links these records, a step inside, if it is found; once for each."""
        if self._last_central is None or self._last_central[0] is not theta:
            central = self.feasibility.link(linked, clock) if linked.any() else None
            self._last_central = theta, [] if central is None else [self.inner(central, linked)]
        return self._last_central[1]

    def _linkage_to_count(self, distance: Distance) -> Linkage | None:
        """Return a linkage where it spares work: not for forms, which are counted without."""
        return None if self.family.is_signed else nearest(distance, threads=self.threads)

    def _distance(self, theta: FloatArray) -> Distance:
        distance = self.family.distance(theta, self.problem.comparison)
        return replace(distance, tolerance=self.problem.tolerance, is_nonnegative=False)

    def _worth(self, linked: BoolArray, linkage: Linkage | None = None) -> int | Fraction:
        """Return the worth of links in units; twins of records that were not looked at are counted now.

        A linkage at these parameters has counted them for the records that it links itself.
        """
        links: int | Fraction = self.problem.worths.sum(linked)
        if self.problem.ties is Ties.EXPECTED and self.problem.n_unseen:
            is_counted = None if linkage is None else linkage.is_linked(Ties.CLASS)
            first = len(linked) - self.problem.n_unseen
            for place in (first + np.flatnonzero(linked[first:])).tolist():
                i = int(self.problem.records[place])
                if linkage is not None and is_counted is not None and is_counted[i]:
                    n_twins = 1 + int(linkage.twins[i])
                else:
                    pairs = self.problem.pairs
                    n_twins = pairs.twins(pairs.differences(i), i)
                links -= Fraction(self.problem.worths.wholes[place] * (n_twins - 1), n_twins)
        return links

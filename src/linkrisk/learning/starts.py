"""Starts: what was found before on the same people, as parameters of the family that is to be learned.

*Guarantee* (docs/mathematics.md#never-weaker): what is learned links no less than a start of its family does, counted
by the same rule, however soon the search was stopped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.family import Family, embedded_parameters, is_same_family
from linkrisk.distances.formula import Formula, make_formula
from linkrisk.distances.mahalanobis import mahalanobis_distance
from linkrisk.distances.standardised import standardised_distance
from linkrisk.engine import interrupt
from linkrisk.errors import NotApplicableError, ParameterError
from linkrisk.learning.counting import Counted, Counter
from linkrisk.learning.problem.problem import Problem

SHARES_INSIDE = (2.0**-80, 2.0**-60, 2.0**-48, 2.0**-40, 2.0**-30, 2.0**-20)
"""Shares of the way by which a start on the border, which does not count, is moved inside its set."""


@dataclass(frozen=True, eq=False, repr=False)
class Start:
    """A distance that was found before on a comparison of the same people, and the links that it made there.

    ``links`` are infinite where they are not known: the distance was found on another release of the same file.
    ``formula`` is None where it is made of other numbers than the differences of attributes. Where it was learned,
    ``theta`` are its parameters in ``family``.
    """

    formula: Formula | None
    comparison: Comparison
    links: float
    family: Family | None = None
    theta: FloatArray | None = None

    def parameters(self, family: Family, comparison: Comparison) -> FloatArray | None:
        """Return parameters of a family that make the same distance on a comparison; None where there are none."""
        is_here = self.comparison.scale is comparison.scale
        if is_here and self.theta is not None and self.family is not None:
            theta = _embedded_theta(family, self.family, self.theta)
            if theta is not None and len(theta) == family.parameter_set(comparison.n_attributes).n_parameters:
                return theta
        formula = self._on(comparison)
        return None if formula is None else embedded_parameters(family, formula, comparison.names)

    def wholes(self, family: Family, comparison: Comparison) -> tuple[int, ...] | None:
        """Return the same without rounding, where floats cannot hold it; None otherwise."""
        formula = self._on(comparison)
        return None if formula is None else family.wholes_of(formula, comparison.names)

    def _on(self, comparison: Comparison) -> Formula | None:
        return None if self.formula is None else self.formula.on(self.comparison, comparison)


@dataclass(frozen=True, eq=False, repr=False)
class StartingPoint:
    """Parameters to start from, and the links that are expected of them."""

    theta: FloatArray
    wholes: tuple[int, ...] | None
    links: float


def starting_points(problem: Problem, starts: Sequence[Start]) -> list[StartingPoint]:
    """Return the starts that lie in the family of a problem, those with most links first, each only once.

    Distances that are fitted without any search come last: whoever else attacks, they are never missing.
    """
    found = sorted(_points(problem, starts), key=lambda point: -point.links)
    fitted = fitted_starts(problem.comparison, is_signed=problem.family.is_signed)
    return list(_different([*found, *_points(problem, [start for start, _ in fitted])]))


def best_start(points: Iterable[StartingPoint], counter: Counter, *, is_stopped: bool = False) -> Counted | None:
    """Return what the best start links, exactly; only those are counted that may be better than the best so far.

    Where the run is stopped, now or before, those of which no links are known are left out once there is one.
    """
    best: Counted | None = None
    for point in points:
        if best is not None:
            is_hurried = is_stopped or interrupt.is_pending()
            if _is_enough(best, point, counter) or (is_hurried and math.isinf(point.links)):
                continue
        found = _count(point, counter)
        if found is not None and (best is None or found.links > best.links):
            best = found
    return best


def _different(points: Iterable[StartingPoint]) -> Iterator[StartingPoint]:
    """Yield points without those whose parameters were there before."""
    seen: set[tuple[bytes, tuple[int, ...] | None]] = set()
    for point in points:
        key = point.theta.tobytes(), point.wholes
        if key not in seen:
            seen.add(key)
            yield point


def _points(problem: Problem, starts: Iterable[Start]) -> Iterator[StartingPoint]:
    family, comparison = problem.family.unrepaired(), problem.comparison
    for start in starts:
        theta = start.parameters(family, comparison)
        if theta is not None and np.isfinite(theta).all() and theta.any():
            yield StartingPoint(theta, start.wholes(family, comparison), start.links)


def fitted_starts(comparison: Comparison, *, is_signed: bool) -> Iterator[tuple[Start, Distance]]:
    """Yield the distances that are fitted to the true pairs at once, in a moment, also as starts; more for forms."""
    makers = [standardised_distance, *([mahalanobis_distance] if is_signed else [])]
    for make in makers:
        try:
            distance = make(comparison)
            yield Start(make_formula(distance, comparison), comparison, math.inf), distance
        except NotApplicableError:
            continue  # too few true pairs


def _count(point: StartingPoint, counter: Counter) -> Counted | None:
    """Count a start as it is; where floats are not enough also without rounding, and on the border next to it."""
    best: Counted | None = None
    for ways in (_at(point, counter), _inside(point, counter)):
        for found in ways:
            if found is not None and (best is None or found.links > best.links):
                best = found
            if best is not None and (math.isinf(point.links) or _is_enough(best, point, counter)):
                return best
        if best is not None:
            break
    return best


def _is_enough(found: Counted, point: StartingPoint, counter: Counter) -> bool:
    return counter.problem.worths.value(found.links) >= point.links


def _at(point: StartingPoint, counter: Counter) -> Iterator[Counted | None]:
    """Yield counts of a start: as floats, without rounding, and moved just as far as rounding had left the set."""
    yield _counted(point.theta, counter)
    if point.wholes is not None:
        yield counter.count_wholes(point.wholes)
    inside = counter.problem.parameters.inside(point.theta)
    if (inside != point.theta).any():
        yield _counted(inside, counter)


def _inside(point: StartingPoint, counter: Counter) -> Iterator[Counted | None]:
    """Yield counts of points ever farther inside: a border may not belong to the family."""
    parameters = counter.problem.parameters
    theta, interior = parameters.inside(point.theta), parameters.interior
    size = float(np.abs(theta).max()) / float(np.abs(interior).max())
    for share in SHARES_INSIDE:
        yield _counted(np.asarray((1.0 - share) * theta + share * size * interior), counter)


def _counted(theta: FloatArray, counter: Counter) -> Counted | None:
    """Return what parameters link, exactly; None where they are not admissible or make no distance."""
    try:
        return counter.count(theta)
    except ParameterError:  # some families leave out the border of their set
        return None


def _embedded_theta(family: Family, other: Family, theta: FloatArray) -> FloatArray | None:
    """Return parameters of another family as those of this one, by way of the weaker families that it knows."""
    if is_same_family(family, other):
        return theta
    for weaker, embedding in family.weaker():
        found = _embedded_theta(weaker, other, theta)
        if found is not None:
            return embedding(found)
    return None

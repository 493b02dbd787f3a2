"""A distance ready to be evaluated: a rule, its parameters and the numbers it works on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Self

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences import twins
from linkrisk.differences.coordinates import Coordinates
from linkrisk.distances.volume import Volume, make_volume

TOLERANCE = twins.TOLERANCE
"""Distances closer than this, relatively, are tied. One record is nearer than another only if
(1 - TOLERANCE) times the other's distance exceeds its own; scaling leaves equal differences unequal in the last
bits, and without a tolerance those ties would be counted as links."""


class Rule(IntEnum):
    """How differences are aggregated; see the function of the same name in `linkrisk.distances.kernels`.

    ``AGREEMENT`` looks levels of agreement up in a table (`linkrisk.distances.probabilistic`), by kernels of its own.
    """

    WEIGHTED = 0
    ORDERED = 1
    CHOQUET = 2
    MOBIUS = 3
    KERNEL = 4
    QUADRATIC = 5
    AGREEMENT = 6


@dataclass(frozen=True)
class Distance:
    """What `linkrisk.linkage` needs to find the nearest records, whoever the attacker is.

    ``coordinates`` are what the rule works on; where an attacker has transformed them, ``compared`` are the
    differences he started from, by which twins are told; ``root``, where it is given, is the matrix by which vectors
    were multiplied, so that the distance is a form (`linkrisk.distances.formula`). ``theta`` are the parameters as the
    rule's kernel reads them; ``importance`` says how much each coordinate weighs (only the shape of the search tree
    depends on it). No distance is below ``floor`` times the sum of the differences: a quick test for candidates out of
    reach.
    ``tolerance`` is relative. With ``is_nonnegative`` a negative distance met while linking is an error.
    ``parameters`` and ``notes`` are for readers.
    """

    rule: Rule
    theta: FloatArray
    coordinates: Coordinates
    importance: FloatArray
    compared: Coordinates | None = None
    root: FloatArray | None = None
    subsets: IntArray = field(default_factory=lambda: np.zeros((0, 1), dtype=np.int64))
    floor: float = 0.0
    tolerance: float = TOLERANCE
    is_nonnegative: bool = False
    parameters: dict[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def attributes_compared(self) -> Coordinates:
        """The coordinates by which twins are told: one per attribute, not transformed."""
        return self.coordinates if self.compared is None else self.compared

    @property
    def is_monotone(self) -> bool:
        """Whether nearest records can be found through a tree (not with indefinite forms or levels of agreement)."""
        return self.rule not in {Rule.QUADRATIC, Rule.AGREEMENT}

    @property
    def temperature(self) -> float | None:
        """Number by which a distance is to be divided to be minus the log of a likelihood; None: to be estimated."""
        return None

    def volume(self) -> Volume:
        """Return what makes a likelihood of exp(-distance / temperature): its sum over all records there can be.

        Exact for sums of weighted differences. Other rules count as if all coordinates weighed the same: where all are
        numbers they scale with the temperature as sums do, and for categories that is a guess.
        """
        n_attributes = self.coordinates.n_attributes
        is_sum = self.rule is Rule.WEIGHTED
        return make_volume(self.coordinates, self.theta if is_sum else np.full(n_attributes, 1.0 / n_attributes))

    def without_rivals(self, measured: FloatArray, original: IntArray, protected: IntArray) -> FloatArray:  # noqa: ARG002
        """Return distances of pairs as such, without what others who compete for a record make of them."""
        return measured

    def exchanged(self) -> Self:
        """Return the same distance with the two files exchanged (all rules are symmetric in them)."""
        return replace(self, coordinates=self.coordinates.exchanged())

    def with_candidates(self, rows: IntArray) -> Self:
        """Return the same distance with these protected records alone, in this order; who belongs to whom is lost."""
        kept = np.ascontiguousarray(self.coordinates.protected[rows])
        return replace(self, coordinates=replace(self.coordinates, protected=kept))

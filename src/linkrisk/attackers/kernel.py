"""Products of attributes compared (KDBRL)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkrisk.attackers.attacker import Attacker
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.polynomial import check_degree, polynomial_distance


@dataclass(eq=False)
class Kernel(Attacker):
    """The intruder who compares products of attributes (KDBRL).

    distance = K(a,a) - 2 K(a,b) + K(b,b) with K(a,b) = (1 + a.b)^degree on scaled values, which gives more weight to
    outlying records; degree 1 orders like `Mean`. Numeric and date attributes only.

    Ties: relative tolerance 2^-40; for records near each other the distance is computed without subtracting nearly
    equal numbers (nearly opposite ones lose digits: 2^-44 is left at degree 8). Missing values: filled with the mean of
    their file. Cost: n + degree^2 operations per pair. Reference: torra2010-owa.txt, section 2.

    >>> Kernel().degree
    2
    """

    degree: int = 2
    name: ClassVar[str] = "kernel"
    knows: ClassVar[str] = "He compares products of attributes, which gives more say to outlying records."
    is_start: ClassVar[bool] = False

    def check_parameters(self) -> None:
        """Raise unless the degree is a whole number from 1 to 8."""
        check_degree(self.degree)

    def distance(self, comparison: Comparison) -> Distance:
        """Return the distance in the space of products."""
        self.check_parameters()
        return polynomial_distance(comparison, int(self.degree))

"""The kernel distance: Euclidean among all products of up to ``degree`` attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from linkrisk.differences.comparison import Comparison
from linkrisk.differences.coordinates import numeric_coordinates
from linkrisk.distances.attacker import is_whole_number
from linkrisk.distances.distance import Distance, Rule
from linkrisk.distances.forms import vectors_for
from linkrisk.errors import ParameterError

MAX_DEGREE = 8
"""Beyond, nearly opposite vectors cost more digits than the tolerance for ties allows."""


@dataclass(frozen=True)
class Kernel:
    """The intruder who compares products of attributes (KDBRL).

    distance = K(a,a) - 2 K(a,b) + K(b,b) with K(a,b) = (1 + a.b)^degree on scaled values, which gives more say
    to outlying records; degree 1 orders like `Mean`. Numeric and date attributes only; a missing value is filled
    with the mean of its file. Ties: relative tolerance 2^-40; for records near each other the distance is computed
    without subtracting nearly equal numbers (nearly opposite ones lose digits: 2^-44 is left at degree 8).
    Cost: n + degree^2 operations a pair. Reference: torra2010-owa.txt, section 2.

    >>> Kernel().degree
    2
    """

    degree: int = 2
    name: ClassVar[str] = "kernel"
    has_true_pairs: ClassVar[bool] = False

    def distance(self, comparison: Comparison) -> Distance:
        """Return the distance in the space of products."""
        if not is_whole_number(self.degree) or not 1 <= self.degree <= MAX_DEGREE:
            raise ParameterError(f"{self.name}: degree must be a whole number from 1 to {MAX_DEGREE}")
        numeric, original, protected, notes = vectors_for(comparison, self.name)
        return Distance(
            Rule.KERNEL,
            np.array([float(self.degree)]),
            numeric_coordinates(original, protected, numeric.coordinates.own),
            importance=np.ones(numeric.n_attributes),
            compared=numeric.coordinates,
            parameters={"degree": int(self.degree)},
            notes=notes,
        )

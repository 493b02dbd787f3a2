"""The kernel distance: Euclidean among all products of up to ``degree`` attributes."""

from __future__ import annotations

import numpy as np

from linkrisk.differences.comparison import Comparison
from linkrisk.differences.coordinates import numeric_coordinates
from linkrisk.distances.distance import Distance, Rule
from linkrisk.distances.forms import vectors_for
from linkrisk.distances.parameters import is_whole_number
from linkrisk.errors import ParameterError

MAX_DEGREE = 8
"""With a larger degree, nearly opposite vectors lose more digits than the tolerance for ties allows."""


NAME = "kernel"
"""The attacker whose distance this is, for notes."""


def check_degree(degree: object) -> None:
    """Raise unless a degree is a whole number from 1 to 8."""
    if not is_whole_number(degree) or not 1 <= degree <= MAX_DEGREE:
        raise ParameterError(f"{NAME}: degree must be a whole number from 1 to {MAX_DEGREE}")


def polynomial_distance(comparison: Comparison, degree: int) -> Distance:
    """Return K(a,a) - 2 K(a,b) + K(b,b) with K(a,b) = (1 + a.b)^degree, on numbers and dates."""
    numeric, original, protected, notes = vectors_for(comparison, NAME)
    return Distance(
        Rule.KERNEL,
        np.array([float(degree)]),
        numeric_coordinates(original, protected, numeric.coordinates.own),
        importance=np.ones(numeric.n_attributes),
        compared=numeric.coordinates,
        root=np.eye(numeric.n_attributes) if degree == 1 else None,
        parameters={"degree": degree},
        notes=notes,
    )

"""What a link of each original record counts, as given by a user."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.errors import ParameterError


def checked_weights(weights: Any, own: IntArray, who: str) -> FloatArray:
    """Return one finite weight of 0 or more for each original record, not 0 for all that have a counterpart.

    ``own`` is the protected record of each original one (-1: none); ``who`` begins the message where that fails.

    >>> checked_weights([1, 0], np.array([0, 1]), "owa").tolist()
    [1.0, 0.0]
    """
    try:
        values = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"{who}: record weights must be numbers, one for each original record") from None
    if values.shape != own.shape:
        raise ParameterError(f"{who}: record weights must have one entry for each of the {len(own)} original records")
    wrong = ~(np.isfinite(values) & (values >= 0.0))
    if wrong.any():
        raise ParameterError(
            f"{who}: the record weights hold no finite number of 0 or more for record {int(wrong.argmax()) + 1}; "
            "correct it"
        )
    if not values[own >= 0].any():
        raise ParameterError(
            f"{who}: the weights of all records that have a counterpart are 0, so that no link counts; give some of "
            "them a weight"
        )
    return values

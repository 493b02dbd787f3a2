"""Looking for violated cores among tens of thousands, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel


@kernel
def sum_shares(
    members: NDArray[np.int32], start: IntArray, is_asked: NDArray[np.bool_], share: FloatArray
) -> FloatArray:
    """Return the sum of its members' shares for each core asked for, infinity for the others."""
    total = np.full(is_asked.size, np.inf)
    for core in range(is_asked.size):
        if is_asked[core]:
            partial = 0.0
            for place in range(start[core], start[core + 1]):
                partial += share[members[place]]
            total[core] = partial
    return total

"""The example of 8 records by Capobianchi, Polettini and Lucarelli, as sdcMicro's documentation prints it.

The table, the frequencies and the risks are printed on https://sdctools.github.io/sdcMicro/reference/freqCalc.html and
on indivRisk.html beside it (version 5.7.9).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

KEYS: list[tuple[Any, ...]] = [
    (1, 2, 5, 1),
    (1, 2, 1, 1),
    (1, 2, 1, 1),
    (3, 3, 1, 5),
    (4, 3, 1, 4),
    (4, 3, 1, 1),
    (6, 2, 1, 5),
    (1, 2, 5, 1),
]
WEIGHTS = np.array([18.0, 45.5, 39.0, 17.0, 541.0, 8.0, 5.0, 92.0])

WITH_MISSING: list[tuple[Any, ...]] = [
    (1, 2, 5, 1),
    (1, 2, 1, 1),
    (1, 2, None, 1),
    (None, None, 1, 5),
    (4, 3, 1, None),
    (None, 3, 1, 1),
    (6, 2, 1, 5),
    (1, 2, 5, 1),
]

RISKS = [0.01714426, 0.02204233, 0.02204233, 0.17707583, 0.01165448, 0.29706308, 0.40235948, 0.01714426]


def columns_of(keys: Sequence[Sequence[Any]]) -> list[NDArray[Any]]:
    """Return records as columns of objects."""
    return [np.array(list(column), dtype=object) for column in zip(*keys, strict=True)]

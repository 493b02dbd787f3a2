"""The arrays linkrisk works on, by what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
LabelArray = NDArray[Any]
"""Labels, of dtype object: str, or None where missing."""

"""Plain values, as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import Any


def plain(value: Any) -> Any:
    """Return mappings with text keys, lists, texts and numbers; what is not finite becomes None.

    >>> import numpy as np
    >>> plain({1: (np.float64(0.5), float("nan")), "a": np.int64(3)})
    {'1': [0.5, None], 'a': 3}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "tolist"):  # numbers and arrays of numpy
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value

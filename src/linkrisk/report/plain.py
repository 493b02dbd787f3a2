"""Plain values, as JSON has them, and notes as whole sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from linkrisk.printable import ended


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


def sentences(notes: Iterable[str]) -> list[str]:
    """Return notes with a full stop at the end of each, whether or not it has one already.

    >>> sentences(["kernel: left out", "AGE is constant."])
    ['kernel: left out.', 'AGE is constant.']
    """
    return [ended(note) for note in notes]

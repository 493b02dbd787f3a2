"""Text: the squared Jaro-Winkler dissimilarity between distinct strings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkrisk.arrays import FloatArray


def text_differences(original: Sequence[str], protected: Sequence[str]) -> FloatArray:
    """Table of (1 - Jaro-Winkler)^2 between every string of one list and every string of the other.

    Strings are compared as they stand (case, accents and blanks count); prefix weight 0.1, as Winkler has it.
    Cost: one comparison for each pair; a core makes a few million per second.

    >>> text_differences(["MARTHA"], ["MARTHA", "MARHTA"]).round(4).tolist()
    [[0.0, 0.0015]]
    """
    from rapidfuzz.distance import JaroWinkler  # noqa: PLC0415  (only files with text need it)
    from rapidfuzz.process import cdist  # noqa: PLC0415

    similarity = cdist(list(original), list(protected), scorer=JaroWinkler.similarity, dtype=np.float64)
    return np.asarray((1.0 - similarity) ** 2, dtype=np.float64)

"""How many of the examples that a test states it is tried on."""

from __future__ import annotations

import os

EXAMPLES = float(os.environ.get("LINKRISK_EXAMPLES", "0.25"))
"""Share of the examples stated that a property is tried on: a quarter of them by ``make test``, to be run often,
all of them by ``.ci/run`` before anything lands, ten times as many by ``make thorough``."""


def share(stated: int, least: int) -> int:
    """Return how many of the examples stated are tried: their share, but at least so many, if so many are stated.

    >>> share(100, 10) == max(10, round(100 * EXAMPLES)), share(4, 10) == max(4, round(4 * EXAMPLES))
    (True, True)
    """
    return max(min(stated, least), round(EXAMPLES * stated))

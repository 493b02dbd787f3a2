"""How HiGHS is called: the one place that decides it."""

from __future__ import annotations

from typing import Any

import highspy


def quiet_highs(**options: object) -> Any:
    """Return HiGHS with some options set, printing nothing.

    The option ``threads`` is left alone. HiGHS keeps one scheduler for a whole process. The first caller sets its
    number of threads, perhaps another package in the same notebook, and HiGHS then refuses to solve anything for
    callers who ask for another number. Work that should run on one thread asks for ``parallel="off"``.

    >>> quiet_highs(parallel="off").getOptionValue("output_flag")[1]
    False
    """
    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy has no types
    for option, value in {"output_flag": False, **options}.items():
        highs.setOptionValue(option, value)
    return highs

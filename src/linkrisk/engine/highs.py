"""How HiGHS is called: the one place that decides it."""

from __future__ import annotations

from typing import Any

import highspy


def quiet_highs(**options: object) -> Any:
    """Return HiGHS with some options set, printing nothing.

    The option ``threads`` is left alone: HiGHS keeps one scheduler for a whole process, and refuses to solve anything
    for who asks for another number of threads than whoever came first, be it another package in the same notebook.
    What is to run on one thread asks for ``parallel="off"``.

    >>> quiet_highs(parallel="off").getOptionValue("output_flag")[1]
    False
    """
    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy has no types
    for option, value in {"output_flag": False, **options}.items():
        highs.setOptionValue(option, value)
    return highs

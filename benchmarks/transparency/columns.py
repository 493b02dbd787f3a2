"""Lines of a table that are printed as they come, and the rows that are saved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.table import Row

FIRST = 46
OTHER = 22


def show_line(first: str, cells: Sequence[str]) -> None:
    """Print a line of a table at once."""
    print(f"{first:<{FIRST}}" + "".join(f"{cell:>{OTHER}}" for cell in cells), flush=True)


def mean_text(values: Sequence[float]) -> str:
    """Return the mean, and the range if there are several values; a dash where there is none.

    >>> mean_text([1.0, 2.0]), mean_text([1080.0]), mean_text([])
    ('1.5 (1.0-2.0)', '1,080.0', '-')
    """
    known = np.array([value for value in values if not np.isnan(value)])
    if len(known) == 0:
        return "-"
    span = f" ({known.min():,.1f}-{known.max():,.1f})" if len(known) > 1 else ""
    return f"{known.mean():,.1f}{span}"


def mean_rows(first: str, columns: dict[str, list[float]]) -> list[Row]:
    """Return one row for each column: its mean."""
    return [
        Row(f"{first}: {name}, {mean_text(values)}", float(np.nanmean(values)), "")
        for name, values in columns.items()
        if not np.isnan(values).all()
    ]

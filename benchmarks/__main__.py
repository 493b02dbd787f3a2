"""Run the benchmarks: python -m benchmarks [linking|memory|assignment|start|learning|uniform|wide|tails|holdout|...].

The first five by default; the others take minutes. See also `benchmarks.solvers` and `benchmarks.transparency`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from benchmarks import (
    adult_matches,
    advising,
    bounding,
    informing,
    large,
    learning,
    linking,
    losing,
    many,
    matches,
    matching,
    protecting,
    starting,
    studies,
    trade,
)
from benchmarks.table import Row, show_and_save

SUITES: dict[str, Callable[[], list[Row]]] = {
    "linking": linking.nearest_rows,
    "memory": linking.memory_rows,
    "categories": linking.category_rows,
    "assignment": linking.assignment_rows,
    "start": starting.start_rows,
    "cold": starting.cold_rows,
    "large": large.large_rows,
    "many": many.many_rows,
    "million": many.million_rows,
    "learning": learning.seven_rows,
    "uniform": learning.uniform_rows,
    "wide": learning.wide_rows,
    "tails": learning.tail_rows,
    "holdout": learning.holdout_rows,
    "protecting": protecting.protecting_rows,
    "scores": trade.score_rows,
    "matches": matches.match_rows,
    "adult-matches": adult_matches.adult_match_rows,
    "bounding": bounding.bounding_rows,
    "keys": trade.key_rows,
    "swaps": trade.swap_rows,
    "matching": matching.matching_rows,
    "losing": losing.losing_rows,
    "informing": informing.informing_rows,
    "advising": advising.advising_rows,
    "studies": studies.study_rows,
    "study-kills": studies.kill_rows,
}

DEFAULT = ("linking", "memory", "assignment", "start", "learning")


def main() -> None:
    """Run the suites asked for, print their table and save it under benchmarks/output."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "suites", nargs="*", choices=[*SUITES, []], help="which to run; by default all that take no minutes"
    )
    chosen = parser.parse_args().suites or list(DEFAULT)
    rows = [row for name in chosen for row in SUITES[name]()]
    show_and_save(rows)


if __name__ == "__main__":
    main()

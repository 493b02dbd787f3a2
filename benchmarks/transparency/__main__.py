"""Who knows the method against all others: python -m benchmarks.transparency [table|variant|tune|plan|ceiling ...].

    table      releases by every method, several secret seeds: distances, weights, who knows the method, the ceiling
    variant    rank swapping as a permutation, p = 5 to 50, against all attackers; in pairs beside it
    tune       what tune claims of six releases with a target of 5 %, and what all attackers find
    plan       a mixed file under a plan of several methods
    ceiling    a thousand small files: nobody unfitted exceeds bayes beyond chance

Each takes from minutes to an hour; lines are printed as they come. Census is looked for as in the tests.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from benchmarks.table import Row, save
from benchmarks.transparency.ceiling import ceiling_rows
from benchmarks.transparency.plan import plan_rows
from benchmarks.transparency.releases import release_rows
from benchmarks.transparency.tuning import tuning_rows
from benchmarks.transparency.variant import variant_rows

PARTS: dict[str, Callable[[], list[Row]]] = {
    "table": release_rows,
    "variant": variant_rows,
    "tune": tuning_rows,
    "plan": plan_rows,
    "ceiling": ceiling_rows,
}


def main() -> None:
    """Run the parts asked for and save what they found."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.transparency",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="which to run; by default all")
    chosen = parser.parse_args().parts or list(PARTS)
    save([row for name in chosen for row in PARTS[name]()])


if __name__ == "__main__":
    main()

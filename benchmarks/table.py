"""The table of a benchmark run, on the terminal and in a file."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

OUTPUT = Path(__file__).parent / "output"


@dataclass(frozen=True)
class Row:
    """One measurement: ``ratio`` is to the baseline named, ``goal`` what it is held against."""

    what: str
    value: float
    unit: str
    baseline: str = ""
    ratio: float | None = None
    goal: str = ""


def show_and_save(rows: list[Row]) -> None:
    """Print the rows and write them to benchmarks/output/<time>.json."""
    width = max(len(row.what) for row in rows)
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:8.2f} x {row.baseline}"
        print(f"{row.what:<{width}}  {row.value:10.3f} {row.unit:<3}  {ratio:<40}  {row.goal}")
    save(rows)


def save(rows: list[Row]) -> None:
    """Write the rows to benchmarks/output/<time>.json."""
    OUTPUT.mkdir(exist_ok=True)
    path = OUTPUT / f"{time.strftime('%Y%m%d-%H%M%S')}.json"
    path.write_text(json.dumps([asdict(row) for row in rows], indent=1), encoding="utf-8")
    print(f"saved as {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path.name}")

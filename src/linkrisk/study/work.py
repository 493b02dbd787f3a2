"""Doing one cell: what every worker does, wherever it is."""

from __future__ import annotations

import importlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from linkrisk.attack.reporter import SilentReporter, compile_ahead
from linkrisk.errors import InputError
from linkrisk.study.measures.measured import Measured
from linkrisk.study.release import Workload, release_of, seed_of
from linkrisk.study.specification.cells import Cell
from linkrisk.study.specification.measure_names import MEASURES


@dataclass(frozen=True)
class Outcome:
    """What came of a cell: figures and details, or the reason why there are none (``problem``)."""

    figures: Mapping[str, float | str | None] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    problem: str | None = None
    seconds: float = 0.0


def do_cell(workload: Workload, cell: Cell) -> Outcome:
    """Make the release of a cell and measure it; a mistake in what was asked for is a reason, not an end."""
    start = time.perf_counter()
    try:
        found = _measured(workload, cell)
    except InputError as problem:
        return Outcome(problem=str(problem), seconds=time.perf_counter() - start)
    return Outcome(found.figures, found.details, seconds=time.perf_counter() - start)


def _measured(workload: Workload, cell: Cell) -> Measured:
    module = importlib.import_module(f"linkrisk.study.measures.{MEASURES[cell.variant.measure].module}")
    asked = (workload, cell) if cell.is_matching else (release_of(workload, cell), cell.variant, _seed(workload, cell))
    found: Measured = module.measure(*asked)
    return found


def _seed(workload: Workload, cell: Cell) -> int:
    """Return the seed of what an attack draws: the same whatever else is measured in the study."""
    variant = cell.variant
    words = (cell.data, cell.protection, cell.parameters, cell.repeat, variant.measure, variant.attacker, variant.scale)
    return seed_of(workload.specification.seed, *words) % 2**32


def compile_for(workload: Workload) -> None:
    """Compile the kernels that the attackers of a study need, unless their machine code is at hand; once a machine."""
    attackers = [each for spec in workload.specification.protections for each in spec.measuring.attackers]
    compile_ahead(SilentReporter(), attackers)

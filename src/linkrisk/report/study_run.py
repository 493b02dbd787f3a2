"""How the run of a study is told: how much was done, and what to do next."""

from __future__ import annotations

from typing import Any

from linkrisk.engine.schedule import duration
from linkrisk.report.blocks import Block, Sentence, Weight
from linkrisk.study.result import StudyRun


def blocks(run: StudyRun) -> list[Block]:
    """Return how many cells were done now and before, how many failed, and how to see them."""
    before = run.n_cells - run.n_done - run.n_left
    parts = [f"{run.n_done:,} of {run.n_cells:,} cells in {duration(run.seconds)}"]
    parts += [f"{before:,} were done before"] if before > 0 else []
    parts += [f"{run.n_failed:,} could not be done"] if run.n_failed else []
    parts += [f"{run.n_left:,} are left: the same command goes on there"] if run.n_left else []
    text = f"Study {run.name}: {'; '.join(parts)}."
    return [Sentence(text, Weight.MAIN), Sentence(f"linkrisk study show {run.store} shows the figures.")]


def document(run: StudyRun) -> dict[str, Any]:
    """Return the counts."""
    return {
        "study": run.name,
        "n_cells": run.n_cells,
        "n_done": run.n_done,
        "n_failed": run.n_failed,
        "n_left": run.n_left,
        "is_complete": run.is_complete,
        "seconds": run.seconds,
    }


def columns(run: StudyRun) -> dict[str, list[Any]]:
    """Return one row."""
    return {name: [value] for name, value in document(run).items()}

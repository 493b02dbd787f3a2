"""Rows of a learning problem: the same however many records are looked at together, and on however many cores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from linkrisk.attackers import make_attacker
from linkrisk.data import pair_files
from linkrisk.differences import make_comparison
from linkrisk.learning.problem import problem as module
from linkrisk.learning.problem.problem import Problem, make_problem
from linkrisk.learning.problem.sources import unit_rows
from linkrisk.linkage.ties import Ties
from tests.assessment.samples import mixed_frames, numeric_frames

ROWS = ("places", "entries", "start", "points", "lengths", "dropped", "dropped_start", "records", "x", "y")


def arrays(problem: Problem) -> list[Any]:
    """Return all that a search reads."""
    source = problem.source
    rows = [getattr(source, name) for name in ROWS if hasattr(source, name)]
    return [problem.records, problem.lost, problem.witness, problem.n_twins, problem.worths.floats, *rows]


def twins() -> Any:
    """Return two files in which some protected records are equal and some people cannot be linked."""
    original, protected = numeric_frames(noise=0.5)
    rounded = protected.round(-3)
    rounded.iloc[10:14] = rounded.iloc[10].to_numpy()
    return original, rounded


@pytest.mark.parametrize("name", ["weighted_mean", "owa", "choquet", "bilinear", "bilinear_psd"])
@pytest.mark.parametrize("ties", list(Ties))
@pytest.mark.parametrize("frames", [twins, mixed_frames])
def test_together_or_one_by_one(name: str, ties: Ties, frames: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One record at a time, row by row, is the slow twin of chunks, batches and threads: equal to the last bit."""
    comparison = make_comparison(pair_files(*frames()))
    family = make_attacker(name).family()
    assert family is not None
    for limit in ("MOST_AT_ONCE", "ENTRIES_AT_ONCE"):
        monkeypatch.setattr(module, limit, 1)
    slow = make_problem(family, comparison, ties, threads=1)
    assert len(slow.records)
    for most, entries, shared, threads in ((64, 10**7, 10**9, 1), (7, 200, 0, 3), (64, 10**7, 0, 2)):
        monkeypatch.setattr(module, "MOST_AT_ONCE", most)
        monkeypatch.setattr(module, "ENTRIES_AT_ONCE", entries)
        monkeypatch.setattr(module, "SHARED", shared)
        quick = make_problem(family, comparison, ties, threads=threads)
        for one, other in zip(arrays(slow), arrays(quick), strict=True):
            np.testing.assert_array_equal(one, other)


def test_the_length_of_a_row_does_not_hang_on_others() -> None:
    """Rows whose squares floats cannot hold are treated apart; the others are what they are alone."""
    rows = np.array([[3.0, 4.0], [3e-200, 4e-200], [0.0, 0.0], [3e200, 4e200], [0.1, 0.7]])
    units, lengths = unit_rows(rows)
    for row, unit, length in zip(rows, units, lengths, strict=True):
        alone = unit_rows(row[None])
        np.testing.assert_array_equal(unit, alone[0][0])
        assert length == alone[1][0]
    np.testing.assert_allclose(units[[0, 1, 3]], np.array([[0.6, 0.8]] * 3), rtol=1e-15)
    assert lengths[2] == 0.0

"""Cells: every combination once, each with a key that depends on all that its result depends on."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from linkrisk.study import make_specification
from linkrisk.study.specification.cells import Cell, cells, count_cells
from tests.study.studies import N_CELLS, small_study


def cells_of(**others: Any) -> list[Cell]:
    """Return the cells of the small study, changed."""
    return list(cells(make_specification(small_study(**others))))


def test_every_combination_once() -> None:
    """As a loop over all coordinates has it, and counted without making them."""
    found = cells_of()
    expected = {
        (name, parameter, value, repeat, attacker)
        for name, parameter, values in (("noise", "p", (5, 60)), ("clusters", "k", (3, 6)))
        for value in values
        for repeat in range(2)
        for attacker in ("mean", "weighted_mean")
    }
    told = [(c.protection, *c.parameters[0], c.repeat, c.variant.attacker) for c in found]
    assert len(told) == len(expected) == N_CELLS
    assert set(told) == expected
    assert len({cell.key for cell in found}) == N_CELLS
    assert count_cells(make_specification(small_study())) == N_CELLS


def test_cells_of_a_release_stand_together() -> None:
    """So that a release is made once."""
    releases = [(cell.protection, cell.parameters, cell.repeat) for cell in cells_of()]
    assert len(list(dict.fromkeys(releases))) == sum(a != b for a, b in pairwise(releases)) + 1


def test_a_study_that_grows_keeps_its_cells() -> None:
    """More strengths, repeats, attackers or measures: what was done before is found again."""
    before = {cell.key for cell in cells_of()}
    grown = small_study()["protection"]
    grown[0] = {**grown[0], "grid": {"p": [5, 20, 60]}}
    for others in (
        {"protection": grown},
        {"repeats": 3},
        {"attackers": ["owa", "mean", "weighted_mean"]},
        {"measures": ["loss", "links"]},
        {"scales": ["ranks", "separate"]},
    ):
        after = {cell.key for cell in cells_of(**others)}
        assert before < after, others


@pytest.mark.parametrize(
    "others",
    [
        {"seed": 8},
        {"ties": ["unique"]},
        {"scales": ["ranks"]},
        {"data": [{**small_study()["data"][0], "sample": 26}]},
        {"protection": [{"name": "noise", "method": "noise", "continuous": True, "grid": {"p": [5, 60]}}]},
    ],
)
def test_another_result_has_another_key(others: dict[str, Any]) -> None:
    """Whatever changes what is found."""
    assert not {cell.key for cell in cells_of()} & {cell.key for cell in cells_of(**others)}


def test_a_time_limit_concerns_learners_alone() -> None:
    """Who learns nothing finds the same."""
    free, limited = cells_of(), cells_of(time_limit=5)
    same = {cell.key for cell in free} & {cell.key for cell in limited}
    assert same == {cell.key for cell in free if cell.variant.attacker == "mean"}

"""A handful of fuzzed instances of every family and kind: what is said of them is so, exactly."""

from __future__ import annotations

import pytest
from benchmarks.fuzz.draw import KINDS
from benchmarks.fuzz.instance import FAMILIES
from benchmarks.fuzz.report import Report
from benchmarks.fuzz.run import Plan, run_here


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_said_is_wrong(family: str) -> None:
    """Twice each kind: no wrong word, no crash, nothing unsettled, nobody late; the judge decides nearly all."""
    report: Report = run_here(Plan(seed=7, families=(family,), n_instances=2 * len(KINDS)))
    told = "\n".join(failure.text() for failure in report.failures)
    assert not report.has_failed, told
    assert sum(count["undecided"] for count in report.counts.values()) <= 2

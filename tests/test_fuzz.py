"""A handful of fuzzed instances of every family and kind: what is said of them is so, exactly."""

from __future__ import annotations

import pytest
from benchmarks.fuzz.check import check
from benchmarks.fuzz.draw import KINDS, draw
from benchmarks.fuzz.instance import FAMILIES
from benchmarks.fuzz.report import Report
from benchmarks.fuzz.run import Plan, run_here

from tests.examples import share


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_said_is_wrong(family: str) -> None:
    """No wrong word, no crash, nothing unsettled, nobody late; and the judge decides nearly all."""
    report: Report = run_here(Plan(seed=7, families=(family,), n_instances=share(2 * len(KINDS), len(KINDS))))
    told = "\n".join(failure.text() for failure in report.failures)
    assert not report.has_failed, told
    assert sum(count["undecided"] for count in report.counts.values()) <= 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "family", "kind"),
    [
        ((77, 9985), "choquet_additive", "near_twins"),  # whole numbers that no float holds
        ((77, 96711), "weighted_mean_metric", "margins"),  # a row of zeros
        ((177, 7158), "bilinear_psd", "extremes"),  # a mixture whose multipliers are very different
    ],
)
def test_what_once_failed(number: tuple[int, int], family: str, kind: str) -> None:
    """Instances that fuzzing over 10^5 has found, each the only one of its cause."""
    instance = draw(*number)
    assert (instance.family, instance.kind) == (family, kind)
    assert check(instance, has_certificate=True).problems == []

"""Every step of the paper's worked example, to two decimals."""

from __future__ import annotations

import numpy as np
import pytest

from linkrisk.tables.bounds.naive import naive_bounds
from linkrisk.tables.evidence.reading import make_evidence
from linkrisk.tables.posterior.naive import naive_posteriors
from tests.tables.worked_example import FIRST, SECOND, rounded

SAMPLES = {"first": FIRST, "second": SECOND}
LEVEL2 = np.array([1])  # of the overlap, Var2


def test_samples_alone() -> None:
    """Bounds 1 to 13, and the posterior over them."""
    evidence = make_evidence(SAMPLES, population=18)
    assert evidence.overlap == ("Var2",)
    low, high = naive_bounds(evidence, LEVEL2)
    assert (low[0], high[0]) == (1, 13)
    (posterior,) = naive_posteriors(evidence, LEVEL2, low, high)
    expected = [0.09, 0.19, 0.22, 0.19, 0.14, 0.09, 0.05, 0.02, 0.01, 0, 0, 0, 0]
    assert posterior.probabilities.round(2).tolist() == expected


def test_with_the_rounded_table() -> None:
    """It only tightens the bounds: naively to 4 to 13, with the tables taken together to 4 to 11."""
    evidence = make_evidence(SAMPLES, [rounded()], population=18)
    low, high = naive_bounds(evidence, LEVEL2)
    assert (low[0], high[0]) == (4, 13)
    (naive,) = naive_posteriors(evidence, LEVEL2, low, high)
    (exact,) = naive_posteriors(evidence, LEVEL2, low, np.array([11]))
    for posterior in (naive, exact):
        assert posterior.probabilities[:8].round(2).tolist() == [0.39, 0.28, 0.17, 0.09, 0.04, 0.02, 0.0, 0.0]
        assert posterior.match_probability() == pytest.approx(0.20, abs=0.005)

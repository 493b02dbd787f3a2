"""The trade itself: with the same draws, more noise never loses less, and never links more beyond a slack."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.attackers import Mean
from linkrisk.data import pair_files
from linkrisk.datasets import census_like
from linkrisk.differences import make_comparison
from linkrisk.linkage.search import nearest
from linkrisk.losses.pil import probabilistic_loss
from linkrisk.protection import add_noise

SIZES = (1.0, 4.0, 16.0, 64.0)
SLACK = 0.01
"""Share of the records by which links may grow all the same: a larger step of noise can carry a record past a rival."""


@pytest.mark.slow
@pytest.mark.parametrize("scale", ["separate", "original", "ranks"])
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_more_noise_loses_more_and_links_less(scale: str, seed: int) -> None:
    """Noise of p = 1, 4, 16 and 64 percent of the standard deviation, five attributes."""
    original = census_like(100, seed=seed % 7)[["AFNLWGT", "AGI", "EMCONTRB", "FEDTAX", "PTOTVAL"]]
    releases = [pair_files(original, add_noise(original, p, secret_seed=seed).data) for p in SIZES]
    losses = [probabilistic_loss(files).pil for files in releases]
    assert losses == sorted(losses)
    links = [nearest(Mean().distance(make_comparison(files, scale))).links() for files in releases]
    assert all(more <= less + SLACK * len(original) for less, more in itertools.pairwise(links))

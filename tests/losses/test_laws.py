"""Laws of information loss: what must lose nothing, what must not change a figure, what must not lower it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkrisk
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.datasets import census_like
from linkrisk.losses import Loss, loss_of_pair, probabilistic_loss
from linkrisk.protection import add_noise
from tests.linkage.files import mixed_file_pairs, numeric_file_pairs
from tests.losses.files import permuted, unchanged, whole_number_files


def figures(loss: Loss) -> dict[str, float]:
    """Return all numbers of a result by their path, except the steps of the fit; NaN where undefined."""

    def walk(value: Any, path: str) -> dict[str, float]:
        if isinstance(value, dict):
            return {k: v for name, entry in value.items() for k, v in walk(entry, f"{path}.{name}").items()}
        if isinstance(value, list):
            return {k: v for place, entry in enumerate(value) for k, v in walk(entry, f"{path}.{place}").items()}
        return {path: value} if isinstance(value, int | float) else {path: math.nan} if value is None else {}

    return {path: value for path, value in walk(loss.to_dict(), "").items() if "n_steps" not in path}


def assert_same(first: Loss, second: Loss, *, but: str = "") -> None:
    """All figures up to rounding, but for one."""
    one, two = figures(first), figures(second)
    assert one.keys() == two.keys()
    for path, value in one.items():
        if not (but and but in path):
            assert two[path] == pytest.approx(value, rel=1e-6, abs=1e-6, nan_ok=True), path


@pytest.mark.slow
@given(st.one_of(whole_number_files(), mixed_file_pairs()))
@settings(max_examples=60, deadline=None)
def test_unchanged_files_lose_nothing(files: FilePair) -> None:
    """Every figure of loss is 0 (or undefined), to the last bit except for the fit."""
    loss = loss_of_pair(unchanged(files))
    assert loss.pil == 0 or math.isnan(loss.pil)
    assert loss.propensity.pmse < 1e-20
    for part, name in ((loss.value_changes, "il1s"), (loss.variation, "share"), (loss.variation, "raw")):
        assert part is None or getattr(part, name) == 0 or math.isnan(getattr(part, name))
    if loss.moments is not None:
        for kind in (loss.moments.means, loss.moments.covariances, loss.moments.correlations, loss.moments.eigenvalues):
            assert kind.largest == 0 or math.isnan(kind.largest)
    if loss.regression is not None and loss.regression.n_coefficients:
        assert (loss.regression.largest, loss.regression.overlap) == (0, 1)
    if loss.categories is not None:
        assert loss.categories.entropy == loss.categories.one_way.hellinger == 0


@pytest.mark.slow
@given(st.data(), st.one_of(whole_number_files(), mixed_file_pairs()))
@settings(max_examples=50, deadline=None)
def test_permuting_the_records_changes_nothing(data: st.DataObject, files: FilePair) -> None:
    """Both files in another order, the pairs with them."""
    rows = data.draw(st.permutations(range(files.n_original)))
    protected_rows = data.draw(st.permutations(range(files.n_protected)))
    assert_same(loss_of_pair(files), loss_of_pair(permuted(files, rows, protected_rows)))


@pytest.mark.slow
@given(whole_number_files(), st.floats(1e-6, 1e6), st.sampled_from([-1.0, 1.0]))
@settings(max_examples=50, deadline=None)
def test_the_unit_of_an_attribute_changes_nothing(files: FilePair, factor: float, sign: float) -> None:
    """Metres or feet, gains or losses: all except raw SSE / SST are scale-free."""
    first = files.columns[0]
    scaled = ColumnPair(first.attribute, sign * factor * first.original, sign * factor * first.protected)
    other = FilePair((scaled, *files.columns[1:]), files.own, files.n_original, files.n_protected)
    assert_same(loss_of_pair(files), loss_of_pair(other), but=".variation.raw")


@given(numeric_file_pairs())
@settings(max_examples=60, deadline=None)
def test_pil_is_a_percentage(files: FilePair) -> None:
    """And so is each of its parts."""
    found = probabilistic_loss(files)
    for value in (found.pil, found.means, found.variances, found.covariances, found.correlations, found.quantiles):
        assert math.isnan(value) or 0 <= value <= 100


@pytest.mark.parametrize("seed", range(4))
def test_more_noise_of_the_same_draws_never_lowers_the_loss(seed: int) -> None:
    """Noise of p = 1, 4, 16, 64 percent with one seed: PIL, IL1s and pMSE."""
    original = census_like(600, seed=seed)[["AFNLWGT", "AGI", "EMCONTRB", "FEDTAX", "PTOTVAL"]]
    losses = [linkrisk.loss(original, add_noise(original, p, secret_seed=seed).data) for p in (1.0, 4.0, 16.0, 64.0)]
    for name in ("pil", "il1s"):
        found = [getattr(loss, name) for loss in losses]
        assert found == sorted(found), name
    assert [loss.propensity.pmse for loss in losses] == sorted(loss.propensity.pmse for loss in losses)
    assert losses[0].pil > 0

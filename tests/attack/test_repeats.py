"""Nothing is done twice that would come out the same, and what comes out is the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from linkrisk.attack import attack as attack_module
from linkrisk.attack.loop import Attacks
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.repeats import scales_alike
from linkrisk.attackers import DistanceStandardised, Mean, WeightedMean
from linkrisk.data import pair_files
from linkrisk.differences import make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.learning.options import Learning
from linkrisk.linkage.one_to_one import link_one_to_one
from linkrisk.protection import pram, rank_swap
from tests.assessment.samples import mixed_frames, numeric_frames


def run(frames: Any, *, is_once: bool, time_limit: float = 0.0) -> Attacks:
    """Attack on all scales, by attackers one of whom learns nothing in no time."""
    files = pair_files(*frames)
    plan = AttackPlan(learning=Learning(time_limit=time_limit))
    comparisons = {scale: make_comparison(files, scale) for scale in Scale}
    found = Attacks([Mean(), DistanceStandardised(), WeightedMean()], comparisons, plan, files, is_once=is_once)
    for _ in found.run():
        pass
    return found


def test_scales_are_alike_where_margins_are_kept() -> None:
    """Swapping keeps mean and spread; categories have no scale; noise changes all but the order of scales."""
    original, noisy = numeric_frames(n_records=60)
    swapped = rank_swap(original, 10, secret_seed=1).data
    words = pd.DataFrame({"sex": list("fmfmfmfm") * 5, "region": list("nsewnsew") * 5})
    for frames, n_scales in (((original, noisy), 3), ((original, swapped), 2), ((words, pram(words, 0.5).data), 1)):
        files = pair_files(*frames)
        alike = scales_alike({scale: make_comparison(files, scale) for scale in Scale})
        assert len(set(alike.values())) == n_scales


def test_the_same_is_found_as_if_everything_were_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer matchings are made; every count is the same, and so is what stands for each record."""
    original, _ = mixed_frames()
    numbers = original.select_dtypes("number").columns.tolist()
    protected = original.assign(**{name: rank_swap(original[[name]], 20, secret_seed=1).data[name] for name in numbers})
    made: list[Any] = []

    def counted(*arguments: Any, **more: Any) -> Any:
        made.append(arguments)
        return link_one_to_one(*arguments, **more)

    monkeypatch.setattr(attack_module, "link_one_to_one", counted)
    whole = run((original, protected), is_once=False)
    n_whole = len(made)
    once = run((original, protected), is_once=True)
    assert len(made) - n_whole < n_whole
    assert len(whole.results) == len(once.results) == 9
    for one, other in zip(whole.made, once.made, strict=True):
        assert (one.result.label, one.result.scale) == (other.result.label, other.result.scale)
        assert one.result.links == other.result.links
        assert one.result.found() == pytest.approx(other.result.found(), abs=1.0)
        assert one.record.scale == other.record.scale
        np.testing.assert_array_equal(one.record.is_linked, other.record.is_linked)

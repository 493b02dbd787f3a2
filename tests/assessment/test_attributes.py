"""What each attribute gives away: counted as by the double loop, and never a sample taken for the whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import linkrisk
from linkrisk.assessment import Assessment
from linkrisk.assessment.attributes import attribute_risks, drawn_people
from linkrisk.attack.interval import wilson_interval
from linkrisk.data.columns import FilePair
from linkrisk.differences import make_comparison
from linkrisk.linkage import Ties
from tests.assessment.samples import MIXED_SCHEMA, mixed_frames, numeric_frames
from tests.linkage.files import mixed_file_pairs
from tests.linkage.twins import exact_differences
from tests.oracle.attributes import links_with


def assessed(frames: tuple[pd.DataFrame, pd.DataFrame], **options: Any) -> Assessment:
    """Let `mean` attack on one scale."""
    return linkrisk.assess(*frames, attackers=["mean"], scales=["separate"], **options)


@given(mixed_file_pairs(), st.sampled_from(["separate", "ranks"]), st.integers(0, 3))
@settings(max_examples=40, deadline=None)
def test_attributes_are_counted_as_by_the_twin(files: FilePair, scale: str, seed: int) -> None:
    """Alone and without each, everybody and some people, under all tie rules."""
    assume((files.own >= 0).any())  # others are refused
    comparison = make_comparison(files, scale)
    people = drawn_people(files.own, 2, seed)
    d, names, own = exact_differences(comparison, files), comparison.names, files.own.tolist()
    every, some = attribute_risks(files, comparison, threads=1), attribute_risks(files, comparison, people=people)
    for k, (risk, drawn) in enumerate(zip(every, some, strict=True)):
        others = [other for other in range(len(names)) if other != k]
        for ties in Ties:
            alone = links_with(d, [k], own, files.n_protected, ties)
            assert risk.alone[ties] == drawn.alone[ties] == pytest.approx(float(alone))
            if not others:
                assert [risk.without, drawn.without, drawn.without_sample] == [None] * 3
                continue
            assert risk.without is not None
            assert risk.without[ties] == pytest.approx(float(links_with(d, others, own, files.n_protected, ties)))
            if people is not None:
                found = links_with(d, others, own, files.n_protected, ties, people.tolist())
                assert drawn.without_sample is not None
                assert drawn.without_sample.links[ties] == pytest.approx(float(found))


def test_people_are_drawn_among_those_with_a_counterpart() -> None:
    """Each at most once, the same by the same seed, others by another; nobody where all may be counted."""
    own = np.where(np.arange(300) % 3 == 0, -1, np.arange(300))
    drawn = drawn_people(own, 50, seed=4)
    assert drawn is not None
    assert len(set(drawn.tolist())) == 50
    assert (own[drawn] >= 0).all()
    again, other = drawn_people(own, 50, seed=4), drawn_people(own, 50, seed=5)
    assert again is not None
    assert other is not None
    assert drawn.tolist() == again.tolist() != other.tolist()
    assert drawn_people(own, 200, seed=4) is None


def test_a_sample_is_told_wherever_it_is_shown(tmp_path: Path) -> None:
    """Python, text and JSON: no count where there is none, how many were drawn, of how many, and the interval."""
    found = assessed(numeric_frames(), attribute_sample=25)
    risk = found.attributes[0]
    drawn = risk.without_sample
    assert risk.without is None
    assert drawn is not None
    assert (drawn.n_people, drawn.n_pairs) == (25, 60)
    assert drawn.interval("expected") == wilson_interval(drawn.links[Ties.EXPECTED], 25)
    text = str(found)
    assert "all except this, share of 25 drawn" in text
    assert "share of 25 people, of 60, who are linked" in text
    assert f"{drawn.rate('expected'):.1%} (" in text
    found.write(json=tmp_path / "found.json")
    entry = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["attribute_table"][0]
    assert entry["links_without"] is None
    sample = entry["links_without_sample"]
    assert (sample["people"], sample["of"]) == (25, 60)
    assert sample["interval_95"]["expected"] == list(drawn.interval("expected"))
    assert sample["rate"]["unique"] == drawn.links[Ties.UNIQUE] / 25


def test_everybody_is_counted_where_there_are_no_more_and_where_it_is_asked_for() -> None:
    """The same counts either way, and not a word about samples."""
    files = mixed_frames()
    usual = assessed(files, schema=MIXED_SCHEMA)
    exact = assessed(files, schema=MIXED_SCHEMA, exact=True, attribute_sample=5)
    assert usual.attributes == exact.attributes
    assert all(risk.without is not None and risk.without_sample is None for risk in exact.attributes)
    assert "who are linked; drawn" not in str(exact)


def test_a_rule_is_kept_only_as_far_as_the_sample_tells() -> None:
    """A limit within the interval is not known to be kept; the sentence says what would tell."""
    found = assessed(numeric_frames(noise=2.0), attribute_sample=20)
    most = max(attack.rate(Ties.EXPECTED) for attack in found.attacks)
    high = max(risk.without_sample.interval("expected")[1] for risk in found.attributes if risk.without_sample)
    assert most < high
    told = found.broken(linkrisk.ReleaseRules(max_rate=0.5 * (most + high)))
    assert len(told) == 1
    assert "counted for 20 of 60 people only (all: exact (--exact)), may link up to" in told[0]
    assert found.broken(linkrisk.ReleaseRules(max_rate=min(1.0, high + 1e-6))) == []


def test_fewer_attributes_are_called_better_only_beyond_the_draw() -> None:
    """An attribute of pure noise: without it the plain intruder finds more, by more than the interval."""
    original, protected = numeric_frames(400, noise=0.02)
    rng = np.random.default_rng(0)
    for frame in (original, protected):
        frame["noise"] = rng.normal(size=400)
    found = assessed((original, protected), attribute_sample=300)
    assert "He does better with fewer attributes: mean without noise links" in str(found)
    assert "95 % interval, 300 people drawn" in str(found)

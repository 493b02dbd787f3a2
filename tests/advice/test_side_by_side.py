"""A search in copies of the process finds what a search in one process finds."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import linkrisk
from linkrisk.advice import trials
from linkrisk.advice.risk import Risk, Threat, attack_release
from linkrisk.advice.trials import _leading, _Outcome
from linkrisk.attack import strands
from linkrisk.attack.options import Attacking
from linkrisk.data import pair_files
from linkrisk.data.columns import FilePair
from linkrisk.differences.scale import Scale
from linkrisk.engine import copies
from linkrisk.engine.copies import work_side_by_side
from tests.assessment.samples import numeric_frames

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="copies are made on Linux alone")

SEARCH: dict[str, Any] = {"attackers": ["mean"], "scales": ["separate", "ranks"], "trials": 14, "secret_seed": 7}


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Allow copies; return how many tasks they were given each time."""
    found: list[int] = []

    def work(tasks: Any, hear: Any, *, at_once: int) -> list[int]:
        found.append(len(tasks))
        return work_side_by_side(tasks, hear, at_once=at_once)

    monkeypatch.setattr(copies._Allowed, "is_allowed", True)
    for module in (trials, strands):
        monkeypatch.setattr(module, "work_side_by_side", work)
    return found


@pytest.mark.slow
def test_trials_ahead_are_those_of_one_process(counted: list[int]) -> None:
    """The same releases in the same order with the same figures, up to the last, and the same release in the end."""
    people, _ = numeric_frames(30)
    ahead = linkrisk.tune(people, "noise", 0.25, threads=2, confirm=False, **SEARCH)
    assert len(counted) > 0
    n_calls = len(counted)
    alone = linkrisk.tune(people, "noise", 0.25, threads=1, confirm=False, **SEARCH)
    assert len(counted) == n_calls
    assert ahead.to_dict() == alone.to_dict()
    assert ahead.release is not None
    assert alone.release is not None
    assert ahead.release.data.equals(alone.release.data)


def confirming(threads: int) -> Threat:
    """Return everybody, with time to prove what they learn."""
    asked = Attacking(attackers=["mean"], scales=[Scale.SEPARATE, Scale.RANKS], threads=threads)
    return Threat.of(asked, 20.0).confirming(2.0)


def small_files() -> FilePair:
    """Return two attributes of a few people, on which everything is proven in a moment, and a noisy release."""
    return pair_files(*(frame.iloc[:, :2] for frame in numeric_frames(14, noise=1.0)))


def found_by(risk: Risk) -> dict[tuple[str, str], tuple[float, float]]:
    """Return what each attacker on each scale links, to the nearest and in all."""
    return {(each.label, each.scale): (each.links[risk.ties], each.found(risk.ties)) for each in risk.attacks}


@pytest.mark.slow
def test_a_confirmation_is_that_of_one_process(counted: list[int]) -> None:
    """Everybody attacks, and links the same; what was learned can be started from."""
    files = small_files()
    together = attack_release(files, confirming(2), enough=0.999)
    assert len(counted) > 0
    alone = attack_release(files, confirming(1), enough=0.999)
    assert found_by(together) == found_by(alone)
    assert together.bound == alone.bound
    assert {key: value.theta.tolist() for key, value in together.learned.items()} == {
        key: value.theta.tolist() for key, value in alone.learned.items()
    }
    assert not together.is_partial


@pytest.mark.usefixtures("counted")
def test_a_release_that_is_broken_is_attacked_no_further() -> None:
    """One breaker is enough, and it is said that others are left out."""
    files = small_files()
    risk = attack_release(files, confirming(2), enough=0.05)
    assert risk.rate > 0.05
    assert risk.is_partial
    assert len(risk.attacks) < len(confirming(2).attackers)


def test_only_what_follows_from_what_is_known_counts() -> None:
    """A release that reached the target, or from which others start, ends the look ahead; a problem does not."""
    places = [(0, (1,)), (0, (2,)), (0, (3,))]
    assert _leading(places, {(0, (1,)), (0, (3,))}) == places[:1]
    assert not _Outcome(problem=ValueError()).changes_what_follows

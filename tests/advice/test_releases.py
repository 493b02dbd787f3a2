"""Releases compared: figures, order, dominance, and what cannot be compared."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk.advice import release as release_module
from linkrisk.advice.release import loss_figure
from linkrisk.attack import attack
from linkrisk.attack.loop import Attacks
from linkrisk.attack.plan import AttackPlan
from linkrisk.attackers import make_attacker
from linkrisk.data import pair_files
from linkrisk.differences import make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.errors import PairingError, SettingsError
from linkrisk.losses.pil import probabilistic_loss
from tests.assessment.samples import MIXED_SCHEMA, mixed_frames, numeric_frames

QUICK: dict[str, Any] = {"attackers": ["mean", "weighted_mean"], "scales": ["separate"]}


def releases(*noises: float) -> dict[str, pd.DataFrame]:
    """Return noisy copies of the same file by name."""
    return {f"noise {noise}": numeric_frames(noise=noise)[1] for noise in noises}


def test_figures_are_those_of_assessment_and_loss() -> None:
    """Risk, loss and both scores of one release, found the long way; who knows the method always attacks."""
    original, protected = numeric_frames()
    (release,) = linkrisk.compare(original, {"only": protected}, **QUICK).releases
    attackers = [*QUICK["attackers"], "informed"]
    assessed = linkrisk.assess(original, protected, ties="expected", **{**QUICK, "attackers": attackers})
    assert assessed.strongest is not None
    assert release.risk.rate == assessed.strongest.rate("expected")
    assert release.risk.is_proven
    assert release.loss == probabilistic_loss(pair_files(original, protected)).pil
    assert release.score == pytest.approx((100 * release.average.rate + release.loss) / 2)
    assert release.risk_score == pytest.approx((100 * release.risk.rate + release.loss) / 2)


def test_who_is_far_behind_does_not_link_one_to_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A note says so; here everybody is said to be. In an assessment everybody links one to one."""
    original, protected = numeric_frames(n_records=120)
    asked: dict[str, Any] = {"attackers": ["mean", "kernel"], "scales": ["separate"]}
    usual = linkrisk.compare(original, {"only": protected}, **asked)
    assert not any("one to one" in note for note in usual.notes)
    monkeypatch.setattr(attack, "MOST_GAIN", 0.1)
    found = linkrisk.compare(original, {"only": protected}, **asked)
    first, *others = sorted(found.releases[0].risk.attacks, key=lambda result: result.name != "informed")
    assert first.one_to_one is not None
    assert all(result.rate() < first.rate() for result in others)
    assert {result.name for result in others} == {"mean", "kernel"}
    assert [result.one_to_one for result in others] == [None, None]
    assert any("only: no links one to one by attackers who find less than an eighth" in note for note in found.notes)
    assessed = linkrisk.assess(original, protected, **asked)
    assert all(result.one_to_one is not None for result in assessed.attacks)
    told = found.to_dict()["releases"][0]["risk"]["attacks"]
    assert {each["label"]: each["one_to_one"] for each in told} == {"mean": False, "kernel": False, "informed": True}
    everybody = linkrisk.compare(original, {"only": protected}, **asked, one_to_one=True)
    assert all(result.one_to_one is not None for result in everybody.releases[0].risk.attacks)


def test_who_uses_true_pairs_is_no_rival_of_who_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strongest of those without true pairs is shown, too: he must have been asked for all that he can."""
    monkeypatch.setattr(attack, "MOST_GAIN", 0.1)
    monkeypatch.setattr(attack, "FEW_MORE", 0.0)
    files = pair_files(*numeric_frames(n_records=120))
    attackers = [make_attacker(name) for name in ("mahalanobis", "mean", "distance_standardised")]
    comparisons = {Scale.SEPARATE: make_comparison(files)}
    attacks = Attacks(attackers, comparisons, AttackPlan(), files, is_verdict=True)
    found = {made.result.name: made.result.one_to_one is not None for made in attacks.run()}
    assert found == {"mahalanobis": True, "mean": True, "distance_standardised": False}


def test_nothing_that_was_learned_stays_in_a_comparison() -> None:
    """Parameters are the attack itself: they are confidential."""
    original, protected = numeric_frames()
    assert all(
        not release.risk.learned for release in linkrisk.compare(original, {"only": protected}, **QUICK).releases
    )


def test_many_people_are_drawn_for_avrl(monkeypatch: pytest.MonkeyPatch) -> None:
    """The note says how many, and the JSON."""
    monkeypatch.setattr(release_module, "MOST_PEOPLE", 50)
    original, protected = numeric_frames()
    found = linkrisk.compare(original, {"only": protected}, attackers=["mean"], scales=["separate"])
    assert "AvRL is estimated from 50 people drawn at random" in found.notes
    assert found.to_dict()["releases"][0]["average_linkage"]["people"] == 50


def test_there_is_no_bound_where_nothing_is_learned() -> None:
    """What was found is no bound of what others could find: a dash in the table, nothing in the JSON."""
    original, protected = numeric_frames()
    found = linkrisk.compare(original, {"only": protected}, attackers=["mean"], scales=["separate"], one_to_one=False)
    assert found.releases[0].risk.bound is None
    assert found.to_dict()["releases"][0]["risk"]["bound"] is None
    row = next(line for line in str(found).splitlines() if line.startswith("A "))
    assert row.split()[3] == "-"


def test_who_could_not_attack_stands_under_the_advice() -> None:
    """Once where it is so of all releases, and with the name of the release where it is not."""
    original, protected = numeric_frames()
    found = linkrisk.compare(original, {"a": protected, "b": protected}, attackers=["mean"], scales=["separate"])
    first, second = found.releases
    both, alone = "owa is for few", "bilinear is for few"
    found = replace(
        found,
        releases=(
            replace(first, risk=replace(first.risk, left_out=(both, alone))),
            replace(second, risk=replace(second.risk, left_out=(both,))),
        ),
    )
    assert found.left_out == (both, f"{first.name}: {alone}")
    assert "\nLeft out: owa is for few.\n" in str(found)


def test_more_noise_risks_less_and_loses_more() -> None:
    """All are undominated then, and the best score comes first."""
    original, _ = numeric_frames()
    found = linkrisk.compare(original, releases(0.02, 0.3, 1.5), **QUICK)
    by_name = {release.name: release for release in found.releases}
    rates = [by_name[f"noise {noise}"].risk.rate for noise in (0.02, 0.3, 1.5)]
    assert rates == sorted(rates, reverse=True)
    assert len(found.undominated) == 3
    assert [release.score for release in found.releases] == sorted(release.score for release in found.releases)


def test_a_release_that_is_worse_on_both_counts_is_dominated() -> None:
    """Other units of some attributes cost a lot; the one that was left finds everybody."""
    original, noisy = numeric_frames(noise=0.4)
    foolish = (3.0 * original).assign(AFNLWGT=original["AFNLWGT"])
    found = linkrisk.compare(original, {"noisy": noisy, "foolish": foolish}, **QUICK)
    assert [release.name for release in found.undominated] == ["noisy"]
    assert "Undominated (no other has less risk and less loss): noisy" in str(found)


def test_a_file_full_of_twins_is_not_safe_for_being_so() -> None:
    """Counted by unique links a file of twins has no risk at all; by expected links it has."""
    original, _ = numeric_frames()
    twins = original.copy()
    twins.iloc[1::2] = twins.iloc[::2].to_numpy()
    both = {
        rule: linkrisk.compare(original, {"twins": twins}, ties=rule, **QUICK).releases[0].risk.rate
        for rule in ("unique", "expected")
    }
    assert both["unique"] == 0.0
    assert both["expected"] > 0.2


def test_notes_on_the_files_are_handed_on() -> None:
    """Columns left out, and those whose kind is in doubt."""
    original, protected = numeric_frames()
    rooms = ["1", "2", "3+"] * (len(original) // 3)
    found = linkrisk.compare(original.assign(more=1.0, rooms=rooms), {"only": protected.assign(rooms=rooms)}, **QUICK)
    assert "Only original has 'more', left out." in found.notes
    assert any("rooms has numbers in" in note for note in found.notes)
    assert "note: rooms has numbers in" in str(found)


def test_mixed_files_are_judged_by_both_kinds_of_loss() -> None:
    """Three numeric or date attributes and three of labels, missing values and all."""
    original, protected = mixed_frames()
    schema = {"attributes": {"school": MIXED_SCHEMA["attributes"]["school"], "job": {"kind": "text"}}}
    files = pair_files(original, protected, schema=schema)
    loss = loss_figure(files)
    assert 0.0 < loss < 100.0
    assert loss_figure(pair_files(original, original, schema=schema)) == 0.0
    found = linkrisk.compare(original, {"p": protected}, schema=schema, attackers=["mean"])
    assert found.releases[0].loss == loss


def test_the_same_from_files_and_in_json(tmp_path: Path) -> None:
    """Files are called by their names; nothing of a record or of the original is written."""
    original, _ = numeric_frames()
    paths = []
    for name, frame in releases(0.1, 0.5).items():
        paths.append(tmp_path / f"{name.replace(' ', '-')}.csv")
        frame.to_csv(paths[-1], index=False)
    original.to_csv(tmp_path / "original.csv", index=False)
    found = linkrisk.compare(tmp_path / "original.csv", paths, **QUICK)
    direct = linkrisk.compare(original, releases(0.1, 0.5), **QUICK)
    assert [release.score for release in found.releases] == [release.score for release in direct.releases]
    contents = json.loads(json.dumps(found.to_dict()))
    assert {entry["name"] for entry in contents["releases"]} == {"noise-0.1.csv", "noise-0.5.csv"}
    assert '"parameters"' not in json.dumps(contents)
    assert "original" not in json.dumps(contents["releases"]).replace('"original"', "")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame.drop(columns="AGI"), "has no column 'AGI'"),
        (lambda frame: frame.rename(columns={"AGI": "OTHER"}), "has no column 'AGI'"),
    ],
)
def test_releases_with_other_attributes_are_refused(change: Any, message: str) -> None:
    """Their rates would not be comparable."""
    original, protected = numeric_frames()
    with pytest.raises(SettingsError, match=message):
        linkrisk.compare(original, {"whole": protected, "part": change(protected)}, **QUICK)


def test_releases_of_other_people_are_refused() -> None:
    """Rates over different people cannot be compared; a release of nobody known cannot be judged."""
    original, protected = numeric_frames()
    for frame in (original, protected):
        frame.insert(0, "who", range(60))
    with pytest.raises(SettingsError, match="59 of the people"):
        linkrisk.compare(original, {"all": protected, "some": protected.iloc[1:]}, id="who", **QUICK)
    strangers = protected.assign(who=range(100, 160))
    with pytest.raises(PairingError, match="no id in common"):
        linkrisk.compare(original, {"strangers": strangers}, id="who", **QUICK)


@pytest.mark.parametrize("given", [[], {}, "one.csv", 3])
def test_releases_must_be_named_or_files(given: Any) -> None:
    """One sentence says what is expected."""
    with pytest.raises(SettingsError, match="release"):
        linkrisk.compare(numeric_frames()[0], given, **QUICK)


def test_faults_are_told() -> None:
    """Shuffled rows look safe: the release is named with its fault, on the terminal and in the JSON."""
    original, protected = numeric_frames()
    shuffled = protected.sample(frac=1.0, random_state=1)
    found = linkrisk.compare(original, {"good": protected, "shuffled": shuffled}, **QUICK)
    faults = {release.name: [fault.kind for fault in release.faults] for release in found.releases}
    assert faults == {"good": [], "shuffled": ["pairing"]}
    assert "FAULT: shuffled: records paired by row order" in str(found)
    assert "What to do first: mend the faults that are named in this report, of shuffled." in str(found)
    by_name = {release["name"]: release["faults"] for release in found.to_dict()["releases"]}
    assert [fault["kind"] for fault in by_name["shuffled"]] == ["pairing"]
    assert "FAULT" not in str(linkrisk.compare(original, {"good": protected}, **QUICK))


def test_a_list_of_pairs_of_another_release_is_doubted() -> None:
    """One list serves all releases; where it does not fit, that is a fault of the release."""
    original, protected = numeric_frames()
    order = np.random.default_rng(1).permutation(len(protected))
    shuffled = protected.iloc[order].reset_index(drop=True)
    pairs = pd.DataFrame({"original": order + 1, "protected": np.arange(len(order)) + 1})
    found = linkrisk.compare(original, {"good": protected, "shuffled": shuffled}, pairs=pairs, **QUICK)
    faults = {release.name: [fault.message for fault in release.faults] for release in found.releases}
    assert not faults["shuffled"]
    assert "paired by list of pairs" in faults["good"][0]

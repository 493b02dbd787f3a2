"""Tuning: the target is kept, the release is the one described, and every trial can be repeated."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import linkrisk
from linkrisk.advice import risk, trials
from linkrisk.advice.release import loss_figure
from linkrisk.advice.risk import Threat
from linkrisk.advice.space import group_sizes
from linkrisk.advice.tuning import Trial, Tuning
from linkrisk.attack.attack import SHORT
from linkrisk.attack.options import Attacking
from linkrisk.attack.reporter import SilentReporter
from linkrisk.attackers import ATTACKERS
from linkrisk.data import pair_files
from linkrisk.data.attributes import Kind
from linkrisk.differences.scale import Scale
from linkrisk.errors import InputError, ParameterError
from linkrisk.informed.description import Description
from linkrisk.linkage.ties import Ties
from linkrisk.protection import METHODS, Protection
from linkrisk.report.plain import sentences
from tests.assessment.samples import mixed_frames, numeric_frames

SMALL = 24
"""Records of a file that is searched in a moment."""

QUICK: dict[str, Any] = {
    "attackers": ["mean", "weighted_mean"],
    "scales": ["separate"],
    "trials": 8,
    "confirm": False,
    "secret_seed": 7,
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "method", [name for name, method in METHODS.items() if method.strength is not None and Kind.NUMERIC in method.kinds]
)
def test_the_target_is_kept_by_the_release_itself(method: str) -> None:
    """The file that would be released, attacked and measured again, has the figures that the tuning gives."""
    original, _ = numeric_frames(30)
    tuning = linkrisk.tune(original, method, 0.25, **{**QUICK, "trials": 10})
    assert tuning.best is not None
    assert tuning.release is not None
    assessed = linkrisk.assess(
        original,
        tuning.release.data,
        published=tuning.release,
        attackers=["mean", "weighted_mean", "informed"],
        scales=["separate"],
    )
    assert assessed.strongest is not None
    assert assessed.strongest.rate("expected") == tuning.best.rate <= 0.25
    assert loss_figure(pair_files(original, tuning.release.data)) == tuning.best.loss
    assert all(trial.loss >= tuning.best.loss for trial in tuning.trials if trial.is_reached)
    assert len(tuning.trials) <= 10


@pytest.mark.slow
def test_it_does_better_than_one_strength_for_all() -> None:
    """An attribute the attacker gains nothing from need not be protected as strongly as the others."""
    original, _ = numeric_frames(n_records=30)
    tuning = linkrisk.tune(original, "noise", 0.2, **{**QUICK, "trials": 16})
    assert tuning.best is not None
    uniform = [trial for trial in tuning.trials if len(set(trial.levels)) == 1 and trial.is_reached]
    assert tuning.best.loss < min(trial.loss for trial in uniform)


@cache
def noise_search() -> Tuning:
    """Return one search that several tests look at."""
    return linkrisk.tune(numeric_frames(SMALL)[0], "noise", 0.3, **QUICK)


@pytest.mark.slow
def test_same_seed_same_answer() -> None:
    """Trials, best and release repeat."""
    first, second = noise_search(), linkrisk.tune(numeric_frames(SMALL)[0], "noise", 0.3, **QUICK)
    assert first.to_dict() == second.to_dict()
    assert first.release is not None
    assert second.release is not None
    assert first.release.data.equals(second.release.data)


def test_the_seed_is_in_no_output() -> None:
    """Neither in the text nor in the JSON; the release keeps it as a secret."""
    original, _ = numeric_frames(SMALL)
    seed = 9182736455463728190
    tuning = linkrisk.tune(original, "rank_swap", 0.5, **{**QUICK, "secret_seed": seed})
    assert str(seed) not in str(tuning) + json.dumps(tuning.to_dict()) + repr(tuning.release)
    assert tuning.release is not None
    assert tuning.release.secret is not None
    assert tuning.release.secret.reveal() == seed


def test_ranks_are_permuted_not_swapped_in_pairs() -> None:
    """Pairs link hardly anybody by distances and give everybody away to who knows the method: they are not tuned."""
    original, _ = numeric_frames(SMALL)
    tuning = linkrisk.tune(original, "rank_swap", 1.0, **{**QUICK, "trials": 1})
    assert tuning.release is not None
    assert tuning.release.parameters["variant"] == "permutation"
    assert not any("pairs" in note for note in (*tuning.notes, *tuning.release.notes))


def trial(rate: float, loss: float, *, is_partial: bool = False, target: float = 0.3) -> Trial:
    """Make a trial of some risk and loss."""
    return Trial(0, (0,), f"{loss:g}", rate, rate, "mean, ranks", loss, is_partial, rate <= target)


def make_tuning(*trials: Trial) -> Tuning:
    """Put trials together as a search that found nothing to release does."""
    return Tuning("noise", "p", 0.3, Ties.EXPECTED, ("mean", "weighted_mean"), 60, trials, None, None)


def test_a_lower_limit_of_risk_is_on_no_front_and_pushes_none_off_it() -> None:
    """If all attackers attacked it, it could risk more than the release that it seems to beat."""
    whole, broken = trial(0.5, 20.0), trial(0.4, 10.0, is_partial=True)
    tuning = make_tuning(whole, broken, trial(0.2, 40.0))
    assert [(entry.rate, entry.loss) for entry in tuning.front] == [(0.5, 20.0), (0.2, 40.0)]
    assert [entry["rate"] for entry in tuning.to_dict()["front"]] == [0.5, 0.2]
    assert sum("^" in line for line in str(tuning).splitlines()) == 2  # on the map, and what it means
    only = make_tuning(broken, trial(0.45, 5.0, is_partial=True))
    assert only.front == ()
    assert "all leave at least 40.0%" in str(only)
    assert str(make_tuning(whole)).startswith("noise: 1 release of original (60 records) tried")
    assert "the safest leaves 50.0%" in str(make_tuning(whole, broken))


def test_a_search_keeps_broken_releases_off_the_front() -> None:
    """Where one attacker breaks a weak protection, the others are not run."""
    tuning = noise_search()
    assert any(entry.is_partial for entry in tuning.trials)
    assert not any(entry.is_partial for entry in tuning.front)


def test_the_original_is_no_release() -> None:
    """If the original reaches the target, the weakest protection is taken; a file that cannot change gets none."""
    original, _ = numeric_frames(SMALL)
    tuning = linkrisk.tune(original, "noise", 1.0, **QUICK)
    assert tuning.release is not None
    assert not tuning.release.data.equals(original)
    constant = pd.DataFrame({"a": [1.0] * 20, "b": [2.0] * 20})
    tuning = linkrisk.tune(constant, "mdav", 0.5, attackers=["mean"], scales=["ranks"], trials=4)
    assert tuning.release is None
    assert "none could be made and attacked" in str(tuning)
    assert "no value would change" in str(tuning)
    assert "a has the same value in every record" in str(tuning)


def test_a_target_out_of_reach() -> None:
    """Said in the advice, with nothing to release."""
    original, _ = numeric_frames(SMALL)
    tuning = linkrisk.tune(original, "noise", 0.0, **{**QUICK, "leave": ["AGI", "FEDTAX"], "trials": 6})
    assert tuning.best is None
    assert tuning.release is None
    assert "No release tried reaches the target" in str(tuning)
    assert tuning.to_dict()["best"] is None


def test_what_is_left_is_left_and_known_to_the_intruder() -> None:
    """Columns to leave keep their values, known to the intruder or not; so do words that are not named, with a note."""
    original, _ = numeric_frames(SMALL)
    original["remark"] = "x"
    settings = {**QUICK, "attributes": ["AFNLWGT", "EMCONTRB", "FEDTAX"], "leave": ["FEDTAX", "AGI"]}
    tuning = linkrisk.tune(original, "mdav", 1.0, **settings)
    assert tuning.release is not None
    released = tuning.release.data
    assert released[["AGI", "FEDTAX", "remark"]].equals(original[["AGI", "FEDTAX", "remark"]])
    assert not released["AFNLWGT"].equals(original["AFNLWGT"])
    assert "nothing is said about 'remark' (nominal): not protected here." in tuning.notes


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "numpy", "numbered", "file"])
def test_the_release_is_of_the_kind_that_was_given(kind: str, tmp_path: Path) -> None:
    """The same protected values whatever held the original."""
    frame, _ = numeric_frames(SMALL)
    frame.to_csv(tmp_path / "original.csv", index=False)
    given = {
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "pyarrow": pa.Table.from_pandas(frame),
        "numpy": frame.to_numpy(),
        "numbered": frame.set_axis(range(4), axis=1),
        "file": tmp_path / "original.csv",
    }[kind]
    release = noisy_release(given)
    if kind == "file":
        cells = np.column_stack([column.cells for column in release.data.columns])
    else:
        assert type(release.data) is type(given)
        cells = np.asarray(release.data)
    if kind in ("numpy", "numbered"):  # draws hang on the names of the columns
        assert cells.shape == frame.shape
        return
    assert (cells == expected_release().data.to_numpy()).all()


def noisy_release(given: Any) -> Protection:
    """Return what a short search releases."""
    release = linkrisk.tune(given, "noise", 0.3, **{**QUICK, "attackers": ["mean"], "trials": 3}).release
    assert release is not None
    return release


@cache
def expected_release() -> Protection:
    """Return what it releases of a frame of pandas."""
    return noisy_release(numeric_frames(SMALL)[0])


@pytest.mark.slow
@pytest.mark.parametrize("method", ["rank_swap", "noise", "correlated_noise"])
def test_the_release_of_an_array_is_the_one_attacked(method: str) -> None:
    """Draws depend on the names of columns: trials use the data as given, not a table with other names."""
    original = numeric_frames(SMALL)[0].to_numpy()
    tuning = linkrisk.tune(original, method, 0.3, **QUICK)
    assert tuning.best is not None
    assert tuning.release is not None
    assert loss_figure(pair_files(original, tuning.release.data)) == tuning.best.loss
    found = linkrisk.compare(
        original, {"release": tuning.release}, attackers=["mean", "weighted_mean"], scales=["separate"]
    )
    assert found.releases[0].risk.rate == tuning.best.rate


@pytest.mark.parametrize("method", ["rank_swap", "individual_ranking"])
def test_strengths_suit_the_attribute_with_most_holes(method: str) -> None:
    """Of 40 known values one percent is no rank, and no group has 50."""
    original = linkrisk.datasets.census_like(120, seed=1)[["AGI", "FEDTAX"]].astype(float)
    original.loc[40:, "AGI"] = np.nan
    options = {**QUICK, "attackers": ["mean"]}
    assert linkrisk.tune(original, method, 0.0, **options).trials  # to the top of the ladder
    assert linkrisk.tune(original, method, 1.0, **options).best is not None


def test_an_attacker_that_cannot_be_used_is_named() -> None:
    """Nothing is proven about him."""
    original = pd.DataFrame({"sex": ["f", "m"] * 10, "region": ["n", "s", "s", "e", "w"] * 4})
    options = {**QUICK, "attackers": ["mean", "mahalanobis"], "trials": 1}
    tuning = linkrisk.tune(original, "mdav", 1.0, **options)
    assert any("mahalanobis" in reason for reason in tuning.left_out)
    assert "\nLeft out: mahalanobis" in str(tuning)
    assert tuning.to_dict()["left_out"] == sentences(tuning.left_out)
    assert tuning.to_dict()["notes"] == sentences(tuning.notes)


def test_who_cannot_attack_does_not_end_the_confirmation() -> None:
    """A full measure over 12 attributes cannot be learned: nobody asked for choquet, and all trials would be lost."""
    values = np.random.default_rng(1).normal(size=(20, 12))
    threat = Threat.of(Attacking(attackers=["mean"]), 1.0).confirming(2.0)
    attacks = threat.attacks(pair_files(values, values + 1.0))
    attacks.check()
    assert any("choquet" in reason for reason in attacks.left_out)
    found = linkrisk.assess(values, values, attackers=["mean", "choquet"], scales=["separate"], one_to_one=False)
    assert [attack.name for attack in found.attacks] == ["mean"]
    assert "additivity" in found.left_out[0]


def test_groups_that_are_given_are_kept() -> None:
    """Only their k is searched."""
    original, _ = numeric_frames(SMALL)
    groups = [["AFNLWGT", "EMCONTRB"], ["AGI", "FEDTAX"]]
    tuning = linkrisk.tune(original, "mdav", 0.4, groups=groups, **QUICK)
    assert all(trial.text.startswith("AFNLWGT,EMCONTRB:") for trial in tuning.trials)
    assert [len(groups) for groups in group_sizes(list(original.columns))] == [1, 2, 2]


def test_lists_may_be_given_as_text_and_the_release_is_written(tmp_path: Path) -> None:
    """As the command line takes them; k in the groups is what is tuned."""
    original, _ = numeric_frames(SMALL)
    as_text = linkrisk.tune(original, "mdav", 1.0, groups="AFNLWGT,AGI;FEDTAX", leave="EMCONTRB", **QUICK)
    groups = [["AFNLWGT", "AGI"], ["FEDTAX"]]
    as_lists = linkrisk.tune(original, "mdav", 1.0, groups=groups, leave=["EMCONTRB"], **QUICK)
    assert as_text.to_dict() == as_lists.to_dict()
    assert as_text.release is not None
    as_text.release.write(tmp_path / "release.csv")
    written = pd.read_csv(tmp_path / "release.csv").astype(float)
    pd.testing.assert_frame_equal(written, as_text.release.data.astype(float))
    with pytest.raises(InputError, match="k is what is tuned"):
        linkrisk.tune(original, "mdav", 1.0, groups="AFNLWGT,AGI:3", **QUICK)


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("noise", {"raw": True}, r"noise takes no parameter raw \(--raw\)"),
        ("rounding", {}, "no strength that could be tuned"),
        ("nothing", {}, "no protection method 'nothing'"),
        ("noise", {"target_rate": 1.5}, "target_rate"),
        ("noise", {"leave": ["nobody"]}, "no column 'nobody'"),
        ("noise", {"attributes": ["AGI", "FEDTAX"]}, r"leaves 'AFNLWGT' \(numeric\), 'EMCONTRB' \(numeric\)"),
        ("noise", {"schema": {"attributes": {"AGI": {"role": "confidential"}}}}, r"leaves 'AGI' \(numeric\)"),
        ("noise", {"schema": {"attributes": {"AGI": {"role": "identifier"}}}}, r"an identifier \(column 'AGI'\)"),
        ("noise", {"leave": ["AFNLWGT", "AGI", "EMCONTRB", "FEDTAX"]}, "no attribute is left to protect"),
        ("noise", {"groups": [["AGI"]]}, r"leave out groups \(--groups\)"),
        ("mdav", {"groups": [["AGI"]]}, "AFNLWGT"),
        ("noise", {"trials": 0}, "trials"),
    ],
)
def test_mistakes_are_told_in_a_sentence(method: str, options: dict[str, Any], message: str) -> None:
    """Before anything is tried."""
    original, _ = numeric_frames(SMALL)
    settings = {"target_rate": 0.1, **QUICK, **options}
    with pytest.raises(InputError, match=message):
        linkrisk.tune(original, method, settings.pop("target_rate"), **settings)


def test_a_nominal_attribute_given_to_noise() -> None:
    """Refused with its name and what to do."""
    original, _ = mixed_frames()
    with pytest.raises(InputError, match=r"noise cannot protect 'region' \(nominal\)"):
        linkrisk.tune(original[["income", "region"]], "noise", 0.1, **QUICK)


def test_too_few_records() -> None:
    """Three records cannot be microaggregated."""
    with pytest.raises(ParameterError, match="too few"):
        linkrisk.tune(numeric_frames()[0].iloc[:3], "mdav", 0.1, **QUICK)


def test_who_did_not_learn_is_named() -> None:
    """In the text, in the sentence that says what to release, and in the JSON."""
    found = noise_search()
    assert found.best is not None
    named = replace(found, unlearned=("owa (ranks)",), best=replace(found.best, is_confirmed=True))
    assert "Not learned: owa (ranks) contain no distance that links a quarter of the target" in " ".join(
        str(named).split()
    )
    assert "The strongest of all attackers but those not learned links" in " ".join(str(named).split())
    assert named.to_dict()["unlearned"] == ["owa (ranks)"]
    assert "Not learned" not in str(found)


@pytest.mark.slow
def test_weak_attackers_wait_for_the_confirmation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who found little of the first release that all attacked attacks again only what is confirmed; that is said."""
    original = numeric_frames(SMALL)[0].iloc[:, :3]
    asked: dict[str, Any] = {"attackers": ["mean", "kernel"], "scales": ["separate"], "trials": 6, "secret_seed": 7}
    steps: list[str] = []
    monkeypatch.setattr(SilentReporter, "step", lambda _, label: steps.append(label))
    monkeypatch.setattr(risk, "USUAL", 0.2)
    monkeypatch.setattr(trials, "MANY_RECORDS", 10**9)
    usual = linkrisk.tune(original, "noise", 0.3, time_limit=0.1, confirm=False, **asked)
    assert usual.put_off == ()
    assert "Put off" not in str(usual)
    monkeypatch.setattr(trials, "MANY_RECORDS", 1)
    monkeypatch.setattr(risk, "WEAK", 2.0)  # everybody who does not know the method
    steps.clear()
    tuning = linkrisk.tune(original, "noise", 0.3, time_limit=0.1, **asked)
    assert tuning.put_off == ("kernel (separate)", "mean (separate)")
    assert "Put off: kernel (separate); mean (separate) found less than three quarters" in str(tuning)
    assert tuning.to_dict()["put_off"] == list(tuning.put_off)
    searched = [step for step in steps if step.startswith("trial") and step.endswith("kernel on scale separate")]
    assert len(searched) == 1
    confirmed = [step for step in steps if step.startswith("confirming")]
    assert any(step.endswith("kernel on scale separate") for step in confirmed)
    assert any(step.endswith("kernel on scale ranks") for step in confirmed)


@pytest.mark.parametrize(("asked", "twice", "longer"), [(2.0, 4.0, 10.0), (8.0, 16.0, None), (None, math.inf, None)])
def test_within_reach_a_release_is_confirmed_with_the_time_of_an_assessment(
    asked: float | None, twice: float | None, longer: float | None
) -> None:
    """Twice the time of the search; in reach of the target that of an assessment: noise on Census stood too soon."""
    threat = Threat.of(Attacking(), asked).confirming(2.0)
    assert threat.plan.learning.time_limit == twice
    assert (threat.longer.time_limit if threat.longer else None) == longer
    assert {attacker.name for attacker in threat.attackers} == set(ATTACKERS)


def test_who_breaks_a_release_learns_first_on_the_next() -> None:
    """Only who learned, and only with what he learned; the order of the others stays."""
    files = pair_files(*numeric_frames(n_records=80))
    threat = Threat.of(Attacking(attackers=["mean", "weighted_mean"]), 0.2)
    found = risk.attack_release(files, threat)
    after = threat.after(found, 0.0)
    assert {name for name, _ in after.first} == {"weighted_mean"}
    assert set(after.learned) == {("weighted_mean", scale) for scale in threat.scales}
    starts = after.attacks(files)._earlier
    assert [(start.comparison.scale, start.links) for start in starts] == [(scale, math.inf) for scale in threat.scales]
    assert threat.after(found, 1.0).first == ()
    assert after.after(found, 1.0).first == after.first


def test_weak_is_who_finds_less_than_three_quarters() -> None:
    """Not who knows the method, nor who learned and had time to search: bounds and most risks come from them."""
    original, protected = numeric_frames(n_records=80)
    files = pair_files(original, protected)
    threat = Threat.of(Attacking(attackers=["mean", "mahalanobis0", "weighted_mean"]), 0.2)
    found = risk.attack_release(files, threat)
    weak = risk.weak_attacks(found)
    for result in found.attacks:
        is_given = result.name in {"mean", "mahalanobis0"}
        is_weak = is_given and result.rate(found.ties) < 0.75 * found.rate
        assert ((result.label, result.scale) in weak) == is_weak
    assert not found.hurried
    hurried = replace(found, hurried=frozenset({("weighted_mean", Scale.RANKS)}))
    strongest = replace(found.strongest, links=dict.fromkeys(Ties, 1000000000.0))
    ahead = replace(hurried, attacks=(*hurried.attacks, replace(strongest, label="ahead")))
    assert ("weighted_mean", Scale.RANKS) in risk.weak_attacks(ahead)
    assert ("weighted_mean", Scale.SEPARATE) not in risk.weak_attacks(ahead)
    others = risk.attack_release(files, replace(threat, put_off=frozenset({("mean", Scale.RANKS)})))
    assert [(each.label, each.scale) for each in found.attacks if (each.label, each.scale) != ("mean", "ranks")] == [
        (each.label, each.scale) for each in others.attacks
    ]


@pytest.mark.parametrize("ties", list(Ties))
def test_no_chains_where_informed_breaks_a_release(ties: Ties) -> None:
    """What is enough decides as the whole attack does; where it is not reached, nothing is left out."""
    original = linkrisk.datasets.census_like(120, seed=3)[["AGI", "FEDTAX", "PTOTVAL"]]
    release = linkrisk.protect(original, "noise", p=30, secret_seed=5)
    files = pair_files(original, release.data)
    threat = Threat.of(Attacking(attackers=["informed"], ties=ties), 0.1)
    threat = threat.informed_by(Description.of_protection(release))
    whole = risk.attack_release(files, threat)
    assert whole.bayes is not None
    broken = risk.attack_release(files, threat, enough=whole.rate / 2)
    assert broken.is_partial
    assert whole.rate / 2 < broken.rate
    assert broken.bayes is None
    assert broken.notes == (SHORT,)
    kept = risk.attack_release(files, threat, enough=0.99)
    assert (kept.rate, kept.bayes, kept.is_partial, kept.notes) == (whole.rate, whole.bayes, False, whole.notes)

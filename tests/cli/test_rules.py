"""Release rules: the exit code and the sentence that say whether a file may be released."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import linkrisk
from linkrisk import ReleaseRules
from linkrisk.assessment.options import AssessmentFile
from linkrisk.attack.rules import UNKNOWN_BOUND, WITH_MARGIN, Figure
from linkrisk.errors import SettingsError
from tests.assessment.samples import numeric_frames
from tests.cli.command import linkrisk_command

QUICK = ("--attackers", "mean", "--scales", "separate")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Return an original and a file with little noise, most of whose people are found."""
    paths = tmp_path / "o.csv", tmp_path / "p.csv"
    for frame, path in zip(numeric_frames(), paths, strict=True):
        frame.to_csv(path, index=False)
    return paths


def test_a_rule_that_is_just_kept_is_kept() -> None:
    """1 of 20 is not more than 0.05, whatever floating point says; the largest figure is named."""
    rules = ReleaseRules(max_rate=0.05)
    assert rules.broken([Figure(1 / 20, "mean links")], []) == []
    assert rules.broken([Figure(0.06, "kernel links"), Figure(0.07, "mean links")], []) == [
        "max_rate (--max-rate) allows 5.0%, and mean links 7.0% of the people"
    ]
    assert ReleaseRules().broken([Figure(1.0, "mean links")], []) == []


def test_what_is_not_ruled_out_breaks_the_rule_on_bounds() -> None:
    """A bound that is not known cannot be kept; a rate that is found is below no bound."""
    rules = ReleaseRules(max_bound=0.1)
    assert rules.broken([Figure(0.05, "mean links")], []) == [UNKNOWN_BOUND]
    assert rules.broken([Figure(0.05, "mean links")], [Figure(0.1, "owa can link")]) == []
    assert "owa can link 11.0%" in rules.broken([], [Figure(0.11, "owa can link")])[0]
    assert "mean links 12.0%" in rules.broken([Figure(0.12, "mean links")], [Figure(0.1, "owa can link")])[0]


def test_one_figure_that_breaks_both_rules_is_told_once() -> None:
    """Two sentences that say the same are read as two faults; different figures are two."""
    rules = ReleaseRules(max_rate=0.05, max_bound=0.1)
    found, possible = Figure(0.2, "mean links"), Figure(0.3, "owa can link")
    (told,) = rules.broken([found], [Figure(0.15, "owa can link")])
    limits = "max_rate (--max-rate) allows 5.0% and max_bound (--max-bound) allows 10.0%"
    assert told == f"{limits}, and mean links 20.0% of the people"
    assert len(rules.broken([found], [possible])) == 2
    assert rules.broken([found], [])[1:] == [UNKNOWN_BOUND]


def test_rules_that_cannot_be_checked_are_broken() -> None:
    """With a margin, or if somebody who was asked for did not attack; without a rule nothing is said."""
    found = linkrisk.assess(*numeric_frames(), attackers=["mean"], scales=["separate"], one_to_one=False)
    rules = ReleaseRules(max_rate=1.0)
    assert found.broken(rules) == []
    without = replace(found, settings={**found.settings, "attackers": ["mean", {"name": "owa"}]})
    assert without.broken(rules) == ["release rules cannot be checked: owa was asked for and did not attack"]
    assert without.broken(ReleaseRules()) == []
    assert replace(found, settings={"learning": {"margin": 0.1}}).broken(rules) == [WITH_MARGIN]
    with pytest.raises(SettingsError, match="margin"):
        AssessmentFile(max_bound=0.1, margin=0.1)


def test_assess_ends_as_the_rules_say(files: tuple[Path, Path], tmp_path: Path) -> None:
    """1 and a sentence where one is broken, after everything is shown and written; 0 where all are kept."""
    broken = linkrisk_command("assess", *files, *QUICK, "--max-rate", 0.05, "--json", tmp_path / "r.json")
    assert broken.code == 1
    assert "linkrisk: max_rate (--max-rate) allows 5.0%, and mean" in broken.errors
    assert "The strongest intruder finds" in broken.output
    assert (tmp_path / "r.json").exists()
    kept = linkrisk_command("assess", *files, *QUICK, "--max-rate", 1)
    kept.check_success()
    assert "Release rules kept: max_rate 100.0%." in kept.output
    unknown = linkrisk_command("assess", *files, *QUICK, "--max-bound", 0.5)
    assert (unknown.code, "no bound is known" in unknown.errors) == (1, True)
    linkrisk_command("assess", *files, "--max-rate", 5).check_mistake("--max-rate must be a number from 0 to 1")


def test_rules_are_keys_of_an_assessment_file(files: tuple[Path, Path], tmp_path: Path) -> None:
    """With the names they have in Python."""
    text = 'original = "o.csv"\nprotected = "p.csv"\nattackers = ["mean"]\nscales = ["separate"]\nmax_rate = 0.05\n'
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    assert files[0].exists()
    outcome = linkrisk_command("run", tmp_path / "a.toml")
    assert outcome.code == 1
    assert "max_rate (--max-rate)" in outcome.errors


def test_compare_names_the_release_that_breaks_a_rule(files: tuple[Path, Path]) -> None:
    """Rules hold for every release."""
    outcome = linkrisk_command("compare", *files, *QUICK, "--max-rate", 0.05)
    assert outcome.code == 1
    assert "linkrisk: p.csv: max_rate (--max-rate) allows 5.0%" in outcome.errors


def test_compare_cannot_check_rules_without_somebody_who_was_asked_for() -> None:
    """Mahalanobis needs numbers: on words alone it does not attack, and that is no good news."""
    frame = linkrisk.datasets.census_like(30, seed=1)[["AGI"]].astype(str) + " words"
    found = linkrisk.compare(frame, {"same": frame}, attackers=["mean", "mahalanobis"], scales=["separate"])
    rules = ReleaseRules(max_rate=1.0)
    assert found.broken(rules) == [
        "same: release rules cannot be checked: mahalanobis was asked for and did not attack"
    ]
    assert found.broken(ReleaseRules()) == []

"""A protection given as the protected file, and a plan as what is published, tell the intruder how it was made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import linkrisk
from linkrisk.data import pair_files
from linkrisk.errors import InputError
from linkrisk.informed.options import Describing
from tests.cli.command import linkrisk_command
from tests.protection.test_plan import PLAN, people

QUICK: dict[str, Any] = {"attackers": ["mean"], "scales": ["ranks"], "ordinal": "school"}


def test_a_protection_stands_for_its_file_and_its_record() -> None:
    """The same as its data with what is published; who publishes something else is believed."""
    original = people()
    release = linkrisk.protect(original, plan=PLAN, ordinal="school", secret_seed=3)
    whole = linkrisk.assess(original, release, **QUICK)
    apart = linkrisk.assess(original, release.data, published=release, **QUICK)
    assert [attack.links for attack in whole.attacks] == [attack.links for attack in apart.attacks]
    assert [attack.name for attack in whole.attacks] == ["mean", "informed"]
    by_text = linkrisk.assess(original, release.data, plan=PLAN, **QUICK)
    assert by_text.attacks[-1].links == whole.attacks[-1].links
    assert linkrisk.loss(original, release, ordinal="school").to_dict() == (
        linkrisk.loss(original, release.data, ordinal="school").to_dict()
    )


def test_a_plan_describes_the_attributes_that_both_files_have() -> None:
    """Rest, and strengths left open, as they are in a plan; columns that are not compared tell nothing."""
    original = people()
    release = linkrisk.protect(original, plan=PLAN, ordinal="school", secret_seed=3)
    files = pair_files(original, release, ordinal="school", attributes=["age", "sex", "school", "zip"])
    told = Describing(plan="age,income: mdav; sex,region: pram 0.8; id: drop; rest: leave").description(files)
    assert told is not None
    assert [str(part) for part in told.treatments] == ["mdav of age (groups = age, income)", "pram of sex (keep = 0.8)"]
    assert (told.left, told.dropped) == (("school", "zip"), ("id",))
    with pytest.raises(InputError, match="by published and by plan; keep one"):
        Describing(plan="age: mdav 5", published=release).description(files)
    with pytest.raises(InputError, match="names none of the attributes"):
        Describing(plan="other: mdav 5; id: drop").description(files)


def test_a_plan_in_an_assessment_file_and_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As text, or as a file beside the assessment file."""
    people().to_csv(tmp_path / "original.csv", index=False)
    linkrisk.protect(people(), plan=PLAN, ordinal="school", secret_seed=3).write(tmp_path / "protected.csv")
    steps = '[[step]]\ncolumns = ["age", "income"]\nmethod = "mdav"\nk = 5\n'
    (tmp_path / "plan.toml").write_text(steps)
    common = 'original = "original.csv"\nprotected = "protected.csv"\nattackers = ["mean"]\nscales = ["ranks"]\n'
    (tmp_path / "run.toml").write_text(f'{common}plan = "plan.toml"\nattributes = ["age", "income"]\n')
    monkeypatch.chdir(tmp_path.parent)
    by_file = linkrisk_command("run", tmp_path / "run.toml")
    by_file.check_success()
    assert "informed" in by_file.output
    monkeypatch.chdir(tmp_path)
    by_text = linkrisk_command(
        *("assess", "original.csv", "protected.csv", "--attackers", "mean", "--scales", "ranks"),
        *("--attributes", "age,income", "--plan", "age,income: mdav k=5; rest: leave"),
    )
    by_text.check_success()
    assert "informed" in by_text.output

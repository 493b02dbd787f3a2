"""Tuning a plan: what it leaves open is searched, what it gives is kept, and the result is a plan."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk.advice.space import space_of_plan
from linkrisk.attack.reporter import SilentReporter
from linkrisk.data.attributes import Kind
from linkrisk.errors import InputError, ParameterError
from linkrisk.protection import read_plan
from linkrisk.protection.ladders import Material, detail
from linkrisk.protection.planning.tasks import settle_plan
from linkrisk.protection.values.columns import Column
from linkrisk.protection.values.frame import Frame
from tests.cli.command import linkrisk_command

QUICK: dict[str, Any] = {"attackers": ["mean"], "scales": ["separate"], "confirm": False, "secret_seed": 7}
SCHEMA = {"attributes": {"school": {"kind": "ordinal"}}}
PLAN = "age,income: mdav; sex,region: pram; school: generalise; wage: rounding 20000; id: drop"


def people(n_records: int = 40) -> pd.DataFrame:
    """Make a small file of all kinds."""
    generator = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "id": range(n_records),
            "age": generator.integers(18, 90, n_records),
            "income": generator.lognormal(8, 1, n_records).round(),
            "wage": generator.lognormal(8, 1, n_records).round(),
            "sex": generator.choice(["f", "m"], n_records),
            "region": generator.choice(list("nsew"), n_records),
            "school": generator.integers(1, 6, n_records),
        }
    )


def test_every_open_step_and_column_is_a_unit() -> None:
    """A group is one, and so is each column of a method that treats columns one by one; what is given is none."""
    tasks = settle_plan(Frame.of(people(), SCHEMA), read_plan(PLAN))
    space = space_of_plan(tasks)
    assert [unit.names for unit in space.units] == [("age", "income"), ("sex",), ("region",), ("school",)]
    assert [unit.ladder[0] for unit in space.units] == [2, 0.98, 0.98, 2]
    assert space.evenly(0) == [0, 0, 0, 0]
    assert space.evenly(space.top) == [unit.top for unit in space.units]
    plan = space.at([1, 0, 3, 0]).plan
    assert str(plan) == (
        "age,income: mdav k=3; sex,region: pram keep=sex:0.98,region:0.9; school: generalise into=2; "
        "wage: rounding base=20000; id: drop"
    )
    assert str(space.at([0, 2, 2, 1]).plan).startswith("age,income: mdav k=2; sex,region: pram keep=0.92; school: ge")


@pytest.mark.slow
def test_the_plan_it_prints_makes_the_file_it_attacked() -> None:
    """From the same seed; all columns are named, and the target is kept."""
    original = people()
    tuning = linkrisk.tune(original, plan=PLAN, target_rate=0.6, trials=6, schema=SCHEMA, **QUICK)
    assert tuning.best is not None
    assert tuning.release is not None
    assert tuning.is_planned
    assert tuning.best.rate <= 0.6
    options: dict[str, Any] = {"attackers": ["mean", "informed"], "scales": ["separate"], "schema": SCHEMA}
    assessed = linkrisk.assess(original, tuning.release, **options)
    assert assessed.strongest is not None
    assert assessed.strongest.rate("expected") == tuning.best.rate
    again = linkrisk.protect(original, plan=tuning.best.text, schema=SCHEMA, secret_seed=7)
    assert again.data.equals(tuning.release.data)
    assert again.columns == tuning.release.columns
    assert [each.column for each in again.columns] == list(original.columns)
    assert f"by the plan {tuning.best.text}" in str(tuning)
    assert all("wage: rounding base=20000; id: drop" in trial.text for trial in tuning.trials)
    assert not any("id" in note for note in tuning.notes)


@pytest.mark.slow
def test_pram_alone_is_tuned_as_other_methods_are() -> None:
    """Its strength is the probability to keep a category, for each attribute its own."""
    original = people()[["sex", "region"]]
    tuning = linkrisk.tune(original, "pram", 0.15, trials=8, **QUICK)
    assert tuning.best is not None
    assert tuning.release is not None
    keep = dict(part.split(":") for part in tuning.best.text.split(","))
    again = linkrisk.protect(original, "pram", keep={name: float(share) for name, share in keep.items()}, secret_seed=7)
    assert again.data.equals(tuning.release.data)


def test_what_a_column_can_be_generalised_into() -> None:
    """Round widths up to the range; runs of categories; nominal categories only by name."""
    incomes = Column("income", Kind.NUMERIC, np.array([0.0, 1.0, 5.0, 900.0, np.nan]))
    widths = detail(Material(4, (incomes,)))
    assert widths == (2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0)
    school = Column("school", Kind.ORDINAL, np.array([0.0, 1, 2, 3]), ("a", "b", "c", "d"))
    assert detail(Material(4, (school,))) == (2, 3, 4)
    assert detail(Material(3, (Column("x", Kind.NUMERIC, np.array([7.0, 7.0])),))) == (1.0,)
    with pytest.raises(ParameterError, match="'region', which is nominal; say in the plan"):
        detail(Material(2, (Column("region", Kind.NOMINAL, np.array([0.0, 1]), ("n", "s")),)))


MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "nothing open": ({"plan": "age: noise 5; rest: drop"}, "leaves no strength open"),
    "not covered": ({"plan": "age: noise"}, "says nothing about id, income, wage, sex, region, school"),
    "both": ({"plan": "age: noise; rest: leave", "method": "noise"}, "keep one"),
    "neither": ({}, "nothing says how to protect"),
    "beside": ({"plan": "age: noise; rest: leave", "drop": "sex"}, r"drop \(--drop\) is given beside plan"),
    "no target": ({"plan": "age: noise; rest: leave", "target_rate": None}, "target_rate must be a number"),
    "rest": ({"plan": "age: noise; rest: leave"}, "would release 'id' .*write 'id,income,wage,school: leave'"),
    "nominal": ({"plan": "sex: generalise; rest: drop"}, "generalise cannot be tuned for column 'sex'"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_in_a_sentence(name: str) -> None:
    """Before anything is tried."""
    options, message = MISTAKES[name]
    with pytest.raises(InputError, match=message):
        linkrisk.tune(people(), **{"target_rate": 0.5, **QUICK, **options})


def test_the_command_it_prints_runs_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan with all columns, and how the file is read."""
    monkeypatch.chdir(tmp_path)
    people().to_csv("people.csv", index=False)
    outcome = linkrisk_command(
        *("tune", "people.csv", "--plan", "age,income: individual_ranking; school: rank_swap; rest: drop"),
        *("--target-rate", 1, "--trials", 1, "--no-confirm", "--attackers", "mean", "--scales", "separate"),
        *("--ordinal", "school"),
    )
    outcome.check_success()
    (line,) = [line for line in outcome.output.splitlines() if line.startswith("To make it: ")]
    assert "--plan 'age,income: individual_ranking k=" in line
    linkrisk_command(*shlex.split(line.removeprefix("To make it: linkrisk "))).check_success()
    assert list(pd.read_csv("protected.csv").columns) == ["age", "income", "school"]


class Listener(SilentReporter):
    """Keeps the steps that are told."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[str] = []

    def step(self, label: str) -> None:
        """Keep one."""
        self.steps.append(label)


def test_progress_tells_trials_and_no_plans() -> None:
    """A plan is as long as a report; trials are told by their numbers."""
    listener = Listener()
    options = {**QUICK, "confirm": True, "time_limit": 0.1, "trials": 3, "attributes": ["age", "sex"]}
    plan = "age: noise; sex: pram; income,wage,region,school: leave; id: drop"
    linkrisk.tune(people(), plan=plan, target_rate=1.0, reporter=listener, **options)
    assert "trial 1 of at most 3: protecting" in listener.steps
    assert any(step.startswith("confirming trial ") for step in listener.steps)
    assert not [step for step in listener.steps if "leave" in step]


def test_faults_of_what_is_proposed_are_told() -> None:
    """Whole numbers of which noise gives every digit back are no protection, however few are linked."""
    file = pd.DataFrame({"wage": 1000.0 * np.arange(1, 41), "age": np.arange(40) % 7 + 20.0})
    options = {**QUICK, "trials": 4, "confirm": True, "time_limit": 0.1}
    found = linkrisk.tune(file, plan="wage: noise p=0.5; age: mdav", target_rate=1.0, numeric=["age"], **options)
    assert found.release is not None
    of_assess = linkrisk.assess(file, found.release.data, attackers=["mean"], numeric=["age"]).faults
    assert {fault.kind for fault in found.faults} == {fault.kind for fault in of_assess} >= {"restored by rounding"}
    assert str(found).startswith(f"FAULT: {found.faults[0].message}")
    assert "mend the faults" in str(found)
    assert found.to_dict()["faults"][0]["kind"] == found.faults[0].kind

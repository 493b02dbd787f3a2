"""The risk of each record, and of each attribute."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk.attackers import Kernel, Mean
from linkrisk.linkage import Ties
from tests.assessment.samples import mixed_frames, numeric_frames


@pytest.mark.parametrize("ties", ["unique", "class", "expected"])
def test_records_sum_to_the_links(ties: str) -> None:
    """Flags add up to the links of their attack, expected ones shared among twins."""
    original, protected = numeric_frames(noise=1.0)
    assessment = linkrisk.assess(original, protected.round(-4), ties=ties, one_to_one=False)
    assert assessment.records is not None
    for attack, record in zip(assessment.attacks, assessment.records.attacks, strict=True):
        assert (attack.label, attack.scale) == (record.label, record.scale)
        assert record.found.sum() == pytest.approx(attack.found())
        if attack.one_to_one is None:  # else some are found by the other way
            assert record.found.sum() == pytest.approx(attack.links[Ties(ties)])
            assert ((record.found > 0.0) == record.is_linked).all()


@pytest.mark.parametrize("ties", ["unique", "class", "expected"])
@pytest.mark.parametrize("attacker", ["weighted_mean", "choquet", "bilinear_psd", "bilinear_free"])
def test_records_of_learned_attackers_sum_to_the_links(attacker: str, ties: str) -> None:
    """Where distances are equal up to rounding, and where twins are seen farther: one exact count for all."""
    whole = np.random.default_rng(1).integers(-4, 5, (12, 2)).astype(float)
    near_twins = np.array([[-1.0], [0.0], [1.0]]), np.array([[-1.9340435159553702], [1.9340435159562497], [30.0]])
    ties_of_forms = np.array([[1, 2, 0, 0, -2, -5, -4, 0], [0, 5, 0, 2, 2, 3, 0, -2]]).T * 1.0
    for original, protected in [
        near_twins,
        (whole, whole + np.random.default_rng(2).integers(-1, 2, whole.shape)),
        (ties_of_forms, ties_of_forms[::-1] + 1.0),
    ]:
        assessment = linkrisk.assess(original, protected, attackers=[attacker], scales=["original"], ties=ties)
        attack, record = assessment.attacks[0], assessment.records.attacks[0]
        assert record.found.sum() == pytest.approx(attack.found())
        assert assessment.records.columns()["linked_by_attackers"].tolist() == record.is_linked.tolist()
        assert assessment.records.columns()["highest_chance"].tolist() == record.found.tolist()


def test_margins_tell_by_how_much() -> None:
    """Linked records have a positive margin, beaten ones a negative, tied ones none; untouched ones 1."""
    original, protected = numeric_frames(noise=1.0)
    protected.iloc[:5] = original.iloc[:5]
    records = linkrisk.assess(original, protected, attackers=["mean", "kernel"], own_ranks=True).records
    assert records is not None
    for attack in records.attacks:
        assert (attack.margin[attack.is_linked] > 0).all()
        assert (attack.margin[~attack.is_linked & (attack.tied == 0)] < 0).all()
        assert (np.abs(attack.margin) <= 1).all()
        assert attack.rank is not None
        assert ((attack.rank == 1) == (attack.is_linked | (attack.tied > 0))).all()
        if attack.scale == "original":
            assert (attack.margin[:5] == 1).all()


def test_ties_have_no_margin() -> None:
    """A record with a copy of its protected version is tied with it: margin 0, one twin."""
    frame = pd.DataFrame({"a": [1.0, 1.0, 5.0], "b": [2.0, 2.0, 9.0]})
    records = linkrisk.assess(frame, frame, attackers=["mean"], scales=["separate"], ties="unique").records
    assert records is not None
    assert records.attacks[0].margin.tolist() == [0.0, 0.0, 1.0]
    assert records.attacks[0].twins.tolist() == [1, 1, 0]
    assert records.attacks[0].is_linked.tolist() == [False, False, True]


def test_columns_of_records_without_counterpart_and_by_id() -> None:
    """Records are named by their id; one without counterpart has neither link nor margin nor rank."""
    original, protected = numeric_frames()
    original.insert(0, "who", [f"p{i}" for i in range(60)])
    protected.insert(0, "who", [f"p{i}" for i in range(60)])
    assessment = linkrisk.assess(original, protected.iloc[::-2], id="who", attackers=["mean", "kernel"], own_ranks=True)
    assert assessment.records is not None
    columns = assessment.records.columns()
    assert columns["record"].tolist() == original["who"].tolist()
    absent = ~columns["has_counterpart"].astype(bool)
    assert absent.sum() == 30 == assessment.n_pairs
    assert not columns["mean.ranks.linked"][absent].any()
    assert np.isnan(columns["mean.ranks.margin"][absent].astype(float)).all()
    assert (columns["mean.ranks.rank"][absent] == 0).all()
    either = [columns[f"{name}.{scale}.linked"] for name in ("mean",) for scale in ("separate", "original", "ranks")]
    assert (columns["linked_by_attackers"] >= np.any(either, axis=0)).all()
    assert columns["linked_by_attackers"].max() <= 2


def test_two_attackers_of_one_name_are_told_apart() -> None:
    """Kernels of two degrees have columns, lines of the table and entries of the JSON file of their own."""
    original, protected = numeric_frames()
    kernels = [Kernel(degree=1), Kernel(degree=3)]
    assessment = linkrisk.assess(original, protected, attackers=kernels, scales=["ranks"])
    assert assessment.records is not None
    columns = assessment.records.columns()
    for label, attack in zip(("kernel (degree 1)", "kernel (degree 3)"), assessment.attacks, strict=True):
        assert columns[f"{label}.ranks.linked"].sum() == attack.links[Ties.UNIQUE]
        assert f"\n{label}  ranks" in str(assessment)
        assert label in [attack["label"] for attack in assessment.to_dict()["attackers"]]
    linked = np.array([record.is_linked for record in assessment.records.attacks])
    assert (columns["linked_by_attackers"] == linked.sum(axis=0)).all()


def test_one_attacker_given_twice_has_two_labels() -> None:
    """One object, two attacks: in the table, the records and in scenarios."""
    original, protected = numeric_frames()
    kernel = Kernel(degree=2)
    scenarios = [linkrisk.Scenario("few", ("AGI", "FEDTAX"))]
    assessment = linkrisk.assess(
        original, protected, attackers=[kernel, kernel, Mean(), "mean"], scales=["ranks"], scenarios=scenarios
    )
    labels = ["kernel (degree 2)", "kernel (degree 2) #2", "mean", "mean #2"]
    assert [attack.label for attack in assessment.attacks] == labels
    assert [attack.label for attack in assessment.scenarios[0].attacks] == labels
    assert assessment.records is not None
    assert [record.label for record in assessment.records.attacks] == labels
    assert {f"{label}.ranks.linked" for label in labels} <= set(assessment.records.columns())


def test_attribute_table_equals_separate_runs() -> None:
    """Links of one attribute alone, and of all except one, are those of an assessment of just these attributes."""
    original, protected = mixed_frames()
    original, protected = original.drop(columns="illness"), protected.drop(columns="illness")
    whole = linkrisk.assess(original, protected, attackers=["mean"], scales=["original", "ranks"])

    def links(names: list[str]) -> object:
        run = linkrisk.assess(original, protected, attributes=names, attackers=["mean"], scales=[whole.attribute_scale])
        return run.attacks[0].links

    for risk in whole.attributes:
        assert risk.alone == links([risk.name])
        assert risk.without == links([name for name in original.columns if name != risk.name])
        assert risk.distinct_original == original[risk.name].nunique()
        assert risk.distinct_protected == protected[risk.name].nunique()
        kept = (original[risk.name] == protected[risk.name])[original[risk.name].notna()]
        assert risk.unchanged == pytest.approx(kept.mean())


def test_holes_are_not_unchanged_values() -> None:
    """A value that was never there cannot be protected: the share is that of the values there were."""
    original = pd.DataFrame({"age": [31.0, 40.0, None, None], "job": ["a", None, None, None]})
    protected = pd.DataFrame({"age": [31.0, 44.0, None, 50.0], "job": ["b", None, "c", None]})
    found = linkrisk.assess(original, protected, attackers=["mean"], scales=["ranks"])
    assert [risk.unchanged for risk in found.attributes] == [0.5, 0.0]
    assert [entry["unchanged"] for entry in found.to_dict()["attribute_table"]] == [0.5, 0.0]


def test_a_single_attribute_has_nothing_without_it() -> None:
    """With one attribute there is no other to leave out."""
    original, protected = numeric_frames()
    risks = linkrisk.assess(original, protected, attributes=["AGI"], attackers=["mean"]).attributes
    assert [(risk.name, risk.without) for risk in risks] == [("AGI", None)]

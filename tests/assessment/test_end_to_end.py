"""Whole assessments: mixed data, scales that differ, files of different lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkrisk
from linkrisk.attack.reporter import SilentReporter
from linkrisk.attackers import OWA
from linkrisk.errors import ColumnError, PairingError, ParameterError, SettingsError
from linkrisk.linkage import Ties
from tests.assessment.samples import MIXED_SCHEMA, mixed_frames, numeric_frames


@pytest.mark.slow
def test_mixed_file() -> None:
    """Every kind takes part, holes and all; attackers that need numbers say what they leave out."""
    assessment = linkrisk.assess(*mixed_frames(), schema=MIXED_SCHEMA, one_to_one=True, own_ranks=True, time_limit=0.1)
    kinds = {risk.name: risk.kind for risk in assessment.attributes}
    assert kinds == {"income": "numeric", "region": "nominal", "school": "ordinal", "job": "text", "born": "date"}
    assert len(assessment.attacks) == 19
    assert assessment.attacks[0].links[Ties.UNIQUE] > 40
    assert any("mahalanobis" in note and "region" in note for note in assessment.notes)


def test_labels_only() -> None:
    """Without numbers the attackers that need them are left out, and asking for them alone is a mistake."""
    original, protected = mixed_frames()
    names = ["region", "job"]
    assessment = linkrisk.assess(original, protected, attributes=names)
    assert {attack.name for attack in assessment.attacks} == {
        "mean",
        "distance_standardised",
        "informed",
        "weighted_mean",
    }
    assert any("kernel needs numeric" in reason for reason in assessment.left_out)
    told = (
        "Left out: mahalanobis needs numeric",
        "Likewise: mahalanobis0, kernel.",
        "Who finds",
        "The strongest attack",
    )
    places = [str(assessment).index(text) for text in told]
    assert places == sorted(places)
    assert any("kernel needs numeric" in reason for reason in assessment.to_dict()["left_out"])
    with pytest.raises(ParameterError, match=r"kernel needs numeric .* choose mean"):
        linkrisk.assess(original, protected, attributes=names, attackers=["kernel"])


def test_a_top_coded_file_looks_safe_on_one_scale_and_falls_on_another() -> None:
    """Shrunken extremes shift the scaled values of all others, but not their order (DESIGN: 13 of 400 against all)."""
    rng = np.random.default_rng(8)
    original = np.exp(2.0 * rng.normal(size=(400, 3)))
    protected = np.minimum(original, np.quantile(original, 0.95, axis=0))
    attacks = {a.scale: a.links[Ties.UNIQUE] for a in linkrisk.assess(original, protected, attackers=["mean"]).attacks}
    assert attacks["ranks"] > 350
    assert attacks["ranks"] > 3 * attacks["separate"]


def test_different_lengths_by_id() -> None:
    """Strangers on both sides are counted as such; rates are over the people who are in both."""
    original, protected = numeric_frames()
    for frame in (original, protected):
        frame.insert(0, "who", [f"p{i:02}" for i in range(60)])
    assessment = linkrisk.assess(original.iloc[:50], protected.iloc[20:].sample(frac=1, random_state=1), id="who")
    assert (assessment.n_original, assessment.n_protected, assessment.n_pairs) == (50, 40, 30)
    assert all(attack.n_pairs == 30 and attack.links[Ties.UNIQUE] <= 30 for attack in assessment.attacks)
    assert all(attack.chance == pytest.approx(30 / 40) for attack in assessment.attacks)
    text = " ".join(assessment.notes)
    assert "20 of 50 records" in text
    assert "10 of 40 records" in text


@pytest.mark.slow
def test_order_of_records_does_not_matter() -> None:
    """Pairing by id, by list, and by row give the same answers on the same people."""
    original, protected = numeric_frames()
    order = np.random.default_rng(2).permutation(60)
    expected = [a.links for a in linkrisk.assess(original, protected).attacks]
    numbers = np.column_stack([order + 1, np.arange(60) + 1])
    by_list = linkrisk.assess(original, protected.iloc[order], pairs=numbers)
    for frame in (original, protected):
        frame.insert(0, "who", np.arange(60))
    by_id = linkrisk.assess(original, protected.iloc[order], id="who")
    assert [a.links for a in by_list.attacks] == expected == [a.links for a in by_id.attacks]


def test_columns_named_differently() -> None:
    """A renamed column equals a file with the same names."""
    original, protected = numeric_frames()
    renamed = protected.rename(columns={"AGI": "renta"})
    expected = linkrisk.assess(original, protected, attackers=["mean"])
    found = linkrisk.assess(original, renamed, renamed={"AGI": "renta"}, attackers=["mean"])
    assert [a.links for a in found.attacks] == [a.links for a in expected.attacks]
    assert found.attribute_names == expected.attribute_names


def test_given_parameters() -> None:
    """Attackers with parameters, by name or as objects, are evaluated with them and report them."""
    original, protected = numeric_frames()
    weights = [0.1, 0.2, 0.3, 0.4]
    by_name = linkrisk.assess(original, protected, attackers=[{"name": "owa", "weights": weights}])
    by_object = linkrisk.assess(original, protected, attackers=[OWA(weights)])
    assert [a.links for a in by_name.attacks] == [a.links for a in by_object.attacks]
    assert "weights" in by_name.attacks[0].parameters


@pytest.mark.parametrize(
    ("settings", "kind", "words"),
    [
        ({"attackers": ["meen"]}, ParameterError, "did you mean 'mean'"),
        ({"attackers": []}, SettingsError, "attackers must name at least one attacker"),
        ({"scales": ["foo"]}, SettingsError, "scales must be some of separate, original, ranks"),
        ({"ties": "foo"}, SettingsError, "ties must be one of unique, class, expected"),
        ({"seed": -1}, SettingsError, "seed must be a whole number"),
        ({"seed": 1.5}, SettingsError, "seed must be a whole number"),
        ({"threads": 0}, SettingsError, "threads must be a whole number from 1 to 4096"),
    ],
)
def test_settings_are_checked_before_the_files_are_read(settings: dict[str, Any], kind: type, words: str) -> None:
    """A wrong setting is told although the files do not exist."""
    with pytest.raises(kind, match=words):
        linkrisk.assess("gone.csv", "gone.csv", **settings)


def test_parameters_are_checked_before_any_work() -> None:
    """A weight that is no number is told before the first attack, also when its attacker comes last."""
    original, protected = numeric_frames()
    weights = [float("nan"), 0.5, 0.25, 0.25]
    with pytest.raises(ParameterError, match="weight 1 is not a finite number"):
        linkrisk.assess(original, protected, attackers=["mean", {"name": "owa", "weights": weights}], reporter=Lazy())


class Lazy(SilentReporter):
    """Fails when an attack begins."""

    def step(self, label: str) -> None:
        """Fail."""
        raise AssertionError(label)

    def progress(self, done: int, total: int) -> None:
        """Fail."""
        raise AssertionError(f"{done} of {total}")


def test_values_too_far_apart_to_be_compared() -> None:
    """A protected file in a wildly different unit is told of, not turned into infinite distances."""
    original, protected = numeric_frames()
    protected["AGI"] = np.linspace(-1e300, 1e300, 60)
    with pytest.raises(ColumnError, match=r"column 'AGI' has a value too far from the mean .* in row 1"):
        linkrisk.assess(original, protected)
    assert linkrisk.assess(original, protected, scales=["separate", "ranks"]).is_complete


def test_nobody_in_both_files() -> None:
    """Without a single true pair there is no risk to speak of."""
    original, protected = numeric_frames()
    original.insert(0, "who", np.arange(60))
    protected.insert(0, "who", np.arange(60, 120))
    with pytest.raises(PairingError, match="no id in common"):
        linkrisk.assess(original, protected, id="who")


def test_an_attacker_left_out_for_the_size_of_the_file_stands_above_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the text and the JSON, and in the error where nobody is left."""
    monkeypatch.setattr("linkrisk.learning.learn.MAX_RECORDS", 50)
    found = linkrisk.assess(*numeric_frames(), attackers=["mean", "choquet"], scales=["ranks"])
    reason = "choquet is learned on at most 50 original records"
    before, table, *_ = str(found).split("\n\n")
    assert before.splitlines()[-1].startswith(f"Left out: {reason}")
    assert table.startswith("Who finds how many")
    assert [entry.startswith(reason) for entry in found.to_dict()["left_out"]] == [True]
    with pytest.raises(ParameterError, match=reason):
        linkrisk.assess(*numeric_frames(), attackers=["choquet"], scales=["ranks"])


def test_twins_do_not_hide_risk() -> None:
    """Where every protected record has four copies nothing says zero: links in expectation are found everywhere."""
    original, _ = numeric_frames(100)
    protected = linkrisk.protect(original, "mdav", k=5).data
    found = linkrisk.assess(original, protected, attackers=["mean", "weighted_mean"], scales=["separate"], time_limit=2)
    assert found.ties is Ties.EXPECTED
    for attack in found.attacks:
        assert attack.links[Ties.UNIQUE] == 0
        assert attack.links[Ties.EXPECTED] == attack.claims[0].correct > 2.0
    learned = found.attacks[1]
    assert found.attacks[0].links[Ties.EXPECTED] <= learned.links[Ties.EXPECTED] <= (learned.bound or 0.0) <= 20.0
    assert all(risk.alone[found.ties] > 0.0 for risk in found.attributes)
    assert " links 0 of " not in str(found)
    unique = linkrisk.assess(original, protected, attackers=["median", "mean"], scales=["separate"], ties="unique")
    assert unique.strongest is not None
    assert unique.strongest.name == "mean"  # although neither makes a unique link

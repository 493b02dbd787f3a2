"""What links and classes tell of confidential attributes, against double loops and by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import linkrisk
from linkrisk.assessment.diversity import diversity
from linkrisk.attack.disclosure import WIDTH, Disclosure, disclosures
from linkrisk.attackers import Mean, Median
from linkrisk.data import pair_files
from linkrisk.data.attributes import Attribute, Kind
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences import make_comparison
from linkrisk.linkage.matching.scores import PairScores
from linkrisk.linkage.nearest_class import likeliest_classes, nearest_classes
from linkrisk.linkage.search import nearest
from tests.assessment.samples import MIXED_SCHEMA, mixed_frames
from tests.linkage.files import label_column, mixed_file_pairs, paired
from tests.linkage.twins import make_twin
from tests.oracle.disclosure import diversity as slow_diversity
from tests.oracle.disclosure import learned_values
from tests.oracle.linking import is_nearer

MEAN: dict[str, Any] = {"attackers": ["mean"], "scales": ["separate"]}
CONFIDENTIAL = {"attributes": {"illness": {"role": "confidential"}}}


def known(values: Any) -> list[Any]:
    """Return values with None where one is missing."""
    return [None if pd.isna(value) else value for value in values.tolist()]


@st.composite
def confidential_columns(draw: st.DrawFn, n_original: int, n_protected: int) -> tuple[ColumnPair, ColumnPair]:
    """Draw a nominal and a numeric attribute with holes and a few values each."""

    def cells(values: Any, hole: Any, n_records: int) -> list[Any]:
        return draw(st.lists(st.sampled_from([*values, hole]), min_size=n_records, max_size=n_records))

    labels = label_column("illness", Kind.NOMINAL, *(cells("abc", None, n) for n in (n_original, n_protected)))
    numbers = [np.array(cells((0.0, 1.0, 40.0), np.nan, n)) for n in (n_original, n_protected)]
    return labels, ColumnPair(Attribute("debt", Kind.NUMERIC), numbers[0], numbers[1])


def nearest_by_hand(files: FilePair, attacker: Any) -> list[list[int]]:
    """Return for each original record all protected ones that are equally near, exactly."""
    twin = make_twin(attacker, make_comparison(files), files)
    far = [[twin.distance(i, j) for j in range(files.n_protected)] for i in range(files.n_original)]
    return [[j for j, x in enumerate(row) if not is_nearer(min(row), x)] for row in far]


@pytest.mark.slow
@settings(deadline=None, max_examples=60)  # the first call loads compiled kernels
@given(mixed_file_pairs(), st.data(), st.sampled_from([Mean(), Median()]))
def test_confidential_values_equal_the_double_loop(files: FilePair, data: st.DataObject, attacker: Any) -> None:
    """Categories and numbers, holes on both sides, ties with twins and with strangers, people without counterpart."""
    columns = data.draw(confidential_columns(files.n_original, files.n_protected))
    distance = attacker.distance(make_comparison(files))
    classes = nearest_classes(distance, nearest(distance))
    by_hand = nearest_by_hand(files, attacker)
    for column, found in zip(columns, disclosures(classes, files.own, columns), strict=True):
        original, protected = known(column.original), known(column.protected)
        if all(value is None for value in original):
            assert (found.picked, found.guessed, found.certain_true, found.before) == (None, None, None, None)
            continue
        twin = learned_values(by_hand, files.own.tolist(), original, protected, found.width)
        assert (found.people, found.certain, found.certain_true) == (twin.people, twin.certain, twin.certain_true)
        assert found.picked == pytest.approx(float(twin.picked))
        assert found.guessed == pytest.approx(float(twin.guessed))
        assert (found.before, found.certain_alone) == (twin.before, twin.certain_alone)


def test_a_class_of_one_value_is_certain_whoever_is_who() -> None:
    """Six people in two clusters of three: one has flu alone, the other flu twice and cancer once."""
    original = pd.DataFrame({"age": [30, 31, 32, 60, 61, 62], "illness": ["flu"] * 5 + ["cancer"]})
    protected = original.assign(age=[31, 31, 31, 61, 61, 61])
    for ties in ("unique", "class", "expected"):
        found = linkrisk.assess(original, protected, schema=CONFIDENTIAL, ties=ties, **MEAN)
        # The second cluster: 2/3 for each of two people, 1/3 for the third; whoever says flu is right for five.
        assert found.attacks[0].disclosures == (Disclosure("illness", 6, 3, 3, 0, 3 + 5 / 3, 5.0, 5),)
    assert found.attacks[0].links == {"unique": 0, "class": 6, "expected": 2.0}
    assert found.diversity[0].n_homogeneous == 3


def test_a_number_is_learned_within_a_part_of_its_deviation() -> None:
    """Incomes of one class that are a little apart count as one value; what is farther does not."""
    original = pd.DataFrame({"age": [30, 30, 60, 60], "income": [100.0, 101.0, 500.0, 900.0]})
    width = WIDTH * original["income"].std()
    assert 1.0 < width < 400.0
    schema = {"attributes": {"income": {"role": "confidential"}}}
    (found,) = linkrisk.assess(original, original, schema=schema, **MEAN).attacks[0].disclosures
    assert found.width == pytest.approx(width)
    assert replace(found, width=None) == Disclosure("income", 4, 2, 2, 0, 3.0, 3.0, 2)


def test_released_holes_tell_nothing() -> None:
    """A class with a hole is not certain, and picking the hole is no true value."""
    original = pd.DataFrame({"age": [30, 30, 60, 60], "illness": ["flu", "flu", "cancer", "cancer"]})
    protected = original.assign(illness=pd.Series(["flu", None, None, None], dtype=object))
    (found,) = linkrisk.assess(original, protected, schema=CONFIDENTIAL, **MEAN).attacks[0].disclosures
    assert found == Disclosure("illness", 4, 0, 0, 0, 1.0, 2.0, 2)


def test_values_the_original_does_not_hold() -> None:
    """Nobody can tell whether they are true, but a class may have a single one."""
    original, protected = mixed_frames()
    found = linkrisk.assess(original.drop(columns="illness"), protected, schema=MIXED_SCHEMA, **MEAN)
    (disclosure,) = found.attacks[0].disclosures
    assert (disclosure.certain_true, disclosure.picked, disclosure.guessed, disclosure.before) == (None,) * 4
    assert disclosure.people == 80
    assert 0 < disclosure.certain <= 80


def test_only_people_of_the_scenario_are_counted() -> None:
    """In a scenario the people are those the intruder knows."""
    original, protected = mixed_frames()
    scenario = linkrisk.Scenario("three", people=[1, 2, 80])
    found = linkrisk.assess(original, protected, schema=MIXED_SCHEMA, scenarios=[scenario], **MEAN)
    assert found.scenarios[0].attacks[0].disclosures[0].people == 3


def test_the_likeliest_records_are_a_class() -> None:
    """Of an intruder with probabilities: who is as likely belongs to the class, the next is outside."""
    scores = PairScores(np.array([0, 2, 4, 5]), np.array([0, 1, 0, 1, 1]), np.zeros(5), n_original=3)
    classes = likeliest_classes(scores, np.log([0.4, 0.5, 0.4, 0.1, 0.4]))
    assert classes.pairs.original.tolist() == [0, 0, 1]
    assert classes.pairs.group.tolist() == [0, 1, 0]
    assert classes.is_alike.tolist() == [True, True, False]
    assert classes.is_single.tolist() == [False, True, False]
    assert classes.following == pytest.approx([np.inf, -np.log(0.4), np.inf])


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([None, 1, 2, 5, 9])), min_size=2, max_size=20))
def test_diversity_equals_the_slow_twin(rows: list[tuple[int, int | None]]) -> None:
    """Distinct, entropy, ordered and equal distance; holes are in no class."""
    assume(any(value is not None for _, value in rows))
    keys, values = [key for key, _ in rows], [value for _, value in rows]
    numbers = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    labels = [None if value is None else str(value) for value in values]
    key = ColumnPair(Attribute("key", Kind.NUMERIC), np.array(keys, dtype=float), np.array(keys, dtype=float))
    ordinal = Attribute("ordinal", Kind.ORDINAL, order=("9", "5", "2", "1"))
    columns = (
        ColumnPair(Attribute("numeric", Kind.NUMERIC), numbers, numbers),
        label_column("nominal", Kind.NOMINAL, labels, labels),
        ColumnPair(ordinal, np.array(labels, dtype=object), np.array(labels, dtype=object)),
    )
    files = paired([key])
    found = diversity(FilePair(files.columns, files.own, files.n_original, files.n_protected, confidential=columns))
    for entry in found:
        distinct, entropy, closeness, homogeneous = slow_diversity(
            keys, values, is_ordered=entry.attribute != "nominal"
        )
        assert (entry.distinct, entry.n_homogeneous) == (distinct, homogeneous)
        assert entry.entropy == pytest.approx(entropy)
        assert entry.closeness == pytest.approx(float(closeness), abs=1e-12)


def test_closeness_as_its_paper_works_it_out() -> None:
    """Salaries 3k to 11k: classes {3k, 4k, 5k} and {6k, 8k, 11k} are 0.375 and 0.167 from the file (Li et al. 2007)."""
    salaries = [3, 4, 5, 6, 11, 8, 7, 9, 10]
    keys = [1, 1, 1, 2, 2, 2, 3, 3, 3]
    schema = {"attributes": {"salary": {"role": "confidential"}}}
    for kept, t in (((1,), 0.375), ((2,), 0.167)):
        # Records outside the class under test become a single class that is nearer to the file.
        data = pd.DataFrame({"key": [key if key in kept else 0 for key in keys], "salary": salaries})
        assert diversity(pair_files(data, data, schema=schema))[0].closeness == pytest.approx(t, abs=5e-4)


def test_the_report_has_both_tables() -> None:
    """In the text, the JSON and nowhere if there is nothing confidential."""
    original, protected = mixed_frames()
    result = linkrisk.assess(original, protected, schema=MIXED_SCHEMA, **MEAN)
    text, contents = result.to_text(), result.to_dict()
    assert "Confidential values: what a link tells" in text
    assert "l-diversity and t-closeness" in text
    assert "The attack that tells most of " in str(result)
    assert contents["diversity"][0]["distinct_l"] == result.diversity[0].distinct
    assert contents["attackers"][0]["confidential_values"][0]["true_picked"] > 40
    nothing = linkrisk.assess(original[["income"]], protected[["income"]], **MEAN)
    assert "Confidential values" not in nothing.to_text()
    assert "The attack that tells most" not in str(nothing)

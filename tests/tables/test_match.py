"""Matches judged: found, ranked, held against the truth, and what tables give away."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk import match
from linkrisk.errors import InputError
from linkrisk.tables import (
    categorical_population,
    draw_sample,
    make_evidence,
    make_table_description,
    publish_table,
)
from linkrisk.tables.truth import judge, rank_correlation
from linkrisk.tables.unique_matches import unique_matches
from tests.tables.worked_example import FIRST, POPULATION, SECOND, rounded

PEOPLE = categorical_population(1500, {"region": 6, "trade": 25, "age": 12, "sex": 2, "home": 4}, seed=1)
PARTS = ["region", "trade", "age", "sex"], ["trade", "age", "sex", "home"]


def samples(n: int = 250, **options: Any) -> list[pd.DataFrame]:
    """Return two samples of the generated people."""
    return [draw_sample(PEOPLE, n, list(part), seed=seed, **options) for seed, part in enumerate(PARTS)]


@pytest.mark.slow
@given(st.lists(st.sampled_from("abcde"), min_size=1, max_size=12), st.lists(st.sampled_from("abcde"), min_size=1))
def test_unique_matches_occur_once_in_every_sample(first: list[str], second: list[str]) -> None:
    """Found by counting, and the records are those that have them."""
    frames = [pd.DataFrame({"x": first, "a": "1"}), pd.DataFrame({"x": second, "b": "1"})]
    found = unique_matches(make_evidence(frames, population=1000))
    counts = [Counter(first), Counter(second)]
    expected = {label for label in counts[0] if counts[0][label] == counts[1][label] == 1}
    assert {first[row] for row in found.records[:, 0]} == expected
    assert {second[row] for row in found.records[:, 1]} == expected
    assert len(found) == len(expected)


def test_the_worked_example() -> None:
    """The third record of the first sample and the fifth of the second; 0.20 said, 1/8 true."""
    people = POPULATION.loc[POPULATION.index.repeat(POPULATION["count"])].drop(columns="count")
    report = match({"first": FIRST, "second": SECOND}, [rounded()], population=18, truth=people, posterior="paper")
    columns = report.matches.columns()
    assert columns["record in first"].tolist() == [3]
    assert columns["record in second"].tolist() == [5]
    assert (columns["naive_low"][0], columns["naive_high"][0]) == (4, 13)
    assert (columns["exact_low"][0], columns["exact_high"][0]) == (4, 11)
    assert columns["probability"][0] == pytest.approx(0.20, abs=0.005)
    assert columns["true_count"].tolist() == [8]
    assert report.judgement is not None
    assert report.judgement.true_correct == 1 / 8
    assert report.tables[0].enters == "bounds"
    assert report.tables[0].effect is not None
    assert report.tables[0].effect.expected_correct == pytest.approx(0.36, abs=0.005)


def test_exact_tables_of_the_overlap_tell_everything() -> None:
    """The probability is one over the count, whatever the samples say."""
    exact = publish_table(PEOPLE, ["trade", "age", "sex"], "exact")
    report = match(samples(), [exact], population=1500, truth=PEOPLE, bounds="naive", posterior="paper")
    assert report.matches.true_count is not None
    assert report.matches.probability == pytest.approx(1.0 / report.matches.true_count)
    assert report.judgement is not None
    assert report.judgement.ranks.spearman == pytest.approx(1.0)


def test_three_samples() -> None:
    """A match of three is right with probability 1 / c^2."""
    third = draw_sample(PEOPLE, 300, ["trade", "age", "sex", "region"], seed=8)
    exact = publish_table(PEOPLE, ["trade", "age", "sex"], "exact")
    options: dict[str, Any] = {"population": 1500, "truth": PEOPLE, "bounds": "naive", "posterior": "paper"}
    report = match([*samples(400), third], [exact], **options)
    assert report.matches.true_count is not None
    assert report.matches.probability == pytest.approx(1.0 / report.matches.true_count.astype(float) ** 2)


def test_a_table_more_helps_the_intruder() -> None:
    """Rank correlation with the truth, and the role of each table."""
    tables = [
        publish_table(PEOPLE, ["trade", "age", "sex"], "random_rounding", base=5, seed=2),
        publish_table(PEOPLE, ["region", "trade"], "exact"),
        publish_table(PEOPLE, ["region", "home"], "exact"),
    ]
    report = match(samples(), tables, population=1500, truth=PEOPLE, bounds="naive", posterior="paper")
    assert [role.enters for role in report.tables] == ["posterior", "bounds", "nothing"]
    first = report.tables[0].effect
    assert first is not None
    assert report.effect.spearman is not None
    assert first.spearman is not None
    assert report.effect.spearman > first.spearman
    unused = report.tables[2].effect
    assert unused == report.effect
    assert any("no attribute of the overlap" in note for note in report.notes)
    sums = match(samples(), tables, population=1500, posterior="sums", bounds="naive")
    assert [role.enters for role in sums.tables] == ["posterior", "posterior", "nothing"]


def test_a_candidate_is_judged_without_being_used() -> None:
    """The report is that without it; its effect is that of adding it."""
    old = publish_table(PEOPLE, ["trade", "age", "sex"], "random_rounding", base=5, seed=2)
    new = publish_table(PEOPLE, ["trade", "age", "sex"], "exact", name="new")
    options: dict[str, Any] = {"population": 1500, "bounds": "naive", "posterior": "paper"}
    report = match(samples(), [old], candidate=new, **options)
    alone = match(samples(), [old], **options)
    both = match(samples(), [old, new], **options)
    assert report.effect == alone.effect
    assert report.candidate is not None
    assert report.candidate.effect == both.effect
    assert "If new (exact) were published too" in str(report)


def test_a_candidate_with_a_category_of_its_own() -> None:
    """What nobody knows without it does not enter the figures without it."""
    first = pd.DataFrame({"a": ["r"] + ["s"] * 9, "c": "c"})
    second = pd.DataFrame({"a": ["r"] + ["s"] * 8, "d": "d"})
    shown = pd.DataFrame({"a": ["s", "s"], "x": ["p", "q"], "count": [15, 12]})  # zeros left out
    old = make_table_description(shown, mechanism="rounded", base=3, name="old")
    counts = pd.DataFrame({"x": ["p", "q", "w"], "count": [15, 14, 1]})
    new = make_table_description(counts, mechanism="exact", name="new")
    alone = match([first, second], [old], population=30, bounds="naive")
    report = match([first, second], [old], population=30, candidate=new, bounds="naive")
    both = match([first, second], [old, new], population=30, bounds="naive")
    assert report.effect == alone.effect
    assert report.matches.naive_high.tolist() == [2]
    assert report.candidate is not None
    assert report.candidate.effect == both.effect
    assert both.matches.naive_high.tolist() == [3]


def test_outcomes_by_person() -> None:
    """With ids the Brier score is that of what happened, without them that of what was to be expected."""
    options: dict[str, Any] = {"population": 1500, "truth": PEOPLE, "bounds": "naive", "posterior": "paper"}
    by_person = match(samples(id_name="who"), id="who", **options).judgement
    expected = match(samples(), **options).judgement
    assert by_person is not None
    assert expected is not None
    assert by_person.is_by_person
    assert not expected.is_by_person
    assert by_person.true_correct == int(by_person.true_correct)
    assert by_person.ranks == expected.ranks


def test_probabilities_held_against_outcomes() -> None:
    """Brier score and reliability of a small example, by hand."""
    found = judge(np.array([0.05, 0.95, 0.95]), np.array([0.5, 0.5, 1.0]), np.array([0.0, 1.0, 0.0]))
    assert found.brier == pytest.approx((0.0025 + 0.0025 + 0.9025) / 3)
    assert [(entry.low, entry.n_matches, entry.true) for entry in found.reliability] == [(0.0, 1, 0.0), (0.9, 2, 0.5)]
    constant = rank_correlation(np.array([0.5, 0.5 + 1e-13]), np.array([0.1, 0.2]))
    assert math.isnan(constant.spearman)


def test_nothing_of_a_record_is_in_text_and_json() -> None:
    """Rows of the samples are told in the text, for the user; the JSON holds figures and names of tables only."""
    report = match(samples(), population=1500, bounds="naive", posterior="paper")
    contents = json.dumps(report.to_dict())
    assert "record" not in contents
    assert "trade1" not in contents + str(report)
    assert repr(report.matches) == f"<MatchTable of {report.n_matches} matches, confidential>"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"posterior": "best"}, "posterior must be one of"),
        ({"bounds": "wide"}, "bounds must be one of"),
        ({"confident": [1.5]}, "probabilities"),
        ({"time_limit": -1.0}, "time_limit"),
        ({"truth": PEOPLE.iloc[:10]}, "10 people"),
        ({"truth": PEOPLE.drop(columns="age")}, "no column 'age'"),
        ({"truth": PEOPLE.assign(age="age1")}, "nobody with a combination"),
    ],
)
def test_mistakes(options: dict[str, Any], words: str) -> None:
    """One sentence each."""
    with pytest.raises(InputError, match=words):
        match(samples(), population=1500, **{"bounds": "naive", **options})


def test_no_unique_match() -> None:
    """Said in a sentence."""
    first, second = samples()
    with pytest.raises(InputError, match="no unique match"):
        match([pd.concat([first, first]), second], population=1500)


@pytest.mark.parametrize("bounds", ["naive", "exact"])
def test_contradictions_are_named(bounds: str) -> None:
    """The smallest set of tables and samples that no population has, and no other table."""
    ages = sorted(PEOPLE["age"].unique())
    counts = [1] * (len(ages) - 1) + [1500 - len(ages) + 1]
    wrong = make_table_description(pd.DataFrame({"age": ages, "count": counts}), mechanism="exact", name="wrong")
    harmless = publish_table(PEOPLE, ["region"], "exact", name="harmless")
    with pytest.raises(InputError, match="contradict") as found:
        match(samples(), [wrong, harmless], population=1500, bounds=bounds)
    assert "wrong" in str(found.value)
    assert "harmless" not in str(found.value)


def test_a_candidate_may_be_a_frame() -> None:
    """It is taken for an exact table then; a description says otherwise."""
    described = publish_table(PEOPLE, ["trade", "age"], "exact")
    options: dict[str, Any] = {
        "population": len(PEOPLE),
        "bounds": "naive",
        "contributions": False,
        "posterior": "paper",
    }
    plain = match(samples(), [], candidate=described.source, **options).candidate
    told = match(samples(), [], candidate=described, **options).candidate
    assert plain is not None
    assert told is not None
    assert plain.effect == told.effect


SMALL = {"first": FIRST, "second": SECOND}
"""The samples of the worked example, of a population of 18."""


def test_the_posterior_is_exact_where_that_can_be_had() -> None:
    """The default: dynamic programming on the worked example; what it is worth stands on screen and in the JSON."""
    report = match(SMALL, [rounded()], population=18)
    asked = match(SMALL, [rounded()], population=18, posterior="exact")
    assert report.posterior == "exact"
    assert report.effect == asked.effect
    assert report.effect.expected_correct == pytest.approx(0.15, abs=0.005)  # docs/guide/match.md
    assert report.worth in str(report)
    assert "dynamic programming, exact" in report.worth
    assert report.to_dict()["worth"] == report.worth
    assert all(role.enters == "posterior" for role in report.tables)


def test_the_papers_posterior_stands_in_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many combinations: all evidence is judged the paper's way, and that is said; who asked for exact is told."""
    paper = match(SMALL, [rounded()], population=18, posterior="paper")
    assert "Caution" in str(paper)
    assert "the exact one by posterior (--posterior)" in paper.worth
    monkeypatch.setattr("linkrisk.tables.posterior.exact.make_atoms", lambda *_: None)
    report = match(SMALL, [rounded()], population=18)
    assert (report.posterior, report.effect, report.worth) == ("paper", paper.effect, paper.worth)
    assert [role.effect for role in report.tables] == [role.effect for role in paper.tables]
    assert "too many combinations" in report.notes[0]
    assert "the paper's stands in" in str(report)
    with pytest.raises(InputError, match="too many combinations"):
        match(SMALL, [rounded()], population=18, posterior="exact")


def test_no_time_for_an_exact_posterior(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chains that had no time do not agree."""
    monkeypatch.setattr("linkrisk.tables.posterior.exact._by_programme", lambda *_: {})
    report = match(SMALL, [rounded()], population=18, time_limit=0.0, contributions=False)
    assert report.posterior == "paper"
    assert "time_limit (--time-limit)" in report.notes[0]


def test_a_column_that_is_different_in_every_record_is_noticed() -> None:
    """An id that was not named as one counts as an attribute, and that is said; one that was named, is none."""
    frames = samples(id_name="who")
    options: dict[str, Any] = {"population": 1500, "bounds": "naive", "posterior": "paper"}
    report = match([frames[0], frames[1].drop(columns="who")], **options)
    assert "column 'who' is different in every record" in report.notes[0]
    assert "--id" in report.notes[0]
    assert not any("'who'" in note for note in match(frames, id="who", **options).notes)
    assert not any("different in every record" in note for note in match(SMALL, population=18).notes)

"""What charts of an assessment carry is what the assessment says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import linkrisk
from linkrisk.attack.course import CoursePoint
from linkrisk.errors import NoChartError
from linkrisk.report import charts
from linkrisk.report.charts.figures.groups import GroupRow
from linkrisk.report.charts.figures.values import MOST_CATEGORIES, MOST_POINTS, OTHERS, Moves, Points, values_of
from linkrisk.report.few import SMALLEST
from tests.oracle.frequencies import told_counts
from tests.report.charts.samples import assessed, people, plainly_assessed, rows_of, texts

PLAINLY: dict[str, Any] = {"attackers": ["mean"], "scales": ["ranks"]}


@pytest.mark.slow  # makes what all share
def test_attackers_on_their_best_scales() -> None:
    """Bars, intervals and marks are the figures of the strongest attack of each label, the strongest first."""
    found = assessed()
    bars = rows_of(charts.attackers(found), "attacker", "rate")
    assert {bar["attacker"] for bar in bars} == {attack.label for attack in found.attacks}
    for bar in bars:
        own = [attack for attack in found.attacks if attack.label == bar["attacker"]]
        best = next(attack for attack in own if attack.scale == bar["scale"])
        assert best.found() == max(attack.found() for attack in own) == bar["found"]
        assert bar["rate"] == pytest.approx(best.found() / found.n_pairs)
        assert (bar["low"], bar["high"]) == (best.interval or (None, None))
        assert bar["is_fitted"] is best.has_true_pairs
        marks = [row for row in rows_of(charts.attackers(found), "mark", "at") if row["label"] == bar["label"]]
        told = {"proven bound": best.bound and best.bound / found.n_pairs, "any intruder": best.bayes}
        told["held out"] = None if best.holdout is None else best.holdout.rate
        assert {mark["mark"]: mark["at"] for mark in marks} == {k: v for k, v in told.items() if v is not None}
    assert [bar["found"] for bar in bars] == sorted((bar["found"] for bar in bars), reverse=True)
    assert rows_of(charts.attackers(found), "blind") == [{"blind": found.attacks[0].chance / found.n_pairs}]


def test_attributes_alone_and_without() -> None:
    """Shares of all people; of a sample its own rate with an interval, and the count with all as a rule."""
    found = plainly_assessed()
    chart = charts.attributes(found)
    for bar, risk in zip(rows_of(chart, "attribute", "alone"), found.attributes, strict=True):
        drawn = risk.without_sample
        assert drawn is not None
        assert (bar["attribute"], bar["alone"]) == (risk.name, risk.alone[found.ties] / found.n_pairs)
        assert (bar["without"], bar["low"], bar["high"]) == (drawn.rate(found.ties), *drawn.interval(found.ties))
    plain = next(attack for attack in found.attacks if attack.scale == found.attribute_scale)
    assert rows_of(chart, "whole") == [{"whole": plain.links[found.ties] / found.n_pairs}]
    counted = assessed()
    for bar, risk in zip(rows_of(charts.attributes(counted), "attribute", "alone"), counted.attributes, strict=True):
        assert risk.without is not None
        assert (bar["without"], bar["low"]) == (risk.without[counted.ties] / counted.n_pairs, None)


def test_only_ranks_of_what_was_learned_are_shared() -> None:
    """Ranks go by the learned values, which are told in the confidential form alone."""
    found = assessed()
    shared, inner = charts.Attributes.of(found), charts.Attributes.of(found, parameters=True)
    assert shared is not None
    assert inner is not None
    assert (shared.is_confidential, inner.is_confidential) == (False, True)
    assert all(row.learned is None for row in shared.rows)
    values = [row.learned for row in inner.rows]
    told = [attack.meaning[key] for attack in found.attacks for key in ("weights", "shapley") if key in attack.meaning]
    assert {row.attribute: row.learned for row in inner.rows} in told
    order = sorted(range(len(values)), key=lambda place: -(values[place] or 0.0))
    assert [shared.rows[place].rank for place in order] == sorted(row.rank or 0 for row in shared.rows)


def test_margins_of_the_strongest_attack() -> None:
    """All bins for the owner; for others none of few people, on either side of the links, whose number is known."""
    found = assessed()
    shared, inner = charts.Margins.of(found), charts.Margins.of(found, confidential=True)
    assert shared is not None
    assert inner is not None
    strongest = found.strongest
    assert strongest is not None
    record = next(r for r in found.records.attacks if (r.label, r.scale) == (strongest.label, strongest.scale))
    margin = record.margin
    for each in inner.bins.bins:
        is_last = each.high == 1.0
        inside = (margin >= each.low) & ((margin < each.high) | (is_last & (margin <= 1.0)))
        assert each.people == (inside & ~((margin == 0.0) & (each.low == 0.0))).sum()
    assert inner.n_nearer == (margin > 0.0).sum() == sum(each.people or 0 for each in inner.bins.bins if each.low >= 0)
    for side in (True, False):
        bins = [each for each in shared.bins.bins if (each.low >= 0.0) is side]
        numbers = [int(((margin > b.low) & (margin <= b.high)).sum()) if b.people is None else b.people for b in bins]
        told = told_counts(numbers, [each.people is None for each in bins])
        assert sum(numbers) < SMALLEST or not any(0 < count < SMALLEST for count in told)
    assert {row["people"] for row in rows_of(charts.margins(found, confidential=True), "low", "people")} == {
        each.people for each in inner.bins.bins
    }


def test_margins_of_an_attack_by_name() -> None:
    """By its label, or by label and scale; one that was not made is refused by a sentence."""
    found = assessed()
    by_label, by_place = charts.Margins.of(found, "mean"), charts.Margins.of(found, "mean, ranks")
    assert by_label == by_place
    assert by_label is not None
    assert by_label.attack == "mean, ranks"
    with pytest.raises(NoChartError, match="no such attack"):
        charts.margins(found, "nobody")


def test_records_by_their_chance() -> None:
    """Everybody who could be found is in a bin; the mean is not told where a bin is hidden."""
    found = assessed()
    inner = charts.Records.of(found, confidential=True)
    assert inner is not None
    chances = found.records.highest_chance
    assert sum(each.people or 0 for each in inner.bins.bins) == found.n_pairs
    assert inner.bins.bins[-1].people == (chances >= 0.9).sum()
    assert inner.mean == pytest.approx(chances.mean())
    few = replace(found.records.attacks[0], found=(np.arange(len(chances)) < 3).astype(np.float64))
    shared = charts.Records.of(replace(found, records=replace(found.records, attacks=(few,))))
    assert shared is not None
    assert shared.bins.n_hidden == len(shared.bins.bins)
    assert shared.mean is None
    assert "average" not in shared.caption


@pytest.mark.slow
def test_permuting_records_leaves_what_is_shared_unchanged() -> None:
    """The bytes of every picture for others are the same, whoever is who."""
    found = assessed()
    order = np.random.default_rng(2).permutation(len(found.records.has_counterpart))
    mixed = tuple(
        replace(each, is_linked=each.is_linked[order], margin=each.margin[order], found=each.found[order])
        for each in found.records.attacks
    )
    records = replace(found.records, attacks=mixed, has_counterpart=found.records.has_counterpart[order])
    before, after = charts.figures_of(found), charts.figures_of(replace(found, records=records))
    assert [charts.as_svg(figure, "p") for figure in before] == [charts.as_svg(figure, "p") for figure in after]


def test_groups_are_the_cells_of_the_survey() -> None:
    """Households and regions; those who are few are together and never told apart."""
    found = assessed()
    households, regions = charts.Groups.all_of(found, confidential=True)
    assert households.column == "household"
    table = found.survey.by[0]
    strongest = found.strongest
    assert strongest is not None
    for row, cell in zip(regions.rows, [*table.cells, *([table.others] if table.others else [])], strict=True):
        rate = next(r for r in cell.attacks if (r.label, r.scale) == (strongest.label, strongest.scale))
        assert (row.n, row.found, row.rate, row.is_rest) == (cell.n, rate.found, rate.rate, cell is table.others)
    assert "isle" not in " ".join(texts(regions))
    shown = rows_of(charts.groups(found, "region"), "value", "rate")
    assert [row["rate"] for row in shown] == [row.rate for row in regions.rows]
    assert regions.is_confidential
    with pytest.raises(NoChartError, match="--by"):
        charts.groups(found, "town")


def test_groups_that_are_shared_tell_no_few_people() -> None:
    """Neither found nor not found, unless nobody or everybody is; tables with smaller cells are left out."""
    found = assessed()
    for shared in charts.Groups.all_of(found):
        assert not shared.is_confidential
        for row in shared.rows:
            assert row.found in {0.0, row.n} or SMALLEST <= row.found <= row.n - SMALLEST
    rows = [GroupRow("region", 30, people, people / 30, is_rest=False) for people in (4.0, 28.5, 15.0, 30.0)]
    assert [row.is_few for row in rows] == [True, True, False, False]
    smaller = tuple(replace(table, smallest_cell=SMALLEST - 1) for table in found.survey.by)
    survey = replace(found.survey, by=smaller, groups=None)
    assert charts.Groups.all_of(replace(found, survey=survey)) == []


def test_course_of_a_search() -> None:
    """Two lines through all points; None of a search that was over at once, and of none."""
    found = assessed()
    points = (CoursePoint(0.2, 10.0, None), CoursePoint(0.4, 20.0, 40.0), CoursePoint(1.0, 30.0, 30.0))
    attacks = tuple(
        replace(attack, course=points if attack.label == "choquet" else attack.course[-1:]) for attack in found.attacks
    )
    chart = charts.course(replace(found, attacks=attacks))
    bound = [row for row in rows_of(chart, "seconds", "share") if row["line"] == "bound"]
    assert [(row["seconds"], row["share"] * found.n_pairs) for row in bound] == [(0.4, 40.0), (1.0, 30.0)]
    shown = charts.SearchCourse.of(replace(found, attacks=attacks))
    assert shown is not None
    assert "choquet" in shown.attack
    assert texts(shown)[:3] == ["0.2", "10", "-"]
    assert charts.SearchCourse.of(plainly_assessed()) is None
    with pytest.raises(NoChartError, match="labels in attacks"):
        charts.course(found, "mean")


def test_points_are_original_and_own_protected_values() -> None:
    """Those of people who have both; drawn at random with the seed where they are many."""
    original, protected = people()
    found = values_of(assessed(), "tax")
    assert isinstance(found, Points)
    known = original["tax"].notna() & protected["tax"].notna()
    pairs = set(zip(original["tax"][known], protected["tax"][known], strict=True))
    assert {(row.original, row.protected) for row in found.rows} == pairs
    assert (found.n_people, found.n_missing) == (known.sum(), (~known).sum())
    assert found.is_confidential
    assert repr(found) == f"<Points of {known.sum()} people, confidential>"


def test_many_points_are_a_sample_of_the_seed() -> None:
    """The same for the same seed, and no more than there is room for."""
    random = np.random.default_rng(1)
    numbers = random.normal(size=(MOST_POINTS + 500, 1)).round(3)
    found = [linkrisk.assess(numbers, numbers + 1.0, seed=seed, one_to_one=False, **PLAINLY) for seed in (1, 1, 2)]
    points = [values_of(each, found[0].attribute_names[0]) for each in found]
    first, again, other = points
    assert isinstance(first, Points)
    assert len(first.rows) == MOST_POINTS
    assert all(row.protected == pytest.approx(row.original + 1.0) for row in first.rows)
    assert first == again != other
    assert f"{MOST_POINTS:,} of them drawn at random" in first.caption


def test_dates_are_drawn_as_dates() -> None:
    """Days of the file are milliseconds of the chart, in no zone of time."""
    original, _ = people()
    chart = charts.values(assessed(), "born")
    drawn = {row["original"] for row in max(chart.to_dict()["datasets"].values(), key=len)}
    assert drawn == {float(day.timestamp() * 1000) for day in original["born"]}
    assert chart.to_dict()["layer"][0]["encoding"]["x"]["scale"]["type"] == "utc"
    found = values_of(assessed(), "born")
    assert isinstance(found, Points)
    assert {row[0] for row in found.table().rows} == {str(day.date()) for day in original["born"]}


def test_squares_count_pairs_of_categories() -> None:
    """All pairs of categories; those that nobody has count 0."""
    original, protected = people()
    found = values_of(assessed(), "job")
    assert isinstance(found, Moves)
    pairs = Counter(zip(original["job"], protected["job"], strict=True))
    assert {(square.row, square.column): square.value for square in found.squares if square.value} == dict(pairs)
    assert found.n_unchanged == (original["job"] == protected["job"]).sum()
    assert sum(square.value for square in found.squares) == len(original)


def test_rare_categories_are_together() -> None:
    """So that squares stay large enough to read; missing is a category."""
    labels = np.array([f"c{number % 30}" for number in range(90)] + [None], dtype=object).reshape(-1, 1)
    found = linkrisk.assess(labels, labels, **PLAINLY)
    moves = values_of(found, found.attribute_names[0])
    assert isinstance(moves, Moves)
    rows = list(dict.fromkeys(square.row for square in moves.squares))
    assert len(rows) == MOST_CATEGORIES + 1
    assert rows[-1] == OTHERS
    assert sum(square.value for square in moves.squares) == 91
    with pytest.raises(NoChartError, match="attribute_names"):
        charts.values(found, "nothing")

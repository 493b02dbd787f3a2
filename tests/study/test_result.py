"""What a study shows: means over repeats, their spread, and nothing of a record."""

from __future__ import annotations

import json
import math
import stat
import statistics
from pathlib import Path

import pandas as pd
import pytest

from linkrisk.errors import FileError
from linkrisk.report.charts.catalogue import figures_of
from linkrisk.report.charts.figures.strengths import Strengths
from linkrisk.study import Spread, StudyResult, export, run
from tests.study.studies import N_CELLS, small_study


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """Return the small study with three repeats and two measures."""
    folder = tmp_path_factory.mktemp("shown")
    return run(small_study(repeats=3, measures=["links", "loss"]), store=folder / "small.study", workers=1).result()


def test_means_and_spread(result: StudyResult) -> None:
    """Those of the rows, by the textbook."""
    group = result.group("links", protection="noise", p=60, attacker="mean")
    rates = [row.figures["rate"] for row in result.rows if row in group.rows]
    assert len(rates) == 3
    assert group.main.mean == pytest.approx(statistics.mean(rates))
    assert group.main.deviation == pytest.approx(statistics.stdev(rates))
    assert group.main.error == pytest.approx(statistics.stdev(rates) / math.sqrt(3))
    learned = result.group("links", protection="noise", p=60, attacker="weighted_mean")
    assert learned.n_optimal == learned.n_learned == 3
    assert learned.bound.mean == pytest.approx(learned.main.mean)
    assert learned.main.mean >= group.main.mean


def test_one_value_has_no_spread() -> None:
    """And none has no mean."""
    assert math.isnan(Spread.of([1.0]).deviation)
    assert math.isnan(Spread.of([]).mean)


def test_groups_are_asked_for_by_coordinates(result: StudyResult) -> None:
    """One, or an error."""
    with pytest.raises(LookupError, match="2 groups"):
        result.group("links", protection="noise", p=60)
    with pytest.raises(LookupError, match="0 groups"):
        result.group("links", protection="nobody")


def test_what_is_shown(result: StudyResult) -> None:
    """Tables by measure, what is the same for all rows in the title."""
    text = str(result)
    assert "links: share of people linked to their nearest record (data people, scale separate, ties expected)" in text
    assert "loss: information loss" in text
    group = result.group("links", protection="clusters", k=3, attacker="mean")
    assert f"{group.main.mean:.3f}" in text


def test_what_is_shared_holds_no_parameters(result: StudyResult) -> None:
    """The JSON has means; what was learned stays in the store."""
    text = json.dumps(result.to_dict())
    assert "weights" not in text
    assert "AGI" not in text
    assert "details" not in result.to_frame().columns


def test_export(tmp_path: Path) -> None:
    """A row for each cell, a column for each figure; readable by its owner alone, replaced only if asked."""
    store, out = tmp_path / "small.study", tmp_path / "small.parquet"
    run(small_study(), store=store, workers=1)
    exported = export(store, out)
    frame = pd.read_parquet(out)
    assert len(frame) == N_CELLS
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert frame["rate"].tolist() == [row.figures["rate"] for row in exported.rows]
    assert set(frame["grid_p"].dropna()) == {5.0, 60.0}
    assert json.loads(frame["details"].iloc[-1])
    with pytest.raises(FileError):
        export(store, out)


def test_charts_carry_the_means(result: StudyResult) -> None:
    """One chart for each measure and parameter, with every mean and its error."""
    charts = {figure.name: figure for figure in figures_of(result)}
    assert set(charts) == {"links-p", "links-k", "loss-p", "loss-k"}
    chart = charts["links-p"]
    assert isinstance(chart, Strengths)
    assert len(chart.rows) == 4
    for row in chart.rows:
        group = result.group("links", protection="noise", p=int(row.strength), attacker=row.mark)
        assert row.mean == group.main.mean
        assert row.high - row.mean == pytest.approx(group.main.error)
    assert result.plot("loss-k").to_dict()

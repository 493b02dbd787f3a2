"""The papers' experiments: every printed figure finds its cell, and what is shown is what the store holds."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

from linkrisk.errors import FileError, SettingsError
from linkrisk.report.charts.catalogue import figures_of
from linkrisk.report.papers import as_page, as_table
from linkrisk.study import StudyResult, make_specification, run
from linkrisk.study.papers import EXPERIMENTS, PaperComparison, compare, specification
from linkrisk.study.papers.census import VARIABLE
from linkrisk.study.papers.claims import COMPUTED
from linkrisk.study.papers.comparison import compare_with, parameter_of
from linkrisk.study.papers.experiments import Experiment
from linkrisk.study.specification.cells import cells
from linkrisk.study.store.store import Row
from linkrisk.study.summary import grouped

WITH_TABLES = [name for name, experiment in EXPERIMENTS.items() if experiment.tables_in]


def empty_rows(experiment: Experiment) -> list[Row]:
    """Return a row for each cell of an experiment on generated data, with every figure that is asked of it."""
    found = specification(experiment.name, generated=True)
    seeded = make_specification({"data": [], "protection": []}) if found is None else found
    asked = {claim.where.figure for table in experiment.tables() for claim in table.claims if claim.where.figure}
    return [
        Row(
            cell.key,
            cell.data,
            cell.protection,
            cell.parameters,
            cell.variant.measure,
            cell.variant.attacker,
            cell.variant.scale,
            cell.variant.ties,
            cell.repeat,
            None,
            dict.fromkeys((*asked, "rate", "correlation", "constraints", "PIL"), 0.25),
            {},
            0.0,
            "",
        )
        for cell in cells(seeded)
    ]


@pytest.mark.parametrize("name", WITH_TABLES)
def test_every_printed_figure_has_its_cell(name: str) -> None:
    """One group of cells for each claim, and no claim twice in a table."""
    experiment = EXPERIMENTS[name]
    groups = grouped(empty_rows(experiment))
    for table in experiment.tables():
        assert max(Counter((claim.row, claim.column) for claim in table.claims).values()) == 1, table.source
        for claim in table.claims:
            if claim.where.measure != COMPUTED:
                own = [g for g in groups if g.measure == claim.where.measure and g.has(claim.where.at)]
                if claim.where.measure not in {"alone", "moments"}:  # there the figure tells which
                    assert len(own) == 1, (table.source, claim.row, claim.column)
                assert own


def test_averages_are_of_the_printed_figures() -> None:
    """The papers' own averages follow from their rows, so that no figure was mistyped."""
    for experiment in EXPERIMENTS.values():
        for table in experiment.tables():
            for column, printed in table.average.items():
                own = [claim.printed for claim in table.claims if claim.column == column]
                known = [value for value in own if value is not None]
                assert sum(known) / len(known) == pytest.approx(printed, abs=0.006), (table.source, column)


def test_printed_weights_add_up() -> None:
    """Each row of weights is printed to two digits or more, and their sum is 1 as far as these tell."""
    for experiment in EXPERIMENTS.values():
        for table in experiment.tables():
            if table.unit == "weight" and len({claim.column for claim in table.claims}) > 2:
                for row in {claim.row for claim in table.claims}:
                    own = [claim.printed or 0.0 for claim in table.claims if claim.row == row]
                    assert sum(own) == pytest.approx(1.0, abs=0.03), (table.source, row)


def test_without_the_data_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is missing, where it is to be had, and that generated data can take its place."""
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(FileError, match=r"sdcMicro.*generated \(--generated\)"):
        specification("choquet")
    with pytest.raises(FileError, match=r"nobody\.csv does not exist"):
        specification("choquet", tmp_path / "nobody.csv")
    with pytest.raises(SettingsError, match="no experiment 'chocket'; choose torra2010"):
        specification("chocket")


def test_the_worked_example() -> None:
    """Every printed figure of smith-elliot-bayesian.txt to two decimals."""
    experiment = EXPERIMENTS["smith-elliot"]
    (table, *_) = compare_with(experiment, StudyResult("none", ())).tables
    judged = [figure for figure in table.figures if figure.claim.printed is not None]
    assert len(judged) == 31
    for figure in judged:
        assert figure.ours.mean == pytest.approx(figure.claim.printed, abs=0.0051), figure.claim


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> PaperComparison:
    """Return a small part of an experiment, run on generated data."""
    store = tmp_path_factory.mktemp("papers") / "choquet.study"
    contents = {
        "name": "choquet",
        "seed": 3,
        "repeats": 2,
        "ties": ["unique"],
        "attackers": ["mean", "weighted_mean", "choquet"],
        "data": [
            {
                "name": "first 4",
                "generated": "census_like",
                "records": 40,
                "columns": ["AFNLWGT", "AGI", "EMCONTRB", "FEDTAX"],
            }
        ],
        "protection": [{"name": "M4-28", "method": "mdav", "groups": "M4-28", "raw": True}],
    }
    run(contents, store=store, workers=1)
    return compare("choquet", store)


def test_ours_are_those_of_the_store(comparison: PaperComparison) -> None:
    """Means, times and parameters; what was not run is empty."""
    ratios, seconds, measure, *_ = comparison.tables
    figures = {(figure.claim.row, figure.claim.column): figure for figure in ratios.figures}
    own = comparison.study.group("links", attacker="choquet")
    assert figures["M4-28", "d2CI"].ours == own.main
    assert (figures["M4-28", "d2CI"].n_optimal, figures["M4-28", "d2CI"].n_learned) == (own.n_optimal, 2)
    assert math.isnan(figures["M5-38", "d2CI"].ours.mean)
    assert figures["M5-38", "d2CI"].is_alike is None
    times = {(figure.claim.row, figure.claim.column): figure for figure in seconds.figures}
    assert times["M4-28", "d2CI"].ours == own.figure("learning_seconds")
    subset = next(figure for figure in measure.figures if figure.claim.row == "1011")
    values = [parameter_of(row.details["meaning"], "1011") for row in own.rows]
    assert subset.ours.mean == pytest.approx(sum(value or 0.0 for value in values) / 2)


def test_the_page_shows_every_table(comparison: PaperComparison) -> None:
    """With the paper's figures and ours, and how many agree."""
    page = as_page([comparison])
    for table in comparison.tables:
        assert table.published.source.replace("-", r"\-") in page
    shown = as_table(comparison.tables[0])
    assert [column.head for column in shown.columns] == ["", "", "d2AM", "d2WM", "d2CI"]
    assert ("M4-28", "paper", "0.6850", "0.9300", "0.9375") in shown.rows
    assert "optima are proven" in str(comparison)


def test_the_lattice_is_drawn(comparison: PaperComparison) -> None:
    """Of the first sample; parameters are confidential."""
    assert [figure.name for figure in figures_of(comparison)] == []
    (lattice,) = figures_of(comparison, confidential=True)
    assert lattice.name == "lattice"
    assert lattice.is_confidential

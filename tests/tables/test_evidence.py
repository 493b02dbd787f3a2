"""Reading what the intruder holds: files and frames alike, and every mistake in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from linkrisk.errors import InputError
from linkrisk.tables.bounds.naive import naive_bounds
from linkrisk.tables.evidence.publication import load_publication, make_table_description
from linkrisk.tables.evidence.reading import make_evidence
from linkrisk.tables.options import MECHANISMS
from linkrisk.tables.simulation import categorical_population, draw_sample, publish_table
from tests.tables.worked_example import FIRST, POPULATION, ROUNDED, SECOND, rounded

SAMPLES = {"first": FIRST, "second": SECOND}


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("names", [["b"], ["b", "c"], ["a", "b", "c"], ["a", "c"], ["d"], ["a", "b", "c", "d"]])
def test_the_truth_is_within_naive_bounds(mechanism: str, names: list[str]) -> None:
    """Whatever a table of the population says, it says nothing false."""
    people = categorical_population(60, {"a": 3, "b": 4, "c": 3, "d": 2}, seed=5)
    base = 3 if "round" in mechanism else None
    table = publish_table(people, names, mechanism, base=base, n=20, seed=6)
    samples = [draw_sample(people, 25, part, seed=k) for k, part in enumerate((["a", "b", "c"], ["b", "c", "d"]))]
    evidence = make_evidence(samples, [table], population=60)
    cells = np.arange(evidence.domain.n_cells(evidence.overlap))
    low, high = naive_bounds(evidence, cells)
    counts = people.value_counts(["b", "c"])
    true = np.array([counts.get(evidence.domain.labels(evidence.overlap, int(cell)), 0) for cell in cells])
    assert (low <= true).all()
    assert (true <= high).all()


def test_files_and_a_toml_file_say_what_frames_say(tmp_path: Path) -> None:
    """Order of rows and of columns, and of cells that are 0, do not matter."""
    FIRST.to_csv(tmp_path / "first.csv", index=False, sep=";")
    SECOND.sample(frac=1.0, random_state=1).to_parquet(tmp_path / "second.parquet")
    ROUNDED[ROUNDED["count"] > 0].iloc[::-1, ::-1].to_csv(tmp_path / "rounded.csv", index=False)
    (tmp_path / "tables.toml").write_text(
        'population = 18\n[[table]]\nfile = "rounded.csv"\nmechanism = "random_rounding"\nbase = 3\n'
    )
    read = make_evidence([tmp_path / "first.csv", tmp_path / "second.parquet"], tmp_path / "tables.toml")
    given = make_evidence(SAMPLES, [rounded()], population=18)
    assert read.overlap == given.overlap
    assert read.population == 18
    for cells in (np.array([0]), np.array([1])):
        assert [b.tolist() for b in naive_bounds(read, cells)] == [b.tolist() for b in naive_bounds(given, cells)]


def test_the_size_of_the_population_follows_from_tables() -> None:
    """From an exact table, or from a fraction."""
    exact = make_table_description(POPULATION, mechanism="exact")
    assert make_evidence(SAMPLES, [exact]).population == 18
    drawn = pd.DataFrame({"Var2": ["Level1", "Level2"], "count": [3, 6]})
    assert make_evidence(SAMPLES, [make_table_description(drawn, mechanism="sample", fraction=0.5)]).population == 18


def test_three_samples_overlap_in_what_all_have() -> None:
    """Or in what is asked for."""
    third = pd.DataFrame({"Var2": ["Level1"] * 2, "Var3": ["Level1"] * 2})
    assert make_evidence({**SAMPLES, "third": third}, population=18).overlap == ("Var2",)
    wide = FIRST.assign(Var3="Level1")
    assert make_evidence([wide, SECOND], population=18, overlap=["Var2"]).overlap == ("Var2",)


def cells(*counts: object, **columns: list[str]) -> pd.DataFrame:
    """Return a table with these counts over Var2, or over other columns."""
    return pd.DataFrame({**(columns or {"Var2": ["Level1", "Level2"]}), "count": list(counts)})


def described(frame: pd.DataFrame, **options: Any) -> dict[str, Any]:
    """Return the arguments of an evidence with one table."""
    return {"tables": [make_table_description(frame, **{"mechanism": "exact", "name": "table.csv", **options})]}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"samples": {"first": FIRST}}, "two samples"),
        ({"samples": [FIRST, SECOND[["Var3"]]]}, "no attribute in common"),
        ({"samples": [FIRST, FIRST]}, "all their attributes in common"),
        ({"overlap": ["Var1"]}, "'Var1'"),
        ({"population": None}, "size of the population is not known"),
        ({"population": 5}, "first has 6 records, more than the population of 5"),
        ({"population": 2.5}, "population must be a whole number"),
        ({"id": "who"}, "no column 'who'"),
        (
            {"samples": [FIRST.assign(who=["", *"bcdef"]), SECOND.assign(who=list("vwxyz"))], "id": "who"},
            "fill it in",
        ),
        ({"samples": [FIRST.assign(Var2=FIRST["Var2"].where(FIRST.index > 0)), SECOND]}, "missing value in row 1"),
        (described(cells(10, 9)), "table.csv counts 19 people"),
        (described(cells(4, 14)), "the sample has more people with one combination of Var2 than the table allows"),
        (described(cells(10, 8.5)), "does not have a whole number of 0 or more in row 2"),
        (described(cells(19, -1)), "does not have a whole number of 0 or more in row 2"),
        (described(cells("many", "few")), "does not hold numbers"),
        (described(cells(10, 8).rename(columns={"count": "n"})), "no column 'count'"),
        (described(cells(10, 8, Var2=["Level1", "Level1"])), "listed twice"),
        (described(cells(10, 8), mechanism="rounded", base=3), "not a multiple of the base 3"),
        (described(cells(30, 30), mechanism="random_rounding", base=3), "totals differ; check how the table was made"),
        (described(cells(6, 6), mechanism="random_rounding", base=3), "a category may be hidden there"),
        (described(cells(18, 0)), "first: column 'Var2' has in row 3 a category that nobody has"),
        (described(cells(10, 8, Var2=["level 1", "level 2"])), "spell categories alike"),
        (described(cells(20, 9), mechanism="sample"), "29 people drawn from a population of 18"),
        (
            described(pd.DataFrame({"Var2": ["Level1"], "low": [5], "high": [3]}), mechanism="suppressed"),
            "ends before it begins",
        ),
    ],
)
def test_mistakes(arguments: dict[str, Any], words: str) -> None:
    """One sentence each, without the value of a cell."""
    settings = {"samples": SAMPLES, "population": 18, **arguments}
    with pytest.raises(InputError, match=words) as found:
        make_evidence(settings.pop("samples"), settings.pop("tables", None), **settings)
    assert "\n" not in str(found.value)


def test_exact_tables_with_different_totals() -> None:
    """Both are named."""
    tables = [
        make_table_description(cells(*counts), mechanism="exact", name=f"t{sum(counts)}")
        for counts in ((10, 8), (10, 9))
    ]
    with pytest.raises(InputError, match="t18 counts 18 people and t19 19"):
        make_evidence(SAMPLES, tables)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mechanism": "guessed"}, "mechanism"),
        ({"mechanism": "rounded"}, "needs its base"),
        ({"mechanism": "rounded", "base": 1}, "base"),
        ({"mechanism": "exact", "base": 3}, "base is for rounded tables"),
        ({"mechanism": "exact", "fraction": 0.1}, "fraction is for sample tables"),
        ({"mechanism": "sample", "fraction": 1.5}, "fraction"),
        ({"mechanism": "exact", "colour": "red"}, "no such setting"),
    ],
)
def test_mistakes_in_a_description(options: dict[str, Any], words: str) -> None:
    """Told before anything is read."""
    with pytest.raises(InputError, match=words):
        make_table_description("nothing.csv", **options)


def test_all_mistakes_of_a_toml_file_at_once(tmp_path: Path) -> None:
    """One line each, with the number of the table."""
    path = tmp_path / "tables.toml"
    path.write_text('[[table]]\nmechanism = "exact"\n[[table]]\nfile = "a.csv"\nmechanism = "rounded"\n')
    with pytest.raises(InputError) as found:
        load_publication(path)
    assert "table 1: file is missing" in str(found.value)
    assert "table 2" in str(found.value)
    path.write_text("[[table")
    with pytest.raises(InputError, match="is not TOML"):
        load_publication(path)
    with pytest.raises(InputError, match=r"nothing\.toml does not exist"):
        load_publication(tmp_path / "nothing.toml")


def test_more_unlisted_cells_than_numbers_for_them() -> None:
    """Seven attributes of 400 categories: what their cells can hold is beyond 64 bits, and that is no contradiction."""
    names = list("abcdefg")
    people = pd.DataFrame({name: [f"{name}{place}" for place in range(400)] for name in names})
    samples = [people[["a"]].iloc[:5].assign(own="x"), people[["a"]].iloc[3:9].assign(other="y")]
    held = make_evidence(
        samples, [make_table_description(people.assign(count=20), mechanism="rounded", base=20)], population=8000
    )
    low, high = naive_bounds(held, np.array([3]))
    assert (low.tolist(), high.tolist()) == ([10], [7994])

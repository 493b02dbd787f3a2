"""Microaggregation of nominal and ordinal attributes, against its exact twin, in every kind of frame."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.data import RawColumn, RawFile, read_file
from linkrisk.errors import ColumnError, ParameterError
from linkrisk.protection import individual_ranking, mdav_groups, microaggregate
from tests.oracle.mixed import median_category, mixed_mdav, mode

ORDER = ("low", "middle", "high")
SCHEMA = {"attributes": {"school": {"order": list(ORDER)}, "region": {"kind": "nominal"}, "wage": {"kind": "numeric"}}}
FRAMES = [pd.DataFrame, pl.DataFrame, pa.table]


@st.composite
def mixed_files(draw: st.DrawFn) -> tuple[list[tuple[float, str, int]], int]:
    """Draw records of a whole number, a category and a rank, with many ties."""
    record = st.tuples(st.integers(0, 3).map(float), st.sampled_from("abc"), st.integers(0, 2))
    records = draw(st.lists(record, min_size=4, max_size=24))
    return records, draw(st.integers(2, len(records) // 2))


def make_frame(records: list[tuple[float, str, int]]) -> pd.DataFrame:
    """Make a frame of records; the ordinal attribute is spelled out."""
    frame = pd.DataFrame(records, columns=["wage", "region", "school"])
    return frame.assign(school=[ORDER[rank] for rank in frame["school"]])


@pytest.mark.slow
@given(mixed_files())
@settings(max_examples=60, deadline=None)
def test_clusters_and_centroids_are_those_of_the_exact_twin(file: tuple[list[tuple[float, str, int]], int]) -> None:
    """Mean, mode and lower median of the clusters of the definition; three categories keep all sums exact."""
    records, k = file
    groups = [["wage", "region", "school"]]
    protected = microaggregate(make_frame(records), groups, k, schema=SCHEMA, raw=True, continuous=True).data
    labels = mixed_mdav(records, ["numeric", "nominal", 3], k, standardise=False)
    for label in set(labels):
        own = [i for i, other in enumerate(labels) if other == label]
        members = [records[i] for i in own]
        assert set(protected["wage"].iloc[own]) == {protected["wage"].iloc[own[0]]}
        assert protected["wage"].iloc[own[0]] == pytest.approx(np.mean([record[0] for record in members]))
        assert set(protected["region"].iloc[own]) == {mode([record[1] for record in members])}
        assert set(protected["school"].iloc[own]) == {ORDER[median_category([record[2] for record in members])]}


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(2, 5))
@settings(max_examples=20, deadline=None)
def test_standardised_clusters_are_those_of_the_exact_twin(seed: int, k: int) -> None:
    """Every attribute in units of half its mean difference; a number without ties keeps rounding out."""
    generator = np.random.default_rng(seed)
    wages = generator.normal(50, 20, 24)
    records = [(float(w), "abcd"[generator.integers(4)], int(generator.integers(3))) for w in wages]
    protection = microaggregate(make_frame(records), [["wage", "region", "school"]], k, schema=SCHEMA, centroid="mode")
    labels = mixed_mdav(records, ["numeric", "nominal", 3], k, standardise=True)
    first = {label: labels.index(label) for label in labels}
    assert protection.data["wage"].tolist() == [records[first[label]][0] for label in labels]


def test_five_records_by_hand() -> None:
    """Shares n 2/5, s 2/5, e 1/5 and mean rank 1/2: squared distances .53 .53 .53 .28 .73, so the last begins.

    Nearest to (e, high) is (s, high), 1 away; of their regions the first in the file is released. The others are the
    rest: two n and one s; low, low, middle.
    """
    frame = pd.DataFrame({"region": ["n", "s", "n", "s", "e"], "school": ["low", "high", "low", "middle", "high"]})
    protected = microaggregate(
        frame, [["region", "school"]], 2, schema={"attributes": {"school": {"order": list(ORDER)}}}, raw=True
    ).data
    assert protected["region"].tolist() == ["n", "s", "n", "n", "s"]
    assert protected["school"].tolist() == ["low", "high", "low", "low", "high"]


def test_medians_and_modes_of_numbers() -> None:
    """Clusters 1 1 2 9 and 50 52 53 51: medians 1.5 and 51.5, whole 2 and 52, modes 1 and the first in the file, 50."""
    values = np.array([[1.0], [1.0], [2.0], [9.0], [50.0], [52.0], [53.0], [51.0]])
    assert mdav_groups(values, 4).tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert microaggregate(values, [[0]], 4, centroid="median", raw=True).data[[0, 4], 0].tolist() == [2.0, 52.0]
    assert microaggregate(values, [[0]], 4, centroid="mode", raw=True).data[[0, 4], 0].tolist() == [1.0, 50.0]


@pytest.mark.parametrize("make", FRAMES, ids=["pandas", "polars", "pyarrow"])
def test_every_frame_gives_the_same(make: Callable[[Any], Any]) -> None:
    """Labels and numbers as from pandas, other columns untouched, codes with leading zeros text."""
    columns = {
        "wage": [10.0, 30, 20, 40, 50, 60],
        "region": ["01", "02", "01", "02", "12", "12"],
        "school": ["low", "high", "low", "high", "middle", "high"],
        "note": ["x", "0123", "y", "z", "u", "v"],
    }
    groups = [["wage", "region"], ["school"]]
    expected = microaggregate(pd.DataFrame(columns), groups, 2, leave=["note"], schema=SCHEMA, raw=True).data
    protected = microaggregate(make(columns), groups, 2, leave=["note"], schema=SCHEMA, raw=True).data
    assert type(protected) is type(make(columns))
    for name in columns:
        cells = protected[name].to_pylist() if make is pa.table else protected[name].to_list()
        assert cells == expected[name].tolist()
    assert expected["note"].tolist() == columns["note"]
    assert set(expected["region"]) <= {"01", "02", "12"}


def test_pandas_categories_declare_their_order_and_stay() -> None:
    """An ordered Categorical is ordinal without a schema, and comes back as one."""
    school = pd.Categorical(["low", "high", "low", "middle"], categories=ORDER, ordered=True)
    frame = pd.DataFrame({"school": school}, index=[4, 4, 1, 0])
    protected = individual_ranking(frame, 2).data
    assert protected["school"].tolist() == ["low", "middle", "low", "middle"]
    assert protected["school"].dtype == frame["school"].dtype
    assert protected.index.tolist() == [4, 4, 1, 0]


def test_arrays_of_objects_and_codes() -> None:
    """Objects stay objects; numbers declared nominal by the schema of V1, V2, ... are categories."""
    array = np.array([["a", 1], ["b", 2], ["a", 3], ["b", 4]], dtype=object)
    assert microaggregate(array, [[0], [1]], 2, raw=True).data.tolist() == [
        ["a", 2.0],
        ["b", 2.0],
        ["a", 4.0],
        ["b", 4.0],
    ]
    codes = np.array([[7], [7], [9], [9]])
    protected = microaggregate(codes, [[0]], 2, schema={"attributes": {"V1": {"kind": "nominal"}}}, raw=True).data
    assert protected[:, 0].tolist() == [7, 7, 9, 9]


def test_files_read_by_linkrisk(tmp_path: Path) -> None:
    """A table from a file comes back as one; missing codes are honoured, and stay what they were."""
    path = tmp_path / "people.csv"
    path.write_text("wage,region\n10,01\n20,02\n99,01\n40,02\n50,01\n")
    table = read_file(path)
    protected = individual_ranking(table, {"wage": 2}, leave=["region"], schema={"missing": [99]}, continuous=True).data
    assert isinstance(protected, RawFile)
    assert protected.digest != table.digest
    assert protected.column("wage").cells.tolist() == [15.0, 15.0, 99.0, 45.0, 45.0]
    assert protected.column("region").cells.tolist() == ["01", "02", "01", "02", "01"]
    clustered = microaggregate(table, [["wage"]], 2, leave=["region"], schema={"missing": [99]}).data
    assert clustered.column("wage").cells.tolist() == [15.0, 15.0, 99.0, 45.0, 45.0]


def test_text_and_nested_columns_are_refused() -> None:
    """With the column and a remedy."""
    names = [f"name number {i}" for i in range(40)]
    with pytest.raises(ColumnError, match=r"'x' holds free text.*leave"):
        microaggregate(pd.DataFrame({"x": names}), [["x"]], 2)
    nested = RawFile("f", (RawColumn("x", np.full(4, None), fault="holds nested values"),), 4, "")
    with pytest.raises(ColumnError, match="'x' holds nested values"):
        microaggregate(nested, [["x"]], 2)


def test_columns_without_any_value_are_refused() -> None:
    """Whatever type they have in the frame."""
    for cells in ([None] * 4, [np.nan] * 4):
        with pytest.raises(ColumnError, match="'x' has no value in any row; name it in leave"):
            individual_ranking(pd.DataFrame({"x": cells}), 2)


def test_nominal_attributes_of_too_many_categories() -> None:
    """Account numbers of 16 digits are nominal; memory must not grow with the square of the records."""
    numbers = [str(10**15 + i) for i in range(5000)]
    with pytest.raises(ColumnError, match=r"'account' is nominal and has 5,000 categories.*leave"):
        microaggregate(pd.DataFrame({"account": numbers}), [["account"]], 2)


@pytest.mark.parametrize(
    ("centroid", "sentence"),
    [
        ("mean", "'region', which is nominal, must be mode"),
        ({"school": "mean"}, "'school', which is ordinal, must be median or mode"),
        ({"wage": "middle"}, "'wage', which is numeric, must be mean or median or mode"),
        ({"height": "mean"}, "not protected: height"),
    ],
)
def test_centroids_that_have_no_meaning(centroid: Any, sentence: str) -> None:
    """Named with the column and its kind."""
    frame = make_frame([(1.0, "a", 0), (2.0, "b", 1), (3.0, "a", 2), (4.0, "b", 0)])
    with pytest.raises(ParameterError, match=sentence):
        microaggregate(frame, [["wage", "region", "school"]], 2, schema=SCHEMA, centroid=centroid)


def test_schema_of_other_columns_is_refused() -> None:
    """A misspelt name in the schema is not passed over."""
    with pytest.raises(ColumnError, match="schema names columns that are not in original: heigth"):
        microaggregate(pd.DataFrame({"a": range(4)}), [["a"]], 2, schema={"attributes": {"heigth": {}}})


@given(st.integers(0, 2**32), st.integers(2, 40))
@settings(max_examples=10, deadline=None)
def test_fast_variant_keeps_the_bounds(seed: int, k: int) -> None:
    """Clusters of k to 2k - 1 whatever the blocks; in a single block it is the classic method."""
    points = np.random.default_rng(seed).lognormal(size=(25_000, 2))
    sizes = np.bincount(mdav_groups(points, 200 + k, variant="fast"))
    assert 200 + k <= sizes.min() <= sizes.max() < 2 * (200 + k)
    few = points[:500]
    assert mdav_groups(few, k, variant="fast").tolist() == mdav_groups(few, k).tolist()


def test_unknown_variant() -> None:
    """Named with those there are."""
    with pytest.raises(ParameterError, match=r"classic \(the default\) or fast"):
        mdav_groups(np.zeros((8, 1)), 2, variant="quick")

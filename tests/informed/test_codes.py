"""Numbers of labels and of equal records, made through tables of the different ones, against sorting everything."""

from __future__ import annotations

import numpy as np
import pytest

from linkrisk.data.attributes import Attribute, Kind
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.data.same_values import is_missing, record_classes, value_codes
from linkrisk.informed.known import Known
from linkrisk.informed.terms import TermList, joined_codes
from tests.oracle.codes import first_seen_codes, sorted_codes

LABELS = np.array(["b", None, "a", "10", "9", "", "ä", "a b"], dtype=object)


def some_labels(seed: int, n: int = 200) -> np.ndarray:
    """Labels with gaps."""
    return LABELS[np.random.default_rng(seed).integers(0, len(LABELS), n)]


def some_columns(seed: int) -> list[np.ndarray]:
    """Labels, numbers with gaps that differ in the last bits only, and whole numbers."""
    random = np.random.default_rng(seed)
    numbers = random.integers(0, 4, 200) * 0.1 + random.integers(0, 2, 200) * 2.0**-54
    numbers[random.random(200) < 0.1] = np.nan
    return [some_labels(seed), numbers, random.integers(-2, 3, 200)]


@pytest.mark.parametrize("seed", range(5))
def test_equal_records_have_the_place_of_their_values_in_order(seed: int) -> None:
    """As a sort of the rows themselves numbers them, text by its letters, missing values before and after all."""
    columns = some_columns(seed)
    assert joined_codes(columns, 200).tolist() == sorted_codes([column.tolist() for column in columns])
    assert joined_codes([], 3).tolist() == [0, 0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_keys_are_numbered_alike_in_both_files(seed: int) -> None:
    """Who is equal in all that was left as it is has one key, whichever file he is in."""
    columns = some_columns(seed)
    terms = TermList(120, 80)
    for column in columns:
        terms.add_equal(column[:120], column[120:])
    arrays = terms.finished()
    expected = sorted_codes([column.tolist() for column in columns])
    assert [*arrays.x_key.tolist(), *arrays.y_key.tolist()] == expected


def test_labels_are_places_in_the_list_of_all() -> None:
    """In alphabetical order over both files, -1 where missing; an order that leaves a label out has no place for it."""
    x, y = some_labels(1), some_labels(2, 150)
    column = ColumnPair(Attribute("A", Kind.NOMINAL), x, y)
    known = Known(FilePair((column,), np.full(200, -1), 200, 150))
    places, others, labels = known.codes("A")
    assert labels == tuple(sorted(label for label in LABELS if label is not None))
    for codes, side in ((places, x), (others, y)):
        assert codes.tolist() == [-1 if label is None else labels.index(label) for label in side]
    ordered = ColumnPair(Attribute("A", Kind.ORDINAL, order=("a", "b")), x, y)
    numbers = Known(FilePair((ordered,), np.full(200, -1), 200, 150)).numbers("A")[0]
    assert np.array_equal(numbers, [{"a": 0.0, "b": 1.0}.get(label, np.nan) for label in x], equal_nan=True)


def test_values_are_numbered_as_they_appear() -> None:
    """Missing ones alike, and told by themselves."""
    labels = some_labels(3)
    assert value_codes(labels).tolist() == first_seen_codes(labels.tolist())
    assert is_missing(labels).tolist() == [label is None for label in labels]
    classes = record_classes([labels, some_labels(4)])
    rows = list(zip(labels, some_labels(4), strict=True))
    assert [[a == b for b in classes.tolist()] for a in classes.tolist()] == [[a == b for b in rows] for a in rows]

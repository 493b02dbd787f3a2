"""The columns of the original that tell about households, regions and the sample."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import FloatArray, IntArray, LabelArray
from linkrisk.assessment.survey.options import Surveying
from linkrisk.data.arrow_arrays import text_array
from linkrisk.data.attributes import Role
from linkrisk.data.interpret import Side
from linkrisk.data.labels import labels_of
from linkrisk.data.missing import without_codes
from linkrisk.data.number_cells import parse_numbers
from linkrisk.data.raw_file import RawColumn, RawFile
from linkrisk.data.reading import Reading
from linkrisk.data.schema import make_schema
from linkrisk.errors import ColumnError, SettingsError
from linkrisk.options import nearest_word

LARGEST_WEIGHT = 1e12
"""No record stands for more people than this; sums of weights keep their digits."""

MOST_VALUES = 1000
"""Values up to which a column is one to tell the risk by."""


@dataclass(frozen=True, eq=False, repr=False)
class SurveyColumns:
    """What the original says about its records, beside the attributes.

    ``group`` numbers the group of each record; who has none is a group alone, and ``n_alone`` counts them.
    ``is_group_released``: the protected file has that column, too. ``by`` holds the labels of each column the risk is
    told by (None where missing), ``weights`` the sampling weights.
    """

    group: IntArray | None = None
    n_alone: int = 0
    is_group_released: bool = False
    by: tuple[tuple[str, LabelArray], ...] = ()
    weights: FloatArray | None = None

    def __repr__(self) -> str:
        return f"<SurveyColumns: risk by {len(self.by)} columns>"


def read_survey(original: RawFile, protected: RawFile, asked: Surveying, reading: Reading) -> SurveyColumns:
    """Return the columns that were asked for.

    Codes that mean missing are those of the reading. Weights must be numbers above 0, one for each record.

    Raises
    ------
    ColumnError
        Where a column is not there or holds something else, by file, column and row.
    """
    group, n_alone = (
        (None, 0) if asked.group is None else _groups(labels_of(_column(original, "group", asked, reading)))
    )
    by = [(name, labels_of(_column(original, "by", asked, reading, name))) for name in asked.by or ()]
    for name, labels in by:
        n_values = len(set(labels.tolist()))
        if n_values > MOST_VALUES:
            raise ColumnError(
                f"{original.name}: column {name!r} has {n_values} values, too many to tell the risk by (--by); "
                "generalise them first"
            )
    in_protected = None if asked.group is None else (reading.renamed or {}).get(asked.group, asked.group)
    is_released = in_protected in protected.column_names
    return SurveyColumns(group, n_alone, is_released, tuple(by), _weights(original, asked, reading))


def without_survey_columns(reading: Reading, asked: Surveying) -> Reading:
    """Return how the files are read when groups and weights are no attributes: their role is that of ignored columns.

    Attributes that are named are used whatever they are, and a role that the schema gives stays.
    """
    if reading.attributes is not None:
        return reading
    schema = make_schema(reading.schema)
    ignored = {
        name: schema.attribute(name).model_copy(update={"role": Role.IGNORED})
        for name in (asked.group, asked.weights)
        if name is not None and name != reading.id and "role" not in schema.attribute(name).model_fields_set
    }
    if not ignored:
        return reading
    return replace(reading, schema=schema.model_copy(update={"attributes": {**schema.attributes, **ignored}}))


def _column(original: RawFile, option: str, asked: Surveying, reading: Reading, name: str | None = None) -> RawColumn:
    """Return the column that an option names, its missing codes taken out."""
    wanted = str(getattr(asked, option) if name is None else name)
    if wanted not in original.column_names:
        near = nearest_word(wanted, original.column_names)
        raise ColumnError(
            f"{original.name} has no column {wanted!r} for {option} (--{option}){near or '; check the name'}"
        )
    column = original.column(wanted)
    if column.fault is not None:
        raise ColumnError(f"{original.name}: column {wanted!r} {column.fault}; name another for {option} (--{option})")
    schema = reading.full_schema()
    return without_codes(column, (*schema.missing, *schema.attribute(wanted).missing))


def _groups(labels: LabelArray) -> tuple[IntArray, int]:
    """Return the number of each record's group; who has no label is a group alone."""
    places: dict[object, int] = {}
    numbers = [places.setdefault(label if label is not None else row, len(places)) for row, label in enumerate(labels)]
    return np.array(numbers, dtype=np.int64), sum(label is None for label in labels)


def _weights(original: RawFile, asked: Surveying, reading: Reading) -> FloatArray | None:
    if asked.weights is None:
        return None
    column = _column(original, "weights", asked, reading)
    if column.holds_dates:
        raise ColumnError(
            f"{original.name}: column {column.name!r} holds dates, not weights; name another for weights (--weights)"
        )
    if column.holds_numbers:
        numbers: FloatArray = column.cells
    else:
        numbers = parse_numbers(text_array(column.cells), decimal_comma=column.decimal_comma).values
    is_wrong = ~((numbers > 0.0) & (numbers <= LARGEST_WEIGHT))
    if is_wrong.any():
        Side(original, column).fail(
            np.asarray(is_wrong),
            "no sampling weight, a number above 0,",
            "give every record its weight, or name another column for weights (--weights)",
        )
    return numbers


def key_names(asked: Surveying, used: tuple[str, ...], categorical: tuple[str, ...]) -> tuple[str, ...]:
    """Return the attributes whose combinations are counted: those named, or, with weights, the categorical ones."""
    if asked.keys is None:
        return categorical if asked.weights is not None else ()
    unknown = [name for name in asked.keys if name not in used]
    if unknown:
        raise SettingsError(
            f"keys (--keys): {unknown[0]!r} is not among the attributes used for linking ({', '.join(used)}); correct "
            "the name or add it to attributes (--attributes)"
        )
    return tuple(asked.keys)

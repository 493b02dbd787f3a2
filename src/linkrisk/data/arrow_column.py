"""An Arrow column becomes a `RawColumn`: the one border between foreign types and ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from linkrisk.data.arrow_arrays import floats, integers, text_array, text_scalar
from linkrisk.data.attributes import Kind
from linkrisk.data.labels import labels_of
from linkrisk.data.number_cells import is_code, parse_numbers, parse_plain
from linkrisk.data.raw_file import RawColumn

_LARGEST_EXACT_INTEGER = 2**53  # beyond it float64 no longer tells neighbours apart
_NESTED = "holds nested or binary values"


def column_from_arrow(name: str, array: Any) -> RawColumn:
    """Turn an Arrow array, chunked or not, into a `RawColumn`.

    Examples
    --------
    >>> import pyarrow
    >>> column_from_arrow("SMOKER", pyarrow.array([True, None])).cells
    array(['true', None], dtype=object)
    """
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if isinstance(array, pa.ChunkedArray):  # too long for one chunk of its type
        array = pa.concat_arrays([chunk.cast(pa.large_string()) for chunk in array.chunks])
    if pa.types.is_dictionary(array.type):
        return _from_categories(name, array)
    if pa.types.is_boolean(array.type):
        return RawColumn(name, _object_array(array.cast(pa.large_string())), Kind.NOMINAL)
    values = _plain_values(array)
    if values is None:
        return RawColumn(name, np.full(len(array), None, dtype=object), fault=_NESTED)
    return RawColumn(name, values)


def _from_categories(name: str, array: Any) -> RawColumn:
    column = column_from_arrow(name, array.dictionary_decode())
    if not array.type.ordered:
        return replace(column, declared=Kind.NOMINAL)
    order = labels_of(column_from_arrow(name, array.dictionary))
    return replace(column, declared=Kind.ORDINAL, order=tuple(label for label in order if label is not None))


def _plain_values(array: Any) -> NDArray[Any] | None:
    """Return the cells of an unnested array, or None when linkrisk has no use for its type."""
    kind = pa.types
    if kind.is_integer(array.type):
        return _from_integers(array)
    if kind.is_floating(array.type) or kind.is_decimal(array.type):
        return floats(array.cast(pa.float64()))
    if kind.is_date(array.type) or kind.is_timestamp(array.type):
        return _from_timestamps(array)
    if kind.is_time(array.type) or kind.is_duration(array.type):
        return _seconds(array)
    is_text = kind.is_string(array.type) or kind.is_large_string(array.type) or kind.is_string_view(array.type)
    if is_text or kind.is_null(array.type):
        return _object_array(clean_text(array.cast(pa.large_string())))
    return None


def _from_integers(array: Any) -> NDArray[Any]:
    extremes = pc.min_max(array).as_py()
    largest = max(abs(extremes["min"] or 0), abs(extremes["max"] or 0))
    if largest > _LARGEST_EXACT_INTEGER:
        return _object_array(array.cast(pa.large_string()))
    return floats(array.cast(pa.float64()))


def _from_timestamps(array: Any) -> NDArray[Any]:
    moments = array.cast(pa.timestamp("us"), safe=False)  # drops what is finer; zones are turned to UTC
    return integers(moments, np.iinfo(np.int64).min).view("datetime64[us]")  # the least number is not a time


def _seconds(array: Any) -> NDArray[Any]:
    per_second = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}[array.type.unit]
    width = pa.int32() if array.type.bit_width == 32 else pa.int64()
    return floats(array.cast(width).cast(pa.float64())) / per_second


def clean_text(text: Any, missing: Sequence[str] = ()) -> Any:
    """Strip blanks around the cells of a string array; empty cells and ``missing`` ones become null."""
    text = pc.utf8_trim_whitespace(text)
    absent = pc.is_in(text, value_set=text_array(["", *missing]).cast(text.type))
    return pc.if_else(absent, text_scalar(None).cast(text.type), text)


def column_from_cells(name: str, text: Any, *, missing: Sequence[str], decimal_comma: bool) -> RawColumn:
    """Turn the text cells of a file without types into numbers where all of them are, else keep the text.

    A column that holds a code (see `linkrisk.data.number_cells.is_code`) keeps its text.
    """
    plain = parse_plain(text)  # most columns of numbers have neither gaps nor blanks around their cells
    if plain is None:
        text = clean_text(text, missing)
        plain = parse_numbers(text, decimal_comma=decimal_comma)
    if text.null_count < len(text) and not plain.is_other.any() and not is_code(text).any():
        return RawColumn(name, plain.values)
    text = clean_text(text, missing)
    return RawColumn(name, _object_array(text), decimal_comma=decimal_comma)


def _object_array(text: Any) -> NDArray[Any]:
    """Return str cells, None where null; equal cells share one str, which saves most of the memory."""
    encoded = text.dictionary_encode()
    distinct = np.array([*encoded.dictionary.to_pylist(), None], dtype=object)
    return np.asarray(distinct[integers(encoded.indices)])  # -1, the last one, where missing

"""Arrow arrays from Python and numpy, and back, by their buffers.

Arrow's own ways (``pa.array``, ``pa.scalar``, ``to_numpy``) import pandas to see whether they were given some of it,
which takes longer than reading a small file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from linkrisk.arrays import BoolArray, FloatArray, IntArray

MANY = 100_000
"""Texts from which on Arrow's own way is worth its import."""

LARGEST_TEXT = 2**31 - 1
"""Bytes of all texts of a column from which on their places need 64 bits."""


def text_array(cells: Sequence[str | None] | NDArray[Any]) -> Any:
    """Return texts (None where missing) as an Arrow array.

    >>> text_array(["a", None, "é"]).to_pylist()
    ['a', None, 'é']
    """
    if len(cells) >= MANY:
        return pa.array(cells, type=pa.large_string())
    encoded = [None if cell is None else cell.encode() for cell in cells]
    lengths = [0 if cell is None else len(cell) for cell in encoded]
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    is_there = _packed([cell is not None for cell in encoded])
    contents = pa.py_buffer(b"".join(filter(None, encoded)))
    return pa.Array.from_buffers(pa.large_string(), len(encoded), [is_there, pa.py_buffer(ends), contents])


def array_of(values: Any) -> Any:
    """Return values of numpy, Arrow, pandas or Python as an Arrow array; nan, NaT, None and what is masked are missing.

    Texts stay texts where all are missing.

    >>> array_of(np.array([1.5, np.nan])).to_pylist(), array_of(np.array(["a", None])).to_pylist()
    ([1.5, None], ['a', None])
    """
    if type(values) is not np.ndarray or values.ndim != 1 or not values.dtype.isnative:
        return pa.array(values, from_pandas=True)
    if values.dtype == np.bool_:
        return bool_array(values)
    if values.dtype.kind in "iu":
        return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, _contents(values)])
    if values.dtype == np.float64:
        is_there = ~np.isnan(values)
        mask = None if is_there.all() else _packed(is_there)
        return pa.Array.from_buffers(pa.float64(), len(values), [mask, _contents(values)])
    if values.dtype == np.object_ and all(cell is None or type(cell) is str for cell in values):
        texts = text_array(values)
        return texts if texts.nbytes > LARGEST_TEXT else texts.cast(pa.string())
    return pa.array(values, from_pandas=True)


def text_scalar(text: str | None) -> Any:
    """Return a text, or a missing one, as an Arrow scalar.

    >>> text_scalar("a").as_py(), text_scalar(None).as_py()
    ('a', None)
    """
    return text_array([text])[0]


def bool_array(values: BoolArray) -> Any:
    """Return truth values as an Arrow array.

    >>> bool_array(np.array([True, False])).to_pylist()
    [True, False]
    """
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, _packed(values)])


def floats(array: Any) -> FloatArray:
    """Return the numbers of an Arrow array of float64, NaN where missing; the result may be written to.

    >>> floats(text_array(["1.5", None, "2"]).cast("float64"))
    array([1.5, nan, 2. ])
    """
    values = _values(array, np.dtype(np.float64)).copy()
    values[~is_valid(array)] = np.nan
    return values


def integers(array: Any, missing: int = -1) -> IntArray:
    """Return the numbers of an Arrow array of whole numbers or moments, as they are stored; ``missing`` where missing.

    >>> integers(text_array(["b", "a", None, "b"]).dictionary_encode().indices)
    array([ 0,  1, -1,  0])
    """
    sign = "u" if pa.types.is_unsigned_integer(array.type) else "i"
    values = _values(array, np.dtype(f"{sign}{array.type.bit_width // 8}")).astype(np.int64)
    values[~is_valid(array)] = missing
    return values


def booleans(array: Any) -> BoolArray:
    """Return the truth values of an Arrow array, False where missing.

    >>> booleans(bool_array(np.array([True, False, True]))[1:])
    array([False,  True])
    """
    return _bits(array.buffers()[1], array.offset, len(array)) & is_valid(array)


def is_valid(array: Any) -> BoolArray:
    """Return which values of an Arrow array are there.

    >>> is_valid(text_array(["a", None]))
    array([ True, False])
    """
    mask = array.buffers()[0]
    if array.null_count == 0 or mask is None:
        return np.full(len(array), array.null_count == 0, dtype=np.bool_)
    return _bits(mask, array.offset, len(array))


def _values(array: Any, kind: np.dtype[Any]) -> NDArray[Any]:
    if len(array) == 0:
        return np.zeros(0, dtype=kind)
    return np.frombuffer(array.buffers()[1], dtype=kind, count=array.offset + len(array))[array.offset :]


def _bits(buffer: Any, offset: int, length: int) -> BoolArray:
    if length == 0:
        return np.zeros(0, dtype=np.bool_)
    bits = np.unpackbits(np.frombuffer(buffer, dtype=np.uint8), bitorder="little")
    return bits[offset : offset + length].astype(np.bool_)


def _contents(values: NDArray[Any]) -> Any:
    return pa.py_buffer(np.ascontiguousarray(values))


def _packed(values: Sequence[bool] | BoolArray) -> Any:
    return pa.py_buffer(np.packbits(np.asarray(values, dtype=np.bool_), bitorder="little"))

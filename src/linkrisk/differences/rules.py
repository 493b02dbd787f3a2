"""How the attributes of some records are compared, as the kernels read it; text in tables, chunk by chunk."""

from __future__ import annotations

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.coordinates import Coordinates
from linkrisk.differences.kernels import AttributeRules
from linkrisk.differences.text import text_differences

CHUNK = 2048
"""Records a thread takes at a time."""

MAX_TABLE = 1 << 22
"""Entries of the text tables a chunk may hold (32 MB)."""


def chunk_size(coordinates: Coordinates) -> int:
    """Original records whose text tables fit into memory together."""
    width = sum(len(text.protected) for text in coordinates.texts if text is not None)
    return CHUNK if width == 0 else max(1, min(CHUNK, MAX_TABLE // width))


def rules_for(coordinates: Coordinates, values: FloatArray) -> tuple[FloatArray, AttributeRules]:
    """Return some original records, given by their coordinates, as kernels read them, and the rules for them.

    For text the differences of their strings to all protected strings are computed now, into one table; in the records
    returned, which are a copy, text codes are the rows of their strings in the table.
    """
    queries = np.array(values, order="C")
    table, places = _text_tables(coordinates, queries)
    return queries, attribute_rules(coordinates, table, places)


def attribute_rules(
    coordinates: Coordinates, table: FloatArray | None = None, places: IntArray | None = None
) -> AttributeRules:
    """Return how each attribute is compared, as the kernels read it; text needs its table."""
    settings = np.column_stack(
        [coordinates.divisor, coordinates.offset, coordinates.missing_one, coordinates.missing_both]
    )
    no_places = np.zeros((coordinates.n_attributes, 2), dtype=np.int64)
    return AttributeRules(
        coordinates.rules,
        settings,
        np.zeros(0) if table is None else table,
        no_places if places is None else places,
    )


def _text_tables(coordinates: Coordinates, queries: FloatArray) -> tuple[FloatArray, IntArray]:
    places = np.zeros((coordinates.n_attributes, 2), dtype=np.int64)
    tables: list[FloatArray] = []
    start = 0
    for k, text in enumerate(coordinates.texts):
        if text is None:
            continue
        codes = queries[:, k]
        known = ~np.isnan(codes)
        distinct, local = np.unique(codes[known], return_inverse=True)
        codes[known] = local
        table = text_differences([text.original[int(code)] for code in distinct], text.protected)
        places[k] = start, len(text.protected)
        start += table.size
        tables.append(table.ravel())
    return np.concatenate(tables) if tables else np.zeros(0), places

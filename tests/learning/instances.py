"""Small instances of the learning problem, full of ties."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.learning.problem.rows import Rows

TOLERANCE = 2.0**-40


def draw_records(random: np.random.Generator, n: int, max_records: int, *, has_tolerance: bool) -> list[FloatArray]:
    """Draw the rows of a few records from small whole numbers, so that walls coincide and rows are opposite."""
    size = int(random.integers(1, 6))
    records: list[FloatArray] = []
    for _ in range(random.integers(1, max_records + 1)):
        shape = (int(random.integers(1, 4)), n)
        if has_tolerance:
            own = random.integers(0, size + 1, size=(1, n))
            records.append(np.asarray((1.0 - TOLERANCE) * random.integers(0, size + 1, size=shape) - own, dtype=float))
        else:
            records.append(random.integers(-size, size + 1, size=shape).astype(np.float64))
    if len(records) > 2 and random.random() < 0.5:
        records[1] = -records[0]
        records[2] = records[0].copy()
    return records


def draw_weights(random: np.random.Generator, n_records: int) -> FloatArray:
    """Draw weights like those of the rule for ties that expects a share of a link."""
    return random.choice([1.0, 0.5, 1.0 / 3.0, 0.25], size=n_records)


def make_rows(records: Sequence[FloatArray], weights: FloatArray | None = None) -> Rows:
    """Return the rows of records, each worth 1 unless told."""
    values = np.concatenate(records)
    start = np.concatenate([[0], np.cumsum([len(rows) for rows in records])]).astype(np.int64)
    weight = np.ones(len(records)) if weights is None else weights
    return Rows(values, start, np.zeros(len(values), np.int64), weight)


def owner_of_rows(rows: Rows) -> list[int]:
    """Return whose each row is."""
    return [int(r) for r in np.repeat(np.arange(rows.n_records), np.diff(rows.start))]


def draw_cloud(seed: int, n_records: int, n: int, noise: float) -> Rows:
    """Draw a file and its protected version, and return the rows of the weighted mean."""
    random = np.random.default_rng(seed)
    original = random.normal(size=(n_records, n))
    protected = original + noise * random.normal(size=original.shape)
    d = (original[:, None, :] - protected[None, :, :]) ** 2
    records = []
    for i in range(n_records):
        rows = (1.0 - TOLERANCE) * np.delete(d[i], i, axis=0) - d[i, i]
        if (rows.max(axis=1) > 0).all() and (rows.min(axis=1) < 0).any():
            records.append(rows[rows.min(axis=1) < 0])
    return make_rows(records)

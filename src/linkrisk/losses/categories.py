"""Categorical attributes: tables of one and two attributes, and how well a protected value tells the original one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from linkrisk.arrays import FloatArray, IntArray, LabelArray
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.differences.comparison import VECTOR_KINDS
from linkrisk.engine import interrupt


@dataclass(frozen=True)
class TableDifferences:
    """Distances between the tables of two files, averaged over ``n_tables`` tables; NaN where there are none.

    Each cell holds a share of the records. ``cells`` is the mean absolute difference between the two shares of a cell,
    ``moved`` the share of records that would have to change cells (half the sum of these differences), and
    ``hellinger`` the Hellinger distance.
    """

    cells: float
    moved: float
    hellinger: float
    n_tables: int

    def __str__(self) -> str:
        return f"cells {self.cells:.4f}, moved {self.moved:.4f}, Hellinger {self.hellinger:.4f}"


@dataclass(frozen=True)
class CategoricalLoss:
    """Loss of the categorical attributes.

    ``one_way`` and ``two_way`` compare tables of one and of two attributes. ``entropy`` is the mean over attributes of
    H(original | protected) in bits, ``entropy_share`` the mean of H(original | protected) / H(original).
    ``by_attribute`` holds both for each attribute (the share is NaN for a constant attribute).
    """

    one_way: TableDifferences
    two_way: TableDifferences
    entropy: float
    entropy_share: float
    by_attribute: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"H(original | protected) {self.entropy:.4f} bits, {self.entropy_share:.2%} of H(original)"


def categorical_loss(files: FilePair) -> CategoricalLoss:
    """Compare nominal, ordinal and text attributes, each as unordered categories.

    Tables: with p_c and p'_c the shares of the records of each file in cell c of a table of one or two attributes,

        cells = mean over c of |p_c - p'_c|,  moved = 1/2 sum_c |p_c - p'_c|,
        hellinger = sqrt(1/2 sum_c (sqrt(p_c) - sqrt(p'_c))^2),

    over the cells that occur in at least one of the files; the last two run from 0 to 1. They are averaged over all
    attributes, and over all pairs of attributes.

    Entropy: H(X) = - sum_x P(x) log2 P(x). H(X | X') = H(X, X') - H(X') is what remains unknown of the original value
    to somebody who sees the protected value: 0 where the protected value determines the original one (unchanged, or
    renamed one to one), and H(X) where it tells nothing about it. The share H(X | X') / H(X) is undefined for a
    constant attribute, which is left out of the mean share.

    Records: tables use all records of both files, entropy uses the pairs. Missing is a category of its own. Cost: one
    sort for each attribute and for each pair of attributes.

    References
    ----------
    Kooiman, Willenborg, Gouweleeuw (1997), PRAM: a method for disclosure limitation of microdata (entropy);
    Domingo-Ferrer, Torra (2001), as in `linkrisk.losses.moments` (tables).

    Examples
    --------
    Three records a, a, b become a, b, b. Shares 2/3, 1/3 become 1/3, 2/3: each cell changes by 1/3. Somebody who sees b
    cannot tell a from b: H(X | X') = 2/3 bit of H(X) = 0.918 bit.

    >>> import pandas as pd
    >>> from linkrisk.data import pair_files
    >>> loss = categorical_loss(pair_files(pd.DataFrame({"c": ["a", "a", "b"]}), pd.DataFrame({"c": ["a", "b", "b"]})))
    >>> print(loss.one_way)
    cells 0.3333, moved 0.3333, Hellinger 0.2391
    >>> print(loss)
    H(original | protected) 0.6667 bits, 72.60% of H(original)
    """
    columns = [_codes(column) for column in files.columns if column.attribute.kind not in VECTOR_KINDS]
    names = [column.attribute.name for column in files.columns if column.attribute.kind not in VECTOR_KINDS]
    rows = np.flatnonzero(files.own >= 0)
    entropies = {
        name: _entropies(original[rows], protected[files.own[rows]])
        for name, (original, protected) in zip(names, columns, strict=True)
    }
    constant = [name for name, (bits, share) in entropies.items() if math.isnan(share) and not math.isnan(bits)]
    return CategoricalLoss(
        one_way=_average([_distances(*column) for column in columns]),
        two_way=_average([_distances(*_crossed(*two)) for two in itertools.combinations(columns, 2)]),
        entropy=_mean([bits for bits, _ in entropies.values()]),
        entropy_share=_mean([share for _, share in entropies.values() if not math.isnan(share)]),
        by_attribute=entropies,
        notes=(f"Entropy: {', '.join(constant)} left out of the mean share: constant.",) if constant else (),
    )


def _codes(column: ColumnPair) -> tuple[IntArray, IntArray]:
    """Categories as numbers, equal labels of both files by the same number; missing is one of the categories."""
    numbers: dict[str | None, int] = {}

    def code(labels: LabelArray) -> IntArray:
        return np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.int64)

    return code(column.original), code(column.protected)


def _crossed(first: tuple[IntArray, IntArray], second: tuple[IntArray, IntArray]) -> tuple[IntArray, IntArray]:
    """Give every cell of a table of two attributes a number of its own."""
    n_categories = 1 + max(int(codes.max()) for codes in second)
    return first[0] * n_categories + second[0], first[1] * n_categories + second[1]


def _distances(original: IntArray, protected: IntArray) -> tuple[float, float, float]:
    """Return the distances between two tables: cells, moved, hellinger."""
    interrupt.check()
    cells, place = np.unique(np.concatenate([original, protected]), return_inverse=True)
    before = np.bincount(place[: original.size], minlength=cells.size) / original.size
    after = np.bincount(place[original.size :], minlength=cells.size) / protected.size
    change = np.abs(before - after)
    roots = (np.sqrt(before) - np.sqrt(after)) ** 2
    return float(change.mean()), float(change.sum() / 2), math.sqrt(float(roots.sum()) / 2)


def _entropies(original: IntArray, protected: IntArray) -> tuple[float, float]:
    """Return H(original | protected) in bits and its share of H(original); NaN where H(original) is 0."""
    if original.size == 0:
        return math.nan, math.nan
    joint = original * (1 + int(protected.max())) + protected
    unknown = max(0.0, _entropy(joint) - _entropy(protected))
    total = _entropy(original)
    # What rounding leaves of the difference of two sums is no loss.
    unknown = 0.0 if unknown < 1e-12 * max(1.0, total) else unknown
    return unknown, unknown / total if total > 0 else math.nan


def _entropy(codes: IntArray) -> float:
    counts: FloatArray = np.unique(codes, return_counts=True)[1] / codes.size
    return float(-(counts * np.log2(counts)).sum()) if counts.size > 1 else 0.0


def _average(distances: list[tuple[float, float, float]]) -> TableDifferences:
    cells, moved, hellinger = np.mean(distances, axis=0) if distances else (math.nan,) * 3
    return TableDifferences(float(cells), float(moved), float(hellinger), len(distances))


def _mean(values: list[float]) -> float:
    return float(np.mean(values)) if values else math.nan

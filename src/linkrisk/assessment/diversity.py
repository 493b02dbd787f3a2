"""l-diversity and t-closeness: what the classes of the protected file tell of confidential attributes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.data.attributes import Kind
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.data.same_values import is_missing, record_classes


@dataclass(frozen=True)
class Diversity:
    """How a confidential attribute is spread over the classes of the protected file.

    ``distinct`` is the least number of different values in a class (distinct l-diversity), ``entropy`` the least
    exp(H) of a class with Shannon entropy H (entropy l-diversity: the number of equally frequent values that would be
    as uncertain), ``closeness`` the largest distance of a class from the whole file (t of t-closeness).
    ``n_homogeneous`` counts the records in classes with a single value, of ``n_records`` whose value is known, in
    ``n_classes``. Without any known value all of them are 0.
    """

    attribute: str
    distinct: int
    entropy: float
    closeness: float
    n_homogeneous: int
    n_records: int
    n_classes: int


def diversity(files: FilePair) -> tuple[Diversity, ...]:
    """Measure l-diversity and t-closeness of the protected file for each confidential attribute.

    Classes are those of k-anonymity: records whose quasi-identifiers are all equal, missing values equal to each other.
    The distance of a class with shares p from the file with shares q, over the m values in order, is the earth mover's:
    for numbers, dates and ordered categories 1 / (m - 1) times the sum over i of |p_1 + ... + p_i - q_1 - ... - q_i|
    (neighbouring values are one step apart, whatever the difference); for other categories half the sum of |p_i - q_i|
    (all values are equally far apart). A missing confidential value says nothing: it is in no class, and a class of
    nothing else does not count. Ties play no part. Cost: a few sorts for each attribute.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam (2007), l-diversity: privacy beyond k-anonymity; Li, Li,
    Venkatasubramanian (2007), t-closeness: privacy beyond k-anonymity and l-diversity.

    Examples
    --------
    >>> import pandas as pd
    >>> from linkrisk.data import pair_files
    >>> data = pd.DataFrame({"age": [30, 30, 40, 40], "illness": ["flu", "flu", "flu", "cancer"]})
    >>> found, = diversity(pair_files(data, data, schema={"attributes": {"illness": {"role": "confidential"}}}))
    >>> found.distinct, found.entropy, found.closeness, found.n_homogeneous
    (1, 1.0, 0.25, 2)
    """
    if not files.confidential:
        return ()
    classes = record_classes([column.protected for column in files.columns])
    return tuple(_diversity(column, classes) for column in files.confidential)


def _diversity(column: ColumnPair, classes: IntArray) -> Diversity:
    known = ~is_missing(column.protected)
    name = column.attribute.name
    if not known.any():
        return Diversity(name, 0, 0.0, 0.0, 0, 0, 0)
    codes, n_codes = _codes(column, known)
    _, labels = np.unique(classes[known], return_inverse=True)
    cells, counts = np.unique(labels.reshape(-1) * n_codes + codes, return_counts=True)
    label, code = np.divmod(cells, n_codes)
    sizes, n_distinct = np.bincount(label, weights=counts), np.bincount(label)
    share = counts / sizes[label]
    entropy = np.bincount(label, weights=-share * np.log(share))
    whole = np.bincount(codes, minlength=n_codes) / len(codes)
    is_ordered = column.attribute.kind not in {Kind.NOMINAL, Kind.TEXT}
    distances = (_ordered_distances if is_ordered else _equal_distances)(label, code, share, whole)
    return Diversity(
        attribute=name,
        distinct=int(n_distinct.min()),
        entropy=float(np.exp(entropy.min())),
        closeness=float(distances.max()),
        n_homogeneous=int(sizes[n_distinct == 1].sum()),
        n_records=len(codes),
        n_classes=len(sizes),
    )


def _codes(column: ColumnPair, known: BoolArray) -> tuple[IntArray, int]:
    """Return the known values as places in their order, and how many different ones there are."""
    values = column.protected[known]
    if column.attribute.order:
        place = {value: code for code, value in enumerate(column.attribute.order)}
        values = np.array([place[value] for value in values], dtype=np.float64)
    distinct, codes = np.unique(values, return_inverse=True)
    return codes.reshape(-1).astype(np.int64), len(distinct)


def _equal_distances(label: IntArray, code: IntArray, share: FloatArray, whole: FloatArray) -> FloatArray:
    """Return half the sum of the differences of each class; what a class lacks differs by its whole share."""
    inside = np.bincount(label, weights=np.abs(share - whole[code]) - whole[code])
    return np.asarray(np.maximum(0.5 * (1.0 + inside), 0.0))


def _ordered_distances(label: IntArray, code: IntArray, share: FloatArray, whole: FloatArray) -> FloatArray:
    """Return the ordered distance of each class, by stretches of codes on which its cumulative share is constant.

    Entries ascend by class and code. From each to the next of its class (to the last code for the last) the class has
    added up to one level, before its first to 0; the file's cumulative shares ascend, so that they cross a level once.
    """
    n_codes = len(whole)
    if n_codes == 1:
        return np.zeros(int(label[-1]) + 1)
    total = np.cumsum(whole)
    sums = np.concatenate([[0.0], np.cumsum(total)])
    is_first = np.diff(label, prepend=-1) > 0
    is_last = np.append(is_first[1:], True)
    reached = np.cumsum(share)
    start = np.flatnonzero(is_first)
    level = reached - np.repeat(np.concatenate([[0.0], reached[is_last][:-1]]), np.diff(np.append(start, len(label))))
    end = np.where(is_last, n_codes - 1, np.append(code[1:], 0))
    stretches = _between(total, sums, code, np.maximum(end, code), level)
    before = sums[code[start]]  # where the class has nothing yet
    return np.asarray((np.bincount(label, weights=stretches) + before) / (n_codes - 1))


def _between(total: FloatArray, sums: FloatArray, low: IntArray, high: IntArray, level: FloatArray) -> FloatArray:
    """Return the sum of |total[i] - level| over low <= i < high; ``sums`` are those of ``total``."""
    cross = np.clip(np.searchsorted(total, level), low, high)
    below = level * (cross - low) - (sums[cross] - sums[low])
    above = (sums[high] - sums[cross]) - level * (high - cross)
    return np.asarray(below + above)

"""Microaggregation: classes of equal released records, which attributes share them, and what their values are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.data.attributes import Kind
from linkrisk.informed.recognise.true_pairs import LABELS, TruePairs
from linkrisk.informed.terms import significant
from linkrisk.protection.microaggregation.clusters import CENTROIDS
from linkrisk.protection.values.digits import decimals_of

FINER = 1.1
"""Two attributes of one group have at most so many times the classes of the one with more of them."""


@dataclass(frozen=True, eq=False, repr=False)
class Classes:
    """A partition of the released records: the class of each, -1 where a value is missing, and their sizes."""

    code: IntArray
    sizes: IntArray

    @property
    def smallest(self) -> int:
        """Records in the smallest class; 0 without any."""
        return int(self.sizes.min(initial=self.sizes.max(initial=0)))

    def joined(self, other: Classes) -> Classes:
        """Return the classes of records that agree in both."""
        both = self.code * (other.sizes.size + 1) + other.code
        return _numbered(np.where((self.code < 0) | (other.code < 0), -1, both))

    def refines(self, other: Classes) -> bool:
        """Whether every class lies within one of the other."""
        return self.joined(other).sizes.size == self.sizes.size


def classes_of(pairs: TruePairs, name: str) -> Classes:
    """Return the classes of equal released values of one attribute; numbers as far as files keep them."""
    if pairs.kind(name) in LABELS:
        return _numbered(pairs.all_codes(name)[1])
    values = pairs.columns(name)[1]
    is_known = np.isfinite(values)
    code = np.full(values.size, -1, dtype=np.int64)
    code[is_known] = np.unique(significant(values[is_known]), return_inverse=True)[1].reshape(-1)
    return _numbered(code)


def joint_classes(pairs: TruePairs, names: Sequence[str]) -> Classes:
    """Return the classes of released records that agree in all of some attributes."""
    result = classes_of(pairs, names[0])
    for name in names[1:]:
        result = result.joined(classes_of(pairs, name))
    return result


def find_groups(pairs: TruePairs, names: Iterable[str]) -> list[tuple[str, ...]]:
    """Return attributes in groups that share their clusters.

    Clusters may be merged in one attribute, where their values are equal by chance, so partitions of one group need not
    be the same: two attributes are of one group if no class becomes smaller than the smallest of either when both are
    looked at together, or hardly more classes come about. The attribute with most classes begins a group; categories
    join a group of numbers, if there is one whose clusters they keep whole. Cost: a sort for each attribute and group.
    """
    classes = {name: classes_of(pairs, name) for name in names}
    is_label = {name: pairs.kind(name) in LABELS for name in classes}
    order = sorted(classes, key=lambda name: (is_label[name], -classes[name].sizes.size))
    groups: list[tuple[list[str], Classes]] = []
    for name in order:
        own = classes[name]
        place = next((p for p, (_, shared) in enumerate(groups) if _is_shared(shared, own, is_label[name])), None)
        if place is None:
            groups.append(([name], own))
        else:
            groups[place] = (groups[place][0] + [name], groups[place][1].joined(own))
    places = {name: place for place, name in enumerate(pairs.names)}
    found = [tuple(sorted(group, key=places.__getitem__)) for group, _ in groups]
    return sorted(found, key=lambda group: places[group[0]])


def centroid_of(pairs: TruePairs, name: str) -> str | None:
    """Return which centroid of the members' originals the released values are: the usual one where several fit.

    Clusters with equal values count as one class; the mean, the median and the mode of such a class are those of its
    clusters. Means and medians may be rounded to the decimals the release is written with. None where nothing fits, or
    not everybody is known.
    """
    if not pairs.is_whole or pairs.kind(name) not in CENTROIDS:
        return None
    x, y = _as_numbers(pairs, name)
    if x.size == 0:
        return None
    labels = np.unique(significant(y), return_inverse=True)[1].reshape(-1)
    for centroid in CENTROIDS[pairs.kind(name)]:
        if _is_centroid(x, y, labels, centroid, is_category=pairs.kind(name) in LABELS):
            return centroid
    return None


def unusual_centroids(pairs: TruePairs, names: Iterable[str]) -> dict[str, str]:
    """Return the centroids that are not the usual ones of their kinds, by attribute."""
    found = {name: centroid_of(pairs, name) for name in names}
    return {
        name: centroid
        for name, centroid in found.items()
        if centroid is not None and centroid != CENTROIDS[pairs.kind(name)][0]
    }


def lies_among_neighbours(pairs: TruePairs, name: str) -> bool:
    """Whether every original lies between the released values before and after its own.

    Clusters of one attribute do so; otherwise they were made of other attributes as well.
    """
    x, y = pairs.numbers(name)
    values = np.unique(pairs.released(name))
    place = np.searchsorted(values, y)
    padded = np.concatenate([[-np.inf], values, [np.inf]])
    return bool(((padded[place] <= x) & (x <= padded[place + 2])).all())


def looks_aggregated(pairs: TruePairs, name: str) -> bool:
    """Whether released numbers come in classes of two or more, whose values are centroids where that can be seen.

    Where not everybody is known, centroids cannot be seen; then there must be fewer values than among the originals, or
    values with more decimals.
    """
    if classes_of(pairs, name).smallest < 2:
        return False
    if pairs.is_whole:
        return centroid_of(pairs, name) is not None
    x, y = pairs.numbers(name)
    before, after = decimals_of(x), decimals_of(y)
    is_near = float(np.sum((x - y) ** 2)) < float(np.sum((x - x.mean()) ** 2)) if x.size else False
    return is_near and (np.unique(y).size < np.unique(x).size or (before is not None and before != after))


def _is_shared(shared: Classes, own: Classes, is_label: bool) -> bool:
    joint = shared.joined(own)
    if is_label:
        return joint.sizes.size == shared.sizes.size
    is_kept = joint.smallest >= max(2, min(shared.smallest, own.smallest))
    return is_kept or joint.sizes.size <= FINER * max(shared.sizes.size, own.sizes.size)


def _numbered(code: IntArray) -> Classes:
    """Return classes numbered without gaps; negative codes belong to none."""
    is_known = code >= 0
    result = np.full(code.size, -1, dtype=np.int64)
    distinct, result[is_known] = np.unique(code[is_known], return_inverse=True)
    return Classes(result, np.bincount(result[is_known], minlength=distinct.size).astype(np.int64))


def _as_numbers(pairs: TruePairs, name: str) -> tuple[FloatArray, FloatArray]:
    if pairs.kind(name) is not Kind.NOMINAL:
        return pairs.numbers(name)
    x, y, _ = pairs.codes(name)
    return x.astype(np.float64), y.astype(np.float64)


def _is_centroid(x: FloatArray, y: FloatArray, labels: IntArray, centroid: str, *, is_category: bool) -> bool:
    scale = float(np.abs(x).max()) or 1.0
    sizes = np.bincount(labels)
    decimals = None if is_category else decimals_of(y)
    slack = max(1e-9 * scale, 0.0 if decimals is None else 0.5000001 * 10.0**-decimals)
    if centroid == "mean":
        means = np.bincount(labels, weights=x / scale) / sizes * scale
        return bool((np.abs(means[labels] - y) <= slack).all())
    if centroid == "median":
        order = np.lexsort((x, labels))
        starts = np.cumsum(sizes) - sizes
        low = x[order[starts + (sizes - 1) // 2]]
        high = low if is_category else x[order[starts + sizes // 2]]
        return bool((np.abs((low + (high - low) / 2.0)[labels] - y) <= slack).all())
    return _are_modes(x, y, labels, sizes.size)


def _are_modes(x: FloatArray, y: FloatArray, labels: IntArray, n_classes: int) -> bool:
    """Whether no value is more frequent among the members of a class than the released one."""
    values, codes = np.unique(significant(np.concatenate([x, y])), return_inverse=True)
    x_code, y_code = codes.reshape(-1)[: x.size], codes.reshape(-1)[x.size :]
    cells, counts = np.unique(labels * values.size + x_code, return_counts=True)
    most = np.zeros(n_classes, dtype=np.int64)
    np.maximum.at(most, cells // values.size, counts)
    own = np.searchsorted(cells, labels * values.size + y_code)
    is_there = cells[np.minimum(own, cells.size - 1)] == labels * values.size + y_code
    return bool(is_there.all() and (counts[np.minimum(own, cells.size - 1)] == most[labels]).all())

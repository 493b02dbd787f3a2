"""Noise on its own or with the correlations of the data: what the differences of true pairs look like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.informed.description import Treatment
from linkrisk.informed.recognise.numeric import noise_percentage
from linkrisk.informed.recognise.true_pairs import TruePairs

ERRORS = 4.5
"""Standard errors within which two correlations, or two deviations, count as the same."""

LARGEST = 0.999
"""Correlations beyond this are taken as this, so that they can be compared on Fisher's scale."""

SAMPLED = 0.1
"""What correlations may differ by besides, on Fisher's scale, where not everybody is known."""


def correlated_percentage(pairs: TruePairs, names: Sequence[str]) -> float | None:
    """Return the p that correlated noise gives all of its attributes: the root mean square of the p of each."""
    found = [noise_percentage(pairs, name) for name in names]
    known = [p for p in found if p is not None]
    return float(f"{float(np.sqrt(np.mean(np.square(known)))):.6g}") if known else None


def noise_treatments(pairs: TruePairs, names: Sequence[str]) -> tuple[list[Treatment], list[Treatment]]:
    """Return how noise was added to attributes, and another way it may have been, empty if there is none.

    Attributes whose differences are correlated form blocks. A block has correlated noise if the correlations of its
    differences are those of the data and its p are equal, as far as chance lets one see; attributes that hardly
    correlate with it in the data either join it. Otherwise noise counts as independent. Correlated noise is the other
    way for blocks that resemble the data less, and for all attributes where there are too few records to see
    correlations. Records with a missing value take no part in correlations.
    """
    moments = _moments(pairs, names)
    if moments is None:
        return _independent(pairs, names), []
    blocks = _blocks(np.abs(moments.differences) > moments.error)
    alone = [block[0] for block in blocks if len(block) == 1]
    correlated, doubtful = [], []
    for block in blocks:
        if len(block) > 1 and moments.are_alike(block):
            correlated.append(moments.extended(block, alone))
            alone = [place for place in alone if place not in correlated[-1]]
        elif len(block) > 1:
            doubtful.append(block)
    if len(alone) == len(names) and moments.are_alike(alone) and moments.is_correlated:
        doubtful.append(alone)
    sure = [_correlated(pairs, [names[place] for place in block]) for block in correlated]
    unsure = [_correlated(pairs, [names[place] for place in block]) for block in doubtful]
    independent = [name for name in names if not _treats(sure, name)]
    others = [name for name in independent if not _treats(unsure, name)]
    return (
        [*_independent(pairs, independent), *sure],
        [*_independent(pairs, others), *sure, *unsure] if unsure else [],
    )


@dataclass(frozen=True, eq=False, repr=False)
class _Moments:
    """Correlations of differences and of data on Fisher's scale, p of each attribute, and what chance does to them.

    ``error`` is how far a correlation, ``ratio`` by which factor a p may be from another that is the same in truth.
    """

    differences: FloatArray
    data: FloatArray
    p: FloatArray
    error: float
    ratio: float

    def are_alike(self, block: Sequence[int]) -> bool:
        """Whether the differences of a block are correlated as the data are, and have the same size."""
        inner = np.ix_(block, block)
        p = self.p[list(block)]
        is_like = bool((np.abs(self.differences[inner] - self.data[inner]) <= self.error).all())
        return is_like and bool(p.max() <= self.ratio * p.min())

    def extended(self, block: Sequence[int], others: Sequence[int]) -> list[int]:
        """Return a block with those other attributes that are alike with it."""
        result = list(block)
        for place in others:
            if self.are_alike([*result, place]):
                result.append(place)
        return sorted(result)

    @property
    def is_correlated(self) -> bool:
        """Whether correlations of the data are large enough to matter to the intruder."""
        return bool((np.abs(self.data) > self.error / 2.0).any())


def _moments(pairs: TruePairs, names: Sequence[str]) -> _Moments | None:
    """Return the moments of some attributes; None if there are too few attributes or records.

    Correlations of the data are taken from the release where not everybody is known: noise that is small, or correlated
    as they are, keeps them.
    """
    if len(names) < 2:
        return None
    x, y = (np.column_stack([pairs.columns(name)[side] for name in names]) for side in (0, 1))
    own = pairs.files.own
    differences = y[own[own >= 0]] - x[own >= 0]
    differences = differences[np.isfinite(differences).all(axis=1)]
    data = x if pairs.is_whole else y
    data = data[np.isfinite(data).all(axis=1)]
    if len(differences) < 5 or len(data) < 5:
        return None
    sampled = 0.0 if pairs.is_whole else SAMPLED
    return _Moments(
        differences=_fisher(differences),
        data=_fisher(data),
        p=np.array([noise_percentage(pairs, name) for name in names], dtype=np.float64),
        error=ERRORS / float(np.sqrt(len(differences) - 3)) + sampled,
        ratio=1.0 + ERRORS / float(np.sqrt(len(differences))) + sampled,
    )


def _independent(pairs: TruePairs, names: Sequence[str]) -> list[Treatment]:
    if not names:
        return []
    return [Treatment("noise", tuple(names), {"p": {name: noise_percentage(pairs, name) for name in names}})]


def _correlated(pairs: TruePairs, names: Sequence[str]) -> Treatment:
    return Treatment("correlated_noise", tuple(names), {"p": correlated_percentage(pairs, names)})


def _treats(treatments: Sequence[Treatment], name: str) -> bool:
    return any(name in part.attributes for part in treatments)


def _fisher(values: FloatArray) -> FloatArray:
    """Return correlations as their inverse hyperbolic tangents, 0 on the diagonal and for constants."""
    centred = values - values.mean(axis=0)
    lengths = np.sqrt(np.sum((centred / _sizes(centred)) ** 2, axis=0))
    units = centred / _sizes(centred) / np.where(lengths > 0.0, lengths, 1.0)
    correlations = np.clip(units.T @ units, -LARGEST, LARGEST)
    np.fill_diagonal(correlations, 0.0)
    return np.asarray(np.arctanh(correlations))


def _sizes(values: FloatArray) -> FloatArray:
    largest = np.abs(values).max(axis=0)
    return np.where(largest > 0.0, largest, 1.0)


def _blocks(is_linked: BoolArray) -> list[list[int]]:
    """Return the connected parts of a graph, each in order."""
    left = list(range(len(is_linked)))
    blocks = []
    while left:
        block = {left[0]}
        waiting = [left[0]]
        while waiting:
            found = {int(other) for other in np.flatnonzero(is_linked[waiting.pop()])} - block
            block |= found
            waiting += sorted(found)
        left = [place for place in left if place not in block]
        blocks.append(sorted(block))
    return blocks

"""Categories that are a function of the originals, or were drawn: generalisation, coding, PRAM."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.data.attributes import Kind
from linkrisk.informed.recognise.numeric import coding_ends
from linkrisk.informed.recognise.true_pairs import TruePairs

MOST_CATEGORIES = 1000
"""A matrix of transitions between more categories than this is not made."""

MOST_KEPT = 0.999999
"""The largest keep where something changed: with 1 that would be impossible."""

REPEATED = 2
"""A function of categories must have been seen so many times for each category it changes; less would fit anything."""


def keep_share(pairs: TruePairs, name: str) -> float | None:
    """Return keep of PRAM from the agreement rate a = keep + (1 - keep) s, clipped to [0, 1]; None without a pair.

    s is the sum over categories of the share of originals times that of the file from which was drawn, so the sum of
    f^2 where everybody is known. The file is the original where that is known as a whole, otherwise the release.
    """
    x, y, labels = pairs.codes(name)
    if x.size == 0:
        return None
    agreement = float((x == y).mean())
    originals, released, _ = pairs.all_codes(name)
    base = originals if pairs.is_whole else released
    by_chance = float(_shares(x, len(labels)) @ _shares(base[base >= 0], len(labels)))
    if agreement == 1.0 or by_chance >= 1.0:
        return 1.0
    keep = (agreement - by_chance) / (1.0 - by_chance)
    return float(f"{min(max(keep, 0.0), MOST_KEPT):.6g}")


def can_be_drawn(pairs: TruePairs, name: str) -> bool:
    """Whether PRAM can have made the released categories: all of them are there to be drawn, and not too many."""
    x, y, labels = pairs.codes(name)
    originals, released, _ = pairs.all_codes(name)
    base = originals if pairs.is_whole else released
    return bool(x.size) and len(labels) <= MOST_CATEGORIES and bool(np.isin(y, base).all())


def category_mapping(pairs: TruePairs, name: str) -> dict[str, str] | None:
    """Return what became of each category that changed, if each became one other; None if that is not so.

    New categories of an ordinal attribute must be runs of old ones. The changed categories must have been seen twice
    on average: otherwise a mapping would explain anything.
    """
    x, y, labels = pairs.codes(name)
    seen, first = np.unique(x, return_index=True)
    image = np.full(len(labels), -1, dtype=np.int64)
    image[seen] = y[first]
    changed = seen[image[seen] != seen]
    if (image[x] != y).any() or int((x != y).sum()) < REPEATED * changed.size:
        return None
    if pairs.kind(name) is Kind.ORDINAL and not _is_in_runs(pairs, name, labels, image):
        return None
    return {labels[old]: labels[image[old]] for old in changed.tolist()}


def run_length(pairs: TruePairs, name: str) -> int | None:
    """Return m if the categories of an ordinal attribute were taken in runs of m, each written as its middle one.

    The categories are those that occur in the original file.
    """
    x, y = pairs.numbers(name)
    originals = pairs.columns(name)[0]
    present = np.unique(originals[np.isfinite(originals)])
    for length in range(2, present.size + 1):
        starts = np.arange(present.size) // length * length
        middles = present[starts + (np.minimum(length, present.size - starts) - 1) // 2]
        if (middles[np.searchsorted(present, x)] == y).all():
            return length
    return None


def generalised_categories(pairs: TruePairs, name: str) -> int | Mapping[str, str] | None:
    """Return into of generalisation for categories: the length of runs, or a mapping; None if neither fits."""
    length = run_length(pairs, name) if pairs.kind(name) is Kind.ORDINAL else None
    return category_mapping(pairs, name) if length is None else length


def coded_categories(pairs: TruePairs, name: str) -> tuple[str | None, str | None] | None:
    """Return the least and the largest category released where coding fits, None where nothing was cut."""
    ends = coding_ends(pairs, name)
    order = pairs.attribute(name).order
    if ends is None:
        return None
    bottom, top = (None if end is None else order[int(end)] for end in ends)
    return bottom, top


def _shares(codes: Any, n_labels: int) -> FloatArray:
    return np.asarray(np.bincount(codes, minlength=n_labels) / max(1, codes.size))


def _is_in_runs(pairs: TruePairs, name: str, labels: tuple[str, ...], image: Any) -> bool:
    """Whether old categories, from low to high, go to new ones that never come back after another."""
    place = {label: number for number, label in enumerate(labels)}
    codes = [place[label] for label in pairs.attribute(name).order if label in place]
    new = [int(image[code]) if image[code] >= 0 else code for code in codes]
    runs = [code for number, code in enumerate(new) if number == 0 or code != new[number - 1]]
    return len(runs) == len(set(runs))

"""Which microaggregation made a release: the one that gives it when it is run again on the whole file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from linkrisk.informed.description import Treatment
from linkrisk.informed.methods.rerun import add_rerun_terms
from linkrisk.informed.recognise.groups import joint_classes, unusual_centroids
from linkrisk.informed.recognise.numeric import is_rising
from linkrisk.informed.recognise.true_pairs import TruePairs
from linkrisk.informed.terms import TermList, significant
from linkrisk.protection.methods.mdav import BLOCK
from linkrisk.protection.values.columns import ALL, ORDERED, QUANTITIES

MOST_RECORDS = {"classic": 20_000, "fast": 100_000}
"""Records up to which MDAV is run again: about a second for each group and scale."""

MOST_TRIED = 2_000
"""Records up to which several k are tried where classes do not show it, as for categories."""

LARGEST_TRIED = 12
"""The largest k that is tried then."""

BY_GROUPS = ("z_scores", "principal_components", "mdav")
"""Methods that treat groups of attributes, the quick ones first."""


def reproduces(treatment: Treatment, pairs: TruePairs) -> bool:
    """Whether a method, run again on the originals, gives every one of them its released values.

    Values are compared as the intruder's terms compare them. False where not everybody is known, or the method cannot
    be run. Cost: that of the method.
    """
    if not pairs.is_whole:
        return False
    terms = TermList(pairs.known.n_original, pairs.known.n_protected)
    if not add_rerun_terms(treatment, pairs.known, terms):
        return False
    return all(bool((x == y[pairs.files.own]).all()) for x, y in terms.keys)


def rerun_ranking(pairs: TruePairs, name: str) -> Treatment | None:
    """Return the individual ranking that gives the release of one attribute; None if there is none.

    Classes end after multiples of k records, except the last. So k is tried as the size of the smallest class, then as
    the divisors of the greatest common divisor of those ends, from the largest on.
    """
    if not pairs.is_whole or pairs.kind(name) not in ORDERED:
        return None
    if pairs.has_holes(name) or not is_rising(*pairs.numbers(name)):
        return None
    counts = np.unique(significant(pairs.released(name)), return_counts=True)[1]
    if counts.size < 2:
        return None
    ends = int(np.gcd.reduce(np.cumsum(counts)[:-1]))
    centroid = unusual_centroids(pairs, [name])
    for size in dict.fromkeys([int(counts.min()), *_divisors(ends)]):
        parameters: dict[str, Any] = {"k": {name: size}, **({"centroid": centroid} if centroid else {})}
        treatment = Treatment("individual_ranking", (name,), parameters)
        if size >= 2 and reproduces(treatment, pairs):
            return treatment
    return None


def rerun_group(
    pairs: TruePairs,
    names: Sequence[str],
    methods: Sequence[str] = BY_GROUPS,
    given: Mapping[str, Any] | None = None,
) -> Treatment | None:
    """Return the method and parameters that give the release of one group of attributes; None if there are none.

    ``given`` are parameters that are published: k, raw, centroid, variant.
    """
    if not pairs.is_whole or any(pairs.has_holes(name) for name in names):
        return None
    for method in methods:
        for parameters in _tried(pairs, names, method, given or {}):
            treatment = Treatment(method, tuple(names), parameters)
            if reproduces(treatment, pairs):
                return treatment
    return None


def _tried(pairs: TruePairs, names: Sequence[str], method: str, given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the parameters with which a method may have made the release of one group."""
    kinds = {pairs.kind(name) for name in names}
    if not kinds <= (ALL if method == "mdav" else ORDERED):
        return
    centroid = given.get("centroid") or unusual_centroids(pairs, names)
    common = {"groups": (tuple(names),), **({"centroid": centroid} if centroid else {})}
    for k in _sizes(pairs, names, given.get("k")):
        if method != "mdav":
            yield {**common, "k": (k,)}
            continue
        for variant in _variants(pairs.known.n_original, given.get("variant")):
            for raw in _scales(len(names), given.get("raw")):
                fast = {"variant": variant} if variant != "classic" else {}
                yield {**common, "k": (k,), "raw": raw, **fast}


def _sizes(pairs: TruePairs, names: Sequence[str], given: int | None) -> list[int]:
    """Return the k to be tried: that of the smallest class, or, for categories alone, all that are not larger."""
    if given is not None:
        return [given]
    smallest = joint_classes(pairs, names).smallest
    n_records = pairs.known.n_original
    if smallest < 2:
        return []
    if any(pairs.kind(name) in QUANTITIES for name in names):
        return [smallest] if 2 * smallest <= n_records else []
    if n_records > MOST_TRIED:
        return []
    least = least_size_of_categories(pairs, names)
    return list(range(least, min(smallest, LARGEST_TRIED, n_records // 2) + 1))


def least_size_of_categories(pairs: TruePairs, names: Sequence[str]) -> int:
    """Return the least k with which MDAV can have changed as many records of a group of categories as it did.

    With c combinations of categories among the originals, at most (c + 2) (2 k - 1) records change: a cluster takes
    equal records first, so that it is mixed only if it takes the last ones of its combination, or is the last of all.
    Records with missing values are clustered otherwise: where there are any, every k is possible.
    """
    if not all(map(pairs.are_all_known, names)):
        return 2
    columns = [pairs.codes(name)[:2] for name in names]
    n_changed = int(np.any([x != y for x, y in columns], axis=0).sum())
    n_combinations = len(np.unique(np.column_stack([x for x, _ in columns]), axis=0))
    return max(2, math.ceil((n_changed / (n_combinations + 2) + 1) / 2))


def _scales(n_attributes: int, given: bool | None) -> list[bool]:
    """Return whether raw values are to be clustered: both are tried, unless it is known, or there is one attribute."""
    if given is not None:
        return [bool(given)]
    return [False, True] if n_attributes > 1 else [False]


def _variants(n_records: int, given: str | None) -> list[str]:
    """Return the variants of MDAV that are run again at this size; up to the size of a block they are the same."""
    found = ["classic"] if n_records <= BLOCK else ["fast", "classic"]
    return [name for name in found if n_records <= MOST_RECORDS[name] and given in (None, name)]


def _divisors(number: int) -> list[int]:
    """Return the divisors of a number from 2 on, the largest first.

    >>> _divisors(12)
    [12, 6, 4, 3, 2]
    """
    low = [part for part in range(1, math.isqrt(number) + 1) if number % part == 0]
    return sorted({part for one in low for part in (one, number // one) if part > 1}, reverse=True)

"""Leaves of the tree of a cover: how much must be given up there, so that every core is broken."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.verifier.certificate.fields import (
    as_exact,
    as_exacts,
    as_list,
    as_whole,
    as_wholes,
    check_keys,
    entry,
)
from linkrisk.verifier.cover.cores import Core
from linkrisk.verifier.exact.rationals import Number, wholes
from linkrisk.verifier.problem.worths import Worths
from linkrisk.verifier.verification import Rejection

BITS = 62
"""Sums are first computed in whole numbers of at most so many bits."""

LARGEST = 2.0**900
"""Multipliers above this are only used exactly."""

CACHED_BYTES = 1 << 27
"""Memory for leaves that are used again."""


@dataclass
class Path:
    """The decisions from the root of a tree to one of its nodes: ``is_kept`` of each record that is decided."""

    records: list[int] = field(default_factory=list)
    is_kept: dict[int, bool] = field(default_factory=dict)

    def follow(self, depth: int, record: int, is_kept: bool) -> None:
        """Go back to the node at depth - 1, and from there to a child by deciding about a record; the root has none."""
        while len(self.records) > max(depth - 1, 0):
            del self.is_kept[self.records.pop()]
        if depth:
            self.records.append(record)
            self.is_kept[record] = is_kept


@dataclass(frozen=True)
class _Sums:
    """What a leaf proves, in some unit.

    ``reduced[i]`` is the worth of record i less the multipliers of the cores that contain it; at least ``given_up``
    must be given up where no branch has decided about a record.
    """

    unit: Fraction
    reduced: IntArray | Sequence[int]
    given_up: int

    def given_up_below(self, path: Path) -> Fraction:
        """Return how much must be given up at least, where some records are linked and others given up."""
        values = [(int(self.reduced[record]), is_kept) for record, is_kept in path.is_kept.items()]
        change = sum(max(-value, 0) if is_kept else max(value, 0) for value, is_kept in values)
        return (self.given_up + change) * self.unit


class Leaves:
    """The leaves of one tree, by their places among its nodes; bounds above ``wanted`` are all that a leaf proves."""

    def __init__(self, worths: Worths, cores: Sequence[Core], nodes: Sequence[Any], wanted: Fraction) -> None:
        self.worths = worths
        self.cores = cores
        self.nodes = nodes
        self.wanted = wanted
        self.members: list[IntArray] = [np.array(sorted(core.members), dtype=np.int64) for core in cores]
        self._rounded = lru_cache(64 + CACHED_BYTES // (8 * worths.n_records + 1))(self._make_rounded)
        self._exact = lru_cache(64)(self._make_exact)

    def bound(self, place: int, path: Path) -> Fraction:
        """Return what can be linked at a leaf: by rounded sums where these show what is wanted, else by exact ones.

        *Guarantee* (docs/mathematics.md#multipliers): let x_i = 1 for records that are given up, and for lost ones
        (which are worth nothing), and x_i = 0 for linked ones. Every core has sum x_i >= 1; so for any y >= 0, sum w_i
        x_i >= sum y + sum (w_i - sum of y of the cores with i) x_i. A term of the last sum is 0 for a linked record,
        and its factor for a record given up or lost; where nothing is decided it is at least the smaller of the two. y
        may be rounded, and w rounded down.
        """
        if "core" in self.nodes[place]:
            self._check_contradiction(self.nodes[place], path)
            return Fraction(0)
        rounded = self._rounded(place)
        if rounded is not None and (bound := self._at_most(rounded, path)) <= self.wanted:
            return bound
        return self._at_most(self._exact(place), path)

    def _at_most(self, sums: _Sums, path: Path) -> Fraction:
        given_up = max(sums.given_up_below(path), Fraction(0))  # multipliers may be too large to show anything
        return self.worths.rounded_down(self.worths.total - given_up)

    def _check_contradiction(self, leaf: Mapping[str, Any], path: Path) -> None:
        check_keys(leaf, ("core",), "A leaf of the tree")
        core = self.cores[as_whole(leaf["core"], "The core of a leaf", below=len(self.cores))]
        if not all(path.is_kept.get(record, False) for record in core.members):
            raise Rejection("A leaf of the tree names a core whose records are not all linked above it")

    def _make_rounded(self, place: int) -> _Sums | None:
        """Return what a leaf proves in 64-bit numbers, rounded; None where its multipliers are too large for that."""
        chosen, multipliers, divisor = self._read(place)
        try:
            y = np.array([float(multiplier / divisor) for multiplier in multipliers])
        except OverflowError:
            return None
        if y.max(initial=0.0) > LARGEST:
            return None
        exponent = self._exponent(y)
        whole = np.floor(np.ldexp(y, -exponent)).astype(np.int64)
        by_core = np.zeros(len(self.cores), dtype=np.int64)
        np.add.at(by_core, np.array(chosen, dtype=np.int64), whole)
        used = np.flatnonzero(by_core).tolist()
        reduced = self.worths.scaled(exponent)
        if used:
            members = [self.members[core] for core in used]
            np.subtract.at(reduced, np.concatenate(members), np.repeat(by_core[used], [len(m) for m in members]))
        least = np.where(self.worths.is_open, np.minimum(reduced, 0), reduced)
        return _Sums(Fraction(2) ** exponent, reduced, int(whole.sum()) + int(least.sum()))

    def _exponent(self, multipliers: FloatArray) -> int:
        """Return the exponent of a power of two that is so large that no sum over records, in this unit, overflows."""
        largest = self.worths.total + 2 * Fraction(math.fsum(multipliers.tolist()))
        n_terms = self.worths.n_records + len(multipliers) + 1
        return largest.numerator.bit_length() - largest.denominator.bit_length() + 1 + n_terms.bit_length() - BITS

    def _make_exact(self, place: int) -> _Sums:
        """Return exactly what a leaf proves."""
        chosen, multipliers, divisor = self._read(place)
        numerators, shift = wholes(multipliers)
        by_core: dict[int, int] = {}
        for core, value in zip(chosen, numerators, strict=True):
            by_core[core] = by_core.get(core, 0) + value * self.worths.denominator
        factor = divisor << shift
        reduced = [value * factor for value in self.worths.numerators]
        for core, value in by_core.items():
            for record in self.members[core].tolist():
                reduced[record] -= value
        least = (min(a, 0) if is_open else a for a, is_open in zip(reduced, self.worths.is_open.tolist(), strict=True))
        return _Sums(Fraction(1, factor * self.worths.denominator), reduced, sum(by_core.values()) + sum(least))

    def _read(self, place: int) -> tuple[list[int], list[Number], int]:
        """Return the cores of a leaf, their multipliers, and what these are to be divided by."""
        leaf = self.nodes[place]
        check_keys(leaf, ("cores", "multipliers", "divisor"), "A leaf of the tree")
        numbers = as_list(entry(leaf, "cores", "A leaf of the tree"), "The cores of a leaf")
        chosen = as_wholes(numbers, "A core of a leaf", least=0, below=len(self.cores)).tolist()
        multipliers = as_exacts(entry(leaf, "multipliers", "A leaf of the tree"), "the multipliers", least=0)
        if len(chosen) != len(multipliers):
            raise Rejection("A leaf of the tree does not give a multiplier for every core")
        divisor = as_exact(leaf.get("divisor", 1), "The divisor of a leaf", least=1)
        if not isinstance(divisor, int):
            raise Rejection("The divisor of a leaf is not a whole number")
        return chosen, multipliers, divisor

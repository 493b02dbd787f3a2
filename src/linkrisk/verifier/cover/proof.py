"""Proofs by covers: cores, and a tree that shows how much must be given up to break them all."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress
from linkrisk.verifier.certificate.fields import as_list, as_mapping, as_numbers, as_whole, check_keys, entry
from linkrisk.verifier.cover.cores import Core, CoreCheck
from linkrisk.verifier.problem.instance import Instance
from linkrisk.verifier.problem.worths import Worths
from linkrisk.verifier.verdict import Rejection

BITS = 62
"""Sums are whole numbers of at most so many bits."""

LARGEST = 2.0**900
"""Largest multiplier that is accepted."""

CACHED_LEAVES = 1024


def prove_cover(
    instance: Instance, proof: Mapping[str, Any], lost: Collection[int], counts: dict[str, int], progress: Progress
) -> Fraction:
    """Return a bound on the worth of links of every admissible theta; raise `Rejection` where a step does not hold.

    ``lost`` are the records that no theta links; what was checked is added to ``counts``.

    *Guarantee* (docs/mathematics.md#verify-cover): no admissible theta links more than what is returned.
    """
    check_keys(proof, ("kind", "cores", "cuts", "tree"), "The proof")
    check = CoreCheck(instance, proof.get("cuts", []))
    cores = _check_cores(check, entry(proof, "cores", "The proof"), progress)
    tree = _Tree(Worths(instance, lost), cores, as_list(entry(proof, "tree", "The proof"), "The tree"))
    bound = tree.bound()
    counts.update(cores=len(cores), leaves=tree.n_leaves)
    return bound


def _check_cores(check: CoreCheck, value: Any, progress: Progress) -> list[Core]:
    cores = []
    written = as_list(value, "The list of cores")
    for number, core in enumerate(written):
        interrupt.check()
        progress(number, len(written))
        name = f"Core {number}"
        cores.append(check.read(core, name))
        check.check(cores[-1], name)
    return cores


@dataclass(frozen=True)
class _Leaf:
    """What a leaf proves, in units of 2^exponent.

    ``reduced[i]`` is the worth of record i less the multipliers of the cores that contain it; at least ``given_up``
    must be given up where no branch has decided about a record.
    """

    exponent: int
    reduced: IntArray
    given_up: int

    def given_up_below(self, kept: tuple[int, ...], given: tuple[int, ...]) -> Fraction:
        """Return how much must be given up at least, where some records are linked and others given up."""
        linked, lost = self.reduced[list(kept)], self.reduced[list(given)]
        change = int(np.maximum(lost, 0).sum()) - int(np.minimum(linked, 0).sum())
        return (self.given_up + change) * Fraction(2) ** self.exponent


class _Tree:
    """A tree of branches: a record is linked, or given up. Every leaf gives a lower bound on what is given up."""

    def __init__(self, worths: Worths, cores: list[Core], nodes: list[Any]) -> None:
        self.worths = worths
        self.cores = cores
        self.nodes = [as_mapping(node, "A node of the tree") for node in nodes]
        self.members: list[IntArray] = [np.array(sorted(core.members), dtype=np.int64) for core in cores]
        self.n_leaves = 0
        self._leaf = lru_cache(CACHED_LEAVES)(self._make_leaf)

    def bound(self) -> Fraction:
        """Return the most that can be linked at any leaf.

        *Guarantee* (docs/mathematics.md#cover-tree): each set of records that can be linked together follows one path
        from the root to a leaf, so it is worth no more than all records less what is given up at that leaf. Every
        branch is visited once, so the walk ends; a leaf may belong to several branches, and is checked for each.
        """
        best = Fraction(0)
        waiting: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = [(0, (), ())]
        is_seen = [False] * len(self.nodes)
        while waiting:
            interrupt.check()
            place, kept, given = waiting.pop()
            node = self._node(place)
            if "record" not in node:
                is_seen[place] = True
                best = max(best, self._leaf_bound(place, kept, given))
                continue
            if is_seen[place]:
                raise Rejection("The tree of the proof has a branch that is used twice")
            is_seen[place] = True
            record, keep, give = self._branch(node, kept, given)
            waiting += [(keep, (*kept, record), given), (give, kept, (*given, record))]
        if not all(is_seen):
            raise Rejection("The tree of the proof has a node that no branch leads to")
        return best

    def _node(self, place: int) -> Mapping[str, Any]:
        if place >= len(self.nodes):
            raise Rejection("The tree of the proof refers to a node that is missing")
        return self.nodes[place]

    def _branch(self, node: Mapping[str, Any], kept: tuple[int, ...], given: tuple[int, ...]) -> tuple[int, int, int]:
        check_keys(node, ("record", "keep", "give"), "A branch of the tree")
        record = as_whole(node["record"], "The record of a branch", below=self.worths.n_records)
        if record in kept or record in given or not self.worths.is_open[record]:
            raise Rejection("A branch of the tree is about a record that is decided already")
        keep, give = (as_whole(entry(node, key, "A branch"), "A child of a branch") for key in ("keep", "give"))
        return record, keep, give

    def _leaf_bound(self, place: int, kept: tuple[int, ...], given: tuple[int, ...]) -> Fraction:
        """Return what can be linked at a leaf."""
        self.n_leaves += 1
        if "core" in self.nodes[place]:
            self._check_contradiction(self.nodes[place], kept)
            return Fraction(0)
        given_up = self._leaf(place).given_up_below(kept, given)
        return self.worths.rounded_down(self.worths.total - given_up)

    def _check_contradiction(self, leaf: Mapping[str, Any], kept: tuple[int, ...]) -> None:
        check_keys(leaf, ("core",), "A leaf of the tree")
        core = self.cores[as_whole(leaf["core"], "The core of a leaf", below=len(self.cores))]
        if not core.members.issubset(kept):
            raise Rejection("A leaf of the tree names a core whose records are not all linked above it")

    def _make_leaf(self, place: int) -> _Leaf:
        """Return what a leaf proves.

        *Guarantee* (docs/mathematics.md#multipliers): let x_i = 1 for records that are given up, and for lost ones
        (which are worth nothing), and x_i = 0 for linked ones. Every core has sum x_i >= 1; so for any y >= 0, sum w_i
        x_i >= sum y + sum (w_i - sum of y of the cores with i) x_i. A term of the last sum is 0 for a linked record,
        and its factor for a record given up or lost; where nothing is decided it is at least the smaller of the two. y
        may be rounded, and w rounded down, to whole multiples of a power of two.
        """
        chosen, multipliers = self._read_leaf(self.nodes[place])
        exponent = self._exponent(multipliers)
        y = np.floor(np.ldexp(np.array(multipliers), -exponent)).astype(np.int64)
        reduced = self.worths.scaled(exponent)
        members = [self.members[core] for core in chosen]
        if members:
            np.subtract.at(reduced, np.concatenate(members), np.repeat(y, [len(m) for m in members]))
        least = np.where(self.worths.is_open, np.minimum(reduced, 0), reduced)
        return _Leaf(exponent, reduced, int(y.sum()) + int(least.sum()))

    def _read_leaf(self, leaf: Mapping[str, Any]) -> tuple[list[int], list[float]]:
        check_keys(leaf, ("cores", "multipliers"), "A leaf of the tree")
        numbers = as_list(entry(leaf, "cores", "A leaf of the tree"), "The cores of a leaf")
        chosen = [as_whole(number, "A core of a leaf", below=len(self.cores)) for number in numbers]
        multipliers = as_numbers(entry(leaf, "multipliers", "A leaf of the tree"), "the multipliers", least=0.0)
        if len(chosen) != len(multipliers):
            raise Rejection("A leaf of the tree does not give a multiplier for every core")
        if max(multipliers, default=0.0) > LARGEST:
            raise Rejection("A multiplier of a leaf of the tree is too large")
        return chosen, multipliers

    def _exponent(self, multipliers: list[float]) -> int:
        """Return the exponent of a power of two that is so large that no sum over records, in this unit, overflows."""
        largest = self.worths.total + 2 * Fraction(math.fsum(multipliers))
        n_terms = self.worths.n_records + len(multipliers) + 1
        return largest.numerator.bit_length() - largest.denominator.bit_length() + 1 + n_terms.bit_length() - BITS

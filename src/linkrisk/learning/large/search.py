"""Large learning: good parameters from samples of the people, and bounds that hold for all of them.

A partition of the parameters is grown on one sample of the people, where that is cheap. Every leaf bounds what its
parameters link by those people whom no rival rules out in the whole leaf, and the greatest such count bounds the links
of all parameters. Counted over everybody that is proven; counted over another sample, which the partition was not made
from, it holds with a confidence. Larger partitions are tried while there is time: the answer only gets better.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.rules import rules_for
from linkrisk.distances.distance import Rule
from linkrisk.distances.family import Family
from linkrisk.engine import interrupt
from linkrisk.engine.threads import for_chunks
from linkrisk.learning.large.partition import Partition, SampleRows, leaf_totals
from linkrisk.learning.large.push_kernels import Files, Tree, list_rows, push_records
from linkrisk.learning.large.rivals import Rivals, directions
from linkrisk.learning.large.statistical import CONFIDENCE, StatisticalBound, upper_mean
from linkrisk.learning.lines.search import search_along_lines
from linkrisk.learning.problem.rows import Rows
from linkrisk.learning.search import Clock, State
from linkrisk.linkage.ties import Ties

LEARNING, GROWING = 20_000, 2_000
"""People by whom parameters are improved, and those of them on whom the partition is grown."""

BOUNDING, BOUNDING_SHARE = 100_000, 0.25
"""People, drawn anew, by whom the statistical bound is found: so many, and at most such a share."""

ROUNDS = 3
"""Times that parameters are improved along lines, each time with the rivals that those before have shown."""

RANDOM_DIRECTIONS = 3
"""Further parameters, drawn at random, by which rivals are looked for."""

FIRST_LEAVES, MORE_LEAVES, MOST_LEAVES, STAGES = 250, 4, 1 << 18, 6
"""Leaves of the first partition, how many times more each next one has, the most, and how many there are at most."""

GAP = 0.02
"""Share of the people between links and bound at which the search ends."""

BLOCK = 20_000
"""People pushed through a partition between two looks at the clock."""

CHUNK = 1_000
"""People that a thread takes at a time."""

UNEVEN = 2.0**-30
"""Relative, of sums of weights that are no whole numbers."""


@dataclass(frozen=True, eq=False)
class LargeBound:
    """What large learning has found: parameters, the links that none exceed, and what a sample says of that.

    ``n_leaves`` of the partition that the proven bound rests on, 0 where there was no time for one. The statistical
    bound is None where there was no time for it, or where the proven one is as good.
    """

    theta: FloatArray
    bound: float
    n_leaves: int
    statistical: StatisticalBound | None


def search_large(
    family: Family,
    comparison: Comparison,
    ties: Ties,
    weights: FloatArray | None,
    *,
    tolerance: float,
    clock: Clock,
    seed: int = 0,
    threads: int | None = None,
) -> LargeBound:
    """Find good parameters of a family of weights, and bounds on what any parameters link.

    *Guarantee* (docs/mathematics.md#partition): no admissible parameters link more than ``bound``.
    """
    return _Search(family, comparison, ties, weights, tolerance, clock, seed, threads).run()


class _Search:
    """A search under way."""

    def __init__(
        self,
        family: Family,
        comparison: Comparison,
        ties: Ties,
        weights: FloatArray | None,
        tolerance: float,
        clock: Clock,
        seed: int,
        threads: int | None,
    ) -> None:
        n = comparison.n_attributes
        self.family = family
        self.coordinates = comparison.coordinates
        self.clock = clock
        self.threads = threads
        self.random = np.random.default_rng(seed)
        self.seed = seed
        self.near = 1.0 - tolerance
        self.is_ordered = family.distance(np.ones(n), comparison).rule is Rule.ORDERED
        self.keeps_twins = ties is Ties.UNIQUE
        self.weight = _worths(comparison, ties, weights)
        self.people = self.random.permutation(np.flatnonzero(self.coordinates.own >= 0))
        drawn = [self.random.dirichlet(np.full(n, 0.5)) + 1e-3 for _ in range(RANDOM_DIRECTIONS)]
        self.rivals = Rivals(family, comparison, [*directions(n), *drawn], threads)
        self.middle = family.parameter_set(n).interior
        self.total = math.fsum(self.weight[self.people].tolist())
        self.n_tried = 0

    def run(self) -> LargeBound:
        """Improve parameters, then bound what any of them link by larger and larger partitions."""
        if self.clock.must_stop():
            return LargeBound(self.middle, self.total, 0, None)
        theta, rows, links = self._improve(self.people[:LEARNING])
        rows, learned = _first_of(rows, GROWING), rows
        found = LargeBound(self.family.normalised(theta), self.total, 0, None)
        partition = Partition(rows)
        scale = self.total / max(float(learned.weight.sum()), 1e-300)
        share = links / max(float(learned.weight.sum()), 1e-300)
        n_leaves = FIRST_LEAVES
        for _ in range(STAGES):
            if self.clock.must_stop() or found.bound - scale * links <= GAP * self.total:
                break
            partition.grow(n_leaves, (share + 0.5 * GAP) * float(rows.weight.sum()))
            found = self._bounded(partition, found)
            self.clock.tell(State(best=scale * links, bound=found.bound, work=partition.n_leaves, unit="leaves"))
            n_leaves *= MORE_LEAVES
            if n_leaves > MOST_LEAVES:
                break
        return found

    def _improve(self, people: IntArray) -> tuple[FloatArray, SampleRows, float]:
        """Return the best parameters for some people along lines, with rows against rivals that these show."""
        theta = np.ones(self.coordinates.n_attributes)
        for _ in range(ROUNDS):
            rows = self._rows(people)
            listed = Rows(rows.values, rows.start, np.zeros(len(rows.values), dtype=np.int64), rows.weight)
            point = search_along_lines(listed, theta=theta, seed=self.seed, clock=Clock(0.1 * max(self.clock.left, 0)))
            is_same = np.allclose(point.theta, theta / theta.max())
            theta = point.theta
            if is_same or self.clock.must_stop():
                break
            self.rivals.look_along(np.maximum(theta, 1e-6))
        return theta, self._rows(people), float(point.links)

    def _bounded(self, partition: Partition, found: LargeBound) -> LargeBound:
        """Return what a partition adds: a statistical bound, and where there is time for everybody, a proven one."""
        tree, depth = partition.tree()
        n_leaves = partition.n_leaves
        self.n_tried += n_leaves
        others = self.people[min(GROWING, len(self.people)) :]
        sample = others[: min(BOUNDING, round(BOUNDING_SHARE * len(others)))]
        begun = self.clock.seconds
        held = self._push(tree, depth, sample) if len(sample) else np.zeros(len(tree.low))
        if held is None:
            return found
        spent = self.clock.seconds - begun
        statistical = self._statistical(tree, held, len(sample), len(others)) or found.statistical
        rest = self.people if len(sample) == 0 else np.setdiff1d(self.people, sample, assume_unique=True)
        if spent * len(rest) / max(len(sample), 1) > self.clock.left:
            return _with(found, statistical)
        more = self._push(tree, depth, rest)
        if more is None:
            return _with(found, statistical)
        bound = self._most(tree, held + more)
        if bound >= found.bound:
            return _with(found, statistical)
        return _with(LargeBound(found.theta, bound, n_leaves, None), statistical)

    def _most(self, tree: Tree, held: FloatArray) -> float:
        """Return the most that a leaf holds, rounded upward unless all are whole numbers."""
        most = float(leaf_totals(tree, held).max())
        return min(self.total, most if most == round(most) else most * (1.0 + UNEVEN))

    def _statistical(self, tree: Tree, held: FloatArray, n_people: int, n_others: int) -> StatisticalBound | None:
        """Return the bound that a sample gives; None for so few, or for weights, which have no common limit.

        People on whom the partition was grown are counted as linked, all of them.
        """
        if not 0 < n_people < n_others or float(self.weight.max()) > 1.0:
            return None
        mean = min(1.0, float(leaf_totals(tree, held).max()) / n_people * (1.0 + UNEVEN))
        failure = (1.0 - CONFIDENCE) / STAGES
        upper = upper_mean(mean, n_people, failure / self.n_tried)
        bound = n_others * upper + (len(self.people) - n_others)
        return StatisticalBound(min(bound, self.total), CONFIDENCE, n_people, self.n_tried)

    def _push(self, tree: Tree, depth: int, people: IntArray) -> FloatArray | None:
        """Return what each box holds of some people; None where time is up before all are through."""
        held = np.zeros(len(tree.low))
        lock = threading.Lock()
        for begin in range(0, len(people), BLOCK):
            if self.clock.must_stop():
                return None
            block = people[begin : begin + BLOCK]
            with interrupt.set_aside():  # a block is pushed whole
                rivals = self.rivals.of(block)

            def work(piece: slice, block: IntArray = block, rivals: IntArray = rivals) -> None:
                own = np.zeros(len(tree.low))
                files, queries = self._files(block[piece])
                people_of = self.coordinates.own[block[piece]], self.weight[block[piece]]
                push_records(files, tree, depth, queries, *people_of, rivals[piece], own)
                with lock:
                    np.add(held, own, out=held)

            with interrupt.set_aside():
                for_chunks(work, len(block), CHUNK, threads=self.threads)
        return held

    def _rows(self, people: IntArray) -> SampleRows:
        """List the rows of some people."""
        with interrupt.set_aside():
            rivals = self.rivals.of(people)
        files, queries = self._files(people)
        values = np.empty((rivals.size, self.coordinates.n_attributes))
        start = np.zeros(len(people) + 1, dtype=np.int64)
        list_rows(files, queries, self.coordinates.own[people], rivals, values, start)
        return SampleRows(values[: start[-1]].copy(), start, self.weight[people])

    def _files(self, people: IntArray) -> tuple[Files, FloatArray]:
        """Return the files as kernels read them, and some people in them."""
        queries, rules = rules_for(self.coordinates, self.coordinates.original[people])
        return Files(self.coordinates.protected, rules, self.near, self.is_ordered, self.keeps_twins), queries


def _with(found: LargeBound, statistical: StatisticalBound | None) -> LargeBound:
    """Return a bound with what a sample says, where that says more."""
    says_more = statistical is not None and statistical.bound < found.bound
    return replace(found, statistical=statistical if says_more else None)


def _first_of(rows: SampleRows, n: int) -> SampleRows:
    """Return the rows of the first people alone."""
    n = min(n, len(rows.weight))
    return SampleRows(rows.values[: rows.start[n]], rows.start[: n + 1], rows.weight[:n])


def _worths(comparison: Comparison, ties: Ties, weights: FloatArray | None) -> FloatArray:
    """Return at least what a link of each original record is worth; 0 where there is no counterpart.

    Where ties are shared, a link is worth no more than one of as many as there are equal protected records; where they
    do not count, nothing where there is another one.
    """
    coordinates = comparison.coordinates
    values = np.where(np.isnan(coordinates.protected), np.inf, coordinates.protected + 0.0)
    rows = np.ascontiguousarray(values).view(np.dtype((np.void, values.dtype.itemsize * values.shape[1]))).ravel()
    _, inverse, copies = np.unique(rows, return_inverse=True, return_counts=True)
    shared = np.where(coordinates.own >= 0, copies[inverse.ravel()][coordinates.own], 0)
    worth = np.ones(len(shared)) if weights is None else np.array(weights, dtype=np.float64)
    if ties is Ties.EXPECTED:
        worth = worth / np.maximum(shared, 1)
    elif ties is Ties.UNIQUE:
        worth = np.where(shared > 1, 0.0, worth)
    return np.where(shared > 0, worth, 0.0)

"""Large learning: good parameters from samples of the people, and bounds that hold for all of them.

A partition of the parameters is grown on one sample of the people, where that is cheap. Every leaf bounds what its
parameters link by those people whom no rival rules out in the whole leaf, and the greatest such count bounds the links
of all parameters. Counted over everybody that is proven; counted over another sample, which the partition was not made
from, it holds with a confidence. The partition grows while there is time: the answer only gets better.

The sample leads at first (`_sample_leads`): what a leaf holds of it says which leaves are cut, and another sample what
the partition proves with a confidence. Then everybody goes through the partition as it was when that did not take long,
and from there on what leaves hold of everybody leads (`_everybody_leads`): those that hold most are cut, and everybody
goes through these again.
"""

from __future__ import annotations

import math
import threading
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.differences.comparison import Comparison
from linkrisk.differences.rules import rules_for
from linkrisk.distances.distance import Rule
from linkrisk.distances.family import Family
from linkrisk.engine import interrupt
from linkrisk.engine.threads import default_threads, for_chunks
from linkrisk.learning.large.growing_kernels import Sample
from linkrisk.learning.large.partition import Held, Partition, leaf_counts, leaf_totals
from linkrisk.learning.large.push_kernels import UNIT, Files, Visited, cuts_of, list_rows, push_records
from linkrisk.learning.large.rivals import Rivals, directions
from linkrisk.learning.large.statistical import CONFIDENCE, StatisticalBound, upper_mean
from linkrisk.learning.lines.search import search_along_lines
from linkrisk.learning.problem.rows import Rows
from linkrisk.learning.search import Clock, State
from linkrisk.linkage.ties import Ties

SAMPLE, LEAST_SAMPLE, SAMPLE_SHARE = 20_000, 5_000, 0.1
"""People by whom parameters are improved and the partition is grown: such a share, within limits, or all of so few."""

BOUNDING, BOUNDING_SHARE = 100_000, 0.25
"""People, drawn anew, by whom the statistical bound is found: so many, and at most such a share."""

ROUNDS = 3
"""Times that parameters are improved along lines, each time with the rivals that those before have shown."""

LINES_SHARE = 0.05
"""Share of the time left that each of these takes at most."""

RANDOM_DIRECTIONS = 3
"""Further parameters, drawn at random, by which rivals are looked for."""

FIRST_GAP, NEXT_GAP, GAP = 0.32, 0.8, 0.005
"""Share of the people by which leaves may hold more than are linked: at first, as a part of the one before, at last."""

STAGES = 24
"""How often the sample lets the partition grow, at most: gaps become smaller 19 times."""

MOST_BOXES = 1 << 21
"""Boxes of a partition, at most: each takes 150 bytes."""

DEARER = 1.7
"""How many times more work the next partition is, about."""

LIKELY_SHARE, LIKELY_GAP = 0.25, 0.045
"""The sample leads for such a share of the time, or until what it says leaves such a share of the people as a gap."""

FIRST_SHARE, NEXT_SHARE = 0.15, 0.8
"""Share of the time left that everybody may take to go through the partition: for the first time, and after that."""

SECONDS_ENOUGH = 600.0
"""Time of a search without a limit, or with a longer one, of which the sample has its share."""

SECONDS_A_VISIT = 4e-8
"""Time of a core to look at a record in a box, before any was measured."""

REACH = 2.0001
"""What a person adds to a leaf at most, at any theta of it, slope included: the row used is nowhere above m."""

VISITS_THAT_TELL = 100
"""Looks at a record from which on their time says what one takes: before, most is taken by making rows."""

BLOCK = 20_000
"""People pushed through a partition between two looks at the clock."""

CHUNK = 500
"""People that a thread takes at a time."""


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
        worth = _worths(comparison, ties, weights)
        self.is_whole = bool((worth == np.round(worth)).all())
        # Worths are counted in a power of two that none exceeds, so that sums of them cannot overflow.
        self.unit = 2.0 ** math.ceil(math.log2(worth.max(initial=0.0) or 1.0))
        self.worth = np.ceil(worth / self.unit * UNIT).astype(np.int64)
        self.people = self.random.permutation(np.flatnonzero(self.coordinates.own >= 0))
        drawn = [self.random.dirichlet(np.full(n, 0.5)) + 1e-3 for _ in range(RANDOM_DIRECTIONS)]
        self.rivals = Rivals(family, comparison, [*directions(n), *drawn], threads)
        self.middle = family.parameter_set(n).interior
        self.total = float(self.worth[self.people].sum() / UNIT)
        self.n_tried = 0
        self.seconds_a_visit = SECONDS_A_VISIT

    def run(self) -> LargeBound:
        """Improve parameters, then bound what any of them link by larger and larger partitions."""
        self._search()
        told = self.found.statistical
        told = None if told is None else replace(told, bound=told.bound * self.unit)
        return replace(self.found, bound=self.found.bound * self.unit, statistical=told)

    def _search(self) -> None:
        """Find `found`, whose bounds are in units of worth."""
        self.found = LargeBound(self.middle, self.total, 0, None)
        if self.clock.must_stop() or not self.total > 0.0:
            return
        n_sample = _sample_size(len(self.people))
        theta, sample, links = self._improve(self.people[:n_sample])
        self.found = LargeBound(self.family.normalised(theta), self.total, 0, None)
        self.partition = Partition(sample)
        self.best = self.total * links / max(self.partition.total, 1e-300)
        self.scale = self.total / max(self.partition.total, 1e-300)
        self.gap = FIRST_GAP
        others = self.people[n_sample:]
        judges = others[: min(BOUNDING, round(BOUNDING_SHARE * len(others)))]
        self.held = Held(self.partition.n_boxes, self.partition.n_roots)
        if len(others) == 0:
            self._sample_is_everybody()
        elif (held := self._sample_leads(judges, len(others))) is not None:
            self.held = held
            self._everybody_leads(judges)

    def _sample_is_everybody(self) -> None:
        """Grow the partition by everybody, while there is time."""
        self._prove(self.partition.sampled)
        while self._goes_on():
            begun = self.clock.seconds
            self._grow(np.zeros(self.partition.n_boxes, dtype=np.bool_))
            self._prove(self.partition.sampled)
            if DEARER * (self.clock.seconds - begun) > self.clock.left:
                return

    def _sample_leads(self, judges: IntArray, n_others: int) -> Held | None:
        """Grow the partition by the sample; other people judge it. What they say never changes it.

        The partition is then as it was when everybody could go through it in a short time. Return what boxes hold of
        the judges; None where time is up.
        """
        if not self._push(np.ones(self.partition.n_boxes, dtype=np.bool_), judges):
            return None
        first, seen = (self.partition, self.held, self.gap), 0.0
        most_seconds = LIKELY_SHARE * min(self.clock.limit, SECONDS_ENOUGH)
        while self._goes_on() and self.clock.seconds < most_seconds and not self._is_likely_near():
            self.partition, self.held = copy(self.partition), self.held.copied()
            new, visits = self._grow(np.zeros(self.partition.n_boxes, dtype=np.bool_))
            if not self._push_again(new, judges):
                return None
            self._judge(len(judges), n_others)
            self._tell()
            seen += visits
            if self._seconds(seen) < FIRST_SHARE * self.clock.left:
                first = self.partition, self.held, self.gap
        self.partition, held, self.gap = first
        return None if self.clock.must_stop() else held

    def _is_likely_near(self) -> bool:
        """Whether what judges say leaves little between links and bound."""
        told = self.found.statistical
        return told is not None and told.bound - self.best <= LIKELY_GAP * self.total

    def _everybody_leads(self, judges: IntArray) -> None:
        """Push everybody through the partition, then grow it where it holds most of them, while there is time."""
        rest = np.setdiff1d(self.people, judges, assume_unique=True)
        if not self._push(np.ones(self.partition.n_boxes, dtype=np.bool_), rest):
            return
        while True:
            totals = leaf_totals(self.partition, self.held)
            self._prove(totals)
            self.partition.excess = totals - self.scale * self.partition.sampled
            new, visits = np.zeros(self.partition.n_boxes, dtype=np.bool_), 0.0
            while self._goes_on() and self._seconds(DEARER * visits) < NEXT_SHARE * self.clock.left:
                new, more = self._grow(new)
                visits = max(visits, more)
            if not new.any() or self._seconds(visits) > self.clock.left or not self._push_again(new, self.people):
                return

    def _goes_on(self) -> bool:
        """Whether the partition is to grow once more."""
        return self.clock.must_stop() is None and self.gap >= GAP and self.partition.n_boxes <= MOST_BOXES

    def _grow(self, new: BoolArray) -> tuple[BoolArray, float]:
        """Let the partition grow until leaves are thought to hold little more than what is linked: the next gap less.

        Return which boxes are new, or cut, since some were, and how often the sample was looked at.
        """
        holds, limit = self.scale * self.partition.sampled + self.partition.excess, self.best + self.gap * self.total
        self.gap *= NEXT_GAP
        is_full = self.partition.is_leaf & (holds > limit)
        if not is_full.any():
            return new, 0.0
        target = np.where(is_full, (limit - self.partition.excess) / self.scale, np.inf)
        now = self.partition.grow(target, self.threads)
        now[: len(new)] |= new
        return now, float(self.partition.n_visits)

    def _seconds(self, visits: float) -> float:
        """Return the time that everybody will take, by how often the sample was looked at."""
        cores = self.threads or default_threads()
        return visits * len(self.people) / max(len(self.partition.sample.worth), 1) * self.seconds_a_visit / cores

    def _prove(self, totals: FloatArray) -> None:
        """Take the most that a leaf holds of everybody for the bound, where it is lower."""
        most = float(totals[self.partition.is_leaf].max())
        bound = math.floor(most * self.unit) / self.unit if self.is_whole else most
        if bound < self.found.bound:
            told = self.found.statistical
            self.found = _with(LargeBound(self.found.theta, bound, self.partition.n_leaves, None), told)
        self._tell()

    def _judge(self, n_judges: int, n_others: int) -> None:
        """Take what the judges say of the partition, where it is more than they said before."""
        told = self._statistical(n_judges, n_others)
        known = self.found.statistical
        if told is not None and (known is None or told.bound < known.bound):
            self.found = _with(self.found, told)

    def _tell(self) -> None:
        self.clock.tell(
            State(
                best=self.best * self.unit,
                bound=self.found.bound * self.unit,
                work=self.partition.n_boxes,
                unit="boxes",
            )
        )

    def _improve(self, people: IntArray) -> tuple[FloatArray, Sample, float]:
        """Return the best parameters for some people along lines, with rows against rivals that these show."""
        theta = np.ones(self.coordinates.n_attributes)
        for _ in range(ROUNDS):
            rows = self._rows(people)
            listed = Rows(rows.rows, rows.start, np.zeros(len(rows.rows), dtype=np.int64), rows.worth / UNIT)
            seconds = LINES_SHARE * max(self.clock.left, 0.0)
            point = search_along_lines(listed, theta=theta, seed=self.seed, clock=Clock(seconds))
            is_same = np.allclose(point.theta, theta / theta.max())
            theta = point.theta
            if is_same or self.clock.must_stop():
                break
            self.rivals.look_along(np.maximum(theta, 1e-6))
        return theta, self._rows(people), float(point.links)

    def _statistical(self, n_people: int, n_others: int) -> StatisticalBound | None:
        """Return the bound that a sample gives, in units of worth, of which nobody has more than one; None for so few.

        It is the lower one of two, from counts and from slopes, each with half of what may fail. People by whom the
        partition was grown are counted as linked, all of them.

        *Guarantee* (docs/mathematics.md#sampled-leaves): where the judges were drawn at random, parameters link more
        with no more than the probability that is left, over all partitions tried.
        """
        if not 0 < n_people < n_others:
            return None
        self.n_tried += self.partition.n_leaves
        leaves = self.partition.is_leaf
        counts, totals = leaf_counts(self.partition, self.held), leaf_totals(self.partition, self.held)
        failure = 0.5 * (1.0 - CONFIDENCE) / STAGES / self.partition.n_leaves
        by_counts = upper_mean(min(1.0, float(counts[leaves].max()) / n_people), n_people, failure)
        share = min(1.0, float(totals[leaves].max()) / (REACH * n_people))
        by_slopes = REACH * upper_mean(share, n_people, failure / 2.0**self.partition.n_roots)
        upper = min(by_counts, by_slopes)
        bound = n_others * upper + (len(self.people) - n_others)
        return StatisticalBound(min(bound, self.total), CONFIDENCE, n_people, self.n_tried)

    def _push_again(self, new: BoolArray, people: IntArray) -> bool:
        """Count anew what boxes hold that are new or were cut."""
        self.held.forget(new)
        return self._push(new, people)

    def _push(self, counts: BoolArray, people: IntArray) -> bool:
        """Add some people to what some boxes hold; say whether there was time for all of them."""
        tree, depth = self.partition.tree, self.partition.depth
        goes, cuts = self.partition.above(counts), cuts_of(tree)
        lock, seconds, visits = threading.Lock(), 0.0, [0]
        free: list[Held] = []
        for begin in range(0, len(people), BLOCK):
            if self.clock.must_stop():
                return False
            block = people[begin : begin + BLOCK]
            with interrupt.set_aside():  # a block is pushed whole
                rivals = self.rivals.of(block)

            def work(piece: slice, block: IntArray = block, rivals: IntArray = rivals) -> None:
                with lock:
                    own = free.pop() if free else Held(len(tree.low), tree.n_roots)
                files, queries = self._files(block[piece])
                people_of = self.coordinates.own[block[piece]], self.worth[block[piece]], rivals[piece]
                visited = Visited(goes, counts, cuts, own.worth, own.slope)
                n_visits = push_records(files, tree, depth, visited, queries, *people_of)
                with lock:
                    free.append(own)
                    visits[0] += n_visits

            begun = self.clock.seconds
            with interrupt.set_aside():
                for_chunks(work, len(block), CHUNK, threads=self.threads)
            seconds += self.clock.seconds - begun
        for own in free:
            self.held.add(own)
        if visits[0] > VISITS_THAT_TELL * len(people):
            self.seconds_a_visit = seconds * (self.threads or default_threads()) / visits[0]
        return True

    def _rows(self, people: IntArray) -> Sample:
        """List the rows of some people."""
        with interrupt.set_aside():
            rivals = self.rivals.of(people)
        files, queries = self._files(people)
        values = np.empty((rivals.size, self.coordinates.n_attributes))
        start = np.zeros(len(people) + 1, dtype=np.int64)
        list_rows(files, queries, self.coordinates.own[people], rivals, values, start)
        return Sample(values[: start[-1]].copy(), start, self.worth[people])

    def _files(self, people: IntArray) -> tuple[Files, FloatArray]:
        """Return the files as kernels read them, and some people in them."""
        queries, rules = rules_for(self.coordinates, self.coordinates.original[people])
        return Files(self.coordinates.protected, rules, self.near, self.is_ordered, self.keeps_twins), queries


def _with(found: LargeBound, statistical: StatisticalBound | None) -> LargeBound:
    """Return a bound with what a sample says, where that says more."""
    says_more = statistical is not None and statistical.bound < found.bound
    return replace(found, statistical=statistical if says_more else None)


def _sample_size(n_people: int) -> int:
    """Return how many people the partition is grown by.

    >>> [_sample_size(n) for n in (10_000, 30_000, 100_000, 10**6)]
    [10000, 5000, 10000, 20000]
    """
    return n_people if n_people <= SAMPLE else min(SAMPLE, max(LEAST_SAMPLE, round(SAMPLE_SHARE * n_people)))


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

"""Cover search: records that cannot all be linked form cores; give up the least worth that hits them all.

One branch-and-cut tree. The linear relaxation of the hitting set problem over the cores found so far bounds the worth
that must be given up. Asking which records can be linked at once gives cores that a point of the relaxation violates,
also a fractional point; records that can be linked at once are an incumbent. What floating point cannot tell is decided
without rounding. Bounds: docs/mathematics.md#hitting-set. Reference: for the implicit hitting set method see
Moreno-Centeno and Karp (2013), https://doi.org/10.1287/opre.1120.1139.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.learning.cover.feasibility import Core, Feasibility
from linkrisk.learning.cover.relaxation import Leaf, Relaxation
from linkrisk.learning.cover.tree import Branch, CoreCheck, Prover
from linkrisk.learning.problem.problem import Problem
from linkrisk.learning.search import Clock, State, Status

CLEAR = 1e-12
"""A record is linked beyond rounding if its rows, of length 1, exceed this share of the largest parameter."""

ROUNDS = 4
"""Separation at a fractional point goes on as long as the relaxation rises over this many rounds ..."""

STALL = 0.01
"""... by this share of its value."""

NODES_BETWEEN = 4
"""Nodes of the tree after which the best parameters are polished once more."""

LEAVES_CHECKED = 0.1
"""Share of the time that checking the leaves of a search that was stopped may take; then some cores do not count."""

Decision = Callable[[BoolArray], tuple[int, ...] | Core | None]
"""Returns exact parameters that link all these records, or a core of them that is proven, or None: time is up."""


@dataclass(eq=False, repr=False)
class CoverResult:
    """What a cover search found: parameters, the records they link, a bound, and the cores behind it.

    ``linked`` are linked by ``theta``, up to a step inside the set, or by ``wholes`` where these are given: parameters
    without rounding. ``links`` is their worth, ``bound`` what no parameters exceed, both in units of the problem's
    worths. ``tree`` (its root at place 0) proves the bound; its multipliers are in terms of the worths themselves.
    """

    theta: FloatArray
    wholes: tuple[int, ...] | None
    linked: BoolArray
    links: int
    bound: int
    status: Status
    cores: list[Core]
    tree: list[Leaf | Branch]


@dataclass(order=True)
class _Node:
    order: float
    number: int
    given: int = field(compare=False, default=0)
    kept: tuple[int, ...] = field(compare=False, default=())
    given_up: tuple[int, ...] = field(compare=False, default=())
    leaf: Leaf = field(compare=False, default_factory=lambda: Leaf((), ()))


class CoverSearch:
    """A search under way.

    ``check`` says of a core whether, and with which multipliers, it holds exactly; ``decide`` answers without rounding
    what floating point leaves open. The search gives up once there are more than ``max_cores``, or a run has solved
    more than ``max_rounds`` relaxations; also once ``enough`` is linked: something else proves that this is the most
    there can be. ``polish``, if it is set, makes better parameters of good ones.
    """

    def __init__(
        self,
        problem: Problem,
        feasibility: Feasibility,
        clock: Clock,
        *,
        seed: int = 0,
        check: CoreCheck | None = None,
        decide: Decision | None = None,
        max_cores: float = math.inf,
    ) -> None:
        self.problem = problem
        self.worths = problem.worths
        self.feasibility = feasibility
        self.clock = clock
        self.decide = decide
        self.max_cores = max_cores
        self.max_rounds = self.enough = math.inf
        self.n_rounds = 0
        self.polish: Callable[[FloatArray], FloatArray] | None = None
        self.count: Callable[[FloatArray], BoolArray] = self._count
        self.random = np.random.default_rng(seed)
        self.total = self.worths.total
        self.n_records = len(problem.records)
        self.best = -1
        self.theta = problem.parameters.interior
        self.wholes: tuple[int, ...] | None = None
        self.linked = np.zeros(self.n_records, dtype=bool)
        self.cores: list[Core] = []
        self.known: set[frozenset[int]] = set()
        self.lost: set[int] = set()
        self.tree: list[Leaf | Branch] = []
        self.least_given = 0
        self.unclear_given: int | None = None
        self.most_given, self.best_tree = -1, self.tree
        self.master = Relaxation(self.worths)
        self.prover = Prover(self.master, self.cores, check)

    def run(self) -> CoverResult:
        """Search until the bound is reached, or time is up.

        It may be called again with other limits. It then goes on from the cores it has; what was proven stays proven.
        """
        self.offer(self.problem.parameters.interior)
        self.n_rounds = 0
        status: Status | None = None
        while status is None:
            status = self._branch()
            if status is Status.OPTIMAL and self.prover.has_false_leaf(self.tree):
                status = None
        if status is Status.OPTIMAL and not self.prover.proves(self.tree, self.total - self.best):
            status = Status.UNSETTLED
        bound, proof = self.best, self.tree
        if status is not Status.OPTIMAL:
            given = self.prover.proven_given(self.tree, self.total, self._checking_clock())
            if given > self.most_given:
                self.most_given, self.best_tree = given, self.tree
            bound, proof = max(self.best, self.total - self.most_given), self.best_tree
        if status is Status.UNSETTLED:  # with enough cores, or undecided; where time is up too, that is the reason
            status = self.clock.must_stop() or status
        tree = [node if isinstance(node, Branch) else self.master.in_worths(node) for node in proof]
        return CoverResult(self.theta, self.wholes, self.linked, self.best, bound, status, self.cores, tree)

    def restart_from(self, theta: FloatArray, linked: BoolArray, count: Callable[[FloatArray], BoolArray]) -> None:
        """Believe nothing but that theta links these records; from now on ``count`` says, exactly, what others link."""
        self.best, self.theta, self.wholes, self.linked = self.worths.sum(linked), theta, None, linked
        self.count, self.polish = count, None
        self.most_given = -1  # what was proven before may rest on what was believed

    def offer(self, theta: FloatArray) -> None:
        """Take parameters as the incumbent if they link more."""
        linked = self.count(theta)
        links = self.worths.sum(linked)
        if links > self.best:
            self.best, self.theta, self.wholes, self.linked = links, theta, None, linked
            if self.polish is not None:
                self.offer(self.polish(theta))

    def accept(self, theta: FloatArray, wholes: tuple[int, ...], linked: BoolArray) -> None:
        """Take parameters, theta rounded, that link these records exactly as the incumbent if they link more."""
        links = self.worths.sum(linked)
        if links > self.best:
            self.best, self.theta, self.wholes, self.linked = links, theta, wholes, linked

    def _count(self, theta: FloatArray) -> BoolArray:
        """Tell which records parameters link beyond rounding."""
        least = CLEAR * float(np.abs(theta).max())
        return np.asarray(self.feasibility.scan(theta, np.ones(self.n_records, dtype=bool)) > least)

    def _is_beaten(self, given: int) -> bool:
        """Whether giving up this worth leaves no more than the incumbent."""
        return self.total - given <= self.best

    def _checking_clock(self) -> Clock:
        """Return the time to check leaves of a search that was stopped; it goes on after the limit."""
        return Clock(max(0.2, LEAVES_CHECKED * min(self.clock.seconds, 60.0)))

    def _must_stop(self) -> Status | None:
        """Return why the search must stop now; also when it has done as much as it may, or links enough."""
        is_enough = self.has_many_cores or self.n_rounds > self.max_rounds or self.best >= self.enough
        return self.clock.must_stop() or (Status.UNSETTLED if is_enough else None)

    @property
    def has_many_cores(self) -> bool:
        """Whether as many cores are found as may be."""
        return len(self.cores) > self.max_cores

    def _tell(self) -> None:
        lost = len(self.problem.lost) + len(self.lost)
        best, bound = self.worths.value(self.best), self.worths.value(self.total - self.least_given)
        self.clock.tell(State(best, bound, lost, len(self.cores), "cores"))

    def _branch(self) -> Status:
        """Search the tree once; its leaves are kept as the proof."""
        waiting = [_Node(0.0, 0)]
        self.tree = [waiting[0].leaf]
        self.unclear_given = None
        n_nodes = 0
        while waiting:
            self.least_given = min(waiting[0].given, self.total if self.unclear_given is None else self.unclear_given)
            self._tell()
            if (stop := self._must_stop()) is not None:
                return stop
            node = heapq.heappop(waiting)
            if self._is_beaten(node.given):
                continue
            n_nodes += 1
            if self.polish is not None and n_nodes % NODES_BETWEEN == 0:
                self.offer(self.polish(self.theta))
            node, given, x, leaf = self._bound_node(node)
            self.tree[node.number] = leaf
            if x is None or self._is_beaten(given):
                continue
            if self._must_stop() is not None or self.prover.drop_false(leaf):
                heapq.heappush(waiting, replace(node, leaf=leaf))  # once more, without cores that failed
                continue
            node = replace(node, order=max(node.order, self.master.value), given=max(node.given, given))
            record = self._branching_record(x, node)
            if record is None:
                is_open = self._settle(x)
                if is_open is None:
                    self.unclear_given = min(
                        node.given, self.total if self.unclear_given is None else self.unclear_given
                    )
                    continue
                if is_open:
                    heapq.heappush(waiting, replace(node, leaf=leaf))  # once more, with what was found
                    continue
                record = self._largest_undecided(node)
            if record is None:
                heapq.heappush(waiting, node)  # all records are decided now: next time their worth is known
                continue
            self._split(node, record, leaf, waiting)
        is_closed = self.unclear_given is None or self._is_beaten(self.unclear_given)
        return Status.OPTIMAL if is_closed else self.clock.must_stop() or Status.UNSETTLED

    def _settle(self, x: FloatArray) -> bool | None:
        """Decide without rounding whether the records that x keeps can all be linked; tell whether that is news.

        None where it cannot be decided, or there is no time.
        """
        chosen = x < 0.5
        links = self.worths.sum(chosen)
        if links <= self.best and bool((chosen <= self.linked).all()):
            return False
        found = None if self.decide is None else self.decide(chosen)
        if found is None:
            return None
        if isinstance(found, Core):
            self.known.discard(found.members)  # it may have failed its check with other multipliers
            self._add([found])
            self.prover.checked[len(self.cores) - 1] = True
            return True
        if links <= self.best:
            return False
        largest = max(map(abs, found))
        self.best, self.linked, self.wholes = links, chosen, found
        self.theta = np.array([value / largest for value in found])
        return True

    def _largest_undecided(self, node: _Node) -> int | None:
        """Return the record of greatest worth about which nothing is decided at a node."""
        decided = {*node.kept, *node.given_up}
        free = [i for i in range(self.n_records) if i not in decided]
        return max(free, key=lambda i: self.worths.wholes[i]) if free else None

    def _split(self, node: _Node, record: int, leaf: Leaf, waiting: list[_Node]) -> None:
        """Keep the record in one child and give it up in the other; until they are bounded, the parent's leaf holds."""
        place = len(self.tree)
        self.tree[node.number] = Branch(record, keep=place, give=place + 1)
        self.tree += [leaf, leaf]
        heapq.heappush(waiting, replace(node, number=place, kept=(*node.kept, record), leaf=leaf))
        heapq.heappush(waiting, replace(node, number=place + 1, given_up=(*node.given_up, record), leaf=leaf))

    def _bound_node(self, node: _Node) -> tuple[_Node, int, FloatArray | None, Leaf]:
        """Tighten the relaxation at a node by new cores.

        Return the node, with records that its bound decides, the worth that must be given up there by the multipliers
        of the relaxation, its point (None if it has none) and these multipliers. Their cores are checked where that
        worth is too much; otherwise it may rest on one that fails.
        """
        is_root = node.number == 0
        self.master.fix(node.kept, node.given_up)
        history: list[float] = []
        while True:
            self.n_rounds += 1
            x = self.master.solve()
            if x is None:
                return node, self.total, x, self.master.contradiction(node.kept)
            is_decided = len(node.kept) + len(node.given_up) == self.n_records
            leaf = Leaf((), ()) if is_decided else self.master.leaf()
            given = self.master.proven_given(leaf, node.kept, node.given_up, short_of=self.total - self.best)
            if self._is_beaten(given) and self.prover.drop_false(leaf):
                continue
            if self._is_beaten(given) or self._must_stop() is not None:
                return node, given, x, leaf
            if is_root:
                self.least_given = given
                self._tell()
            node = self._decide_records(node, leaf)
            n_new = self._separate(x, 3 if is_root else 1)
            history.append(self.master.value)
            is_fractional = bool((np.abs(x - np.round(x)) > 1e-6).any())
            if n_new == 0 or (is_fractional and _has_stalled(history)):
                return node, given, x, leaf

    def _decide_records(self, node: _Node, leaf: Leaf) -> _Node:
        """Decide records for which the relaxation shows that one of the two choices cannot beat the incumbent.

        A record is kept if giving it up would cost too much, and given up if keeping it would. Each such record is a
        branch of the tree; the multipliers of the relaxation close its other side.

        *Guarantee* (docs/mathematics.md#reduced-cost): nothing better than the incumbent is lost.
        """
        to_keep, to_give = self.master.decided(leaf, node.kept, node.given_up, self.total - self.best)
        if not (to_keep or to_give) or self.prover.drop_false(leaf):
            return node
        closed = len(self.tree)
        self.tree.append(leaf)
        number = node.number
        for i in to_keep + to_give:
            place = len(self.tree)
            self.tree.append(leaf)
            self.tree[number] = Branch(i, *((place, closed) if i in to_keep else (closed, place)))
            number = place
        kept, given_up = (*node.kept, *to_keep), (*node.given_up, *to_give)
        self.master.fix(kept, given_up)
        return replace(node, number=number, kept=kept, given_up=given_up)

    def _separate(self, x: FloatArray, tries: int) -> int:
        """Look for cores that x violates; return how many were added."""
        found: list[Core] = []
        for _ in range(tries):
            noise = 0.3 * self.random.random(self.n_records)
            cores, theta = self.feasibility.collect(x < 0.999, x, noise, clock=self.clock)
            found += cores
            if theta is not None:
                self.offer(theta)
        return self._add(found)

    def _add(self, found: list[Core]) -> int:
        new = 0
        for core in found:
            if core.members not in self.known:
                self.known.add(core.members)
                self.cores.append(core)
                self.lost |= core.members if len(core.members) == 1 else frozenset()
                self.master.add(core.members)
                new += 1
        return new

    def _branching_record(self, x: FloatArray, node: _Node) -> int | None:
        """Return the record, not decided yet, whose share is nearest to one half; None when none is fractional."""
        distance = np.abs(x - 0.5)
        distance[[*node.kept, *node.given_up]] = 0.5
        place = int(distance.argmin())
        return place if distance[place] < 0.5 - 1e-6 else None


def _has_stalled(history: list[float]) -> bool:
    """Whether the last rounds of separation have hardly raised the relaxation."""
    return len(history) > ROUNDS and history[-1] - history[-1 - ROUNDS] < STALL * max(1.0, history[-1])

"""Cover search: records that cannot all be linked form cores; give up the least weight that hits them all.

One branch-and-cut tree. The linear relaxation of the hitting set problem over the cores found so far bounds the weight
that must be given up. Asking which records can be linked at once gives cores that a point of the relaxation violates,
also a fractional point; records that can be linked at once are an incumbent. Bounds: docs/mathematics.md#hitting-set.
Reference: for the implicit hitting set method see
Moreno-Centeno and Karp (2013), https://doi.org/10.1287/opre.1120.1139.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.learning.cover.feasibility import Core, Feasibility
from linkrisk.learning.cover.relaxation import Leaf, Relaxation
from linkrisk.learning.problem.problem import Problem
from linkrisk.learning.search import Clock, State, Status

SLACK = 1e-6
"""Slack of a weight that must be given up, before it is rounded up to whole records."""

ROUNDING = 2.0**-40
"""Share of all weight that sums of weights may be off by."""

ROUNDS = 4
"""Separation at a fractional point goes on as long as the relaxation rises over this many rounds ..."""

STALL = 0.01
"""... by this share of its value."""

NODES_BETWEEN = 4
"""Nodes of the tree after which the best parameters are polished once more."""

CoreCheck = Callable[[Core], Core | None]
"""Returns a core, its multipliers corrected if necessary, if it is infeasible in exact arithmetic; otherwise None."""


@dataclass(frozen=True)
class Branch:
    """A record that is either kept or given up; ``keep`` and ``give`` are places in the tree."""

    record: int
    keep: int
    give: int


@dataclass(eq=False, repr=False)
class CoverResult:
    """What a cover search found: parameters, links by the floating-point rows, a bound, and the cores behind it.

    ``tree`` (its root at place 0) proves the bound.
    """

    theta: FloatArray
    links: float
    bound: float
    status: Status
    cores: list[Core] = field(default_factory=list)
    tree: list[Leaf | Branch] = field(default_factory=list)


@dataclass(order=True)
class _Node:
    bound: float
    number: int
    kept: tuple[int, ...] = field(compare=False, default=())
    given: tuple[int, ...] = field(compare=False, default=())
    leaf: Leaf = field(compare=False, default_factory=lambda: Leaf((), ()))


class CoverSearch:
    """A search under way.

    ``check`` says of a core whether, and with which multipliers, it holds exactly. With ``max_cores`` the search gives
    up once it has found more. ``polish`` makes better parameters of good ones.
    """

    def __init__(
        self,
        problem: Problem,
        feasibility: Feasibility,
        clock: Clock,
        *,
        seed: int = 0,
        check: CoreCheck | None = None,
        max_cores: float = math.inf,
        polish: Callable[[FloatArray], FloatArray] | None = None,
    ) -> None:
        self.problem = problem
        self.feasibility = feasibility
        self.clock = clock
        self.check = check
        self.max_cores = max_cores
        self.polish = polish
        self.random = np.random.default_rng(seed)
        # The linear programme has absolute tolerances: weights are brought to about 1, by a power of two.
        self.unit = 1.0 if problem.is_counting else 2.0 ** math.frexp(float(problem.weight.max(initial=0.0)))[1]
        self.weight = problem.weight / self.unit
        self.total = math.fsum(self.weight.tolist())
        self.n_records = len(problem.records)
        self.best = -1.0
        self.theta = problem.parameters.interior
        self.cores: list[Core] = []
        self.known: set[frozenset[int]] = set()
        self.lost: set[int] = set()
        self.checked: dict[int, bool] = {}
        self.tree: list[Leaf | Branch] = []
        self.least_given = 0.0
        self.unclear_given = math.inf
        self.most_given, self.best_tree = -math.inf, self.tree
        self.master = Relaxation(self.weight)

    def run(self) -> CoverResult:
        """Search until the bound is reached, or time is up.

        It may be called again with other limits. It then goes on from the cores it has; what was proven stays proven.
        """
        self.offer(self.problem.parameters.interior)
        status: Status | None = None
        while status is None:
            status = self._branch()
            if status is Status.OPTIMAL and self._has_false_leaf():
                status = None
        bound, proof = self.best, self.tree
        if status is not Status.OPTIMAL:
            given = self._round_up(self._proven_given())
            if given > self.most_given:
                self.most_given, self.best_tree = given, self.tree
            bound, proof = max(self.best, self.total - self.most_given), self.best_tree
        tree = [self._with_unit(node) for node in proof]
        return CoverResult(self.theta, self.unit * self.best, self.unit * bound, status, self.cores, tree)

    def _with_unit(self, node: Leaf | Branch) -> Leaf | Branch:
        """Return a node whose multipliers are in the unit of the weights as they were given."""
        if isinstance(node, Branch):
            return node
        return Leaf(node.cores, tuple(self.unit * multiplier for multiplier in node.multipliers))

    def offer(self, theta: FloatArray) -> None:
        """Take parameters as the incumbent if they link more."""
        linked = self.feasibility.scan(theta, np.ones(self.n_records, dtype=bool)) > 1e-12 * float(np.abs(theta).max())
        links = float(self.weight[linked].sum())
        if links > self.best:
            self.best, self.theta = links, theta
            if self.polish is not None:
                self.offer(self.polish(theta))

    def _round_up(self, given: float) -> float:
        """Raise a weight that must be given up to the next one possible.

        *Guarantee* (docs/mathematics.md#sums): for counts, a value off by less than 10^-6 is rounded up rightly; other
        weights are lowered by more than their sums may be off.
        """
        if self.problem.is_counting and math.isfinite(given):
            return float(math.ceil(given - SLACK))
        return given - ROUNDING * self.total

    def _is_beaten(self, given: float) -> bool:
        """Whether giving up this weight leaves no more than the incumbent."""
        return given > self._affordable()

    def _affordable(self) -> float:
        """Return the largest weight that could be given up and still leave more than the incumbent."""
        surplus = self.total - self.best
        return surplus - 1.0 + SLACK if self.problem.is_counting else surplus - ROUNDING * self.total

    def _drop_false(self, leaf: Leaf) -> bool:
        """Check the cores a leaf rests on; drop those that fail, and tell whether any failed."""
        false = []
        for core in leaf.cores:
            if core not in self.checked:
                proven = self.cores[core] if self.check is None else self.check(self.cores[core])
                self.checked[core] = proven is not None
                self.cores[core] = proven or self.cores[core]
            if not self.checked[core]:
                false.append(core)
                self.master.drop(core)
        return bool(false)

    def _has_false_leaf(self) -> bool:
        """Check all leaves; nodes that the bound of their parent had already closed were not checked before."""
        leaves = [leaf for leaf in self.tree if isinstance(leaf, Leaf)]
        return sum(self._drop_false(leaf) for leaf in leaves) > 0

    def _proven_given(self) -> float:
        """Return the weight that must be given up in every leaf of the tree, proven by checked cores alone.

        A search that is stopped has leaves that nobody has checked; cores that fail are taken out of them.

        *Guarantee* (docs/mathematics.md#cover-tree): no theta links more than all weight less this.
        """
        least, waiting = math.inf, [(0, frozenset[int](), frozenset[int]())]
        while waiting:
            place, kept, given = waiting.pop()
            node = self.tree[place]
            if isinstance(node, Branch):
                waiting.append((node.keep, kept | {node.record}, given))
                waiting.append((node.give, kept, given | {node.record}))
                continue
            self._drop_false(node)
            self.tree[place] = node = self._checked_leaf(node)
            least = min(least, self._leaf_value(node, kept, given))
        return least

    def _checked_leaf(self, leaf: Leaf) -> Leaf:
        """Return a leaf without the cores that failed their check."""
        if not leaf.multipliers:
            return leaf if all(self.checked[core] for core in leaf.cores) else Leaf((), ())
        held = [pair for pair in zip(leaf.cores, leaf.multipliers, strict=True) if self.checked[pair[0]]]
        return Leaf(tuple(core for core, _ in held), tuple(multiplier for _, multiplier in held))

    def _leaf_value(self, leaf: Leaf, kept: frozenset[int], given: frozenset[int]) -> float:
        """Return the weight that a leaf shows must be given up, by its multipliers; infinity where it keeps a core."""
        if leaf.cores and not leaf.multipliers:
            return math.inf
        return self.master.proven_value(leaf, *self.master.bounds_of(kept, given))[0]

    def _must_stop(self) -> Status | None:
        """Return why the search must stop now; also when it has found as many cores as it may."""
        return self.clock.must_stop() or (Status.UNSETTLED if self.has_many_cores else None)

    @property
    def has_many_cores(self) -> bool:
        """Whether as many cores are found as may be."""
        return len(self.cores) > self.max_cores

    def _tell(self) -> None:
        lost = len(self.problem.lost) + len(self.lost)
        bound = self.unit * (self.total - self._round_up(self.least_given))
        self.clock.tell(State(self.unit * self.best, bound, lost, len(self.cores), "cores"))

    def _branch(self) -> Status:
        """Search the tree once; its leaves are kept as the proof."""
        waiting = [_Node(0.0, 0)]
        self.tree = [waiting[0].leaf]
        self.unclear_given = math.inf
        n_nodes = 0
        while waiting:
            self.least_given = min(waiting[0].bound, self.unclear_given)
            self._tell()
            if (stop := self._must_stop()) is not None:
                return stop
            node = heapq.heappop(waiting)
            if self._is_beaten(node.bound):
                continue
            n_nodes += 1
            if self.polish is not None and n_nodes % NODES_BETWEEN == 0:
                self.offer(self.polish(self.theta))
            node, given, x, leaf = self._bound_node(node)
            self.tree[node.number] = leaf
            if x is None or self._is_beaten(given):
                continue
            if self._must_stop() is not None:
                heapq.heappush(waiting, replace(node, bound=max(node.bound, given), leaf=leaf))
                continue
            if self._drop_false(leaf):
                heapq.heappush(waiting, replace(node, leaf=leaf))  # once more, without them
                continue
            record = self._branching_record(x)
            if record is None:
                self.unclear_given = min(self.unclear_given, given)
                continue
            self._split(node, record, given, leaf, waiting)
        return Status.OPTIMAL if self._is_beaten(self.unclear_given) else Status.UNSETTLED

    def _split(self, node: _Node, record: int, given: float, leaf: Leaf, waiting: list[_Node]) -> None:
        """Keep the record in one child and give it up in the other; until they are bounded, the parent's leaf holds."""
        place = len(self.tree)
        self.tree[node.number] = Branch(record, keep=place, give=place + 1)
        self.tree += [leaf, leaf]
        heapq.heappush(waiting, _Node(given, place, (*node.kept, record), node.given, leaf))
        heapq.heappush(waiting, _Node(given, place + 1, node.kept, (*node.given, record), leaf))

    def _bound_node(self, node: _Node) -> tuple[_Node, float, FloatArray | None, Leaf]:
        """Tighten the relaxation at a node by new cores.

        Return the node, with records that its bound decides, the weight that must be given up there by the multipliers
        of the relaxation, its point (None if it has none) and these multipliers.
        """
        is_root = node.number == 0
        self.master.fix(node.kept, node.given)
        history: list[float] = []
        while True:
            x = self.master.solve()
            if x is None:
                return node, math.inf, x, self.master.contradiction(node.kept)
            leaf = self.master.leaf()
            given, cost = self.master.proven_value(leaf, *self.master.bounds)
            if self._is_beaten(given) and self._drop_false(leaf):
                continue
            if self._is_beaten(given) or self._must_stop() is not None:
                return node, given, x, leaf
            if is_root:
                self.least_given = given
                self._tell()
            node = self._decide_records(node, given, cost, leaf)
            n_new = self._separate(x, 3 if is_root else 1)
            history.append(given)
            is_fractional = bool((np.abs(x - np.round(x)) > 1e-6).any())
            if n_new == 0 or (is_fractional and _has_stalled(history)):
                return node, given, x, leaf

    def _decide_records(self, node: _Node, given: float, cost: FloatArray, leaf: Leaf) -> _Node:
        """Decide records for which the relaxation shows that one of the two choices cannot beat the incumbent.

        A record is kept if giving it up would cost too much, and given up if keeping it would. Each such record is a
        branch of the tree; the multipliers of the relaxation close its other side.

        *Guarantee* (docs/mathematics.md#reduced-cost): nothing better than the incumbent is lost.
        """
        low, high = self.master.bounds
        is_free = (low == 0.0) & (high == 1.0)
        affordable = self._affordable() - given
        to_keep = np.flatnonzero(is_free & (cost > affordable)).tolist()
        to_give = np.flatnonzero(is_free & (-cost > affordable)).tolist()
        if not (to_keep or to_give) or self._drop_false(leaf):
            return node
        closed = len(self.tree)
        self.tree.append(leaf)
        number = node.number
        for i in to_keep + to_give:
            place = len(self.tree)
            self.tree.append(leaf)
            self.tree[number] = Branch(i, *((place, closed) if cost[i] > 0.0 else (closed, place)))
            number = place
        kept, given_up = (*node.kept, *to_keep), (*node.given, *to_give)
        self.master.fix(kept, given_up)
        return replace(node, number=number, kept=kept, given=given_up)

    def _separate(self, x: FloatArray, tries: int) -> int:
        """Look for cores that x violates; return how many were added."""
        found: list[Core] = []
        for _ in range(tries):
            noise = 0.3 * self.random.random(self.n_records)
            cores, theta = self.feasibility.collect(x < 0.999, x, noise)
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

    def _branching_record(self, x: FloatArray) -> int | None:
        """Return the record whose share is nearest to one half; None when none is fractional."""
        distance = np.abs(x - 0.5)
        place = int(distance.argmin())
        return place if distance[place] < 0.5 - 1e-6 else None


def _has_stalled(history: list[float]) -> bool:
    """Whether the last rounds of separation have hardly raised the relaxation."""
    return len(history) > ROUNDS and history[-1] - history[-1 - ROUNDS] < STALL * max(1.0, history[-1])

"""The tree of a cover search, and what it proves: checked without a look at how it came about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.learning.cover.feasibility import Core
from linkrisk.learning.cover.relaxation import Leaf, Relaxation
from linkrisk.learning.cover.relaxation_kernels import are_clear
from linkrisk.learning.search import Clock

MANY_COSTS = 50_000_000
"""Reduced costs, one for each leaf and record, up to which the leaves of a tree are looked at all at once."""

CoreCheck = Callable[[Core], Core | None]
"""Returns a core, its multipliers corrected if necessary, if it is infeasible in exact arithmetic; otherwise None."""


@dataclass(frozen=True)
class Branch:
    """A record that is either kept or given up; ``keep`` and ``give`` are places in the tree."""

    record: int
    keep: int
    give: int


class Prover:
    """Checks cores, each once, and what trees prove whose leaves rest on them.

    ``check`` says of a core whether, and with which multipliers, it holds exactly; corrected ones replace it among
    ``cores``. Cores that fail are dropped from the relaxation.
    """

    def __init__(self, master: Relaxation, cores: list[Core], check: CoreCheck | None) -> None:
        self.master = master
        self.cores = cores
        self.check = check
        self.checked: dict[int, bool] = {}

    def drop_false(self, leaf: Leaf) -> bool:
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

    def has_false_leaf(self, tree: Sequence[Leaf | Branch]) -> bool:
        """Check all leaves; nodes that the bound of their parent had already closed were not checked before."""
        return sum(self.drop_false(leaf) for leaf in tree if isinstance(leaf, Leaf)) > 0

    def proves(self, tree: Sequence[Leaf | Branch], needed: int) -> bool:
        """Whether a tree, whose cores are checked, proves that worth of at least ``needed`` must be given up.

        *Guarantee* (docs/mathematics.md#cover-tree): this is what "optimal" rests on; how the tree came about does not
        matter.
        """
        if self._clearly_proves(tree, needed):
            return True
        waiting: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = [(0, (), ())]
        while waiting:
            place, kept, given = waiting.pop()
            node = tree[place]
            if isinstance(node, Branch):
                waiting.append((node.keep, (*kept, node.record), given))
                waiting.append((node.give, kept, (*given, node.record)))
            elif node.cores and not node.multipliers:
                if not self.cores[node.cores[0]].members.issubset(kept):
                    return False
            elif self.master.proven_given(node, kept, given, short_of=needed) < needed:
                return False
        return True

    def _clearly_proves(self, tree: Sequence[Leaf | Branch], needed: int) -> bool:
        """Whether the tree proves it by multipliers alone, beyond rounding: the usual case, quickly."""
        leaves = {id(node): node for node in tree if isinstance(node, Leaf)}
        if any(node.cores and not node.multipliers for node in leaves.values()):
            return False
        if len(leaves) * self.master.n > MANY_COSTS:
            return False
        number = {key: place for place, key in enumerate(leaves)}
        rows = [
            (node.record, node.keep, node.give, -1) if isinstance(node, Branch) else (-1, 0, 0, number[id(node)])
            for node in tree
        ]
        record, keep, give, leaf = np.ascontiguousarray(np.array(rows).T)
        proven = [self.master.undecided(node) for node in leaves.values()]
        values, costs, errors = (np.array(part) for part in zip(*proven, strict=True))
        least = self.master.scaled_up(needed - 1)
        return bool(are_clear(record, keep, give, leaf, costs, values, errors, least))

    def proven_given(self, tree: list[Leaf | Branch], total: int, limit: Clock) -> int:
        """Return the worth, of ``total``, that must be given up in every leaf of a tree, proven by checked cores alone.

        A search that is stopped has leaves that nobody has checked; cores that fail are taken out of them, and those
        for which there is no time.

        *Guarantee* (docs/mathematics.md#cover-tree): no theta links more than all worth less this.
        """
        least, waiting = total, [(0, frozenset[int](), frozenset[int]())]
        while waiting:
            place, kept, given = waiting.pop()
            node = tree[place]
            if isinstance(node, Branch):
                waiting.append((node.keep, kept | {node.record}, given))
                waiting.append((node.give, kept, given | {node.record}))
                continue
            tree[place] = node = self._checked_leaf(node, limit)
            if node.multipliers or not node.cores:
                least = min(least, self.master.proven_given(node, kept, given))
        return least

    def _checked_leaf(self, leaf: Leaf, limit: Clock) -> Leaf:
        """Return a leaf without the cores that fail their check, or that there is no time to check."""
        held = []
        for place, core in enumerate(leaf.cores):
            if core not in self.checked and limit.left > 0.0:
                self.drop_false(Leaf((core,), ()))
            if self.checked.get(core, False):
                held.append(place)
        if not leaf.multipliers:
            return leaf if len(held) == len(leaf.cores) else Leaf((), ())
        return Leaf(tuple(leaf.cores[q] for q in held), tuple(leaf.multipliers[q] for q in held))

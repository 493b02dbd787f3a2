"""Proofs by covers: cores, and a tree that shows how much must be given up to break them all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress
from linkrisk.verifier.certificate.fields import as_list, as_mapping, as_whole, check_keys, entry
from linkrisk.verifier.cover.cores import Core, CoreCheck
from linkrisk.verifier.cover.leaves import Leaves, Path
from linkrisk.verifier.problem.instance import Instance
from linkrisk.verifier.problem.worths import Worths
from linkrisk.verifier.verification import Rejection


def prove_cover(
    instance: Instance,
    proof: Mapping[str, Any],
    lost: Collection[int],
    wanted: Fraction,
    counts: dict[str, int],
    progress: Progress,
) -> Fraction:
    """Return a bound on the worth of links of every admissible theta; raise `Rejection` where a step does not hold.

    ``lost`` are the records that no theta links; a bound above ``wanted`` is the least that the proof shows. What was
    checked is added to ``counts``.

    *Guarantee* (docs/mathematics.md#verify-cover): no admissible theta links more than what is returned.
    """
    check_keys(proof, ("kind", "cores", "cuts", "tree"), "The proof")
    check = CoreCheck(instance, proof.get("cuts", []))
    cores = _check_cores(check, entry(proof, "cores", "The proof"), progress)
    nodes = as_list(entry(proof, "tree", "The proof"), "The tree")
    tree = _Tree(Leaves(Worths(instance, lost), cores, nodes, wanted))
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


class _Tree:
    """A tree of branches: a record is linked, or given up. Every leaf gives a lower bound on what is given up."""

    def __init__(self, leaves: Leaves) -> None:
        self.leaves = leaves
        self.nodes = leaves.nodes
        self.path = Path()
        self.n_leaves = 0

    def bound(self) -> Fraction:
        """Return the most that can be linked at any leaf.

        *Guarantee* (docs/mathematics.md#cover-tree): each set of records that can be linked together follows one path
        from the root to a leaf, so it is worth no more than all records less what is given up at that leaf. Every
        branch is visited once, so the walk ends; a leaf may belong to several branches, and is checked for each.
        """
        best = Fraction(0)
        waiting = [(0, 0, -1, False)]  # a node, its depth, and the decision that leads there
        is_seen = [False] * len(self.nodes)
        while waiting:
            interrupt.check()
            place, depth, decided, is_kept = waiting.pop()
            self.path.follow(depth, decided, is_kept)
            node = self._node(place)
            if "record" not in node:
                is_seen[place] = True
                self.n_leaves += 1
                best = max(best, self.leaves.bound(place, self.path))
                continue
            if is_seen[place]:
                raise Rejection("The tree of the proof has a branch that is used twice")
            is_seen[place] = True
            record, keep, give = self._branch(node)
            waiting += [(keep, depth + 1, record, True), (give, depth + 1, record, False)]
        if not all(is_seen):
            raise Rejection("The tree of the proof has a node that no branch leads to")
        return best

    def _node(self, place: int) -> Mapping[str, Any]:
        if place >= len(self.nodes):
            raise Rejection("The tree of the proof refers to a node that is missing")
        return as_mapping(self.nodes[place], "A node of the tree")

    def _branch(self, node: Mapping[str, Any]) -> tuple[int, int, int]:
        check_keys(node, ("record", "keep", "give"), "A branch of the tree")
        worths = self.leaves.worths
        record = as_whole(node["record"], "The record of a branch", below=worths.n_records)
        if record in self.path.is_kept or not worths.is_open[record]:
            raise Rejection("A branch of the tree is about a record that is decided already")
        keep, give = (as_whole(entry(node, key, "A branch"), "A child of a branch") for key in ("keep", "give"))
        return record, keep, give

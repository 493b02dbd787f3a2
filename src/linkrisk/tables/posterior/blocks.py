"""Blocks: sets of atoms that no statement crosses, so that only the sum of a block matters outside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from linkrisk.arrays import IntArray
from linkrisk.tables.posterior.atoms import Atoms


@dataclass(eq=False)
class Block:
    """A set of atoms, made of smaller blocks.

    Parameters
    ----------
    children
        Numbers of the blocks of which it is made; none for a block of a single atom.
    atom
        The atom, for a block without children; otherwise -1.
    own
        Statements about its sum.
    inner
        Statements about sums of some of its children, which cross each other; each with the numbers of these children.
    overlap
        Numbers of the overlap cells asked for that are the block itself.
    inner_overlap
        Overlap cells that are sums of some of its children, each with the numbers of these children.
    """

    children: tuple[int, ...] = ()
    atom: int = -1
    own: list[int] = field(default_factory=list)
    inner: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    overlap: list[int] = field(default_factory=list)
    inner_overlap: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)


def make_blocks(atoms: Atoms, queried: IntArray) -> list[Block]:
    """Return the blocks of a problem, children before parents; the last one is the whole population.

    Each statement and each overlap cell is a set of atoms. Two sets cross if they share atoms and neither contains the
    other. Blocks are the sets that cross no other set, and the unions of sets that are connected by crossing.

    *Guarantee* (docs/mathematics.md#blocks): no set crosses a block. Let U be the union of connected sets, and R a set
    that shares atoms with U and crosses none of these sets. Either R lies in one of them, or it contains one of them,
    S. In the second case a set that crosses S shares atoms with R and does not contain R (R contains S); so it lies in
    R, and so on for all sets of U. Two unions never cross either, by the same argument.

    Cost: a product of the sparse incidence matrix of sets and atoms with its transpose.
    """
    sets, meaning = _sets(atoms, queried)
    component, is_crossing = _linked(sets, len(atoms))
    blocks = [Block(atom=atom) for atom in range(len(atoms))]
    asked = set(queried.tolist())
    top = np.arange(len(atoms))
    for members, inner, own in _ordered(sets, component, is_crossing):
        tops = np.unique(top[members])
        if len(tops) > 1:
            blocks.append(Block(children=tuple(tops.tolist())))
        number = len(blocks) - 1 if len(tops) > 1 else int(tops[0])
        block = blocks[number]
        for place in own:
            is_statement, value = meaning[place]
            if is_statement:
                block.own.append(value)
            elif value in asked:
                block.overlap.append(value)
        for place in inner:
            is_statement, value = meaning[place]
            children = tuple(np.unique(top[sets[place]]).tolist())
            (block.inner if is_statement else block.inner_overlap).append((value, children))
        top[members] = number
    return blocks


def _sets(atoms: Atoms, queried: IntArray) -> tuple[list[IntArray], list[tuple[bool, int]]]:
    """Return the sets, and for each whether it is a statement (or an overlap cell), and which.

    Overlap cells that nobody asked for help only where they cross no other set; the others are left out.
    """
    sets = [statement.atoms for statement in atoms.statements]
    meaning = [(True, place) for place in range(len(sets))]
    order = np.argsort(atoms.overlap, kind="stable")
    cells, starts = np.unique(atoms.overlap[order], return_index=True)
    sets += [members for cell, members in zip(cells, np.split(order, starts[1:]), strict=True) if cell >= 0]
    meaning += [(False, cell) for cell in cells.tolist() if cell >= 0]
    _, is_crossing = _linked(sets, len(atoms))
    asked = set(queried.tolist())
    kept = [
        place
        for place, (is_statement, value) in enumerate(meaning)
        if is_statement or value in asked or not is_crossing[place]
    ]
    return [sets[place] for place in kept], [meaning[place] for place in kept]


def _linked(sets: Sequence[IntArray], n_atoms: int) -> tuple[IntArray, IntArray]:
    """Return the number of the component of each set, and whether it crosses any other."""
    sizes = np.array([len(members) for members in sets])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    incidence = csr_array(
        (np.ones(starts[-1], dtype=np.int64), np.concatenate(sets), starts), shape=(len(sets), n_atoms)
    )
    common = (incidence @ incidence.T).tocoo()
    first, second = common.coords
    crosses = (common.data < sizes[first]) & (common.data < sizes[second])
    first, second = first[crosses], second[crosses]
    graph = csr_array((np.ones(len(first)), (first, second)), shape=(len(sets), len(sets)))
    _, component = connected_components(graph, directed=False)
    is_crossing = np.zeros(len(sets), dtype=np.int64)
    is_crossing[first] = 1
    return component.astype(np.int64), is_crossing


def _ordered(
    sets: Sequence[IntArray], component: IntArray, is_crossing: IntArray
) -> list[tuple[IntArray, list[int], list[int]]]:
    """Return the atoms of each block, from small to large, with the sets that cross inside and those equal to it."""
    found: dict[bytes, tuple[IntArray, list[int], list[int]]] = {}
    order = np.argsort(component, kind="stable")
    starts = np.unique(component[order], return_index=True)[1]
    for places in np.split(order, starts[1:]):
        members = np.unique(np.concatenate([sets[place] for place in places]))
        _, inner, own = found.setdefault(members.tobytes(), (members, [], []))
        (inner if is_crossing[places[0]] else own).extend(places.tolist())
    return sorted(found.values(), key=lambda entry: len(entry[0]))

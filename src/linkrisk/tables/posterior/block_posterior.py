"""Exact posteriors by dynamic programming over blocks: from the inner blocks out, and back to the overlap cells."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

import numpy as np
from scipy.special import logsumexp

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.errors import SettingsError
from linkrisk.tables.posterior.atoms import CONTRADICTION, Atoms
from linkrisk.tables.posterior.blocks import Block, make_blocks
from linkrisk.tables.posterior.child_order import Item, find_holders, items_of, least_states, ordered
from linkrisk.tables.posterior.dynamic_programme import (
    DynamicProgramme,
    Limits,
    TooLarge,
    run_backward,
    run_forward,
)
from linkrisk.tables.posterior.masses import Mass, joined, parted
from linkrisk.tables.posterior.posterior import NEGLIGIBLE, Posterior

MOST_CROSSED = 4_000_000
"""Most statements that cross each other in a block, times its children: with more, states are far too many anyway."""

FASTEST = 2e8
"""Pairs of a state and an addition in a second; generous, for a pair takes a hash and an exponential."""

COUNTS_AT_ONCE = 512
"""Counts of an overlap cell that are computed before checking whether larger ones have any weight."""


def block_posteriors(atoms: Atoms, queried: IntArray, limits: Limits) -> dict[int, Posterior]:
    """Return the exact posterior of each overlap cell asked for, by the number of the cell.

    P(F = c | everything) is proportional to the sum of the weights of all base tables with c people in the cell. The
    mass of a block follows from the masses of its children (`run_forward`). The weight of everything outside a block is
    passed down to its children in a second pass (`run_backward`), so that all cells share the work. For an overlap cell
    that is a block, the result is its mass times the weight outside. An overlap cell that statements cross is a partial
    sum in the state, and is read off when its last child is added.

    *Guarantee* (docs/mathematics.md#dynamic-programme): exact up to rounding in float64. Cost: with samples only, it
    grows with the number of people drawn, not with the population; otherwise it is states times counts for every block.

    Raises
    ------
    TooLarge
        If more states are needed than allowed, or time is up.
    SettingsError
        If no population is possible.
    """
    return _Run(atoms, limits, make_blocks(atoms, queried)).posteriors()


def is_too_large(atoms: Atoms, limits: Limits) -> bool:
    """Tell whether the programme is too large even if no overlap cell is asked for; it then is for every one.

    An overlap cell only adds to the sums in the states of a block, or joins blocks. That the children might by good
    luck come in a better order then is left out of account.
    """
    nothing = np.zeros(0, dtype=np.int64)
    try:
        _Run(atoms, limits, make_blocks(atoms, nothing)).check_size()
    except TooLarge:
        return True
    return False


@dataclass(eq=False)
class _Run:
    """Masses and programmes of all blocks."""

    atoms: Atoms
    limits: Limits
    blocks: list[Block]
    masses: list[Mass] = field(default_factory=list)
    programmes: dict[int, DynamicProgramme] = field(default_factory=dict)
    result: dict[int, Posterior] = field(default_factory=dict)

    def posteriors(self) -> dict[int, Posterior]:
        self.check_size()
        self.has_query = _with_queries(self.blocks)
        root = len(self.blocks) - 1
        is_plain = not (self.blocks[root].inner or self.blocks[root].inner_overlap or self.blocks[root].overlap)
        for number in range(root):
            self.limits.check()
            self.masses.append(self._mass(number))
        children = self.blocks[root].children
        if is_plain and len(children) > 1 and all(self.masses[child].is_drawn for child in children):
            self._split_root(children)
        else:
            self.masses.append(self._mass(root))
            self._hand_down(root, Mass(self.atoms.population, np.zeros(1)))
        return self.result

    def check_size(self) -> None:
        """Raise if some block has too many states, or takes too long, by what is known before any block is run."""
        self.most = _largest(self.atoms, self.blocks)
        crossed = [number for number, block in enumerate(self.blocks) if block.inner or block.inner_overlap]
        if any(len(self.blocks[number].inner) * len(self.blocks[number].children) > MOST_CROSSED for number in crossed):
            raise TooLarge
        for number in reversed(crossed):
            self.limits.check()
            self._check_states(number, self._items(number))

    def _check_states(self, number: int, items: list[Item]) -> None:
        of_child = items_of(self.blocks[number].children, items)
        order = ordered(of_child, items, self.limits.check)
        holders = find_holders(order, of_child, items, self.most, self.most[number])
        if holders is None:
            return
        states, work = least_states(order, of_child, items, holders)
        seconds = max(self.limits.deadline - time.perf_counter(), 1e-3)
        if states > math.log(self.limits.states) or work > math.log(seconds) + math.log(FASTEST):
            raise TooLarge

    def _items(self, number: int) -> list[Item]:
        """Return the statements and overlap cells that cross each other in a block."""
        block = self.blocks[number]
        items = [Item(self.atoms.statements[place], frozenset(children)) for place, children in block.inner]
        return [*items, *(Item(None, frozenset(children), cell) for cell, children in block.inner_overlap)]

    def _mass(self, number: int) -> Mass:
        block = self.blocks[number]
        if block.children:
            programme = self._programme(number)
            mass = programme.mass
            if block.inner_overlap or any(self.has_query[child] for child in block.children):
                self.programmes[number] = programme
        else:
            mass = Mass(0, np.zeros(1), float(self.atoms.sizes[block.atom]))
        for place in sorted(block.own, key=lambda place: not self.atoms.statements[place].is_drawn):
            mass = mass.times_likelihood(self.atoms.statements[place], self.most[number])
        if not np.isfinite(mass.weights).any():
            raise SettingsError(CONTRADICTION)
        return mass

    def _programme(self, number: int) -> DynamicProgramme:
        block = self.blocks[number]
        statements = self.atoms.statements
        items = self._items(number)
        masses = {child: self.masses[child] for child in block.children}
        is_drawn = all(mass.is_drawn for mass in masses.values()) and all(item.is_drawn for item in items)
        if not is_drawn or any(self.has_query[child] for child in block.children):
            masses = {child: self._by_counts(child) for child in block.children}
        low = max((statements[place].low for place in block.own), default=0)
        return run_forward(block.children, masses, items, low, self.most[number], self.limits)

    def _by_counts(self, child: int) -> Mass:
        self.limits.check()
        if self.most[child] > self.limits.states:
            raise TooLarge
        return self.masses[child].by_counts(0, self.most[child])

    def _hand_down(self, number: int, outside: Mass) -> None:
        """Read off the overlap cells of a block and of all blocks inside it, given the weight of everything outside."""
        stack = [(number, outside)]
        while stack:
            number, outside = stack.pop()
            block = self.blocks[number]
            for cell in block.overlap:
                self._read(cell, self.masses[number].at(outside_counts(outside)) + outside.weights, outside.low)
            is_inside = [child for child in block.children if self.has_query[child]]
            if not is_inside and not block.inner_overlap:
                continue
            programme = self.programmes[number]
            weights = outside.at(programme.values)
            for place in block.own:
                weights = weights + self.atoms.statements[place].log_likelihood(programme.values)
            rest, watched = run_backward(programme, weights)
            for cell, mass in watched.items():
                self._read(cell, mass.weights, mass.low)
            stack += [(child, self._without_own(child, rest[child])) for child in is_inside]

    def _without_own(self, child: int, joint: Mass) -> Mass:
        """Return the weight outside a child by its count, from the total weight, which includes that of the child."""
        own = self.masses[child].at(outside_counts(joint))
        return Mass(joint.low, np.where(np.isfinite(joint.weights), joint.weights - own, -np.inf))

    def _split_root(self, children: tuple[int, ...]) -> None:
        """Read off overlap cells where only samples are known: each cell against all the rest."""
        forms = [joined(self.masses[child].weights, self.masses[child].size or 0.0) for child in children]
        asked = [place for place, child in enumerate(children) if self.has_query[child]]
        before, after = _all_before(forms, self.limits), _all_before(forms[::-1], self.limits)[::-1]
        total = sum(self.masses[child].size or 0.0 for child in children)
        for place in asked:
            self.limits.check()
            mass = self.masses[children[place]]
            size = total - (mass.size or 0.0)
            rest = Mass(0, parted(_log_convolve(before[place], after[place]), size), size)
            for cell in self.blocks[children[place]].overlap:
                self._against(cell, mass, rest, self.most[children[place]])

    def _against(self, cell: int, mass: Mass, rest: Mass, most: int) -> None:
        parts: list[FloatArray] = []
        peak = -np.inf
        for start in range(0, most + 1, COUNTS_AT_ONCE):
            counts = np.arange(start, min(start + COUNTS_AT_ONCE, most + 1))
            parts.append(mass.at(counts) + rest.at(self.atoms.population - counts))
            if parts[-1].max() < peak - NEGLIGIBLE:
                break
            peak = max(peak, float(parts[-1].max()))
        self._read(cell, np.concatenate(parts), 0)

    def _read(self, cell: int, weights: FloatArray, low: int) -> None:
        if not np.isfinite(weights).any():
            raise SettingsError(CONTRADICTION)
        probabilities = np.exp(weights - logsumexp(weights))
        possible = np.flatnonzero(probabilities > 0)
        self.result[cell] = Posterior(low + int(possible[0]), probabilities[possible[0] : possible[-1] + 1])


def outside_counts(mass: Mass) -> IntArray:
    """Return the counts for which a mass, in the form by counts, has weights."""
    return np.arange(mass.low, mass.high + 1)


def _with_queries(blocks: list[Block]) -> list[bool]:
    """Tell for each block whether it is, or contains, an overlap cell asked for."""
    result: list[bool] = []
    for block in blocks:
        result.append(bool(block.overlap or block.inner_overlap or any(result[child] for child in block.children)))
    return result


def _largest(atoms: Atoms, blocks: list[Block]) -> list[int]:
    """Return the largest possible count of each block, by the statements about it and about what contains it."""
    most = [atoms.population] * len(blocks)
    for number in reversed(range(len(blocks))):
        block = blocks[number]
        most[number] = min([most[number], *(atoms.statements[place].high for place in block.own)])
        for child in block.children:
            most[child] = most[number]
        for place, children in block.inner:
            for child in children:
                most[child] = min(most[child], atoms.statements[place].high)
    return most


def _all_before(forms: list[FloatArray], limits: Limits) -> list[FloatArray]:
    """Return for each form the convolution of all forms before it."""
    result = [np.zeros(1)]
    for form in forms[:-1]:
        limits.check()
        result.append(_log_convolve(result[-1], form))
    return result


def _log_convolve(first: FloatArray, second: FloatArray) -> FloatArray:
    """Convolve two functions given by their logarithms, accurately however different their values are."""
    if len(first) < len(second):
        first, second = second, first
    result = np.full(len(first) + len(second) - 1, -np.inf)
    for shift, weight in enumerate(second):
        if np.isfinite(weight):
            part = result[shift : shift + len(first)]
            np.logaddexp(part, first + weight, out=part)
    return result

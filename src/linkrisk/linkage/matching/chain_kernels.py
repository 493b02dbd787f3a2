"""The Markov chain over matchings in machine code: swaps, alternating walks, exchanges, and what a sweep shows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.dice_kernels import UnsignedArray, random, random_below
from linkrisk.engine.jit import lean_kernel

CountArray = NDArray[np.uint16]

PATIENCE = 4.0
"""A walk longer than n steps is given up with probability 1 - PATIENCE / n, decided before it begins."""

SETTLING = 16
"""Walks of any length with which a chain begins: they undo the long cycles of a start far from what is likely."""

CLOSED, AT_STRANGER, AT_ABSENT, TOO_LONG = 0, 1, 2, 3
"""How a walk ends: in the record it began with, at a stranger's record, outside the release, or not in time."""

STRANGER, OPEN = -1, -2
"""Who has a protected record that no original record has: a stranger, or nobody while a walk is under way."""


class Target(NamedTuple):
    """The weights of matchings, pairs listed by original record; the weights of a row, absence included, sum to 1.

    Original record i has the pairs from ``start[i]`` to ``start[i + 1]``: with the protected records ``column``,
    ascending, the weights ``weight`` and their sums ``cumulative`` within the row. ``absent[i]`` is the weight of not
    being in the release, ``stranger[j]`` that of a stranger at j.
    """

    start: IntArray
    column: IntArray
    weight: FloatArray
    cumulative: FloatArray
    absent: FloatArray
    stranger: FloatArray


class State(NamedTuple):
    """A matching: ``pair[i]`` is the pair of original record i, -1 if absent; ``holder[j]`` who has protected record j.

    ``absent`` lists the absent original records. The other arrays are a walk's memory: who moved, from which pair, and
    whom it pushed out. ``dice`` is the state of the random numbers.
    """

    pair: IntArray
    holder: IntArray
    absent: IntArray
    moved: IntArray
    left: IntArray
    pushed: IntArray
    dice: UnsignedArray


@lean_kernel
def _is_accepted(dice: UnsignedArray, new: float, old: float) -> bool:
    return new >= old or random(dice) * old < new


@lean_kernel
def _draw(target: Target, i: int, dice: UnsignedArray) -> int:
    """Draw a pair of an original record in proportion to its weight; -1 for its absence."""
    low, high = target.start[i], target.start[i + 1]
    u = random(dice)
    if low == high or u >= target.cumulative[high - 1]:
        return -1 if target.absent[i] > 0.0 or low == high else int(high - 1)
    while low < high - 1:
        middle = (low + high - 1) // 2
        if target.cumulative[middle] > u:
            high = middle + 1
        else:
            low = middle + 1
    return int(low)


@lean_kernel
def _find(target: Target, i: int, j: int) -> int:
    """Find the pair of original record i and protected record j; -1 if there is none."""
    low, high = target.start[i], target.start[i + 1]
    while low < high:
        middle = (low + high) // 2
        if target.column[middle] < j:
            low = middle + 1
        else:
            high = middle
    return low if low < target.start[i + 1] and target.column[low] == j else -1


@lean_kernel
def _swap(target: Target, state: State, i: int) -> None:
    """Draw another protected record for i; who has it takes i's, by the rule of Metropolis and Hastings."""
    old = state.pair[i]
    if old < 0:
        return
    new = _draw(target, i, state.dice)
    if new < 0 or new == old:
        return
    left, taken = target.column[old], target.column[new]
    other = state.holder[taken]
    if other == STRANGER:
        if not _is_accepted(state.dice, target.stranger[left], target.stranger[taken]):
            return
    else:
        given = _find(target, other, left)
        if given < 0 or not _is_accepted(state.dice, target.weight[given], target.weight[state.pair[other]]):
            return
        state.pair[other] = given
    state.holder[left] = other
    state.pair[i] = new
    state.holder[taken] = i


@lean_kernel
def _patience(state: State) -> int:
    """Draw the most steps of a walk, with a heavy tail: cycles of every length occur, at little cost."""
    return int(min(float(len(state.moved)), PATIENCE / (1.0 - random(state.dice))))


@lean_kernel
def _walk(target: Target, state: State, i: int, most: int) -> tuple[int, int]:
    """Let i, who has lost his record, draw another one, whose holder does the same, until nobody is left without.

    Returns how the walk ended and its number of steps. Steps are taken at once and kept in the state's memory.
    """
    for step in range(most):
        new = _draw(target, i, state.dice)
        state.moved[step] = i
        state.left[step] = state.pair[i]
        state.pair[i] = new
        if new < 0:
            return AT_ABSENT, step + 1
        taken = target.column[new]
        other = state.holder[taken]
        state.pushed[step] = other
        state.holder[taken] = i
        if other == OPEN:
            return CLOSED, step + 1
        if other == STRANGER:
            return AT_STRANGER, step + 1
        i = other
    return TOO_LONG, most


@lean_kernel
def _undo(target: Target, state: State, n_steps: int) -> None:
    for step in range(n_steps - 1, -1, -1):
        i = state.moved[step]
        if state.pair[i] >= 0:
            state.holder[target.column[state.pair[i]]] = state.pushed[step]
        state.pair[i] = state.left[step]


@lean_kernel
def _walk_from_release(target: Target, state: State, most: int) -> None:
    """Take a random protected record from its holder and let him walk, until it, or a stranger's record, is taken."""
    j = random_below(state.dice, len(state.holder))
    i = state.holder[j]
    if i == STRANGER:
        return
    state.holder[j] = OPEN
    end, n_steps = _walk(target, state, i, most)
    if end == CLOSED:
        return
    if end == AT_STRANGER:
        last = target.column[state.pair[state.moved[n_steps - 1]]]
        if _is_accepted(state.dice, target.stranger[j], target.stranger[last]):
            state.holder[j] = STRANGER
            return
    _undo(target, state, n_steps)
    state.holder[j] = i


@lean_kernel
def _walk_from_outside(target: Target, state: State) -> None:
    """Let a random absent original record walk, until somebody leaves the release."""
    place = random_below(state.dice, len(state.absent))
    end, n_steps = _walk(target, state, state.absent[place], _patience(state))
    if end == AT_ABSENT:
        state.absent[place] = state.moved[n_steps - 1]
    else:
        _undo(target, state, n_steps)


@lean_kernel
def _exchange(target: Target, state: State) -> None:
    """Let a random original record leave, its record to a stranger, and an absent one take a stranger's record."""
    leaving = random_below(state.dice, len(state.pair))
    place = random_below(state.dice, len(state.absent))
    entering = state.absent[place]
    old = state.pair[leaving]
    if old < 0:
        return
    new = _draw(target, entering, state.dice)
    if new < 0:
        return
    left, taken = target.column[old], target.column[new]
    if state.holder[taken] != STRANGER:
        return
    after = target.stranger[left] * target.absent[leaving]
    before = target.stranger[taken] * target.absent[entering]
    if _is_accepted(state.dice, after, before):
        state.pair[leaving], state.pair[entering] = -1, new
        state.holder[left], state.holder[taken] = STRANGER, entering
        state.absent[place] = leaving


@lean_kernel
def sweep(target: Target, state: State, is_exchanging: bool) -> None:
    """Change the matching: a swap for each original record, and fewer walks and exchanges, which reach further."""
    n_original = len(state.pair)
    for i in range(n_original):
        _swap(target, state, i)
    for _ in range(4 + n_original // 32):
        _walk_from_release(target, state, _patience(state))
    for _ in range(len(state.absent)):
        _walk_from_outside(target, state)
    if is_exchanging:
        for _ in range(n_original):
            _exchange(target, state)


@lean_kernel
def settle(target: Target, state: State) -> None:
    """Take long walks first."""
    for _ in range(SETTLING):
        _walk_from_release(target, state, len(state.moved))


@lean_kernel
def run(
    target: Target,
    state: State,
    is_exchanging: bool,
    watched: IntArray,
    is_counting: bool,
    counts: CountArray,
    agreements: FloatArray,
) -> None:
    """Run as many sweeps as ``agreements`` has places; count pairs after each, and how many are the watched ones."""
    for number in range(len(agreements)):
        sweep(target, state, is_exchanging)
        agreement = 0
        for i in range(len(state.pair)):
            pair = state.pair[i]
            if pair >= 0:
                agreement += pair == watched[i]
                if is_counting:
                    counts[pair] += np.uint16(1)
        agreements[number] = agreement

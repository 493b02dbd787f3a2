"""The Markov chain over populations in machine code: proposals, likelihood ratios, records."""

from __future__ import annotations

import math
from typing import NamedTuple

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.dice_kernels import UnsignedArray, random, random_below
from linkrisk.engine.jit import lean_kernel


class Target(NamedTuple):
    """What determines the weight of a population: the sizes of atoms, and the statements that a move may violate.

    Atom ``a`` is in statements ``of_atom[atom_start[a]:atom_start[a + 1]]``; statement ``s`` has the atoms
    ``of_statement[statement_start[s]:...]``. The weights of its counts ``low``, ``low`` + 1, ... are in ``flat``, from
    ``weight_start[s]`` on, unless that is -1.
    """

    sizes: FloatArray
    atom_start: IntArray
    of_atom: IntArray
    statement_start: IntArray
    of_statement: IntArray
    low: IntArray
    high: IntArray
    drawn: IntArray
    weight_start: IntArray
    flat: FloatArray


class Moves(NamedTuple):
    """Moves that keep the fixed sums.

    ``group`` is the class of each atom (atoms in the same fixed sums are one class); the atoms of class ``g`` are
    ``members[group_start[g]:...]``. In ``left``, ``right`` and ``component`` a row is a split of the tables with fixed
    sums into two sides, and a column is a class: its cell on the left, its cell on the right, and its component, which
    are the classes that agree with it on the attributes both sides share. The classes of component ``c`` are
    ``of_component[k, component_start[k, c]:...]``. Row k of ``pair`` begins with the number of right cells; then follow
    the classes of all combinations of a left and a right cell, -1 where there is none. ``lattice`` holds vectors of the
    integer kernel over classes, one per row. ``n_levels``: up to 2^(n_levels - 1) people move at once.
    """

    group: IntArray
    group_start: IntArray
    members: IntArray
    left: IntArray
    right: IntArray
    component: IntArray
    component_start: IntArray
    of_component: IntArray
    pair: IntArray
    lattice: IntArray
    n_levels: int


class Walker(NamedTuple):
    """The state of a chain: counts of the atoms, sums of the statements, and arrays to work in.

    ``tally``: number of proposals, of acceptances, of violated statements. ``dice``: the state of its random numbers.
    """

    counts: IntArray
    sums: IntArray
    tally: IntArray
    changed: IntArray
    change: IntArray
    touched: IntArray
    shift: IntArray
    classes: IntArray
    dice: UnsignedArray


@lean_kernel
def log_likelihood(target: Target, statement: int, total: int, penalty: float) -> float:
    """Return the log likelihood of a sum; outside its bounds that of the nearest bound, less a penalty per person."""
    inside = min(max(total, target.low[statement]), target.high[statement])
    value: float = -penalty * abs(total - inside)
    drawn = target.drawn[statement]
    if drawn > 0:
        value += math.lgamma(inside + 1.0) - math.lgamma(inside - drawn + 1.0)
    start = target.weight_start[statement]
    if start >= 0:
        value += target.flat[start + inside - target.low[statement]]
    return value


@lean_kernel
def _log_ways(size: float, count: int) -> float:
    """Return the logarithm of C(F + K - 1, F), up to a constant."""
    if size == 1.0:
        return 0.0
    return math.lgamma(count + size) - math.lgamma(size) - math.lgamma(count + 1.0)


@lean_kernel
def _try(target: Target, walker: Walker, n_changed: int, bonus: float, penalty: float) -> bool:
    """Accept or refuse the change of the first ``n_changed`` atoms in ``walker.changed`` (Metropolis and Hastings)."""
    counts, sums, tally, changed, change, touched, shift, _, dice = walker
    tally[0] += 1
    ratio = bonus
    for i in range(n_changed):
        new = counts[changed[i]] + change[i]
        if new < 0:
            return False
        ratio += _log_ways(target.sizes[changed[i]], new) - _log_ways(target.sizes[changed[i]], counts[changed[i]])
    n_touched = 0
    for i in range(n_changed):
        for place in range(target.atom_start[changed[i]], target.atom_start[changed[i] + 1]):
            statement = target.of_atom[place]
            if shift[statement] == 0:
                touched[n_touched] = statement
                n_touched += 1
            shift[statement] += change[i]
            if shift[statement] == 0:
                n_touched = _forget(touched, n_touched, statement)
    violated = 0
    for i in range(n_touched):
        statement = touched[i]
        old, new = sums[statement], sums[statement] + shift[statement]
        ratio += log_likelihood(target, statement, new, penalty) - log_likelihood(target, statement, old, penalty)
        violated += int(new < target.low[statement] or new > target.high[statement])
        violated -= int(old < target.low[statement] or old > target.high[statement])
    is_accepted = ratio >= 0.0 or random(dice) < math.exp(ratio)
    for i in range(n_touched):
        if is_accepted:
            sums[touched[i]] += shift[touched[i]]
        shift[touched[i]] = 0
    if is_accepted:
        for i in range(n_changed):
            counts[changed[i]] += change[i]
        tally[1] += 1
        tally[2] += violated
    return is_accepted


@lean_kernel
def _forget(touched: IntArray, n_touched: int, statement: int) -> int:
    """Remove a statement from the list of those whose sum changes."""
    for i in range(n_touched):
        if touched[i] == statement:
            touched[i] = touched[n_touched - 1]
            return n_touched - 1
    return n_touched


@lean_kernel
def _amount(dice: UnsignedArray, n_levels: int) -> int:
    """Return how many people move: 1 to 2^level. The level is drawn first, so that small and large steps occur."""
    return 1 + random_below(dice, 1 << random_below(dice, n_levels))


@lean_kernel
def _transfer(target: Target, moves: Moves, walker: Walker, penalty: float) -> None:
    """Move people from one atom to another of the same class; half of the time also of the same statement."""
    n_statements = len(target.low)
    if n_statements and random(walker.dice) < 0.5:
        s = random_below(walker.dice, n_statements)
        start, n = target.statement_start[s], target.statement_start[s + 1] - target.statement_start[s]
        a = target.of_statement[start + random_below(walker.dice, n)]
        b = target.of_statement[start + random_below(walker.dice, n)]
    else:
        a = random_below(walker.dice, len(walker.counts))
        b = _member(moves, walker.dice, moves.group[a])
    if a == b or moves.group[a] != moves.group[b]:
        return
    amount = _amount(walker.dice, moves.n_levels)
    walker.changed[0], walker.change[0] = a, -amount
    walker.changed[1], walker.change[1] = b, amount
    _try(target, walker, 2, 0.0, penalty)


@lean_kernel
def _n_members(moves: Moves, group: int) -> int:
    """Return how many atoms a class has."""
    n: int = moves.group_start[group + 1] - moves.group_start[group]
    return n


@lean_kernel
def _member(moves: Moves, dice: UnsignedArray, group: int) -> int:
    """Return a random atom of a class."""
    atom: int = moves.members[moves.group_start[group] + random_below(dice, _n_members(moves, group))]
    return atom


@lean_kernel
def _exchange(target: Target, moves: Moves, walker: Walker, penalty: float) -> None:
    """Let people of two atoms that agree on a separator exchange their categories on one side of it (Dobra's moves)."""
    k = random_below(walker.dice, len(moves.left))
    a = random_below(walker.dice, len(walker.counts))
    first = moves.group[a]
    c = moves.component[k, first]
    start = moves.component_start[k, c]
    second = moves.of_component[k, start + random_below(walker.dice, moves.component_start[k, c + 1] - start)]
    third = _paired(moves, k, moves.left[k, first], moves.right[k, second])
    fourth = _paired(moves, k, moves.left[k, second], moves.right[k, first])
    if third < 0 or fourth < 0 or third in (first, second):
        return
    amount = _amount(walker.dice, moves.n_levels)
    walker.changed[0], walker.change[0] = a, -amount
    walker.changed[1], walker.change[1] = _member(moves, walker.dice, second), -amount
    walker.changed[2], walker.change[2] = _member(moves, walker.dice, third), amount
    walker.changed[3], walker.change[3] = _member(moves, walker.dice, fourth), amount
    # forward chance: 1 / (members of second, third, fourth); backward chance: 1 / (members of fourth, first, second)
    bonus = math.log(1.0 * _n_members(moves, third)) - math.log(1.0 * _n_members(moves, first))
    _try(target, walker, 4, bonus, penalty)


@lean_kernel
def _paired(moves: Moves, k: int, left: int, right: int) -> int:
    """Return the class with this left and this right cell; -1 if there is none."""
    found: int = moves.pair[k, 1 + left * moves.pair[k, 0] + right]
    return found


@lean_kernel
def _combine(target: Target, moves: Moves, walker: Walker, penalty: float) -> None:
    """Move along a sum of one to three vectors of the integer kernel, each with a random sign."""
    classes = walker.classes
    classes[:] = 0
    for _ in range(1 + random_below(walker.dice, 3)):
        row = random_below(walker.dice, len(moves.lattice))
        sign = 2 * random_below(walker.dice, 2) - 1
        for g in range(len(classes)):
            classes[g] += sign * moves.lattice[row, g]
    amount = _amount(walker.dice, min(moves.n_levels, 3))
    n_changed = 0
    for g in range(len(classes)):
        if classes[g] != 0:
            walker.changed[n_changed] = _member(moves, walker.dice, g)
            walker.change[n_changed] = amount * classes[g]
            n_changed += 1
    if n_changed:
        _try(target, walker, n_changed, 0.0, penalty)


@lean_kernel
def walk(
    target: Target,
    moves: Moves,
    walker: Walker,
    overlap: IntArray,
    thin: int,
    penalty: float,
    record: IntArray,
    is_feasible: IntArray,
) -> None:
    """Make ``thin`` proposals per record, and record the counts of the overlap cells.

    ``overlap`` is the column of each atom in the record, -1 for none; ``is_feasible`` tells for each record whether no
    statement is violated.
    """
    n_exchange, n_lattice = len(moves.left), len(moves.lattice)
    for row in range(len(record)):
        for _ in range(thin):
            chance = random(walker.dice)
            if n_exchange and chance < 0.4:
                _exchange(target, moves, walker, penalty)
            elif n_lattice and chance < 0.7:
                _combine(target, moves, walker, penalty)
            else:
                _transfer(target, moves, walker, penalty)
        record[row] = 0
        for atom in range(len(overlap)):
            if overlap[atom] >= 0:
                record[row, overlap[atom]] += walker.counts[atom]
        is_feasible[row] = int(walker.tally[2] == 0)

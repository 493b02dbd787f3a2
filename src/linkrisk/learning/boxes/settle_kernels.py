"""Settling a box for good: which of its undecided records can be linked together, compiled.

The greatest margin by which all of them can be linked is positive, or comes with a combination of rows that is positive
nowhere in the box: a core. One record of a core must be given up: for each of them in turn the others are looked at,
until too few are left. Each core has one record more at most than there are parameters.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import kernel, lean_kernel
from linkrisk.learning.boxes.conflict_kernels import centre_row
from linkrisk.learning.boxes.exact_kernels import is_never_positive
from linkrisk.learning.boxes.log_kernels import CORE, GIVE_UP, Log, log_division, log_member, log_node, log_set
from linkrisk.learning.boxes.margin_kernels import greatest_margin
from linkrisk.learning.boxes.state_kernels import ROWS, Centred, Lists, Memory, Problem, Units

SETTLED, LINKABLE, UNKNOWN = range(3)
"""Too few can be linked; so many can be linked at the point found; cannot be told."""

CLEAR = 1e-9
"""Margin of centred rows from which on a point is worth trying."""

NOTHING = 1e-13
"""Multipliers that are left out of a core."""


MARGIN_ROWS = 10
"""Rows that could be looked at while one row enters the greatest margin, about."""


class Core(NamedTuple):
    """Rows whose combination with these multipliers is positive nowhere in a box."""

    row: IntArray
    multiplier: FloatArray


@kernel
def make_centred(size: int, n: int) -> Centred:
    """Return room for centred rows."""
    return Centred(np.empty(size), np.empty((size, n)), np.empty(size), np.empty(size, np.int64))


@lean_kernel
def worst_row(
    values: FloatArray, row: IntArray, first: int, last: int, low: FloatArray, high: FloatArray, point: FloatArray
) -> tuple[int, float]:
    """Return the row that is least at a point, and its value there, scaled as centred rows are."""
    worst, least = -1, np.inf
    for t in range(first, last):
        total = scale = 0.0
        for k in range(len(low)):
            x, width = values[row[t], k], high[k] - low[k]
            total += x * (low[k] + high[k] + point[k] * width)
            scale += abs(x) * width
        if total < least * max(scale, 1e-300):
            worst, least = row[t], total / max(scale, 1e-300)
    return worst, least


@lean_kernel
def link_all(
    values: FloatArray,
    lists: Lists,
    begin: int,
    end: int,
    low: FloatArray,
    high: FloatArray,
    is_given_up: IntArray,
    centred: Centred,
    owner: IntArray,
    point: FloatArray,
    multiplier: FloatArray,
) -> tuple[float, int]:
    """Find the point where all records not given up are linked by most; return the margin and the rows used.

    Rows that the point fails are added, for each record the worst one.
    """
    n_rows = 0
    point[:] = 0.0
    margin = np.inf
    while True:
        before = n_rows
        for i in range(end - begin):
            if is_given_up[i] > 0 or n_rows >= len(owner):
                continue
            s, value = worst_row(
                values, lists.row, lists.span[begin + i, 0], lists.span[begin + i, 1], low, high, point
            )
            if s >= 0 and (before == 0 or value <= min(0.0, margin - 1e-9)):
                centred.scale[n_rows] = centre_row(values, s, low, high, centred.middle, centred.slope, n_rows)
                centred.row[n_rows] = s
                owner[n_rows] = i
                n_rows += 1
        if n_rows == before:
            return margin, n_rows
        margin = greatest_margin(centred, n_rows, point, multiplier, np.inf)
        if not margin > 0.0:
            return margin, n_rows


@kernel
def still_linkable(units: Units, is_given_up: IntArray, weight: FloatArray, n_units: int) -> float:
    """Weight linkable by one record of each unit, of those not given up."""
    units.first[:n_units] = 0.0
    for i in range(len(is_given_up)):
        if is_given_up[i] == 0:
            units.first[units.of[i]] = max(units.first[units.of[i]], weight[i])
    return float(units.first[:n_units].sum())


@lean_kernel
def write_core(
    centred: Centred, owner: IntArray, multiplier: FloatArray, n_rows: int, core: Core, members: IntArray
) -> tuple[int, int]:
    """Write the rows with a multiplier, and whose they are; return how many rows and how many records."""
    n_used = n_members = 0
    for i in range(n_rows):
        if multiplier[i] <= NOTHING or n_used == len(core.row):
            continue
        core.row[n_used], core.multiplier[n_used] = centred.row[i], multiplier[i] / centred.scale[i]
        n_used += 1
        is_new = True
        for m in range(n_members):
            is_new = is_new and members[m] != owner[i]
        if is_new:
            members[n_members] = owner[i]
            n_members += 1
    return n_used, n_members


@kernel
def is_core(values: FloatArray, core: Core, n_used: int, low: FloatArray, high: FloatArray) -> bool:
    """Whether the combination of rows is positive nowhere in the box; small whole multipliers are tried, too.

    Where rows are made of small whole numbers, only multipliers that cancel them exactly will do.
    """
    if n_used == 0:
        return False
    if is_never_positive(values, core.row, core.multiplier, n_used, low, high):
        return True
    before = core.multiplier[:n_used] / core.multiplier[:n_used].min()
    for factor in range(1, 65):
        rounded = np.round(factor * before)
        if np.abs(rounded - factor * before).max() < 1e-6 * factor:
            core.multiplier[:n_used] = rounded
            if is_never_positive(values, core.row, core.multiplier, n_used, low, high):
                return True
    return False


@lean_kernel
def log_core(log: Log, node: int, core: Core, n_used: int) -> None:
    """Tell that a node is divided by whom to give up of a core."""
    log_division(log, node, GIVE_UP, 0.0)
    log_set(log, CORE)
    for c in range(n_used):
        log_member(log, core.row[c], core.multiplier[c])


@lean_kernel
def choose_next(is_given_up: IntArray, members: IntArray, n_members: IntArray, at: IntArray, depth: int) -> int:
    """Take back the last choice of whom to give up, and go on to the next; return how many are given up before it.

    Returns -1 when all choices have been made.
    """
    while depth > 0:
        depth -= 1
        is_given_up[members[depth, at[depth]]] = 0
        at[depth] += 1
        if at[depth] < n_members[depth]:
            return depth
    return -1


@kernel
def settle(
    problem: Problem,
    lists: Lists,
    memory: Memory,
    log: Log,
    node: int,
    begin: int,
    end: int,
    n_units: int,
    need: float,
    max_cores: int,
    theta: FloatArray,
) -> int:
    """Tell whether ``need`` of the undecided records can be linked together in the box; if so, fill theta.

    *Guarantee* (docs/mathematics.md#settle): if SETTLED, no theta of the box links as much: every choice of whom to
    give up in each core leaves less.
    """
    low, high, values, n, n_records = memory.low, memory.high, problem.values, len(memory.low), end - begin
    size = lists.span[end - 1, 1] - lists.span[begin, 0]
    centred, owner, multiplier, point = make_centred(size, n), np.empty(size, np.int64), np.empty(size), np.empty(n)
    core = Core(np.empty(n + 2, np.int64), np.empty(n + 2))
    is_given_up, nodes = np.zeros(n_records, np.int64), np.full(n_records + 1, node)
    members, n_members, at = np.empty((n_records + 1, n + 2), np.int64), np.zeros(n_records + 1, np.int64), nodes.copy()
    weight = problem.weight[lists.record[begin:end]]
    depth = n_cores = 0
    while True:
        if still_linkable(memory.units, is_given_up, weight, n_units) < need:
            depth = choose_next(is_given_up, members, n_members, at, depth)
            if depth < 0:
                return SETTLED
        else:
            margin, n_rows = link_all(
                values, lists, begin, end, low, high, is_given_up, centred, owner, point, multiplier
            )
            memory.counts[ROWS] += size + MARGIN_ROWS * n_rows
            if margin > CLEAR:
                for k in range(n):
                    theta[k] = low[k] + 0.5 * (point[k] + 1.0) * (high[k] - low[k])
                return LINKABLE
            n_used, n_members[depth] = write_core(centred, owner, multiplier, n_rows, core, members[depth])
            n_cores += 1
            if n_cores > max_cores or not is_core(values, core, n_used, low, high):
                return UNKNOWN
            log_core(log, nodes[depth], core, n_used)
            at[depth] = 0
        is_given_up[members[depth, at[depth]]] = 1
        nodes[depth + 1] = log_node(log, nodes[depth], at[depth])
        depth += 1

"""Can these records all be linked at once? A tiny linear programme, solved by a warm simplex method, compiled.

Asked is a theta with theta . v > 0 for the rows v of all chosen records and theta . g >= 0 for the rows g of the
parameter set. Its dual looks for the mixture of rows closest to nothing:

    least sum |s_k|  with  sum lambda_r v_r + sum mu_g g + s = 0,  sum lambda = 1,  lambda, mu >= 0.

The minimum is 0 exactly when no such theta exists, and then the records with lambda > 0 are a core. Otherwise its
dual prices are the theta with the largest margin t over all rows in the pool (|theta_k| <= 1); see
docs/mathematics.md#feasibility. There are one equation for
each parameter and one more: the inverse of the basis is kept densely, from one question to the next. A row whose
record is not chosen any more stays in the basis at a price of 1 until it is driven out.

Rows are stored by their entries that are not zero (``places``, ``entries``, padded with zeros).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel

INFEASIBLE, FEASIBLE, ITERATIONS, BROKEN, MORE = range(5)
"""Verdicts: a core; a theta; too many steps; rounding does not allow a verdict; cores found, call again for more."""

CUT = 1 << 40
PLUS = 1 << 41
MINUS = 1 << 42
"""Codes in a basis: below CUT a row of a record, then rows of the parameter set, s_k > 0, s_k < 0."""

ZERO = 1e-11
"""A mixture this close to nothing (of rows of length 1) counts as nothing, until it is checked exactly."""

VIOLATED = 1e-10
"""A row enters only if it is violated by more than this."""

PIVOT = 1e-9
"""Smaller pivots are not used."""

NOTHING = 1e-10
"""Multipliers up to this count as 0."""

REFRESH = 64
"""Pivots after which the inverse is computed afresh."""

SHORT = 128
"""Rows looked at in a short round of pricing."""


class Pool(NamedTuple):
    """Rows known so far, of length 1; ``owner`` is the record of a row; ``sizes``: number of rows, of cuts."""

    places: IntArray
    entries: FloatArray
    owner: IntArray
    cut_places: IntArray
    cut_entries: FloatArray
    sizes: IntArray


class Basis(NamedTuple):
    """A basis with its inverse and the values of its variables; ``pivots`` counts all steps ever made."""

    codes: IntArray
    inverse: FloatArray
    values: FloatArray
    theta: FloatArray
    pivots: IntArray


@lean_kernel
def start_basis_at(pool: Pool, basis: Basis, row: int) -> None:
    """Begin with one row, and with the s that balance it."""
    codes, inverse, values, _, _ = basis
    last = codes.size - 1
    inverse[:, :] = 0.0
    for k in range(last):
        codes[k] = PLUS + k
        inverse[k, k] = 1.0
        values[k] = 0.0
    for place in range(pool.places.shape[1]):
        entry = pool.entries[row, place]
        k = pool.places[row, place]
        if entry > 0.0:
            codes[k] = MINUS + k
            inverse[k, k] = -1.0
            inverse[k, last] = entry
            values[k] = entry
        elif entry < 0.0:
            inverse[k, last] = -entry
            values[k] = -entry
    codes[last] = row
    inverse[last, last] = 1.0
    values[last] = 1.0


@kernel
def refresh(pool: Pool, basis: Basis) -> bool:
    """Compute the inverse and the values afresh; False when the basis is singular."""
    codes, inverse, values, _, _ = basis
    size = codes.size
    last = size - 1
    matrix = np.zeros((size, size))
    for i in range(size):
        code = codes[i]
        if code >= MINUS:
            matrix[code - MINUS, i] = -1.0
        elif code >= PLUS:
            matrix[code - PLUS, i] = 1.0
        elif code >= CUT:
            for place in range(pool.cut_places.shape[1]):
                matrix[pool.cut_places[code - CUT, place], i] += pool.cut_entries[code - CUT, place]
        else:
            for place in range(pool.places.shape[1]):
                matrix[pool.places[code, place], i] += pool.entries[code, place]
            matrix[last, i] = 1.0
    if not invert(matrix, inverse):
        return False
    for i in range(size):
        values[i] = inverse[i, last]
        if values[i] < -1e-7:
            return False
        values[i] = max(values[i], 0.0)
    return True


@lean_kernel
def invert(matrix: FloatArray, inverse: FloatArray) -> bool:
    """Invert a matrix by Gauss-Jordan elimination with row exchanges; ``matrix`` is overwritten."""
    size = matrix.shape[0]
    inverse[:, :] = 0.0
    for i in range(size):
        inverse[i, i] = 1.0
    for column in range(size):
        pivot = column
        for i in range(column + 1, size):
            if abs(matrix[i, column]) > abs(matrix[pivot, column]):
                pivot = i
        if abs(matrix[pivot, column]) < 1e-13:
            return False
        if pivot != column:
            for c in range(size):
                matrix[pivot, c], matrix[column, c] = matrix[column, c], matrix[pivot, c]
                inverse[pivot, c], inverse[column, c] = inverse[column, c], inverse[pivot, c]
        factor = 1.0 / matrix[column, column]
        for c in range(size):
            matrix[column, c] *= factor
            inverse[column, c] *= factor
        for i in range(size):
            share = matrix[i, column]
            if i != column and share != 0.0:
                for c in range(size):
                    matrix[i, c] -= share * matrix[column, c]
                    inverse[i, c] -= share * inverse[column, c]
    return True


@inlined_kernel
def is_costly(code: int, pool: Pool, chosen: NDArray[np.bool_]) -> bool:
    """Whether a variable of the basis has a price: an s, or a row of a record that is not chosen."""
    if code >= PLUS:
        return True
    return code < CUT and not chosen[pool.owner[code]]


@inlined_kernel
def set_prices(pool: Pool, chosen: NDArray[np.bool_], basis: Basis) -> tuple[float, float]:
    """Write theta; return the sum of all |s| (and of rows not chosen), and t."""
    codes, inverse, values, theta, _ = basis
    last = codes.size - 1
    total = 0.0
    margin = 0.0
    for k in range(last):
        theta[k] = 0.0
    for i in range(codes.size):
        if is_costly(codes[i], pool, chosen):
            total += values[i]
            margin += inverse[i, last]
            for k in range(last):
                theta[k] -= inverse[i, k]
    return total, margin


@inlined_kernel
def row_value(pool: Pool, row: int, theta: FloatArray) -> float:
    """Return theta . v of a row of the pool."""
    total = 0.0
    for place in range(pool.places.shape[1]):
        total += pool.entries[row, place] * theta[pool.places[row, place]]
    return total


@inlined_kernel
def cut_value(pool: Pool, cut: int, theta: FloatArray) -> float:
    """Return theta . g of a row of the parameter set."""
    total = 0.0
    for place in range(pool.cut_places.shape[1]):
        total += pool.cut_entries[cut, place] * theta[pool.cut_places[cut, place]]
    return total


@inlined_kernel
def price_short(pool: Pool, theta: FloatArray, margin: float, short: IntArray, n_short: int) -> tuple[int, float]:
    """Return the most violated of the rows on the short list."""
    best = VIOLATED
    entering = -1
    for place in range(n_short):
        code = short[place]
        violation = -cut_value(pool, code - CUT, theta) if code >= CUT else margin - row_value(pool, code, theta)
        if violation > best:
            best = violation
            entering = code
    return entering, best


@inlined_kernel
def price_all(
    pool: Pool, chosen: NDArray[np.bool_], theta: FloatArray, margin: float, short: IntArray
) -> tuple[int, float, int]:
    """Return the most violated row of all, and fill the short list with rows violated about as much."""
    best = VIOLATED
    entering = -1
    n_short = 0
    for row in range(pool.sizes[0]):
        if chosen[pool.owner[row]]:
            violation = margin - row_value(pool, row, theta)
            if violation > 0.25 * best and n_short < SHORT and violation > VIOLATED:
                short[n_short] = row
                n_short += 1
            if violation > best:
                best = violation
                entering = row
    for cut in range(pool.sizes[1]):
        violation = -cut_value(pool, cut, theta)
        if violation > 0.25 * best and n_short < SHORT and violation > VIOLATED:
            short[n_short] = CUT + cut
            n_short += 1
        if violation > best:
            best = violation
            entering = CUT + cut
    for k in range(theta.size):
        if -theta[k] - 1.0 > best:
            best = -theta[k] - 1.0
            entering = PLUS + k
        if theta[k] - 1.0 > best:
            best = theta[k] - 1.0
            entering = MINUS + k
    return entering, best, n_short


@inlined_kernel
def fill_column(pool: Pool, basis: Basis, entering: int, column: FloatArray) -> None:
    """Write the inverse times the entering column."""
    inverse = basis.inverse
    size = column.size
    last = size - 1
    for i in range(size):
        total = 0.0
        if entering >= MINUS:
            total = -inverse[i, entering - MINUS]
        elif entering >= PLUS:
            total = inverse[i, entering - PLUS]
        elif entering >= CUT:
            cut = entering - CUT
            for place in range(pool.cut_places.shape[1]):
                total += pool.cut_entries[cut, place] * inverse[i, pool.cut_places[cut, place]]
        else:
            for place in range(pool.places.shape[1]):
                total += pool.entries[entering, place] * inverse[i, pool.places[entering, place]]
            total += inverse[i, last]
        column[i] = total


@inlined_kernel
def leaving_place(values: FloatArray, column: FloatArray) -> int:
    """Choose who leaves: among those that reach zero first, within a tolerance, the largest pivot (Harris)."""
    limit = np.inf
    for i in range(column.size):
        if column[i] > PIVOT:
            limit = min(limit, (values[i] + 1e-10) / column[i])
    leaving = -1
    for i in range(column.size):
        if column[i] > PIVOT and values[i] <= limit * column[i] and (leaving < 0 or column[i] > column[leaving]):
            leaving = i
    return leaving


@inlined_kernel
def pivot(basis: Basis, entering: int, leaving: int, column: FloatArray) -> None:
    """Exchange one variable of the basis for another."""
    codes, inverse, values, _, pivots = basis
    size = codes.size
    factor = 1.0 / column[leaving]
    for c in range(size):
        inverse[leaving, c] *= factor
    step = max(values[leaving] * factor, 0.0)
    for i in range(size):
        share = column[i]
        if i != leaving and share != 0.0:
            for c in range(size):
                inverse[i, c] -= share * inverse[leaving, c]
            values[i] = max(values[i] - share * step, 0.0)
    values[leaving] = step
    codes[leaving] = entering
    pivots[0] += 1


@kernel
def decide(pool: Pool, chosen: NDArray[np.bool_], basis: Basis, max_pivots: int) -> tuple[int, float]:
    """Go on from the basis until the rows of the chosen records in the pool are settled; return verdict and t."""
    theta = basis.theta
    column = np.empty(basis.codes.size)
    short = np.empty(SHORT, np.int64)
    n_short = 0
    stop = basis.pivots[0] + max_pivots
    since = 0
    while True:
        if since >= REFRESH:
            if not refresh(pool, basis):
                return BROKEN, 0.0
            since = 0
        total, margin = set_prices(pool, chosen, basis)
        entering = -1
        if total > ZERO:
            entering, _ = price_short(pool, theta, margin, short, n_short)
            if entering < 0:
                entering, _, n_short = price_all(pool, chosen, theta, margin, short)
        if entering < 0:
            if since == 0:
                return (FEASIBLE if total > ZERO else INFEASIBLE), margin
            since = REFRESH
            continue
        if basis.pivots[0] >= stop:
            return ITERATIONS, margin
        fill_column(pool, basis, entering, column)
        leaving = leaving_place(basis.values, column)
        if leaving < 0:
            return BROKEN, margin
        pivot(basis, entering, leaving, column)
        since += 1


@inlined_kernel
def core_cost(code: int, pool: Pool, share: FloatArray, prize: int) -> float:
    """Return what a variable costs in a core: the share of a row's record; the cut ``prize`` brings 1."""
    cost = -1.0 if code == CUT + prize else 0.0
    if code < CUT:
        cost = share[pool.owner[code]]
    return cost


@inlined_kernel
def set_core_prices(pool: Pool, share: FloatArray, prize: int, basis: Basis) -> float:
    """Write the prices of a core; return that of one unit of rows."""
    codes, inverse, _, theta, _ = basis
    last = codes.size - 1
    margin = 0.0
    for k in range(last):
        theta[k] = 0.0
    for i in range(codes.size):
        cost = core_cost(codes[i], pool, share, prize)
        if cost != 0.0:
            margin += cost * inverse[i, last]
            for k in range(last):
                theta[k] -= cost * inverse[i, k]
    return margin


@inlined_kernel
def cheapest_entering(
    pool: Pool, chosen: NDArray[np.bool_], share: FloatArray, prize: int, theta: FloatArray, margin: float
) -> int:
    """Return the row that makes the mixture cheaper most, or -1."""
    best = 1e-7
    entering = -1
    for row in range(pool.sizes[0]):
        owner = pool.owner[row]
        if chosen[owner]:
            gain = margin - share[owner] - row_value(pool, row, theta)
            if gain > best:
                best = gain
                entering = row
    for cut in range(pool.sizes[1]):
        gain = -cut_value(pool, cut, theta) + (1.0 if cut == prize else 0.0)
        if gain > best:
            best = gain
            entering = CUT + cut
    return entering


@inlined_kernel
def leaving_for_core(basis: Basis, column: FloatArray, pool: Pool, chosen: NDArray[np.bool_]) -> int:
    """Choose who leaves: first an s, or a row that is not chosen, for these must stay at zero."""
    codes = basis.codes
    largest = 1e-7
    leaving = -1
    for i in range(codes.size):
        if is_costly(codes[i], pool, chosen) and abs(column[i]) > largest:
            largest = abs(column[i])
            leaving = i
    if leaving >= 0:
        return leaving
    return leaving_place(basis.values, column)


@kernel
def cheapen(
    pool: Pool, chosen: NDArray[np.bool_], share: FloatArray, prize: int, basis: Basis, max_pivots: int
) -> None:
    """Go on from a core to a cheaper one, as long as that is easy.

    A core is cheap if its records have small shares; with a ``prize`` (a cut, or -1), also if that cut weighs much in
    it.
    """
    column = np.empty(basis.codes.size)
    for _ in range(max_pivots):
        margin = set_core_prices(pool, share, prize, basis)
        entering = cheapest_entering(pool, chosen, share, prize, basis.theta, margin)
        if entering < 0:
            return
        fill_column(pool, basis, entering, column)
        leaving = leaving_for_core(basis, column, pool, chosen)
        if leaving < 0:
            return
        pivot(basis, entering, leaving, column)


@inlined_kernel
def copy_basis(source: Basis, target: Basis) -> None:
    """Copy a basis, except for its count of steps."""
    for place in range(source.codes.size):
        target.codes[place] = source.codes[place]
        target.values[place] = source.values[place]
        for k in range(source.codes.size):
            target.inverse[place, k] = source.inverse[place, k]


@kernel
def deepen(pool: Pool, members: NDArray[np.bool_], basis: Basis) -> bool:
    """Go on from a core to one of (some of) the same records in which cut 0, the normal of the set, weighs most.

    Such a core lies deep inside what is forbidden, and often does without some of the records. False when the numbers
    do not allow it.
    """
    cheapen(pool, members, np.zeros(members.size), 0, basis, 100)
    return refresh(pool, basis)


@inlined_kernel
def mark_members(pool: Pool, basis: Basis, members: NDArray[np.bool_]) -> int:
    """Mark the records of a core; return their number of rows."""
    members[:] = False
    count = 0
    for i in range(basis.codes.size):
        if basis.codes[i] < CUT and basis.values[i] > NOTHING:
            members[pool.owner[basis.codes[i]]] = True
            count += 1
    return count


@kernel
def collect_cores(
    pool: Pool,
    chosen: NDArray[np.bool_],
    share: FloatArray,
    noise: FloatArray,
    has_normal: bool,
    basis: Basis,
    spare: Basis,
    max_pivots: int,
    codes: IntArray,
    values: FloatArray,
) -> tuple[int, int, float]:
    """Find cores among the chosen records, giving up one record of each, until the rest can be linked by the pool.

    Writes the basis of each core to a row of ``codes`` and ``values``; returns verdict, number of cores, and t. Cores
    are made of records with a small ``share`` where possible; given up is the one of largest share plus ``noise``.
    After ``max_pivots`` steps in all it returns, so that whoever calls it can look at the clock.
    """
    members = np.zeros(chosen.size, np.bool_)
    count = 0
    stop = basis.pivots[0] + max_pivots
    while True:
        if count > 0 and basis.pivots[0] >= stop:
            return MORE, count, 0.0
        verdict, margin = decide(pool, chosen, basis, max_pivots)
        if verdict != INFEASIBLE or count == codes.shape[0]:
            return verdict, count, margin
        cheapen(pool, chosen, share, -1, basis, 40)
        if not refresh(pool, basis):
            return BROKEN, count, margin
        if mark_members(pool, basis, members) == 0:
            return BROKEN, count, margin
        copy_basis(basis, spare)
        if not (has_normal and deepen(pool, members, spare) and mark_members(pool, spare, members) > 0):
            copy_basis(basis, spare)
            mark_members(pool, spare, members)
        codes[count] = spare.codes
        values[count] = spare.values
        given = -1
        for i in range(members.size):
            if members[i] and (given < 0 or share[i] + noise[i] > share[given] + noise[given]):
                given = i
        chosen[given] = False
        count += 1

"""Rank swapping: values move to records of nearby rank, as a random permutation or by changing places in pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.errors import LinkriskError, ParameterError
from linkrisk.protection.drawing.draws import draw_uniforms, make_secret
from linkrisk.protection.drawing.permutation import draw_permutation
from linkrisk.protection.drawing.secret import Secret
from linkrisk.protection.ladders import rank_percentages
from linkrisk.protection.method import Method, Strength
from linkrisk.protection.parameters import check_number, check_variant, each_attribute
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.codes import code_notes
from linkrisk.protection.values.columns import ORDERED, QUANTITIES, Column, Name
from linkrisk.protection.values.frame import Frame
from linkrisk.protection.values.outcome import shares_changed

PERMUTATION = "permutation"
PAIRS = "pairs"
VARIANTS = (PERMUTATION, PAIRS)
TITLES = {PERMUTATION: "rank swapping by permutation", PAIRS: "rank swapping in pairs"}

PAIR_NOTE = (
    "values changed places in pairs, so that one right guess leads to others: whoever knows p and the original file "
    "finds nearly everyone (all 1,080 people of the papers' Census file at p = 30). Choose permutation as variant "
    "(--variant): it has no pairs, and loses about as much."
)
"""What every release in pairs is told with."""


@dataclass(frozen=True)
class SwappedAttribute:
    """An attribute, its p, the window (p percent in ranks), how far values moved at most, and how many are others."""

    attribute: Name
    p: float
    window: int
    largest_move: int
    share_changed: float

    def __str__(self) -> str:
        return (
            f"{self.attribute}: p = {self.p:g} %, {self.share_changed:.1%} of the values changed, moved by at most "
            f"{self.largest_move:,} of {self.window:,} ranks"
        )


def rank_swap(
    data: Any,
    p: float | Mapping[Any, float],
    *,
    variant: str = PERMUTATION,
    secret_seed: int | None = None,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Move values to records at most p percent of the ranks away, each attribute on its own.

    The n known values are put in rank order, and the record of rank r gets the value of rank pi(r). pi is a random
    permutation with |pi(r) - r| <= w = floor(p n / 100) for every r.

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, numpy array (columns named 0, 1, ...), or a file read by
        `linkrisk.data.read_file`.
    p
        Percent of the ranks, above 0 and at most 100: one number for all columns that are not left, or one for
        each column by name.
    variant
        ``"permutation"``: pi is drawn from all permutations within the windows, none likelier than another (how, and
        how nearly, is said at `linkrisk.protection.drawing.permutation.draw_permutation`). ``"pairs"``, the classic
        form: from the lowest rank on, each value not yet swapped takes a random partner among the values not yet
        swapped at most w ranks above it, and the two change places; a value that finds no partner stays. **Pairs can be
        undone** by whoever knows p and the original file; they are here for comparison with the papers.
    secret_seed
        For tests and repetitions only: **it is a secret**, because whoever knows it can undo the protection. By default
        128 bits from the operating system, found in ``secret`` of the result. Never use one seed for two releases.
    leave
        Columns to release as they are. A column that is neither protected nor named here is an error.
    schema
        Kinds, orders and missing codes, as for `linkrisk.assess`; kinds are inferred where it says nothing.

    Returns
    -------
    Protection
        ``details`` holds a `SwappedAttribute` for each column. Protected numbers are float64; dates and ordinal columns
        keep their type. ``notes`` warn of pairs.

    Raises
    ------
    ParameterError
        If a p is out of range or smaller than one rank, there is no such variant, ``secret_seed`` is not a whole number
        of 0 or more, or columns are left out (they are named).
    ColumnError
        If a column is unknown, nominal, or has infinite values.

    Notes
    -----
    *Guarantee* (docs/mathematics.md#checked), checked before returning: each attribute holds the same values as before,
    so its margins are kept exactly, and no value is more than w ranks away from where it was.

    *What an intruder can know* of a permutation, who has p and the whole original file: attributes are permuted
    independently and uniformly, so every assignment of released to original records that stays within all windows is
    as probable as every other. Windows are all there is to know; there are no partners to infer. Records that keep
    their value (about n / (2 w + 1) of them) are not drawn again: to know that nobody stays would tell more. Near both
    ends a window is cut to as little as w + 1 ranks, so the lowest and highest values hide among fewer. Decision 19 has
    the measurements.

    Missing values stay missing and have no rank. Equal values are ranked in an order drawn from the secret: file order
    would show which of them can have moved; a value that moves to another place among equal ones has not changed, and
    is not counted as if it had. Cost: n log n; 10^6 values take 3 to 5 seconds, in pairs less than one.

    References
    ----------
    Moore (1996), Controlled data-swapping techniques for masking public use microdata sets, US Bureau of the Census;
    abril2012-weights.txt, section 4.2; the choice of partners as READING.md finds it to fit the paper's figures.
    Attacks that use the window: Nin, Herranz, Torra (2008), Rethinking rank swapping to decrease disclosure risk, Data
    and Knowledge Engineering 64(1).

    Examples
    --------
    Each value may move two ranks of five. In pairs with one rank, 1 changes places with 2 and 3 with 4.

    >>> import numpy as np
    >>> people = np.array([[3.0], [1.0], [5.0], [2.0], [4.0]])
    >>> protection = rank_swap(people, p=40, secret_seed=1)
    >>> protection.data[:, 0].tolist()
    [4.0, 2.0, 3.0, 1.0, 5.0]
    >>> protection
    Protection by rank swapping by permutation of 5 records
      0: p = 40 %, 100.0% of the values changed, moved by at most 2 of 2 ranks
      values changed: 0 100%
      seed: kept apart, as a secret
    >>> rank_swap(people, p=20, variant="pairs", secret_seed=1).data[:, 0].tolist()
    [4.0, 2.0, 5.0, 1.0, 3.0]
    """
    table = Frame.of(data, schema)
    check_variant("rank_swap", variant, VARIANTS)
    sizes = {
        name: check_number(size, f"p of column {name!r}", "above 0 and at most 100 percent", most=100)
        for name, size in each_attribute(p, table, leave).items()
    }
    secret = make_secret(secret_seed)
    columns = table.columns(sizes, ORDERED, "rank swapping")
    swapped = [_swap_column(column, sizes[column.name], variant, secret) for column in columns]
    new = [column for column, _ in swapped]
    return Protection(
        data=table.with_columns(new),
        method="rank_swap",
        title=TITLES[variant],
        parameters={"p": sizes, "variant": variant, "leave": tuple(leave)},
        details=tuple(detail for _, detail in swapped),
        n_records=table.n_records,
        secret=secret,
        notes=(*((PAIR_NOTE,) if variant == PAIRS else ()), *code_notes(columns)),
        changed=shares_changed(columns, new),
    )


RANK_SWAP = Method(
    "rank_swap",
    rank_swap,
    "values moved to records at most p percent of the ranks away",
    needed=("p",),
    variants=VARIANTS,
    kinds=ORDERED,
    by_default=QUANTITIES,
    strength=Strength("p", rank_percentages),
)


def _swap_column(column: Column, p: float, variant: str, secret: Secret) -> tuple[Column, SwappedAttribute]:
    known = np.flatnonzero(~column.is_missing)
    window = math.floor(p * known.size / 100)
    if window < 1:
        raise ParameterError(
            f"p of column {column.name!r} is less than one rank: with {known.size:,} values it must be at least "
            f"{100 / known.size:g} percent"
        )
    draws = draw_uniforms(secret, f"rank swapping {column.name}", 2 * known.size).reshape(2, -1)
    order = known[np.lexsort((draws[0], column.values[known]))]
    if variant == PAIRS:
        taken = _draw_partners(draws[1], window)
    else:
        taken = draw_permutation(secret, str(column.name), known.size, window)
    values = column.values.copy()
    values[order] = column.values[order[taken]]
    _check_promise(column.values[order], taken, window)
    largest = int(np.abs(taken - np.arange(known.size)).max())
    share = float((values[known] != column.values[known]).mean())
    detail = SwappedAttribute(column.name, p, window, largest, share)
    return column.with_values(values), detail


def _draw_partners(uniforms: FloatArray, window: int) -> IntArray:
    from linkrisk.protection.drawing.swap_kernel import swap_partners  # noqa: PLC0415  (numba is slow to import)

    return swap_partners(uniforms, window)


def _check_promise(ranked: FloatArray, taken: IntArray, window: int) -> None:
    """Raise unless each rank's value goes to one rank within the window, and the values are in rank order."""
    ranks = np.arange(taken.size)
    is_kept = bool((ranked[1:] >= ranked[:-1]).all() and (np.bincount(taken, minlength=taken.size) == 1).all())
    if not is_kept or np.abs(taken - ranks).max() > window:
        raise LinkriskError("rank swapping broke its promise; this is a fault in linkrisk, please report it")

"""Rank swapping: values change places with values of nearby rank."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.errors import LinkriskError, ParameterError
from linkrisk.protection.columns import ORDERED, Column, Name
from linkrisk.protection.draws import draw_uniforms, make_secret
from linkrisk.protection.frame import Frame
from linkrisk.protection.ladders import rank_percentages
from linkrisk.protection.method import Method, Strength
from linkrisk.protection.parameters import check_number, each_attribute
from linkrisk.protection.protection import Protection
from linkrisk.protection.secret import Secret


@dataclass(frozen=True)
class SwappedAttribute:
    """An attribute, its p, the window (p percent in ranks), and how far values moved at most."""

    attribute: Name
    p: float
    window: int
    largest_move: int
    share_swapped: float

    def __str__(self) -> str:
        return (
            f"{self.attribute}: p = {self.p:g} %, {self.share_swapped:.1%} of the values swapped, at most "
            f"{self.largest_move:,} of {self.window:,} ranks away"
        )


def rank_swap(
    data: Any,
    p: float | Mapping[Any, float],
    *,
    secret_seed: int | None = None,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Swap each value with one at most p percent of the ranks away, each attribute on its own.

    The n known values are put in rank order. From the lowest on, each value not yet swapped takes a random
    partner among the values not yet swapped at most w = floor(p n / 100) ranks above it, and the two change
    places. A value that finds no partner stays.

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, numpy array (columns named 0, 1, ...), or a file read by
        `linkrisk.data.read_file`.
    p
        Percent of the ranks, above 0 and at most 100: one number for all columns that are not left, or one for
        each column by name.
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
        ``details`` holds a `SwappedAttribute` for each column. Protected numbers are float64; ordinal columns keep
        their type.

    Raises
    ------
    ParameterError
        If a p is out of range or smaller than one rank, ``secret_seed`` is not a whole number of 0 or more, or
        columns are left out (they are named).
    ColumnError
        If a column is unknown, nominal, or has infinite values.

    Notes
    -----
    *Guarantee* (docs/mathematics.md#checked), checked before returning: each attribute holds the same values as before,
    so its margins are kept exactly, and no value is more than w ranks away from where it was.

    Missing values stay missing and have no rank. Equal values are ranked in an order drawn from the secret: file order
    would show which of them can have been swapped. Cost: n log n; 10^6 values take about half a second.

    References
    ----------
    Moore (1996), Controlled data-swapping techniques for masking public use microdata sets, US Bureau of the Census;
    abril2012-weights.txt, section 4.2; the choice of partners as READING.md finds it to fit the paper's figures.

    Examples
    --------
    Each value may move one rank of five: 1 with 2 and 3 with 4; 5 finds no partner.

    >>> import numpy as np
    >>> people = np.array([[3.0], [1.0], [5.0], [2.0], [4.0]])
    >>> protection = rank_swap(people, p=20, secret_seed=1)
    >>> protection.data[:, 0].tolist()
    [4.0, 2.0, 5.0, 1.0, 3.0]
    >>> protection
    Protection by rank swapping of 5 records
      0: p = 20 %, 80.0% of the values swapped, at most 1 of 1 ranks away
      seed: kept apart, as a secret
    """
    table = Frame.of(data, schema)
    sizes = {
        name: check_number(size, f"p of column {name!r}", "above 0 and at most 100 percent", most=100)
        for name, size in each_attribute(p, table, leave).items()
    }
    secret = make_secret(secret_seed)
    columns = table.columns(sizes, ORDERED, "rank swapping")
    swapped = [_swap_column(column, sizes[column.name], secret) for column in columns]
    return Protection(
        data=table.with_columns([column for column, _ in swapped]),
        method="rank_swap",
        title="rank swapping",
        parameters={"p": sizes, "leave": tuple(leave)},
        details=tuple(detail for _, detail in swapped),
        n_records=table.n_records,
        secret=secret,
    )


RANK_SWAP = Method(
    "rank_swap",
    rank_swap,
    needed=("p",),
    kinds=ORDERED,
    strength=Strength("p", rank_percentages),
)


def _swap_column(column: Column, p: float, secret: Secret) -> tuple[Column, SwappedAttribute]:
    from linkrisk.protection.swap_kernel import swap_partners  # noqa: PLC0415  (numba is slow to import)

    known = np.flatnonzero(~column.is_missing)
    window = math.floor(p * known.size / 100)
    if window < 1:
        raise ParameterError(
            f"p of column {column.name!r} is less than one rank: with {known.size:,} values it must be at least "
            f"{100 / known.size:g} percent"
        )
    draws = draw_uniforms(secret, f"rank swapping {column.name}", 2 * known.size)
    order = known[np.lexsort((draws[: known.size], column.values[known]))]
    partners = swap_partners(draws[known.size :], window)
    values = column.values.copy()
    values[order] = column.values[order[partners]]
    _check_promise(column.values[order], partners, window)
    moves = np.abs(partners - np.arange(known.size))
    detail = SwappedAttribute(column.name, p, window, int(moves.max()), float((moves > 0).mean()))
    return column.with_values(values), detail


def _check_promise(ranked: FloatArray, partners: IntArray, window: int) -> None:
    """Raise unless swaps go both ways and stay within the window, and the values are in the order of their ranks."""
    ranks = np.arange(partners.size)
    is_kept = bool((ranked[1:] >= ranked[:-1]).all() and (partners[partners] == ranks).all())
    if not is_kept or np.abs(partners - ranks).max() > window:
        raise LinkriskError("rank swapping broke its promise; this is a fault in linkrisk, please report it")

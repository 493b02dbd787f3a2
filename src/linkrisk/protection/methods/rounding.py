"""Rounding to multiples of a base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.errors import LinkriskError, ParameterError
from linkrisk.protection.drawing.draws import draw_uniforms, make_secret
from linkrisk.protection.drawing.secret import Secret
from linkrisk.protection.method import Method
from linkrisk.protection.parameters import check_number, each_attribute
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.codes import code_notes
from linkrisk.protection.values.columns import NUMERIC, Column, Name
from linkrisk.protection.values.frame import Frame
from linkrisk.protection.values.outcome import shares_changed

_LARGEST_MULTIPLE = 2.0**52
_SMALLEST_BASE = 2.0**-1022


@dataclass(frozen=True)
class RoundedAttribute:
    """An attribute, its base, and how far a value moved at most, in units of the base."""

    attribute: Name
    base: float
    largest_move: float

    def __str__(self) -> str:
        return f"{self.attribute}: multiples of {self.base:g}, moved by at most {self.largest_move:.2f} of it"


def round_values(
    data: Any,
    base: float | Mapping[Any, float],
    *,
    random: bool = False,
    secret_seed: int | None = None,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Round to multiples of a base b: b floor(x / b + 1/2), or up and down at random without bias.

    Rounded at random, x = b (m + r) with m whole and 0 <= r < 1 becomes b (m + 1) with probability r, and b m
    otherwise: its expected value is x.

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, numpy array (columns named 0, 1, ...), or a file read by
        `linkrisk.data.read_file`.
    base
        Above 0: one number for all columns that are not left, or one for each column by name.
    random
        Round up or down at random; then there is a secret.
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
        Protected columns are float64; ``details`` holds a `RoundedAttribute` for each.

    Raises
    ------
    ParameterError
        If a base is not above 0, or so small that its multiples can no longer be told apart; columns are left out
        (they are named); a secret seed is given for rounding that draws nothing.
    ColumnError
        If a column is unknown, not numeric, or has infinite values.

    Notes
    -----
    *Guarantee* (docs/mathematics.md#checked), checked before returning: all values are multiples of the base, and moved
    by at most half a base, or by less than a whole one where rounded at random. Ties (halves) go up. Missing values
    stay missing. Cost: linear.

    References
    ----------
    Hundepool et al. (2012), Statistical disclosure control, Wiley, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> round_values(np.array([[12.0], [15.0], [-15.0], [18.0]]), base=10).data[:, 0].tolist()
    [10.0, 20.0, -10.0, 20.0]
    """
    table = Frame.of(data, schema)
    if secret_seed is not None and not random:
        raise ParameterError("rounding to the nearest multiple draws nothing; leave out the seed, or round at random")
    bases = {name: _check_base(name, value) for name, value in each_attribute(base, table, leave).items()}
    secret = make_secret(secret_seed) if random else None
    columns = table.columns(bases, NUMERIC, "rounding")
    rounded = [_round_column(column, bases[column.name], secret) for column in columns]
    new = [column for column, _ in rounded]
    return Protection(
        data=table.with_columns(new),
        method="rounding",
        title="random rounding" if random else "rounding",
        parameters={"base": bases, "random": random, "leave": tuple(leave)},
        details=tuple(detail for _, detail in rounded),
        n_records=table.n_records,
        secret=secret,
        notes=tuple(code_notes(columns)),
        changed=shares_changed(columns, new),
    )


ROUNDING = Method(
    "rounding",
    round_values,
    "numbers rounded to multiples of base",
    needed=("base",),
    optional=("random",),
    kinds=NUMERIC,
)


def multiples_of(wholes: FloatArray, base: float) -> FloatArray:
    """Return m b, correctly rounded where 1 / b is a whole number (and no overflow): 3 times 0.1 is 0.3.

    >>> multiples_of(np.array([3.0]), 0.1).tolist()
    [0.3]
    """
    parts = round(1 / base) if base > _SMALLEST_BASE else 0
    is_part = base < 1 and abs(parts * base - 1) < 1e-12
    return np.asarray(wholes / parts if is_part else wholes * base)


def _check_base(name: Name, value: Any) -> float:
    what = f"base of column {name!r}"
    base = check_number(value, what, "a finite number above 0")
    if base == 0:
        raise ParameterError(f"{what} must be a finite number above 0")
    return base


def _round_column(column: Column, base: float, secret: Secret | None) -> tuple[Column, RoundedAttribute]:
    with np.errstate(over="ignore"):
        scaled = column.values / base
    if np.nanmax(np.abs(scaled)) >= _LARGEST_MULTIPLE:
        raise ParameterError(f"base of column {column.name!r} is too small for values of its size; choose a larger one")
    if secret is None:
        wholes, most = np.floor(scaled + 0.5), 0.5
    else:
        below = np.floor(scaled)
        draws = draw_uniforms(secret, f"rounding {column.name}", len(scaled))
        wholes, most = below + (draws < scaled - below), 1.0
    moved = float(np.nanmax(np.abs(wholes - scaled)))
    if moved > most:
        raise LinkriskError("rounding went too far; this is a fault in linkrisk, please report it")
    return column.with_values(multiples_of(wholes, base)), RoundedAttribute(column.name, base, moved)

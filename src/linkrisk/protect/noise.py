"""Additive noise, drawn for each attribute on its own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkrisk.compare.scales import careful_moments
from linkrisk.errors import ParameterError
from linkrisk.protect.draws import draw_normals, make_secret
from linkrisk.protect.protection import Protection, Secret
from linkrisk.protect.table import FloatArray, Name, Table, is_list


@dataclass(frozen=True)
class NoisyAttribute:
    """An attribute and the size of its noise, in percent of its standard deviation."""

    attribute: Name
    p: float

    def __str__(self) -> str:
        return f"{self.attribute}: p = {self.p:g} % of the standard deviation"


def add_noise(
    data: Any,
    p: float | Mapping[Name, float],
    *,
    seed: int | None = None,
    leave: Sequence[Name] = (),
) -> Protection:
    """Add independent Gaussian noise: x + N(0, (p / 100 * sd)^2), sd the attribute's own (n - 1).

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, or numpy array (columns named 0, 1, ...).
    p
        Size of the noise in percent of the standard deviation, 0 or more: one number for all columns that are
        not left, or one for each column by name.
    seed
        For tests and repetitions only: **a seed is a secret**, who knows it subtracts the noise. By default
        128 bits from the operating system, found in ``secret`` of the result. Use a seed once: two releases
        of the same records with one seed and different p give the originals away.
    leave
        Columns to release as they are. A column without a p that is not named here is an error.

    Returns
    -------
    Protection
        Protected columns are float64; ``details`` holds a `NoisyAttribute` for each.

    Raises
    ------
    ParameterError
        If a p is negative, NaN or infinite, the seed is not a whole number of 0 or more, columns are left out
        (they are named), or there are fewer than 2 records.
    ColumnError
        If a column is unknown, not numeric, or has missing or infinite values.

    Notes
    -----
    With one seed, the noise of a column depends on its name and on n alone, and is proportional to p. A
    constant column has no deviation and stays as it is. There are no ties to settle. Cost: linear, about 0.3
    seconds for each 10^6 values.

    References
    ----------
    abril2012-weights.txt, section 4.2 (written there as N(0, p sigma); its figures fit p percent).

    Examples
    --------
    >>> import numpy as np
    >>> people = np.array([[20.0, 1.0], [40.0, 2.0], [60.0, 3.0]])
    >>> protection = add_noise(people, p=10, seed=1, leave=[1])
    >>> bool(np.all(np.abs(protection.data[:, 0] - people[:, 0]) < 20))
    True
    >>> protection
    Protection by additive noise of 3 records
      0: p = 10 % of the standard deviation
      left as they are: 1
      seed: kept apart; write it to a side file with .secret.write(path)
    """
    table = Table.of(data)
    sizes = _check_sizes(p, table, leave)
    secret = make_secret(seed)
    names = tuple(sizes)
    numbers = table.numbers(names)
    if table.n_records < 2:
        raise ParameterError("Noise needs at least 2 records, or there is no standard deviation.")
    protected = np.column_stack(
        [_noisy(numbers[:, column], name, sizes[name], secret) for column, name in enumerate(names)]
    )
    return Protection(
        data=table.with_numbers(names, protected),
        method="additive noise",
        parameters={"p": sizes, "leave": tuple(leave)},
        details=tuple(NoisyAttribute(name, size) for name, size in sizes.items()),
        n_records=table.n_records,
        secret=secret,
    )


def _check_sizes(p: Any, table: Table, leave: Sequence[Name]) -> dict[Name, float]:
    """Return a checked p for each column to protect, in the order of the file where one p serves all."""
    if not isinstance(p, Mapping):
        p = {name: p for name in table.names if not is_list(leave) or name not in leave}
    table.check_covered(p, leave)
    if not p:
        raise ParameterError("There is no column to add noise to.")
    return {name: _check_size(name, size) for name, size in p.items()}


def _check_size(name: Name, size: Any) -> float:
    """Return p as a float, or raise ParameterError."""
    if isinstance(size, bool) or not isinstance(size, (int, float, np.integer, np.floating)):
        raise ParameterError(f"p of column {name!r} must be a number.")
    if not (math.isfinite(size) and size >= 0):
        raise ParameterError(f"p of column {name!r} must be a finite number of 0 or more, in percent.")
    return float(size)


def _noisy(values: FloatArray, name: Name, size: float, secret: Secret) -> FloatArray:
    """Add the noise of one column; refuses values so large that the sum is no number."""
    if values.min() == values.max():
        return values
    _, deviation = careful_moments(values)
    protected = values + size / 100 * deviation * draw_normals(secret, f"noise {name}", len(values))
    if not np.isfinite(protected).all():
        raise ParameterError(f"p of column {name!r} is too large: values with noise are beyond float64.")
    return protected

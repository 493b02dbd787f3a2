"""Additive noise, drawn for each attribute on its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkrisk.differences.scales import careful_moments
from linkrisk.errors import ParameterError
from linkrisk.protection.drawing.draws import draw_normals, make_secret
from linkrisk.protection.drawing.secret import Secret
from linkrisk.protection.ladders import noise_percentages
from linkrisk.protection.method import Method, Strength
from linkrisk.protection.parameters import check_percentage, each_attribute
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.codes import check_quantities
from linkrisk.protection.values.columns import QUANTITIES, Column, Name
from linkrisk.protection.values.digits import Resolution
from linkrisk.protection.values.frame import Frame
from linkrisk.protection.values.outcome import shares_changed
from linkrisk.protection.values.restoring import restoring_notes


@dataclass(frozen=True)
class NoisyAttribute:
    """An attribute and the size of its noise, in percent of its standard deviation."""

    attribute: Name
    p: float

    def __str__(self) -> str:
        return f"{self.attribute}: p = {self.p:g} % of the standard deviation"


def add_noise(
    data: Any,
    p: float | Mapping[Any, float],
    *,
    continuous: bool = False,
    secret_seed: int | None = None,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Add independent Gaussian noise: x + N(0, (p / 100 * sd)^2), sd the attribute's own (n - 1).

    The sum keeps the column's own decimals (whole numbers stay whole, dates are whole days) and its range: beyond the
    least or the largest value it is reflected. Its last digits, below 10^-7 to 10^-8 of p / 100 * sd, are rounded away
    in any case: they would tell originals that can have led to it from others that cannot
    (`linkrisk.protection.values.digits`).

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, numpy array (columns named 0, 1, ...), or a file read by
        `linkrisk.data.read_file`.
    p
        Size of the noise in percent of the standard deviation, 0 or more: one number for all columns that are
        not left, or one for each column by name. For dates the standard deviation is one of days.
    continuous
        Release more decimals than the column has, and values beyond its range.
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
        Protected numbers are float64, dates are written as they were; ``details`` holds a `NoisyAttribute` for each.
        ``notes`` name columns whose noise is rounded away easily.

    Raises
    ------
    ParameterError
        If a p is negative, NaN or infinite, ``secret_seed`` is not a whole number of 0 or more, columns are left out
        (they are named), or there are fewer than 2 records.
    ColumnError
        If a column is unknown, not numeric and no date, has infinite values, or looks like codes or an id and is not
        declared numeric (`linkrisk.protection.values.codes`).

    Notes
    -----
    *Why reflected.* With a and b the ends of the range, the chance to get from x to y is then that to get
    from y to x, the sum of the normal density over all mirror images of y: a file whose values fill their range evenly
    stays so. Drawing again what falls outside would push values away from the ends by more (at one deviation from an
    end by 0.29 deviations instead of 0.17), and values cut off at the ends would pile up there. Values near an end move
    inwards on average, by 0.8 deviations at the end itself, so the mean of a column in which many values are at one end
    moves, too; ``continuous`` keeps it. Mirrors stand half a unit outside of the range, so that every value has the
    same room. A value that would be a code for missing is moved one step of its decimals towards the original.

    With one seed, the noise of a column depends on its name and on n alone, and is proportional to p: two releases of
    the same records with one seed and different p give the originals away. Noise on a column and on a copy or a sum of
    it is drawn independently, so whoever knows of that averages some of it out: release one of the two, or add
    correlated noise. A constant column has no deviation and stays as it is. Missing values stay missing and take no
    part. There are no ties to settle. Cost: linear, about 0.3 seconds for each 10^6 values.

    References
    ----------
    abril2012-weights.txt, section 4.2 (written there as N(0, p sigma); its figures fit p percent).

    Examples
    --------
    >>> import numpy as np
    >>> people = np.array([[20.5, 1.0], [40.1, 2.0], [60.7, 3.0]])
    >>> protection = add_noise(people, p=10, secret_seed=1, leave=[1])
    >>> bool(np.all(np.abs(protection.data[:, 0] - people[:, 0]) < 20))
    True
    >>> protection
    Protection by additive noise of 3 records
      0: p = 10 % of the standard deviation
      values changed: 0 100%
      left as they are: 1
      seed: kept apart, as a secret
    """
    table = Frame.of(data, schema)
    sizes = {name: check_percentage(name, size) for name, size in each_attribute(p, table, leave).items()}
    secret = make_secret(secret_seed)
    columns = table.columns(sizes, QUANTITIES, "additive noise")
    check_quantities(columns, "noise", table.source.name)
    if table.n_records < 2:
        raise ParameterError("noise needs at least 2 records, or there is no standard deviation; give a file with more")
    noisy = [_noisy(column, sizes[column.name], secret, continuous=continuous) for column in columns]
    pairs = zip(columns, noisy, strict=True)
    return Protection(
        data=table.with_columns(noisy),
        method="noise",
        title="additive noise",
        parameters={"p": sizes, "continuous": continuous, "leave": tuple(leave)},
        details=tuple(NoisyAttribute(name, size) for name, size in sizes.items()),
        n_records=table.n_records,
        secret=secret,
        notes=tuple(note for column, new in pairs for note in restoring_notes(column, new.values)),
        changed=shares_changed(columns, noisy),
    )


NOISE = Method(
    "noise",
    add_noise,
    "independent noise of p percent of the standard deviation",
    needed=("p",),
    optional=("continuous",),
    shared=("continuous",),
    kinds=QUANTITIES,
    by_default=QUANTITIES,
    strength=Strength("p", noise_percentages),
)


def _noisy(column: Column, size: float, secret: Secret, *, continuous: bool) -> Column:
    """Add the noise of one column; refuse values so large that the sum is no number."""
    values = column.values
    known = values[~column.is_missing]
    if known.min() == known.max() or size == 0:
        return column
    _, spread = careful_moments(values)
    deviation = size / 100 * spread
    if deviation == 0:  # less than float64 can hold
        return column
    with np.errstate(over="ignore"):  # what comes of it is refused
        noisy = values + deviation * draw_normals(secret, f"noise {column.name}", len(values))
    if np.isinf(noisy).any():
        raise ParameterError(f"p of column {column.name!r} is too large: values would not be finite; choose less")
    grid = Resolution.of(column, continuous=continuous).with_noise(deviation)
    return column.with_values(grid.off_codes(grid.folded(noisy), column.codes, values))

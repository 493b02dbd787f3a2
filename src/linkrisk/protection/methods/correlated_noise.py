"""Additive noise with the covariances of the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.scales import careful_moments
from linkrisk.errors import LinkriskError, ParameterError
from linkrisk.protection.drawing.draws import draw_normals, make_secret
from linkrisk.protection.drawing.secret import Secret
from linkrisk.protection.ladders import noise_percentages
from linkrisk.protection.method import Method, Strength
from linkrisk.protection.microaggregation.coordinates import standard_scores
from linkrisk.protection.parameters import check_number, each_attribute
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.codes import check_quantities
from linkrisk.protection.values.columns import QUANTITIES, Column, Name, list_names
from linkrisk.protection.values.digits import Resolution
from linkrisk.protection.values.frame import Frame
from linkrisk.protection.values.outcome import shares_changed
from linkrisk.protection.values.restoring import restoring_notes

_DEPENDENT = 1e-13
"""An attribute depends on those before it if these explain its variance up to this share."""

MOST_DRAWS = 200
"""How often the noise of a record that leaves the range is drawn again before its values are reflected."""

_MANY = 0.05
"""Share of the records drawn again from which on the covariances are told to suffer."""


@dataclass(frozen=True)
class CorrelatedNoise:
    """Attributes that share their noise, its size in percent, and how many of them are linearly independent."""

    attributes: tuple[Name, ...]
    p: float
    rank: int

    def __str__(self) -> str:
        return (
            f"{list_names(self.attributes)}: p = {self.p:g} % of the standard deviations, correlations of the data "
            f"(rank {self.rank})"
        )


def add_correlated_noise(
    data: Any,
    p: float,
    *,
    continuous: bool = False,
    secret_seed: int | None = None,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Add Gaussian noise with p^2 times the covariances of the data: x + N(0, (p / 100)^2 S).

    S has the sample correlations of the records without missing values, and the standard deviations (n - 1) of all
    known values. With ``continuous`` the protected covariances are (1 + (p / 100)^2) S in expectation, so correlations
    stay what they are; independent noise would pull them towards 0. By default columns keep their own decimals and
    their range: values are rounded, and the noise of a record that would leave the range of an attribute is drawn
    again.

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, numpy array (columns named 0, 1, ...), or a file read by
        `linkrisk.data.read_file`.
    p
        Size of the noise in percent of the standard deviations, 0 or more: one number for all columns that are not
        left.
    continuous
        Release more decimals than the columns have, and values beyond their ranges: covariances are then kept best.
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
        Protected numbers are float64, dates are written as they were. ``notes`` name attributes that depend on others,
        columns whose noise is rounded away easily, and how many records were drawn again or reflected.

    Raises
    ------
    ParameterError
        If p is negative, NaN or infinite, ``secret_seed`` is not a whole number of 0 or more, columns are left out
        (they are named), or fewer than 2 records have no missing value.
    ColumnError
        If a column is unknown, not numeric and no date, has infinite values, or looks like codes or an id and is not
        declared numeric.

    Notes
    -----
    Noise is made of independent standard normal draws g as p / 100 D L g, with D the standard deviations and L the
    lower triangle with L L' = R, the correlations. *Guarantee* (docs/mathematics.md#checked), checked before returning:
    L L' = R up to 1e-6. Nothing is added in directions in which the attributes before explain one up to 1e-13 of its
    variance: a sum of attributes gets the sum of their noise and stays their sum, up to the rounding of each to its
    decimals, but for records that are reflected (below) and values moved off a code; a note names it. A constant column
    gets none. Missing values stay missing; the known values of such a record get their part of its noise. A value that
    would be a code for missing is moved one step of its decimals towards the original. There are no ties to settle.

    *Why drawn again, and not reflected.* The noise of a record stays what the covariances make it, so sums stay sums,
    and the intruder's likelihood is the normal density over a constant of the original record. Records far from the
    ends, in deviations of the noise, have exactly the covariances promised; where many values are at an end (zeros,
    say), these move inwards, and covariances with them: ``continuous`` keeps them. After 200 draws the values
    of a record are reflected one by one, which keeps neither sums nor covariances; a note counts such records. Cost:
    linear in the records and in the draws, about 0.3 seconds for each 10^6 values.

    References
    ----------
    Kim (1986), A method for limiting disclosure in microdata based on random noise and transformation, Proc. ASA
    Section on Survey Research Methods.

    Examples
    --------
    The third column is the sum of the first two, and stays so.

    >>> import numpy as np
    >>> people = np.array([[1.0, 5.0, 6.0], [2.0, 1.0, 3.0], [4.0, 2.0, 6.0], [7.0, 9.0, 16.0]])
    >>> protected = add_correlated_noise(people, p=20, continuous=True, secret_seed=1).data
    >>> np.allclose(protected[:, 0] + protected[:, 1], protected[:, 2])
    True
    """
    table = Frame.of(data, schema)
    names = tuple(each_attribute(None, table, leave))
    size = check_number(p, "p", "a finite number of 0 or more, in percent")
    secret = make_secret(secret_seed)
    columns = table.columns(names, QUANTITIES, "correlated noise")
    check_quantities(columns, "correlated noise", table.source.name)
    noise = _Noise.of(columns, size, secret, continuous=continuous)
    protected, n_again, n_reflected = noise.added()
    return Protection(
        data=table.with_columns(protected),
        method="correlated_noise",
        title="correlated noise",
        parameters={"p": size, "continuous": continuous, "leave": tuple(leave)},
        details=(CorrelatedNoise(names, size, int((np.diag(noise.triangle) > 0).sum())),),
        n_records=table.n_records,
        secret=secret,
        notes=(
            *noise.notes(n_again, n_reflected),
            *(
                note
                for column, new in zip(columns, protected, strict=True)
                for note in restoring_notes(column, new.values)
            ),
        ),
        changed=shares_changed(columns, protected),
    )


CORRELATED_NOISE = Method(
    "correlated_noise",
    add_correlated_noise,
    "noise of p percent of the standard deviation that keeps correlations",
    needed=("p",),
    optional=("continuous",),
    shared=("p", "continuous"),
    kinds=QUANTITIES,
    by_default=QUANTITIES,
    strength=Strength("p", noise_percentages),
)


@dataclass(frozen=True)
class _Noise:
    """Noise for some columns: the triangle L of their correlations, deviations of the noise, and where it may lead."""

    columns: Sequence[Column]
    triangle: FloatArray
    deviations: FloatArray
    resolutions: Sequence[Resolution]
    secret: Secret

    @classmethod
    def of(cls, columns: Sequence[Column], size: float, secret: Secret, *, continuous: bool) -> _Noise:
        """Measure correlations on the records without missing values, deviations on all known values."""
        is_complete = ~np.column_stack([column.is_missing for column in columns]).any(axis=1)
        if is_complete.sum() < 2:
            raise ParameterError(
                "correlated noise needs at least 2 records without missing values, or there are no correlations; "
                "protect fewer columns together"
            )
        whole = [column.with_values(column.values[is_complete]) for column in columns]
        scores = np.column_stack([standard_scores(column) for column in whole])
        triangle = _triangle(scores.T @ scores / (is_complete.sum() - 1))
        sizes = [size / 100 * careful_moments(column.values)[1] for column in columns]
        deviations = np.where(triangle.any(axis=1), sizes, 0.0)
        _check_finite(columns, deviations[None, :])
        own = [Resolution.of(column, continuous=continuous) for column in columns]
        grids = [
            grid.with_noise(deviation) if deviation > 0 else grid
            for grid, deviation in zip(own, deviations, strict=True)
        ]
        return cls(columns, triangle, deviations, grids, secret)

    def added(self) -> tuple[list[Column], int, int]:
        """Return the columns with noise, how many records were drawn again, and how many were reflected at last."""
        values = np.column_stack([column.values for column in self.columns])
        with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is refused
            noisy = values + self._draw(len(values), 0)
        _check_finite(self.columns, noisy)
        rows = first = self._outside(noisy, np.arange(len(values)))
        for attempt in range(1, MOST_DRAWS):
            if not rows.size:
                break
            noisy[rows] = values[rows] + self._draw(rows.size, attempt)
            rows = self._outside(noisy, rows)
        new = []
        for place, (column, grid) in enumerate(zip(self.columns, self.resolutions, strict=True)):
            moved = grid.off_codes(grid.folded(noisy[:, place]), column.codes, column.values)
            new.append(column.with_values(moved) if self.deviations[place] > 0 else column)
        return new, int(first.size), int(rows.size)

    def notes(self, n_again: int, n_reflected: int) -> list[str]:
        """Return sentences about attributes without noise of their own, and about records drawn again or reflected."""
        is_constant = np.array([np.nanmin(column.values) == np.nanmax(column.values) for column in self.columns])
        is_dependent = (np.diag(self.triangle) == 0) & ~is_constant & (self.deviations > 0)
        names = list_names(column.name for column, is_so in zip(self.columns, is_dependent, strict=True) if is_so)
        notes = [f"the other attributes explain {names}: no noise of its own, and the relation stays."] if names else []
        n_records = len(self.columns[0].values)
        if n_again > _MANY * n_records:
            notes.append(
                f"the noise of {n_again:,} of {n_records:,} records was drawn again to stay in the columns' ranges, "
                "which changes their means and covariances; continuous (--continuous) keeps these and not the ranges."
            )
        if n_reflected:
            notes.append(
                f"{n_reflected:,} of {n_records:,} records were outside of a range even after {MOST_DRAWS} draws, and "
                "their values were reflected one by one: sums and covariances are not kept in them; choose a smaller p "
                "(--p), or continuous (--continuous)."
            )
        return notes

    def _draw(self, n_records: int, attempt: int) -> FloatArray:
        """Draw noise for some records; each attempt, and each column, has numbers of its own, whatever its name."""
        purpose = f"correlated noise\0{attempt}\0" if attempt else "correlated noise "
        draws = [draw_normals(self.secret, f"{purpose}{column.name}", n_records) for column in self.columns]
        noise = np.zeros((n_records, len(self.columns)))
        for place, row in enumerate(self.triangle):
            for share, draw in zip(row, draws, strict=True):
                noise[:, place] += share * draw
        return np.asarray(noise * self.deviations)

    def _outside(self, noisy: FloatArray, rows: IntArray) -> IntArray:
        """Return those of some records that are outside of a range."""
        within = [
            grid.is_within(noisy[rows, place]) | (self.deviations[place] == 0)
            for place, grid in enumerate(self.resolutions)
        ]
        return np.asarray(rows[~np.all(within, axis=0)])


def _check_finite(columns: Sequence[Column], noisy: FloatArray) -> None:
    """Refuse noise that leads beyond float64."""
    for column, values in zip(columns, noisy.T, strict=True):
        if np.isinf(values).any():
            raise ParameterError(f"p is too large: values of column {column.name!r} would not be finite; choose less")


def _triangle(correlations: FloatArray) -> FloatArray:
    """Return the lower triangle L with L L' = R, also where R is singular: a dependent attribute has no own part."""
    n_attributes = len(correlations)
    triangle = np.zeros((n_attributes, n_attributes))
    for j in range(n_attributes):
        left = float(correlations[j, j] - np.sum(triangle[j, :j] ** 2))
        if left <= _DEPENDENT:
            continue
        triangle[j, j] = math.sqrt(left)
        for i in range(j + 1, n_attributes):
            triangle[i, j] = (correlations[i, j] - np.sum(triangle[i, :j] * triangle[j, :j])) / triangle[j, j]
    if np.abs(triangle @ triangle.T - correlations).max() > 1e-6:
        raise LinkriskError("correlated noise missed its covariances; this is a fault in linkrisk, please report it")
    return triangle

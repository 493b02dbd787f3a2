"""Additive noise with the covariances of the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.scales import careful_moments
from linkrisk.errors import LinkriskError, ParameterError
from linkrisk.protection.columns import NUMERIC, Name, list_names
from linkrisk.protection.coordinates import standard_scores
from linkrisk.protection.digits import drop_digits, restoring_notes
from linkrisk.protection.draws import draw_normals, make_secret
from linkrisk.protection.frame import Frame
from linkrisk.protection.ladders import noise_percentages
from linkrisk.protection.method import Method, Strength
from linkrisk.protection.parameters import check_number, each_attribute
from linkrisk.protection.protection import Protection

_DEPENDENT = 1e-13
"""An attribute depends on those before it if these explain its variance up to this share."""


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
    secret_seed: int | None = None,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Add Gaussian noise with p^2 times the covariances of the data: x + N(0, (p / 100)^2 S).

    S is the sample covariance matrix (n - 1) of the attributes. The protected covariances are (1 + (p / 100)^2) S
    in expectation, so correlations stay what they are; independent noise would pull them towards 0. Sums are rounded as
    those of `add_noise` are.

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, numpy array (columns named 0, 1, ...), or a file read by
        `linkrisk.data.read_file`.
    p
        Size of the noise in percent of the standard deviations, 0 or more: one number for all columns that are not
        left.
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
        Protected columns are float64; ``details`` holds one `CorrelatedNoise`. ``notes`` name columns whose noise is
        rounded away easily.

    Raises
    ------
    ParameterError
        If p is negative, NaN or infinite, ``secret_seed`` is not a whole number of 0 or more, no column is left to
        protect, or there are fewer than 2 records.
    ColumnError
        If a column is not numeric, or has missing or infinite values; covariances have no rule for them.

    Notes
    -----
    Noise is made of independent standard normal draws g as p / 100 D L g, with D the standard deviations and L the
    lower triangle with L L' = R, the correlations. *Guarantee* (docs/mathematics.md#checked), checked before returning:
    L L' = R up to 1e-6. Where S is singular, an attribute that depends on those before it gets the same combination of
    their noise, so that a sum of attributes stays their sum up to rounding; a constant one gets none. There are no
    ties to settle. Cost: linear in the records, about 0.3 seconds for each 10^6 values.

    References
    ----------
    Kim (1986), A method for limiting disclosure in microdata based on random noise and transformation, Proc. ASA
    Section on Survey Research Methods.

    Examples
    --------
    The third column is the sum of the first two, and stays so.

    >>> import numpy as np
    >>> people = np.array([[1.0, 5.0, 6.0], [2.0, 1.0, 3.0], [4.0, 2.0, 6.0], [7.0, 9.0, 16.0]])
    >>> protected = add_correlated_noise(people, p=20, secret_seed=1).data
    >>> np.allclose(protected[:, 0] + protected[:, 1], protected[:, 2])
    True
    """
    table = Frame.of(data, schema)
    names = tuple(each_attribute(None, table, leave))
    size = check_number(p, "p", "a finite number of 0 or more, in percent")
    secret = make_secret(secret_seed)
    columns = table.complete_columns(names, NUMERIC, "correlated noise")
    if table.n_records < 2:
        raise ParameterError("noise needs at least 2 records, or there is no standard deviation; give a file with more")
    scores = np.column_stack([standard_scores(column) for column in columns])
    triangle = _triangle(scores.T @ scores / (table.n_records - 1))
    draws = [draw_normals(secret, f"correlated noise {name}", table.n_records) for name in names]
    protected = []
    for row, column in zip(triangle, columns, strict=True):
        _, spread = careful_moments(column.values)
        deviation = size / 100 * spread * bool(row.any())
        noise = sum((share * draw for share, draw in zip(row, draws, strict=True)), np.zeros(table.n_records))
        with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is refused
            noisy = column.values + deviation * noise
        if not np.isfinite(noisy).all():
            raise ParameterError(f"p is too large: values of column {column.name!r} would not be finite; choose less")
        protected.append(column.with_values(drop_digits(noisy, deviation)))
    return Protection(
        data=table.with_columns(protected),
        method="correlated_noise",
        title="correlated noise",
        parameters={"p": size, "leave": tuple(leave)},
        details=(CorrelatedNoise(names, size, int((np.diag(triangle) > 0).sum())),),
        n_records=table.n_records,
        secret=secret,
        notes=tuple(
            note for column, new in zip(columns, protected, strict=True) for note in restoring_notes(column, new.values)
        ),
    )


CORRELATED_NOISE = Method(
    "correlated_noise",
    add_correlated_noise,
    needed=("p",),
    shared=("p",),
    kinds=NUMERIC,
    strength=Strength("p", noise_percentages),
)


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

"""The post-randomisation method: categories change at random, with known probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.errors import LinkriskError, ParameterError
from linkrisk.protection.drawing.draws import draw_uniforms, make_secret
from linkrisk.protection.drawing.secret import Secret
from linkrisk.protection.ladders import keep_probabilities
from linkrisk.protection.method import Method, Strength
from linkrisk.protection.parameters import check_number, each_attribute
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.columns import CATEGORICAL, Column, Name, list_names
from linkrisk.protection.values.frame import Frame, is_list
from linkrisk.protection.values.outcome import shares_changed

Matrix = Mapping[str, Mapping[str, float]]
_SLACK = 1e-9


@dataclass(frozen=True)
class RandomisedAttribute:
    """An attribute, its categories, the share of values expected to change, and whether frequencies are kept."""

    attribute: Name
    n_categories: int
    expected_changes: float
    is_invariant: bool

    def __str__(self) -> str:
        kept = "kept" if self.is_invariant else "not kept"
        return (
            f"{self.attribute}: {self.n_categories} categories, {self.expected_changes:.1%} of the values expected to "
            f"change, expected frequencies {kept}"
        )


def pram(
    data: Any,
    keep: float | Mapping[Any, float] | None = None,
    *,
    matrices: Mapping[Any, Matrix] | None = None,
    secret_seed: int | None = None,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Replace categories at random: P(c -> d) = keep [c = d] + (1 - keep) f(d), or as a matrix says.

    With probability ``keep`` a value is left alone; otherwise a new one is drawn from the frequencies f of the file,
    which may be the same again. So a value c is the same afterwards with probability keep + (1 - keep) f(c), which is
    more than ``keep``: with keep = 0.8 and half of the people female, 90 % of the women stay women. This P keeps the
    frequencies, f P = f: those expected in the protected file are those of the original.

    Parameters
    ----------
    data
        pandas or polars data frame, pyarrow table, numpy array (columns named 0, 1, ...), or a file read by
        `linkrisk.data.read_file`.
    keep
        Probability from 0 to 1 that a value is not drawn anew: one for all columns that are neither left nor
        confidential (``role`` in the schema), or one for each column by name. Confidential columns are changed only by
        name.
    matrices
        For some columns a transition matrix instead: ``{"sex": {"f": {"f": 0.9, "m": 0.1}, "m": {"m": 1}}}``, one row
        for each category in the file; targets that are not named have probability 0.
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
        ``details`` holds a `RandomisedAttribute` for each column. Columns keep their type.

    Raises
    ------
    ParameterError
        If a probability is out of range, a matrix lacks a row, names a category that is not in the file, or has a row
        that does not add up to 1, or columns are left out (they are named).
    ColumnError
        If a column is unknown or numeric; declare it nominal in the schema if its numbers are codes.

    Notes
    -----
    *Guarantee* (docs/mathematics.md#checked), checked before returning: without a matrix, f P = f up to 1e-9. Missing
    values stay missing and take no part. There are no ties to settle. Each attribute is drawn on its own, so relations
    between attributes weaken. Cost: linear.

    References
    ----------
    Gouweleeuw, Kooiman, Willenborg, de Wolf (1998), Post randomisation for statistical disclosure control: theory and
    implementation, Journal of Official Statistics 14(4).

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"sex": ["f", "m", "f", "m", "f"]})
    >>> pram(people, keep=1, secret_seed=1).data["sex"].tolist()
    ['f', 'm', 'f', 'm', 'f']
    >>> pram(people, matrices={"sex": {"f": {"m": 1}, "m": {"f": 1}}}, secret_seed=1).data["sex"].tolist()
    ['m', 'f', 'm', 'f', 'm']
    """
    table = Frame.of(data, schema)
    given = dict(matrices or {})
    shares = _check_shares(keep, given, table, leave)
    secret = make_secret(secret_seed)
    columns = table.columns([*shares, *given], CATEGORICAL, "PRAM")
    done = [_randomise(column, shares.get(column.name), given.get(column.name), secret) for column in columns]
    new = [column for column, _ in done]
    return Protection(
        data=table.with_columns(new),
        method="pram",
        title="PRAM",
        parameters={"keep": shares, "matrices": given, "leave": tuple(leave)},
        details=tuple(detail for _, detail in done),
        n_records=table.n_records,
        secret=secret,
        changed=shares_changed(columns, new),
    )


PRAM = Method(
    "pram",
    pram,
    "categories that stay with probability keep and are otherwise drawn anew",
    optional=("keep", "matrices"),
    kinds=CATEGORICAL,
    by_default=CATEGORICAL,
    strength=Strength("keep", keep_probabilities),
)


def _check_shares(keep: Any, given: Mapping[Name, Any], table: Frame, leave: Sequence[Name]) -> dict[Name, float]:
    """Return a checked keep for each column without a matrix."""
    if keep is None and not given:
        raise ParameterError(
            "PRAM lacks its probabilities; give keep (--keep), how likely a value is not drawn anew, or matrices"
        )
    if keep is None:
        keep = {}
    if not isinstance(keep, Mapping):
        left = {*given, *(leave if is_list(leave) else ())}
        keep = {name: keep for name in table.names if name not in left and not table.is_confidential(name)}
    both = [name for name in keep if name in given]
    if both:
        raise ParameterError(f"keep and matrices both name {list_names(both)}; keep one")
    each_attribute({**keep, **given}, table, leave)
    return {
        name: check_number(share, f"keep of column {name!r}", "a probability from 0 to 1", most=1)
        for name, share in keep.items()
    }


def _randomise(column: Column, keep: float | None, matrix: Any, secret: Secret) -> tuple[Column, RandomisedAttribute]:
    known = np.flatnonzero(~column.is_missing)
    places = column.values[known].astype(np.int64)
    frequencies = np.bincount(places, minlength=len(column.categories)) / known.size
    draws = draw_uniforms(secret, f"pram {column.name}", 2 * known.size).reshape(2, -1)
    if keep is not None:
        drawn = np.where(draws[0] < keep, places, _invert(frequencies, draws[1]))
        stay, gap = keep + (1 - keep) * frequencies, _gap_of_keep(keep, frequencies)
    else:
        transitions = _check_matrix(column, matrix, frequencies)
        drawn = np.empty_like(places)
        for place in np.unique(places):
            own = places == place
            drawn[own] = _invert(transitions[place], draws[0, own])
        stay, gap = np.diag(transitions), float(np.abs(frequencies @ transitions - frequencies).max())
    values = column.values.copy()
    values[known] = drawn
    n_categories = int((frequencies > 0).sum())
    detail = RandomisedAttribute(column.name, n_categories, 1 - float(frequencies @ stay), gap <= _SLACK)
    return column.with_values(values), detail


def _gap_of_keep(keep: float, frequencies: FloatArray) -> float:
    """Return how far f P is from f, and raise if it is more than rounding."""
    gap = float(np.abs(keep * frequencies + (1 - keep) * frequencies.sum() * frequencies - frequencies).max())
    if gap > _SLACK:
        raise LinkriskError("PRAM did not keep the frequencies; this is a fault in linkrisk, please report it")
    return gap


def _invert(probabilities: FloatArray, uniforms: FloatArray) -> IntArray:
    """Return the category whose share of the line from 0 to 1 each number falls into."""
    ends = np.cumsum(probabilities)
    last = int(np.flatnonzero(probabilities)[-1])  # rounding may leave a small rest at the end
    return np.minimum(np.searchsorted(ends, uniforms, side="right"), last)


def _check_matrix(column: Column, matrix: Any, frequencies: FloatArray) -> FloatArray:
    """Return the matrix as numbers, identity for categories that no record holds."""
    places = {label: place for place, label in enumerate(column.categories)}
    present = {label for label, place in places.items() if frequencies[place] > 0}
    what = f"the matrix of column {column.name!r}"
    if not isinstance(matrix, Mapping) or not all(isinstance(row, Mapping) for row in matrix.values()):
        raise ParameterError(f"{what} must be a mapping of categories to mappings of categories to probabilities")
    named = {str(label) for row in matrix.values() for label in row} | {str(label) for label in matrix}
    if not named <= present:
        raise ParameterError(f"{what} names a category that is not in the file; check its spelling")
    if len(matrix) < len(present):
        raise ParameterError(f"{what} has no row for some category of the file; give one for each")
    transitions = np.eye(len(column.categories))
    for label, row in matrix.items():
        numbers = np.zeros(len(column.categories))
        for target, probability in row.items():
            numbers[places[str(target)]] = check_number(probability, what, "made of probabilities", most=1)
        if abs(numbers.sum() - 1) > _SLACK:
            raise ParameterError(f"{what} has a row that does not add up to 1; correct its probabilities")
        transitions[places[str(label)]] = numbers / numbers.sum()
    return transitions

"""Measure what a protected file is worth less than the original, by every measure at once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.schema import Schema
from linkrisk.differences.comparison import VECTOR_KINDS
from linkrisk.losses.categories import categorical_loss
from linkrisk.losses.il1s import il1s
from linkrisk.losses.microaggregation import sse_over_sst
from linkrisk.losses.missing import is_missing, missing_shares
from linkrisk.losses.moments import moment_differences
from linkrisk.losses.pil import probabilistic_loss
from linkrisk.losses.propensity import propensity_loss
from linkrisk.losses.regression import regression_loss
from linkrisk.losses.result import Loss
from linkrisk.version import __version__


def measure(
    original: Any,
    protected: Any,
    *,
    attributes: Sequence[str] | None = None,
    schema: Schema | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    id: str | None = None,  # noqa: A002  (the word of the command line)
    pairs: Any = None,
    match: Mapping[str, str] | None = None,
    missing: Sequence[str | float] | None = None,
    delimiter: str | None = None,
    target: str | None = None,
    interactions: bool = True,
) -> Loss:
    """Tell what a protected file is worth less than the original.

    Parameters
    ----------
    original, protected
        Files (CSV, Parquet, SPSS, Stata, SAS, R), frames (pandas, polars, pyarrow, ...) or numpy arrays.
    attributes
        What to measure, by names in the original; by default all common columns that the schema does not call
        identifiers or ignored, confidential attributes among them.
    schema, id, pairs, match, missing, delimiter
        What the columns mean and who is who; see `linkrisk.data.pair_files`.
    target
        The attribute to be explained in regressions; by default each numeric one in turn.
    interactions
        Whether the propensity score uses squares and products of numbers.

    Returns
    -------
    Loss
        Every measure; see the function of each for its formula.

    Notes
    -----
    Statistics of a file (PIL, moments, regression, pMSE, tables, missing values) use each file whole; what compares
    records (IL1s, SSE/SST, entropy) uses those that have a counterpart. Dates count as numbers (days), text as
    unordered categories. Missing values: see each measure. Cost: some seconds for 10^5 x 13, most of them for the
    propensity score.

    Examples
    --------
    Three records; one value moves.

    >>> import numpy as np
    >>> loss = measure(np.array([[1.0], [2.0], [3.0]]), np.array([[1.0], [2.0], [6.0]]))
    >>> round(loss.pil, 2), round(loss.il1s, 4), loss.variation.share
    (78.37, 0.7071, 4.5)
    """
    files = pair_files(
        original,
        protected,
        attributes=attributes,
        schema=schema,
        id=id,
        pairs=pairs,
        match=match,
        missing=missing,
        delimiter=delimiter,
    )
    return measure_pair(files, confidential=attributes is None, target=target, interactions=interactions)


def measure_pair(
    files: FilePair, *, confidential: bool = True, target: str | None = None, interactions: bool = True
) -> Loss:
    """Measure the loss of two files that are paired already; see `measure`.

    ``confidential``: whether confidential attributes that both files hold are measured with the quasi-identifiers.

    Examples
    --------
    Three records that did not change lose nothing.

    >>> import numpy as np
    >>> from linkrisk.data import pair_files
    >>> people = np.array([[1.0, 5.0], [2.0, 7.0], [3.0, 6.0]])
    >>> measure_pair(pair_files(people, people)).pil
    0.0
    """
    if confidential:
        files = replace(files, columns=(*files.columns, *_held_by_original(files.confidential)), confidential=())
    numeric = tuple(a.name for a in files.attributes if a.kind in VECTOR_KINDS)
    categorical = tuple(a.name for a in files.attributes if a.kind not in VECTOR_KINDS)
    parts: dict[str, Any] = {"propensity": propensity_loss(files, interactions=interactions)}
    if numeric or target is not None:
        parts["regression"] = regression_loss(files, target)
    if numeric:
        parts["probabilistic"] = probabilistic_loss(files)
        parts["value_changes"] = il1s(files)
        parts["variation"] = sse_over_sst(files)
        parts["moments"] = moment_differences(files)
    if categorical:
        parts["categories"] = categorical_loss(files)
    return Loss(
        version=__version__,
        original_name=files.original_name,
        protected_name=files.protected_name,
        n_original=files.n_original,
        n_protected=files.n_protected,
        n_pairs=files.n_pairs,
        paired_by=files.paired_by,
        numeric=numeric,
        categorical=categorical,
        missing=missing_shares(files),
        notes=(*files.notes, *(note for part in parts.values() for note in part.notes)),
        frame_kind=files.frame_kind,
        **parts,
    )


def _held_by_original(columns: Sequence[ColumnPair]) -> tuple[ColumnPair, ...]:
    """Keep the columns of which the original has values."""
    return tuple(column for column in columns if not is_missing(column.original).all())

"""Information loss of a protected file, by every figure at once: the verb ``loss``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.reading import Reading
from linkrisk.data.same_values import is_missing
from linkrisk.differences.comparison import VECTOR_KINDS
from linkrisk.losses.categories import categorical_loss
from linkrisk.losses.microaggregation import sse_over_sst
from linkrisk.losses.missing import missing_shares
from linkrisk.losses.moments import moment_differences
from linkrisk.losses.options import LossKeywords, LossOptions
from linkrisk.losses.pil import probabilistic_loss
from linkrisk.losses.propensity import propensity_loss
from linkrisk.losses.regression import regression_loss
from linkrisk.losses.result import Loss
from linkrisk.losses.value_changes import il1s
from linkrisk.options import takes


@takes(LossOptions)
def loss(original: Any, protected: Any, **options: Unpack[LossKeywords]) -> Loss:
    """Tell how much information a protected file has lost, compared with the original.

    Parameters
    ----------
    original, protected
        Files (CSV, Parquet, SPSS, Stata, SAS, R), frames (pandas, polars, pyarrow, ...) or numpy arrays.
    @options

    Returns
    -------
    Loss
        Every figure; for the formula of each see its function in `linkrisk.losses`.

    Notes
    -----
    Figures about a whole file (PIL, moments, regression, pMSE, tables, missing values) use all its records. Figures
    that compare records (IL1s, SSE/SST, entropy) use the records that have a counterpart. Dates count as numbers
    (days), text as unordered categories. Missing values: see the function of each figure. Cost: a few seconds for 10^5
    records of 13 attributes, most of it for the propensity score.

    Examples
    --------
    Three records, of which one value changes.

    >>> import numpy as np
    >>> import linkrisk
    >>> found = linkrisk.loss(np.array([[1.0], [2.0], [3.0]]), np.array([[1.0], [2.0], [6.0]]))
    >>> round(found.pil, 2), round(found.il1s, 4), found.variation.share
    (78.37, 0.7071, 4.5)
    """
    asked = LossOptions.of(options)
    files = pair_files(original, protected, reading=asked.part(Reading))
    is_whole = asked.attributes is None
    return loss_of_pair(files, confidential=is_whole, target=asked.target, interactions=asked.interactions)


def loss_of_pair(
    files: FilePair, *, confidential: bool = True, target: str | None = None, interactions: bool = True
) -> Loss:
    """Tell how much information is lost between two files that are paired already; see `linkrisk.loss`.

    ``confidential``: whether confidential attributes that both files have are compared too, besides the
    quasi-identifiers.

    Examples
    --------
    Three records that did not change lose nothing.

    >>> import numpy as np
    >>> from linkrisk.data import pair_files
    >>> people = np.array([[1.0, 5.0], [2.0, 7.0], [3.0, 6.0]])
    >>> loss_of_pair(pair_files(people, people)).pil
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
    """Keep the columns in which the original has at least one value."""
    return tuple(column for column in columns if not is_missing(column.original).all())

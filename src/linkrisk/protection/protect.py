"""Protect a file by one method: the verb of Python and of the command line."""

from __future__ import annotations

import os
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from linkrisk.engine.progress import Progress, no_progress
from linkrisk.errors import ParameterError
from linkrisk.options import option_of, takes
from linkrisk.protection.frame import Frame
from linkrisk.protection.options import EachAttribute, ProtectKeywords, ProtectOptions
from linkrisk.protection.outcome import is_unchanged
from linkrisk.protection.protection import Protection
from linkrisk.protection.registry import find_method
from linkrisk.protection.selection import ColumnChoice, Request

STRENGTHS = tuple(field.name for field in fields(ProtectOptions) if isinstance(option_of(field).kind, EachAttribute))
"""The parameters that methods take for all attributes at once, or for each."""


@takes(ProtectOptions)
def protect(
    original: Any, method: str, *, progress: Progress = no_progress, **options: Unpack[ProtectKeywords]
) -> Protection:
    """Protect a file by one method, as ``linkrisk protect`` does: same words, same defaults, same checks.

    What the command line takes as text may be given as text or as a value: ``p="AGI:1,FEDTAX:2"`` and ``p={"AGI": 1,
    "FEDTAX": 2}`` are the same, and so are ``leave="sex,age"`` and ``leave=["sex", "age"]``. What a method does is
    described at its function in `linkrisk.protection`.

    Parameters
    ----------
    original
        A path (CSV, Parquet, SPSS, Stata, SAS, R), a pandas, polars or pyarrow frame, a numpy array (its columns are
        called V1, V2, ... or 0, 1, ...), or a `linkrisk.data.RawFile`.
    method
        ``mdav``, ``individual_ranking``, ``z_scores``, ``principal_components``, ``rank_swap``, ``noise``,
        ``correlated_noise``, ``pram``, ``rounding``, ``coding`` or ``generalise``.
    @options
    progress
        Told how far the clustering of mdav is.

    Returns
    -------
    Protection
        The protected data, what was done, the secret, and notes; `Protection.write` writes the files of a release.

    Raises
    ------
    InputError
        If a parameter is unknown, lacking or out of range, a column cannot be used or is passed over, or no value would
        change: what is called protected is never the original.

    Examples
    --------
    >>> import linkrisk
    >>> original = linkrisk.datasets.census_like(100, seed=1)[["AGI", "FEDTAX", "PTOTVAL"]]
    >>> print(linkrisk.protect(original, "mdav", groups="AGI,FEDTAX:5", leave="PTOTVAL"))
    Protection by MDAV microaggregation of 100 records
      AGI, FEDTAX: k = 5, 20 clusters of 5 to 5 records, SSE/SST 0.0222
      values changed: AGI 100%, FEDTAX 100%
      left as they are: PTOTVAL
    """
    from linkrisk.data.schema import make_schema  # noqa: PLC0415  (imports pydantic)

    asked = ProtectOptions.of(options)
    chosen = find_method(method)
    data = open_data(original, delimiter=asked.delimiter)
    table = Frame.of(data, make_schema(asked.schema, missing=asked.missing or ()))
    choice = ColumnChoice.of(table, chosen, asked.leave)
    strengths = {name: getattr(asked, name) for name in STRENGTHS}
    request = Request.of(choice, strengths, asked.groups, asked.attributes)
    unasked = choice.unasked({*request.protected, *choice.by_default})
    choice.check_kinds(request.protected)
    protection = chosen.apply(
        data,
        **request.parameters,
        raw=asked.raw or None,
        continuous=asked.continuous or None,
        variant=asked.variant,
        random=asked.random or None,
        leave=[*choice.leave, *unasked],
        schema=table.schema,
        secret_seed=asked.secret_seed,
        progress=progress if "progress" in chosen.parameters else None,
    )
    same = _check_changed(table, protection)
    traces = choice.trace_notes([name for name in table.names if name not in protection.left])
    notes = (*table.source.notes, *choice.notes(unasked), *same, *protection.notes, *traces)
    return replace(protection, notes=notes, source=path_of(original))


def open_data(original: Any, *, delimiter: str | None = None) -> Any:
    """Return what is protected: a file as it was read, a frame or an array as it is.

    An array with named fields is taken for a file: it has no second dimension to put columns into.
    """
    from linkrisk.data.read import open_file  # noqa: PLC0415  (not needed for the methods themselves)

    is_named = isinstance(original, np.ndarray) and original.dtype.names is not None
    if isinstance(original, str | os.PathLike) or is_named:
        return open_file(original, "original", delimiter=delimiter)
    return original


def path_of(original: Any) -> Path | None:
    """Return the path of a file, None for what is no path."""
    return Path(original) if isinstance(original, str | os.PathLike) else None


def _check_changed(table: Frame, protection: Protection) -> list[str]:
    """Refuse a protected file that is the original; return a sentence about each column that is."""
    protected = Frame.of(protection.data)
    names = [name for name in table.names if name not in protection.left]
    same = [name for name in names if is_unchanged(table.raw(name), protected.raw(name))]
    if same == names:
        raise ParameterError(
            f"{table.source.name}: no value would change, and the original would be released; choose stronger "
            "parameters"
        )
    return [f"no value of {name} changed; it is released as it is." for name in same]

"""Protect a file by one method: the verb of Python and of the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkrisk.engine.progress import Progress, no_progress
from linkrisk.errors import ParameterError
from linkrisk.protection.columns import Name
from linkrisk.protection.frame import Frame
from linkrisk.protection.outcome import is_unchanged
from linkrisk.protection.protection import Protection
from linkrisk.protection.registry import find_method
from linkrisk.protection.selection import ColumnChoice, Request
from linkrisk.protection.specification import Groups, read_names

if TYPE_CHECKING:
    from linkrisk.data.schema import Schema


def protect(
    original: Any,
    method: str,
    *,
    groups: str | Groups | Sequence[Sequence[Name]] | None = None,
    k: str | int | Sequence[int] | Mapping[Any, int] | None = None,
    p: str | float | Mapping[Any, float] | None = None,
    raw: bool = False,
    variant: str | None = None,
    centroid: str | Mapping[Any, str] | None = None,
    keep: str | float | Mapping[Any, float] | None = None,
    base: str | float | Mapping[Any, float] | None = None,
    random: bool = False,
    top: str | float | Mapping[Any, float | str] | None = None,
    bottom: str | float | Mapping[Any, float | str] | None = None,
    top_percent: str | float | Mapping[Any, float] | None = None,
    bottom_percent: str | float | Mapping[Any, float] | None = None,
    into: str | float | Mapping[Any, Any] | None = None,
    attributes: str | Sequence[Name] | None = None,
    leave: str | Sequence[Name] = (),
    schema: Schema | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    missing: str | Sequence[str | float] | None = None,
    delimiter: str | None = None,
    secret_seed: int | None = None,
    progress: Progress = no_progress,
) -> Protection:
    """Protect a file by one method, as ``linkrisk protect`` does: same words, same defaults, same checks.

    What the command line takes as text may be given as text or as a value: ``p="AGI:1,FEDTAX:2"`` and
    ``p={"AGI": 1, "FEDTAX": 2}`` are the same, and so are ``leave="sex,age"`` and ``leave=["sex", "age"]``. What each
    method does is told by its function in `linkrisk.protection`.

    Parameters
    ----------
    original
        A path (CSV, Parquet, SPSS, Stata, SAS, R), a pandas, polars or pyarrow frame, a numpy array (its columns are
        called V1, V2, ... or 0, 1, ...), or a `linkrisk.data.RawFile`.
    method
        ``mdav``, ``individual_ranking``, ``z_scores``, ``principal_components``, ``rank_swap``, ``noise``,
        ``correlated_noise``, ``pram``, ``rounding``, ``coding`` or ``generalise``.
    groups
        mdav, z_scores, principal_components: attributes that are protected together, and the k of each group,
        ``A,B:3;C,D:8``; or the name of a file of the papers, ``M4-28``. By default all are one group.
    k
        Records in a cluster at least: one number, or for individual_ranking one for each attribute.
    p
        rank_swap: percent of the ranks; noise, correlated_noise: percent of the standard deviation.
    raw, variant
        mdav: cluster raw values instead of standardised ones; ``classic``, or ``fast`` for a million records.
    centroid
        mean, median or mode, for all attributes or by name; by default that of the attribute's kind.
    keep
        pram: probability to keep a category.
    base, random
        rounding: the base, and whether to round up or down at random.
    top, bottom, top_percent, bottom_percent
        coding: largest and smallest value released, or the percent of the values to cut at each end.
    into
        generalise: width of intervals, or number of categories in a run.
    attributes
        The columns to protect. By default those of the kinds the method is for: numeric ones, or nominal and ordinal
        ones for pram.
    leave
        Columns to release as they are. Quantities (`linkrisk.protection.quantities`) and identifiers must be protected
        or named here; words and categories that are neither are left, with a note.
    schema, missing, delimiter
        As in `linkrisk.assess`.
    secret_seed
        For tests and repetitions only: **it is a secret**, who knows it can undo the protection. By default 128 bits
        from the operating system, found in ``secret`` of the result. Never use one seed for two releases.
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
      left as they are: PTOTVAL
    """
    from linkrisk.data.schema import make_schema  # noqa: PLC0415  (imports pydantic)

    chosen = find_method(method)
    data = open_data(original, delimiter=delimiter)
    table = Frame.of(data, make_schema(schema, missing=read_names(missing, "missing")))
    choice = ColumnChoice.of(table, chosen, read_names(leave, "leave") or ())
    options = {
        "k": k, "p": p, "keep": keep, "base": base, "top": top, "bottom": bottom, "top_percent": top_percent,
        "bottom_percent": bottom_percent, "into": into, "centroid": centroid,
    }  # fmt: skip
    request = Request.of(choice, options, groups, read_names(attributes, "attributes"))
    unasked = choice.unasked({*request.protected, *choice.by_default})
    choice.check_kinds(request.protected)
    protection = chosen.apply(
        data,
        **request.parameters,
        raw=raw or None,
        variant=variant,
        random=random or None,
        leave=[*choice.leave, *unasked],
        schema=table.schema,
        secret_seed=secret_seed,
        progress=progress if "progress" in chosen.parameters else None,
    )
    same = _check_changed(table, protection)
    notes = (*table.source.notes, *choice.notes(unasked), *same)
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

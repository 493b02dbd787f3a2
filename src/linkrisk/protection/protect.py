"""Protect a file by one method or by a plan: the verb of Python and of the command line."""

from __future__ import annotations

import os
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from linkrisk.engine.progress import Progress, no_progress
from linkrisk.errors import ParameterError
from linkrisk.options import option_of, takes
from linkrisk.protection.method import Method
from linkrisk.protection.options import EachAttribute, ProtectKeywords, ProtectOptions
from linkrisk.protection.planning.plan import Plan
from linkrisk.protection.planning.selection import ColumnChoice, Request
from linkrisk.protection.planning.tasks import (
    Tasks,
    carry_out,
    check_alone,
    check_settled,
    settle_method,
    settle_plan,
    told,
)
from linkrisk.protection.protection import Protection
from linkrisk.protection.registry import find_method
from linkrisk.protection.values.frame import Frame

STRENGTHS = tuple(field.name for field in fields(ProtectOptions) if isinstance(option_of(field).kind, EachAttribute))
"""The parameters that methods take for all attributes at once, or for each."""

OTHERS = ("raw", "continuous", "variant", "random")
"""The parameters that have one value, whatever the attributes."""

SAID_IN_STEPS = ("groups", "attributes", "leave", "drop", *STRENGTHS, *OTHERS)
"""The options for which the steps of a plan have a place."""


@takes(ProtectOptions)
def protect(
    original: Any, method: str | None = None, *, progress: Progress = no_progress, **options: Unpack[ProtectKeywords]
) -> Protection:
    """Protect a file by one method or by a plan, as ``linkrisk protect`` does: same words, defaults and checks.

    What the command line takes as text may be given as text or as a value: ``p="AGI:1,FEDTAX:2"`` and ``p={"AGI": 1,
    "FEDTAX": 2}`` are the same, and so are ``leave="sex,age"`` and ``leave=["sex", "age"]``. What a method does is
    described at its function in `linkrisk.protection`, how a plan is written at `linkrisk.protection.read_plan`: it
    gives each column its method, drops it or leaves it, and every column must be in it.

    Parameters
    ----------
    original
        A path (CSV, Parquet, SPSS, Stata, SAS, R), a pandas, polars or pyarrow frame, a numpy array (its columns are
        called V1, V2, ..., or 0, 1, ...), a `linkrisk.data.RawFile`, or a `Protection` to be protected once more.
    method
        A name in `linkrisk.protection.METHODS`, such as ``mdav``, ``noise`` or ``pram``; the ``summary`` of each says
        what it does. None where there is a plan.
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
    >>> plan = "AGI,FEDTAX: mdav 5; PTOTVAL: rounding 1000"
    >>> print(linkrisk.protect(original, plan=plan))
    Protection by a plan of 2 steps of 100 records
      AGI, FEDTAX: k = 5, 20 clusters of 5 to 5 records, SSE/SST 0.0222
      PTOTVAL: multiples of 1000, moved by at most 0.50 of it
    <BLANKLINE>
    column   what was done       values changed
    AGI      mdav k=5                      100%
    FEDTAX   mdav k=5                      100%
    PTOTVAL  rounding base=1000           98.0%
    """
    asked = ProtectOptions.of(options)
    data = open_data(original, delimiter=asked.delimiter)
    table = Frame.of(data, asked.full_schema())
    if is_planned(method, asked.plan):
        check_alone(asked, SAID_IN_STEPS)
        tasks = settle_plan(table, asked.plan)
        check_settled(tasks)
    else:
        tasks = _settle_method(table, find_method(str(method)), asked)
    protection = carry_out(tasks, data, secret_seed=asked.secret_seed, progress=progress)
    return replace(told(tasks, protection), source=path_of(original))


def is_planned(method: str | None, plan: Plan | None) -> bool:
    """Whether a plan is given instead of a method.

    Raises
    ------
    ParameterError
        If both are given, or neither.
    """
    if method is None and plan is None:
        raise ParameterError("nothing says how to protect the file; give method (--method) or plan (--plan)")
    if method is not None and plan is not None:
        raise ParameterError("both method (--method) and plan (--plan) are given; keep one")
    return plan is not None


def _settle_method(table: Frame, chosen: Method, asked: ProtectOptions) -> Tasks:
    """Settle one method for a file: it protects the columns that its parameters name, and those it does by default."""
    dropped = tuple(dict.fromkeys(table.own_names(asked.drop)))
    choice = ColumnChoice.of(table, chosen, asked.leave, dropped)
    strengths = {name: getattr(asked, name) for name in STRENGTHS}
    request = Request.of(choice, strengths, asked.groups, asked.attributes)
    others = {name: getattr(asked, name) or None for name in OTHERS}
    protected = [name for name in choice.kinds if name in {*request.protected, *choice.by_default}]
    return settle_method(choice, protected, {**request.parameters, **others}, dropped)


def open_data(original: Any, *, delimiter: str | None = None) -> Any:
    """Return what is protected: a file as it was read, a frame or an array as it is, the data of a `Protection`.

    An array with named fields is taken for a file: it has no second dimension to put columns into.
    """
    from linkrisk.data.read import open_file  # noqa: PLC0415  (not needed for the methods themselves)

    if isinstance(original, Protection):
        return original.data
    is_named = isinstance(original, np.ndarray) and original.dtype.names is not None
    if isinstance(original, str | os.PathLike) or is_named:
        return open_file(original, "original", delimiter=delimiter)
    return original


def path_of(original: Any) -> Path | None:
    """Return the path of a file, None for what is no path."""
    return Path(original) if isinstance(original, str | os.PathLike) else None

"""Parameters of protection methods: one for all attributes or one for each, checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkrisk.errors import ParameterError
from linkrisk.protection.values.columns import Name, list_names
from linkrisk.protection.values.frame import Frame, is_list


def each_attribute(value: Any, table: Frame, leave: Sequence[Name]) -> dict[Name, Any]:
    """Return a parameter for each column to protect, in the order of the file where one serves all.

    Raises
    ------
    ColumnError
        If ``leave`` names an unknown column.
    ParameterError
        If columns are left out that are not named in ``leave``, or none is left to protect.
    """
    if not isinstance(value, Mapping):
        value = {name: value for name in table.names if not is_list(leave) or name not in leave}
    table.check_covered(value, leave)
    table.check_any(value)
    return dict(value)


def check_number(value: Any, what: str, range_: str, *, least: float = 0.0, most: float = math.inf) -> float:
    """Return a finite number from ``least`` to ``most`` as a float, or raise ParameterError: "WHAT must be RANGE"."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise ParameterError(f"{what} must be a number")
    if not (math.isfinite(value) and least <= value <= most):
        raise ParameterError(f"{what} must be {range_}")
    return float(value)


def check_percentage(name: Name, value: Any) -> float:
    """Return a p of one column, a finite number of 0 or more."""
    return check_number(value, f"p of column {name!r}", "a finite number of 0 or more, in percent")


def check_variant(method: str, variant: Any, variants: Sequence[str]) -> str:
    """Return a variant of a method, or raise ParameterError naming those it has, the default first.

    >>> check_variant("mdav", "pairs", ("classic", "fast"))
    Traceback (most recent call last):
    linkrisk.errors.ParameterError: variant (--variant) of mdav must be classic (the default) or fast
    """
    if variant not in list(variants):
        words = " or ".join([f"{variants[0]} (the default)", *variants[1:]])
        raise ParameterError(f"variant (--variant) of {method} must be {words}")
    return str(variant)


def check_groups(groups: Any) -> tuple[tuple[Name, ...], ...]:
    """Return the groups as tuples, or raise ParameterError if they are no lists, empty or overlapping."""
    if not is_list(groups) or not all(is_list(group) for group in groups):
        raise ParameterError("groups must be a list of lists of column names")
    checked: tuple[tuple[Name, ...], ...] = tuple(tuple(group) for group in groups)
    if not checked or not all(checked):
        raise ParameterError("groups must hold at least one group, and each group at least one column")
    used = [name for group in checked for name in group]
    repeated = sorted({str(name) for name in used if used.count(name) > 1})
    if repeated:
        raise ParameterError(
            f"columns are named in more than one group, or twice: {list_names(repeated)}; name each once"
        )
    return checked


def check_cluster_size(k: Any, n_records: int) -> int:
    """Return k as an int, or raise ParameterError if it is not a whole number from 2 to n / 2."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)):
        raise ParameterError("k must be a whole number")
    if k < 2 or 2 * k > n_records:
        raise ParameterError(
            f"k = {k} is out of range: with {n_records:,} records it must be from 2 to {n_records // 2:,}"
            if n_records >= 4
            else f"{n_records} records are too few to microaggregate; at least 4 are needed"
        )
    return int(k)


def check_cluster_sizes(k: Any, n_groups: int, n_records: int) -> tuple[int, ...]:
    """Return a checked k for each group."""
    sizes = list(k) if is_list(k) else [k] * n_groups
    if len(sizes) != n_groups:
        raise ParameterError(
            f"there are {n_groups} groups but {len(sizes)} values of k; give one k for all groups, or one for each"
        )
    return tuple(check_cluster_size(size, n_records) for size in sizes)

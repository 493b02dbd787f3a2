"""What is said about parameters that are not published: one plain sentence each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def estimated(parameter: str, method: str, found: Any) -> str:
    """Say what a parameter was estimated as: one value, or one for each attribute.

    >>> print(estimated("p", "noise", {"age": 10.25, "wage": 9.5}).split(" and ")[1])
    was estimated as 10.25 (age), 9.5 (wage) from the true pairs: the intruder must guess it.
    """
    told = by_attribute(found) if isinstance(found, Mapping) else told_value(found)
    return (
        f"{parameter} of {method} is not published and was estimated as {told} from the true pairs: the intruder must "
        "guess it."
    )


def not_estimated(parameter: str, method: str, names: Iterable[str]) -> str:
    """Say that a parameter could not be estimated, and for which attributes.

    >>> not_estimated("p", "noise", ["age"])
    'p of noise is not published and cannot be estimated for age, about which the description then says nothing.'
    """
    return (
        f"{parameter} of {method} is not published and cannot be estimated for {', '.join(names)}, about which the "
        "description then says nothing."
    )


def by_attribute(found: Mapping[str, Any]) -> str:
    """Write one value for each attribute; one alone, or one that all share, without its name."""
    told = {name: told_value(value) for name, value in found.items()}
    if len(set(told.values())) == 1:
        return next(iter(told.values()))
    return ", ".join(f"{value} ({name})" for name, value in told.items())


def told_value(value: Any) -> str:
    """Write one value; a mapping of categories and a list of edges by their sizes, for they are long.

    >>> told_value({"a": "b"}), told_value([0.0, 1.0, 5.0]), told_value(0.7)
    ('a mapping of 1 categories', '2 intervals', '0.7')
    """
    if isinstance(value, Mapping):
        return f"a mapping of {len(value)} categories"
    if isinstance(value, list):
        return f"{len(value) - 1} intervals"
    return f"{value:.6g}" if isinstance(value, float) else str(value)

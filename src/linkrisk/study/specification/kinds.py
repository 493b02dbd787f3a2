"""Kinds of options that only a study has."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkrisk.name_list import split_names
from linkrisk.options import Values

Parameters = tuple[tuple[str, Any], ...]
"""Parameters with one value each, in the order of the grid."""

POSTERIORS = ("paper", "sums", "exact", "auto")
BOUNDS = ("naive", "exact")


@dataclass(frozen=True)
class Grid(Values):
    """Parameters with the values that each takes."""

    metavar = "TABLE"

    def check(self, value: Any) -> dict[str, tuple[Any, ...]]:
        """Return the values by parameter."""
        if not isinstance(value, Mapping):
            raise ValueError("must be a table of lists, such as { k = [3, 5] }")  # noqa: TRY004  (told as all mistakes are)
        for name, values in value.items():
            is_list = isinstance(values, Sequence) and not isinstance(values, str)
            if not is_list or not values:
                raise ValueError(f"must give {name} a list of values, such as {name} = [3, 5]")
            if any(isinstance(each, Mapping | list) for each in values):
                raise ValueError(f"must give {name} numbers or texts; write a text such as 'A:1,B:2'")
            if len(set(values)) < len(values):
                raise ValueError(f"gives {name} a value twice; keep one")
        return {str(name): tuple(values) for name, values in value.items()}


def combinations(grid: Mapping[str, Sequence[Any]]) -> Iterator[Parameters]:
    """Yield every combination of the values of a grid; the last parameter changes fastest.

    >>> list(combinations({"k": (3, 5), "p": (1,)}))
    [(('k', 3), ('p', 1)), (('k', 5), ('p', 1))]
    """
    for values in itertools.product(*grid.values()):
        yield tuple(zip(grid, values, strict=True))


@dataclass(frozen=True)
class Categories(Values):
    """How many categories each attribute has."""

    metavar = "TABLE"

    def check(self, value: Any) -> dict[str, int]:
        """Return the numbers by attribute."""
        is_table = isinstance(value, Mapping) and value
        if not is_table or any(isinstance(n, bool) or not isinstance(n, int) or n < 1 for n in value.values()):
            raise ValueError("must be a table of whole numbers, such as { trade = 12, age = 8 }")
        return dict(value)


@dataclass(frozen=True)
class NameLists(Values):
    """Lists of names, one for each sample."""

    metavar = "LISTS"

    def check(self, value: Any) -> tuple[tuple[str, ...], ...]:
        """Return the names of each."""
        lists = [split_names(each) if isinstance(each, str) else each for each in value]
        if not all(isinstance(each, Sequence) and each and all(isinstance(n, str) for n in each) for each in lists):
            raise ValueError("must be lists of names of attributes, one for each sample")
        return tuple(map(tuple, lists))


@dataclass(frozen=True)
class PublishedTable:
    """A table to be published: its attributes, how its counts are protected, and the base of rounding."""

    names: tuple[str, ...]
    mechanism: str
    base: int | None = None

    def __str__(self) -> str:
        base = "" if self.base is None else f" {self.base}"
        return f"{','.join(self.names)}: {self.mechanism}{base}"


@dataclass(frozen=True)
class Tables(Values):
    """Tables, each as text: ``age,home: random_rounding 3``."""

    metavar = "TEXTS"

    def check(self, value: Any) -> tuple[PublishedTable, ...]:
        """Return the tables."""
        return tuple(each if isinstance(each, PublishedTable) else _table(each) for each in value)


def _table(text: Any) -> PublishedTable:
    names, sign, rest = str(text).rpartition(":")
    words = rest.split()
    if not sign or not 1 <= len(words) <= 2 or (len(words) == 2 and not words[1].isdigit()):
        raise ValueError("must be tables such as 'age,home: random_rounding 3'")
    return PublishedTable(tuple(split_names(names)), words[0], int(words[1]) if len(words) == 2 else None)


@dataclass(frozen=True)
class Ways(Values):
    """Ways to judge a match: a posterior and its bounds, in two words."""

    metavar = "TEXTS"

    def check(self, value: Any) -> tuple[str, ...]:
        """Return the ways."""
        ways = [value] if isinstance(value, str) else list(value)
        for way in ways:
            words = str(way).split()
            if len(words) != 2 or words[0] not in POSTERIORS or words[1] not in BOUNDS:
                raise ValueError(f"must be a posterior ({', '.join(POSTERIORS)}) and bounds ({' or '.join(BOUNDS)})")
        return tuple(map(str, ways))

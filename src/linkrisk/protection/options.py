"""What a protection is asked for: the options of `linkrisk.protect`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from linkrisk.data.reading import Meaning, MeaningKeywords
from linkrisk.name_list import split_names
from linkrisk.options import Choice, Flag, Values, Whole, option


@dataclass(frozen=True)
class EachAttribute(Values):
    """A parameter of a method: one value for all attributes, or one for each, as text or as a mapping.

    Which values make sense depends on the method and the column, so the method checks them.
    """

    metavar: str = "VALUE OR A:VALUE,B:VALUE"


@dataclass(frozen=True)
class Columns(Values):
    """Names of columns, as text with commas or as a list; columns of a frame may have numbers for names."""

    metavar = "A,B,C"

    def check(self, value: Any) -> tuple[Any, ...]:
        """Return the names."""
        names = split_names(value) if isinstance(value, str) else value
        is_list = isinstance(names, Iterable) and not isinstance(names, Mapping)
        if not is_list:
            raise ValueError("must be names of columns, such as a,b,c")
        return tuple(names)

    def plain(self, value: Any) -> Any:
        """Return the names."""
        return None if value is None else list(value)


@dataclass(frozen=True)
class GroupsKind(Values):
    """Groups of attributes that are protected together: text such as ``A,B;C,D``, or lists of names."""

    metavar = "A,B;C,D"


@dataclass(frozen=True)
class PlanKind(Values):
    """A plan of protection: its text, the path of a TOML file, or a list of steps; it is read once, now."""

    metavar = "PLAN OR FILE"

    def check(self, value: Any) -> Any:
        """Return the plan."""
        from linkrisk.protection.planning.plan import read_plan  # noqa: PLC0415  (imports all methods)

        return read_plan(value)

    def plain(self, value: Any) -> Any:
        """Return the plan on one line."""
        return None if value is None else str(value)


@dataclass(frozen=True, kw_only=True)
class ProtectOptions(Meaning):
    """How a file is protected: the parameters of the method, and what happens to the other columns."""

    title: ClassVar[str] = "How the file is protected"

    plan: Any = option(
        None,
        PlanKind(),
        "Instead of one method, what to do with each column: age,income: mdav k=5; sex: pram 0.8; id: drop; rest: "
        "leave. Or a TOML file with a list of steps.",
    )
    groups: Sequence[Sequence[str]] | str | None = option(
        None,
        GroupsKind(),
        "Attributes protected together and the k of each group: A,B:3;C,D:8. Or a file of the papers: M4-28, "
        "Mic553-2.8.5, B1. By default all in one group.",
    )
    k: Any = option(None, EachAttribute(), "Records in a cluster at least: 5, or A:3,B:8.")
    p: Any = option(None, EachAttribute(), "Percent of the ranks or of the standard deviation: 4, or A:1,B:2.")
    raw: bool = option(False, Flag(), "mdav: cluster raw values, not standardised ones.")
    variant: str | None = option(
        None,
        Choice(("classic", "fast", "permutation", "pairs")),
        "mdav: classic, or fast for a million records. rank_swap: permutation, or pairs as in the papers (whoever "
        "knows the method undoes them).",
    )
    centroid: Any = option(
        None, EachAttribute(), "Value that stands for a cluster: mean, median or mode, or A:median,B:mode."
    )
    continuous: bool = option(
        False, Flag(), "Noise and means: more decimals than a column has, and noise beyond its range."
    )
    keep: Any = option(
        None,
        EachAttribute(),
        "pram: probability that a value is not drawn anew, from the frequencies of the file: 0.8, or A:0.8,B:0.9.",
    )
    base: Any = option(None, EachAttribute(), "rounding: base of the rounding: 1000, or A:1000,B:5.")
    random: bool = option(False, Flag(), "rounding: up or down at random, without bias.")
    top: Any = option(None, EachAttribute(), "coding: largest value released: A:50000,born:2005-12-31.")
    bottom: Any = option(None, EachAttribute(), "coding: smallest value released.")
    top_percent: Any = option(None, EachAttribute(), "coding: percent of the values to cut at the top.")
    bottom_percent: Any = option(None, EachAttribute(), "coding: percent of the values to cut below.")
    into: Any = option(
        None,
        EachAttribute(),
        "generalise: width of intervals, categories in a run, month, quarter or year: AGI:1000,SCHOOL:2,born:year.",
    )
    attributes: Sequence[Any] | str | None = option(
        None,
        Columns(),
        "Attributes to protect; by default all numbers, for pram all categories. Numbers that are not among them must "
        "be named in leave or drop.",
    )
    leave: Sequence[Any] | str = option((), Columns(), "Columns to release as they are.")
    drop: Sequence[Any] | str = option((), Columns(), "Columns that are not released at all.")
    secret_seed: int | None = option(
        None, Whole(0), "For tests only: a fixed seed. By default 128 bits that nobody knows; the seed is a secret."
    )


class ProtectKeywords(MeaningKeywords, total=False):
    """The options of `ProtectOptions`, for type checkers."""

    plan: Any
    groups: Sequence[Sequence[str]] | str | None
    k: Any
    p: Any
    raw: bool
    variant: str | None
    centroid: Any
    continuous: bool
    keep: Any
    base: Any
    random: bool
    top: Any
    bottom: Any
    top_percent: Any
    bottom_percent: Any
    into: Any
    attributes: Sequence[Any] | str | None
    leave: Sequence[Any] | str
    drop: Sequence[Any] | str
    secret_seed: int | None

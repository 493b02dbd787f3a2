"""Which columns a method protects, with which parameters, and which it leaves: one rule for protect and tune.

No identifier is protected, and no quantity is left unless it is named in ``leave``. Words and categories about which
the user says nothing are left, and listed in a note. The functions of the methods must be told what to do with every
column.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from linkrisk.data.attributes import Kind
from linkrisk.errors import ColumnError, ParameterError
from linkrisk.protection.method import Method
from linkrisk.protection.planning.traces import is_in_groups, is_in_order, missing_notes, order_notes
from linkrisk.protection.specification import Groups, is_paper_file, paper_groups, read_groups, read_parameter
from linkrisk.protection.values.columns import CATEGORICAL, DATES, Name
from linkrisk.protection.values.frame import Frame
from linkrisk.protection.values.outcome import numbers_of

if TYPE_CHECKING:
    from linkrisk.data.raw_file import RawColumn


@dataclass(frozen=True)
class ColumnChoice:
    """The columns of a file as a method sees them.

    Parameters
    ----------
    table, method
        What is protected, and by which method.
    leave
        The columns to be released as they are, by their own names.
    kinds
        The kind of every other column; None for a column without any value.
    """

    table: Frame
    method: Method
    leave: tuple[Name, ...]
    kinds: Mapping[Name, Kind | None]

    @classmethod
    def of(cls, table: Frame, method: Method, leave: Iterable[Name], dropped: Collection[Name] = ()) -> ColumnChoice:
        """Look at every column that is neither to be left nor dropped.

        Raises
        ------
        ColumnError
            If a name is no column's, an identifier is not named in ``leave``, or a column is a mixture of numbers and
            text or has a cell that cannot be read.
        """
        kept = tuple(dict.fromkeys(table.own_names(leave)))
        both = [name for name in kept if name in dropped]
        if both:
            raise ParameterError(f"leave (--leave) and drop (--drop) both name {both[0]!r}; name it in one of them")
        others = [name for name in table.names if name not in kept and name not in dropped]
        table.check_no_identifier(others)
        return cls(table, method, kept, {name: table.kind(name) for name in others})

    @property
    def by_default(self) -> list[Name]:
        """The columns that the method protects unless they are named in ``leave``.

        Categories that the schema calls confidential are none of them: what is to be studied is changed only by name.
        """
        return [
            name
            for name, kind in self.kinds.items()
            if kind in self.method.by_default and not (kind in CATEGORICAL and self.table.is_confidential(name))
        ]

    def check_kinds(self, protected: Collection[Name]) -> None:
        """Refuse columns to protect that the method has no rule for, all of them in one sentence."""
        suited = {None, *self.method.kinds}  # a column without any value is told of when it is read
        unsuited = {name: kind for name, kind in self.kinds.items() if name in protected and kind not in suited}
        if unsuited:
            listed = ", ".join(f"{name!r} ({kind})" for name, kind in unsuited.items())
            raise ColumnError(
                f"{self.table.source.name}: {self.method.name} cannot protect {listed}; name them in leave (--leave) "
                "to keep them as they are, declare another kind by nominal (--nominal), ordinal (--ordinal) or numeric "
                "(--numeric), or choose another method"
            )

    def unasked(self, protected: Collection[Name]) -> dict[Name, Kind | None]:
        """Return the columns that are neither protected nor named in ``leave``, and refuse quantities among them.

        Raises
        ------
        ParameterError
            If there are quantities; the message names all, each with the reason; see
            `linkrisk.protection.values.quantities`.
        """
        unasked = {name: kind for name, kind in self.kinds.items() if name not in protected}
        reasons = {name: self.table.quantity(name, kind) for name, kind in unasked.items()}
        listed = ", ".join(f"{name!r} ({reason})" for name, reason in reasons.items() if reason is not None)
        if listed:
            raise ParameterError(
                f"{self.table.source.name}: {self.method.name} as asked for leaves {listed} unprotected; name what is "
                "to be released as it is in leave (--leave), what is not to be released in drop (--drop), and declare "
                "what holds categories nominal (--nominal) or ordinal (--ordinal)"
            )
        return unasked

    def notes(self, unasked: Mapping[Name, Kind | None]) -> list[str]:
        """Return sentences about columns left without being named, and about identifiers left because they were."""
        listed = ", ".join(f"{name!r} ({kind or 'empty'})" for name, kind in unasked.items())
        told = [f"nothing is said about {listed}: not protected here."] if listed else []
        return told + [
            f"{name} is an identifier and is in the protected file; take it out before the release."
            for name in self.leave
            if self.table.is_identifier(name)
        ]

    def trace_notes(self, protected: Collection[Name], dropped: Collection[Name] = ()) -> list[str]:
        """Return sentences about what the order of the records and missing values tell; see `planning.traces`."""
        read = {name: self.table.without_codes(name) for name in self.table.names if name not in dropped}
        columns = {name: column for name, column in read.items() if column.fault is None}
        ordered = [name for name, column in columns.items() if name in protected and self._is_ordered(name, column)]
        missing = missing_notes(np.column_stack([column.is_missing for column in columns.values()]))
        return [*order_notes(ordered), *missing]

    def _is_ordered(self, name: Name, column: RawColumn) -> bool:
        if self.kinds.get(name) is Kind.NUMERIC:
            return is_in_order(numbers_of(column))
        if self.kinds.get(name) is Kind.DATE:
            return is_in_order(self.table.column(name, DATES, self.method.name).values)
        return is_in_groups(column.cells[~column.is_missing])


@dataclass(frozen=True)
class Request:
    """What a method is asked to do: its parameters, by the columns' own names, and the columns these name."""

    parameters: dict[str, Any]
    protected: tuple[Name, ...]

    @classmethod
    def of(
        cls, choice: ColumnChoice, options: Mapping[str, Any], groups: Any, attributes: Sequence[Name] | None
    ) -> Request:
        """Settle parameters that are given as text or as values, for all attributes or for some by name.

        Parameters
        ----------
        choice
            The columns there are.
        options
            Parameters that have one value for all attributes or one for each, as text or as values; None: not given.
        groups
            Attributes that are protected together, as text, as `Groups` or as lists; None: not given.
        attributes
            The columns that a value for all is meant for; None: those the method protects by default.

        Raises
        ------
        ParameterError, ColumnError
            If a text cannot be read, a name is no column's, or columns are passed over that the method would protect
            by default.
        """
        named = None if attributes is None else choice.table.own_names(attributes)
        found = {name: _by_own_names(choice.table, read_parameter(name, value)) for name, value in options.items()}
        if choice.method.takes_groups:
            found |= _settle_groups(choice, groups, found["k"], named)
            return cls(found, tuple(name for group in found["groups"] for name in group))
        if groups is not None:
            raise ParameterError(
                f"{choice.method.name} protects each attribute on its own; leave out groups (--groups)"
            )
        targets = named or choice.by_default
        found = {name: _spread(choice.method, name, value, targets) for name, value in found.items()}
        used = {name: None for value in found.values() if isinstance(value, Mapping) for name in value}
        used |= dict.fromkeys(named or ())
        _check_attributes(choice, used, named)
        return cls(found, tuple(used))


def _by_own_names(table: Frame, value: Any) -> Any:
    """Return a value for each attribute by the columns' own names; any other value as it is."""
    if not isinstance(value, Mapping):
        return value
    return dict(zip(table.own_names(value), value.values(), strict=True))


def _spread(method: Method, name: str, value: Any, targets: Sequence[Name]) -> Any:
    """Return one value for all as one for each attribute to protect."""
    if value is None or isinstance(value, Mapping) or name in method.shared:
        return value
    return dict.fromkeys(targets, value)


def _check_attributes(choice: ColumnChoice, used: Collection[Name], named: Sequence[Name] | None) -> None:
    """Refuse attributes that leave others out, because a parameter shared by all would change these too."""
    if named:
        choice.table.check_mentioned(choice.by_default, used)


def _settle_groups(choice: ColumnChoice, groups: Any, k: Any, named: Sequence[Name] | None) -> dict[str, Any]:
    """Return groups by the columns' own names, and the k of each group or of all."""
    table = choice.table
    names = named or choice.by_default
    table.check_any(names)
    if groups is None:
        found = Groups((tuple(names),))
    elif isinstance(groups, str) and is_paper_file(groups) and groups not in table.names:
        found = paper_groups(groups, names)
    elif named is None:
        found = read_groups(groups)
    else:
        raise ParameterError("groups (--groups) names the attributes already; leave out attributes (--attributes)")
    if found.k is not None and k is not None:
        raise ParameterError("k is given both in groups (--groups) and by k (--k); keep one")
    if isinstance(k, Mapping):
        raise ParameterError(
            f"k (--k) of {choice.method.name} is one number for all groups; write A,B:3;C,D:8 in groups (--groups)"
        )
    own = tuple(tuple(table.own_names(group)) for group in found.names)
    return {"groups": own, "k": k if found.k is None else found.k}

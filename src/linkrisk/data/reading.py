"""How two files are read: what their columns mean, and who is who. The options every command shares."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict

from linkrisk.options import Names, Options, Text, Values, option

if TYPE_CHECKING:
    from linkrisk.data.schema import Schema


@dataclass(frozen=True)
class SchemaKind(Values):
    """A schema, a mapping of the same shape, or the path of a TOML file, which is read once, now."""

    metavar = "FILE"
    is_path = True

    def check(self, value: Any) -> Schema:
        """Return the schema."""
        from linkrisk.data.schema import make_schema  # noqa: PLC0415  (imports pydantic)

        if not isinstance(value, Mapping | str | os.PathLike) and not hasattr(value, "attributes"):
            raise ValueError("must be a schema, a mapping, or the path of a TOML file")
        return make_schema(value)

    def plain(self, value: Any) -> Any:
        """Return what the schema says that is not said by default."""
        return None if value is None else value.model_dump(mode="json", exclude_defaults=True)


@dataclass(frozen=True)
class Codes(Values):
    """Codes that stand for a value that is not there."""

    metavar = "99,-9"
    is_list = True

    def check(self, value: Any) -> tuple[str, ...]:
        """Return the codes as text."""
        from linkrisk.data.schema import make_schema  # noqa: PLC0415  (imports pydantic)

        codes = [value] if isinstance(value, str | int | float) else value
        if not isinstance(codes, Iterable) or isinstance(codes, Mapping):
            raise ValueError("must be codes that mean missing, such as 99,-9")  # noqa: TRY004  (told as all mistakes are)
        codes = list(codes)
        return make_schema({"missing": codes}, name="missing").missing

    def from_text(self, text: str) -> list[str]:
        """Return the codes of a list with commas."""
        return Names().from_text(text)

    def plain(self, value: Any) -> list[str]:
        """Return the codes."""
        return list(value or ())


@dataclass(frozen=True)
class Renamed(Values):
    """Columns of the original that have another name in the protected file."""

    metavar = "A=B"
    is_repeatable = True

    def check(self, value: Any) -> dict[str, str]:
        """Return the names in the protected file by those in the original."""
        if not isinstance(value, Mapping) or not all(isinstance(name, str) for pair in value.items() for name in pair):
            raise ValueError("must map names of the original to names of the protected file")
        return dict(value)

    def from_text(self, text: str) -> tuple[str, str]:
        """Return the two names in ``A=B``."""
        return split_assignment(text)

    def joined(self, values: Sequence[tuple[str, str]]) -> dict[str, str]:
        """Return what several uses of the option say together."""
        found = dict(values)
        if len(found) < len(values):
            raise ValueError("names one column of the original twice; name each once")
        return found

    def plain(self, value: Any) -> dict[str, str]:
        """Return the names."""
        return dict(value or {})


@dataclass(frozen=True)
class Pairs(Values):
    """The true pairs: a path, a frame, an array, or a sequence of pairs."""

    metavar = "FILE"
    is_path = True

    def plain(self, value: Any) -> bool:
        """Tell whether a list was given: whom it names is nobody else's business."""
        return value is not None


def split_assignment(text: str) -> tuple[str, str]:
    """Return the two sides of ``NAME=VALUE``.

    >>> split_assignment("income = income_k")
    ('income', 'income_k')
    """
    left, sign, right = (part.strip() for part in text.partition("="))
    if not (left and sign and right):
        raise ValueError("takes NAME=VALUE; one of its values has no = or an empty side")
    return left, right


def read_delimiter(text: str) -> str:
    r"""Return the delimiter that is meant: a tab can be written as such, as ``\t``, or as ``tab``."""
    return "\t" if text in {"\\t", "tab"} else text


@dataclass(frozen=True, kw_only=True)
class Meaning(Options):
    """What the columns of a file mean, and how its cells are read: for one file as for two."""

    title: ClassVar[str] = "How the files are read"

    schema: Schema | Mapping[str, Any] | str | os.PathLike[str] | None = option(
        None,
        SchemaKind(),
        "Kinds, roles, orders and missing codes of the columns: a TOML file, or a mapping in Python.",
    )
    nominal: Sequence[str] | None = option(
        None, Names(), "Columns that hold categories, such as codes 1, 2, 3, besides those that the schema names."
    )
    ordinal: Sequence[str] | None = option(
        None, Names(), "Columns that hold categories in the order of their numbers; other orders are for the schema."
    )
    numeric: Sequence[str] | None = option(None, Names(), "Columns that hold numbers.")
    confidential: Sequence[str] | None = option(
        None,
        Names(),
        "Columns that an intruder is after: he does not know them, and it is counted what links tell of them.",
    )
    missing: Sequence[str | float] | None = option(
        None, Codes(), "Codes that mean missing in every column, besides the schema's."
    )
    delimiter: str | None = option(
        None,
        Text("SIGN", read_delimiter),
        "Sign between the cells of CSV files (, ; or tab), where it is not found out.",
    )

    def full_schema(self) -> Schema:
        """Return the schema with the kinds, roles and missing codes that are given beside it.

        Raises
        ------
        SettingsError
            If a column is given two kinds, or two roles.

        Examples
        --------
        >>> Meaning(nominal="sex,region", missing=[99]).full_schema().attribute("sex").kind
        <Kind.NOMINAL: 'nominal'>
        """
        from linkrisk.data.schema import make_schema, with_settings  # noqa: PLC0415  (imports pydantic)

        schema = make_schema(self.schema, missing=self.missing or ())
        kinds = {"nominal": self.nominal, "ordinal": self.ordinal, "numeric": self.numeric}
        schema = with_settings(schema, "kind", {kind: names or () for kind, names in kinds.items()})
        return with_settings(schema, "role", {"confidential": self.confidential or ()})


@dataclass(frozen=True, kw_only=True)
class Reading(Meaning):
    """How two files are read: their columns, the kinds of these, and which records belong together."""

    attributes: Sequence[str] | None = option(
        None,
        Names(),
        "Attributes the intruder knows, by their names in the original; by default all columns that both files have.",
    )
    id: str | None = option(
        None,
        Text("COLUMN"),
        "Column of all files that tells which records belong together; by default they are in the same order.",
    )
    pairs: Any = option(
        None, Pairs(), "The true pairs: two columns, by record number (the first is 1), or by id where there is one."
    )
    renamed: Mapping[str, str] | None = option(
        None, Renamed(), "Column a of the original is called b in the protected file."
    )


class MeaningKeywords(TypedDict, total=False):
    """The options of `Meaning`, for type checkers."""

    schema: Schema | Mapping[str, Any] | str | os.PathLike[str] | None
    nominal: Sequence[str] | None
    ordinal: Sequence[str] | None
    numeric: Sequence[str] | None
    confidential: Sequence[str] | None
    missing: Sequence[str | float] | None
    delimiter: str | None


class ReadingKeywords(MeaningKeywords, total=False):
    """The options of `Reading`, for type checkers."""

    attributes: Sequence[str] | None
    id: str | None
    pairs: Any
    renamed: Mapping[str, str] | None

"""What was said about the columns: from the form to the options of every verb, and nothing where nothing was said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from linkrisk.data.attributes import Kind, Role
from linkrisk.name_list import split_names
from linkrisk.web.storage.forms import Form

FLAGGED = (Kind.NOMINAL, Kind.ORDINAL, Kind.NUMERIC)
"""Kinds that have an option of their own; others are for a schema."""

BY_OPTION = (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL)
"""Roles that need no schema."""


@dataclass(frozen=True)
class Said:
    """What was said about one column; an empty text leaves it to linkrisk.

    ``spelling`` is the order of ordinal categories, from low to high with commas, or the format of dates.
    """

    kind: str = ""
    role: str = Role.QUASI_IDENTIFIER.value
    spelling: str = ""

    @property
    def needs_schema(self) -> bool:
        """Whether no option of the command line says this."""
        return bool(self.spelling) or self.role not in BY_OPTION or self.kind not in ("", *FLAGGED)

    def plain(self) -> dict[str, Any]:
        """Return it as a schema has it."""
        told: dict[str, Any] = {"kind": self.kind} if self.kind else {}
        told |= {"role": self.role} if self.role != Role.QUASI_IDENTIFIER else {}
        if self.spelling and self.kind == Kind.DATE:
            return {**told, "date_format": self.spelling}
        return {**told, "order": split_names(self.spelling)} if self.spelling else told


@dataclass(frozen=True)
class ColumnChoice:
    """How two files are read: columns by name, who is who, codes for missing, and the sign between cells."""

    said: Mapping[str, Said] = field(default_factory=dict)
    id: str = ""
    renamed: Mapping[str, str] = field(default_factory=dict)
    missing: str = ""
    delimiter: str = ""

    @classmethod
    def of(cls, form: Form, columns: Sequence[Mapping[str, Any]]) -> ColumnChoice:
        """Read the form of the columns that were found; its fields go by the place of a column."""
        said: dict[str, Said] = {}
        renamed: dict[str, str] = {}
        for place, column in enumerate(columns):
            chosen = Said(
                _among(form.text(f"kind-{place}"), Kind),
                _among(form.text(f"role-{place}"), Role) or Role.QUASI_IDENTIFIER.value,
                form.text(f"spelling-{place}"),
            )
            if chosen != Said():
                said[column["name"]] = chosen
            if form.text(f"called-{place}"):
                renamed[column["name"]] = form.text(f"called-{place}")
        return cls(said, form.text("id"), renamed, form.text("missing"), form.text("delimiter"))

    def about(self, name: str) -> Said:
        """Return what was said about a column."""
        return self.said.get(name, Said())

    def meaning(self) -> dict[str, Any]:
        """Return the options of one file: kinds, roles and codes."""
        options: dict[str, Any] = {}
        plain = {name: said for name, said in self.said.items() if not said.needs_schema}
        for kind in FLAGGED:
            names = [name for name, said in plain.items() if said.kind == kind]
            options |= {kind.value: names} if names else {}
        confidential = [name for name, said in plain.items() if said.role == Role.CONFIDENTIAL]
        options |= {"confidential": confidential} if confidential else {}
        schema = {name: said.plain() for name, said in self.said.items() if said.needs_schema}
        options |= {"schema": {"attributes": schema}} if schema else {}
        options |= {"missing": split_names(self.missing)} if self.missing else {}
        return options | ({"delimiter": self.delimiter} if self.delimiter else {})

    def reading(self) -> dict[str, Any]:
        """Return the options of two files: also who is who, and columns that are called differently."""
        options = self.meaning() | ({"id": self.id} if self.id else {})
        return options | ({"renamed": dict(self.renamed)} if self.renamed else {})

    def released(self, names: Sequence[str]) -> Iterator[str]:
        """Yield those columns that can be in a release: identifiers never are."""
        for name in names:
            if self.about(name).role != Role.IDENTIFIER:
                yield name


def _among(text: str, words: type[Kind] | type[Role]) -> str:
    """Return a word if it is one of several; an empty text otherwise."""
    return text if text in list(words) else ""

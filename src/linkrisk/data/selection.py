"""Which columns take part, and as what: used for linking, confidential, identifiers released."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from linkrisk.data.attributes import Role
from linkrisk.data.raw_file import RawFile
from linkrisk.data.schema import Schema
from linkrisk.errors import ColumnError, PairingError, SettingsError

_MANY_NAMES = 8


@dataclass(frozen=True)
class Selection:
    """The columns that take part, by their names.

    ``linking`` and ``confidential`` pair the name in the original with the name in the protected file; an
    attribute that only the protected file has goes by its name there. ``id`` names the id columns. ``not_known`` are
    the columns of both files that were not chosen or are ignored: they are released, and nobody is taken to know them.
    """

    linking: tuple[tuple[str, str], ...]
    confidential: tuple[tuple[str, str], ...]
    identifiers_released: tuple[str, ...]
    id: tuple[str, str] | None
    notes: tuple[str, ...]
    not_known: tuple[str, ...] = ()


class _Names:
    """The column names of both files and how they match."""

    def __init__(self, original: RawFile, protected: RawFile, renamed: Mapping[str, str]) -> None:
        self.original = original
        self.protected = protected
        self.renamed = renamed
        self.claimed = set(renamed.values())

    def partner(self, name: str) -> str | None:
        """Return the protected column of an original one, or None."""
        if name in self.renamed:
            return self.renamed[name]
        is_common = name in self.protected.column_names and name not in self.claimed
        return name if is_common else None

    def common(self, *, but: str | None) -> list[str]:
        names = self.original.column_names
        return [name for name in names if name != but and self.partner(name) is not None]


def select_columns(
    original: RawFile,
    protected: RawFile,
    *,
    attributes: Sequence[str] | None,
    schema: Schema,
    renamed: Mapping[str, str],
    id_name: str | None,
) -> Selection:
    """Decide which columns take part.

    Parameters
    ----------
    original, protected
        The two files.
    attributes
        The attributes to use for linking, in this order; by default all common columns that the schema does
        not give another role.
    schema
        Roles, and names in the protected file.
    renamed
        Columns of the original that are named differently in the protected file.
    id_name
        The column of the original that tells records apart; never used for linking.
    """
    _check_schema_names(original, protected, schema)
    names = _Names(original, protected, _merge_renamed(original, protected, schema, renamed))
    id_pair = None if id_name is None else (id_name, _require_common(names, id_name, "id column"))
    if attributes is None:
        linking = _default_attributes(names, schema, id_name)
        notes = _left_out(names, schema, id_pair)
    else:
        linking = _given_attributes(names, schema, attributes, id_name)
        notes = ()
    return Selection(
        linking=tuple((name, names.partner(name) or name) for name in linking),
        confidential=_with_role(names, schema, Role.CONFIDENTIAL, id_name),
        identifiers_released=tuple(partner for _, partner in _with_role(names, schema, Role.IDENTIFIER, id_name)),
        id=id_pair,
        notes=notes,
        not_known=_not_known(names, schema, id_name, linking),
    )


def _check_schema_names(original: RawFile, protected: RawFile, schema: Schema) -> None:
    known = [*original.column_names, *protected.column_names]
    for name in schema.attributes:
        if name not in known:
            raise ColumnError(
                f"The schema names {name!r} (or nominal, ordinal, numeric, confidential do), which is a column of "
                f"neither {original.name} nor {protected.name}{_suggest(name, known)}; correct or remove it"
            )


def _merge_renamed(original: RawFile, protected: RawFile, schema: Schema, renamed: Mapping[str, str]) -> dict[str, str]:
    merged = dict(renamed)
    for name, attribute in schema.attributes.items():
        if attribute.protected is not None and merged.setdefault(name, attribute.protected) != attribute.protected:
            raise SettingsError(f"{name!r} is renamed to one column and the schema names another; keep one")
    for name, partner in merged.items():
        _require(original, name, "that is said to be renamed")
        _require(protected, partner, "that is said to be renamed")
    if len(set(merged.values())) < len(merged):
        raise SettingsError("Two columns are renamed to the same protected column; rename each to one of its own")
    return merged


def _require(table: RawFile, name: str, use: str) -> None:
    if name not in table.column_names:
        raise ColumnError(
            f"{table.name} has no column {name!r} {use}{_suggest(name, table.column_names)}; check the name"
        )


def _require_common(names: _Names, name: str, use: str) -> str:
    """Return the protected column of an original one that must exist in both files."""
    _require(names.original, name, f"to be used as {use}")
    partner = names.partner(name)
    if partner is None:
        close = _suggest(name, names.protected.column_names)
        raise ColumnError(
            f"{names.protected.name} has no column {name!r} to be used as {use}{close}; if it is named "
            f"differently there, say so in renamed (--renamed {name}=NAME)"
        )
    return partner


def _default_attributes(names: _Names, schema: Schema, id_name: str | None) -> list[str]:
    linking = _quasi_identifiers(names, schema, id_name)
    if linking:
        return linking
    if names.common(but=id_name):
        raise PairingError(
            "Every common column has another role than quasi-identifier in the schema; at least one must be "
            "left for linking"
        )
    raise PairingError(
        f"{names.original.name} and {names.protected.name} have no attribute in common: the first has "
        f"{_some(names.original.column_names)}, the second {_some(names.protected.column_names)}; say "
        "in renamed (--renamed a=b) which columns are named differently"
    )


def _quasi_identifiers(names: _Names, schema: Schema, id_name: str | None) -> list[str]:
    return [name for name in names.common(but=id_name) if schema.attribute(name).role is Role.QUASI_IDENTIFIER]


def _not_known(names: _Names, schema: Schema, id_name: str | None, linking: Sequence[str]) -> tuple[str, ...]:
    others = [name for name in names.common(but=id_name) if name not in linking]
    roles = {Role.QUASI_IDENTIFIER, Role.IGNORED}
    return tuple(name for name in others if schema.attribute(name).role in roles)


def _given_attributes(names: _Names, schema: Schema, attributes: Sequence[str], id_name: str | None) -> list[str]:
    attributes = [attributes] if isinstance(attributes, str) else list(attributes)
    if not attributes:
        raise SettingsError("The list of attributes is empty; name at least one, or leave it out to use all")
    for position, name in enumerate(attributes):
        if name in attributes[:position]:
            raise SettingsError(f"Attribute {name!r} is listed twice; list it once")
        _require_common(names, name, "attribute")
        role = schema.attribute(name).role
        if name == id_name:
            raise SettingsError(f"{name!r} is the id column and cannot be used for linking; leave it out")
        if role is not Role.QUASI_IDENTIFIER:
            raise SettingsError(
                f"{name!r} is listed for linking, but its role in the schema is {role}; change one of the two"
            )
    return attributes


def _with_role(names: _Names, schema: Schema, role: Role, id_name: str | None) -> tuple[tuple[str, str], ...]:
    """Return the attributes of one role that the protected file holds, with their names there."""
    found = []
    for name, attribute in schema.attributes.items():
        if attribute.role is not role or name == id_name:
            continue
        partner = names.partner(name)
        if partner is not None:
            found.append((name, partner))
    return tuple(found)


def _left_out(names: _Names, schema: Schema, id_pair: tuple[str, str] | None) -> tuple[str, ...]:
    """Return a sentence for each file that has columns of its own, about which the schema is silent."""
    used = {names.partner(name) for name in names.original.column_names}
    own_columns = {
        names.original.name: [name for name in names.original.column_names if names.partner(name) is None],
        names.protected.name: [name for name in names.protected.column_names if name not in used],
    }
    settled = {*schema.attributes, *(id_pair or ())}
    return tuple(
        f"Only {file} has {_some(left)}, left out."
        for file, columns in own_columns.items()
        if (left := [name for name in columns if name not in settled])
    )


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:_MANY_NAMES])
    return shown if len(names) <= _MANY_NAMES else f"{shown} and {len(names) - _MANY_NAMES} more"


def _suggest(name: str, known: Iterable[str]) -> str:
    by_lower_case = {candidate.lower(): candidate for candidate in known}
    close = difflib.get_close_matches(name.lower(), by_lower_case, n=3, cutoff=0.6)
    if not close:
        return ""
    return f" (did you mean {' or '.join(repr(by_lower_case[candidate]) for candidate in close)}?)"

"""The attribute schema: what the user says about kinds, roles and missing values.

.. code-block:: toml

    missing = ["99", -9]            # codes that mean "no value" in every attribute

    [attributes.EDUCATION]
    kind = "ordinal"
    order = ["primary", "secondary", "tertiary"]

    [attributes.INCOME]
    role = "confidential"

    [attributes.BORN]
    kind = "date"
    date_format = "%d/%m/%Y"
    protected = "BIRTH_DATE"        # its name in the protected file
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from linkrisk.data.attributes import LARGEST_COST, LEAST_COST, Kind, Role, is_cost
from linkrisk.data.labels import label_of_number, label_of_text
from linkrisk.data.opening import read_toml
from linkrisk.errors import SettingsError
from linkrisk.printable import file_name


def _as_code(value: Any) -> Any:
    """Spell a number or truth value of a TOML file as the label it stands for."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return label_of_number(value)
    return value.strip() if isinstance(value, str) else value


def _as_label(value: Any) -> Any:
    value = _as_code(value)
    return label_of_text(value) if isinstance(value, str) else value


def _as_cost(value: float) -> float:
    if not is_cost(value):
        raise ValueError(f"must be 0, or a number from {LEAST_COST:g} to {LARGEST_COST:g}")
    return value


def _as_date_format(value: str) -> str:
    try:
        time.strptime("", value)
    except ValueError as problem:
        if "%" not in value or "does not match" not in str(problem):
            raise ValueError('must be a format such as "%d/%m/%Y"') from None
    return value


Code = Annotated[str, BeforeValidator(_as_code)]
DateFormat = Annotated[str, AfterValidator(_as_date_format)]
Label = Annotated[str, BeforeValidator(_as_label)]
Difference = Annotated[float, AfterValidator(_as_cost)]


class AttributeSchema(BaseModel):
    """What the user says about one attribute; everything left out is inferred.

    Parameters
    ----------
    kind, role
        See `linkrisk.data.Kind` and `linkrisk.data.Role`.
    order
        Ordinal only: the categories from low to high.
    missing
        Codes that mean "no value", besides those of the whole schema.
    missing_one, missing_both, inclusive
        See `linkrisk.data.Attribute`.
    protected
        The name of the column in the protected file, where it differs.
    date_format
        Dates only: how they are written, as for Python's ``strptime``, such as ``%d/%m/%Y``.
    protected_date_format
        How they are written in the protected file, where that differs.

    Examples
    --------
    >>> AttributeSchema(order=("low", "high")).kind
    <Kind.ORDINAL: 'ordinal'>
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind | None = None
    role: Role = Role.QUASI_IDENTIFIER
    order: tuple[Label, ...] = ()
    missing: tuple[Code, ...] = ()
    missing_one: Difference | None = None
    missing_both: Difference | None = None
    inclusive: bool = False
    protected: Annotated[str, Field(min_length=1)] | None = None
    date_format: DateFormat | None = None
    protected_date_format: DateFormat | None = None

    @model_validator(mode="before")
    @classmethod
    def _imply_kind(cls, fields: Any) -> Any:
        if isinstance(fields, Mapping) and fields.get("kind") is None:
            if fields.get("order"):
                return {**fields, "kind": Kind.ORDINAL}
            if fields.get("date_format") or fields.get("protected_date_format"):
                return {**fields, "kind": Kind.DATE}
        return fields

    @model_validator(mode="after")
    def _check_belongs_to_kind(self) -> AttributeSchema:
        mistakes = []
        if self.order and self.kind is not Kind.ORDINAL:
            mistakes.append(f"order is for ordinal attributes, and this one is {self.kind}; leave it out")
        if len(set(self.order)) < len(self.order):
            mistakes.append("order names a category twice; name each once")
        if self.inclusive and self.kind not in (Kind.ORDINAL, None):
            mistakes.append(f"inclusive is for ordinal attributes, and this one is {self.kind}; leave it out")
        if (self.date_format or self.protected_date_format) and self.kind is not Kind.DATE:
            mistakes.append(f"date_format is for dates, and this attribute is {self.kind}; leave it out")
        if mistakes:
            raise ValueError("; ".join(mistakes))
        return self


class Schema(BaseModel):
    """What the user says about the attributes of both files.

    Examples
    --------
    >>> schema = make_schema({"missing": [99], "attributes": {"AGE": {"kind": "numeric"}}})
    >>> schema.missing, schema.attribute("AGE").kind, schema.attribute("SEX").role
    (('99',), <Kind.NUMERIC: 'numeric'>, <Role.QUASI_IDENTIFIER: 'quasi-identifier'>)
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    missing: tuple[Code, ...] = ()
    attributes: dict[str, AttributeSchema] = {}

    def attribute(self, name: str) -> AttributeSchema:
        """Return what is said about an attribute, or the defaults."""
        return self.attributes.get(name, AttributeSchema())


def load_schema(path: str | os.PathLike[str]) -> Schema:
    """Read a schema from a TOML file.

    Raises
    ------
    FileError
        If there is no such file, or it cannot be read.
    SettingsError
        Naming every mistake in the file, one per line.
    """
    return make_schema(read_toml(path), name=file_name(path))


def make_schema(
    source: Schema | Mapping[str, Any] | str | os.PathLike[str] | None,
    *,
    missing: Sequence[str | float] | None = None,
    name: str = "schema",
) -> Schema:
    """Return a schema from a schema, a mapping, the path of a TOML file, or nothing.

    ``missing`` are further codes that mean "no value" in every attribute; ``name`` is what messages call the schema.

    Raises
    ------
    SettingsError
        Naming every mistake, one per line.
    """
    if missing is not None:
        settled = make_schema(source, name=name)
        codes = make_schema({"missing": list(missing)}, name="missing").missing
        return settled.model_copy(update={"missing": (*codes, *settled.missing)})
    if source is None:
        return Schema()
    if isinstance(source, Schema):
        return source
    if isinstance(source, str | os.PathLike):
        return load_schema(source)
    try:
        return Schema.model_validate(dict(source))
    except ValidationError as error:
        raise SettingsError(describe_mistakes(error, name)) from None


def with_settings(schema: Schema, what: Literal["kind", "role"], columns: Mapping[str, Sequence[str]]) -> Schema:
    """Return a schema with further columns of a kind or role, as options of that name name them.

    Raises
    ------
    SettingsError
        If a column is given two kinds or roles, here or in the schema, or the schema says of it what its kind cannot
        have.

    Examples
    --------
    >>> with_settings(Schema(), "kind", {"nominal": ["sex"]}).attribute("sex").kind
    <Kind.NOMINAL: 'nominal'>
    """
    attributes = dict(schema.attributes)
    for option, names in columns.items():
        for name in names:
            known = attributes.get(name, AttributeSchema())
            given = known.model_dump(exclude_unset=True)
            if given.get(what) not in (None, option):
                raise SettingsError(
                    f"column {name!r} is {option} by {option} (--{option}), and {given[what]} by the schema or another "
                    "option; keep one"
                )
            try:
                attributes[name] = AttributeSchema.model_validate({**given, what: option})
            except ValidationError as error:
                raise SettingsError(describe_mistakes(error, f"column {name!r}, by {option} (--{option})")) from None
    return schema.model_copy(update={"attributes": attributes})


_PLAIN_WORDS = {
    "extra_forbidden": "there is no such setting",
    "missing": "is needed and not given",
    "too_short": "must not be empty",
    "string_too_short": "must not be empty",
    "path_type": "must be the path of a file, as text",
}
"""What pydantic says, in words for users."""


def describe_mistakes(error: ValidationError, name: str | None) -> str:
    """Return the mistakes pydantic found as text, one per line, each with the place where it is.

    ``name`` is the file they are in; None is the command line, where places are options.
    """
    lines = []
    for mistake in error.errors(include_url=False):
        message = mistake["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
        message = _PLAIN_WORDS.get(mistake["type"], message)
        lines.append(": ".join([*_place(mistake["loc"], name), message]))
    return "\n".join(lines)


def _place(parts: Sequence[str | int], name: str | None) -> list[str]:
    """Return file and key of a mistake, or the option as a user types it.

    >>> _place(("scales", 0), "assessment.toml"), _place(("time_limit",), None)
    (['assessment.toml', 'scales.0'], ['--time-limit'])
    """
    if name is None:
        return [f"--{str(part).replace('_', '-')}" for part in parts[:1]]
    return [name, *([".".join(str(part) for part in parts)] if parts else [])]

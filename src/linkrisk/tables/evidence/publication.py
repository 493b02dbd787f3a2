"""What a user says about a released table, from Python or from a TOML file."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from linkrisk.data.schema import describe_mistakes
from linkrisk.errors import FileError, SettingsError

MECHANISMS = ("exact", "rounded", "random_rounding", "suppressed", "sample")


class Released(BaseModel):
    """A table that was released: where its cells are, and how they were made.

    Parameters
    ----------
    source
        A CSV, Parquet, SPSS, Stata, SAS or R file, or a frame: one row a cell, a column for each attribute, and one
        with the counts. Cells that are not there were published as 0; a category that nobody lists is taken not to
        exist, so a rounded table is safest with all its cells.
    mechanism
        ``exact``; ``rounded`` (to the nearest multiple of ``base``, halves up); ``random_rounding`` (unbiased, to
        ``base``); ``suppressed`` (``low`` and ``high`` are the columns with the intervals); ``sample`` (counts in a
        simple random sample, whose size is their sum).
    base
        Of a rounding, 2 or more.
    count
        The column with the counts.
    low, high
        Suppression only: columns with the least and the largest count of each cell, the same for one that is published.
    fraction
        Sample only: share of the population drawn, from which its size follows if nothing else tells it.
    name
        What results call the table; by default the name of the file.

    Examples
    --------
    >>> Released(source="ages.csv", mechanism="random_rounding", base=3).name
    'ages.csv'
    """

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    source: Any
    mechanism: Literal["exact", "rounded", "random_rounding", "suppressed", "sample"]
    base: Annotated[int, Field(ge=2)] | None = None
    count: str = "count"
    low: str = "low"
    high: str = "high"
    fraction: Annotated[float, Field(gt=0, le=1)] | None = None
    name: str = ""

    @model_validator(mode="before")
    @classmethod
    def _name_it(cls, fields: Any) -> Any:
        if isinstance(fields, Mapping) and not fields.get("name"):
            source = fields.get("source")
            name = Path(source).name if isinstance(source, str | os.PathLike) else "table"
            return {**fields, "name": name}
        return fields

    @model_validator(mode="after")
    def _check(self) -> Released:
        is_rounding = self.mechanism in ("rounded", "random_rounding")
        if is_rounding and self.base is None:
            raise ValueError(f"{self.mechanism} needs its base, such as base = 3")
        if not is_rounding and self.base is not None:
            raise ValueError(f"base is for rounded tables, and this one is {self.mechanism}")
        if self.fraction is not None and self.mechanism != "sample":
            raise ValueError(f"fraction is for sample tables, and this one is {self.mechanism}")
        return self


@dataclass(frozen=True)
class Release:
    """Released tables, and the size of the population where the file states it."""

    tables: tuple[Released, ...]
    population: int | None = None


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    population: Annotated[int, Field(ge=1)] | None = None
    table: list[dict[str, Any]] = []


def make_released(source: Any, **options: Any) -> Released:
    """Return the description of a released table; mistakes become one sentence.

    Raises
    ------
    SettingsError
        Naming every mistake, one a line.
    """
    try:
        return Released(source=source, **options)
    except ValidationError as error:
        raise SettingsError(describe_mistakes(error, str(options.get("name") or "table"))) from None


def load_release(path: str | os.PathLike[str]) -> Release:
    """Read which tables were released from a TOML file; paths in it are relative to its folder.

    .. code-block:: toml

        population = 18

        [[table]]
        file = "rounded.csv"
        mechanism = "random_rounding"
        base = 3

    Raises
    ------
    SettingsError
        Naming every mistake in the file, one a line.
    """
    path = Path(path)
    try:
        contents = _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8-sig")))
    except FileNotFoundError:
        raise FileError(f"{path.name} does not exist; check the path.") from None
    except (OSError, UnicodeDecodeError):
        raise FileError(f"{path.name} cannot be read; give a TOML file in UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path.name} is not TOML: {error}.") from None
    except ValidationError as error:
        raise SettingsError(describe_mistakes(error, path.name)) from None
    mistakes: list[str] = []
    tables: list[Released] = []
    for number, entry in enumerate(contents.table, start=1):
        where = f"{path.name}: table {number}"
        file = entry.pop("file", None)
        if not isinstance(file, str) or not file:
            mistakes.append(f"{where}: file is needed and not given")
            continue
        try:
            tables.append(Released(source=path.parent / file, **{"name": file, **entry}))
        except (ValidationError, TypeError) as error:
            fault = describe_mistakes(error, where) if isinstance(error, ValidationError) else f"{where}: {error}"
            mistakes.append(fault)
    if mistakes:
        raise SettingsError("\n".join(mistakes))
    return Release(tuple(tables), contents.population)


def released_tables(tables: Sequence[Released] | Release | str | os.PathLike[str] | None) -> Release:
    """Return a release from a TOML file, a list of descriptions, a release, or nothing."""
    if tables is None:
        return Release(())
    if isinstance(tables, Release):
        return tables
    if isinstance(tables, str | os.PathLike):
        return load_release(tables)
    strange = [type(table).__name__ for table in tables if not isinstance(table, Released)]
    if strange:
        raise SettingsError(f"tables: a {strange[0]} is no description of a table; give linkrisk.tables.Released(...)")
    return Release(tuple(tables))

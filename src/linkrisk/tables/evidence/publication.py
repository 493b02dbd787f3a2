"""What a user says about published tables, in Python or in a TOML file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from linkrisk.data.opening import read_toml
from linkrisk.data.schema import describe_mistakes
from linkrisk.errors import SettingsError
from linkrisk.printable import file_name
from linkrisk.tables.options import MOST_PEOPLE


class TableDescription(BaseModel):
    """Describes a published table: where its cells are, and how its counts were made.

    Parameters
    ----------
    source
        A CSV, Parquet, SPSS, Stata, SAS or R file, or a frame: one row per cell, one column per attribute, and a column
        with the counts. A cell that is not listed was published as 0. A category that no sample and no table lists is
        taken not to exist, so it is safest to list all cells of a rounded table.
    mechanism
        ``exact``; ``rounded`` (to the nearest multiple of ``base``, halves up); ``random_rounding`` (to a multiple of
        ``base``, unbiased); ``suppressed`` (some counts are given as intervals, in the columns ``low`` and ``high``);
        ``sample`` (counts in a simple random sample, whose size is their sum).
    base
        Rounding only: counts are multiples of this; 2 or more.
    count
        Name of the column with the counts.
    low, high
        Suppression only: names of the columns with the least and the largest count of each cell; the two are the same
        for a cell that is not suppressed.
    fraction
        Sample only: share of the population that was drawn; it tells the size of the population if nothing else does.
    name
        Name of the table in results; by default the name of the file.

    Examples
    --------
    >>> TableDescription(source="ages.csv", mechanism="random_rounding", base=3).name
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
    def _check(self) -> TableDescription:
        is_rounding = self.mechanism in ("rounded", "random_rounding")
        if is_rounding and self.base is None:
            raise ValueError(f"{self.mechanism} needs its base, such as base = 3")
        if not is_rounding and self.base is not None:
            raise ValueError(f"base is for rounded tables, and this one is {self.mechanism}")
        if self.fraction is not None and self.mechanism != "sample":
            raise ValueError(f"fraction is for sample tables, and this one is {self.mechanism}")
        return self


@dataclass(frozen=True)
class Publication:
    """All published tables, and the size of the population where it is stated with them."""

    tables: tuple[TableDescription, ...]
    population: int | None = None

    def with_table(self, table: TableDescription) -> Publication:
        """Return the publication with one more table, at the end."""
        return Publication((*self.tables, table), self.population)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    population: Annotated[int, Field(ge=1, le=MOST_PEOPLE)] | None = None
    table: list[dict[str, Any]] = []


def make_table_description(source: Any, **options: Any) -> TableDescription:
    """Return the description of a published table; ``options`` are the other fields of `TableDescription`.

    Raises
    ------
    SettingsError
        Names every mistake, one per line.

    Examples
    --------
    >>> import pandas as pd
    >>> make_table_description(pd.DataFrame({"sex": ["f", "m"], "count": [4, 6]}), mechanism="exact").count
    'count'
    """
    try:
        return TableDescription(source=source, **options)
    except ValidationError as error:
        raise SettingsError(describe_mistakes(error, str(options.get("name") or "table"))) from None


def load_publication(path: str | os.PathLike[str]) -> Publication:
    """Read from a TOML file which tables were published; paths in it are relative to its folder.

    .. code-block:: toml

        population = 18

        [[table]]
        file = "rounded.csv"
        mechanism = "random_rounding"
        base = 3

    Raises
    ------
    SettingsError
        Names every mistake in the file, one per line.
    """
    path = Path(path)
    try:
        contents = _File.model_validate(read_toml(path))
    except ValidationError as error:
        raise SettingsError(describe_mistakes(error, file_name(path))) from None
    mistakes: list[str] = []
    tables: list[TableDescription] = []
    for number, entry in enumerate(contents.table, start=1):
        where = f"{file_name(path)}: table {number}"
        file = entry.pop("file", None)
        if not isinstance(file, str) or not file:
            mistakes.append(f"{where}: file is missing; name the file with the cells")
            continue
        try:
            tables.append(TableDescription(source=path.parent / file, **{"name": file, **entry}))
        except (ValidationError, TypeError) as error:
            fault = describe_mistakes(error, where) if isinstance(error, ValidationError) else f"{where}: {error}"
            mistakes.append(fault)
    if mistakes:
        raise SettingsError("\n".join(mistakes))
    return Publication(tuple(tables), contents.population)


def make_publication(tables: Sequence[TableDescription] | Publication | str | os.PathLike[str] | None) -> Publication:
    """Return a publication, from a TOML file, from a list of descriptions, as it is, or, for None, without tables."""
    if tables is None:
        return Publication(())
    if isinstance(tables, Publication):
        return tables
    if isinstance(tables, str | os.PathLike):
        return load_publication(tables)
    strange = [type(table).__name__ for table in tables if not isinstance(table, TableDescription)]
    if strange:
        raise SettingsError(
            f"tables: a {strange[0]} does not describe a table; give linkrisk.tables.make_table_description(...)"
        )
    return Publication(tuple(tables))

"""The settings of one assessment, from the command line or from a TOML file; all mistakes reported at once."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    field_validator,
    model_validator,
)

from linkrisk.assessment.reporter import Reporter
from linkrisk.assessment.result import Assessment
from linkrisk.assessment.run import assess
from linkrisk.assessment.scenario import Scenario
from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.registry import DEFAULT_ATTACKERS, as_attacker
from linkrisk.data.schema import Code, Schema, describe_mistakes
from linkrisk.differences.scales import Scale
from linkrisk.errors import FileError, ParameterError, SettingsError
from linkrisk.linkage.linkage import Ties


class ScenarioSettings(BaseModel):
    """What one intruder knows; see `Scenario`."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(min_length=1)]
    attributes: Annotated[list[str], Field(min_length=1)] | None = None
    people: (
        Annotated[
            Annotated[float, Field(gt=0, le=1), Tag("share")] | Annotated[list[str | int], Tag("list")],
            Discriminator(lambda value: "list" if isinstance(value, list) else "share"),
        ]
        | None
    ) = None

    def scenario(self) -> Scenario:
        """Return the scenario itself."""
        names = None if self.attributes is None else tuple(self.attributes)
        return Scenario(self.name, names, self.people)


class Settings(BaseModel):
    """Everything one assessment needs; the keys of an assessment file.

    Paths are relative to the folder of the file. ``attackers`` are names, or tables with a name and the
    parameters of the attacker; ``schema`` is the path of a schema file or the schema itself.
    """

    model_config = ConfigDict(extra="forbid", populate_by_name=True, arbitrary_types_allowed=True)

    original: Path
    protected: Path
    attributes: Annotated[list[str], Field(min_length=1)] | None = None
    # The tag says which of the two is meant, so that a mistake is reported once and not for each alternative.
    attribute_schema: (
        Annotated[
            Annotated[Schema, Tag("table")] | Annotated[Path, Tag("file")],
            Discriminator(lambda value: "table" if isinstance(value, Mapping | Schema) else "file"),
        ]
        | None
    ) = Field(default=None, alias="schema")
    id: str | None = None
    pairs: Path | None = None
    match: dict[str, str] = {}
    missing: list[Code] = []
    delimiter: str | None = None
    attackers: Annotated[list[Any], Field(min_length=1)] = list(DEFAULT_ATTACKERS)
    scales: Annotated[list[Scale], Field(min_length=1)] = list(Scale)
    ties: Ties = Ties.UNIQUE
    one_to_one: bool = False
    ranks: bool = False
    scenarios: list[ScenarioSettings] = Field(default=[], alias="scenario")
    seed: Annotated[int, Field(ge=0)] = 0
    threads: Annotated[int, Field(ge=1)] | None = None
    time_limit: Annotated[float, Field(ge=0)] | None = None
    holdout: Annotated[float, Field(ge=0, le=0.9)] = 0.0
    repeats: Annotated[int, Field(ge=1)] = 5
    pool: Literal["all", "test"] = "all"
    margin: Annotated[float, Field(ge=0, le=0.99)] = 0.0
    explain: bool = False
    certificates: Path | None = None
    json_file: Path | None = Field(default=None, alias="json")
    records: Path | None = None
    overwrite: bool = False

    @field_validator("attackers")
    @classmethod
    def _make_attackers(cls, entries: list[Any]) -> list[Attacker]:
        attackers, mistakes = [], []
        for entry in entries:
            try:
                attackers.append(as_attacker(entry))
            except ParameterError as problem:
                mistakes.append(str(problem))
        if mistakes:
            raise ValueError("; ".join(mistakes))
        return attackers

    @field_validator("records")
    @classmethod
    def _check_records(cls, path: Path | None) -> Path | None:
        if path is not None and path.suffix.lower() not in {".csv", ".parquet"}:
            raise ValueError(f"{path.name} must end in .csv or .parquet")
        return path

    @model_validator(mode="after")
    def _check_outputs(self) -> Settings:
        schema = self.attribute_schema if isinstance(self.attribute_schema, Path) else None
        inputs = [path for path in (self.original, self.protected, self.pairs, schema) if path is not None]
        outputs = [path for path in (self.json_file, self.records) if path is not None]
        _check_apart(outputs, inputs)
        return self

    def run(self, reporter: Reporter | None = None) -> Assessment:
        """Carry out the assessment."""
        return assess(
            self.original,
            self.protected,
            attributes=self.attributes,
            schema=self.attribute_schema,
            id=self.id,
            pairs=self.pairs,
            match=self.match,
            missing=self.missing,
            delimiter=self.delimiter,
            attackers=self.attackers,
            scales=[str(scale) for scale in self.scales],
            ties=self.ties,
            scenarios=[scenario.scenario() for scenario in self.scenarios],
            one_to_one=self.one_to_one,
            ranks=self.ranks,
            time_limit=self.time_limit,
            holdout=self.holdout,
            repeats=self.repeats,
            pool=self.pool,
            margin=self.margin,
            explain=self.explain,
            certificates=self.certificates,
            overwrite=self.overwrite,
            seed=self.seed,
            threads=self.threads,
            reporter=reporter,
        )


PATHS = ("original", "protected", "pairs", "json", "records", "certificates")


def load_settings(path: str | os.PathLike[str]) -> Settings:
    """Read an assessment file (TOML); every mistake in it is reported, one a line.

    Missing input files count as mistakes, so that they are seen before any work.
    """
    path = Path(path)
    contents = read_toml(path)
    for key in PATHS:
        if isinstance(contents.get(key), str):
            contents[key] = path.parent / contents[key]
    if isinstance(contents.get("schema"), str):
        contents["schema"] = path.parent / contents["schema"]
    mistakes = [
        f"{path.name}: {key}: there is no file {contents[key].name}"
        for key in ("original", "protected", "pairs", "schema")
        if isinstance(contents.get(key), Path) and not contents[key].is_file()
    ]
    try:
        settings = make_settings(contents, path.name, [path])
    except SettingsError as problem:
        mistakes.append(str(problem))
    if mistakes:
        raise SettingsError("\n".join(mistakes))
    return settings


def make_settings(contents: Mapping[str, Any], name: str | None = None, inputs: Sequence[Path] = ()) -> Settings:
    """Check settings; ``name`` is the file they come from, None the command line: messages then name options.

    ``inputs`` are files the settings were read from: like the data, they must not be among the outputs.
    """
    try:
        settings = Settings.model_validate(dict(contents))
        _check_apart([path for path in (settings.json_file, settings.records) if path is not None], inputs)
    except ValidationError as problem:
        raise SettingsError(describe_mistakes(problem, name)) from None
    except ValueError as problem:
        raise SettingsError(str(problem) if name is None else f"{name}: {problem}") from None
    if settings.json_file and settings.records and settings.json_file.resolve() == settings.records.resolve():
        both = "--json and --records" if name is None else f"{name}: json and records"
        raise SettingsError(f"{both} name the same file; give each its own")
    return settings


def _check_apart(outputs: Sequence[Path], inputs: Sequence[Path]) -> None:
    resolved = {path.resolve() for path in inputs}
    for path in outputs:
        if path.resolve() in resolved:
            raise ValueError(f"{path.name} is an input file; write the result to another")


def load_parameters(path: str | os.PathLike[str]) -> dict[str, dict[str, Any]]:
    """Read parameters of attackers from a JSON or TOML file: a table for each attacker."""
    path = Path(path)
    if path.suffix.lower() == ".toml":
        contents = read_toml(path)
    else:
        try:
            contents = json.loads(_read(path))
        except ValueError as problem:
            raise SettingsError(f"{path.name} is not JSON ({problem}); give a JSON or TOML file") from None
    if not isinstance(contents, dict) or not all(isinstance(entry, dict) for entry in contents.values()):
        raise SettingsError(
            f'{path.name}: expected one table for each attacker, such as {{"owa": {{"weights": [...]}}}}'
        )
    return contents


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file, with its mistakes told in one sentence."""
    try:
        return tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as problem:
        raise SettingsError(f"{path.name} is not valid TOML: {problem}") from None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise FileError(f"{path.name} does not exist; check the path") from None
    except (OSError, UnicodeDecodeError):
        raise FileError(f"{path.name} cannot be read as UTF-8 text; check the file") from None

"""A specification read from a TOML file: every mistake in it is told at once, with the word that was probably meant."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from linkrisk.data.opening import read_toml
from linkrisk.errors import InputError, OptionError, SettingsError
from linkrisk.options import Options, nearest_word
from linkrisk.printable import file_name
from linkrisk.protection.options import ProtectOptions
from linkrisk.protection.planning.plan import read_plan
from linkrisk.protection.registry import METHODS
from linkrisk.study.specification.kinds import combinations
from linkrisk.study.specification.options import (
    DataOptions,
    MatchingOptions,
    Measuring,
    ProtectionOptions,
    StudyOptions,
)
from linkrisk.study.specification.specification import NO_METHOD, ProtectionSpec, Specification

PARTS = ("data", "protection", "matching")
"""The lists of tables that a specification is made of, besides its own settings."""

OTHERS = ("plan", "secret_seed")
"""Options of `linkrisk.protect` that are no parameters of a protection in a study."""

_HOLE = re.compile(r"\{(\w+)\}")

Group = TypeVar("Group", bound=Options)


def load_specification(path: str | os.PathLike[str]) -> Specification:
    """Read a specification; paths in it are relative to its folder.

    Raises
    ------
    FileError, SettingsError
        If the file cannot be read, or holds mistakes: one line for each.
    """
    path = Path(path)
    return make_specification(read_toml(path), folder=path.parent, name=path.stem, source=file_name(path))


def make_specification(
    contents: Mapping[str, Any], *, folder: Path | None = None, name: str = "study", source: str = "specification"
) -> Specification:
    """Return the specification that a mapping, laid out as the TOML file, describes.

    ``folder`` is where relative paths begin, ``name`` what the study is called unless it says so, ``source`` what
    messages call it.

    >>> contents = {
    ...     "data": [{"name": "people", "generated": "census_like", "records": 60}],
    ...     "protection": [{"name": "noise", "method": "noise", "grid": {"p": [5, 10]}}],
    ... }
    >>> make_specification(contents).protections[0].grid
    {'p': (5, 10)}
    """
    reader = _Reader(folder or Path())
    found = reader.read(contents, name)
    if reader.mistakes:
        raise SettingsError("\n".join(f"{source}: {mistake}" for mistake in reader.mistakes))
    return found


@dataclass
class _Reader:
    """Reads one specification and gathers the mistakes in it."""

    folder: Path
    mistakes: list[str] = field(default_factory=list)

    def read(self, contents: Mapping[str, Any], name: str) -> Specification:
        """Return the specification, as far as it can be read."""
        own = {key: value for key, value in contents.items() if key not in PARTS}
        study = self._group(StudyOptions, own, "") or StudyOptions()
        data = [self._data(table, label) for label, table in self._tables(contents, "data")]
        names = [table["name"] for _, table in self._tables(contents, "data", is_told=False) if table.get("name")]
        protections = [
            self._protection(table, label, study, names) for label, table in self._tables(contents, "protection")
        ]
        matchings = [self._group(MatchingOptions, table, label) for label, table in self._tables(contents, "matching")]
        self._check_whole(contents, protections)
        return Specification(
            study.name or name,
            study.seed,
            tuple(each for each in data if each is not None),
            tuple(each for each in protections if each is not None),
            tuple(each for each in matchings if each is not None and self._is_matching(each)),
        )

    def _tables(
        self, contents: Mapping[str, Any], part: str, *, is_told: bool = True
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the tables of a part that can be looked at, each with what messages call it."""
        tables = contents.get(part, [])
        if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
            if is_told:
                self.mistakes.append(f"{part} must be a list of tables; write [[{part}]] above each")
            return
        names = [table.get("name") for table in tables]
        for number, (table, name) in enumerate(zip(tables, names, strict=True), start=1):
            if is_told and (not isinstance(name, str) or not name):
                self.mistakes.append(f"{part} {number}: it has no name; give it one")
            elif is_told and names.count(name) > 1 and names.index(name) == number - 1:
                self.mistakes.append(f"{part}: {name!r} is the name of two; give each its own")
            yield f"{part} {name!r}" if isinstance(name, str) and name else f"{part} {number}", dict(table)

    def _group(self, group: type[Group], given: Mapping[str, Any], label: str) -> Group | None:
        """Return a group of options; None where there are mistakes in it."""
        lead = f"{label}: " if label else ""
        try:
            return group.of(given)
        except OptionError as problem:
            self.mistakes += [
                f"{lead}{name}{'' if fault.startswith(':') else ' '}{fault}" if name else f"{lead}{fault}"
                for name, fault in problem.mistakes
            ]
        except InputError as problem:
            self.mistakes += [f"{lead}{line}" for line in str(problem).splitlines()]
        return None

    def _data(self, table: dict[str, Any], label: str) -> DataOptions | None:
        for name in ("file", "schema"):
            if isinstance(table.get(name), str):
                table[name] = self.folder / table[name]
        path = table.get("file")
        if isinstance(path, Path) and not path.is_file():
            self.mistakes.append(f"{label}: file names {file_name(path)}, and there is no such file; check the path")
        if (table.get("file") is None) == (table.get("generated") is None):
            self.mistakes.append(f"{label}: give one of file and generated")
        return self._group(DataOptions, table, label)

    def _protection(
        self, table: dict[str, Any], label: str, study: StudyOptions, data: Sequence[str]
    ) -> ProtectionSpec | None:
        own = {each.name for each in fields(ProtectionOptions)}
        measured = {each.name for each in fields(Measuring)}
        before = len(self.mistakes)
        asked = self._group(ProtectionOptions, {name: table[name] for name in own & table.keys()}, label)
        parameters = {name: value for name, value in table.items() if name not in own | measured}
        said = {name: table[name] for name in measured & table.keys()}
        measuring = self._group(Measuring, {**study.part(Measuring).keywords(), **said}, label)
        if asked is None or measuring is None:
            return None
        for name in asked.data or ():
            if name not in data:
                hint = nearest_word(name, list(data)) or f"; there are {', '.join(data)}"
                self.mistakes.append(f"{label}: data names {name!r}, and no data are called so{hint}")
        spec = ProtectionSpec(
            asked.name,
            tuple(asked.data or data),
            asked.method,
            asked.plan,
            parameters,
            dict(asked.grid or {}),
            measuring,
        )
        self.mistakes += [f"{label}: {mistake}" for mistake in _mistakes_of(spec)]
        return spec if len(self.mistakes) == before else None

    def _is_matching(self, matching: MatchingOptions) -> bool:
        before, label = len(self.mistakes), f"matching {matching.name!r}"
        if (matching.categories is None) == (matching.generated is None):
            self.mistakes.append(f"{label}: give one of categories and generated")
        if len(matching.samples) < 2:
            self.mistakes.append(f"{label}: samples must be two lists of attributes at least")
        return len(self.mistakes) == before

    def _check_whole(self, contents: Mapping[str, Any], protections: Sequence[Any]) -> None:
        """Tell of a study without any cell; of one with mistakes these are told alone."""
        if self.mistakes or contents.get("matching"):
            return
        if not contents.get("data"):
            self.mistakes.append("there are no data; write [[data]] with a name, and a file or generated")
        elif not protections:
            self.mistakes.append("the grid is empty; write [[protection]] with a name and a method")


def _mistakes_of(spec: ProtectionSpec) -> Iterator[str]:
    """Yield what is wrong with a protection, as far as it can be told without its data."""
    if (spec.method is None) == (spec.plan is None):
        yield "give one of method and plan"
        return
    if spec.method not in (None, NO_METHOD, *METHODS):
        known = [*METHODS, NO_METHOD]
        hint = nearest_word(str(spec.method), known) or f"; choose {', '.join(known)}"
        yield f"there is no protection method {spec.method!r}{hint}"
        return
    if spec.plan is not None:
        yield from _mistakes_of_plan(spec)
        return
    known = [each.name for each in fields(ProtectOptions) if each.name not in OTHERS]
    for name in (*spec.parameters, *spec.grid):
        if name not in known:
            yield f"{name} is not an option{nearest_word(name, known) or '; leave it out'}"
        elif name in spec.parameters and name in spec.grid:
            yield f"{name} is given beside the grid; keep one"
        elif spec.method == NO_METHOD:
            yield f"{name} is given, and nothing is done; leave it out, or choose a method"


def _mistakes_of_plan(spec: ProtectionSpec) -> Iterator[str]:
    for name in spec.parameters:
        yield f"{name} is given beside a plan; put it into the plan"
    holes = set(_HOLE.findall(spec.plan or ""))
    for name in sorted(holes - spec.grid.keys()):
        yield f"the plan has {{{name}}}, and the grid no {name}; give it values there"
    for name in spec.grid.keys() - holes:
        yield f"the grid has {name}, and the plan no {{{name}}}; put it where its values belong"
    if holes == spec.grid.keys():
        try:
            read_plan(spec.options(next(combinations(spec.grid)))["plan"])
        except InputError as problem:
            yield str(problem)

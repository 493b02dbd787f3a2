"""The assessment file: an assessment described in TOML, with the options of the command line as its keys."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from linkrisk.assessment.assess import assess
from linkrisk.assessment.options import AssessmentFile, AssessOptions
from linkrisk.assessment.result import Assessment
from linkrisk.attack.reporter import Reporter
from linkrisk.data.opening import read_json, read_toml
from linkrisk.data.writing import check_results
from linkrisk.errors import InputError, OptionError, SettingsError
from linkrisk.options import option_of
from linkrisk.printable import file_name


def check_results_of(asked: AssessmentFile, inputs: Iterable[Path] = ()) -> None:
    """Refuse result files that could not be written or would replace an input, before anything is read.

    ``inputs`` are further input files: like the data, they must not be among the results.
    """
    pairs = [Path(asked.pairs)] if isinstance(asked.pairs, str | os.PathLike) else []
    read = [asked.original, asked.protected, *pairs, *inputs]
    check_results([asked.json, asked.records, asked.report], read, overwrite=asked.overwrite)


def run_assessment(asked: AssessmentFile, reporter: Reporter | None = None) -> Assessment:
    """Run the assessment that a file, or the command line, describes."""
    options = asked.part(AssessOptions).keywords()
    options["loss"] = asked.loss or asked.report is not None
    return assess(asked.original, asked.protected, reporter=reporter, **options)


def load_assessment_file(path: str | os.PathLike[str]) -> AssessmentFile:
    """Read an assessment file (TOML); every mistake in it is reported, one per line.

    Paths are relative to the folder of the file. Input files that do not exist count as mistakes, so that they are seen
    before any work.
    """
    from linkrisk.protection.planning.plan import is_plan_file  # noqa: PLC0415  (methods take a moment to load)

    path = Path(path)
    contents = _with_names_of_options(read_toml(path))
    for name in (field.name for field in fields(AssessmentFile) if option_of(field).kind.is_path):
        if name in contents:
            contents[name] = _in_folder(path.parent, contents[name])
    if is_plan_file(contents.get("plan")):
        contents["plan"] = _in_folder(path.parent, contents["plan"])
    mistakes = [(name, "is needed and not given") for name in ("original", "protected") if name not in contents]
    mistakes += [
        (name, f"names {file_name(contents[name])}, and there is no such file; check the path")
        for name in ("original", "protected", "pairs", "schema")
        if isinstance(contents.get(name), Path) and not contents[name].is_file()
    ]
    if any(name == "schema" for name, _ in mistakes):
        del contents["schema"]  # it cannot be read
    read = [each for name in ("schema", "published", "plan") for each in _paths(contents.get(name))]
    try:
        asked = AssessmentFile.of(contents)
    except OptionError as problem:
        mistakes += problem.mistakes
    except InputError as problem:
        mistakes.append(("", str(problem)))
    if mistakes:
        told = [f"{word_of(name)}: {fault.removeprefix(': ')}" if name else fault for name, fault in mistakes]
        raise SettingsError("\n".join(f"{file_name(path)}: {line}" for line in told))
    check_results_of(asked, [path, *read])
    return asked


def _in_folder(folder: Path, value: Any) -> Any:
    """Return what a file gives for a path, or for several, relative to its folder."""
    if isinstance(value, list):
        return [_in_folder(folder, each) for each in value]
    return folder / value if isinstance(value, str) else value


def _paths(value: Any) -> list[Path]:
    """Return the paths among what was given for an option."""
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, Path)]


def word_of(name: str) -> str:
    """Return what an option is called in a file or on the command line."""
    words = {field.name: option_of(field).word or field.name for field in fields(AssessmentFile)}
    return words.get(name, name)


def _with_names_of_options(contents: Mapping[str, Any]) -> dict[str, Any]:
    """Return the contents of a file with the names that the options have in Python."""
    names = {option_of(field).word or field.name: field.name for field in fields(AssessmentFile)}
    return {names.get(key, key): value for key, value in contents.items()}


def load_parameters(path: str | os.PathLike[str]) -> dict[str, dict[str, Any]]:
    """Read parameters of attackers from a JSON or TOML file: a table for each attacker."""
    path = Path(path)
    contents = read_toml(path) if path.suffix.lower() == ".toml" else read_json(path)
    if not isinstance(contents, dict) or not all(isinstance(entry, dict) for entry in contents.values()):
        raise SettingsError(
            f'{file_name(path)} has no table for each attacker; write them as {{"owa": {{"weights": [...]}}}}'
        )
    return contents

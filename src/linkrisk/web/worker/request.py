"""What a job is asked for, as the server has written it down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from linkrisk.data.raw_file import RawFile
from linkrisk.data.read import read_file
from linkrisk.errors import FileError
from linkrisk.printable import printable

NOT_MADE = "was not made, because no version tried reaches the target; allow more, or choose other methods"
"""Why a version is not there that a search was to make."""


@dataclass(frozen=True)
class Request:
    """A job: its kind, its folder, and the plain values that say what is wanted.

    Files are mappings of ``path`` and ``name``: where they are, and what their user calls them.
    """

    kind: str
    folder: Path
    values: Mapping[str, Any]

    @classmethod
    def read(cls, folder: Path) -> Request:
        """Read the request of a job from its folder."""
        values = json.loads((folder / "job.json").read_text(encoding="ascii"))
        return cls(values["kind"], folder, values)

    @property
    def options(self) -> dict[str, Any]:
        """The options of the verb, by their names in Python."""
        return dict(self.values["options"])

    def table(self, what: str) -> RawFile:
        """Return a file as it was read, called what its user calls it."""
        return self.named(self.values[what])

    def named(self, entry: Mapping[str, str]) -> RawFile:
        """Return a file as it was read, called what its user calls it."""
        if not Path(entry["path"]).exists():
            why_not = NOT_MADE
            raise FileError(f"{printable(entry['name'])} {why_not}")
        found = read_file(entry["path"], delimiter=self.options.get("delimiter"))
        return replace(found, name=printable(entry["name"]))

    def path(self, what: str) -> Path:
        """Return where a file is."""
        return Path(self.values[what]["path"])

    def published(self) -> dict[str, Any]:
        """Return what is published about the release, as an option; nothing where nothing is."""
        paths = [entry["path"] for entry in self.values.get("published", ())]
        return {"published": paths} if paths else {}

    def told(self, sentence: str) -> str:
        """Return a sentence in which files go by the names that their user has given them."""
        for entry in _files(self.values):
            sentence = sentence.replace(Path(entry["path"]).name, printable(entry["name"]))
        return sentence

    def told_values(self, value: Any) -> Any:
        """Return plain values in whose texts files go by the names that their user has given them."""
        if isinstance(value, str):
            return self.told(value)
        if isinstance(value, Mapping):
            return {key: self.told_values(each) for key, each in value.items()}
        return [self.told_values(each) for each in value] if isinstance(value, list | tuple) else value


def _files(value: Any) -> list[Mapping[str, str]]:
    """Return the files somewhere among the values."""
    if isinstance(value, Mapping):
        if set(value) == {"path", "name"}:
            return [value]
        return [file for each in value.values() for file in _files(each)]
    return [file for each in value for file in _files(each)] if isinstance(value, list) else []

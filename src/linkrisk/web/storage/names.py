"""Names of files that are sent up: shown, and sent back with results, but never part of a path."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from linkrisk.errors import FileError

LONGEST = 200
"""Characters of the longest name."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ENDING = re.compile(r"(\.[A-Za-z0-9]{1,10}){1,2}\Z")


@dataclass(frozen=True)
class NamedFile:
    """A file in the private folder, and what its user calls it."""

    path: Path
    name: str

    def plain(self) -> dict[str, str]:
        """Return it as plain values."""
        return {"path": str(self.path), "name": self.name}

    @property
    def stem(self) -> str:
        """What its user calls it, without ending.

        >>> NamedFile(Path("0"), "census.2020.csv.gz").stem
        'census.2020'
        """
        return self.name[: len(self.name) - len(_known_ending(self.name))]


def checked_name(name: str) -> str:
    r"""Return the name of a file as a browser sends it.

    Raises
    ------
    FileError
        If it is no plain name but a path, empty, too long, or holds control characters.

    Examples
    --------
    >>> checked_name("Größe %22a%22.csv")
    'Größe "a".csv'
    """
    for sent, meant in (("%22", '"'), ("%0D", "\r"), ("%0A", "\n")):  # what browsers write for these three
        name = name.replace(sent, meant)
    if name in ("", ".", "..") or "/" in name or "\\" in name:
        raise FileError("the name of a file must be a plain name, without folders; rename the file")
    if len(name) > LONGEST:
        raise FileError(f"the name of a file has more than {LONGEST} characters; give it a shorter one")
    if _CONTROL.search(name):
        raise FileError("the name of a file holds control characters; rename the file")
    return name


def path_for(folder: Path, what: str, name: str) -> Path:
    """Return where a file is kept: under a name of ours, with the ending of its own, which tells its format.

    >>> path_for(Path("case"), "original", "people.CSV.gz").suffixes
    ['.csv', '.gz']
    """
    return folder / f"{what}-{secrets.token_hex(8)}{_known_ending(name)}"


def disposition(name: str) -> str:
    r"""Return the header that has a browser save a file under a name (RFC 6266).

    >>> disposition('a "b"\\.csv')
    'attachment; filename="a _b__.csv"; filename*=UTF-8\'\'a%20%22b%22%5C.csv'
    """
    plain = re.sub(r"[^ !#-\[\]-~]|%", "_", name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _known_ending(name: str) -> str:
    found = _ENDING.search(name)
    if found is None:
        return ""
    ending = found[0].lower()
    return ending if ending.endswith(".gz") or ending.count(".") == 1 else f".{ending.rpartition('.')[2]}"

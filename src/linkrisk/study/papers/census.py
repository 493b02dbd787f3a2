"""Where the papers' data are."""

from __future__ import annotations

import os
from pathlib import Path

from linkrisk.errors import FileError
from linkrisk.printable import file_name

VARIABLE = "LINKRISK_CENSUS"
"""The variable of the environment that can name the file."""

HOW = (
    "the papers' data, Census, do not come with linkrisk: write CASCrefmicrodata of the R package sdcMicro as a CSV "
    f"file, and name it in census (--census) or in {VARIABLE}; or run on generated data that look like it: generated "
    "(--generated)"
)


def find_census(given: Path | None) -> Path:
    """Return the file of the papers' data.

    Raises
    ------
    FileError
        If none is named, or there is none.
    """
    named = given if given is not None else Path(os.environ.get(VARIABLE, ""))
    if named == Path():
        raise FileError(HOW)
    if not named.is_file():
        raise FileError(f"{file_name(named)} does not exist; {HOW}")
    return named

"""Reports as texts and as files: an internal one is readable by its owner alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from linkrisk.data.writing import check_writable, write_text
from linkrisk.errors import FileError, SettingsError
from linkrisk.printable import file_name
from linkrisk.report.handout.contents import Handout, Kind
from linkrisk.report.handout.html import as_page
from linkrisk.report.handout.make import make_handout
from linkrisk.report.handout.markdown import as_markdown
from linkrisk.result import Result

FORMS: dict[str, Callable[[Handout], str]] = {".html": as_page, ".md": as_markdown}
"""How a report is written, by the ending of its name."""


def report_text(result: Result, kind: str, ending: str) -> str:
    """Return the report on a result as the text of a file with some ending."""
    if kind not in list(Kind):
        raise SettingsError(f"kind of a report must be one of {', '.join(Kind)}")
    return FORMS[ending](make_handout(result, Kind(kind)))


def write_report(result: Result, path: str | os.PathLike[str], kind: str, *, overwrite: bool) -> None:
    """Write the report on a result, whole or not at all; see `linkrisk.result.ReportedResult.report`."""
    ending = Path(path).suffix.lower()
    if ending not in FORMS:
        raise FileError(f"{file_name(path)} must end in {' or '.join(FORMS)}; give the report such a name")
    check_writable(path, overwrite)  # before it is made, which takes a second
    text = report_text(result, kind, ending)
    write_text(path, text, confidential=kind == Kind.INTERNAL, overwrite=overwrite)

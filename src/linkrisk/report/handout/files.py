"""Reports as files: an internal one is readable by its owner alone."""

from __future__ import annotations

import os
from pathlib import Path

from linkrisk.data.writing import check_writable, write_text
from linkrisk.errors import FileError, SettingsError
from linkrisk.printable import file_name
from linkrisk.report.handout.contents import Kind
from linkrisk.report.handout.make import FORMS, report_text
from linkrisk.result import Result


def write_report(result: Result, path: str | os.PathLike[str], kind: str, *, overwrite: bool) -> None:
    """Write the report on a result, whole or not at all; see `linkrisk.result.ReportedResult.report`."""
    if kind not in list(Kind):
        raise SettingsError(f"kind of a report must be one of {', '.join(Kind)}")
    ending = Path(path).suffix.lower()
    if ending not in FORMS:
        raise FileError(f"{file_name(path)} must end in {' or '.join(FORMS)}; give the report such a name")
    check_writable(path, overwrite)  # before it is made, which takes a second
    text = report_text(result, Kind(kind), ending)
    write_text(path, text, confidential=kind == Kind.INTERNAL, overwrite=overwrite)

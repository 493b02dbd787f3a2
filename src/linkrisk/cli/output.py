"""What commands say. A standard output that is closed or full costs neither the result nor its files.

The first fault of standard output is remembered and told at the end; nothing is written to it afterwards. A reader that
has gone, as ``head`` does, is no fault: nobody reads what we would write.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkrisk.errors import FileError, InputError
from linkrisk.printable import printable, printable_lines

if TYPE_CHECKING:
    from linkrisk.assessment.options import ReportFile
    from linkrisk.result import ReportedResult, Result


class _Standard:
    """What is known of standard output in this run."""

    fault: Exception | None = None


def prepare() -> None:
    """Make standard output and standard error safe to write to, whatever they are; forget earlier faults."""
    _Standard.fault = None
    for descriptor in range(3):  # a closed one would be given to the next file that is opened, results for instance
        try:
            os.fstat(descriptor)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        _Standard.fault = OSError("it is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):  # a character that the terminal lacks is replaced
        sys.stdout.reconfigure(errors="replace")


def say(text: str) -> None:
    """Print a line on standard output; control characters of names in it are shown, not sent."""
    _put(f"{printable(text)}\n")


def warn(sentences: str) -> None:
    """Print sentences on standard error, one per line; if nobody can read them, they are lost."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(f"{printable_lines(sentences)}\n")
        sys.stderr.flush()


def show(result: Result, *, details: bool = False) -> None:
    """Print a result: on a terminal with colours, to files and pipes as `print` does."""
    if _Standard.fault is None:
        _put(_rendered(result, details))


def _rendered(result: Result, details: bool) -> str:
    """Return what is printed, before anything is: a fault of ours is none of standard output."""
    if not _is_terminal():
        return f"{result.to_text(details=details)}\n"
    from rich.console import Console  # noqa: PLC0415

    from linkrisk import report  # noqa: PLC0415
    from linkrisk.report.layout import room  # noqa: PLC0415

    console = Console(width=room())
    with console.capture() as captured:
        report.show(result, console, details=details)
    return captured.get()


def _is_terminal() -> bool:
    with contextlib.suppress(OSError, ValueError):  # ValueError: it was closed by the program that called us
        return sys.stdout.isatty()
    return False


def finish() -> str | None:
    """Write out what is left; return why standard output could not be written, None where it was or nobody reads it."""
    _put("")
    fault = _Standard.fault
    if fault is None or isinstance(fault, BrokenPipeError):
        return None
    said = os.strerror(fault.errno) if isinstance(fault, OSError) and fault.errno else str(fault)
    return f"standard output cannot be written ({said}); send it elsewhere, or have the result written to a file"


def lost(fault: Exception) -> None:
    """Remember that standard output cannot be written, and write nothing more to it."""
    _Standard.fault = _Standard.fault or fault
    # What is still waiting to be written would fail again when Python ends, with a complaint.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _put(text: str) -> None:
    if _Standard.fault is not None:
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, ValueError) as fault:  # ValueError: it was closed by the program that called us
        lost(fault)


@dataclass(frozen=True)
class ResultFile:
    """A file of a result: how it is written, and what is said once it is there."""

    write: Callable[[], None]
    told: tuple[str, ...]

    @classmethod
    def among(cls, path: Path | None, write: Callable[[], None], *, confidential: bool = False) -> list[ResultFile]:
        """Return the file if one was asked for."""
        words = "written, confidential" if confidential else "written"
        return [] if path is None else [cls(write, (f"{words}: {path}",))]


def report_file(result: ReportedResult, asked: ReportFile, *, overwrite: bool) -> list[ResultFile]:
    """Return the report on a result as a file, if one was asked for."""
    path, kind = asked.report, asked.report_kind
    if path is None:
        return []
    return ResultFile.among(
        path, lambda: result.report(path, kind=kind, overwrite=overwrite), confidential=kind == "internal"
    )


def deliver(
    result: Result, files: Sequence[ResultFile] = (), faults: Sequence[str] = (), *, details: bool = False
) -> None:
    """Show a result, then write its files: a fault of one of these never costs another; see `write_files`."""
    show(result, details=details)
    write_files(files, faults)


def write_files(files: Sequence[ResultFile], faults: Sequence[str] = ()) -> None:
    """Write files one by one, and say what was written.

    ``faults`` are sentences on what could not be written before.

    Raises
    ------
    FileError
        With a sentence for every file that could not be written, after everything else is done.
    """
    sentences = list(faults)
    for file in files:
        try:
            file.write()
        except InputError as problem:
            sentences.append(str(problem))
            continue
        for line in file.told:
            say(line)
    if sentences:
        raise FileError("\n".join(sentences))

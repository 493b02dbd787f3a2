"""The start of the command line: listens for signals before anything that takes time is imported."""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import os
import sys
from typing import NoReturn

from linkrisk.cli import output
from linkrisk.cli.endings import INPUT_MISTAKE, INTERRUPTED_LINE
from linkrisk.engine import copies, interrupt
from linkrisk.errors import InputError
from linkrisk.printable import file_name

OUTPUT_FAULTS = (errno.EPIPE, errno.ENOSPC, errno.EBADF)
"""How the system says that a standard output is gone, full or closed."""

GARBAGE = (1_000_000, 20, 100)
"""When Python looks for circular garbage: rarely. Imports make many objects, all of which stay; looking took a
quarter of a start."""


def start() -> NoReturn:
    """Run the command line in a process of its own, which ends as soon as all is written and said.

    Python would first take all modules apart, which takes a fifth of a second. What others want done at the end is
    done (`atexit`).
    """
    copies.allow()
    try:
        main()
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    atexit._run_exitfuncs()  # noqa: SLF001  (there is no public way to ask for it)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # `output.finish` has told of what is lost
            stream.flush()
    os._exit(code)


def main() -> NoReturn:
    """Run the command line; mistakes of the user end in one sentence and exit code 2."""
    gc.set_threshold(*GARBAGE)
    output.prepare()
    code = _ending()
    fault = output.finish()
    if fault is not None:
        output.warn(f"linkrisk: {fault}.")
        code = code or INPUT_MISTAKE
    sys.exit(code)


def _ending() -> int:
    """Run the command and return its exit code; say why where it has no result."""
    try:
        with interrupt.listening():
            return _run_command()
    except InputError as problem:
        output.warn(f"linkrisk: {_with_full_stops(str(problem))}")
        return INPUT_MISTAKE
    except MemoryError:
        output.warn("linkrisk: the memory of this machine is not enough; give fewer records or attributes.")
        return INPUT_MISTAKE
    except KeyboardInterrupt:  # before a command began; a command handles it itself
        output.warn(INTERRUPTED_LINE)
        return interrupt.exit_code()
    except OSError as fault:
        return _after_fault(fault)


def _after_fault(fault: OSError) -> int:
    """Tell of a file of ours that the system refuses; other files are handled where they are used.

    A fault without a file can be one of standard output, for instance of help that nobody can receive.
    """
    if fault.filename is None and fault.errno in OUTPUT_FAULTS:
        output.lost(fault)
        return 0
    from linkrisk.data.opening import reason  # noqa: PLC0415  (only where it is needed)

    if fault.filename is None:
        output.warn(f"linkrisk: the system refuses what is needed {reason(fault, 'try again, with less at once')}.")
    else:
        output.warn(f"linkrisk: {file_name(fault.filename)} cannot be used {reason(fault)}.")
    return INPUT_MISTAKE


def _run_command() -> int:
    from linkrisk.cli.commands import commands_in, make_app  # noqa: PLC0415  (imports typer)
    from linkrisk.cli.usage import UsageError, usage_sentence  # noqa: PLC0415

    try:
        app = make_app(commands_in(sys.argv[1:]))
        code = app(prog_name="linkrisk", standalone_mode=False)
    except UsageError as problem:
        sentence = usage_sentence(problem)
        if sentence:  # nothing where the help was shown
            output.warn(f"linkrisk: {_with_full_stops(sentence)}")
        return INPUT_MISTAKE
    finally:
        interrupt.check()  # typer ends silently if it is interrupted before the command
    return code if isinstance(code, int) else 0


def _with_full_stops(text: str) -> str:
    """Return sentences, one per line, each with a full stop at its end.

    >>> _with_full_stops("--holdout: must be less than or equal to 0.9")
    '--holdout: must be less than or equal to 0.9.'
    """
    return "\n".join(line if line.endswith((".", "?", "!")) else f"{line}." for line in text.split("\n"))

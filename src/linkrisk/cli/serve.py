"""The command ``serve``: a page on this machine, for people who do not write Python."""

from __future__ import annotations

from linkrisk.cli import output
from linkrisk.cli.derive import Given, with_options
from linkrisk.engine import interrupt
from linkrisk.web.options import Serving


@with_options(Serving)
def serve(given: Given) -> None:
    """Serve a page on this machine: choose files, watch the attacks, read the report, try a protection."""
    from linkrisk.web.serve import serve as run  # noqa: PLC0415

    asked = Serving.of(given)
    interrupt.check()
    run(asked, output.say)

"""The command ``verify``: a certificate checked against the files it was made for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkrisk.cli import output
from linkrisk.cli.endings import RULE_BROKEN
from linkrisk.cli.options import Original, Protected
from linkrisk.printable import file_name


def verify(
    certificate: Annotated[Path, typer.Argument(help="Certificate written by assess --certificates.")],
    original: Original,
    protected: Protected,
    pairs: Annotated[
        Path | None, typer.Option(help="File with the true pairs, if the assessment was given one.")
    ] = None,
) -> None:
    """Check a certificate: count its links again and check its proof, with separate code and exact arithmetic."""
    from linkrisk.cli.progress import reporting  # noqa: PLC0415
    from linkrisk.verifier.verify import verify as check  # noqa: PLC0415

    with reporting() as reporter:
        reporter.expect([0.0])
        reporter.step(f"checking {file_name(certificate)}")
        verification = check(certificate, original, protected, pairs=pairs, progress=reporter.progress)
    output.show(verification)
    if not verification.is_valid:
        raise typer.Exit(RULE_BROKEN)

"""The command ``protect``: a file in, its protected version, a record and a secret out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from linkrisk.cli import output
from linkrisk.cli.derive import Given, with_options
from linkrisk.cli.options import RESULTS, JsonResult, Original, paths_among, plan_file
from linkrisk.cli.output import ResultFile
from linkrisk.options import File, Options, option, same_option
from linkrisk.printable import file_name
from linkrisk.protection.options import ProtectOptions

if TYPE_CHECKING:
    from linkrisk.protection.protection import Protection
    from linkrisk.protection.release_files import ReleaseFiles

SEED_NOTICE = "linkrisk: --secret-seed is for tests; a seed that others can know or guess undoes the protection"


@dataclass(frozen=True, kw_only=True)
class ReleaseResult(Options):
    """Files that go with a release."""

    title: ClassVar[str] = RESULTS

    secret: Path | None = option(None, File(), "File for the seed (confidential). By default OUT.secret.")
    record: Path | None = option(None, File(), "Write what was done as JSON, without the seed.")
    overwrite: bool = same_option(JsonResult, "overwrite")


@dataclass(frozen=True, kw_only=True)
class ProtectCommand(ReleaseResult, ProtectOptions):
    """What the command takes besides original, method and result."""


@with_options(ProtectCommand)
def protect(
    original: Original,
    out: Annotated[Path, typer.Option(help="The protected file to write, .csv or .parquet.", rich_help_panel=RESULTS)],
    given: Given,
    method: Annotated[str | None, typer.Option(help="How the file is protected.")] = None,
) -> None:
    """Protect a file by one method, or each column as a plan says, and write its protected version."""
    from linkrisk.cli.progress import reporting  # noqa: PLC0415
    from linkrisk.protection.protect import is_planned  # noqa: PLC0415
    from linkrisk.protection.protect import protect as run  # noqa: PLC0415
    from linkrisk.protection.registry import find_method  # noqa: PLC0415
    from linkrisk.protection.release_files import ReleaseFiles  # noqa: PLC0415

    asked = ProtectCommand.of(given)
    if is_planned(method, asked.plan):
        what, draws = "the plan", asked.plan.draws
    else:
        what, draws = str(method), find_method(str(method)).draws(random=asked.random)
    files = ReleaseFiles.of(what, out, asked.secret, asked.record, draws=draws)
    files.check([original, *paths_among(given.get("schema"), plan_file(given))], overwrite=asked.overwrite)
    with reporting() as reporter:
        reporter.expect([0.0])
        reporter.step(f"protecting {file_name(original)}")
        protection = run(original, method, progress=reporter.progress, **asked.part(ProtectOptions).keywords())
    if asked.secret_seed is not None:
        output.warn(SEED_NOTICE)
    output.deliver(protection, [release_file(protection, files, overwrite=asked.overwrite)])


def release_file(protection: Protection, files: ReleaseFiles, *, overwrite: bool) -> ResultFile:
    """Return a release to be written: the protected file, its secret and its record, all of them or none."""
    told = [f"written: {files.out}"]
    told += [] if files.secret is None else [f"written, confidential (the seed): {files.secret}"]
    told += [] if files.record is None else [f"written: {files.record}"]

    def write() -> None:
        protection.write(files.out, secret=files.secret, record=files.record, overwrite=overwrite)

    return ResultFile(write, tuple(told))

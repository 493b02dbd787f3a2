"""The command ``protect``: a file in, its protected version, a record and a secret out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from linkrisk.cli.derive import Given, with_options
from linkrisk.cli.options import RESULTS, JsonResult, Original, paths_among, plan_file
from linkrisk.cli.show import show
from linkrisk.options import File, Options, option, same_option
from linkrisk.protection.options import ProtectOptions

if TYPE_CHECKING:
    from linkrisk.protection.protection import Protection
    from linkrisk.protection.release_files import ReleaseFiles

SEED_NOTICE = "linkrisk: --secret-seed is for tests; a seed that others can know or guess undoes the protection"

METHODS_HELP = (
    "mdav, individual_ranking, z_scores, principal_components, rank_swap, noise, correlated_noise, pram, rounding, "
    "coding, generalise."
)


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
    method: Annotated[str | None, typer.Option(help=METHODS_HELP)] = None,
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

        def tell(done: int, total: int) -> None:
            reporter.step(f"protecting {original.name}, {done / total:.0%}")

        protection = run(original, method, progress=tell, **asked.part(ProtectOptions).keywords())
    if asked.secret_seed is not None:
        typer.echo(SEED_NOTICE, err=True)
    protection.write(out, secret=asked.secret, record=asked.record, overwrite=asked.overwrite)
    tell_release(protection, files)


def tell_release(protection: Protection, files: ReleaseFiles) -> None:
    """Tell what was done and which files were written."""
    show(protection)
    typer.echo(f"written: {files.out}")
    if files.secret is not None:
        typer.echo(f"written, confidential (the seed): {files.secret}")
    if files.record is not None:
        typer.echo(f"written: {files.record}")

"""The command ``tune``: the least loss of which no attacker links more than a target."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from linkrisk.advice.options import TuneOptions
from linkrisk.cli import output
from linkrisk.cli.derive import Given, with_options
from linkrisk.cli.endings import RULE_BROKEN
from linkrisk.cli.options import RESULTS, JsonResult, Original, paths_among, plan_file
from linkrisk.cli.output import ResultFile
from linkrisk.cli.protect import SEED_NOTICE, ReleaseResult, release_file
from linkrisk.engine import interrupt
from linkrisk.errors import OptionError, SettingsError
from linkrisk.name_list import join_names
from linkrisk.options import File, Number, option
from linkrisk.printable import file_name

if TYPE_CHECKING:
    from linkrisk.advice.tuning import Trial, Tuning
    from linkrisk.protection.release_files import ReleaseFiles


@dataclass(frozen=True, kw_only=True)
class TuneResult(JsonResult, ReleaseResult):
    """All trials as JSON, and the best release with what goes with it."""

    title: ClassVar[str] = RESULTS

    out: Path | None = option(None, File((".csv", ".parquet")), "Write the best release, .csv or .parquet.")


@dataclass(frozen=True, kw_only=True)
class TuneCommand(TuneResult, TuneOptions):
    """What the command takes besides file, method and target."""


@with_options(TuneCommand)
def tune(
    original: Original,
    target_rate: Annotated[
        str, typer.Option(help="Share of the people that the strongest attacker may link: 0.05.", metavar="NUMBER")
    ],
    given: Given,
    method: Annotated[str | None, typer.Option(help="How the file is protected.")] = None,
) -> None:
    """Find strengths of a protection with the least loss of which no attacker links more than a target.

    If no release tried reaches the target, none is written and the exit code is 1.
    """
    from linkrisk.advice.tune import tune as search  # noqa: PLC0415
    from linkrisk.cli.progress import reporting  # noqa: PLC0415
    from linkrisk.protection.protect import is_planned  # noqa: PLC0415
    from linkrisk.protection.registry import find_method  # noqa: PLC0415

    asked, target = TuneCommand.of(given), _target(target_rate)
    if is_planned(method, asked.plan):
        what, draws = "the plan", asked.plan.draws
    else:
        what, draws = str(method), find_method(str(method)).is_random
    files = _release_files(what, asked, draws=draws)
    _check(asked, files, [original, *paths_among(given.get("schema"), plan_file(given))])
    with reporting() as reporter:
        tuning = search(original, method, target, reporter=reporter, **asked.part(TuneOptions).keywords())
    if asked.secret_seed is not None:
        output.warn(SEED_NOTICE)
    _deliver(tuning, asked, files)
    if tuning.best is not None and files is None:
        _tell_how(tuning, original, given, draws=draws)
    _end(tuning, asked)


def _target(text: str) -> float:
    """Return the target, told as all mistakes are where it is no number."""
    try:
        return Number(0.0, 1.0).from_text(text)
    except ValueError as problem:
        raise OptionError([("target_rate", str(problem))]) from None


def _release_files(method: str, asked: TuneCommand, *, draws: bool) -> ReleaseFiles | None:
    """Return where the best release is written to, None where it is not asked for."""
    from linkrisk.protection.release_files import ReleaseFiles  # noqa: PLC0415

    if asked.out is not None:
        return ReleaseFiles.of(method, asked.out, asked.secret, asked.record, draws=draws)
    if asked.secret is not None or asked.record is not None:
        raise SettingsError("--record and --secret go with the release; give --out as well")
    return None


def _check(asked: TuneCommand, files: ReleaseFiles | None, inputs: list[Path]) -> None:
    """Refuse result files that could not be written, before anything is read."""
    from linkrisk.data.writing import check_results  # noqa: PLC0415

    if files is None:
        check_results([asked.json, asked.report], inputs, overwrite=asked.overwrite)
    else:
        files.check(inputs, [asked.json, asked.report], overwrite=asked.overwrite)


def _deliver(tuning: Tuning, asked: TuneCommand, files: ReleaseFiles | None) -> None:
    """Show what was tried, and write it and the best release where they were asked for."""
    output.show(tuning)
    written = ResultFile.among(asked.json, lambda: tuning.write(asked.json, overwrite=asked.overwrite))
    if tuning.release is not None and files is not None:
        output.show(tuning.release)
        written.append(release_file(tuning.release, files, overwrite=asked.overwrite))
    written += output.report_file(tuning, asked, overwrite=asked.overwrite)
    output.write_files(written)


def _end(tuning: Tuning, asked: TuneCommand) -> None:
    """End with the code of an interrupt, or with 1 where the target is missed."""
    if not tuning.is_complete:
        raise typer.Exit(interrupt.exit_code())
    if tuning.best is None:
        lacking = "" if asked.out is None else f", and {file_name(asked.out)} is not written"
        output.warn(f"linkrisk: no release tried reaches the target{lacking}; allow more, or try another method.")
        raise typer.Exit(RULE_BROKEN)


def _tell_how(tuning: Tuning, original: Path, given: Mapping[str, Any], *, draws: bool) -> None:
    """Tell the command that makes the best release."""
    is_one_line = not tuning.is_planned or tuning.release is None or isinstance(tuning.release.parameters["plan"], str)
    if is_one_line:
        output.say(f"To make it: {_command(tuning, original, given)}")
    else:
        output.say(
            "To make it: write the strengths of the release into a TOML file and give it to protect (--plan); this "
            "plan cannot be written on one line."
        )
    if draws:
        output.say(
            "It draws new random numbers: attack that file before you release it, or tune with --out to get the file "
            "that was attacked."
        )


def _command(tuning: Tuning, original: Path, given: Mapping[str, Any]) -> str:
    """Return the command that makes the best release; a random method draws new numbers."""
    assert tuning.best is not None  # noqa: S101  (only called where there is one)
    parts = ["linkrisk", "protect", str(original)]
    parts += ["--plan", tuning.best.text] if tuning.is_planned else _by_method(tuning, tuning.best, given)
    for name in ("schema", "nominal", "ordinal", "numeric", "confidential", "missing", "delimiter"):
        if name in given:
            value = given[name]
            parts += [f"--{name}", join_names(value) if isinstance(value, list) else str(value)]
    return shlex.join([*parts, "--out", "protected.csv"])


def _by_method(tuning: Tuning, best: Trial, given: Mapping[str, Any]) -> list[str]:
    """Return the options that make the best release of one method."""
    from linkrisk.protection.registry import find_method  # noqa: PLC0415

    method = find_method(tuning.method)
    parts = ["--method", tuning.method, "--groups" if method.takes_groups else f"--{tuning.what}", best.text]
    parts += ["--raw"] if given.get("raw") and "raw" in method.parameters else []
    left, dropped = ((), ()) if tuning.release is None else (tuning.release.left, tuning.release.dropped)
    for name, columns in (("leave", left), ("drop", dropped)):
        parts += [f"--{name}", join_names(str(column) for column in columns)] if columns else []
    return parts

"""The command ``tune``: the least loss whose worst case stays under a target."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linkrisk.cli.options import (
    Delimiter,
    MissingCodes,
    Original,
    Overwrite,
    RiskAttackers,
    Scales,
    SchemaFile,
    SecretFile,
    SecretSeed,
    Threads,
    TieRule,
    check_results,
    delimiter_of,
    names_of,
)
from linkrisk.cli.protect import SEED_NOTICE, beside, check_outputs, tell_release, write_release
from linkrisk.cli.show import show
from linkrisk.engine import interrupt
from linkrisk.errors import SettingsError

if TYPE_CHECKING:
    from linkrisk.advice.tuning import Tuning

NOT_REACHED = 1
"""Exit code where a release was asked for and none reaches the target."""


def tune(
    original: Original,
    method: Annotated[
        str,
        typer.Option(
            help="mdav, individual_ranking, z_scores, principal_components (k is tuned), rank_swap, noise, "
            "correlated_noise (p is tuned)."
        ),
    ],
    target_rate: Annotated[float, typer.Option(help="Share of the people the strongest attacker may link: 0.05.")],
    groups: Annotated[
        str | None, typer.Option(help="Attributes protected together: A,B;C,D. Default: several sizes are tried.")
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help="mdav: cluster raw values, not standardised ones.")] = False,
    attributes: Annotated[
        str | None, typer.Option(help="Attributes the intruder knows, to be protected: a,b,c. Default: all.")
    ] = None,
    leave: Annotated[str | None, typer.Option(help="Columns to release as they are: a,b,c.")] = None,
    schema: SchemaFile = None,
    missing: MissingCodes = None,
    delimiter: Delimiter = None,
    attackers: RiskAttackers = None,
    scales: Scales = "separate,original,ranks",
    ties: TieRule = "expected",
    time_limit: Annotated[
        float, typer.Option(help="Seconds for learning each attacker on each scale of each trial.")
    ] = 2.0,
    trials: Annotated[int, typer.Option(help="Releases made and attacked at most.")] = 60,
    out: Annotated[Path | None, typer.Option(help="Write the best release, .csv or .parquet.")] = None,
    secret: SecretFile = None,
    record: Annotated[Path | None, typer.Option(help="Write what was done to the best release as JSON.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write all trials as JSON; nothing in it is of a record.")] = None,
    seed: SecretSeed = None,
    threads: Threads = None,
    overwrite: Overwrite = False,
) -> None:
    """Search the strengths of a protection for the least loss whose worst case stays under a target.

    With --out the exit code is 1, and no file is written, where no release tried reaches the target.
    """
    from rich.console import Console  # noqa: PLC0415

    from linkrisk.advice.risk import ATTACKERS  # noqa: PLC0415
    from linkrisk.advice.tune import tune as search  # noqa: PLC0415
    from linkrisk.cli.progress import TerminalReporter  # noqa: PLC0415
    from linkrisk.protection.registry import find_method  # noqa: PLC0415
    from linkrisk.protection.specification import parse_groups  # noqa: PLC0415

    draws = find_method(method).is_random
    if secret is not None and not draws:
        raise SettingsError(f"{method} draws nothing and has no secret; leave out --secret")
    side_file = secret
    if out is not None and secret is None and draws:
        side_file = beside(out, ".secret")
    _check_files([original, schema], out, [side_file, record], json, overwrite=overwrite)
    parsed = None if groups is None else parse_groups(groups)
    if parsed is not None and parsed.k is not None:
        raise SettingsError("--groups: k is what is tuned; name the groups only, such as A,B;C,D")
    with TerminalReporter(Console(stderr=True)) as reporter:
        tuning = search(
            original,
            method,
            target_rate,
            groups=None if parsed is None else parsed.names,
            standardise=not raw,
            attributes=names_of(attributes),
            leave=names_of(leave) or (),
            schema=schema,
            missing=names_of(missing),
            delimiter=delimiter_of(delimiter),
            attackers=names_of(attackers) or ATTACKERS,
            scales=names_of(scales) or [],
            ties=ties,
            time_limit=time_limit,
            max_trials=trials,
            seed=seed,
            threads=threads,
            reporter=reporter,
        )
    tuning.write(json, overwrite=overwrite)
    if tuning.release is not None and out is not None:
        write_release(tuning.release, original, out, side_file, record, overwrite=overwrite)
    if seed is not None:
        typer.echo(SEED_NOTICE, err=True)
    show(tuning)  # after all is written: a pipe that is closed must not cost the result
    if json is not None:
        typer.echo(f"written: {json}")
    if tuning.release is not None and out is not None:
        tell_release(tuning.release, out, side_file, record)
    elif tuning.best is not None:
        reading: dict[str, str | Path | None] = {"--schema": schema, "--missing": missing, "--delimiter": delimiter}
        typer.echo(f"To make it: {_command(tuning, original, reading, raw=raw)}")
        if draws:
            typer.echo(
                "It draws anew: attack that file before you release it, or tune with --out to get the one attacked."
            )
    if not tuning.is_complete:
        raise typer.Exit(interrupt.INTERRUPTED)
    if out is not None and tuning.release is None:
        typer.echo(f"linkrisk: no release tried reaches the target, and {out} is not written.", err=True)
        raise typer.Exit(NOT_REACHED)


def _check_files(
    inputs: list[Path | None], out: Path | None, others: list[Path | None], json: Path | None, *, overwrite: bool
) -> None:
    """Refuse, before anything is read, files that could not be written."""
    if out is not None:
        more = [path for path in (*others, json) if path is not None]
        check_outputs(inputs, out, more, overwrite=overwrite)
    elif any(path is not None for path in others):
        raise SettingsError("--record and --secret go with the release; give --out as well")
    else:
        check_results([json], inputs, overwrite=overwrite)


def _command(tuning: Tuning, original: Path, reading: dict[str, str | Path | None], *, raw: bool) -> str:
    """Return the command that makes the best release; a random method draws anew."""
    from linkrisk.data.name_list import join_names  # noqa: PLC0415
    from linkrisk.protection.registry import find_method  # noqa: PLC0415

    assert tuning.best is not None  # noqa: S101  (only called where there is one)
    option = "--groups" if find_method(tuning.method).takes_groups else f"--{tuning.what}"
    parts = ["linkrisk", "protect", str(original), "--method", tuning.method, option, tuning.best.text]
    parts += ["--raw"] if raw and tuning.method == "mdav" else []
    left = [] if tuning.release is None else tuning.release.parameters["leave"]
    parts += ["--leave", join_names(left)] if left else []
    parts += [part for name, value in reading.items() if value is not None for part in (name, str(value))]
    return shlex.join([*parts, "--out", "protected.csv"])

"""The commands ``assess`` and ``run``: an assessment asked for on the command line, or in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkrisk.assessment.options import AssessmentFile
from linkrisk.cli import output
from linkrisk.cli.derive import Given, with_options
from linkrisk.cli.options import Original, Protected, paths_among, plan_file
from linkrisk.cli.output import ResultFile, report_file
from linkrisk.cli.rules import end_by_rules
from linkrisk.engine import interrupt

if TYPE_CHECKING:
    from linkrisk.assessment.result import Assessment


@with_options(AssessmentFile, without=("original", "protected"))
def assess(
    original: Original,
    protected: Protected,
    given: Given,
    parameters: Annotated[
        Path | None,
        typer.Option(help="JSON or TOML file with parameters of attackers.", rich_help_panel="Who attacks"),
    ] = None,
) -> None:
    """Attack a protected file with every attacker asked for, and tell what they find."""
    from linkrisk.assessment.file import check_results_of, load_parameters  # noqa: PLC0415

    asked = {**given, "original": original, "protected": protected}
    if parameters is not None:
        asked["attackers"] = _with_parameters(given.get("attackers", []), load_parameters(parameters))
    settings = AssessmentFile.of(asked)
    read = paths_among(given.get("schema"), parameters, plan_file(given), *given.get("published", ()))
    check_results_of(settings, read)
    carry_out(settings)


def run(file: Annotated[Path, typer.Argument(help="Assessment file (TOML).")]) -> None:
    """Run the assessment described in a TOML file; its keys are the options of assess."""
    from linkrisk.assessment.file import load_assessment_file  # noqa: PLC0415

    carry_out(load_assessment_file(file))


def carry_out(settings: AssessmentFile) -> None:
    """Run an assessment, show it, write its results, and end as the release rules say."""
    from linkrisk.assessment.file import run_assessment  # noqa: PLC0415
    from linkrisk.cli.progress import reporting  # noqa: PLC0415

    interrupt.check()
    with reporting() as reporter:
        assessment = run_assessment(settings, reporter)
    try:
        _deliver(assessment, settings)
    except KeyboardInterrupt:
        interrupt.handled()
        output.warn("linkrisk: interrupted while the result was shown and written")
        raise typer.Exit(interrupt.exit_code()) from None
    end_by_rules(assessment)


def _deliver(assessment: Assessment, settings: AssessmentFile) -> None:
    """Show the assessment, and write the files asked for."""
    json, records, overwrite = settings.json, settings.records, settings.overwrite
    files = [
        *ResultFile.among(json, lambda: assessment.write(json, overwrite=overwrite), confidential=True),
        *ResultFile.among(records, lambda: assessment.write(None, records, overwrite=overwrite), confidential=True),
        *report_file(assessment, settings, overwrite=overwrite),
    ]
    folder = settings.certificates
    is_proven = any(attack.bound is not None for attack in assessment.attacks)
    if folder is not None and is_proven and not assessment.unwritten:
        files.append(ResultFile(lambda: None, (f"written, confidential: {folder}",)))  # while the attackers learned
    output.deliver(assessment, files, assessment.unwritten, details=settings.details)


def _with_parameters(names: list[str], given: dict[str, dict[str, Any]]) -> list[Any]:
    """Join attackers with their parameters; those named only in the parameters file are run too."""
    ordered = list(dict.fromkeys([*names, *given]))
    return [{"name": name, **given[name]} if name in given else name for name in ordered]

"""The reference, written from the code: every option of every command.

``python -m tests.reference`` writes docs/reference.md; `test_reference` fails where the file is not up to date.
"""

from __future__ import annotations

import importlib
import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, get_args

from typer.models import ArgumentInfo, OptionInfo

import linkrisk
from linkrisk.assessment.options import AssessmentFile
from linkrisk.cli import study
from linkrisk.cli.commands import make_app
from linkrisk.cli.compare import CompareCommand
from linkrisk.cli.loss import LossCommand
from linkrisk.cli.match import MatchCommand
from linkrisk.cli.method_help import METHODS_HELP
from linkrisk.cli.papers import PapersCommand
from linkrisk.cli.protect import ProtectCommand
from linkrisk.cli.tune import TuneCommand
from linkrisk.options import Choice, Choices, Number, Options, Values, Whole, option_of
from linkrisk.protection.options import EachAttribute
from linkrisk.study.options import RunOptions
from tests.documents import ROOT

PAGE = ROOT / "docs" / "reference.md"

OPENING = """# Reference

All options of all commands, written from the code by `make reference`. The [guide](guide/README.md) explains what is
only listed here. The site has a page on each package with the names that Python programs may use.

On the command line an option is written `--time-limit 10`, in Python `time_limit=10`, in an assessment file
`time_limit = 10`. The last column says what Python calls it where that is another word; `result.write(json=...)` means
that Python writes files from the result. Lists are written with commas, `--scales separate,ranks`; a name that holds a
comma stands in quotation marks. Every command exits with 0 if all went well, 2 after a mistake in what was given, and
130 after Ctrl-C.
"""

GROUPS: dict[str, type[Options]] = {
    "assess": AssessmentFile,
    "protect": ProtectCommand,
    "loss": LossCommand,
    "compare": CompareCommand,
    "tune": TuneCommand,
    "match": MatchCommand,
    "study run": RunOptions,
    "study show": study.ShowCommand,
    "study export": study.ExportCommand,
    "study papers": PapersCommand,
}
"""The options of the commands that are derived from them."""

RESULTS = {
    "assess": "Assessment",
    "protect": "protection.Protection",
    "loss": "losses.Loss",
    "compare": "advice.Releases",
    "tune": "advice.Tuning",
    "match": "tables.MatchReport",
    "verify": "verifier.Verification",
}
"""What the verb of each command returns."""

ELSEWHERE = {
    ("assess", "parameters"): "given with the attacker: `attackers.OWA([0.5, 0.5])`",
    ("assess", "details"): "`result.to_text()`",
    **{
        (verb, option): f"`result.report(path{', kind=...' if option == 'report_kind' else ''})`"
        for verb in RESULTS
        for option in ("report", "report_kind")
    },
    ("match", "mechanism"): "`tables.TableDescription`",
    ("match", "base"): "`tables.TableDescription`",
    ("match", "count"): "`tables.TableDescription`",
    ("tune", "out"): "`result.release.write(out)`",
    ("tune", "secret"): "`result.release.write(out, secret=...)`",
    ("tune", "record"): "`result.release.write(out, record=...)`",
}
"""Options that are neither keywords of the verb nor of its result's ``write``: where Python has them."""


@dataclass(frozen=True)
class Entry:
    """One line of a command's table."""

    panel: str
    option: str
    values: str
    default: str
    meaning: str
    python: str


def reference() -> str:
    """Return the whole page."""
    return "\n".join([OPENING, *(command_text(name, command) for name, command in all_commands().items())])


def all_commands() -> dict[str, Callable[..., None]]:
    """Return all commands by what is typed; those of ``study`` have two words."""
    app = make_app()
    found = {info.callback.__name__: info.callback for info in app.registered_commands if info.callback is not None}
    for group in app.registered_groups:
        assert group.typer_instance is not None
        inside = group.typer_instance.registered_commands
        found |= {f"{group.name} {info.name}": info.callback for info in inside if info.callback is not None}
    return found


def command_text(name: str, command: Callable[..., None]) -> str:
    """Return heading, call and tables of one command."""
    told = (inspect.getdoc(command) or "").split("\n\n")
    own = [(parameter, _declared(parameter)) for parameter in _signature(command).parameters.values()]
    arguments = [_argument_text(parameter) for parameter, info in own if isinstance(info, ArgumentInfo)]
    needed = [f"{_flag(p, i)} ..." for p, i in own if isinstance(i, OptionInfo) and p.default is p.empty]
    call = " ".join(["linkrisk", name, *arguments, *needed])
    python = f" From Python: `linkrisk.{name}`." if name in RESULTS else ""
    lines = [f"## {name}\n", f"`{call}`\n", " ".join(" ".join(told).split()) + python + "\n"]
    entries = [_entry(name, parameter, info) for parameter, info in own if isinstance(info, OptionInfo)]
    for panel in sorted({entry.panel for entry in entries}, key=_panel_order):
        lines += [f"**{panel}**\n", *_table([entry for entry in entries if entry.panel == panel])]
    return "\n".join(lines)


PANELS = ("Options", "How the files are read", "How the file is protected", "Who attacks", "How attackers learn")
"""Headings in the order of a run; others follow, and last what is written."""


def _panel_order(panel: str) -> tuple[int, str]:
    place = PANELS.index(panel) if panel in PANELS else len(PANELS)
    return (place if panel != "What is written" else len(PANELS) + 1), panel


def _signature(command: Callable[..., None]) -> inspect.Signature:
    return inspect.signature(command, eval_str=True)


def _declared(parameter: inspect.Parameter) -> ArgumentInfo | OptionInfo:
    """Return what a command says about one of its parameters."""
    found = next(entry for entry in get_args(parameter.annotation) if isinstance(entry, ArgumentInfo | OptionInfo))
    assert isinstance(found, ArgumentInfo | OptionInfo)
    return found


def _argument_text(parameter: inspect.Parameter) -> str:
    is_list = "list" in str(parameter.annotation)
    name = parameter.name.upper()
    return f"{name.removesuffix('S')}1 {name.removesuffix('S')}2 ..." if is_list else name


def _flag(parameter: inspect.Parameter, info: OptionInfo) -> str:
    declared = [name for name in (info.default, *(info.param_decls or ())) if str(name).startswith("--")]
    return str(declared[0]) if declared else f"--{parameter.name.replace('_', '-')}"


def _entry(command: str, parameter: inspect.Parameter, info: OptionInfo) -> Entry:
    group = GROUPS.get(command)
    field = next((each for each in fields(group) if each.name == parameter.name), None) if group else None
    if field is None:
        values, default = _plain_values(parameter), _plain_default(parameter)
    else:
        kind = option_of(field).kind
        values = values_text(kind)
        default = _default_text(kind, field.default)
    flag = _flag(parameter, info)
    python = _python(command, parameter.name, flag)
    is_method = parameter.name == "method" and command in METHODS_HELP
    told = METHODS_HELP[command]().replace("\n\n", " ") if is_method else str(info.help)
    meaning = told.removesuffix(" Repeatable.")
    return Entry(str(info.rich_help_panel or "Options"), flag, values, default, meaning, python)


def values_text(kind: Values) -> str:
    """Return the values an option takes, in words.

    >>> values_text(Number(0.0, below=1.0)), values_text(Choice(("all", "test")))
    ('number from 0 to below 1', '`all` or `test`')
    """
    if isinstance(kind, Number):
        return _number_text(kind)
    if isinstance(kind, Whole):
        return f"whole number, {kind.least} or more"
    if isinstance(kind, Choice | Choices):
        *words, last = [f"`{word}`" for word in kind.words]
        is_one = isinstance(kind, Choice)
        return f"{', '.join(words)} or {last}" if is_one else f"some of {', '.join([*words, last])}"
    if isinstance(kind, EachAttribute):
        return "value, or `A:value,B:value`"
    shown = "yes or no" if kind.is_flag else f"`{kind.metavar}`"
    return f"{shown}, repeatable" if kind.is_repeatable else shown


def _number_text(kind: Number) -> str:
    if kind.below is None and math.isinf(kind.most):
        return f"number, {kind.least:g} or more"
    upper = f"{kind.most:g}" if kind.below is None else f"below {kind.below:g}"
    return f"number from {kind.least:g} to {upper}"


def _default_text(kind: Values, default: Any) -> str:
    if default is None or default == ():
        return ""
    if kind.is_flag:
        return "yes" if default else "no"
    plain = kind.plain(default)
    text = (
        ", ".join(map(str, plain)) if isinstance(plain, list) else f"{plain:g}" if isinstance(plain, float) else plain
    )
    return f"`{text}`"


def _plain_values(parameter: inspect.Parameter) -> str:
    kinds = {"Path": "`FILE`", "float": "number from 0 to 1", "int": "whole number", "bool": "yes or no"}
    return next((text for name, text in kinds.items() if name in str(get_args(parameter.annotation)[0])), "text")


def _plain_default(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty:
        return "needed"
    default = parameter.default
    return "" if default is None else ("no" if default is False else f"`{default}`")


def _python(command: str, name: str, flag: str) -> str:
    """Return where Python has an option, empty where it is a keyword of the same name."""
    if command not in RESULTS:
        return ""
    if (command, name) in ELSEWHERE:
        return ELSEWHERE[command, name]
    if name in inspect.signature(getattr(linkrisk, command)).parameters:
        return "" if flag.split("/", maxsplit=1)[0].removeprefix("--").replace("-", "_") == name else f"`{name}`"
    written = inspect.signature(_result(command).write).parameters
    assert name in written, f"{flag} of {command}: say in ELSEWHERE where Python has it"
    return f"`result.write({name}=...)`"


def _result(command: str) -> Any:
    package, _, name = f"linkrisk.{RESULTS[command]}".rpartition(".")
    return getattr(importlib.import_module(package), name)


def _table(entries: Sequence[Entry]) -> Iterator[str]:
    has_python = any(entry.python for entry in entries)
    heads = ["option", "values", "default", "meaning", *(["Python"] if has_python else [])]
    yield _row(heads)
    yield "|".join(["", *["---"] * len(heads), ""])
    for entry in entries:
        flag = f"`{entry.option.split('/')[0]}`" + "".join(f", `{other}`" for other in entry.option.split("/")[1:])
        cells = [flag, entry.values, entry.default, entry.meaning, *([entry.python] if has_python else [])]
        yield _row(cells)
    yield ""


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")

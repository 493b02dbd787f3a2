"""Commands derived from declared options: every field of a group becomes an option of the command line."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import Field, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from linkrisk.errors import InputError, OptionError, SettingsError
from linkrisk.options import Option, Options, Values, option_of

Given = Mapping[str, Any]
"""The options that a user has given, by their names in Python; those that he left out are not in it."""


def with_options(
    group: type[Options], *, without: Collection[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of a group, except those in ``without``; what a user gives reaches it as ``given``.

    The kind of each option reads its text, and the group checks all values when it is made; so limits are written in
    one place only. Mistakes are reported with the names of the command line.
    """
    declared = {field.name: field for field in fields(group) if field.name not in without}

    def derived(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(**texts: Any) -> None:
            own = {name: value for name, value in texts.items() if name not in declared}
            try:
                command(**own, given=_read({name: texts[name] for name in declared}, declared, group))
            except OptionError as problem:
                raise SettingsError(problem.told(lambda name: _flag(name, declared))) from None

        signature = inspect.signature(command, eval_str=True)
        own = [parameter for name, parameter in signature.parameters.items() if name != "given"]
        options = [_parameter(field, group) for field in declared.values()]
        parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in (*own, *options)]
        run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # as inspect documents it
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return derived


def _parameter(field: Field[Any], group: type[Options]) -> inspect.Parameter:
    """Return an option as typer reads it; its default is None, because the group declares the defaults."""
    told = option_of(field)
    shown = _default_text(field, told)
    one = Path if told.kind.is_path else str  # so that shells complete names of files
    kind: Any = bool if told.kind.is_flag else (list[str] if told.kind.is_repeatable else one)
    name = f"--{_word(field)}"
    declaration = typer.Option(
        f"{name}/--no-{_word(field)}" if told.kind.is_flag and field.default is not False else name,
        help=f"{told.help}{' Repeatable.' if told.kind.is_repeatable else ''}",
        metavar=None if told.kind.is_flag else told.kind.metavar,
        show_default=shown,
        rich_help_panel=_panel(field, group),
        autocompletion=None if told.kind.is_flag or told.kind.is_path else completing(told.kind),
    )
    return inspect.Parameter(
        field.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, declaration]
    )


def completing(kind: Values) -> Callable[[str], list[str]]:
    """Return what a shell asks for the words that a text may become; of a list with commas the last one grows."""

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",") if kind.is_list else ("", "", incomplete)
        return [f"{before}{comma}{word}" for word in kind.suggestions() if word.startswith(last)]

    return complete


def _default_text(field: Field[Any], told: Option) -> str | bool:
    """Return the default as a user would type it; False where none is to be shown."""
    if field.default is None or told.kind.is_flag:
        return False
    plain = told.kind.plain(field.default)
    text = ",".join(plain) if isinstance(plain, list) else str(plain)
    return text or False


def _panel(field: Field[Any], group: type[Options]) -> str | None:
    """Return the heading of an option in the help: the title of the group that declares it."""
    home = next(owner for owner in group.__mro__ if field.name in inspect.get_annotations(owner))
    return getattr(home, "title", None)


def _read(texts: Mapping[str, Any], declared: Mapping[str, Field[Any]], group: type[Options]) -> dict[str, Any]:
    """Return what the texts of the options mean; where one means nothing, the others are checked, too."""
    given: dict[str, Any] = {}
    mistakes: list[tuple[str, str]] = []
    for name, text in texts.items():
        kind = option_of(declared[name]).kind
        if text is None or (kind.is_repeatable and not text):
            continue
        try:
            if kind.is_flag:
                given[name] = text
            elif kind.is_repeatable:
                given[name] = kind.joined([kind.from_text(one) for one in text])
            else:
                given[name] = kind.from_text(text)
        except ValueError as problem:
            mistakes.append((name, str(problem)))
    if not mistakes:
        return given
    try:
        group.of(given)
    except OptionError as problem:
        mistakes += problem.mistakes
    except InputError as problem:
        mistakes.append(("", str(problem)))
    raise OptionError(mistakes)


def _word(field: Field[Any]) -> str:
    return (option_of(field).word or field.name).replace("_", "-")


def _flag(name: str, declared: Mapping[str, Field[Any]]) -> str:
    """Return an option as it is typed.

    >>> _flag("time_limit", {})
    '--time-limit'
    """
    return f"--{_word(declared[name])}" if name in declared else f"--{name.replace('_', '-')}"

"""Options: each is declared, limited, explained and checked in one place.

A group of options is a frozen dataclass derived from `Options`; `option` makes its fields::

    @dataclass(frozen=True, kw_only=True)
    class Learning(Options):
        margin: float = option(0.0, Number(0.0, below=1.0), "Learn links nearer by this share.")

From it everything else follows: the values are checked whenever a group is made; `takes` gives a function its keywords
and their descriptions; the command line (`linkrisk.cli.derive`) makes its options of the fields and reads their text by
`Values.from_text`; an assessment file has the same keys; and `Options.plain` is what a result says of its settings.
"""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import math
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from enum import StrEnum
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from linkrisk.errors import InputError, OptionError
from linkrisk.name_list import split_names

OPTION = "option"
"""Where a field of a dataclass keeps its `Option`."""


class Values:
    """The values an option takes: how they are checked, read from text, and written down.

    ``is_list``: a text stands for a list, in Python as on the command line. ``is_path``: a text names a file, which an
    assessment file names relative to its own folder.
    """

    metavar = "TEXT"
    is_flag = False
    is_repeatable = False
    is_list = False
    is_path = False

    def check(self, value: Any) -> Any:
        """Return the value as it is used; raise ValueError ("must be ...") or an `InputError` where it cannot be."""
        return value

    def from_text(self, text: str) -> Any:
        """Return what a text of the command line means; it is checked afterwards."""
        return text

    def joined(self, values: Sequence[Any]) -> Any:
        """Return what several uses of an option say together, for one that is repeatable."""
        return list(values)

    def plain(self, value: Any) -> Any:
        """Return a value for JSON."""
        return value

    def suggestions(self) -> Sequence[str]:
        """Return words that a shell may complete; none where any text will do."""
        return ()


@dataclass(frozen=True)
class Number(Values):
    """A number from ``least`` to ``most``, or ``below`` a limit that it must not reach."""

    least: float = 0.0
    most: float = math.inf
    below: float | None = None
    metavar = "NUMBER"

    def check(self, value: Any) -> float:
        """Return a float within the limits; None is a number without end, where there is no limit above."""
        if value is None and math.isinf(self.most) and self.below is None:
            return math.inf
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        number = float(value) if is_number else math.nan
        is_inside = self.least <= number <= self.most and (self.below is None or number < self.below)
        if not is_inside:
            raise ValueError(f"must be a number {self._limits()}")
        return number

    def from_text(self, text: str) -> float:
        """Return the number a text says, for instance ``0.5`` or ``inf``."""
        try:
            return float(text)
        except ValueError:
            raise ValueError(f"must be a number {self._limits()}") from None

    def plain(self, value: Any) -> Any:
        """Return the number, None for one without end."""
        return None if value is None or not math.isfinite(value) else value

    def _limits(self) -> str:
        if self.below is not None:
            return f"from {self.least:g} to below {self.below:g}"
        return f"of at least {self.least:g}" if math.isinf(self.most) else f"from {self.least:g} to {self.most:g}"


@dataclass(frozen=True)
class Whole(Values):
    """A whole number of at least ``least``, and of at most ``most`` if there is such a limit."""

    least: int = 0
    most: int | None = None
    metavar = "WHOLE NUMBER"

    def check(self, value: Any) -> int:
        """Return an int within the limit."""
        if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < self.least:
            raise ValueError(self._limits())
        if self.most is not None and int(value) > self.most:
            raise ValueError(self._limits())
        return int(value)

    def from_text(self, text: str) -> int:
        """Return the whole number a text says."""
        try:
            return int(text)
        except ValueError:
            raise ValueError(self._limits()) from None

    def _limits(self) -> str:
        if self.most is None:
            return f"must be a whole number, {self.least} or more"
        return f"must be a whole number from {self.least} to {self.most}"


@dataclass(frozen=True)
class Flag(Values):
    """Yes or no; on the command line the bare option means yes."""

    is_flag = True

    def check(self, value: Any) -> bool:
        """Return a bool."""
        if not isinstance(value, bool) and type(value).__name__ != "bool_":
            raise ValueError("must be true or false")
        return bool(value)


@dataclass(frozen=True)
class Text(Values):
    """Any text that is not empty; ``read`` turns what is typed into what is meant."""

    metavar: str = "TEXT"
    read: Callable[[str], str] = str

    def check(self, value: Any) -> str:
        """Return the text."""
        if not isinstance(value, str) or not value:
            raise ValueError("must be a text that is not empty")
        return self.read(value)


@dataclass(frozen=True)
class Choice(Values):
    """One of several words."""

    words: type[StrEnum] | tuple[str, ...]

    @property
    def metavar(self) -> str:  # type: ignore[override]  # the words themselves
        """The words, as a help text shows them."""
        return "|".join(self.words)

    def check(self, value: Any) -> str:
        """Return the word, as a member of the enumeration where there is one."""
        if value not in list(self.words):
            raise ValueError(f"must be one of {', '.join(self.words)}")
        return value if isinstance(self.words, tuple) else self.words(value)

    def plain(self, value: Any) -> Any:
        """Return the word."""
        return None if value is None else str(value)

    def suggestions(self) -> Sequence[str]:
        """Return the words."""
        return tuple(map(str, self.words))


@dataclass(frozen=True)
class Choices(Values):
    """Some of several words, each once."""

    is_list = True
    words: type[StrEnum] | tuple[str, ...]

    @property
    def metavar(self) -> str:  # type: ignore[override]  # the words themselves
        """The words, as a help text shows them."""
        return ",".join(self.words)

    def check(self, value: Any) -> tuple[str, ...]:
        """Return the words in the order given; a single word may be given as a text."""
        names = [value] if isinstance(value, str) else list(value) if isinstance(value, Iterable) else []
        one = Choice(self.words)
        if not names or any(name not in list(self.words) for name in names):
            raise ValueError(f"must be some of {', '.join(self.words)}")
        return tuple(dict.fromkeys(one.check(name) for name in names))

    def from_text(self, text: str) -> list[str]:
        """Return the words of a list with commas."""
        return [part.strip() for part in text.split(",")]

    def plain(self, value: Any) -> list[str]:
        """Return the words."""
        return [str(word) for word in value]

    def suggestions(self) -> Sequence[str]:
        """Return the words."""
        return tuple(map(str, self.words))


@dataclass(frozen=True)
class Names(Values):
    """Names of columns, each once."""

    is_list = True
    may_be_empty: bool = False
    metavar = "A,B,C"

    def check(self, value: Any) -> tuple[str, ...]:
        """Return the names."""
        is_list = isinstance(value, Iterable) and not isinstance(value, Mapping)
        names = tuple(value) if is_list else ()
        if not is_list or not all(isinstance(name, str) for name in names) or not (names or self.may_be_empty):
            raise ValueError("must be a list of names of columns")
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ValueError(f"names {twice[0]!r} twice; name each column once")
        return names

    def from_text(self, text: str) -> list[str]:
        """Return the names of a list with commas; a name with a comma stands in quotation marks."""
        return split_names(text)

    def plain(self, value: Any) -> Any:
        """Return the names."""
        return None if value is None else list(value)


@dataclass(frozen=True)
class File(Values):
    """The path of a file or folder."""

    endings: tuple[str, ...] = ()
    metavar: str = "FILE"
    is_path = True

    def check(self, value: Any) -> Path:
        """Return the path, with one of the endings asked for."""
        try:
            path = Path(value)
        except TypeError:
            raise ValueError("must be the path of a file") from None
        if self.endings and path.suffix.lower() not in self.endings:
            raise ValueError(f"must end in {' or '.join(self.endings)}")
        return path

    def plain(self, value: Any) -> Any:
        """Return whether there is one; results do not show paths."""
        return value is not None


@dataclass(frozen=True)
class Option:
    """One option: the values it takes, what it means, and its name if that is not the name of its field.

    ``word`` is the name on the command line and in assessment files (``scenario`` for a field ``scenarios`` that is
    given one at a time).
    """

    kind: Values
    help: str
    word: str | None = None


def option(default: Any, kind: Values, help: str, *, word: str | None = None) -> Any:  # noqa: A002  (the word of typer)
    """Return a field of a group of options; a default of None means that None may be given."""
    return dataclasses.field(default=default, metadata={OPTION: Option(kind, help, word)})


def same_option(group: type[Options], name: str, default: Any = MISSING) -> Any:
    """Return a field like that of another group, with another default if one is given."""
    found = next(field for field in fields(group) if field.name == name)
    told: Option = found.metadata[OPTION]
    return option(found.default if default is MISSING else default, told.kind, told.help, word=told.word)


Group = TypeVar("Group", bound="Options")


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of all groups of options: made from keywords and checked at once; every mistake is reported.

    ``title`` is the heading under which the command line shows the options of the group.
    """

    title: ClassVar[str | None] = None

    def __post_init__(self) -> None:
        mistakes: list[tuple[str, str]] = []
        faults: list[InputError] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None and field.default is None:
                continue
            kind = option_of(field).kind
            try:
                read = kind.from_text(value) if kind.is_list and isinstance(value, str) else value
                object.__setattr__(self, field.name, kind.check(read))
            except ValueError as problem:
                mistakes.append((field.name, str(problem)))
            except InputError as problem:
                faults.append(problem)
                mistakes.append((field.name, f": {problem}"))
        if len(mistakes) == 1 and faults:
            raise faults[0]
        if mistakes:
            raise OptionError(mistakes)

    @classmethod
    def of(cls, given: Mapping[str, Any], *groups: Options | None) -> Self:
        """Make the options from keywords, and from groups that were given as objects.

        Raises
        ------
        OptionError
            Where a keyword is unknown, is given twice, or has a value that cannot be used.
        """
        known = [field.name for field in fields(cls)]
        unknown = [name for name in given if name not in known]
        mistakes = [(name, f"is not an option{nearest_word(name, known) or '; leave it out'}") for name in unknown]
        values = {name: value for name, value in given.items() if name in known}
        for group in groups:
            if group is None:
                continue
            if not isinstance(group, Options):
                raise OptionError([("", f"{type(group).__name__} is no group of options")])
            named = {field.name: getattr(group, field.name) for field in fields(group)}
            mistakes += [
                (name, f"is given beside a {type(group).__name__}; give one of them") for name in named if name in given
            ]
            values |= named
        if not mistakes:
            return cls(**values)
        try:
            cls(**values)
        except OptionError as problem:
            mistakes += problem.mistakes
        except InputError as problem:
            mistakes.append(("", str(problem)))
        raise OptionError(mistakes)

    def part(self, group: type[Group]) -> Group:
        """Return those options that make up a smaller group."""
        return group(**{field.name: getattr(self, field.name) for field in fields(group)})

    def keywords(self) -> dict[str, Any]:
        """Return the options by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def plain(self) -> dict[str, Any]:
        """Return the options as plain values, for JSON."""
        return {field.name: option_of(field).kind.plain(getattr(self, field.name)) for field in fields(self)}


def option_of(field: Field[Any]) -> Option:
    """Return what was declared about a field."""
    found: Option = field.metadata[OPTION]
    return found


def nearest_word(word: str, words: Sequence[str]) -> str:
    """Return ", did you mean ...?" where a word is near one of several.

    >>> nearest_word("scale", ["scales", "ties"])
    ", did you mean 'scales'?"
    """
    near = difflib.get_close_matches(word, words, n=1)
    return f", did you mean {near[0]!r}?" if near else ""


Function = TypeVar("Function", bound=Callable[..., Any])

PLACE = "@options"
"""The line of a docstring that is replaced by the descriptions of the options."""


def takes(group: type[Options]) -> Callable[[Function], Function]:
    """Give a function that takes ``**options`` the keywords of a group: in its signature and in its docstring."""

    def told(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        keywords = [
            inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=f.default, annotation=f.type)
            for f in fields(group)
        ]
        first = [p for p in own if p.kind is not inspect.Parameter.KEYWORD_ONLY]
        last = [p for p in own if p.kind is inspect.Parameter.KEYWORD_ONLY]
        function.__signature__ = signature.replace(parameters=[*first, *keywords, *last])  # type: ignore[attr-defined]  # as inspect documents it
        if function.__doc__ is not None:
            function.__doc__ = _with_options(function.__doc__, group)
        return function

    return told


def _with_options(docstring: str, group: type[Options]) -> str:
    """Put the descriptions of the options in place of that line."""
    line = next((line for line in docstring.splitlines() if line.strip() == PLACE), None)
    if line is None:
        return docstring
    indent = line[: len(line) - len(line.lstrip())]
    described: list[str] = []
    for field in fields(group):
        told = f"{option_of(field).help}{_default_text(field)}"
        described += [f"{indent}{field.name}", textwrap.indent(textwrap.fill(told, 100), f"{indent}    ")]
    return docstring.replace(line, "\n".join(described), 1)


def _default_text(field: Field[Any]) -> str:
    shown = option_of(field).kind.plain(field.default) if field.default is not None else None
    return "" if shown is None or shown is False else f" Default: {shown!r}."

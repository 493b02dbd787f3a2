"""Parameters as the command line writes them: groups with their k, values for each attribute, files of the papers.

The functions named ``read_...`` take text or values, so that either can be given in Python.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from linkrisk.errors import ParameterError
from linkrisk.name_list import split_names
from linkrisk.protection.parameters import check_groups
from linkrisk.protection.values.columns import Name
from linkrisk.protection.values.dates import PERIODS

QUOTE = '"'

PAPER_FILES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "M4-33": ((2, 2), (3, 3)),
    "M4-28": ((2, 2), (2, 8)),
    "M4-82": ((2, 2), (8, 2)),
    "M5-38": ((3, 2), (3, 8)),
    "M6-385": ((2, 2, 2), (3, 8, 5)),
    "M6-853": ((2, 2, 2), (8, 5, 3)),
    "M7-999": ((3, 3, 1), (3, 3, 3)),
    "B1": ((3, 3, 3, 3, 1), (4, 4, 4, 4, 4)),
    "B2": ((5, 8), (4, 4)),
    "B3": ((6, 7), (20, 20)),
}
"""Sizes of groups of consecutive attributes and a k for each: abril2012-choquet.txt, section 4 (M), and
torra2010-owa.txt, section 4.1 (B, over 13 attributes)."""

_UNIFORM = re.compile(r"Mic(\d+|All)(?:-(\d+))?")
_UNEVEN = re.compile(r"Mic(\d{2,})-(\d+(?:\.\d+)+)")


@dataclass(frozen=True)
class Groups:
    """Groups of attributes and a k for each, None where the text gives none.

    Examples
    --------
    >>> print(parse_groups("AFNLWGT,AGI:3;EMCONTRB,FEDTAX:8"))
    AFNLWGT,AGI:3;EMCONTRB,FEDTAX:8
    """

    names: tuple[tuple[Name, ...], ...]
    k: tuple[int, ...] | None = None

    def __str__(self) -> str:
        texts = [",".join(quoted(str(name)) for name in group) for group in self.names]
        sizes = [""] * len(texts) if self.k is None else [f":{size}" for size in self.k]
        return ";".join(text + size for text, size in zip(texts, sizes, strict=True))


def parse_groups(text: str) -> Groups:
    """Read groups of attributes: ``A,B:3;C,D:8``, or ``A,B;C,D`` without k.

    A name that holds one of the signs , ; : or a quotation mark is written in quotation marks, those inside doubled, as
    in CSV. Blanks around names are dropped.

    Raises
    ------
    ParameterError
        If a group is empty, a k is not a whole number, or some groups have a k and others none.

    Examples
    --------
    >>> parse_groups('A, B:3; "C,D":8')
    Groups(names=(('A', 'B'), ('C,D',)), k=(3, 8))
    """
    names, sizes = [], []
    for part in split_at(text, ";"):
        listed, *size = split_at(part, ":")
        if len(size) > 1:
            raise ParameterError("groups: a group has more than one ':'; write A,B:3;C,D:8")
        names.append(tuple(split_names(listed)))
        sizes += [_whole(number) for number in size]
        if not names[-1]:
            raise ParameterError("groups: a group is empty; write A,B:3;C,D:8")
    if len(sizes) not in (0, len(names)):
        raise ParameterError("groups: some groups have a k and others none; give each its own, or none and k (--k)")
    return Groups(tuple(names), tuple(sizes) if sizes else None)


def parse_values(text: str, what: str = "value") -> float | dict[str, float]:
    """Read one number for all attributes, ``4``, or one for each, ``A:1,B:2.5``.

    Raises
    ------
    ParameterError
        If a part is no number or no ``NAME:NUMBER``, or a name comes twice.

    Examples
    --------
    >>> parse_values("4"), parse_values("A:1,B:2.5")
    (4, {'A': 1, 'B': 2.5})
    """
    texts = parse_texts(text, what)
    if isinstance(texts, str):
        return _number(texts, what)
    return {name: _number(value, what) for name, value in texts.items()}


def parse_texts(text: str, what: str = "value") -> str | dict[str, str]:
    """Read one word for all attributes, ``median``, or one for each, ``A:median,B:mode``."""
    parts = [split_at(part, ":") for part in split_at(text, ",")]
    if len(parts) == 1 and len(parts[0]) == 1:
        return unquoted(parts[0][0])
    if any(len(part) != 2 for part in parts):
        raise ParameterError(f"{what} cannot be read; write one for all, such as 4, or one for each attribute, A:1,B:2")
    values = {unquoted(name): unquoted(value) for name, value in parts}
    if len(values) < len(parts):
        raise ParameterError(f"{what}: an attribute is named twice; name each once")
    return values


def parse_thresholds(text: str, what: str = "value") -> float | str | dict[str, float | str]:
    """Read thresholds, numbers or else categories: one for all, or one for each attribute.

    >>> parse_thresholds("50000"), parse_thresholds("AGI:50000,EDUCATION:primary")
    (50000.0, {'AGI': 50000.0, 'EDUCATION': 'primary'})
    """
    texts = parse_texts(text, what)
    if isinstance(texts, str):
        return _number_or_category(texts)
    return {name: _number_or_category(value) for name, value in texts.items()}


def parse_into(text: str, what: str = "value") -> float | str | dict[str, float | str]:
    """Read what to generalise into, numbers or else periods of dates: one for all, or one for each attribute.

    >>> parse_into("month"), parse_into("AGI:1000,born:year")
    ('month', {'AGI': 1000, 'born': 'year'})
    """
    texts = parse_texts(text, what)
    if isinstance(texts, str):
        return texts if texts in PERIODS else _number(texts, what)
    return {name: value if value in PERIODS else _number(value, what) for name, value in texts.items()}


def read_parameter(name: str, value: Any) -> Any:
    """Return a parameter as a value: text is parsed as the command line means it, anything else is returned as it is.

    >>> read_parameter("p", "A:1,B:2"), read_parameter("p", 4), read_parameter("centroid", "median")
    ({'A': 1, 'B': 2}, 4, 'median')
    """
    if not isinstance(value, str):
        return value
    if name == "centroid":
        return parse_texts(value, with_option(name))
    if name in {"top", "bottom"}:
        return parse_thresholds(value, with_option(name))
    if name == "into":
        return parse_into(value, with_option(name))
    return parse_values(value, with_option(name))


def read_groups(value: Any) -> Groups:
    """Return groups from text, as `parse_groups` reads it, from `Groups`, or from lists of names.

    >>> print(read_groups([["A", "B"], ["C"]]))
    A,B;C
    """
    if isinstance(value, Groups):
        return value
    return parse_groups(value) if isinstance(value, str) else Groups(check_groups(value))


def with_option(parameter: str) -> str:
    """Return a parameter's name, followed by that of its option on the command line.

    >>> with_option("top_percent")
    'top_percent (--top-percent)'
    """
    return f"{parameter} (--{parameter.replace('_', '-')})"


def paper_groups(name: str, names: Sequence[Name]) -> Groups:
    """Return a file of the papers as groups over the first columns.

    Parameters
    ----------
    name
        ``M4-33``, ``M4-28``, ``M4-82``, ``M5-38``, ``M6-385``, ``M6-853``, ``M7-999``; ``B1`` to ``B3``; ``Mic3-5``
        (three attributes at a time, k = 5; the last group may be smaller), ``MicAll-5``, both also without k;
        ``Mic553-2.8.5`` (5, 5 and 3 attributes, k = 2, 8 and 5), ``Mic2236-8.3.10.5`` and the like.
    names
        Columns, in the order of the file.

    Raises
    ------
    ParameterError
        If the name is unknown, or there are fewer columns than it takes.

    Examples
    --------
    >>> print(paper_groups("M5-38", ["V1", "V2", "V3", "V4", "V5", "V6"]))
    V1,V2,V3:3;V4,V5:8
    >>> print(paper_groups("Mic2-4", ["V1", "V2", "V3"]))
    V1,V2:4;V3:4
    """
    sizes, k = _paper_sizes(name, len(names))
    if sum(sizes) > len(names):
        raise ParameterError(f"{name} takes {sum(sizes)} attributes, and there are {len(names)}; name fewer groups")
    ends = list(accumulate(sizes))
    return Groups(tuple(tuple(names[end - size : end]) for end, size in zip(ends, sizes, strict=True)), k)


def is_paper_file(name: str) -> bool:
    """Whether a text is the name of a file of the papers.

    >>> is_paper_file("M4-28"), is_paper_file("Mic553-2.8.5"), is_paper_file("AGI,FEDTAX:3")
    (True, True, False)
    """
    return name in PAPER_FILES or bool(_UNIFORM.fullmatch(name) or _UNEVEN.fullmatch(name))


def _paper_sizes(name: str, n_columns: int) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    if name in PAPER_FILES:
        return PAPER_FILES[name]
    uneven = _UNEVEN.fullmatch(name)
    if uneven:
        sizes = tuple(int(digit) for digit in uneven[1])
        k = tuple(int(number) for number in uneven[2].split("."))
        if len(sizes) == len(k) and all(sizes):
            return sizes, k
    uniform = _UNIFORM.fullmatch(name)
    if uniform and n_columns and uniform[1] != "0":
        size = n_columns if uniform[1] == "All" else min(int(uniform[1]), n_columns)
        full, rest = divmod(n_columns, size)
        sizes = (size,) * full + ((rest,) if rest else ())
        return sizes, (int(uniform[2]),) * len(sizes) if uniform[2] else None
    raise ParameterError(f"{name} is no file of the papers; choose {', '.join(PAPER_FILES)}, Mic3-5, Mic553-2.8.5")


def split_at(text: str, sign: str) -> list[str]:
    """Cut a text at a sign that stands outside quotation marks; the parts keep theirs."""
    if text.count(QUOTE) % 2:
        raise ParameterError("a quotation mark is left open in a list of names; close it")
    parts = [""]
    is_open = False
    for letter in text:
        is_open ^= letter == QUOTE
        if letter == sign and not is_open:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def unquoted(text: str) -> str:
    """Return a name without blanks around it and without its quotation marks; those inside are doubled."""
    text = text.strip()
    if text.startswith(QUOTE) and text.endswith(QUOTE) and len(text) > 1:
        return text[1:-1].replace(QUOTE * 2, QUOTE)
    return text


def quoted(name: str) -> str:
    """Return a name as it is written in a list of names: in quotation marks where it holds a sign of such lists."""
    has_sign = any(sign in name for sign in ',;:"') or name != name.strip()
    return QUOTE + name.replace(QUOTE, QUOTE * 2) + QUOTE if has_sign else name


def written_number(value: float) -> str:
    """Return a number in as few digits as give it back when read.

    >>> written_number(50.0), written_number(1234567.5), written_number(0.1)
    ('50', '1234567.5', '0.1')
    """
    short = f"{value:.15g}"
    return short if float(short) == value else repr(float(value))


def _number_or_category(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ParameterError("groups: k must be a whole number, such as in A,B:3") from None


def _number(text: str, what: str) -> float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise ParameterError(f"{what} must be a number, or A:1,B:2 for each attribute") from None

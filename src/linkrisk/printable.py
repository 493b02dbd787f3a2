"""Names and texts from files, as a terminal may show them: no sign in them moves the cursor, rings or hides a word."""

from __future__ import annotations

import os
import re
from pathlib import Path

_TURNING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Signs that turn the direction of writing, and so can make a name look like another."""

_NO_SIGNS = "\ufdd0-\ufdef" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
)
"""Places of Unicode that are no signs and never will be; pages must not hold them."""

_UNSAFE = re.compile(f"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{_TURNING}{_NO_SIGNS}]")
_UNSAFE_IN_LINES = re.compile(f"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{_TURNING}{_NO_SIGNS}]")


def printable(text: str) -> str:
    r"""Return a text in one line, with every control character written as Python writes it.

    >>> printable("age\x1b[31m\x07")
    'age\\x1b[31m\\x07'
    >>> printable("Größe, 年齢")
    'Größe, 年齢'
    """
    return _UNSAFE.sub(_escaped, text)


def printable_lines(text: str) -> str:
    r"""Return a text of several lines, with every other control character written as Python writes it.

    >>> printable_lines("two\nlines\r")
    'two\nlines\\r'
    """
    return _UNSAFE_IN_LINES.sub(_escaped, text)


def file_name(path: str | os.PathLike[str]) -> str:
    """Return what messages call a file: its name without its folder; the path where it has no name of its own.

    >>> file_name("data/people.csv"), file_name("."), file_name("/")
    ('people.csv', '.', '/')
    """
    path = Path(path)
    return printable(path.name or str(path))


def ended(sentence: str) -> str:
    """Return a sentence with a full stop at its end, whether or not it has one already.

    >>> ended("AGE is constant"), ended("Who is it?")
    ('AGE is constant.', 'Who is it?')
    """
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def _escaped(sign: re.Match[str]) -> str:
    return sign[0].encode("unicode_escape").decode("ascii")

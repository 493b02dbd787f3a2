"""Lists of names in one text: joined by commas, in quotation marks where a name holds a comma itself."""

from __future__ import annotations

import re
from collections.abc import Iterable

_ENTRY = re.compile(r'\s*(?:"((?:[^"]|"")*)"(?=\s*(?:,|\Z))|([^,]*))\s*(?:,|\Z)')


def split_names(text: str) -> list[str]:
    """Return the names in a text; blanks around them and empty entries are dropped.

    A name with a comma is written in quotation marks, those inside doubled, as in CSV.

    >>> split_names('age, "income, net",sex')
    ['age', 'income, net', 'sex']
    """
    entries = [quoted.replace('""', '"') or plain.strip() for quoted, plain in _ENTRY.findall(text)]
    return [name for name in entries if name]


def join_names(names: Iterable[str]) -> str:
    """Return names as one text, from which `split_names` makes the same names.

    >>> join_names(["age", "income, net"])
    'age,"income, net"'
    """
    return ",".join(_quoted(name) for name in names)


def _quoted(name: str) -> str:
    is_plain = not (set(name) & set(',"')) and name == name.strip()
    return name if is_plain else '"' + name.replace('"', '""') + '"'

"""What options mean that several commands have."""

from __future__ import annotations

from linkrisk.data.name_list import split_names


def names_of(text: str | None) -> list[str] | None:
    """Return the names in a text, None for no text.

    >>> names_of('age,"income, net"'), names_of(None)
    (['age', 'income, net'], None)
    """
    return None if text is None else split_names(text)


def delimiter_of(text: str | None) -> str | None:
    r"""Return the delimiter meant: a tab can be written as such, as ``\t``, or as ``tab``."""
    return "\t" if text in {"\\t", "tab"} else text

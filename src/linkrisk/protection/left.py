"""What a release leaves as it is: no quantity and no identifier unasked, and all of it listed.

One rule for ``protect`` on the command line and for tuning; the methods themselves, called from Python, are told of
every column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from linkrisk.errors import ParameterError

if TYPE_CHECKING:
    from linkrisk.data.attributes import Kind
    from linkrisk.protection.frame import Frame


def check_unasked(table: Frame, unasked: Mapping[str, Kind | None], method: str) -> None:
    """Refuse to leave quantities as they are unless they are named, see `linkrisk.protection.quantities`.

    Parameters
    ----------
    table, method
        What is protected, and by which method.
    unasked
        The columns that are neither protected nor named in ``leave``, with their kinds.

    Raises
    ------
    ParameterError
        Naming all of them, each with what makes it a quantity.
    """
    reasons = {name: table.quantity(name, kind) for name, kind in unasked.items()}
    listed = ", ".join(f"{name!r} ({reason})" for name, reason in reasons.items() if reason is not None)
    if listed:
        raise ParameterError(
            f"{table.source.name}: {method} as asked for leaves {listed} unprotected; name what is to be released as "
            "it is in leave (--leave), and declare what holds categories nominal or ordinal in a schema (--schema)."
        )


def notes_on_left(table: Frame, unasked: Mapping[str, Kind | None], asked: Iterable[str]) -> list[str]:
    """Return sentences about columns left unasked, and about identifiers left in the file because they were named."""
    listed = ", ".join(f"{name!r} ({kind or 'empty'})" for name, kind in unasked.items())
    told = [f"nothing is said about {listed}: released unprotected."] if listed else []
    return told + [
        f"{name} is an identifier and is in the protected file; take it out before the release."
        for name in asked
        if table.is_identifier(name)
    ]

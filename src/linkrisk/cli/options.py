"""What options mean that several commands have."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from linkrisk.data.name_list import split_names
from linkrisk.errors import FileError, SettingsError


def names_of(text: str | None) -> list[str] | None:
    """Return the names in a text, None for no text.

    >>> names_of('age,"income, net"'), names_of(None)
    (['age', 'income, net'], None)
    """
    return None if text is None else split_names(text)


def delimiter_of(text: str | None) -> str | None:
    r"""Return the delimiter meant: a tab can be written as such, as ``\t``, or as ``tab``."""
    return "\t" if text in {"\\t", "tab"} else text


def matches_of(texts: list[str]) -> dict[str, str]:
    """Return which column of the original, named once, has which name in the protected file.

    >>> matches_of(["income=income_k"])
    {'income': 'income_k'}
    """
    parts = [[part.strip() for part in text.partition("=")] for text in texts]
    if not all(left and right for left, _, right in parts):
        raise SettingsError("--match takes NAME=VALUE; one of its values has no = or an empty side")
    if len({left for left, _, _ in parts}) < len(parts):
        raise SettingsError("--match names one column of the original twice; match each once")
    return {left: right for left, _, right in parts}


def check_results(results: Iterable[Path | None], inputs: Iterable[Path | None], *, overwrite: bool) -> None:
    """Refuse, before anything is read, results that could not be written or would replace what is read."""
    from linkrisk.data.writing import check_writable  # noqa: PLC0415  (imports pyarrow)

    read = {path.resolve() for path in inputs if path is not None}
    given = [path for path in results if path is not None]
    for path in given:
        if path.resolve() in read:
            raise FileError(f"{path.name} is an input file; write the result to another.")
        check_writable(path, overwrite)
    if len({path.resolve() for path in given}) < len(given):
        raise FileError("Two results would be written to one file; give each its own.")

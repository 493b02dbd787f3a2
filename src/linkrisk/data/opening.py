"""Files that a user names, looked at before they are opened: every file is read through here.

A pipe, a device or a folder is refused by what it is, because opening it could wait for ever or never end. What the
system says of a file that cannot be used is told with the remedy for that reason.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any

from linkrisk.errors import FileError, SettingsError
from linkrisk.printable import file_name

MOST_SETTINGS_BYTES = 1 << 26
"""A TOML or JSON file that is larger describes nothing that linkrisk knows."""

_REMEDIES = {
    errno.ENOENT: "check the path",
    errno.ENOTDIR: "check the path, of which a part is a file",
    errno.EACCES: "ask for the right to use it, or choose another",
    errno.EPERM: "ask for the right to use it, or choose another",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ELOOP: "give the file that the link should lead to",
    errno.ENOSPC: "make room, or choose another disk",
    errno.EFBIG: "make room, or choose another disk",
    errno.EDQUOT: "make room, or choose another disk",
    errno.EROFS: "choose another folder",
    errno.EIO: "check the disk",
}


def reason(fault: OSError | ValueError, otherwise: str = "choose another") -> str:
    """Return why a file cannot be used, and the remedy: ``(Permission denied); ask for the right ...``.

    >>> reason(FileNotFoundError(errno.ENOENT, "No such file or directory"))
    '(No such file or directory); check the path'
    """
    if not isinstance(fault, OSError):  # a name that no system takes, with a NUL or half a character
        return "(its name holds a sign that no file name can hold); correct the name"
    said = os.strerror(fault.errno) if fault.errno else "an unknown fault"
    return f"({said}); {_REMEDIES.get(fault.errno or 0, otherwise)}"


def check_readable(path: Path) -> None:
    """Raise a `FileError` unless a path leads to a regular file that may be read; nothing is opened before that.

    A regular file that is empty passes.
    """
    name = file_name(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            with path.open("rb"):
                return
    except FileNotFoundError:
        raise FileError(f"{name} does not exist; check the path") from None
    except (OSError, ValueError) as fault:
        raise FileError(f"{name} cannot be read {reason(fault, 'give another file')}") from None
    if stat.S_ISDIR(mode):
        raise FileError(f"{name} is a folder; give a file")
    raise FileError(f"{name} is a pipe or a device; give a file, for instance one to which its contents were saved")


def read_bytes(path: str | os.PathLike[str], *, most: int | None = None) -> bytes:
    """Return the contents of a regular file of at most so many bytes; raise a `FileError` where that cannot be."""
    path = Path(path)
    check_readable(path)
    try:
        if most is not None and path.stat().st_size > most:
            raise FileError(f"{file_name(path)} is larger than {most >> 20} MB; check whether it is the file meant")
        return path.read_bytes()
    except OSError as fault:
        raise FileError(f"{file_name(path)} cannot be read {reason(fault, 'give another file')}") from None


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the contents of a TOML file; a mistake in it is told with its line."""
    import tomllib  # noqa: PLC0415  (takes a moment to load)

    name = file_name(path)
    try:
        return tomllib.loads(_read_text(path))
    except tomllib.TOMLDecodeError as problem:
        raise SettingsError(f"{name} is not TOML: {problem}; correct that line") from None
    except (ValueError, RecursionError):
        raise SettingsError(f"{name} {_TOO_DEEP}") from None


def read_json(path: str | os.PathLike[str]) -> Any:
    """Return the contents of a JSON file; a mistake in it is told with its line."""
    name = file_name(path)
    try:
        return json.loads(_read_text(path))
    except json.JSONDecodeError as problem:
        raise SettingsError(f"{name} is not JSON: {problem}; correct that line") from None
    except (ValueError, RecursionError):
        raise SettingsError(f"{name} {_TOO_DEEP}") from None


_TOO_DEEP = "is nested too deeply, or holds a number with thousands of digits; write it more simply"


def _read_text(path: str | os.PathLike[str]) -> str:
    try:
        return read_bytes(path, most=MOST_SETTINGS_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(f"{file_name(path)} is not UTF-8 text; save it as UTF-8") from None


def real_path(path: Path) -> Path:
    """Return where a path leads, links followed, whether or not there is a file.

    Raises
    ------
    FileError
        If its links lead in a circle, or its name cannot be one.
    """
    try:
        return path.resolve()
    except RuntimeError:  # how Python tells a circle
        raise FileError(f"{file_name(path)} is a link that leads back to itself; give a file") from None
    except (OSError, ValueError) as fault:
        raise FileError(f"{file_name(path)} cannot be used {reason(fault)}") from None

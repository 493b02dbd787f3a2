"""The private folder of a server: for its owner alone, removed at the end, or by the next server if it was killed."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from linkrisk.data.opening import reason
from linkrisk.errors import FileError

try:
    import fcntl as _fcntl

    LOCKS: ModuleType | None = _fcntl
except ImportError:  # Windows has no such locks; what a killed server left is for the user to remove there
    LOCKS = None

PREFIX = "linkrisk-page-"
MARKER = "in-use"
"""A file in the folder that is locked as long as its server runs; it holds the number of that process."""


@contextlib.contextmanager
def private_folder(above: Path | None = None) -> Iterator[Path]:
    """Make a folder that only its owner can read, for as long as the body runs; remove what killed servers left.

    Parameters
    ----------
    above
        Where it is made; by default the folder of the system for temporary files (``TMPDIR``).
    """
    above = Path(tempfile.gettempdir()) if above is None else above
    remove_left_over(above)
    try:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=above))
        mark = os.open(folder / MARKER, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as fault:
        raise FileError(f"no private folder can be made for the files of the page {reason(fault)}") from None
    try:
        _lock(mark)
        os.write(mark, f"{os.getpid()}\n".encode())
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(mark)


def remove_left_over(above: Path) -> None:
    """Remove folders of servers that were killed.

    A folder is removed only if it is one, not a link to one, belongs to this user, nobody else may look into it, and it
    holds a marker, itself a plain file, that no running server has locked. So nobody else can have put anything there,
    and links inside are removed, not followed.
    """
    if LOCKS is None:
        return
    for folder in above.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if _is_ours(folder) and _is_left_over(folder / MARKER):
                shutil.rmtree(folder)


def _is_ours(folder: Path) -> bool:
    told = folder.lstat()
    return stat.S_ISDIR(told.st_mode) and told.st_uid == os.getuid() and stat.S_IMODE(told.st_mode) == 0o700


def _is_left_over(marker: Path) -> bool:
    """Whether nobody holds the lock on a marker; taking it would be the proof that its server has ended."""
    descriptor = os.open(marker, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        _lock(descriptor)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def _lock(descriptor: int) -> None:
    if LOCKS is not None:
        LOCKS.flock(descriptor, LOCKS.LOCK_EX | LOCKS.LOCK_NB)

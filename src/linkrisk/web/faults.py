"""Faults of linkrisk itself, told so that they can be reported, and nothing of the data with them."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path


def place_of(fault: BaseException) -> str:
    """Return what kind of fault happened and where in linkrisk, without its message, which may hold names or cells.

    >>> place_of(ValueError("a secret"))
    'ValueError'
    """
    frames = traceback.extract_tb(fault.__traceback__)
    root = str(Path(sys.modules["linkrisk"].__file__ or "").parent)
    ours = [frame for frame in frames if frame.filename.startswith(root)]
    where = f" in {Path(ours[-1].filename).relative_to(root)}, line {ours[-1].lineno}" if ours else ""
    return f"{type(fault).__name__}{where}"

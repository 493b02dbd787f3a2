"""A part of scipy without the rest of it: importing ``scipy.optimize`` takes longer than many an assessment."""

from __future__ import annotations

import contextlib
import importlib.util
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any


@cache
def linear_sum_assignment() -> Any:
    """Return ``scipy.optimize.linear_sum_assignment``, by its compiled module alone where that is where we know it."""
    import scipy  # noqa: PLC0415  (loads parts when they are asked for)

    found = PathFinder.find_spec("_lsap", [str(Path(scipy.__file__).parent / "optimize")])
    if found is not None and found.loader is not None:
        with contextlib.suppress(ImportError, AttributeError):
            module: Any = importlib.util.module_from_spec(found)
            found.loader.exec_module(module)
            return module.linear_sum_assignment
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415

    return linear_sum_assignment

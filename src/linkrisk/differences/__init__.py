"""One attribute, two records: the difference between them, on one of three scales."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`; a test compares the two
    from linkrisk.differences.comparison import Comparison as Comparison
    from linkrisk.differences.comparison import make_comparison as make_comparison
    from linkrisk.differences.scale import Scale as Scale

_HOMES = {
    "Comparison": "linkrisk.differences.comparison:Comparison",
    "Scale": "linkrisk.differences.scale:Scale",
    "make_comparison": "linkrisk.differences.comparison:make_comparison",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return resolve_name(_HOMES[name])


def __dir__() -> list[str]:
    return __all__

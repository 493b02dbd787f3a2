"""One attribute, two records: the difference between them, on one of three scales."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

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


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__

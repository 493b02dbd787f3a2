"""Categorical keys: how often a combination of values occurs in a sample, in its population, and the risk of that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`; a test compares the two
    from linkrisk.frequencies.counts import Frequencies as Frequencies
    from linkrisk.frequencies.counts import MissingKeys as MissingKeys
    from linkrisk.frequencies.counts import count_keys as count_keys
    from linkrisk.frequencies.individual import individual_risk as individual_risk
    from linkrisk.frequencies.keys import KeyRecords as KeyRecords
    from linkrisk.frequencies.keys import KeyRisk as KeyRisk
    from linkrisk.frequencies.keys import key_risk as key_risk

_HOMES = {
    "Frequencies": "linkrisk.frequencies.counts:Frequencies",
    "KeyRecords": "linkrisk.frequencies.keys:KeyRecords",
    "KeyRisk": "linkrisk.frequencies.keys:KeyRisk",
    "MissingKeys": "linkrisk.frequencies.counts:MissingKeys",
    "count_keys": "linkrisk.frequencies.counts:count_keys",
    "individual_risk": "linkrisk.frequencies.individual:individual_risk",
    "key_risk": "linkrisk.frequencies.keys:key_risk",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__

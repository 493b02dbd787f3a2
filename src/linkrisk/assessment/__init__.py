"""Assessing a protected file: attacks, faults, attributes, records, scenarios.

Names are loaded when they are first used, so that the command line can read the options alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`; a test compares the two
    from linkrisk.assessment.result import Assessment as Assessment
    from linkrisk.assessment.result import AttributeRisk as AttributeRisk
    from linkrisk.assessment.result import RecordRisk as RecordRisk
    from linkrisk.assessment.result import ScenarioResult as ScenarioResult
    from linkrisk.assessment.scenario import Scenario as Scenario
    from linkrisk.attack.result import AttackResult as AttackResult

_HOMES = {
    "Assessment": "linkrisk.assessment.result:Assessment",
    "AttackResult": "linkrisk.attack.result:AttackResult",
    "AttributeRisk": "linkrisk.assessment.result:AttributeRisk",
    "RecordRisk": "linkrisk.assessment.result:RecordRisk",
    "Scenario": "linkrisk.assessment.scenario:Scenario",
    "ScenarioResult": "linkrisk.assessment.result:ScenarioResult",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__

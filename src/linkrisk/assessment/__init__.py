"""Assessing a protected file: attacks, faults, attributes, records, scenarios.

Names are loaded when they are first used, so that the command line can read the options alone.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkrisk.assessment.result import Assessment, AttributeRisk, RecordRisk, ScenarioResult
    from linkrisk.assessment.scenario import Scenario
    from linkrisk.attack.result import AttackResult

__all__ = ["Assessment", "AttackResult", "AttributeRisk", "RecordRisk", "Scenario", "ScenarioResult"]

_HOMES = {
    "Assessment": "linkrisk.assessment.result:Assessment",
    "AttackResult": "linkrisk.attack.result:AttackResult",
    "AttributeRisk": "linkrisk.assessment.result:AttributeRisk",
    "RecordRisk": "linkrisk.assessment.result:RecordRisk",
    "Scenario": "linkrisk.assessment.scenario:Scenario",
    "ScenarioResult": "linkrisk.assessment.result:ScenarioResult",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return resolve_name(_HOMES[name])

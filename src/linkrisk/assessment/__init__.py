"""Assessing a protected file: attackers x scales x ties, faults, attributes, records, scenarios."""

from linkrisk.assessment.json_file import to_json
from linkrisk.assessment.result import Assessment, AttackResult, AttributeRisk, RecordRisk
from linkrisk.assessment.run import assess
from linkrisk.assessment.scenario import Scenario
from linkrisk.attack.reporter import Reporter

__all__ = [
    "Assessment",
    "AttackResult",
    "AttributeRisk",
    "RecordRisk",
    "Reporter",
    "Scenario",
    "assess",
    "to_json",
]

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
    from linkrisk.assessment.result import SampledLinks as SampledLinks
    from linkrisk.assessment.result import ScenarioResult as ScenarioResult
    from linkrisk.assessment.scenario import Scenario as Scenario
    from linkrisk.assessment.survey.breakdown import Breakdown as Breakdown
    from linkrisk.assessment.survey.groups import GroupRisk as GroupRisk
    from linkrisk.assessment.survey.keys import KeyComparison as KeyComparison
    from linkrisk.assessment.survey.population import PopulationRisk as PopulationRisk
    from linkrisk.assessment.survey.survey import SurveyRisk as SurveyRisk
    from linkrisk.attack.result import AttackResult as AttackResult

_HOMES = {
    "Assessment": "linkrisk.assessment.result:Assessment",
    "AttackResult": "linkrisk.attack.result:AttackResult",
    "AttributeRisk": "linkrisk.assessment.result:AttributeRisk",
    "SampledLinks": "linkrisk.assessment.result:SampledLinks",
    "Breakdown": "linkrisk.assessment.survey.breakdown:Breakdown",
    "GroupRisk": "linkrisk.assessment.survey.groups:GroupRisk",
    "KeyComparison": "linkrisk.assessment.survey.keys:KeyComparison",
    "PopulationRisk": "linkrisk.assessment.survey.population:PopulationRisk",
    "RecordRisk": "linkrisk.assessment.result:RecordRisk",
    "Scenario": "linkrisk.assessment.scenario:Scenario",
    "ScenarioResult": "linkrisk.assessment.result:ScenarioResult",
    "SurveyRisk": "linkrisk.assessment.survey.survey:SurveyRisk",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__

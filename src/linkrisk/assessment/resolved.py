"""Settings as they were resolved, for results: no paths, nothing of single people."""

from __future__ import annotations

from linkrisk.assessment.scenario import Scenario
from linkrisk.data.attributes import Attribute
from linkrisk.differences.missing import missing_costs


def scenario_settings(scenario: Scenario) -> dict[str, object]:
    """Describe a scenario; of people given one by one only how many they are."""
    people = scenario.people
    listed = None if people is None or isinstance(people, int | float) else f"{len(people)} listed"
    return {"name": scenario.name, "attributes": scenario.attributes, "people": listed or people}


def attribute_settings(attribute: Attribute) -> dict[str, object]:
    """Describe an attribute: its kind, what missing values count, and what else is not by default."""
    one, both = missing_costs(attribute)
    result: dict[str, object] = {"kind": str(attribute.kind), "missing_one": one, "missing_both": both}
    if attribute.protected_name and attribute.protected_name != attribute.name:
        result["protected"] = attribute.protected_name
    if attribute.order:
        result["order"] = list(attribute.order)
    if attribute.inclusive:
        result["inclusive"] = True
    return result

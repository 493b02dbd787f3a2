"""The settings of each attribute as they were used, for results."""

from __future__ import annotations

from linkrisk.data.attributes import Attribute
from linkrisk.differences.missing import missing_costs


def attribute_settings(attribute: Attribute) -> dict[str, object]:
    """Describe an attribute: its kind, what missing values count, and settings other than the default."""
    one, both = missing_costs(attribute)
    result: dict[str, object] = {"kind": str(attribute.kind), "missing_one": one, "missing_both": both}
    if attribute.protected_name and attribute.protected_name != attribute.name:
        result["protected"] = attribute.protected_name
    if attribute.order:
        result["order"] = list(attribute.order)
    if attribute.inclusive:
        result["inclusive"] = True
    return result

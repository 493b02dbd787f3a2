"""The level of agreement of two records on an attribute, from its definition."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

from linkrisk.data.attributes import Kind
from linkrisk.data.columns import FilePair
from linkrisk.differences import Comparison
from linkrisk.differences.coordinates import DifferenceRule
from linkrisk.distances.probabilistic import values
from linkrisk.distances.probabilistic.agreement import EXACT
from linkrisk.distances.probabilistic.mixture import fit_mixture
from linkrisk.distances.probabilistic.probabilistic import AgreementDistance
from tests.oracle import matching
from tests.oracle.differences import jaro_winkler
from tests.oracle.matching import level


@contextmanager
def short_em() -> Iterator[None]:
    """Learn for an iteration or two, where a test takes whatever costs it gets: EM has tests of its own."""
    home = "linkrisk.distances.probabilistic.mixture"
    with patch(f"{home}.TRIAL", 1), patch(f"{home}.fit_mixture", few_iterations):
        yield


few_iterations = partial(fit_mixture, max_iterations=2)


def slow_level(files: FilePair, comparison: Comparison, distance: AgreementDistance, k: int, i: int, j: int) -> int:
    """Level of an attribute of two records, from its definition on raw labels and scaled numbers."""
    tolerances = distance.agreement.tolerances[k]
    column = files.columns[k]
    is_number = distance.agreement.rules[k] is DifferenceRule.SQUARED
    x: Any = comparison.coordinates.original[i, k] if is_number else column.original[i]
    y: Any = comparison.coordinates.protected[j, k] if is_number else column.protected[j]
    holes = int(sum(value is None or value != value for value in (x, y)))  # noqa: PLR0124  (NaN)
    if holes:
        return distance.agreement.n_levels[k] - 1 + holes
    if is_number:
        return level(abs(x - y), [max(t * (1 + EXACT), EXACT) for t in tolerances])
    if column.attribute.kind is Kind.ORDINAL:
        order = column.attribute.order
        return level(abs(order.index(x) - order.index(y)), tolerances)
    if column.attribute.kind is Kind.TEXT:
        return level(1.0 - jaro_winkler(x, y), [t + EXACT for t in tolerances])
    if distance.agreement.values[k] is None:
        return 0 if x == y else 1
    labels = column.original.tolist(), column.protected.tolist()
    classes = matching.value_classes(*labels, values.MOST_CLASSES, values.LEAST_RECORDS)
    return classes[x] if x == y else max(classes.values()) + 1

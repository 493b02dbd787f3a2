"""The risk of categorical keys in both files, for people and for groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.assessment.survey.columns import SurveyColumns
from linkrisk.assessment.survey.groups import group_chances
from linkrisk.data.columns import FilePair
from linkrisk.data.same_values import is_missing
from linkrisk.frequencies.counts import MAX_PATTERNS, MissingKeys, n_patterns
from linkrisk.frequencies.keys import KeyRecords, KeyRisk, key_risk


@dataclass(frozen=True)
class FileKeys:
    """The keys of one file: their risk, and, where there are groups, what it means for these.

    ``expected_groups`` is the sum over groups of the probability that one member at least is re-identified;
    ``expected_in_groups`` the same with groups counted by their members, which sdcMicro calls hierarchical risk.
    """

    risk: KeyRisk
    expected_groups: float | None = None
    expected_in_groups: float | None = None


@dataclass(frozen=True)
class KeyComparison:
    """The keys of the original and of the protected file, made of the attributes ``names``.

    A missing value is a category in ``original`` and ``protected``. In ``original_wildcard`` and ``protected_wildcard``
    it matches every value, as in sdcMicro; None where no value is missing, or where more than `MAX_PATTERNS` different
    sets of attributes are (``has_too_many_patterns``).
    """

    names: tuple[str, ...]
    original: FileKeys
    protected: FileKeys
    original_wildcard: FileKeys | None = None
    protected_wildcard: FileKeys | None = None
    has_too_many_patterns: bool = False


def compare_keys(
    files: FilePair, names: tuple[str, ...], survey: SurveyColumns
) -> tuple[KeyComparison, dict[str, NDArray[Any]]]:
    """Return the risk of the keys of both files, and of each original record (confidential), by name of the figure.

    The protected file's records have the weights of those they were made of; with weights, others of that file do not
    count. See `linkrisk.frequencies.key_risk`.
    """
    columns = [column for column in files.columns if column.attribute.name in names]
    known, weights = _known_records(files, survey.weights)
    sides = {
        "original": ([column.original for column in columns], survey.weights, np.arange(files.n_original)),
        "protected": ([column.protected[known] for column in columns], weights, _places(files.own, known)),
    }
    has_holes = any(is_missing(column).any() for values, _, _ in sides.values() for column in values)
    has_too_many = has_holes and max(n_patterns(values) for values, _, _ in sides.values()) > MAX_PATTERNS
    is_wild = has_holes and not has_too_many
    found: dict[str, FileKeys] = {}
    figures: dict[str, NDArray[Any]] = {}
    for rule in (MissingKeys.CATEGORY, *([MissingKeys.WILDCARD] if is_wild else [])):
        ending = "" if rule is MissingKeys.CATEGORY else f"_{rule}"
        for side, (values, side_weights, place) in sides.items():
            risk, records = key_risk(values, side_weights, missing=rule)
            told = _figures(records, place)
            found[f"{side}{ending}"] = _file_keys(risk, told["individual_risk"], survey.group)
            figures |= {f"keys.{side}{ending}.{name}": figure for name, figure in told.items()}
    return KeyComparison(names, **found, has_too_many_patterns=has_too_many), figures


def _known_records(files: FilePair, weights: FloatArray | None) -> tuple[IntArray, FloatArray | None]:
    """Return the protected records whose keys are counted, and their weights: those of their originals."""
    if weights is None:
        return np.arange(files.n_protected), None
    has_own = files.own >= 0
    by_row = np.zeros(files.n_protected)
    by_row[files.own[has_own]] = weights[has_own]
    known = np.unique(files.own[has_own])
    return known, by_row[known]


def _places(own: IntArray, known: IntArray) -> IntArray:
    """Return where the protected version of each original record stands among those known; -1 for who has none."""
    return np.where(own >= 0, np.searchsorted(known, own), -1)


def _figures(records: KeyRecords, place: IntArray) -> dict[str, FloatArray]:
    """Return the figures of each original record; NaN for who has none in that file."""
    named = {
        "frequency": records.frequencies.sample.astype(np.float64),
        "population_frequency": records.frequencies.population,
        "individual_risk": records.risk,
    }
    return {name: np.where(place >= 0, values[place], np.nan) for name, values in named.items()}


def _file_keys(risk: KeyRisk, individual: FloatArray, group: IntArray | None) -> FileKeys:
    if group is None:
        return FileKeys(risk)
    chances = group_chances(np.nan_to_num(individual), group)
    return FileKeys(risk, float(chances.sum()), float(chances[group].sum()))

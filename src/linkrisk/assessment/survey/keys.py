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
    """The keys of the original and of the protected file, made of the attributes ``names``."""

    names: tuple[str, ...]
    original: FileKeys
    protected: FileKeys


def compare_keys(
    files: FilePair, names: tuple[str, ...], survey: SurveyColumns
) -> tuple[KeyComparison, dict[str, NDArray[Any]]]:
    """Return the risk of the keys of both files, and of each original record (confidential), by name of the figure.

    The protected file's records have the weights of those they were made of; with weights, others of that file do not
    count. See `linkrisk.frequencies.key_risk`.
    """
    columns = [column for column in files.columns if column.attribute.name in names]
    known = np.sort(files.own[files.own >= 0]) if survey.weights is not None else np.arange(files.n_protected)
    weights = None
    if survey.weights is not None:
        by_row = np.zeros(files.n_protected)
        by_row[files.own[files.own >= 0]] = survey.weights[files.own >= 0]
        weights = by_row[known]
    first, first_records = key_risk([column.original for column in columns], survey.weights)
    second, second_records = key_risk([column.protected[known] for column in columns], weights)
    place = _places(files.own, known)
    figures = {
        **_figures("original", first_records, np.arange(files.n_original)),
        **_figures("protected", second_records, place),
    }
    found = KeyComparison(
        names,
        _file_keys(first, figures["original.individual_risk"], survey.group),
        _file_keys(second, figures["protected.individual_risk"], survey.group),
    )
    return found, {f"keys.{name}": figure for name, figure in figures.items()}


def _places(own: IntArray, known: IntArray) -> IntArray:
    """Return where the protected version of each original record stands among those known; -1 for who has none."""
    return np.where(own >= 0, np.searchsorted(known, own), -1)


def _figures(file: str, records: KeyRecords, place: IntArray) -> dict[str, FloatArray]:
    """Return the figures of each original record; NaN for who has none in that file."""
    named = {
        "frequency": records.frequencies.sample.astype(np.float64),
        "population_frequency": records.frequencies.population,
        "individual_risk": records.risk,
    }
    return {f"{file}.{name}": np.where(place >= 0, values[place], np.nan) for name, values in named.items()}


def _file_keys(risk: KeyRisk, individual: FloatArray, group: IntArray | None) -> FileKeys:
    if group is None:
        return FileKeys(risk)
    chances = group_chances(np.nan_to_num(individual), group)
    return FileKeys(risk, float(chances.sum()), float(chances[group].sum()))

"""PRAM: a released category was kept, or drawn from the frequencies of the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.informed.description import Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.terms import TermList

MAX_LABELS = 2_000
"""Categories up to which an attribute is looked at: the table of all transitions is kept."""


def add_pram_terms(treatment: Treatment, known: Known, terms: TermList) -> None:
    """Add -log P(x -> y) for each attribute: P = keep [x = y] + (1 - keep) f(y), or the matrix that is published.

    f are the frequencies of the original file where it is known as a whole, otherwise those of the released one, which
    PRAM keeps in expectation.
    """
    matrices = treatment.parameters.get("matrices") or {}
    for name in treatment.attributes:
        x, y, labels = known.codes(name)
        if len(labels) > MAX_LABELS:
            continue
        if name in matrices:
            transitions = _matrix(matrices[name], labels)
        else:
            base = x if known.is_whole else y
            frequencies = np.bincount(base[base >= 0], minlength=len(labels)) / max(1, int((base >= 0).sum()))
            keep = float(treatment.value("keep", name))
            transitions = keep * np.eye(len(labels)) + (1.0 - keep) * frequencies
        with np.errstate(divide="ignore"):
            terms.add_table(x, y, -np.log(transitions))


def has_tables(treatment: Treatment, known: Known) -> bool:
    """Whether no attribute has too many categories to be looked at."""
    return all(len(known.codes(name)[2]) <= MAX_LABELS for name in treatment.attributes)


def _matrix(given: Mapping[str, Mapping[str, Any]], labels: Sequence[str]) -> FloatArray:
    place = {label: number for number, label in enumerate(labels)}
    result = np.eye(len(labels))
    for label, row in given.items():
        if label in place:
            result[place[label]] = 0.0
            for target, probability in row.items():
                if target in place:
                    result[place[label], place[target]] = float(probability)
    return result

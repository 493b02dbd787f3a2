"""Rounding at random: up or down, the likelier the nearer."""

from __future__ import annotations

from linkrisk.informed.description import Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.terms import TermList


def add_random_rounding_terms(treatment: Treatment, known: Known, terms: TermList) -> None:
    """Add -log(1 - |y - x| / base): the probability to be rounded to y, 0 from a whole base on."""
    for name in treatment.attributes:
        x, y = known.numbers(name)
        base = float(treatment.value("base", name))
        terms.add_tent(x / base, y / base)

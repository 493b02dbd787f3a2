"""Rounding at random: up or down, the likelier the nearer."""

from __future__ import annotations

from linkrisk.informed.description import Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.terms import TermList


def add_random_rounding_terms(treatment: Treatment, known: Known, terms: TermList) -> None:
    """Add -log(1 - |y - x| / base): the probability to be rounded to y, 0 from a whole base on.

    A release with a code for missing among its multiples is refused, so that chances are these over a constant of the
    person, which says nothing about who is who.
    """
    for name in treatment.attributes:
        x, y = known.numbers(name)
        base = float(treatment.value("base", name))
        terms.add_tent(x / base, y / base)

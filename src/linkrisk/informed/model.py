"""From a description and the files to the terms of all pairs: which file of ``methods`` speaks for which method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from linkrisk.data.same_values import is_missing, n_distinct
from linkrisk.informed.description import Description, Treatment
from linkrisk.informed.holes import patterns_of_holes
from linkrisk.informed.known import Known
from linkrisk.informed.methods.centroids import add_centroid_terms
from linkrisk.informed.methods.noise import (
    add_correlated_noise_terms,
    add_noise_terms,
    has_chances,
    law_of,
    looks_drawn,
)
from linkrisk.informed.methods.pram import add_pram_terms, has_tables
from linkrisk.informed.methods.rank_swap import PERMUTATION, add_rank_swap_terms, has_clear_windows
from linkrisk.informed.methods.rerun import BY_RECORD, add_rerun_terms, gives_the_release
from linkrisk.informed.methods.rounding import add_random_rounding_terms
from linkrisk.informed.strangers import add_stranger_term
from linkrisk.informed.terms import TermList

RANDOM: dict[str, Callable[[Treatment, Known, TermList], None]] = {
    "noise": add_noise_terms,
    "correlated_noise": add_correlated_noise_terms,
    "pram": add_pram_terms,
    "rank_swap": add_rank_swap_terms,
}
"""Methods that draw, and what they say about a pair."""


NOISES = ("noise", "correlated_noise")


def is_a_model(description: Description, known: Known) -> bool:
    """Whether the terms are the true chances of the release, given who is who.

    So it is where the whole file is known, the description speaks of every attribute that tells something, missing
    values are as they were, and each record was treated on its own, or the method gives the release when it is run
    again, or rank swapping drew a permutation of the ranks (then all that the windows allow are equally likely,
    docs/decisions/0019), unless equal values lie at the end of a window. A release that is said to have noise, and has
    too few different values, was made in another way. Otherwise the terms are a guess: in pairs, and among equal
    values, records depend on each other, centroids are not normal, and what strangers look like is not known.
    """
    treated = [name for part in description.treatments for name in part.attributes]
    return (
        known.is_whole
        and all(name in description.names or _is_constant(known, name) for name in known.names)
        and patterns_of_holes(treated, known)[2]
        and all(_is_model(part, known) for part in description.treatments)
    )


def _is_constant(known: Known, name: str) -> bool:
    """Whether all released values of an attribute are the same, or missing: then it tells nobody anything."""
    values = known.column(name).protected
    return n_distinct(values) <= 1 and len(np.unique(is_missing(values))) <= 1


def _is_model(treatment: Treatment, known: Known) -> bool:
    """Whether what is said about the pairs of a file that is known as a whole are true chances."""
    if treatment.method == "rank_swap":
        return treatment.parameters.get("variant") == PERMUTATION and has_clear_windows(treatment, known)
    if treatment.method == "pram":
        return has_tables(treatment, known)
    if treatment.method in NOISES and not (has_chances(treatment, known) and _look_drawn(treatment, known)):
        return False
    is_drawn = treatment.method in RANDOM or (treatment.method == "rounding" and treatment.parameters.get("random"))
    return bool(is_drawn) or gives_the_release(treatment, known)


def _look_drawn(treatment: Treatment, known: Known) -> bool:
    """Whether released values look like noise wherever there was some: not in constant columns."""
    names = [name for name in treatment.attributes if law_of(treatment, name, known) is not None]
    return all(looks_drawn(known.numbers(name)[1]) for name in names)


def make_terms(description: Description, known: Known) -> TermList:
    """Return what a description says about every pair of records.

    Attributes that were left must be equal. All methods leave missing values missing, and then values must be missing
    in both files or in none. Where values were suppressed or filled in besides, a missing one says nothing; which of
    the two it is, is read from the true pairs, as parameters are that are not published.
    """
    terms = TermList(known.n_original, known.n_protected)
    for name in description.left:
        column = known.column(name)
        terms.add_equal(column.original, column.protected)
    for treatment in description.treatments:
        _add(treatment, known, terms)
    _add_holes([name for treatment in description.treatments for name in treatment.attributes], known, terms)
    add_stranger_term(known, terms)
    return terms


def _add(treatment: Treatment, known: Known, terms: TermList) -> None:
    if treatment.method in RANDOM:
        RANDOM[treatment.method](treatment, known, terms)
    elif treatment.method == "rounding" and treatment.parameters.get("random"):
        add_random_rounding_terms(treatment, known, terms)
    elif treatment.method == "coding":
        add_rerun_terms(treatment if known.is_whole else _coded_by_extremes(treatment, known), known, terms)
    elif not ((known.is_whole or treatment.method in BY_RECORD) and add_rerun_terms(treatment, known, terms)):
        add_centroid_terms(treatment, known, terms)


def _coded_by_extremes(treatment: Treatment, known: Known) -> Treatment:
    """Return coding with the thresholds that the released file shows: its largest and smallest values."""
    parameters = dict(treatment.parameters)
    for end in ("top", "bottom"):
        if parameters.pop(f"{end}_percent", None):
            parameters[end] = {name: _extreme(known, name, end) for name in treatment.attributes}
    return replace(treatment, parameters=parameters)


def _extreme(known: Known, name: str, end: str) -> float | str:
    values = known.numbers(name)[1]
    found = float(np.nanmax(values) if end == "top" else np.nanmin(values))
    return found if known.is_numeric(name) else known.column(name).attribute.order[int(found)]


def _add_holes(names: Sequence[str], known: Known, terms: TermList) -> None:
    """Say that missing values are missing in both files, if that is so for all true pairs."""
    before, after, is_kept = patterns_of_holes(names, known)
    if is_kept and len(np.unique(before)) > 1:
        terms.add_equal(before, after)

"""Parameters that are not published, estimated from the true pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from linkrisk.data.attributes import Kind
from linkrisk.data.columns import FilePair
from linkrisk.informed.description import Description, Treatment
from linkrisk.informed.recognise.aggregates import complete_groups, complete_ranking
from linkrisk.informed.recognise.categories import coded_categories, generalised_categories, keep_share
from linkrisk.informed.recognise.noise import correlated_percentage
from linkrisk.informed.recognise.numeric import (
    coding_ends,
    interval_edges,
    interval_width,
    is_rounded,
    noise_percentage,
    random_rounding_base,
    rounding_base,
)
from linkrisk.informed.recognise.swapping import PAIRS, PERMUTATION, swap_percentage, swap_variant
from linkrisk.informed.recognise.true_pairs import LABELS, TruePairs
from linkrisk.informed.recognise.wording import estimated, not_estimated

Completed = tuple[list[Treatment], list[str]]
"""What becomes of one treatment, and what is to be said about it."""

ENDS = ("top", "bottom", "top_percent", "bottom_percent")
"""Parameters of coding; one of them for an attribute says that the others were not used."""


def completed(description: Description, files: FilePair) -> tuple[Description, tuple[str, ...]]:
    """Estimate what a description does not tell about the parameters of its methods.

    An intruder must guess what is not published; this gives him the best guess, from the true pairs (``files.own``), so
    that no risk is overlooked. With x the original and y the released value:

    - noise: p = 100 times the root mean square of y - x over the standard deviation of x; correlated noise: the root
      mean square of the p of its attributes;
    - rank swapping: p with floor(p n / 100) = the largest move in ranks; variant pairs if for all a and b as many went
      from a to b as from b to a, otherwise permutation;
    - PRAM: keep = (a - s) / (1 - s) within [0, 1], a being the share of values kept and s that of random agreement;
    - rounding: the largest base that fits, and whether it was at random; coding: the values that others were brought
      to; generalisation: widths, edges or mappings that give y for every x;
    - microaggregation: groups of attributes with the same classes of equal released records, k the size of the smallest
      class, centroid and raw as they give the release when the method is run again.

    Parameters
    ----------
    description
        What is published. A parameter that is None or absent is not; of a mapping, attributes that it lacks.
    files
        The two files with their true pairs.

    Returns
    -------
    tuple of a Description and notes
        The description, about the attributes of the files alone, with all parameters, and one sentence for each that
        was estimated. Attributes for which one cannot be estimated are left out and named.

    Notes
    -----
    Where everybody is known and microaggregation, run again, does not give the release, an estimated k is left out of
    the description and said in a note: with it, the intruder would take the outcome of the wrong run for certain. A
    treatment may be split into several by what was found. Ties: equal values share a range of ranks, of which the
    nearest count. Missing values: pairs known on both sides are used. Cost: a few sorts for each attribute;
    microaggregation is run again where groups, k, raw, centroid or variant are not given, MDAV up to 20,000 records
    (100,000 in blocks).

    References
    ----------
    Nin, Herranz, Torra (2008), as in `recognised`.

    Examples
    --------
    >>> from linkrisk.data.pair import pair_files
    >>> files = pair_files(np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([[2.0], [1.0], [4.0], [3.0]]))
    >>> found, notes = completed(Description((Treatment("rank_swap", ("V1",), {"variant": "pairs"}),)), files)
    >>> print(found)
    rank_swap of V1 (variant = pairs, p = 25)
    >>> print(*notes)
    p of rank_swap is not published and was estimated as 25 from the true pairs: the intruder must guess it.
    """
    with np.errstate(all="ignore"):
        pairs = TruePairs(files)
        treatments: list[Treatment] = []
        notes: list[str] = []
        known = description.restricted(pairs.names)
        for treatment in known.treatments:
            found, said = _COMPLETIONS.get(treatment.method, _nothing)(treatment, pairs)
            treatments += [part for part in found if part.attributes]
            notes += said
    return Description(tuple(treatments), known.left), tuple(notes)


def _nothing(treatment: Treatment, pairs: TruePairs) -> Completed:  # noqa: ARG001  (as the others)
    return [treatment], []


def _by_attribute(
    treatment: Treatment, parameter: str, estimate: Callable[[str], Any], names: tuple[str, ...] | None = None
) -> Completed:
    """Estimate a parameter for each attribute that lacks it; leave out attributes for which that is impossible."""
    asked = treatment.attributes if names is None else names
    lacking = [name for name in asked if treatment.value(parameter, name) is None]
    if not lacking:
        return [treatment], []
    found = {name: estimate(name) for name in lacking}
    known = {name: value for name, value in found.items() if value is not None}
    failed = [name for name in lacking if name not in known]
    given = treatment.parameters.get(parameter)
    parameters = {**treatment.parameters, parameter: {**(given if isinstance(given, Mapping) else {}), **known}}
    kept = tuple(name for name in treatment.attributes if name not in failed)
    notes = [estimated(parameter, treatment.method, known)] if known else []
    notes += [not_estimated(parameter, treatment.method, failed)] if failed else []
    return [Treatment(treatment.method, kept, parameters)], notes


def _complete_noise(treatment: Treatment, pairs: TruePairs) -> Completed:
    return _by_attribute(treatment, "p", lambda name: noise_percentage(pairs, name))


def _complete_correlated_noise(treatment: Treatment, pairs: TruePairs) -> Completed:
    if treatment.value("p", treatment.attributes[0]) is not None:
        return [treatment], []
    p = correlated_percentage(pairs, treatment.attributes)
    if p is None:
        return [], [not_estimated("p", treatment.method, treatment.attributes)]
    parameters = {**treatment.parameters, "p": p}
    return [replace(treatment, parameters=parameters)], [estimated("p", treatment.method, p)]


def _complete_swap(treatment: Treatment, pairs: TruePairs) -> Completed:
    (found,), notes = _by_attribute(treatment, "p", lambda name: swap_percentage(pairs, name))
    if found.parameters.get("variant") is not None:
        return [found], notes
    variants = {name: swap_variant(pairs, name) for name in found.attributes}
    variant = PAIRS if all(one == PAIRS for one in variants.values()) else PERMUTATION
    notes.append(f"variant of rank_swap is not published; the true pairs show {variant}.")
    return [Treatment(found.method, found.attributes, {**found.parameters, "variant": variant})], notes


def _complete_pram(treatment: Treatment, pairs: TruePairs) -> Completed:
    matrices = treatment.parameters.get("matrices") or {}
    names = tuple(name for name in treatment.attributes if name not in matrices)
    return _by_attribute(treatment, "keep", lambda name: keep_share(pairs, name), names)


def _complete_rounding(treatment: Treatment, pairs: TruePairs) -> Completed:
    """Estimate bases; where it is not said whether it was at random, it was if the nearest multiple was not taken."""
    is_random = treatment.parameters.get("random")
    if is_random is None:
        is_random = not all(_is_nearest(treatment, pairs, name) for name in treatment.attributes)
    estimate = random_rounding_base if is_random else rounding_base
    (found,), notes = _by_attribute(treatment, "base", lambda name: estimate(pairs, name))
    if is_random and treatment.parameters.get("random") is None:
        notes.append("random of rounding is not published; the true pairs show that values were rounded at random.")
    return [Treatment(found.method, found.attributes, {**found.parameters, "random": bool(is_random)})], notes


def _is_nearest(treatment: Treatment, pairs: TruePairs, name: str) -> bool:
    given = treatment.value("base", name)
    return rounding_base(pairs, name) is not None if given is None else is_rounded(*pairs.numbers(name), float(given))


def _complete_coding(treatment: Treatment, pairs: TruePairs) -> Completed:
    lacking = [name for name in treatment.attributes if all(treatment.value(end, name) is None for end in ENDS)]
    if not lacking:
        return [treatment], []
    found = {name: _ends(pairs, name) for name in lacking}
    failed = [name for name in lacking if found[name] is None]
    parameters = dict(treatment.parameters)
    notes = []
    for place, end in enumerate(("bottom", "top")):
        own = {name: ends[place] for name, ends in found.items() if ends is not None and ends[place] is not None}
        if own:
            parameters[end] = {**(parameters.get(end) or {}), **own}
            notes.append(estimated(end, treatment.method, own))
    if failed:
        notes.append(not_estimated("top and bottom", treatment.method, failed))
    kept = tuple(name for name in treatment.attributes if name not in failed)
    return [Treatment(treatment.method, kept, parameters)], notes


def _ends(pairs: TruePairs, name: str) -> tuple[Any, Any] | None:
    """Return bottom and top; the largest value as top where nothing was cut, and None where coding does not fit."""
    x = pairs.numbers(name)[0]
    if x.size == 0:
        return None
    is_ordinal = pairs.kind(name) is Kind.ORDINAL
    ends = coded_categories(pairs, name) if is_ordinal else coding_ends(pairs, name)
    if ends != (None, None):
        return ends
    largest = float(x.max())
    return None, pairs.attribute(name).order[int(largest)] if is_ordinal else largest


def _complete_generalisation(treatment: Treatment, pairs: TruePairs) -> Completed:
    def into(name: str) -> Any:
        if pairs.kind(name) in LABELS:
            return generalised_categories(pairs, name) if pairs.codes(name)[0].size else None
        if pairs.numbers(name)[0].size == 0:
            return None
        width = interval_width(pairs, name)
        return interval_edges(pairs, name) if width is None else width

    return _by_attribute(treatment, "into", into)


_COMPLETIONS: dict[str, Callable[[Treatment, TruePairs], Completed]] = {
    "noise": _complete_noise,
    "correlated_noise": _complete_correlated_noise,
    "rank_swap": _complete_swap,
    "pram": _complete_pram,
    "rounding": _complete_rounding,
    "coding": _complete_coding,
    "generalise": _complete_generalisation,
    "individual_ranking": complete_ranking,
    "mdav": complete_groups,
    "z_scores": complete_groups,
    "principal_components": complete_groups,
}
"""How each method is completed."""

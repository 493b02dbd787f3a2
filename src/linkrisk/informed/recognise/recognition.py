"""Which methods are consistent with two files, where nothing is published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from linkrisk.data.attributes import Kind
from linkrisk.data.columns import FilePair
from linkrisk.data.same_values import n_distinct, unchanged_values
from linkrisk.informed.description import Description, Treatment
from linkrisk.informed.known import NUMBERS
from linkrisk.informed.recognise.findings import Finding, drawn, explain_alone, explain_last, merged, with_one_variant
from linkrisk.informed.recognise.microaggregation import explain_groups, without
from linkrisk.informed.recognise.noise import noise_treatments
from linkrisk.informed.recognise.numeric import noise_percentage
from linkrisk.informed.recognise.true_pairs import TruePairs, same


def recognised(files: FilePair) -> tuple[Description, ...]:
    """Name the methods that are consistent with two files, where nothing is published about the release.

    Each attribute gets the most specific explanation that fits all of its true pairs (``files.own``):

    1. it was left as it is;
    2. a function of the original: top and bottom coding, rounding, generalisation to intervals or merged categories;
    3. rank swapping: the same values, with other people;
    4. random rounding: multiples of a base less than one base away;
    5. microaggregation: classes of equal values that are means, medians or modes of their members. Which algorithm made
       them is seen by running each again: individual ranking, then for attributes that share their classes z-scores,
       principal components, and MDAV on standardised and on raw values. Where none gives the release, MDAV is named
       without a k, so that nobody runs it again;
    6. PRAM for categories, noise for numbers. Where differences are correlated as the data are, it is correlated noise.

    Parameters
    ----------
    files
        The two files. Everybody in the release need not be known, nor everybody known be in the release; methods are
        run again, and centroids looked at, only if both hold the same people.

    Returns
    -------
    tuple of Description
        The best explanation of all attributes together comes first. Others follow where two methods fit and tell
        the intruder different things: correlated noise instead of noise, and PRAM instead of rank swapping of
        categories. Attributes that nothing explains are in none of them (`unexplained`).

    Notes
    -----
    No description makes a true pair impossible. It is that of an intruder who guessed right, for the true pairs decide
    between methods and fix the parameters.

    Ties: equal released values are of one class; a rank is a range. Missing values are judged where they are known on
    both sides; where a value is missing on one side only, no method is run again for that attribute. Cost: a few sorts
    for each attribute, and the reruns, of MDAV up to 20,000 records (100,000 in blocks).

    References
    ----------
    Nin, Herranz, Torra (2008), Rethinking rank swapping to decrease disclosure risk, Data & Knowledge Engineering
    64(1), on what is known to an intruder who knows the method.

    Examples
    --------
    >>> from linkrisk.data.pair import pair_files
    >>> people = np.array([[12.0, 1.0], [15.0, 2.0], [33.0, 3.0], [58.0, 4.0]])
    >>> released = np.array([[10.0, 1.0], [20.0, 2.0], [30.0, 3.0], [60.0, 4.0]])
    >>> print(*recognised(pair_files(people, released)), sep="; or: ")
    rounding of V1 (base = 10); V2 left as they are
    """
    with np.errstate(all="ignore"):
        pairs = TruePairs(files)
        left = [name for name in pairs.names if _is_left(pairs, name)]
        changed = [name for name in pairs.names if name not in left and _tells_something(pairs, name)]
        findings = with_one_variant(pairs, _found({name: explain_alone(pairs, name) for name in changed}))
        grouped = explain_groups(pairs, [name for name in changed if name not in findings], left)
        left = without(left, grouped)
        rest = [name for name in without(changed, grouped) if name not in findings]
        findings |= _found({name: explain_last(pairs, name) for name in rest})
        noisy = [name for name in rest if name not in findings and _is_noisy(pairs, name)]
        noise, other_noise = noise_treatments(pairs, noisy)
        others = _found({name: drawn(pairs, name) for name in findings if _may_be_drawn(pairs, findings[name], name)})
    versions = [[*merged(findings), *grouped, *noise]]
    if other_noise:
        versions.append([*merged(findings), *grouped, *other_noise])
    if others:
        versions.append([*merged({**findings, **others}), *grouped, *noise])
    return tuple(Description(_in_order(pairs, version), tuple(left)) for version in versions)


def unexplained(description: Description, files: FilePair) -> tuple[str, ...]:
    """Return the attributes of two files about which a description says nothing.

    >>> from linkrisk.data.pair import pair_files
    >>> files = pair_files(np.array([[1.0], [2.0], [3.0]]), np.array([[7.0], [7.0], [7.0]]))
    >>> unexplained(recognised(files)[0], files)
    ('V1',)
    """
    told = {*description.left, *(name for part in description.treatments for name in part.attributes)}
    return tuple(attribute.name for attribute in files.attributes if attribute.name not in told)


def _is_left(pairs: TruePairs, name: str) -> bool:
    """Whether all values are what they were, and missing in both files or in none."""
    if pairs.files.n_pairs == 0 or pairs.has_holes(name):
        return False
    if pairs.kind(name) in NUMBERS:
        return bool(same(*pairs.numbers(name)).all())
    return bool(unchanged_values(pairs.known.column(name), pairs.files.own).all())


def _tells_something(pairs: TruePairs, name: str) -> bool:
    """Whether a value is known on both sides in some pair, and not all released values are the same.

    Nothing explains an attribute of which as many values are missing as before, but those of others.
    """
    if pairs.has_moved_holes(name):
        return False
    if pairs.kind(name) in NUMBERS:
        return pairs.numbers(name)[0].size > 0 and bool(np.ptp(pairs.released(name)) > 0.0)
    return pairs.codes(name)[0].size > 0 and n_distinct(pairs.known.column(name).protected) > 1


def _is_noisy(pairs: TruePairs, name: str) -> bool:
    """Whether noise of some size explains an attribute: the originals must differ, or its size has no unit."""
    return pairs.kind(name) in NUMBERS and np.isfinite(noise_percentage(pairs, name) or np.nan)


def _may_be_drawn(pairs: TruePairs, finding: Finding, name: str) -> bool:
    """Whether PRAM fits as well: categories that seem to be swapped may keep their frequencies by chance."""
    return pairs.kind(name) is Kind.ORDINAL and finding.method == "rank_swap" and finding.own["p"] > 0.0


def _found(explanations: Mapping[str, Finding | None]) -> dict[str, Finding]:
    return {name: finding for name, finding in explanations.items() if finding is not None}


def _in_order(pairs: TruePairs, treatments: Iterable[Treatment]) -> tuple[Treatment, ...]:
    """Return treatments in the order of their first attributes in the file."""
    return tuple(sorted(treatments, key=lambda part: min(map(pairs.names.index, part.attributes))))

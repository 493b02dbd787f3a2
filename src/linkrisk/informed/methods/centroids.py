"""Microaggregation of a file that is known in part: a released record is a centroid near the person."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.scales import careful_moments
from linkrisk.informed.description import Treatment
from linkrisk.informed.known import Known
from linkrisk.informed.terms import TermList

PROJECTIONS = ("z_scores", "principal_components")
"""Methods that put records in order along a line and cluster neighbours."""

LEAST_AGREEMENT = 0.5
"""Share of categories that a mode keeps, if nothing is known of it."""


def add_centroid_terms(treatment: Treatment, known: Known, terms: TermList) -> None:
    """Add the distance to the centroid, group by group on the method's own scale, as if it were normal.

    The deviation of a group is taken from the distance of people to the nearest centroid of that group, so that no true
    pair is used. Where each attribute is treated on its own, the values of a cluster lie between the centroids before
    and after its own. Categories keep their value in half of the cases, or are the mode of others.
    """
    for group in _groups(treatment):
        numeric = [name for name in group if known.is_numeric(name)]
        if numeric and treatment.method in PROJECTIONS:
            _add_projection(numeric, known, terms, is_principal=treatment.method == "principal_components")
        elif numeric:
            _add_group(numeric, known, terms, is_raw=bool(treatment.parameters.get("raw", False)))
        for name in group:
            if name not in numeric:
                _add_category(name, known, terms)
        if numeric and _is_alone(group, treatment):
            _add_neighbours(group[0], known, terms)


def _is_alone(group: Sequence[str], treatment: Treatment) -> bool:
    """Whether an attribute was clustered on its own, and not with others that are not known."""
    published = [list(map(str, names)) for names in treatment.parameters.get("groups") or ()]
    return len(group) == 1 and (treatment.method == "individual_ranking" or list(group) in published)


def _add_projection(names: Sequence[str], known: Known, terms: TermList, *, is_principal: bool) -> None:
    """Add the distance along the line on which the records were put in order: clusters are neighbours there.

    A projection is linear, so that of a centroid lies among those of its cluster. Means are those of the released file,
    which microaggregation keeps; deviations and the first principal component are those of the people who are known.
    """
    sides = [known.numbers(name) for name in names]
    moments = [(careful_moments(y)[0], careful_moments(x)[1]) for x, y in sides]
    x, y = (
        np.column_stack([(side[q] - m) / (s or 1.0) for side, (m, s) in zip(sides, moments, strict=True)])
        for q in (0, 1)
    )
    direction = np.ones(len(names))
    complete = x[~np.isnan(x).any(axis=1)]
    if is_principal and len(complete) > 1:
        direction = np.linalg.eigh(np.atleast_2d(np.cov(complete, rowvar=False)))[1][:, -1]
    x_line, y_line = (x @ direction)[:, None], (y @ direction)[:, None]
    deviation = _deviation(x_line, y_line)
    terms.add_gaussian(x_line[:, 0] / deviation, y_line[:, 0] / deviation)


def _groups(treatment: Treatment) -> Sequence[Sequence[str]]:
    """Return the groups of attributes that are known; each attribute is one where none are published."""
    kept = set(treatment.attributes)
    given = treatment.parameters.get("groups") or [[name] for name in treatment.attributes]
    groups = [[name for name in group if name in kept] for group in given]
    return [group for group in groups if group]


def _add_group(names: Sequence[str], known: Known, terms: TermList, *, is_raw: bool) -> None:
    sides = [known.numbers(name) for name in names]
    scales = [1.0 if is_raw else careful_moments(x)[1] or 1.0 for x, _ in sides]
    x = np.column_stack([side[0] / scale for side, scale in zip(sides, scales, strict=True)])
    y = np.column_stack([side[1] / scale for side, scale in zip(sides, scales, strict=True)])
    deviation = _deviation(x, y)
    for k in range(len(names)):
        terms.add_gaussian(x[:, k] / deviation, y[:, k] / deviation)


def _deviation(x: FloatArray, y: FloatArray) -> float:
    """Return the root mean square, per coordinate, of the distance to the nearest centroid; 1 if nobody has both."""
    whole, centroids = x[~np.isnan(x).any(axis=1)], y[~np.isnan(y).any(axis=1)]
    if len(whole) == 0 or len(centroids) == 0:
        return 1.0
    from scipy.spatial import cKDTree  # noqa: PLC0415  (slow to import)

    distances, _ = cKDTree(np.unique(centroids, axis=0)).query(whole)
    found = float(np.sqrt(np.mean(distances**2) / x.shape[1]))
    return found if found > 0.0 else 1e-9 * float(np.abs(whole).max(initial=1.0))


def _add_neighbours(name: str, known: Known, terms: TermList) -> None:
    """Say that a value lies between the centroids before and after its own: in places among them, at most 1 apart."""
    x, y = known.numbers(name)
    centroids = np.unique(y[~np.isnan(y)])
    x_place, y_place = _places(x, centroids), _places(y, centroids)
    terms.add_interval(
        np.nan_to_num(x_place, nan=-np.inf),
        np.nan_to_num(x_place, nan=np.inf),
        np.nan_to_num(y_place - 1.0, nan=-np.inf),
        np.nan_to_num(y_place + 1.0, nan=np.inf),
    )


def _places(values: FloatArray, centroids: FloatArray) -> FloatArray:
    """Return the place of each value among centroids, a half for those in between; missing ones stay missing.

    >>> _places(np.array([0.0, 1.0, 2.5, 9.0, np.nan]), np.array([1.0, 3.0])).tolist()
    [-0.5, 0.0, 0.5, 1.5, nan]
    """
    below = np.searchsorted(centroids, values, side="left")
    above = np.searchsorted(centroids, values, side="right")
    return np.where(np.isnan(values), np.nan, 0.5 * (below + above - 1.0))


def _add_category(name: str, known: Known, terms: TermList) -> None:
    x, y, labels = known.codes(name)
    frequencies = np.bincount(y[y >= 0], minlength=len(labels)) / max(1, int((y >= 0).sum()))
    chances = LEAST_AGREEMENT * np.eye(len(labels)) + (1.0 - LEAST_AGREEMENT) * frequencies
    with np.errstate(divide="ignore"):
        terms.add_table(x, y, -np.log(chances))

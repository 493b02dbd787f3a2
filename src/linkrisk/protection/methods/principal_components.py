"""Microaggregation along the first principal component."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.protection.ladders import cluster_sizes
from linkrisk.protection.method import Method, Strength
from linkrisk.protection.microaggregation.projection import along_a_line, sum_rows
from linkrisk.protection.protection import Protection
from linkrisk.protection.values.columns import ORDERED, QUANTITIES, Name
from linkrisk.protection.values.frame import Frame


def principal_components(
    data: Any,
    groups: Sequence[Sequence[Name]],
    k: int | Sequence[int],
    *,
    centroid: str | Mapping[Any, str] | None = None,
    continuous: bool = False,
    leave: Sequence[Name] = (),
    schema: Any = None,
) -> Protection:
    """Sort records by their first principal component, cut them into clusters of k, and replace them by centroids.

    The component of a record is v_1 z_1 + v_2 z_2 + ..., with z its z-values (see `z_scores`) and v the direction of
    length 1 in which this sum varies most over the records: the first eigenvector of the correlation matrix. Its sign
    is chosen such that its largest entry in absolute value (the first, if there are several) is positive. Everything
    else is as in `z_scores`.

    Parameters
    ----------
    data, groups, k, centroid, continuous, leave, schema
        As for `z_scores`.

    Returns
    -------
    Protection
        ``details`` holds a `MicroaggregatedGroup` for each group, its SSE/SST on z-values. There is no secret.

    Raises
    ------
    ParameterError, ColumnError
        As for `z_scores`.

    Notes
    -----
    *Guarantee* (docs/mathematics.md#checked), ties, missing values and cost are those of `z_scores`. Where two
    directions vary equally, rounding decides between them.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz (2002), as in `microaggregate`; abril2012-weights.txt, section 4.2 (MicPCP).

    Examples
    --------
    One attribute falls where the other rises: the sum of their z-values would tell records hardly apart.

    >>> import numpy as np
    >>> people = np.array([[1.0, 9.0], [4.0, 2.0], [2.0, 7.0], [3.0, 4.0]])
    >>> principal_components(people, [[0, 1]], k=2, continuous=True).data.tolist()
    [[1.5, 8.0], [3.5, 3.0], [1.5, 8.0], [3.5, 3.0]]
    """
    how = along_a_line("principal_components", "principal components projection", _first_component)
    table = Frame.of(data, schema)
    return how.protect(table, groups, k, centroid=centroid, continuous=continuous, leave=leave)


PRINCIPAL_COMPONENTS = Method(
    "principal_components",
    principal_components,
    "records sorted by their first principal component, and averaged over clusters of k",
    needed=("groups", "k"),
    optional=("centroid", "continuous"),
    shared=("centroid", "continuous"),
    kinds=ORDERED,
    by_default=QUANTITIES,
    strength=Strength("k", cluster_sizes),
)


def _first_component(scores: FloatArray) -> FloatArray:
    """Return the first principal component of standardised columns."""
    _, vectors = np.linalg.eigh(scores.T @ scores / max(len(scores) - 1, 1))
    direction = vectors[:, -1]
    sizes = np.abs(direction)
    farthest = int(np.argmax(sizes >= sizes.max() - 1e-9))  # equal loadings differ in their last bits
    direction = direction * np.sign(direction[farthest])
    return sum_rows(scores * direction)

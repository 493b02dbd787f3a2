"""What learned parameters mean to a reader: weights and their evenness, positions, subsets, matrices.

Each family says which of these its own parameters are (`Family.meaning`); nothing here knows a family. All of it is
computed from the normalised parameters alone; a meaning holds attribute names and figures, no records. The parameters
are learned from confidential data and tell which attributes give people away: they stay with the owner of the original.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.forms import vectors_for
from linkrisk.distances.indices import (
    Subset,
    evenness,
    interaction_indices,
    matrix_distance,
    orness,
    shapley_shares,
)
from linkrisk.distances.keys import pair_differences
from linkrisk.distances.measure import (
    MAX_FULL_ATTRIBUTES,
    dyadic_label,
    measure_from_mobius,
)

LINES = 16
"""Subsets and pairs of attributes printed; a meaning holds them all."""

MAX_CONDITION = 1e12
"""A matrix is inverted only if its largest singular value is at most this times its smallest."""


@runtime_checkable
class Meaning(Protocol):
    """What parameters mean: prints as a small table, and turns into a plain dictionary for JSON."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries, lists, texts and numbers."""


@dataclass(frozen=True)
class WeightsMeaning:
    """Weighted mean: the weight of each attribute, and how evenly they are spread (`evenness`)."""

    weights: dict[str, float]
    evenness: float

    def __str__(self) -> str:
        lines = _table(sorted(self.weights.items(), key=lambda item: -item[1]))
        return "\n".join([*lines, f"evenness {self.evenness:.3f}"])

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and numbers."""
        return {"weights": dict(self.weights), "evenness": self.evenness}


@dataclass(frozen=True)
class PositionsMeaning:
    """OWA: the weight of the largest difference, the second largest, ..., with `orness` and `evenness`."""

    weights: tuple[float, ...]
    orness: float
    evenness: float

    def __str__(self) -> str:
        lines = _table([(f"{place}. largest difference", value) for place, value in enumerate(self.weights, 1)])
        return "\n".join([*lines, f"orness {self.orness:.3f}, evenness {self.evenness:.3f}"])

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and numbers."""
        return {"weights": list(self.weights), "orness": self.orness, "evenness": self.evenness}


@dataclass(frozen=True)
class MeasureMeaning:
    """Choquet integral: the fuzzy measure and what it says of attributes and of pairs of them.

    ``mobius`` is the Möbius transform by subset, ``measure`` the measure itself (None for more than 16 attributes);
    ``labels`` are the subsets as the tables of abril2012-choquet.txt write them, the first attribute first. ``shapley``
    divides mu(all) = 1 among the attributes. ``interaction`` of two attributes is positive where they count more
    together than each alone (a record is far only if it differs in both), and negative where one replaces the other.
    """

    names: tuple[str, ...]
    measure: dict[Subset, float] | None
    mobius: dict[Subset, float]
    labels: dict[Subset, str]
    shapley: dict[str, float]
    interaction: dict[tuple[str, str], float]

    def __str__(self) -> str:
        lines = ["Shapley values", *_table(sorted(self.shapley.items(), key=lambda item: -item[1]))]
        lines += self._subset_lines()
        if self.interaction:
            pairs = sorted(self.interaction.items(), key=lambda item: -abs(item[1]))
            lines += [_heading("interaction indices", len(pairs))]
            lines += _table([(f"{first}, {second}", value) for (first, second), value in pairs[:LINES]])
        return "\n".join(lines)

    def _subset_lines(self) -> list[str]:
        what = "Möbius values" if self.measure is None else "measure"
        values = self.mobius if self.measure is None else self.measure
        largest = sorted(values, key=lambda subset: -abs(self.mobius[subset]))[:LINES]
        shown = [subset for subset in values if subset in set(largest)]
        heading = _heading(what, len(values), "of the largest Möbius values")
        return [heading, *_table([(f"{self.labels[s]}  {', '.join(s)}", values[s]) for s in shown])]

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries, lists and numbers; subsets and pairs as lists of attribute names."""
        subsets = [
            {
                "attributes": list(subset),
                "label": self.labels[subset],
                "measure": None if self.measure is None else self.measure[subset],
                "mobius": value,
            }
            for subset, value in self.mobius.items()
        ]
        pairs = [{"attributes": list(pair), "interaction": value} for pair, value in self.interaction.items()]
        return {"subsets": subsets, "shapley": dict(self.shapley), "interactions": pairs}


@dataclass(frozen=True, eq=False)
class FormMeaning:
    """Bilinear form: its matrix S, eigenvalues from large to small, and eigenvectors (columns, of length 1).

    ``covariance_distance`` is that of the inverse of S to the covariance of the differences of true pairs
    (Table 8 of abril-bilinear.txt, at the best common scale: see `matrix_distance`), ``precision_distance`` that
    of S to the inverse of the covariance: 0 where the learned form is the Mahalanobis distance, None where an inverse
    does not exist or no covariance was given.
    """

    names: tuple[str, ...]
    matrix: FloatArray
    eigenvalues: FloatArray
    eigenvectors: FloatArray
    covariance_distance: float | None = None
    precision_distance: float | None = None

    def __str__(self) -> str:
        width = max(len(name) for name in self.names)
        lines = ["matrix", *_matrix_lines(self.names, self.matrix, width)]
        lines += ["eigenvalues and eigenvectors", _row("", self.eigenvalues, width)]
        lines += _matrix_lines(self.names, self.eigenvectors, width)
        for what, value in (
            ("inverse to the covariance of true pairs", self.covariance_distance),
            ("matrix to the inverse of that covariance", self.precision_distance),
        ):
            if value is not None:
                lines.append(f"distance of the {what} {value:.3f}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries, lists and numbers; each eigenvector by attribute name."""
        rows = {name: _by_name(self.names, row) for name, row in zip(self.names, self.matrix, strict=True)}
        axes = [
            {"eigenvalue": float(value), "vector": _by_name(self.names, vector)}
            for value, vector in zip(self.eigenvalues, self.eigenvectors.T, strict=True)
        ]
        return {
            "matrix": rows,
            "eigen": axes,
            "covariance_distance": self.covariance_distance,
            "precision_distance": self.precision_distance,
        }


@dataclass(frozen=True)
class PlainMeaning:
    """Parameters of a user's own family as they are, or what its ``meaning`` says about them."""

    values: dict[str, Any]

    def __str__(self) -> str:
        return "\n".join(f"{name}  {value}" for name, value in self.values.items())

    def to_dict(self) -> dict[str, Any]:
        """Return what there is to say."""
        return dict(self.values)


def weights_meaning(names: Sequence[str], weights: FloatArray) -> WeightsMeaning:
    """Say what the weights of attributes mean.

    >>> print(weights_meaning(("age", "income"), np.array([0.25, 0.75])))
    income     0.7500
    age        0.2500
    evenness 0.811
    """
    return WeightsMeaning(_by_name(names, weights), evenness(weights))


def positions_meaning(weights: FloatArray) -> PositionsMeaning:
    """Say what the weights of the largest difference, of the second largest, ... mean.

    >>> positions_meaning(np.array([1.0, 0.0])).orness
    1.0
    """
    return PositionsMeaning(tuple(weights.tolist()), orness(weights), evenness(weights))


def measure_meaning(
    names: Sequence[str], subsets: Sequence[Subset], mobius: FloatArray, measure: FloatArray | None = None
) -> MeasureMeaning:
    """Say what a fuzzy measure means, from its Möbius values; subsets that are not listed have none.

    ``measure`` holds the values of the same subsets, where they are at hand. Cost: n^2 2^n for a full measure.

    >>> measure_meaning(("a", "b"), [("a",), ("b",)], np.array([0.25, 0.75])).shapley
    {'a': 0.25, 'b': 0.75}
    """
    names = tuple(names)
    masks = [sum(1 << names.index(name) for name in subset) for subset in subsets]
    measure = _measure_of(masks, mobius, len(names)) if measure is None else measure
    return MeasureMeaning(
        names=names,
        measure=None if measure is None else dict(zip(subsets, measure.tolist(), strict=True)),
        mobius=dict(zip(subsets, mobius.tolist(), strict=True)),
        labels={s: dyadic_label(mask, len(names)) for s, mask in zip(subsets, masks, strict=True)},
        shapley=shapley_shares(subsets, mobius),
        interaction=interaction_indices(subsets, mobius),
    )


def form_meaning(matrix: FloatArray, names: Sequence[str], covariance: FloatArray | None = None) -> FormMeaning:
    """Say what the matrix of a form means, and how far it is from the covariance of true pairs.

    >>> import numpy as np
    >>> form_meaning(np.diag([1.0, 4.0]), ("a", "b"), np.diag([4.0, 1.0])).covariance_distance
    0.0
    """
    values, vectors = np.linalg.eigh(matrix)
    inverse, precision = _inverse(matrix), None if covariance is None else _inverse(covariance)
    return FormMeaning(
        names=tuple(names),
        matrix=matrix,
        eigenvalues=values[::-1].copy(),
        eigenvectors=_signed(vectors[:, ::-1]),
        covariance_distance=None if inverse is None or covariance is None else matrix_distance(inverse, covariance),
        precision_distance=None if precision is None else matrix_distance(matrix, precision),
    )


def true_pair_covariance(comparison: Comparison, attacker: str = "bilinear") -> FloatArray | None:
    """Covariance (n - 1) of the differences of true pairs, numeric and date attributes; None for fewer than two pairs.

    VarA + VarB - Cov - Cov' of the Mahalanobis distance (Definition 4 of abril-bilinear.txt). Pairs with a missing
    value are left out, unless that leaves fewer than two; then what is missing is the mean of its file.
    """
    numeric, original, protected, _ = vectors_for(comparison, attacker)
    coordinates, own = numeric.coordinates, numeric.coordinates.own
    sides = coordinates.original, coordinates.protected[own]
    complete = np.where(np.isnan(np.hstack(sides)).max(axis=1, initial=False), -1, own)
    differences = pair_differences(original, protected, complete if (complete >= 0).sum() > 1 else own).centred
    if len(differences) < 2:
        return None
    return np.asarray(differences.T @ differences / (len(differences) - 1))


def _measure_of(masks: Sequence[int], mobius: FloatArray, n_attributes: int) -> FloatArray | None:
    """Measure of some subsets from the Möbius values of all that have one; None for too many attributes."""
    if n_attributes > MAX_FULL_ATTRIBUTES:
        return None
    spread = np.zeros(1 << n_attributes)
    spread[masks] = mobius
    return np.asarray(measure_from_mobius(spread)[masks])


def _inverse(matrix: FloatArray) -> FloatArray | None:
    """Return the inverse; None where it would depend on rounding."""
    if not matrix.any() or np.linalg.cond(matrix) > MAX_CONDITION:
        return None
    return np.asarray(np.linalg.inv(matrix))


def _signed(vectors: FloatArray) -> FloatArray:
    """Eigenvectors with their largest entry positive: a vector and its negative are the same axis."""
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.where(vectors[largest, np.arange(vectors.shape[1])] < 0.0, -1.0, 1.0)
    return np.asarray(vectors * signs + 0.0)


def _by_name(names: Sequence[str], values: FloatArray) -> dict[str, float]:
    return dict(zip(names, values.tolist(), strict=True))


def _heading(what: str, total: int, which: str = "the strongest") -> str:
    return what if total <= LINES else f"{what} ({LINES} of {total}, {which})"


def _table(rows: Sequence[tuple[str, float]]) -> list[str]:
    """Lines of a label and a number."""
    width = max((len(label) for label, _ in rows), default=0)
    return [f"{label:<{width}}  {value:>9.4f}" for label, value in rows]


def _row(label: str, values: FloatArray, width: int) -> str:
    return f"{label:<{width}}" + "".join(f"  {value:>9.4f}" for value in values)


def _matrix_lines(names: Sequence[str], matrix: FloatArray, width: int) -> list[str]:
    return [_row(name, row, width) for name, row in zip(names, matrix, strict=True)]

"""What learned parameters mean to a reader: weights and their evenness, positions, subsets, matrices.

All of it is computed from the normalised parameters alone; a meaning holds attribute names and figures, no records.
The parameters are learned from confidential data and tell which attributes give people away: they stay with the
owner of the original.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.name_list import join_names
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.bilinear import BilinearFamily, form_matrix
from linkrisk.distances.choquet import AdditiveChoquetFamily, ChoquetFamily, small_subsets
from linkrisk.distances.family import Family
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
    mobius_from_measure,
)
from linkrisk.distances.owa import OWAFamily
from linkrisk.distances.weighted_mean import WeightedMeanFamily

LINES = 16
"""Subsets and pairs of attributes printed; a meaning holds them all."""

MAX_CONDITION = 1e12
"""A matrix is inverted only if its largest singular value is at most this times its smallest."""


@runtime_checkable
class Meaning(Protocol):
    """What parameters mean: prints as a small table, and turns into a plain dictionary for JSON."""

    def as_dict(self) -> dict[str, Any]:
        """Return plain dictionaries, lists, texts and numbers."""


@dataclass(frozen=True)
class WeightsMeaning:
    """Weighted mean: the weight of each attribute, and how evenly they are spread (`evenness`)."""

    weights: dict[str, float]
    evenness: float

    def __str__(self) -> str:
        lines = _table(sorted(self.weights.items(), key=lambda item: -item[1]))
        return "\n".join([*lines, f"evenness {self.evenness:.3f}"])

    def as_dict(self) -> dict[str, Any]:
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

    def as_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and numbers."""
        return {"weights": list(self.weights), "orness": self.orness, "evenness": self.evenness}


@dataclass(frozen=True)
class MeasureMeaning:
    """Choquet integral: the fuzzy measure and what it says of attributes and of pairs of them.

    ``mobius`` is the Möbius transform by subset, ``measure`` the measure itself (None for more than 16 attributes);
    ``labels`` are the subsets as the tables of abril2012-choquet.txt write them, the first attribute first.
    ``shapley`` shares mu(all) = 1 out among the attributes. ``interaction`` of two attributes is positive where they
    count together more than each for itself (a record is far only if it differs in both), and negative where one
    does instead of the other.
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

    def as_dict(self) -> dict[str, Any]:
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
    (Table 8 of abril-bilinear.txt, but at the best common scale: see `matrix_distance`), ``precision_distance`` that
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

    def as_dict(self) -> dict[str, Any]:
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
    """Parameters of a user's own family as they are, or what its ``meaning`` says of them."""

    values: dict[str, Any]

    def __str__(self) -> str:
        return "\n".join(f"{name}  {value}" for name, value in self.values.items())

    def as_dict(self) -> dict[str, Any]:
        """Return what there is to say."""
        return dict(self.values)


def meaning(
    family: Family, theta: FloatArray, names: Sequence[str], *, covariance: FloatArray | None = None
) -> Meaning:
    """Say what the parameters of a family mean.

    ``names`` are the attributes that theta was learned on; ``covariance`` (forms only) is that of the differences of
    true pairs, see `true_pair_covariance`. A family of a user's own is asked first: its method
    ``meaning(theta, names)``, if it has one, gets the normalised parameters and returns a `Meaning` or a mapping.

    Ties and missing values play no part: theta says it all. Cost: n^2 2^n for a full fuzzy measure, n^3 for a form.

    >>> import numpy as np
    >>> print(meaning(WeightedMeanFamily(), np.array([1.0, 3.0]), ("age", "income")))
    income     0.7500
    age        0.2500
    evenness 0.811
    """
    values, names = family.normalised(theta), tuple(names)
    own = getattr(family, "meaning", None)
    if own is not None:
        told = own(values, names)
        return PlainMeaning(dict(told)) if isinstance(told, Mapping) else _checked(told)
    if isinstance(family, WeightedMeanFamily):
        return WeightsMeaning(_by_name(names, values), evenness(values))
    if isinstance(family, OWAFamily):
        return PositionsMeaning(tuple(values.tolist()), orness(values), evenness(values))
    if isinstance(family, ChoquetFamily | AdditiveChoquetFamily):
        return _measure_meaning(family, values, names)
    if isinstance(family, BilinearFamily):
        return form_meaning(form_matrix(values, len(names)), names, covariance)
    return PlainMeaning(dict(zip(parameter_labels(family, names), values.tolist(), strict=True)))


def parameter_labels(family: Family, names: Sequence[str]) -> tuple[str, ...]:
    """Name every entry of theta: attributes, positions, subsets ("age,income") or entries of a matrix.

    >>> parameter_labels(BilinearFamily(), ("age", "income"))
    ('age x age', 'age x income', 'income x income')
    """
    names = tuple(names)
    if isinstance(family, WeightedMeanFamily):
        return names
    if isinstance(family, ChoquetFamily):
        return tuple(join_names(subset) for subset in _all_subsets(names))
    if isinstance(family, AdditiveChoquetFamily):
        return tuple(join_names(subset) for subset in _small_subsets(names, family.additivity))
    if isinstance(family, BilinearFamily):
        first, second = np.triu_indices(len(names))
        return tuple(f"{names[k]} x {names[m]}" for k, m in zip(first, second, strict=True))
    n_parameters = family.parameter_set(len(names)).n_parameters
    what = "position" if isinstance(family, OWAFamily) else "parameter"
    return tuple(f"{what} {place}" for place in range(1, n_parameters + 1))


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


def _measure_meaning(
    family: ChoquetFamily | AdditiveChoquetFamily, values: FloatArray, names: tuple[str, ...]
) -> MeasureMeaning:
    """Spread a measure out: all subsets, or for a q-additive one those that have a Möbius value."""
    measure: FloatArray | None = values
    if isinstance(family, ChoquetFamily):
        subsets, mobius = _all_subsets(names), mobius_from_measure(np.append(0.0, values))[1:]
    else:
        subsets, mobius = _small_subsets(names, family.additivity), values
        measure = _measure_of(subsets, values, names)
    masks = [sum(1 << names.index(name) for name in subset) for subset in subsets]
    return MeasureMeaning(
        names=names,
        measure=None if measure is None else dict(zip(subsets, measure.tolist(), strict=True)),
        mobius=dict(zip(subsets, mobius.tolist(), strict=True)),
        labels={s: dyadic_label(mask, len(names)) for s, mask in zip(subsets, masks, strict=True)},
        shapley=shapley_shares(subsets, mobius),
        interaction=interaction_indices(subsets, mobius),
    )


def _measure_of(subsets: Sequence[Subset], mobius: FloatArray, names: tuple[str, ...]) -> FloatArray | None:
    """Measure of some subsets from the Möbius values of all that have one; None for too many attributes."""
    if len(names) > MAX_FULL_ATTRIBUTES:
        return None
    masks = [sum(1 << names.index(name) for name in subset) for subset in subsets]
    spread = np.zeros(1 << len(names))
    spread[masks] = mobius
    return np.asarray(measure_from_mobius(spread)[masks])


def _all_subsets(names: tuple[str, ...]) -> list[Subset]:
    """Every subset but the empty one, in the order of their bit masks."""
    return [tuple(name for k, name in enumerate(names) if mask >> k & 1) for mask in range(1, 1 << len(names))]


def _small_subsets(names: tuple[str, ...], size: int) -> list[Subset]:
    return [tuple(names[k] for k in subset) for subset in small_subsets(len(names), size)]


def _inverse(matrix: FloatArray) -> FloatArray | None:
    """Return the inverse, None where rounding would decide it."""
    if not matrix.any() or np.linalg.cond(matrix) > MAX_CONDITION:
        return None
    return np.asarray(np.linalg.inv(matrix))


def _signed(vectors: FloatArray) -> FloatArray:
    """Eigenvectors with their largest entry positive: a vector and its negative are the same axis."""
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.where(vectors[largest, np.arange(vectors.shape[1])] < 0.0, -1.0, 1.0)
    return np.asarray(vectors * signs + 0.0)


def _checked(told: object) -> Meaning:
    if not isinstance(told, Meaning):
        raise TypeError("meaning(theta, names) of a family must return a mapping, or an object with as_dict()")
    return told


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

"""Families of distances that are linear in their parameters: distance(i, j) = theta . phi(i, j).

A family says what the features phi are, which parameters are admissible, which distance they make and what they mean.
Everything else, learning included, is the same for all, and nothing outside a family's own file asks which one it is.
A subclass of `Family` is all a user writes to add a learned attacker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from numpy.typing import NDArray

from linkrisk.arrays import FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.formula import Formula
from linkrisk.distances.meaning import Meaning, PlainMeaning
from linkrisk.distances.parameter_set import ParameterSet
from linkrisk.distances.programme import ProgrammeSize

Numbers = NDArray[Any]
"""An array of floats, or of Fractions: features are computed for both, by the same code."""

Embedding = Callable[[FloatArray], FloatArray]
"""Turns parameters of a weaker family into parameters of a stronger one that make the same distance."""

REQUIRED = (
    "name", "is_signed", "is_nonnegative", "tolerance", "features", "profile", "parameter_set", "normalised",
    "distance",
)  # fmt: skip
"""What a family must bring itself; everything else has a default."""


class Family:
    """A family of distances: features, admissible parameters, and what they mean.

    A subclass brings the members in `REQUIRED`:

    name
        Used on the command line and in results.
    is_signed
        Whether features are made of the signed differences of numeric vectors, otherwise of the d_k.
    is_nonnegative
        Whether only those parameters are admissible that give no pair of the two files a negative distance.
    tolerance
        Relative, for ties.

    and the five methods that raise `NotImplementedError` here. The other methods have defaults that suit a family of
    your own; built-in families replace some of them.

    >>> from linkrisk.distances.weighted_mean import WeightedMeanFamily
    >>> WeightedMeanFamily().parameter_labels(("age", "income"))
    ('age', 'income')
    """

    no_certificate: ClassVar[str] = "only attackers that are built in have one"
    """Why there is no certificate of what was learned, where `is_verifiable` is False."""

    @property
    def name(self) -> str:
        """Name used on the command line and in results."""
        raise NotImplementedError

    @property
    def is_signed(self) -> bool:
        """Whether features are made of signed differences."""
        raise NotImplementedError

    @property
    def is_nonnegative(self) -> bool:
        """Whether distances must not be negative on the two files."""
        raise NotImplementedError

    @property
    def tolerance(self) -> float:
        """Relative tolerance for ties."""
        raise NotImplementedError

    def features(self, differences: Numbers) -> Numbers:
        """Return phi for rows of differences, one row each; several threads may ask at a time."""
        raise NotImplementedError

    def profile(self, differences: Numbers) -> Numbers | None:
        """Return numbers such that no admissible distance is larger if none of them is; None if there are none.

        Several threads may ask at a time.
        """
        raise NotImplementedError

    def parameter_set(self, n_attributes: int) -> ParameterSet:
        """Return the admissible parameters for a number of attributes."""
        raise NotImplementedError

    def normalised(self, theta: FloatArray) -> FloatArray:
        """Return the parameters scaled as users expect them, and moved back inside where rounding left the set."""
        raise NotImplementedError

    def distance(self, theta: FloatArray, comparison: Comparison) -> Distance:
        """Return the distance that these parameters, normalised, make on two files."""
        raise NotImplementedError

    def parameter_labels(self, names: Sequence[str]) -> tuple[str, ...]:
        """Name every entry of theta for attributes of these names."""
        n_parameters = self.parameter_set(len(names)).n_parameters
        return tuple(f"parameter {place}" for place in range(1, n_parameters + 1))

    def meaning(
        self,
        theta: FloatArray,
        names: Sequence[str],
        covariance: FloatArray | None = None,  # noqa: ARG002  (forms are compared with it)
    ) -> Meaning:
        """Say what parameters mean; ``covariance`` is that of the differences of true pairs, where it is known.

        A family of your own may return ``PlainMeaning({"share of the largest": 0.25})``.
        """
        return PlainMeaning(dict(zip(self.parameter_labels(names), self.normalised(theta).tolist(), strict=True)))

    def weaker(self) -> list[tuple[Family, Embedding]]:
        """Return families whose distances this one can all make, and how; learning starts from their parameters."""
        return []

    def contains(self, other: Family) -> bool:
        """Whether this family can make every distance that another one can, on the same files.

        *Guarantee* (docs/mathematics.md#never-weaker): then nothing that the other has found is lost on this one.
        """
        return (
            is_same_family(self, other)
            or other.lies_in(self)
            or any(weaker.contains(other) for weaker, _ in self.weaker())
        )

    def lies_in(self, wider: Family) -> bool:  # noqa: ARG002  (most families are known to those that contain them)
        """Whether another family contains this one, where that one does not know it."""
        return False

    def parameters_of(self, formula: Formula, names: Sequence[str]) -> FloatArray | None:  # noqa: ARG002
        """Return parameters that make a given distance of attributes of these names; None if this family has none.

        What weaker families make need not be told here: `embedded_parameters` asks them.
        """
        return None

    def wholes_of(self, formula: Formula, names: Sequence[str]) -> tuple[int, ...] | None:  # noqa: ARG002
        """Return the same as whole numbers, without rounding, where that is more than floats can hold; else None."""
        return None

    @property
    def is_repaired(self) -> bool:
        """Whether the best parameters are changed afterwards (`repaired`), which may cost links."""
        return False

    def unrepaired(self) -> Family:
        """Return the family that is learned, before the best parameters are changed."""
        return self

    def repaired(self, theta: FloatArray) -> FloatArray:
        """Return parameters as they are used once they have been learned."""
        return theta

    def repaired_wholes(self, theta: FloatArray) -> tuple[int, ...]:
        """Return repaired parameters without rounding, as whole numbers, of which only the direction matters."""
        raise NotImplementedError

    def for_others(self) -> Family:
        """Return the family that these parameters belong to on records from which they were not learned."""
        return self

    @property
    def is_boxed(self) -> bool:
        """Whether boxes may be searched; a bound on the rounding of the rows must be known."""
        return False

    @property
    def floor(self) -> float | None:
        """Least share of their sum that each parameter has, where parameters are weights; None where they are not."""
        return None

    def programme_size(self, n_records: int, n_attributes: int) -> ProgrammeSize:
        """Count variables and constraints of the papers' programme, as they would write it down."""
        size = ProgrammeSize.of(self.name, n_records, n_attributes)
        parameters = self.parameter_set(n_attributes)
        return replace(
            size,
            continuous=parameters.n_parameters,
            normalisation=int(parameters.normal is not None),
            other=len(parameters.inequalities),
        )

    @property
    def is_verifiable(self) -> bool:
        """Whether the verifier knows the family, so that a certificate can be written."""
        return False

    @property
    def options(self) -> dict[str, float]:
        """What a certificate says about the family besides its name."""
        return {}

    @property
    def file_stem(self) -> str:
        """What the files of certificates are called: the name, and what tells families of one name apart."""
        return self.name

    @property
    def cites_inequalities(self) -> bool:
        """Whether proofs name inequalities of the parameter set, because mixtures of rows have no test."""
        return False

    def inequality_label(self, row: FloatArray, n_attributes: int) -> dict[str, Any]:
        """Name an inequality of the parameter set as docs/certificates.md does."""
        raise NotImplementedError


def is_same_family(one: Family, other: Family) -> bool:
    """Whether two families are one: of one class, with the same options."""
    return one == other or (type(one) is type(other) and one.name == other.name and one.options == other.options)


def embedded_parameters(family: Family, formula: Formula, names: Sequence[str]) -> FloatArray | None:
    """Return parameters with which a family, or a weaker one that it contains, makes a given distance; None if none.

    >>> from linkrisk.distances.choquet import ChoquetFamily
    >>> from linkrisk.distances.distance import Rule
    >>> import numpy as np
    >>> weights = Formula(Rule.WEIGHTED, np.array([0.25, 0.75]), ("age", "income"))
    >>> embedded_parameters(ChoquetFamily(), weights, ("age", "income")).tolist()
    [0.25, 0.75, 1.0]
    """
    theta = family.parameters_of(formula, names)
    if theta is not None:
        return theta
    for weaker, embedding in family.weaker():
        theta = embedded_parameters(weaker, formula, names)
        if theta is not None:
            return embedding(theta)
    return None

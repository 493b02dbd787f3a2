"""What every attacker offers: a name, a distance on two files, and how he is checked before any long work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from linkrisk.arrays import FloatArray
from linkrisk.data.columns import FilePair
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.family import Family
from linkrisk.distances.parameters import is_number
from linkrisk.errors import ParameterError
from linkrisk.informed.description import Description
from linkrisk.linkage.linkage import Linkage


@dataclass(eq=False)
class Attacker:
    """A way to measure how far an original record is from a protected one; base of all attackers.

    An attacker holds his own parameters and nothing else; how files are scaled and links are counted belongs to the
    assessment, or to ``fit``. Parameters are checked where they are used, not when they are set, in the manner of
    scikit-learn. A subclass brings ``name`` and ``distance``.

    >>> class Cautious(Attacker):
    ...     name = "cautious"
    >>> Cautious().is_learned, Cautious().get_params()
    (False, {})
    """

    knows: ClassVar[str] = ""
    """A sentence on what he knows or how he thinks, for readers who do not know him by name."""

    is_scaled: ClassVar[bool] = True
    """Whether he compares the files on a scale, by a distance; otherwise he attacks once, in values as they are, by
    what he knows of the method (``descriptions``)."""

    is_start: ClassVar[bool] = True
    """Whether his distance may lie in a family that others learn, who then start from it."""

    has_true_pairs: ClassVar[bool] = False
    """Whether the attacker is fitted to the true pairs of the very files he attacks: he knows more than an intruder
    does, and no interval of sampling error is given."""

    @property
    def name(self) -> str:
        """Name used on the command line and in results."""
        raise NotImplementedError

    def distance(self, comparison: Comparison) -> Distance:
        """Return the distance this attacker uses on the two files; `ParameterError` where it must be learned first."""
        raise NotImplementedError

    @property
    def is_learned(self) -> bool:
        """Whether his parameters are still to be learned."""
        return False

    def family(self) -> Family | None:
        """Return the family of distances he is learned from; None for an attacker that is never learned."""
        return None

    def with_parameters(self, theta: FloatArray, names: Sequence[str]) -> Attacker:
        """Return the same attacker with parameters of his family given, learned on attributes of these names."""
        del theta, names
        raise ParameterError(f"{self.name}: there is nothing to learn; use it as it is")

    def check_parameters(self) -> None:
        """Raise `ParameterError` where parameters cannot be used, whatever the files are."""

    def check_usable(self, comparison: Comparison, margin: float = 0.0) -> None:
        """Raise where the attacker cannot be used on two files, or his parameters do not fit them; cheap.

        ``margin`` is that of the assessment, for attackers to be learned.
        """
        del margin
        self.distance(comparison)

    def check_files(self, files: FilePair, published: Description | None) -> None:
        """Raise where he, or everybody, was told of another release than this one; cheap."""
        del files, published

    def descriptions(
        self, files: FilePair, published: Description | None
    ) -> tuple[tuple[Description, ...], tuple[str, ...]]:
        """Return how he thinks the release was made, and sentences on what he had to guess; nothing for a distance.

        ``published`` is what everybody was told about the release.
        """
        del files, published
        return (), ()

    def for_run(self, seed: int, threads: int | None) -> Attacker:
        """Return the attacker with the seed and the cores of the run, if he needs them."""
        del seed, threads
        return self

    def with_findings(self, distance: Distance, linkage: Linkage, scale: str) -> Distance:
        """Return the distance, its parameters and notes completed by what is known only after linking."""
        del linkage, scale
        return distance

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002  (the word of scikit-learn; nothing is nested)
        """Return the parameters by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; what was learned stays until the next ``fit``."""
        known = self.get_params()
        unknown = [name for name in params if name not in known]
        if unknown:
            raise ParameterError(f"{type(self).__name__}: no parameter {unknown[0]!r}; there are {', '.join(known)}")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def is_default(self) -> bool:
        """Whether all parameters are what they are if none are given."""
        return all(getattr(self, field.name) is field.default for field in fields(self))

    @property
    def options(self) -> dict[str, float]:
        """Those parameters that are single numbers: they tell two attackers of one name apart."""
        return {name: value for name, value in self.get_params().items() if is_number(value)}

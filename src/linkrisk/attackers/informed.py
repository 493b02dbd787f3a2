"""The intruder who knows how the release was made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from linkrisk.attackers.attacker import Attacker
from linkrisk.data.columns import FilePair
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.errors import ParameterError
from linkrisk.informed.description import Description


@dataclass(eq=False)
class Informed(Attacker):
    """The intruder who has read how the release was made: the method and its parameters, not the secret seed.

    He knows the original values of the attributes, and what the methodology of the release says. From it follows, for
    every pair of records, how likely the protected one is if it belongs to the original one, p(y_j | x_i), and from
    that how likely each pair is over all ways to match the two files (`linkrisk.linkage.matching`):

    distance = -log P(i is j | both files),

    infinite for what the method cannot do. What he makes of each method is told in `linkrisk.informed.methods`: windows
    and implied partners of rank swapping, likelihoods of noise and PRAM, centroids, or the method run again where it
    draws nothing. One to one he takes the assignment with the most expected links.

    Parameters
    ----------
    description
        What is published: a `linkrisk.informed.description.Description`, a file that ``protect --record`` wrote, or
        several. By default what the assessment was told (``published``, ``method``); where nothing is, every method is
        tried that fits the two files.

    Ties: who is equally likely counts as a twin. Missing values: they say nothing, or must be missing in both files
    (`linkrisk.informed.model`). He uses no scale, and no true pairs, except to estimate parameters that are not
    published. Cost: near-linear where attributes tell records apart, at most all pairs; 10^4 records take seconds.
    Reference: for the idea, Nin, Herranz and Torra (2008), https://doi.org/10.1016/j.datak.2007.07.006 (rank swapping).

    >>> import linkrisk
    >>> people = linkrisk.datasets.census_like(60, seed=1)[["AGI", "FEDTAX", "PTOTVAL"]]
    >>> release = linkrisk.protect(people, "rank_swap", p=20, variant="pairs", secret_seed=1)
    >>> found = linkrisk.assess(people, release.data, published=release, attackers=["mean", "informed"])
    >>> found.strongest.name
    'informed'
    """

    name: ClassVar[str] = "informed"
    knows: ClassVar[str] = "He has read how the release was made: the method and its parameters, not the seed."
    is_scaled: ClassVar[bool] = False

    description: Any = None

    def check_parameters(self) -> None:
        """Raise where the description cannot be read."""
        self.published()

    def published(self) -> Description | None:
        """Return what is published, None if nothing was given."""
        if self.description is None:
            return None
        from linkrisk.informed.describing import as_descriptions  # noqa: PLC0415  (takes a moment to load)

        return as_descriptions(self.description)

    def distance(self, comparison: Comparison) -> Distance:
        """Raise: he measures no distance."""
        del comparison
        raise ParameterError("informed measures no distance; use it in linkrisk.assess")

    def check_usable(self, comparison: Comparison, margin: float = 0.0) -> None:
        """Raise nothing: he can always try."""
        del comparison, margin

    def check_files(self, files: FilePair, published: Description | None) -> None:
        """Raise where what is published names none of the attributes of two files."""
        told = self.published() or published
        if told is not None and not told.restricted(a.name for a in files.attributes).names:
            raise ParameterError(
                "informed: what is published about the release names none of these attributes; does it belong to it?"
            )

    def descriptions(
        self, files: FilePair, published: Description | None
    ) -> tuple[tuple[Description, ...], tuple[str, ...]]:
        """Return what is published, completed by what the files show; where nothing is, every method that fits them."""
        from linkrisk.informed.recognise import completed, recognised  # noqa: PLC0415  (takes a moment to load)

        told = self.published() or published
        if told is not None:
            full, notes = completed(told, files)
            return (full,), notes
        found = recognised(files)
        note = "nothing is published about the method; methods that fit the files, and are tried by informed: "
        return found, (note + "; or ".join(map(str, found)),)

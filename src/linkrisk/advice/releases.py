"""Releases side by side: risk against loss, and which of them no other beats."""

from __future__ import annotations

import os
from dataclasses import dataclass

from linkrisk.advice.front import undominated
from linkrisk.advice.release import Release
from linkrisk.attack.rules import ReleaseRules, bounds_of, rates_of
from linkrisk.data.writing import write_json
from linkrisk.linkage.ties import Ties
from linkrisk.result import DEFAULT_FRAME, Result


@dataclass(frozen=True, repr=False)
class Releases(Result):
    """Several protected versions of one file, the best score first.

    It holds nothing about single records and no parameters of attacks, so it may be shown to others. When the run was
    interrupted (``is_complete`` is False), it holds the releases judged before that. Its frame has one row per release.
    """

    releases: tuple[Release, ...]
    ties: Ties
    n_pairs: int
    attribute_names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    is_complete: bool = True
    frame_kind: str = DEFAULT_FRAME

    @property
    def undominated(self) -> tuple[Release, ...]:
        """The releases such that no other has both less risk and less loss."""
        points = [(release.risk.rate, release.loss) for release in self.releases]
        return tuple(self.releases[place] for place in undominated(points))

    def broken(self, rules: ReleaseRules) -> list[str]:
        """Return a sentence for every release and rule that it breaks."""
        return [
            f"{release.name}: {sentence}"
            for release in self.releases
            for sentence in rules.broken(rates_of(release.risk.attacks, self.ties), bounds_of(release.risk.attacks))
        ]

    def write(self, json: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> None:
        """Write the comparison as JSON, which may be shared.

        Raises
        ------
        FileError
            If the file exists already (it is kept as it is, unless ``overwrite``) or cannot be written.
        """
        if json is not None:
            write_json(json, self.to_dict(), overwrite=overwrite)

"""Releases side by side: risk against loss, and which of them no other beats."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from linkrisk.advice.front import undominated
from linkrisk.advice.release import Release
from linkrisk.attack.rules import ReleaseRules, absent, bounds_of, rates_of
from linkrisk.data.writing import write_json
from linkrisk.linkage.ties import Ties
from linkrisk.result import DEFAULT_FRAME, ReportedResult


@dataclass(frozen=True, repr=False)
class Releases(ReportedResult):
    """Several protected versions of one file, the best score first.

    It holds nothing about single records and no parameters of attacks, so it may be shown to others. When the run was
    interrupted (``is_complete`` is False), it holds the releases judged before that. Its frame has one row per release.
    ``asked_for`` are the attackers who were asked for by name, ``rules`` the release rules.
    """

    releases: tuple[Release, ...]
    ties: Ties
    n_pairs: int
    attribute_names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    is_complete: bool = True
    frame_kind: str = DEFAULT_FRAME
    asked_for: tuple[str, ...] = ()
    rules: ReleaseRules = field(default_factory=ReleaseRules)

    @property
    def undominated(self) -> tuple[Release, ...]:
        """The releases such that no other has both less risk and less loss."""
        points = [(release.risk.rate, release.loss) for release in self.releases]
        return tuple(self.releases[place] for place in undominated(points))

    @property
    def left_out(self) -> tuple[str, ...]:
        """Who could not attack, and why; with the name of the release where it is not so of all."""
        reasons = [release.risk.left_out for release in self.releases]
        of_all = [reason for reason in dict.fromkeys(itertools.chain(*reasons)) if all(reason in r for r in reasons)]
        others = [
            f"{release.name}: {reason}"
            for release in self.releases
            for reason in release.risk.left_out
            if reason not in of_all
        ]
        return (*of_all, *others)

    def broken(self, rules: ReleaseRules | None = None) -> list[str]:
        """Return a sentence for every release and rule that it breaks; the rules are those asked for, or others.

        A rule is broken, too, where somebody who was asked for by name did not attack.
        """
        return [
            f"{release.name}: {sentence}" for release in self.releases for sentence in self.broken_by(release, rules)
        ]

    def broken_by(self, release: Release, rules: ReleaseRules | None = None) -> Iterator[str]:
        """Yield a sentence for every rule that one release breaks."""
        rules = self.rules if rules is None else rules
        attacks = release.risk.attacks
        yield from rules.broken(rates_of(attacks, self.ties), bounds_of(attacks))
        if rules.is_set:
            yield from absent(self.asked_for, attacks)

    def write(self, json: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> None:
        """Write the comparison as JSON, which may be shared.

        Raises
        ------
        FileError
            If the file exists already (it is kept as it is, unless ``overwrite``) or cannot be written.
        """
        if json is not None:
            write_json(json, self.to_dict(), overwrite=overwrite)

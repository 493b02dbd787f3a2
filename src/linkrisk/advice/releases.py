"""Releases side by side: risk against loss, and which of them no other beats."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linkrisk.advice.front import undominated
from linkrisk.advice.release import Release, judge_release
from linkrisk.advice.risk import ATTACKERS, TIES, RiskOptions
from linkrisk.assessment.checks import check_sizes, checked_whole, make_attackers, make_learning, make_scales, make_ties
from linkrisk.assessment.reporter import Reporter, SilentReporter, warm_up
from linkrisk.data.columns import FilePair
from linkrisk.data.counterparts import open_pairs
from linkrisk.data.pair import pair_files
from linkrisk.data.read import open_file
from linkrisk.data.schema import Schema
from linkrisk.data.writing import write_json
from linkrisk.differences.comparison import make_comparison
from linkrisk.differences.scales import Scale
from linkrisk.distances.attacker import Attacker
from linkrisk.distances.family import Family
from linkrisk.distances.registry import is_family
from linkrisk.engine import interrupt
from linkrisk.errors import PairingError, SettingsError
from linkrisk.linkage.linkage import Ties
from linkrisk.result import DEFAULT_FRAME, Result


@dataclass(frozen=True, repr=False)
class Releases(Result):
    """Several protected versions of one file, the best score first.

    Nothing in it is about a single record, and no parameters of attacks are: it may be shown to others. When the run
    was interrupted (``is_complete`` is False), the releases judged until then stand. Its frame has one row per release.
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
        points = [(release.worst.rate, release.loss) for release in self.releases]
        return tuple(self.releases[place] for place in undominated(points))

    def write(self, json: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> None:
        """Write the comparison as JSON, which may be shared.

        Raises
        ------
        FileError
            If the file exists already (it is kept as it is, unless ``overwrite``) or cannot be written.
        """
        if json is not None:
            write_json(json, self.to_dict(), overwrite=overwrite)


def compare_releases(
    original: Any,
    releases: Mapping[str, Any] | Sequence[Any],
    *,
    attributes: Sequence[str] | None = None,
    schema: Schema | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    id: str | None = None,  # noqa: A002  (the word of the command line)
    pairs: Any = None,
    match: Mapping[str, str] | None = None,
    missing: Sequence[str | float] | None = None,
    delimiter: str | None = None,
    attackers: Sequence[str | Attacker | Family] = ATTACKERS,
    parameters: Mapping[str, Mapping[str, object]] | None = None,
    scales: Sequence[str] = tuple(Scale),
    ties: str = TIES,
    time_limit: float | None = 10.0,
    seed: int = 0,
    threads: int | None = None,
    reporter: Reporter | None = None,
) -> Releases:
    """Judge several protected versions of one file: worst case, AvRL, loss and score of each.

    Parameters
    ----------
    original
        The original file, frame or array.
    releases
        The protected versions: files, frames or arrays, by name; files may be given as a list and are called by their
        file names.
    attributes, schema, id, pairs, match, missing, delimiter
        As in `linkrisk.assess`; the same for all releases, which must have the same attributes. A list of true pairs by
        record number is for releases that hold their records in the same order; for others pair by id.
    attackers, parameters, scales
        Who attacks; the strongest of them on any scale is the worst case.
    ties
        What counts as a link in the worst case: by default ``"expected"``, so that a file full of twins does not look
        safe only because nobody is unique.
    time_limit
        Seconds for learning each attacker on each scale of each release; None for no limit.
    seed, threads, reporter
        As in `linkrisk.assess`. Ctrl-C returns the releases judged until then.

    Returns
    -------
    Releases
        Sorted by score = (AvRL + loss) / 2, see `linkrisk.advice.Release`; print it for the table and a map.

    Examples
    --------
    >>> import linkrisk
    >>> original = linkrisk.datasets.census_like(100, seed=1)[["AGI", "FEDTAX", "PTOTVAL"]]
    >>> noisy = {f"noise {p}": linkrisk.protection.add_noise(original, p, seed=2).data for p in (5.0, 40.0)}
    >>> found = linkrisk.compare_releases(original, noisy, attackers=["mean"], scales=["separate"])
    >>> sorted(release.name for release in found.undominated)  # one risks less, the other loses less
    ['noise 40.0', 'noise 5.0']
    """
    reporter = reporter or SilentReporter()
    options = make_risk_options(attackers, parameters or {}, scales, ties, time_limit, seed, threads)
    reading: dict[str, Any] = {"attributes": attributes, "schema": schema, "id": id, "match": match}
    reading |= {"missing": missing, "delimiter": delimiter}
    reading |= {"pairs": None if pairs is None else open_pairs(pairs, delimiter=delimiter)}
    table = open_file(original, "original", delimiter=delimiter)
    paired = {name: pair_files(table, release, **reading) for name, release in _named(releases).items()}
    _check_alike(paired)
    for files in paired.values():
        for scale in options.scales:
            check_sizes(make_comparison(files, scale), files.protected_name)
    judged: list[Release] = []
    is_complete = True
    try:
        warm_up(reporter, [attacker for attacker in options.attackers if is_family(attacker)])
        for name, files in paired.items():
            judged.append(judge_release(name, files, options, reporter=reporter))
    except KeyboardInterrupt:
        interrupt.handled()
        is_complete = False
    first = next(iter(paired.values()))
    return Releases(
        tuple(sorted(judged, key=lambda release: release.score)),
        options.ties,
        first.n_pairs,
        tuple(attribute.name for attribute in first.attributes),
        tuple(dict.fromkeys(note for release in judged for note in (*paired[release.name].notes, *_notes(release)))),
        is_complete,
        first.frame_kind,
    )


def make_risk_options(
    attackers: Sequence[str | Attacker | Family],
    parameters: Mapping[str, Mapping[str, object]],
    scales: Sequence[str],
    ties: str,
    time_limit: float | None,
    seed: int,
    threads: int | None,
) -> RiskOptions:
    """Return who attacks and how, checked."""
    learning = make_learning(time_limit, 0.0, 1, "all", 0.0, is_explained=False)
    return RiskOptions(
        tuple(make_attackers(attackers, parameters)),
        tuple(make_scales(scales)),
        make_ties(ties),
        learning.time_limit,
        checked_whole(seed, "seed", 0),
        None if threads is None else checked_whole(threads, "threads", 1),
    )


def _named(releases: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    """Return the releases by name; those in a list by the names of their files."""
    if isinstance(releases, Mapping):
        named = {str(name): release for name, release in releases.items()}
    elif isinstance(releases, str | os.PathLike) or not isinstance(releases, Sequence):
        raise SettingsError("releases must be a mapping of names to protected files, or a list of files")
    else:
        paths = [release for release in releases if isinstance(release, str | os.PathLike)]
        if len(paths) < len(releases):
            raise SettingsError("releases given as a list must be files; give frames by name: {'noise 10': frame}")
        names = [Path(path).name for path in paths]
        labels = names if len(set(names)) == len(names) else [str(path) for path in paths]
        if len(set(labels)) < len(labels):
            raise SettingsError("a release is given twice; give each once")
        named = dict(zip(labels, paths, strict=True))
    if not named:
        raise SettingsError("no release given; give at least one protected file")
    return named


def _check_alike(paired: Mapping[str, FilePair]) -> None:
    """Refuse releases that would be judged by different attributes or people."""
    (first, reference), *others = paired.items()
    for name, files in paired.items():
        if files.n_pairs == 0:
            raise PairingError(
                f"no record of the original has a counterpart in {name}; check the id column or the list of pairs"
            )
    for name, files in others:
        names, wanted = ({attribute.name for attribute in pair.attributes} for pair in (files, reference))
        differing = sorted(names ^ wanted)
        if differing:
            lacking, having = (name, first) if differing[0] in wanted else (first, name)
            raise SettingsError(
                f"{lacking} has no column {differing[0]!r}, which {having} has: they cannot be compared; name the "
                "attributes that all releases have (--attributes)"
            )
        if files.n_pairs != reference.n_pairs:
            raise SettingsError(
                f"{name} holds {files.n_pairs} of the people and {first} {reference.n_pairs}: their rates cannot be "
                "compared; give releases of the same people"
            )


def _notes(release: Release) -> tuple[str, ...]:
    sampled = ("AvRL is estimated from sets of attributes drawn at random",) if release.average.is_sampled else ()
    return (*(f"{release.name}: {note}" for note in release.worst.notes), *sampled)

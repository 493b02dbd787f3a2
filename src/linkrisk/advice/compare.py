"""Compare releases: risk, average risk, loss and score of each."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from linkrisk.advice.options import CompareKeywords, CompareOptions
from linkrisk.advice.release import Release, judge_release
from linkrisk.advice.releases import Releases
from linkrisk.advice.risk import Threat
from linkrisk.attack.notebook import shows_progress
from linkrisk.attack.options import DEFAULT_ATTACKERS, Attacking
from linkrisk.attack.reporter import Reporter, SilentReporter, warm_up
from linkrisk.attack.rules import ReleaseRules
from linkrisk.data.columns import FilePair
from linkrisk.data.counterparts import open_pairs
from linkrisk.data.pair import pair_files
from linkrisk.data.read import open_file
from linkrisk.data.reading import Reading
from linkrisk.engine import interrupt
from linkrisk.errors import PairingError, SettingsError
from linkrisk.informed.description import Description
from linkrisk.options import takes
from linkrisk.protection.protection import Protection


@shows_progress
@takes(CompareOptions)
def compare(
    original: Any,
    releases: Mapping[str, Any] | Sequence[Any],
    *,
    reporter: Reporter | None = None,
    **options: Unpack[CompareKeywords],
) -> Releases:
    """Judge several protected versions of one file: strongest attack, AvRL, loss and score of each.

    The intruder who knows the method (`informed`) always attacks, whoever else is asked for.

    Parameters
    ----------
    original
        The original file, frame or array.
    releases
        The protected versions: files, frames, arrays or `linkrisk.protection.Protection` objects, by name; files may be
        given as a list and are called by their file names. Of a `Protection`, and of those in ``published``, the
        intruder knows the method and its parameters; of the others he finds out which methods fit. All must have the
        same attributes. A list of true pairs by record number is for releases that hold their records in the same
        order; pair others by id.
    @options
    reporter
        Told about progress.

    Returns
    -------
    Releases
        Sorted by score = (AvRL + loss) / 2, see `linkrisk.advice.Release`; print it for the table and a map. Ctrl-C
        returns the releases judged before it.

    Examples
    --------
    >>> import linkrisk
    >>> original = linkrisk.datasets.census_like(100, seed=1)[["AGI", "FEDTAX", "PTOTVAL"]]
    >>> noisy = {f"noise {p}": linkrisk.protection.add_noise(original, p, secret_seed=2).data for p in (5.0, 40.0)}
    >>> found = linkrisk.compare(original, noisy, attackers=["mean"], scales=["separate"])
    >>> sorted(release.name for release in found.undominated)  # one risks less, the other loses less
    ['noise 40.0', 'noise 5.0']
    """
    asked = CompareOptions.of(options)
    reporter = reporter or SilentReporter()
    threat = Threat.of(asked.part(Attacking), asked.time_limit)
    published = _published(releases, asked.published or {})
    paired = _paired(original, releases, asked.part(Reading))
    _check_alike(paired)
    for name, files in paired.items():
        attacks = threat.informed_by(published.get(name)).attacks(files)
        attacks.check()
        reporter.expect([*attacks.limits(), 0.0, 0.0])
    judged: list[Release] = []
    is_complete = True
    try:
        warm_up(reporter, threat.attackers)
        for name, files in paired.items():
            judged.append(judge_release(name, files, threat.informed_by(published.get(name)), reporter=reporter))
    except KeyboardInterrupt:
        interrupt.handled()
        is_complete = False
    first = next(iter(paired.values()))
    notes = [note for release in judged for note in (*paired[release.name].notes, *_notes(release))]
    return Releases(
        tuple(sorted(judged, key=lambda release: release.score)),
        threat.plan.ties,
        first.n_pairs,
        tuple(attribute.name for attribute in first.attributes),
        tuple(dict.fromkeys(notes)),
        is_complete,
        first.frame_kind,
        _asked_for(asked),
        asked.part(ReleaseRules),
    )


def _asked_for(asked: CompareOptions) -> tuple[str, ...]:
    """Return the attackers who were asked for by name; nobody where they are those that attack by default."""
    names = tuple(attacker.name for attacker in asked.attackers)
    return () if names == DEFAULT_ATTACKERS else names


def _published(releases: Mapping[str, Any] | Sequence[Any], told: Mapping[str, Description]) -> dict[str, Description]:
    """Return what is published about releases: those that tell it themselves, and those of which it was told."""
    named = _named(releases)
    unknown = [name for name in told if name not in named]
    if unknown:
        raise SettingsError(
            f"published: there is no release {unknown[0]!r}; the releases are called {', '.join(named)}"
        )
    own = releases.items() if isinstance(releases, Mapping) else ()
    made = {str(name): release for name, release in own if isinstance(release, Protection)}
    return {name: Description.of_protection(release) for name, release in made.items()} | dict(told)


def _paired(original: Any, releases: Mapping[str, Any] | Sequence[Any], reading: Reading) -> dict[str, FilePair]:
    """Read the original and the list of pairs once, and pair every release with it."""
    pairs = None if reading.pairs is None else open_pairs(reading.pairs, delimiter=reading.delimiter)
    reading = Reading(**{**reading.keywords(), "pairs": pairs})
    table = open_file(original, "original", delimiter=reading.delimiter)
    return {name: pair_files(table, release, reading=reading) for name, release in _named(releases).items()}


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
                f"{lacking} has no column {differing[0]!r}, which {having} has: they cannot be compared; name "
                "those that all releases have in attributes (--attributes)"
            )
        if files.n_pairs != reference.n_pairs:
            raise SettingsError(
                f"{name} holds {files.n_pairs:,} of the people and {first} {reference.n_pairs:,}: their rates "
                "cannot be compared; give releases of the same people"
            )


def _notes(release: Release) -> tuple[str, ...]:
    notes = [f"{release.name}: {note}" for note in release.risk.notes]
    average = release.average
    drawn = [
        *(["sets of attributes"] if average.is_sampled else []),
        *([] if average.n_people is None else [f"{average.n_people:,} people"]),
    ]
    return (*notes, *([f"AvRL is estimated from {' and '.join(drawn)} drawn at random"] if drawn else []))

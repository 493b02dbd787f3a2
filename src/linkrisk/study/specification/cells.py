"""The cells of a study: every combination of release, measure, attacker, scale, tie rule and repeat.

A cell is known by a key, the hash of all that its result depends on. So it can be run alone, on any machine, and a
store tells what is still to be done, also when the study has grown. Cells of one release stand next to each other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from linkrisk.attack.options import AttackersKind
from linkrisk.study.specification.kinds import Parameters, combinations
from linkrisk.study.specification.measure_names import MATCHING, MEASURES, Named
from linkrisk.study.specification.options import MatchingOptions, Measuring
from linkrisk.study.specification.specification import ProtectionSpec, Specification

KEY_BYTES = 16
"""Bytes of a key: two cells of one study never share one."""

_LEARNING = ("time_limit",)
_HELD_OUT = ("holdout", "pool")


@dataclass(frozen=True)
class Variant:
    """What is measured of a release: by which attacker, on which scale, by which tie rule, where that matters.

    ``attacker`` is a name, or JSON of a name with parameters. ``settings`` are those of the measure.
    """

    measure: str
    attacker: str | None = None
    scale: str | None = None
    ties: str | None = None
    settings: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Cell:
    """One result to be had. ``parameters`` are those of the grid; of a matching, how many tables are published."""

    key: bytes
    data: str
    protection: str
    parameters: Parameters
    repeat: int
    variant: Variant

    @property
    def is_matching(self) -> bool:
        """Whether samples are matched, and there is no release."""
        return self.variant.measure == MATCHING


def cells(specification: Specification) -> Iterator[Cell]:
    """Yield all cells of a study whose seed is settled, those of one release one after the other."""
    for protection in specification.protections:
        variants = list(_variants(protection.measuring))
        for name in protection.data:
            whole = _hash("release", specification.seed, specification.data_by_name[name].plain(), protection.plain())
            for chosen in combinations(protection.grid):
                at_strength = _further(whole, json.dumps(chosen))
                for repeat in range(protection.measuring.repeats):
                    release = _further(at_strength, str(repeat))
                    for variant, told in variants:
                        key = _further(release, told).digest()[:KEY_BYTES]
                        yield Cell(key, name, protection.name, chosen, repeat, variant)
    for matching in specification.matchings:
        yield from _matching_cells(specification.seed, matching)


def count_cells(specification: Specification) -> int:
    """Return how many cells a study has; their keys are not made."""
    releases = (
        len(list(_variants(each.measuring))) * each.measuring.repeats * len(each.data) * _n_strengths(each)
        for each in specification.protections
    )
    matchings = ((len(each.tables) + 1) * len(each.ways) for each in specification.matchings)
    return sum(releases) + sum(matchings)


def _n_strengths(protection: ProtectionSpec) -> int:
    number = 1
    for values in protection.grid.values():
        number *= len(values)
    return number


def _variants(measuring: Measuring) -> Iterator[tuple[Variant, str]]:
    """Yield what is measured of each release, each with the text that its key is made of."""
    for measure in measuring.measures:
        named = MEASURES[measure]
        for attacker, is_learned, is_scaled in _attackers(measuring, named):
            settings = _settings(measure, measuring, is_learned=is_learned)
            for scale in measuring.scales if named.has_scales and is_scaled else (None,):
                for ties in measuring.ties if named.has_ties else (None,):
                    told = Variant(measure, attacker, _word(scale), _word(ties), settings)
                    yield told, json.dumps([measure, attacker, told.scale, told.ties, settings])


def _attackers(measuring: Measuring, named: Named) -> Iterator[tuple[str | None, bool, bool]]:
    """Yield attackers as plain text, whether each learns, and whether he attacks on a scale."""
    if not named.has_attackers:
        yield None, False, True
        return
    for attacker, plain in zip(measuring.attackers, AttackersKind().plain(measuring.attackers), strict=True):
        if attacker.is_learned or not named.learners_only:
            told = plain if isinstance(plain, str) else json.dumps(plain, sort_keys=True)
            yield told, attacker.is_learned, attacker.is_scaled


def _settings(measure: str, measuring: Measuring, *, is_learned: bool) -> tuple[tuple[str, Any], ...]:
    """Return those settings that the result of a measure depends on."""
    names = (*(_LEARNING if is_learned else ()), *(_HELD_OUT if measure == "holdout" else ()))
    return tuple((name, getattr(measuring, name)) for name in names)


def _matching_cells(seed: int | None, matching: MatchingOptions) -> Iterator[Cell]:
    plain = {**matching.plain(), "tables": [str(table) for table in matching.tables], "samples": matching.samples}
    whole = _hash("matching", seed, plain)
    for n_tables in range(len(matching.tables) + 1):
        for way in matching.ways:
            chosen = (("tables", n_tables),)
            key = _further(whole, json.dumps([chosen, way])).digest()[:KEY_BYTES]
            yield Cell(key, matching.name, "", chosen, 0, Variant(MATCHING, way))


def _hash(*parts: Any) -> Any:
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode())


def _further(state: Any, text: str) -> Any:
    """Return the state of a hash after one more text; the old one can go on in another way."""
    longer = state.copy()
    longer.update(f"{len(text)} {text}".encode())
    return longer


def _word(value: Any) -> str | None:
    return None if value is None else str(value)


def told_parameters(parameters: Mapping[str, Any] | Parameters) -> str:
    """Return parameters as a reader sees them: ``k=5 p=2``.

    >>> told_parameters((("k", 5), ("p", 2)))
    'k=5 p=2'
    """
    return " ".join(f"{name}={value}" for name, value in dict(parameters).items())

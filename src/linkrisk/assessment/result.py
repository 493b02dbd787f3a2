"""What an assessment found; nothing in these types is about a single record, except in `RecordRisk`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkrisk.arrays import FloatArray, IntArray, LabelArray
from linkrisk.assessment.anonymity import Anonymity
from linkrisk.assessment.diversity import Diversity
from linkrisk.assessment.faults import Fault
from linkrisk.assessment.interval_disclosure import IntervalDisclosure
from linkrisk.assessment.survey.survey import SurveyRisk
from linkrisk.attack.interval import wilson_interval
from linkrisk.attack.options import DEFAULT_ATTACKERS
from linkrisk.attack.result import AttackResult, RecordAttack, strongest_attack
from linkrisk.attack.rules import WITH_MARGIN, Figure, ReleaseRules, absent, bounds_of, rates_of
from linkrisk.data.columns import ColumnPair
from linkrisk.data.writing import column_file, json_file, write_together
from linkrisk.linkage.ties import Ties
from linkrisk.losses.result import Loss
from linkrisk.result import DEFAULT_FRAME, ReportedResult, make_frame


@dataclass(frozen=True)
class SampledLinks:
    """Links counted for some people only, drawn at random with the seed of the run: no count of the whole file.

    ``links`` are those of ``n_people``, out of ``n_pairs`` who have a counterpart; each was compared with the whole
    protected file. Ties and missing values are those of `linkrisk.linkage.Linkage`.

    >>> drawn = SampledLinks(400, 30_000, {Ties.EXPECTED: 329.0})
    >>> drawn.rate("expected"), [round(end, 3) for end in drawn.interval("expected")]
    (0.8225, [0.782, 0.857])
    """

    n_people: int
    n_pairs: int
    links: Mapping[Ties, float]

    def rate(self, ties: Ties | str) -> float:
        """Share of the people drawn who are linked."""
        return self.links[Ties(ties)] / self.n_people

    def interval(self, ties: Ties | str) -> tuple[float, float]:
        """Return the 95 % Wilson interval for the share of all who have a counterpart; the draw is all it is about."""
        return wilson_interval(self.links[Ties(ties)], self.n_people)


@dataclass(frozen=True)
class AttributeRisk:
    """What one attribute gives away: links with it alone, and with all except it.

    ``alone`` counts everybody. So does ``without``, unless only a sample was counted: then it is None, and
    ``without_sample`` has what was found. For a single attribute both are None. ``unchanged`` is the share of the true
    pairs with the same value, among those that have a value in the original file; NaN where none has.
    """

    name: str
    kind: str
    distinct_original: int
    distinct_protected: int
    unchanged: float
    alone: Mapping[Ties, float]
    without: Mapping[Ties, float] | None
    without_sample: SampledLinks | None = None


@dataclass(frozen=True)
class ScenarioResult:
    """The attacks of an intruder with the knowledge of one scenario."""

    name: str
    attributes: tuple[str, ...]
    n_people: int
    n_pairs: int
    attacks: tuple[AttackResult, ...]


@dataclass(frozen=True, eq=False, repr=False)
class RecordRisk:
    """Risk of every original record: confidential, because it tells who can be found.

    ``further`` are figures of each record that do not belong to one attack: of its key, and of its group. ``own`` is
    the row of each record's own protected version (-1: none), and ``values`` are the columns of both files that the
    attacks used, as they were read; neither is among the `columns`, which are written.
    """

    record: LabelArray | IntArray
    has_counterpart: NDArray[np.bool_]
    attacks: tuple[RecordAttack, ...]
    frame_kind: str = DEFAULT_FRAME
    further: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)
    own: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    values: tuple[ColumnPair, ...] = ()

    def __repr__(self) -> str:
        return f"<RecordRisk of {len(self.has_counterpart)} records under {len(self.attacks)} attacks, confidential>"

    @property
    def n_attackers(self) -> IntArray:
        """Number of attackers that link each record on any scale; as ``linked`` counts, which shares no link."""
        labels = dict.fromkeys(attack.label for attack in self.attacks)
        total = np.zeros(len(self.has_counterpart), dtype=np.int64)
        for label in labels:
            total += np.any([a.is_linked for a in self.attacks if a.label == label], axis=0)
        return total

    @property
    def highest_chance(self) -> FloatArray:
        """Chance that the attack which is best for it finds each record, by the tie rule asked for."""
        chances = [np.zeros(len(self.has_counterpart)), *(attack.found for attack in self.attacks)]
        return np.asarray(np.max(chances, axis=0))

    def columns(self) -> dict[str, NDArray[np.generic]]:
        """Return one column per figure, as written by ``--records``."""
        result: dict[str, NDArray[np.generic]] = {
            "record": np.asarray(self.record),
            "has_counterpart": self.has_counterpart,
            "linked_by_attackers": self.n_attackers,
            "highest_chance": self.highest_chance,
        }
        for attack in self.attacks:
            label = f"{attack.label}.{attack.scale}"
            result[f"{label}.linked"] = attack.is_linked
            result[f"{label}.found"] = attack.found
            result[f"{label}.margin"] = attack.margin
            result[f"{label}.tied"] = attack.tied
            result[f"{label}.twins"] = attack.twins
            if attack.rank is not None:
                result[f"{label}.rank"] = attack.rank
        return result | dict(self.further)

    def to_frame(self) -> Any:
        """Return the columns as a frame of the kind the original was given in (confidential), one row per record."""
        return make_frame(self.columns(), self.frame_kind)


@dataclass(frozen=True, repr=False)
class Assessment(ReportedResult):
    """How many people an intruder finds again in a protected file, and what gives them away.

    Print it, or see `attacks`, `faults`, `attributes`, `intervals`, `anonymity` (of the original and of the protected
    file), `diversity` (of confidential attributes), `scenarios`, `survey` (households, regions, sampling weights,
    keys), `records`; its frame has one row per attack. ``untouched`` names the attributes that kept every value,
    ``not_known`` the columns that are released too and that no attack used, ``left_out`` says which attackers could not
    attack and why. ``is_complete`` is False when the run was interrupted:
    then only what was finished is there. ``loss`` is what users of the data lose, if that was asked for, ``rules`` are
    the release rules asked for, ``unwritten`` are sentences on certificates that could not be written.
    """

    seed: int
    ties: Ties
    n_original: int
    n_protected: int
    n_pairs: int
    original_name: str
    protected_name: str
    original_digest: str
    protected_digest: str
    attribute_names: tuple[str, ...]
    paired_by: str
    attribute_scale: str
    untouched: tuple[str, ...]
    faults: tuple[Fault, ...]
    left_out: tuple[str, ...]
    attacks: tuple[AttackResult, ...]
    attributes: tuple[AttributeRisk, ...]
    scenarios: tuple[ScenarioResult, ...]
    notes: tuple[str, ...]
    settings: Mapping[str, object]
    intervals: tuple[IntervalDisclosure, ...]
    anonymity: tuple[Anonymity, Anonymity]
    diversity: tuple[Diversity, ...]
    records: RecordRisk
    survey: SurveyRisk = field(default_factory=SurveyRisk)
    is_complete: bool = True
    unwritten: tuple[str, ...] = ()
    frame_kind: str = DEFAULT_FRAME
    loss: Loss | None = None
    rules: ReleaseRules = field(default_factory=ReleaseRules)
    not_known: tuple[str, ...] = ()

    @property
    def strongest(self) -> AttackResult | None:
        """The attack with most links under the tie rule asked for; of equals one that does not use the true pairs."""
        return strongest_attack(self.attacks, self.ties)

    @property
    def strongest_unfitted(self) -> AttackResult | None:
        """The strongest attack that does not use the true pairs."""
        unfitted = [attack for attack in self.attacks if not attack.has_true_pairs]
        return strongest_attack(unfitted, self.ties)

    def broken(self, rules: ReleaseRules | None = None) -> list[str]:
        """Return a sentence for every release rule that is broken, by whatever this assessment found.

        The rules are those that were asked for, ``rules``, unless others are given.

        That is any attack, on all attributes or on a subset of them in the table of attributes, or in a scenario. A
        rule is broken, too, where it cannot be checked: with a margin, or if somebody who was asked for, other than by
        default, did not attack.

        >>> import linkrisk
        >>> people = linkrisk.datasets.census_like(60, seed=1)[["AGI", "FEDTAX"]]
        >>> found = linkrisk.assess(people, people, attackers=["mean"], scales=["separate"])
        >>> found.broken(linkrisk.ReleaseRules(max_rate=0.05))
        ['max_rate (--max-rate) allows 5.0%, and mean on scale separate links 100.0% of the people']
        """
        rules = self.rules if rules is None else rules
        rates = rates_of(self.attacks, self.ties)
        bounds = bounds_of(self.attacks)
        for scenario in self.scenarios:
            rates += rates_of(scenario.attacks, self.ties, f"in scenario {scenario.name} ")
            bounds += bounds_of(scenario.attacks, f"in scenario {scenario.name} ")
        for risk in self.attributes:
            rates.append(Figure(risk.alone[self.ties] / self.n_pairs, f"mean with {risk.name} alone links"))
            if risk.without is not None:
                rates.append(Figure(risk.without[self.ties] / self.n_pairs, f"mean without {risk.name} links"))
            if risk.without_sample is not None:
                rates.append(_as_far_as_drawn(risk.without_sample, self.ties, risk.name))
        return [*rules.broken(rates, bounds), *(self._unchecked() if rules.is_set else ())]

    def _unchecked(self) -> Iterator[str]:
        """Yield why release rules cannot be checked."""
        learning, asked = self.settings.get("learning"), self.settings.get("attackers")
        if isinstance(learning, Mapping) and learning["margin"] > 0.0:
            yield WITH_MARGIN
        if isinstance(asked, list) and asked != list(DEFAULT_ATTACKERS):
            yield from absent((entry if isinstance(entry, str) else entry["name"] for entry in asked), self.attacks)

    def write(
        self,
        json: str | os.PathLike[str] | None = None,
        records: str | os.PathLike[str] | None = None,
        *,
        overwrite: bool = False,
    ) -> None:
        """Write the assessment as JSON and the risk of each record as .csv or .parquet; both are confidential.

        They say so in their first line (a Parquet file in its metadata), and only their owner may read them.

        Raises
        ------
        FileError
            If a file exists already (it is kept as it is, unless ``overwrite``) or cannot be written; then none is.
        """
        files = [] if json is None else [json_file(json, self.to_dict())]
        files += [] if records is None else [column_file(records, self.records.columns(), confidential=True)]
        write_together(files, overwrite=overwrite)


def _as_far_as_drawn(drawn: SampledLinks, ties: Ties, name: str) -> Figure:
    """Return what a sample leaves possible: a rule is kept only if the upper end of the interval keeps it."""
    who = f"mean without {name}, counted for {drawn.n_people:,} of {drawn.n_pairs:,} people"
    return Figure(drawn.interval(ties)[1], f"{who} only (all: exact (--exact)), may link up to")

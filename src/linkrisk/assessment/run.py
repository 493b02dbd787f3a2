"""Assess a protected file: every attacker on every scale, the faults, the attributes, the scenarios."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from linkrisk.aggregate.attacker import Attacker
from linkrisk.aggregate.registry import UNLEARNED
from linkrisk.assessment.attack import AttackOptions, attack
from linkrisk.assessment.attributes import attribute_risks
from linkrisk.assessment.checks import (
    check_sizes,
    checked_scenarios,
    checked_whole,
    make_attackers,
    make_scales,
    make_ties,
)
from linkrisk.assessment.faults import find_faults, unprotected_notes
from linkrisk.assessment.result import (
    Assessment,
    AttackResult,
    AttributeRisk,
    RecordAttack,
    RecordRisk,
    ScenarioResult,
)
from linkrisk.assessment.scenario import Scenario
from linkrisk.compare.comparison import Comparison, compare
from linkrisk.compare.scales import Scale
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.schema import Schema, make_schema
from linkrisk.engine import interrupt
from linkrisk.errors import NotApplicableError, PairingError, ParameterError
from linkrisk.link.linkage import Ties
from linkrisk.link.warm_up import compile_kernels
from linkrisk.version import __version__


class Reporter(Protocol):
    """Told what an assessment is doing."""

    def step(self, label: str) -> None:
        """Begin a step."""

    def progress(self, done: int, total: int) -> None:
        """Tell how far the step is."""


class SilentReporter:
    """Reports nothing."""

    def step(self, label: str) -> None:
        """Ignore the step."""

    def progress(self, done: int, total: int) -> None:
        """Ignore the progress."""


def assess(
    original: Any,
    protected: Any,
    *,
    attributes: Sequence[str] | None = None,
    schema: Schema | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    id: str | None = None,  # noqa: A002  (the word of the command line)
    pairs: Any = None,
    match: Mapping[str, str] | None = None,
    missing: Sequence[str | float] | None = None,
    delimiter: str | None = None,
    attackers: Sequence[str | Attacker] = UNLEARNED,
    parameters: Mapping[str, Mapping[str, object]] | None = None,
    scales: Sequence[str] = tuple(Scale),
    ties: str = Ties.UNIQUE,
    scenarios: Sequence[Scenario] = (),
    one_to_one: bool = False,
    ranks: bool = False,
    seed: int = 0,
    threads: int | None = None,
    reporter: Reporter | None = None,
) -> Assessment:
    """Tell how many records of a protected file an intruder finds again.

    Parameters
    ----------
    original, protected
        Files (CSV, Parquet, SPSS, Stata, SAS, R), frames (pandas, polars, pyarrow, ...) or numpy arrays.
    attributes, schema, id, pairs, match, missing, delimiter
        What the columns mean and who is who; see `linkrisk.data.pair_files`.
    attackers
        Names, or attackers with their parameters such as ``WeightedMean({"age": 0.5, "income": 0.5})``.
    parameters
        Parameters of attackers given by name: ``{"kernel": {"degree": 3}}``.
    scales
        ``"separate"``, ``"original"``, ``"ranks"``.
    ties
        The rule whose links count: ``"unique"``, ``"class"`` or ``"expected"``; all three are computed.
    scenarios
        Further intruders who know less; see `Scenario`.
    one_to_one
        Also link one to one, each protected record once.
    ranks
        Also give the rank of each record's own protected version (slower).
    seed
        Seed of everything random in the run (drawing people of a scenario).
    threads
        Cores to use; all by default. The result does not depend on it.
    reporter
        Told about progress.

    Ties are explicit (see `Ties`); missing values count as `linkrisk.compare.missing` says. Cost: about a second
    for each attacker and scale at 10^5 records and 7 attributes. Ctrl-C returns what is finished.

    Examples
    --------
    >>> import linkrisk
    >>> original = linkrisk.datasets.census_like(200, seed=1)[["AGI", "FEDTAX", "PTOTVAL"]]
    >>> protected = linkrisk.protect.add_noise(original, 5.0, seed=2).data
    >>> result = linkrisk.assess(original, protected, attackers=["mean"], scales=["separate"])
    >>> result.attacks[0].n_pairs
    200
    """
    run = _Run(
        attackers=make_attackers(attackers, parameters or {}),
        scales=make_scales(scales),
        scenarios=checked_scenarios(scenarios),
        options=AttackOptions(
            make_ties(ties), one_to_one, ranks, None if threads is None else checked_whole(threads, "threads", 1)
        ),
        seed=checked_whole(seed, "seed", 0),
        reading={
            "id": id,
            "has_pairs_file": pairs is not None,
            "match": dict(match or {}),
            "missing": list(make_schema({"missing": list(missing or ())}, name="missing").missing),
            "delimiter": delimiter,
        },
        reporter=reporter or SilentReporter(),
        files=pair_files(
            original,
            protected,
            attributes=attributes,
            schema=schema,
            id=id,
            pairs=pairs,
            match=match,
            missing=missing,
            delimiter=delimiter,
        ),
    )
    return run.assessment()


@dataclass
class _Run:
    """An assessment under way; what is finished is kept, so that an interrupt loses nothing."""

    files: FilePair
    attackers: list[Attacker]
    scales: list[Scale]
    scenarios: tuple[Scenario, ...]
    options: AttackOptions
    seed: int
    reading: dict[str, object]
    reporter: Reporter
    attacks: list[AttackResult] = field(default_factory=list)
    records: list[RecordAttack] = field(default_factory=list)
    attributes: tuple[AttributeRisk, ...] = ()
    results: list[ScenarioResult] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    comparisons: dict[Scale, Comparison] = field(default_factory=dict)

    def assessment(self) -> Assessment:
        """Run everything and put it together."""
        if self.files.n_pairs == 0:
            raise PairingError(
                f"no record of {self.files.original_name} has a counterpart in {self.files.protected_name}; check the "
                "id column or the list of pairs"
            )
        self._check()
        is_complete = True
        try:
            warm_up(self.reporter)
            self._attack_all()
            self._assess_attributes()
            self._play_scenarios()
        except KeyboardInterrupt:
            interrupt.handled()
            is_complete = False
        return self._assembled(is_complete)

    def _check(self) -> None:
        """Find mistakes in scenarios, values and parameters before any long work."""
        for scenario in self.scenarios:
            scenario.attribute_names(self.files)
            scenario.rows(self.files, self.seed)
        for scale in self.scales:
            check_sizes(self._comparison(scale), self.files.protected_name)
        if not self._usable(self._comparison(self.scales[0])):
            raise ParameterError("none of the attackers can be used on these files; choose mean, which always can")

    def _comparison(self, scale: Scale) -> Comparison:
        if scale not in self.comparisons:
            self.comparisons[scale] = compare(self.files, scale)
        return self.comparisons[scale]

    def _attack_all(self) -> None:
        for scale in self.scales:
            for attacker in self._usable(self._comparison(scale)):
                result, record = self._attack(attacker, self._comparison(scale), self.files.confidential)
                self.attacks.append(result)
                self.records.append(record)

    def _attack(
        self, attacker: Attacker, comparison: Comparison, confidential: tuple[ColumnPair, ...], where: str = ""
    ) -> tuple[AttackResult, RecordAttack]:
        self.reporter.step(f"{where}{attacker.name} on scale {comparison.scale}")
        return attack(attacker, comparison, confidential, self.options, self.reporter.progress)

    def _usable(self, comparison: Comparison, scenario: Scenario | None = None) -> list[Attacker]:
        """Return the attackers who can attack; the others are left out with a note.

        Parameters that do not fit are an error, except in a scenario: they were given for all attributes.
        """
        usable = []
        where = "" if scenario is None else f"scenario {scenario.name}: "
        for attacker in self.attackers:
            try:
                attacker.distance(comparison)
            except NotApplicableError as problem:
                self._note(f"{where}left out: {problem}")
            except ParameterError as problem:
                if scenario is None:
                    raise
                self._note(f"{where}left out, for its parameters do not fit: {problem}")
            else:
                usable.append(attacker)
        return usable

    def _note(self, note: str) -> None:
        if note not in self.skipped:
            self.skipped.append(note)

    def _assess_attributes(self) -> None:
        self.reporter.step("attributes one by one")
        comparison = self._comparison(self._strongest_scale())
        self.attributes = attribute_risks(
            self.files, comparison, threads=self.options.threads, progress=self.reporter.progress
        )

    def _strongest_scale(self) -> Scale:
        """Return the scale of the strongest attack: on another, single attributes may look harmless."""
        best = max(self.attacks, key=lambda result: result.links[self.options.ties], default=None)
        return self.scales[0] if best is None else Scale(best.scale)

    def _play_scenarios(self) -> None:
        for scenario in self.scenarios:
            names = scenario.attribute_names(self.files)
            rows = scenario.rows(self.files, self.seed)
            confidential = self.files.confidential
            if rows is not None:
                confidential = tuple(replace(c, original=c.original[rows]) for c in confidential)
            attacks: list[AttackResult] = []
            for scale in self.scales:
                comparison = self._comparison(scale).select(names)
                comparison = comparison if rows is None else comparison.restrict(rows)
                if not (comparison.coordinates.own >= 0).any():
                    self.skipped.append(f"scenario {scenario.name}: none of these people is in the protected file")
                    break
                attacks += [
                    self._attack(attacker, comparison, confidential, f"{scenario.name}: ")[0]
                    for attacker in self._usable(comparison, scenario)
                ]
            n_people = self.files.n_original if rows is None else len(rows)
            own = self.files.own if rows is None else self.files.own[rows]
            self.results.append(ScenarioResult(scenario.name, names, n_people, int((own >= 0).sum()), tuple(attacks)))

    def _assembled(self, is_complete: bool) -> Assessment:
        files = self.files
        attack_notes = dict.fromkeys(note for result in self.attacks for note in result.notes)
        return Assessment(
            version=__version__,
            seed=self.seed,
            ties=self.options.ties,
            n_original=files.n_original,
            n_protected=files.n_protected,
            n_pairs=files.n_pairs,
            original_name=files.original_name,
            protected_name=files.protected_name,
            original_digest=files.original_digest,
            protected_digest=files.protected_digest,
            attribute_names=tuple(attribute.name for attribute in files.attributes),
            paired_by=files.paired_by,
            attribute_scale=str(self._strongest_scale()),
            faults=find_faults(files),
            attacks=tuple(self.attacks),
            attributes=self.attributes,
            scenarios=tuple(self.results),
            notes=(*files.notes, *unprotected_notes(files), *self.skipped, *attack_notes),
            settings=self._settings(),
            records=self._record_risk(),
            is_complete=is_complete,
        )

    def _record_risk(self) -> RecordRisk:
        labels = self.files.record_ids
        record = np.arange(1, self.files.n_original + 1) if labels is None else labels
        return RecordRisk(record, self.files.own >= 0, tuple(self.records))

    def _settings(self) -> dict[str, object]:
        """Return the resolved settings, without paths."""
        return {
            "attributes": {a.name: _attribute_settings(a) for a in self.files.attributes},
            "confidential": [c.attribute.name for c in self.files.confidential],
            **self.reading,
            "attackers": [attacker.name for attacker in self.attackers],
            "scales": [str(scale) for scale in self.scales],
            "ties": str(self.options.ties),
            "one_to_one": self.options.is_one_to_one,
            "ranks": self.options.is_ranking,
            "scenarios": [_scenario_settings(scenario) for scenario in self.scenarios],
        }


def warm_up(reporter: Reporter) -> None:
    """Load the kernels; where they must be compiled first, which takes some seconds, say so."""
    timer = threading.Timer(1.0, reporter.step, ["compiling kernels, once on this machine"])
    timer.daemon = True
    timer.start()
    try:
        compile_kernels()
    finally:
        timer.cancel()


def _scenario_settings(scenario: Scenario) -> dict[str, object]:
    """Describe a scenario; of people given one by one only how many they are."""
    people = scenario.people
    listed = None if people is None or isinstance(people, int | float) else f"{len(people)} listed"
    return {"name": scenario.name, "attributes": scenario.attributes, "people": listed or people}


def _attribute_settings(attribute: Any) -> dict[str, object]:
    from linkrisk.compare.missing import missing_costs  # noqa: PLC0415

    one, both = missing_costs(attribute)
    result: dict[str, object] = {"kind": str(attribute.kind), "missing_one": one, "missing_both": both}
    if attribute.protected_name and attribute.protected_name != attribute.name:
        result["protected"] = attribute.protected_name
    if attribute.order:
        result["order"] = list(attribute.order)
    if attribute.inclusive:
        result["inclusive"] = True
    return result

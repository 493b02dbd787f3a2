"""Assess a protected file: every attacker on every scale, the faults, the attributes, the scenarios."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.assessment.anonymity import anonymity
from linkrisk.assessment.attack import AttackOptions, attack
from linkrisk.assessment.attributes import attribute_risks
from linkrisk.assessment.checks import (
    check_sizes,
    checked_scenarios,
    checked_whole,
    make_attackers,
    make_learning,
    make_scales,
    make_ties,
)
from linkrisk.assessment.faults import find_faults, unprotected_notes
from linkrisk.assessment.interval_disclosure import interval_disclosure
from linkrisk.assessment.labels import attacker_labels
from linkrisk.assessment.reporter import Reporter, SilentReporter, warm_up
from linkrisk.assessment.resolved import attribute_settings, scenario_settings
from linkrisk.assessment.result import (
    Assessment,
    AttackResult,
    AttributeRisk,
    RecordAttack,
    RecordRisk,
    ScenarioResult,
)
from linkrisk.assessment.scenario import Scenario
from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.registry import DEFAULT_ATTACKERS, learned_families
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.schema import Schema, make_schema
from linkrisk.data.writing import check_writable, write_bytes
from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.differences.scales import Scale
from linkrisk.distances.family import Family
from linkrisk.engine import interrupt
from linkrisk.errors import FileError, NotApplicableError, PairingError, ParameterError, SettingsError
from linkrisk.learning.learned import Learned
from linkrisk.learning.proof.certificate import certificate_bytes, certificate_name, make_certificate
from linkrisk.linkage.linkage import Ties
from linkrisk.version import __version__


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
    attackers: Sequence[str | Attacker | Family] = DEFAULT_ATTACKERS,
    parameters: Mapping[str, Mapping[str, object]] | None = None,
    scales: Sequence[str] = tuple(Scale),
    ties: str = Ties.UNIQUE,
    scenarios: Sequence[Scenario] = (),
    one_to_one: bool = False,
    ranks: bool = False,
    time_limit: float | None = None,
    holdout: float = 0.0,
    repeats: int = 5,
    pool: str = "all",
    margin: float = 0.0,
    explain: bool = False,
    certificates: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
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
        Names, or attackers: ``linkrisk.attackers.WeightedMean({"age": 0.5, "income": 0.5})``. Weights, OWA weights,
        fuzzy measures and bilinear forms that are not given (``WeightedMean()``) are learned: the strongest of their
        kind on these files, with a bound that none of the kind exceeds.
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
    time_limit
        Seconds for learning each attacker on each scale; then the best so far, with a bound, is taken.
    holdout, repeats, pool
        Share of the true pairs to hold out while learning, how often, and who the candidates are for the others
        then: ``"all"`` protected records, or those of the ``"test"`` records (abril2012-weights.txt, Table 9).
    margin
        Learn links that are nearer by this share of the distance to the next.
    explain
        Also tell, of each learned attacker, how far each parameter can move without losing a link, and without which
        attributes links are lost (learns once more for each attribute).
    certificates
        Folder for certificates of what was learned (confidential), made if need be; see `linkrisk.verify`.
        With ``overwrite`` those that are there already are replaced.
    seed
        Seed of everything random in the run (drawing people of a scenario).
    threads
        Cores to use; all by default. The result does not depend on it.
    reporter
        Told about progress.

    Ties are explicit (see `Ties`); missing values count as `linkrisk.differences.missing` says. Cost: about a second
    for each attacker and scale at 10^5 records and 7 attributes. Ctrl-C returns what is finished.

    Examples
    --------
    >>> import linkrisk
    >>> original = linkrisk.datasets.census_like(200, seed=1)[["AGI", "FEDTAX", "PTOTVAL"]]
    >>> protected = linkrisk.protection.add_noise(original, 5.0, secret_seed=2).data
    >>> result = linkrisk.assess(original, protected, attackers=["mean"], scales=["separate"])
    >>> result.attacks[0].n_pairs
    200
    """
    counted = make_ties(ties)
    cores = None if threads is None else checked_whole(threads, "threads", 1)
    learning = make_learning(time_limit, holdout, repeats, pool, margin, is_explained=explain)
    run = _Run(
        attackers=make_attackers(attackers, parameters or {}),
        scales=make_scales(scales),
        scenarios=checked_scenarios(scenarios),
        options=AttackOptions(
            counted,
            one_to_one,
            ranks,
            cores,
            replace(learning, ties=counted, seed=checked_whole(seed, "seed", 0), threads=cores),
        ),
        seed=seed,
        certificates=None if certificates is None else Path(certificates),
        overwrite=overwrite,
        reading={
            "id": id,
            "has_pairs_file": pairs is not None,
            "match": dict(match or {}),
            "missing": list(make_schema({"missing": list(missing or ())}, name="missing").missing),
            "delimiter": delimiter,
        },
        schema=make_schema(schema),
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
    schema: Schema
    certificates: Path | None
    overwrite: bool
    reporter: Reporter
    attacks: list[AttackResult] = field(default_factory=list)
    records: list[RecordAttack] = field(default_factory=list)
    attributes: tuple[AttributeRisk, ...] = ()
    results: list[ScenarioResult] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    comparisons: dict[Scale, Comparison] = field(default_factory=dict)

    @cached_property
    def labelled(self) -> dict[str, Attacker]:
        """The attackers by what they are called, in the order given; one given twice has two labels."""
        return dict(zip(attacker_labels(self.attackers), self.attackers, strict=True))

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
            warm_up(self.reporter, learned_families(self.attackers))
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
        if self.certificates is not None:
            self._check_certificates(self.certificates)
        if not self._usable(self._comparison(self.scales[0])):
            raise ParameterError("none of the attackers can be used on these files; choose mean, which always can")

    def _check_certificates(self, folder: Path) -> None:
        """Make the folder, and refuse to replace a certificate in it unasked."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise FileError(f"the folder {folder.name} cannot be made ({fault.strerror}); choose another") from None
        paths = [
            folder / certificate_name(family, scale)
            for family in learned_families(self.attackers)
            for scale in self.scales
            if family.is_verifiable
        ]
        twice = [path.name for path in paths if paths.count(path) > 1]
        if twice:
            raise SettingsError(f"two attackers would write the certificate {twice[0]}; assess them one by one")
        for path in paths:
            check_writable(path, self.overwrite)

    def _comparison(self, scale: Scale) -> Comparison:
        if scale not in self.comparisons:
            self.comparisons[scale] = make_comparison(self.files, scale)
        return self.comparisons[scale]

    def _attack_all(self) -> None:
        for scale in self.scales:
            comparison = self._comparison(scale)
            for result, record, learned in self._attacks(self._usable(comparison), comparison, self.files.confidential):
                self.attacks.append(result)
                self.records.append(record)
                if learned is not None:
                    self._note_learning(result)
                if learned is None or self.certificates is None:
                    continue
                if learned.family.is_verifiable:
                    self._write_certificate(learned, self.certificates)
                else:
                    self._note(f"no certificate of {learned.family.name}: {learned.family.no_certificate}")

    def _note_learning(self, result: AttackResult) -> None:
        """Say what a reader of the table could take for something else."""
        learning = self.options.learning
        if learning.margin > 0.0:
            self._note(
                f"margin {learning.margin:g}: links of learned attackers, and their bounds, count only where they are "
                "nearer by that share; links of the others count as usual"
            )
        if learning.holdout > 0.0 and result.holdout is None and not interrupt.is_pending():
            self._note(
                f"no pair was held out: {learning.holdout:g} of {result.n_pairs} pairs leaves too few; hold out more"
            )

    def _attacks(
        self,
        attackers: dict[str, Attacker],
        comparison: Comparison,
        confidential: tuple[ColumnPair, ...],
        where: str = "",
    ) -> Iterator[tuple[AttackResult, RecordAttack, Learned | None]]:
        """Let attackers attack the same records, each starting from what weaker ones before him have found."""
        known: dict[str, FloatArray] = {}
        options = replace(self.options, learning=replace(self.options.learning, known=known))
        for label in attackers:
            result, record, learned = self._attack(label, comparison, confidential, options, where)
            if learned is not None:
                known[learned.family.name] = learned.theta
            yield result, record, learned

    def _attack(
        self,
        label: str,
        comparison: Comparison,
        confidential: tuple[ColumnPair, ...],
        options: AttackOptions,
        where: str,
    ) -> tuple[AttackResult, RecordAttack, Learned | None]:
        attacker = self.labelled[label]
        verb = "learning " if attacker.is_learned else ""
        self.reporter.step(f"{where}{verb}{label} on scale {comparison.scale}")
        result, record, learned = attack(
            attacker, comparison, confidential, options, self.reporter.progress, self.reporter.search
        )
        return replace(result, label=label), replace(record, label=label), learned

    def _write_certificate(self, learned: Learned, folder: Path) -> None:
        """Write what was learned with its proof; the folder was checked before any work."""
        with interrupt.set_aside():
            certificate = make_certificate(
                learned,
                original_digest=self.files.original_digest,
                protected_digest=self.files.protected_digest,
                reading={**self.reading, "schema": self.schema.model_dump(mode="json", exclude_defaults=True)},
                time_limit=2.0 * self.options.learning.time_limit,
                threads=self.options.threads,
            )
            scale = learned.problem.comparison.scale
            if certificate["bound"] > learned.bound:
                self._note(
                    f"the certificate of {learned.family.name} on scale {scale} proves at most "
                    f"{certificate['bound']:g} links, not {learned.bound:g}: its search of boxes was stopped; give it "
                    "more time"
                )
            path = folder / certificate_name(learned.family, scale)
            write_bytes(path, certificate_bytes(certificate), confidential=True, overwrite=self.overwrite)

    def _usable(self, comparison: Comparison, scenario: Scenario | None = None) -> dict[str, Attacker]:
        """Return the attackers who can attack, by label; the others are left out with a note.

        Parameters that do not fit are an error, except in a scenario: they were given for all attributes.
        """
        usable = {}
        where = "" if scenario is None else f"scenario {scenario.name}: "
        for label, attacker in self.labelled.items():
            try:
                attacker.check_usable(comparison, self.options.learning.margin)
            except NotApplicableError as problem:
                self._note(f"{where}left out: {problem}")
            except ParameterError as problem:
                if scenario is None:
                    raise
                self._note(f"{where}left out, for its parameters do not fit: {problem}")
            else:
                usable[label] = attacker
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
                usable = self._usable(comparison, scenario)
                found = self._attacks(usable, comparison, confidential, f"{scenario.name}: ")
                attacks += [result for result, _, _ in found]
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
            intervals=interval_disclosure(files),
            anonymity=anonymity(files),
            records=self._record_risk(),
            is_complete=is_complete,
            frame_kind=files.frame_kind,
        )

    def _record_risk(self) -> RecordRisk:
        labels = self.files.record_ids
        record = np.arange(1, self.files.n_original + 1) if labels is None else labels
        return RecordRisk(record, self.files.own >= 0, tuple(self.records), self.files.frame_kind)

    def _settings(self) -> dict[str, object]:
        """Return the resolved settings, without paths."""
        learning = self.options.learning
        return {
            "attributes": {a.name: attribute_settings(a) for a in self.files.attributes},
            "confidential": [c.attribute.name for c in self.files.confidential],
            **self.reading,
            "attackers": [attacker.name for attacker in self.attackers],
            "scales": [str(scale) for scale in self.scales],
            "ties": str(self.options.ties),
            "one_to_one": self.options.is_one_to_one,
            "learning": {
                "time_limit": learning.time_limit if math.isfinite(learning.time_limit) else None,
                "holdout": learning.holdout,
                "repeats": learning.repeats,
                "pool": learning.pool,
                "margin": learning.margin,
                "explain": learning.is_explained,
            },
            "ranks": self.options.is_ranking,
            "scenarios": [scenario_settings(scenario) for scenario in self.scenarios],
        }

"""Assess a protected file: every attacker on every scale, the faults, the attributes, the scenarios."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from linkrisk.assessment.anonymity import anonymity
from linkrisk.assessment.attributes import attribute_risks, drawn_people
from linkrisk.assessment.certificates import CertificateFolder
from linkrisk.assessment.diversity import diversity
from linkrisk.assessment.faults import find_faults, untouched_attributes
from linkrisk.assessment.interval_disclosure import interval_disclosure
from linkrisk.assessment.options import AssessKeywords, AssessOptions
from linkrisk.assessment.resolved import attribute_settings
from linkrisk.assessment.result import Assessment, AttributeRisk, RecordRisk, ScenarioResult
from linkrisk.assessment.scenario import Scenario
from linkrisk.assessment.survey.columns import SurveyColumns, read_survey, without_survey_columns
from linkrisk.assessment.survey.options import Surveying
from linkrisk.assessment.survey.survey import Surveyed, check_keys, survey_risk
from linkrisk.attack.loop import Attacks
from linkrisk.attack.notebook import shows_progress
from linkrisk.attack.plan import AttackPlan
from linkrisk.attack.reporter import Reporter, SilentReporter, warm_up
from linkrisk.attack.result import Attack, Proof
from linkrisk.attack.rules import ReleaseRules
from linkrisk.attack.strands import are_worth_it, make_side_by_side
from linkrisk.attackers.attacker import Attacker
from linkrisk.attackers.informed import Informed
from linkrisk.data.columns import FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.read import open_file
from linkrisk.data.reading import Reading
from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.engine import interrupt
from linkrisk.errors import FileError, PairingError
from linkrisk.informed.options import Describing
from linkrisk.learning.options import Learning
from linkrisk.linkage.ties import Ties
from linkrisk.losses.loss import loss_of_pair
from linkrisk.losses.result import Loss
from linkrisk.options import takes
from linkrisk.protection.protection import Protection


@shows_progress
@takes(AssessOptions)
def assess(
    original: Any,
    protected: Any,
    *,
    learning: Learning | None = None,
    reporter: Reporter | None = None,
    **options: Unpack[AssessKeywords],
) -> Assessment:
    """Tell how many records of a protected file an intruder finds again.

    Parameters
    ----------
    original, protected
        Files (CSV, Parquet, SPSS, Stata, SAS, R), frames (pandas, polars, pyarrow, ...) or numpy arrays. The protected
        one may be a `linkrisk.protection.Protection`: then the intruder knows what its record tells, unless
        ``published``, ``method`` or ``plan`` tell him something else.
    @options
    learning
        The learner's options as one object, `linkrisk.Learning`, instead of single keywords.
    reporter
        Told about progress.

    Returns
    -------
    Assessment
        Print it; see `linkrisk.Assessment`.

    Notes
    -----
    Ties are explicit (see `linkrisk.linkage.Ties`); missing values count as `linkrisk.differences.missing` says. Cost:
    about a second for each attacker without parameters and each scale at 10^5 records and 7 attributes. Ctrl-C returns
    what is finished.

    Examples
    --------
    >>> import linkrisk
    >>> original = linkrisk.datasets.census_like(200, seed=1)[["AGI", "FEDTAX", "PTOTVAL"]]
    >>> protected = linkrisk.protection.add_noise(original, 5.0, secret_seed=2).data
    >>> result = linkrisk.assess(original, protected, attackers=["mean"], scales=["separate"])
    >>> result.attacks[0].n_pairs
    200
    """
    asked = AssessOptions.of(options, learning)
    if isinstance(protected, Protection) and not asked.part(Describing).is_told:
        asked = replace(asked, published=protected)
    reading = without_survey_columns(asked.part(Reading), asked.part(Surveying))
    first = open_file(original, "original", delimiter=asked.delimiter)
    second = open_file(protected, "protected", delimiter=asked.delimiter)
    survey = read_survey(first, second, asked.part(Surveying), reading)
    files = pair_files(first, second, reading=reading)
    return _Assessing(asked, reading, files, survey, reporter or SilentReporter()).assessment()


@dataclass
class _Assessing:
    """An assessment in progress; what is finished is kept, so that an interrupt loses nothing."""

    asked: AssessOptions
    reading: Reading
    files: FilePair
    survey: SurveyColumns
    reporter: Reporter
    attributes: tuple[AttributeRisk, ...] = ()
    loss: Loss | None = None
    scenarios: list[ScenarioResult] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    unwritten: dict[str, None] = field(default_factory=dict)
    _begun: dict[str, Attacks] = field(default_factory=dict)

    @cached_property
    def plan(self) -> AttackPlan:
        """How attacks are made and counted."""
        asked = self.asked
        learning = asked.part(Learning)
        return AttackPlan(
            ties=Ties(asked.ties),
            seed=asked.seed,
            threads=asked.threads,
            learning=learning,
            one_to_one=asked.one_to_one,
            has_own_ranks=asked.own_ranks,
            published=asked.part(Describing).description(self.files),
        )

    @cached_property
    def comparisons(self) -> dict[Scale, Comparison]:
        """The two files on every scale asked for."""
        return {Scale(scale): make_comparison(self.files, scale) for scale in self.asked.scales}

    @cached_property
    def attacks(self) -> Attacks:
        """The attacks of the intruder who knows all attributes of all people."""
        certify = None if self.certificates is None else self.certificates.make
        return Attacks(self.attackers, self.comparisons, self.plan, self.files, self.reporter, certify=certify)

    @cached_property
    def attackers(self) -> tuple[Attacker, ...]:
        """The attackers asked for; who knows the method attacks whenever something is told about it."""
        asked = tuple(self.asked.attackers)
        is_told = self.plan.published is not None and all(attacker.is_scaled for attacker in asked)
        return (*asked, Informed()) if is_told else asked

    @cached_property
    def certificates(self) -> CertificateFolder | None:
        """Where proofs go, if they were asked for."""
        folder = self.asked.certificates
        if folder is None:
            return None
        return CertificateFolder(Path(folder), self.files, self.reading, self.plan, self.asked.overwrite)

    def assessment(self) -> Assessment:
        """Run everything and put it together."""
        self._check()
        limits = self.attacks.limits()
        further = [0.0, 0.0] if self.asked.loss else [0.0]
        self.reporter.expect([*limits, *further, *(limit for _ in self.asked.scenarios for limit in limits)])
        is_complete = True
        try:
            is_mixed = any(not comparison.coordinates.is_plain for comparison in self.comparisons.values())
            warm_up(self.reporter, self.attackers, is_mixed=is_mixed)
            self._attack_side_by_side()
            self._attack()
            self._assess_attributes()
            self._measure_loss()
            for scenario in self.asked.scenarios:
                self._play(scenario)
        except KeyboardInterrupt:
            interrupt.handled()
            is_complete = False
        with interrupt.remembered():  # what was found is not lost while it is put together
            found = self._assembled(is_complete)
        if not found.is_complete:
            interrupt.handled()
        return found

    def _check(self) -> None:
        """Find mistakes in scenarios, values and parameters before any long work."""
        if self.files.n_pairs == 0:
            raise PairingError(
                f"no record of {self.files.original_name} has a counterpart in {self.files.protected_name}; check the "
                "id column or the list of pairs"
            )
        check_keys(self.files, self.asked.part(Surveying))
        for scenario in self.asked.scenarios:
            scenario.attribute_names(self.files)
            scenario.rows(self.files, self.asked.seed)
        if self.certificates is not None:
            self.certificates.check(self.asked.attackers, self.comparisons)
        self.attacks.check()

    def _attack(self) -> None:
        for attack in self.attacks.run():
            if attack.result.bound is not None:
                self._note(self._on_learning(attack))
            if attack.proof is not None:
                self._certify(attack.proof)

    def _certify(self, proof: Proof) -> None:
        """Write a certificate; where that cannot be, nothing else is lost."""
        assert self.certificates is not None  # noqa: S101  (only then there is a proof)
        try:
            self.certificates.write(proof)
            self._note(proof.notes)
        except FileError as problem:
            self.unwritten[str(problem)] = None
            self._note([f"a certificate is not written: {problem}"])

    def _on_learning(self, attack: Attack) -> Iterable[str]:
        """Add notes on what a reader of the table could misunderstand."""
        asked = self.plan.learning
        if asked.margin > 0.0:
            yield (
                f"margin {asked.margin:g}: links of learned attackers, and their bounds, count only where they are "
                "nearer by that share; links of the others count as usual"
            )
        if asked.holdout > 0.0 and attack.result.holdout is None and not interrupt.is_pending():
            yield (
                f"no pair was held out: {asked.holdout:g} of {attack.result.n_pairs:,} pairs leaves too few; hold out "
                "more"
            )

    def _note(self, notes: Iterable[str]) -> None:
        self.notes |= dict.fromkeys(notes)

    def _assess_attributes(self) -> None:
        self.reporter.step("attributes one by one")
        asked, comparison = self.asked, self.comparisons[self._strongest_scale()]
        self.attributes = attribute_risks(
            self.files,
            comparison,
            people=None if asked.exact else drawn_people(self.files.own, asked.attribute_sample, asked.seed),
            threads=asked.threads,
            progress=self.reporter.progress,
        )

    def _measure_loss(self) -> None:
        if self.asked.loss:
            self.reporter.step("information loss")
            self.loss = loss_of_pair(self.files, confidential=self.asked.attributes is None)

    def _strongest_scale(self) -> Scale:
        """Return the scale of the strongest attack, because single attributes may look harmless on another."""
        scaled = [result for result in self.attacks.results if result.scale in list(Scale)]
        best = max(scaled, key=lambda result: result.found(self.plan.ties), default=None)
        return next(iter(self.comparisons)) if best is None else Scale(best.scale)

    def _run_of(self, scenario: Scenario) -> Attacks | None:
        """Return the attacks of a scenario, with what one intruder knows; None if nobody he knows was released."""
        names, rows = scenario.attribute_names(self.files), scenario.rows(self.files, self.asked.seed)
        files = self.files.restricted(names, rows)
        if not (files.own >= 0).any():
            return None
        return Attacks(
            self.attackers,
            {scale: _known(comparison, names, rows) for scale, comparison in self.comparisons.items()},
            self.plan,
            files,
            self.reporter,
            where=f"{scenario.name}: ",
            is_forgiving=True,
        )

    def _attack_side_by_side(self) -> None:
        """Make the attacks, those of scenarios too, in copies of the process, where that is worth it."""
        if are_worth_it(self.attacks.n_records, self.plan.threads):
            runs = {scenario.name: self._run_of(scenario) for scenario in self.asked.scenarios}
            self._begun = {name: run for name, run in runs.items() if run is not None}
            make_side_by_side([self.attacks, *self._begun.values()], self.plan.threads)

    def _play(self, scenario: Scenario) -> None:
        """Let the attackers attack with what one intruder knows."""
        names, rows = scenario.attribute_names(self.files), scenario.rows(self.files, self.asked.seed)
        own = self.files.own if rows is None else self.files.own[rows]
        attacks = self._begun.pop(scenario.name, None) or self._run_of(scenario)
        if attacks is None:
            self._note([f"scenario {scenario.name}: none of these people is in the protected file"])
        else:
            for _ in attacks.run():
                pass
            self._note(f"scenario {scenario.name}: {note}" for note in attacks.all_notes)
        results = () if attacks is None else attacks.results
        self.scenarios.append(ScenarioResult(scenario.name, names, len(own), int((own >= 0).sum()), results))

    def _assembled(self, is_complete: bool) -> Assessment:
        files, attacks, surveyed = self.files, self.attacks, self._surveyed()
        told = [note for result in attacks.results for note in result.notes]
        notes = dict.fromkeys((*files.notes, *attacks.notes, *self.notes, *told, *surveyed.notes))
        return Assessment(
            seed=self.asked.seed,
            ties=self.plan.ties,
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
            untouched=untouched_attributes(files),
            faults=find_faults(files),
            left_out=tuple(attacks.left_out),
            attacks=attacks.results,
            attributes=self.attributes,
            scenarios=tuple(self.scenarios),
            notes=tuple(notes),
            settings=self._settings(),
            intervals=interval_disclosure(files),
            anonymity=anonymity(files),
            diversity=diversity(files),
            survey=surveyed.risk,
            loss=self.loss,
            records=self._record_risk(surveyed),
            unwritten=tuple(self.unwritten),
            frame_kind=files.frame_kind,
            rules=self.asked.part(ReleaseRules),
            not_known=files.not_known,
            is_complete=is_complete and not interrupt.is_pending(),  # the last to be asked
        )

    def _surveyed(self) -> Surveyed:
        made = [attack.record for attack in self.attacks.made]
        return survey_risk(self.files, self.asked.part(Surveying), self.survey, made)

    def _record_risk(self, surveyed: Surveyed) -> RecordRisk:
        files, labels = self.files, self.files.record_ids
        record = np.arange(1, files.n_original + 1) if labels is None else labels
        made = tuple(attack.record for attack in self.attacks.made)
        return RecordRisk(
            record, files.own >= 0, made, files.frame_kind, surveyed.records, own=files.own, values=files.columns
        )

    def _settings(self) -> dict[str, object]:
        """Return the settings as they were used, without paths; those of learning are a group of their own."""
        plain = self.asked.plain()
        learning = {each.name: plain.pop(each.name) for each in fields(Learning)}
        for name in ("certificates", "overwrite", "threads"):  # what the result does not depend on
            del plain[name]
        return plain | {
            "attributes": {a.name: attribute_settings(a) for a in self.files.attributes},
            "confidential": [column.attribute.name for column in self.files.confidential],
            "learning": learning,
        }


def _known(comparison: Comparison, names: tuple[str, ...], rows: Any) -> Comparison:
    """Keep the attributes and the people that an intruder knows."""
    selected = comparison.select(names)
    return selected if rows is None else selected.restrict(rows)

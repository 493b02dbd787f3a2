"""The verb ``match``: how sure an intruder may be of every unique match between samples, and which tables helped."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.errors import InputError, SettingsError
from linkrisk.options import takes
from linkrisk.tables.bounds.naive import naive_bounds
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.publication import (
    Publication,
    TableDescription,
    make_publication,
    make_table_description,
)
from linkrisk.tables.evidence.reading import make_evidence
from linkrisk.tables.options import MatchKeywords, MatchOptions
from linkrisk.tables.posterior.factors import Factor
from linkrisk.tables.posterior.naive import NaiveVariant, naive_posteriors
from linkrisk.tables.posterior.posterior import NoExactPosteriorError, Posterior
from linkrisk.tables.result import Effect, MatchReport, MatchTable, TableRole
from linkrisk.tables.truth import are_same_people, judge, rank_correlation, true_counts
from linkrisk.tables.unique_matches import UniqueMatches, unique_matches


@dataclass(frozen=True, eq=False)
class Bounds:
    """Bounds of the counts of the matches: table by table, and all tables together if that was asked for."""

    naive: tuple[IntArray, IntArray]
    exact: tuple[IntArray, IntArray] | None
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> tuple[IntArray, IntArray]:
        """The narrowest bounds known."""
        return self.naive if self.exact is None else self.exact


@dataclass(frozen=True, eq=False)
class Judged:
    """Bounds and posteriors of the matches, in the order of the matches; ``worth`` says how they were found."""

    bounds: Bounds
    posteriors: list[Posterior]
    probabilities: FloatArray
    worth: tuple[str, ...] = ()


class _NotToBeHadError(Exception):
    """Why there is no exact posterior."""


@takes(MatchOptions)
def match(
    samples: Mapping[str, Any] | Sequence[Any],
    tables: Sequence[TableDescription] | Publication | str | os.PathLike[str] | None = None,
    *,
    progress: Progress = no_progress,
    **options: Unpack[MatchKeywords],
) -> MatchReport:
    """Tell how likely it is that each unique match between samples of one population is right, given published tables.

    Two or more samples have some attributes in common (the overlap). Where a combination of their categories occurs
    exactly once in every sample, the records may be of one person. If c people of the population have the combination,
    and there are m samples, that is so with probability 1 / c^(m - 1), all matchings being equally likely. The number c
    is not known, but the tables bound it, and given what they show it has a posterior p(c). The probability of the
    match is the sum of p(c) / c^(m - 1) over all c.

    Parameters
    ----------
    samples, tables
        What the intruder holds; see `linkrisk.tables.make_evidence`.
    @options
    progress
        Called with the number of steps done and the number of all steps.

    Returns
    -------
    MatchReport
        Print it. Its ``matches`` name the records of every match and are confidential.

    Raises
    ------
    InputError
        If there is no unique match, or tables and samples contradict each other (the message names those that do).

    Notes
    -----
    Cost: a sort of each sample and table; then, for each different combination of bounds and published counts, one step
    per count within the bounds. For exact bounds and posteriors see `exact_bounds` and `exact_posteriors`.

    Examples
    --------
    >>> from linkrisk import match
    >>> from linkrisk.tables import categorical_population, draw_sample, publish_table
    >>> people = categorical_population(300, {"region": 6, "trade": 9, "age": 5, "sex": 2}, seed=1)
    >>> known = ["region", "trade", "age"], ["trade", "age", "sex"]
    >>> samples = [draw_sample(people, 60, names, seed=7) for names in known]
    >>> report = match(samples, [publish_table(people, ["trade", "age"], "exact")], population=300)
    >>> report.overlap, report.n_matches > 0
    (('trade', 'age'), True)
    """
    asked = MatchOptions.of(options)
    publication, candidate = make_publication(tables), asked.candidate
    if candidate is not None and not isinstance(candidate, TableDescription):
        candidate = make_table_description(candidate, mechanism="exact")
    reading: dict[str, Any] = {"overlap": asked.overlap, "id": asked.id, "delimiter": asked.delimiter}
    everything = publication if candidate is None else publication.with_table(candidate)
    evidence = make_evidence(samples, everything, population=asked.population, **reading)
    new = None if candidate is None else evidence.tables[-1].name
    current = evidence
    if new is not None:  # read again: without the candidate, categories that only it has do not exist
        current = make_evidence(samples, publication, population=evidence.population, **reading)
    found = unique_matches(current)
    if not len(found):
        raise InputError(
            f"no combination of {', '.join(evidence.overlap)} occurs exactly once in every sample, so there is no "
            "unique match to judge; choose other attributes with overlap"
        )
    true = None
    if asked.truth is not None:
        true = true_counts(current, asked.truth, found.cells, delimiter=asked.delimiter)
    names = [table.name for table in current.tables] if asked.contributions else []
    cases = [(current, found), *((current.without(name), found) for name in names)]
    if new is not None:  # the same matches in the same order, their cells numbered by more categories
        cases.append((evidence, unique_matches(evidence)))
    shared = replace(asked, time_limit=asked.seconds / len(cases))
    judging, made, reasons = _judge_all(_Judging(shared, found, true, len(evidence.samples)), cases, progress)
    judged, *others = made
    effects = [judging.effect(other) for other in others]
    roles = dict(zip(names, effects[: len(names)], strict=True))
    used = judging.options
    return MatchReport(
        population=evidence.population,
        overlap=evidence.overlap,
        samples={sample.name: sample.size for sample in evidence.samples},
        posterior=used.posterior,
        bounds=asked.bounds,
        worth=worth_of(used.posterior, judged.worth),
        effect=judging.effect(judged),
        tables=tuple(_role(current, name, used, roles.get(name)) for name in (t.name for t in current.tables)),
        candidate=None if new is None else _role(evidence, new, used, effects[-1]),
        judgement=judging.judgement(judged, are_same_people(current, found)),
        matches=judging.table(judged, current),
        notes=(*reasons, *evidence.notes, *judged.bounds.notes),
        frame_kind=evidence.frame_kind,
    )


def worth_of(posterior: str, found: Sequence[str]) -> str:
    """Say what the probabilities of a posterior are worth; ``found`` tells how an exact one was found."""
    if posterior == "exact":
        return (
            f"What this is worth: {', '.join(found)}; all populations that fit the samples and tables are taken to be "
            "equally likely, and where they were not, more or fewer matches are right."
        )
    return (
        "Caution: this posterior takes tables and samples for independent and forgets that cells add up to the "
        "population, so that several times as many matches can be right as it expects, or far fewer; ask for "
        "the exact one by posterior (--posterior), or hold it against the truth by truth (--truth)."
    )


def _judge_all(
    judging: _Judging, cases: Sequence[tuple[Evidence, UniqueMatches]], progress: Progress
) -> tuple[_Judging, list[Judged], tuple[str, ...]]:
    """Judge the matches by each evidence, all by one posterior; return who judged, what he found, and why he did.

    Left to choose, that is the exact posterior, or the paper's where the exact one cannot be had for each evidence.
    """
    bounds = [replace(judging, matches=matches).bounds(evidence) for evidence, matches in cases]

    def judged_by(one: _Judging) -> list[Judged]:
        result = []
        for place, (evidence, matches) in enumerate(cases):
            interrupt.check()
            result.append(replace(one, matches=matches).judged(evidence, bounds[place]))
            progress(1 + place, len(cases))
        return result

    if judging.options.posterior != "auto":
        return judging, judged_by(judging), ()
    try:
        exact = judging.by("exact", must_be_good=True)
        return exact, judged_by(exact), ()
    except _NotToBeHadError as reason:
        paper = judging.by("paper")
        note = f"no exact posterior, because {reason}; the paper's stands in for it"
        return paper, judged_by(paper), (note,)


@dataclass(frozen=True, eq=False)
class _Judging:
    """The same matches, to be judged by different evidence."""

    options: MatchOptions
    matches: UniqueMatches
    true: IntArray | None
    n_samples: int

    must_be_good: bool = False

    def by(self, posterior: str, *, must_be_good: bool = False) -> _Judging:
        """Return the same with another posterior; if it must be good, one that is not is an error."""
        return replace(self, options=replace(self.options, posterior=posterior), must_be_good=must_be_good)

    def bounds(self, evidence: Evidence) -> Bounds:
        """Return the bounds of the counts of all matches."""
        naive = naive_bounds(evidence, self.matches.cells)
        if self.options.bounds == "naive":
            return Bounds(naive, None)
        return Bounds(naive, *_exact_bounds(evidence, self.matches.cells, self.options))

    def judged(self, evidence: Evidence, bounds: Bounds) -> Judged:
        """Return the posteriors of all matches."""
        worth: tuple[str, ...] = ()
        if self.options.posterior == "exact":
            posteriors, worth = self._exact_posteriors(evidence)
        else:
            posteriors = _naive_posteriors(evidence, self.matches.cells, bounds.best, self.options)
        probabilities = np.array([found.match_probability(self.n_samples) for found in posteriors])
        return Judged(bounds, posteriors, probabilities, worth)

    def _exact_posteriors(self, evidence: Evidence) -> tuple[list[Posterior], tuple[str, ...]]:
        from linkrisk.tables.bounds.contradiction import contradiction_error  # noqa: PLC0415  (imports HiGHS)
        from linkrisk.tables.posterior.exact import Status, exact_posteriors  # noqa: PLC0415  (numba)

        options = self.options
        try:
            found = exact_posteriors(
                evidence,
                self.matches.cells,
                seed=options.seed,
                time_limit=options.seconds,
                must_converge=self.must_be_good,
            )
        except NoExactPosteriorError as problem:
            if not self.must_be_good:
                raise
            raise _NotToBeHadError(str(problem).partition(";")[0]) from None
        except SettingsError:
            raise contradiction_error(evidence) from None
        if self.must_be_good and any(entry.status is Status.NOT_CONVERGED for entry in found):
            raise _NotToBeHadError("Markov chains did not agree (a longer time_limit (--time-limit) may help)")
        return [entry.posterior for entry in found], tuple(dict.fromkeys(entry.note for entry in found))

    def effect(self, judged: Judged) -> Effect:
        p = judged.probabilities
        correlation = None if self.true is None else rank_correlation(p, self._true_probabilities()).spearman
        return Effect(
            n_matches=len(p),
            confident={level: int((p >= level).sum()) for level in self.options.confident},
            expected_correct=float(p.sum()),
            spearman=correlation,
        )

    def judgement(self, judged: Judged, same: Any) -> Any:
        if self.true is None:
            return None
        outcomes = None if same is None else same.astype(np.float64)
        return judge(judged.probabilities, self._true_probabilities(), outcomes)

    def table(self, judged: Judged, evidence: Evidence) -> MatchTable:
        return MatchTable(
            records={
                sample.name: rows + 1 for sample, rows in zip(evidence.samples, self.matches.records.T, strict=True)
            },
            naive_low=judged.bounds.naive[0],
            naive_high=judged.bounds.naive[1],
            exact_low=None if judged.bounds.exact is None else judged.bounds.exact[0],
            exact_high=None if judged.bounds.exact is None else judged.bounds.exact[1],
            probability=judged.probabilities,
            expected_count=np.array([found.mean for found in judged.posteriors]),
            true_count=self.true,
            posteriors=tuple(judged.posteriors),
            frame_kind=evidence.frame_kind,
        )

    def _true_probabilities(self) -> FloatArray:
        assert self.true is not None  # noqa: S101  (only asked where the truth is known)
        return np.asarray(1.0 / self.true.astype(np.float64) ** (self.n_samples - 1))


def _naive_posteriors(
    evidence: Evidence, cells: IntArray, bounds: tuple[IntArray, IntArray], options: MatchOptions
) -> list[Posterior]:
    """Return the posteriors; where no count is possible, raise an error that names what contradicts what."""
    from linkrisk.tables.bounds.contradiction import contradiction_error  # noqa: PLC0415  (imports HiGHS)

    try:
        return naive_posteriors(evidence, cells, *bounds, NaiveVariant(options.posterior))
    except SettingsError:
        raise contradiction_error(evidence) from None


def _exact_bounds(
    evidence: Evidence, cells: IntArray, options: MatchOptions
) -> tuple[tuple[IntArray, IntArray], tuple[str, ...]]:
    from linkrisk.tables.bounds.exact import exact_bounds  # noqa: PLC0415  (imports HiGHS)

    found = exact_bounds(evidence, cells, seconds=options.seconds)
    n_open = sum(status != "exact" for status in found.status)
    note = f"exact bounds: those of {n_open} matches hold, but may not be the tightest; a longer time limit may help"
    return (found.low, found.high), (note,) if n_open else ()


def _role(evidence: Evidence, name: str, options: MatchOptions, effect: Effect | None) -> TableRole:
    (table,) = [table for table in evidence.tables if table.name == name]
    factor = Factor(table, evidence)
    if options.posterior == "exact":
        role = "posterior"
    elif not factor.shared:
        role = "nothing"
    elif factor.is_direct or (options.posterior == "sums" and factor.is_feasible):
        role = "posterior"
    else:
        role = "bounds"
    return TableRole(name, table.mechanism.name, table.attributes, len(table.counts), role, effect)

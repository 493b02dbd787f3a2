"""The exact posterior of overlap counts: from all samples and tables together, uniform over all populations."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.errors import SettingsError
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.posterior.atoms import Atoms, make_atoms
from linkrisk.tables.posterior.block_posterior import block_posteriors, is_too_large
from linkrisk.tables.posterior.chain_diagnostics import ChainDiagnostics, ChainSettings
from linkrisk.tables.posterior.dynamic_programme import Limits, TooLarge
from linkrisk.tables.posterior.posterior import NoExactPosteriorError, Posterior

MOST_STATES = 1_000_000
"""States that the dynamic programme may hold at once."""

Method = Literal["auto", "programme", "chain"]


class Status(StrEnum):
    """How far a posterior can be trusted."""

    EXACT = "exact"
    PROVEN = "converged, moves proven"
    NOT_PROVEN = "mixing not proven"
    NOT_CONVERGED = "not converged"


@dataclass(frozen=True, eq=False)
class ExactPosterior:
    """The exact posterior of one overlap cell, how it was found, and how far it can be trusted.

    ``method`` is "dynamic programming" or "Markov chain"; only the latter has ``diagnostics``.
    """

    cell: int
    posterior: Posterior
    method: str
    status: Status
    diagnostics: ChainDiagnostics | None = None

    @property
    def note(self) -> str:
        """One line that tells method and status."""
        return f"posterior by {'a ' if self.method == 'Markov chain' else ''}{self.method}, {self.status}"


def exact_posteriors(
    evidence: Evidence,
    cells: IntArray,
    *,
    method: Method = "auto",
    seed: int = 0,
    time_limit: float = 60.0,
    chains: int = 4,
    most_states: int = MOST_STATES,
    must_converge: bool = False,
    progress: Progress = no_progress,
) -> list[ExactPosterior]:
    """Return the posterior of each overlap cell given all samples and tables together.

    A base table T gives a whole number of people, 0 or more, to each combination of the categories of *all* attributes
    that occur in samples and tables together, ``population`` people in all. Before anything is known, all base tables
    are equally likely. Then (smith-elliot-bayesian.txt, Equation 1)

        P(F = c | R) is proportional to the sum, over all T with c people in the cell, of the product of P(r | T) over
        all samples and tables r.

    A sample, or a table made from one, has the likelihood prod C(F_i, f_i) / C(N, n) over its own cells; a rounded
    table the product of the likelihoods of its cells; an exact or suppressed table 1 or 0. The naive posterior of the
    paper ignores that cells add up to the population, that samples share people with tables, and that a cell made of
    many base cells is less likely to be small. No attribute is summed out: through the prior the result depends on all
    attributes, even on those that only one sample has.

    There are two methods. *Dynamic programming* (`block_posteriors`) is exact up to rounding, and possible as long as
    its states are not too many. The *Markov chain* (`sample_posteriors`) runs several chains over the populations with
    the given fixed sums. Its status is "converged, moves proven"; or "mixing not proven", where the moves are not known
    to reach every population; or "not converged", where split R-hat or the effective size say so. Interrupted by
    Ctrl-C, it returns what it has.

    Parameters
    ----------
    evidence
        What the intruder holds.
    cells
        Numbers of overlap cells.
    method
        ``programme`` (dynamic programming), ``chain``, or ``auto``: the chain only for cells for which dynamic
        programming is too costly.
    seed
        Seed of the chains.
    time_limit
        Seconds for all cells together; with ``auto`` dynamic programming may take half of them.
    chains
        Number of chains, 2 or more.
    most_states
        States that dynamic programming may hold at once.
    must_converge
        Give up, by an error, as soon as it is foreseen that chains will be far from convergence when time is up.
    progress
        Called with the number of rounds of the chains that are done, and with that of all rounds.

    Raises
    ------
    SettingsError
        If samples and tables contradict each other, or the problem is too large for the method.

    Examples
    --------
    >>> import pandas as pd
    >>> from linkrisk.tables.evidence.reading import make_evidence
    >>> first = pd.DataFrame({"sex": ["f", "m", "m"], "job": ["x", "x", "y"]})
    >>> second = pd.DataFrame({"sex": ["f", "m"], "age": ["old", "young"]})
    >>> evidence = make_evidence([first, second], population=9)
    >>> (found,) = exact_posteriors(evidence, np.array([0]))
    >>> found.note, round(found.posterior.match_probability(), 3)
    ('posterior by dynamic programming, exact', 0.301)
    """
    _check(method, time_limit, chains)
    started = time.perf_counter()
    asked = np.unique(cells)
    if not len(asked):
        return []
    atoms = make_atoms(evidence, asked)
    if atoms is None:
        raise NoExactPosteriorError(
            "the attributes of samples and tables together have too many combinations for an exact posterior; use the "
            "naive one, or fewer attributes"
        )
    found: dict[int, ExactPosterior] = {}
    if method != "chain":
        found = _by_programme(atoms, asked, Limits(most_states, started + time_limit / (2 if method == "auto" else 1)))
    missing = np.array([cell for cell in asked.tolist() if cell not in found], dtype=np.int64)
    if len(missing) and method == "programme":
        raise SettingsError(
            "dynamic programming has too many states for the exact posterior; allow the Markov chain, more time or "
            "more states"
        )
    if len(missing):
        settings = ChainSettings(chains, seed, started + time_limit, progress=progress, must_converge=must_converge)
        found |= _by_chain(atoms, missing, len(evidence.samples), settings)
    return [found[cell] for cell in cells.tolist()]


def _check(method: str, time_limit: float, chains: int) -> None:
    if method not in ("auto", "programme", "chain"):
        raise SettingsError(f"unknown method {method!r} of the exact posterior; choose one of auto, programme, chain")
    if not time_limit >= 0:
        raise SettingsError("time_limit must be a number of at least 0")
    if chains < 2:
        raise SettingsError("chains must be at least 2, to see whether they agree")


def _by_programme(atoms: Atoms, cells: IntArray, limits: Limits) -> dict[int, ExactPosterior]:
    """Return the posteriors that dynamic programming can find: of all cells in one run, or else one by one."""
    try:
        found = block_posteriors(atoms, cells, limits)
    except TooLarge:
        found = {}
        for cell in cells.tolist() if len(cells) > 1 and not is_too_large(atoms, limits) else []:
            try:
                found |= block_posteriors(atoms, np.array([cell]), limits)
            except TooLarge:
                if time.perf_counter() > limits.deadline:
                    break
    return {cell: ExactPosterior(cell, found[cell], "dynamic programming", Status.EXACT) for cell in found}


def _by_chain(atoms: Atoms, cells: IntArray, n_samples: int, settings: ChainSettings) -> dict[int, ExactPosterior]:
    from linkrisk.tables.posterior.chain import sample_posteriors  # noqa: PLC0415  (imports HiGHS)

    sampled = sample_posteriors(atoms, cells, n_samples, settings)
    result = {}
    for cell in cells.tolist():
        diagnostics = sampled.diagnostics[cell]
        status = Status.PROVEN if sampled.moves.is_proven else Status.NOT_PROVEN
        if not diagnostics.is_converged:
            status = Status.NOT_CONVERGED
        result[cell] = ExactPosterior(cell, sampled.posteriors[cell], "Markov chain", status, diagnostics)
    return result

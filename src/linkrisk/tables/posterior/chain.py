"""Markov chains over all populations with the given sums: for exact posteriors where there are too many states."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine import interrupt, threads
from linkrisk.engine.mixing import effective_size, split_r_hat
from linkrisk.errors import SettingsError
from linkrisk.tables.posterior.atoms import CONTRADICTION, Atoms, Statement
from linkrisk.tables.posterior.chain_diagnostics import (
    FAR_TOO_FEW,
    GIVE_UP_AT,
    MOST_R_HAT,
    N_BATCHES,
    ChainDiagnostics,
    ChainSettings,
    expected_effective,
    probability_errors,
)
from linkrisk.tables.posterior.chain_kernels import Target, Walker, walk
from linkrisk.tables.posterior.chain_moves import MoveSet, make_moves
from linkrisk.tables.posterior.posterior import NoExactPosteriorError, Posterior

LEAST_DRAWS = 2 * N_BATCHES
"""Least number of draws per chain that counts as a result."""

MOST_SOLVED = 5_000
"""Number of atoms up to which chains start at populations that HiGHS finds."""

MOST_PROPOSED = 1_000_000
"""Proposals of a chain between two looks at the clock, except that at least ten records are made."""

MOST_KEPT = 20_000_000
"""Most counts kept in the records of all chains; when there are more, every second record is dropped."""

RECORDS = 250
"""Most records of a chain between two looks at the clock."""

LEAST_THIN, MOST_THIN = 50, 20_000
"""Limits on the number of proposals between two records, which is the number of atoms within these limits."""

TUNING_ROUNDS = 8
"""Number of first rounds in which the penalty is tuned; their records are dropped."""

LEAST_FEASIBLE = 0.3
"""The penalty is raised while a smaller share of the records than this is feasible."""

MOST_ROUNDS = 4_000
"""Rounds after which chains end, even if time is left."""


@dataclass(frozen=True, eq=False)
class Sampled:
    """Posterior and diagnostics of each overlap cell asked for, by its number; and the moves that were used."""

    posteriors: dict[int, Posterior]
    diagnostics: dict[int, ChainDiagnostics]
    moves: MoveSet


def sample_posteriors(atoms: Atoms, queried: IntArray, n_samples: int, settings: ChainSettings) -> Sampled:
    """Return posteriors of overlap cells from draws of several Markov chains.

    The chains move over the counts x of atoms. The weight of x is the product of C(x + K - 1, x) over atoms and of the
    likelihoods of all statements. Proposals keep every fixed sum (`make_moves`) and are accepted by the rule of
    Metropolis and Hastings. A statement that is violated has the likelihood of its nearest bound times exp(-penalty)
    for each person beyond it, so that no bound divides the populations into parts between which a chain cannot move;
    only records in which no statement is violated are draws.

    *Guarantee* (docs/mathematics.md#chain): a reversible chain, observed only while it is in a set of states, is a
    reversible chain whose stationary weights are those of the set. So in the limit the draws have the posterior
    distribution, wherever the moves connect all populations. The penalty is tuned in the first rounds; these rounds,
    and half of the others, are thrown away.

    Chains start far apart: at populations that HiGHS finds for random objectives, or at random ones. They end when
    split R-hat is at most 1.01 and there are ``effective`` effective draws for every cell, or when time is up. The
    result is the same for the same seed, unless time is up first. Cost: a proposal looks at the statements of two or
    four atoms.

    Raises
    ------
    SettingsError
        If no population is possible.
    NoExactPosteriorError
        If no population was drawn in time; or, where chains must converge, if they are far from it.
    """
    moves = make_moves(atoms)
    target = _target(atoms)
    starts = _starts(atoms, moves, settings)
    place = {cell: column for column, cell in enumerate(queried.tolist())}
    overlap = np.array([place.get(cell, -1) for cell in atoms.overlap.tolist()], dtype=np.int64)
    dice = np.random.SeedSequence(settings.seed).generate_state(len(starts), np.uint64)
    walkers = [_walker(target, moves, x, number) for x, number in zip(starts, dice, strict=True)]
    thin = min(max(LEAST_THIN, len(atoms)), MOST_THIN)
    run = _Run(atoms, target, moves, overlap, len(queried), settings, walkers, thin)
    draws, feasible = run.draws(lambda found: _is_enough(found, n_samples, settings))
    if draws.shape[1] < LEAST_DRAWS:
        raise NoExactPosteriorError(
            "the time limit is too short for the Markov chain to draw a single population that fits; give it more time"
        )
    posteriors, diagnostics = {}, {}
    for column, cell in enumerate(queried.tolist()):
        posteriors[cell], diagnostics[cell] = _summary(draws[:, :, column], n_samples, run.acceptance, feasible)
    return Sampled(posteriors, diagnostics, moves)


@dataclass(eq=False)
class _Run:
    """Chains that are running, and their records so far."""

    atoms: Atoms
    target: Target
    moves: MoveSet
    overlap: IntArray
    n_queried: int
    settings: ChainSettings
    walkers: list[Walker]
    thin: int
    penalty: float = 2.0
    records: list[IntArray] = field(default_factory=list)
    flags: list[IntArray] = field(default_factory=list)
    seen: list[IntArray] = field(default_factory=list)
    """All records since the start, until it is foreseen whether they will be enough."""

    def __post_init__(self) -> None:
        self.started = time.perf_counter()
        self.looks = list(GIVE_UP_AT) if self.settings.must_converge else []

    @property
    def acceptance(self) -> float:
        tally = np.sum([walker.tally for walker in self.walkers], axis=0)
        return float(tally[1] / max(1, tally[0]))

    def draws(self, is_enough: Callable[[IntArray], bool]) -> tuple[IntArray, float]:
        """Run until there are enough draws; return them, by chain, draw and cell, and the share of feasible records."""
        next_look = 8
        try:
            for number in range(MOST_ROUNDS):
                self._round()
                self._foresee(is_tuned=number > TUNING_ROUNDS)
                if number <= TUNING_ROUNDS:
                    self._tune()
                elif len(self.records) >= next_look:
                    next_look = int(next_look * 1.5)
                    if is_enough(self._kept()[0]):
                        break
                self.settings.progress(number + 1, MOST_ROUNDS)
                if time.perf_counter() > self.settings.deadline or interrupt.is_pending():
                    break
        except KeyboardInterrupt:
            if not self.records or self._kept()[0].shape[1] < LEAST_DRAWS:
                raise
        return self._kept()

    def _round(self) -> None:
        n_records = min(RECORDS, max(10, MOST_PROPOSED // self.thin))
        shape = (len(self.walkers), n_records, self.n_queried)
        records, flags = np.empty(shape, dtype=np.int64), np.empty(shape[:2], dtype=np.int64)

        def run_chain(part: slice) -> None:
            for chain in range(part.start, part.stop):
                walk(
                    self.target, self.moves.moves, self.walkers[chain], self.overlap, self.thin, self.penalty,
                    records[chain], flags[chain],
                )  # fmt: skip

        threads.for_chunks(run_chain, len(self.walkers), 1)
        self.records.append(records)
        self.flags.append(flags)
        if len(self.records) > 1 and sum(part.size for part in self.records) > MOST_KEPT:
            self.records = [part[:, 1::2] for part in self.records]
            self.flags = [part[:, 1::2] for part in self.flags]
            self.thin *= 2

    def _foresee(self, *, is_tuned: bool) -> None:
        """Raise if chains must converge, and what they have drawn so far says that they will not, by far."""
        if not self.looks:
            return
        self.seen.append(self.records[-1])
        share = (time.perf_counter() - self.started) / max(1e-9, self.settings.deadline - self.started)
        if share < self.looks[0]:
            return
        self.looks = [look for look in self.looks if look > share]
        expected = expected_effective(np.concatenate(self.seen, axis=1), share)
        if is_tuned:
            expected *= float(np.mean(self.flags[-1]))
        if FAR_TOO_FEW * expected < self.settings.effective:
            raise NoExactPosteriorError(
                "Markov chains would need many times their time (a longer time_limit (--time-limit) may help)"
            )
        if not self.looks:
            self.seen.clear()

    def _tune(self) -> None:
        """Raise the penalty if few records are feasible, and drop all records except those of the last round."""
        del self.records[:-1], self.flags[:-1]
        if float(np.mean(self.flags[-1])) < LEAST_FEASIBLE:
            self.penalty *= 1.5

    def _kept(self) -> tuple[IntArray, float]:
        """Return the feasible records in the second half of every chain, equally many per chain, and their share."""
        records, flags = np.concatenate(self.records, axis=1), np.concatenate(self.flags, axis=1)
        half = flags.shape[1] // 2
        chains = [record[half:][flag[half:] == 1] for record, flag in zip(records, flags, strict=True)]
        n = min(len(chain) for chain in chains)
        return np.stack([chain[len(chain) - n :] for chain in chains]), float(flags[:, half:].mean())


def _is_enough(draws: IntArray, n_samples: int, settings: ChainSettings) -> bool:
    if draws.shape[1] < LEAST_DRAWS:
        return False
    for column in range(draws.shape[2]):
        counts = draws[:, :, column].astype(np.float64)
        if split_r_hat(counts) > MOST_R_HAT:
            return False
        if min(effective_size(counts), effective_size(_match(counts, n_samples))) < settings.effective:
            return False
    return True


def _match(counts: FloatArray, n_samples: int) -> FloatArray:
    return np.asarray(1.0 / np.maximum(counts, 1.0) ** (n_samples - 1))


def _summary(draws: IntArray, n_samples: int, acceptance: float, feasible: float) -> tuple[Posterior, ChainDiagnostics]:
    low = int(draws.min())
    shares = np.bincount((draws - low).ravel()) / draws.size
    counts = draws.astype(np.float64)
    matches = _match(counts, n_samples)
    size = effective_size(counts)
    diagnostics = ChainDiagnostics(
        n_chains=draws.shape[0],
        n_draws=draws.shape[1],
        r_hat=split_r_hat(counts),
        effective_size=size,
        standard_errors=probability_errors(draws, low, len(shares)),
        match_standard_error=float(matches.std() / np.sqrt(effective_size(matches))),
        acceptance=acceptance,
        feasible=feasible,
    )
    return Posterior(low, shares), diagnostics


def _soft(atoms: Atoms) -> list[Statement]:
    """Return the statements that a move may violate: those that do not fix a sum."""
    return [statement for statement in atoms.statements if not statement.is_exact]


def _target(atoms: Atoms) -> Target:
    soft = _soft(atoms)
    rows = _incidence(soft, len(atoms))
    columns = rows.T.tocsr()
    n_weights = [0 if statement.weights is None else len(statement.weights) for statement in soft]
    begin = np.cumsum([0, *n_weights[:-1]]) if soft else np.zeros(0, dtype=np.int64)
    weights = [statement.weights for statement in soft if statement.weights is not None]
    return Target(
        sizes=atoms.sizes,
        atom_start=columns.indptr.astype(np.int64),
        of_atom=columns.indices.astype(np.int64),
        statement_start=rows.indptr.astype(np.int64),
        of_statement=rows.indices.astype(np.int64),
        low=np.array([statement.low for statement in soft], dtype=np.int64),
        high=np.array([statement.high for statement in soft], dtype=np.int64),
        drawn=np.array([statement.drawn for statement in soft], dtype=np.int64),
        weight_start=np.where(np.array(n_weights, dtype=np.int64) > 0, begin, -1),
        flat=np.concatenate(weights) if weights else np.zeros(1),
    )


def _incidence(statements: list[Statement], n_atoms: int) -> csr_array:
    starts = np.cumsum([0, *(len(statement.atoms) for statement in statements)])
    members = np.concatenate([statement.atoms for statement in statements]) if statements else np.zeros(0, np.int64)
    return csr_array((np.ones(len(members)), members, starts), shape=(len(statements), n_atoms))


def _starts(atoms: Atoms, moves: MoveSet, settings: ChainSettings) -> list[IntArray]:
    """Return a start for each chain: a population that HiGHS finds for a random objective, or a random one.

    A random one, for large problems, has the right fixed sums; the penalty then leads the chain to where no other
    statement is violated either.
    """
    rng = np.random.default_rng(settings.seed)
    is_simple = atoms.margins.shape[1] <= 1
    if is_simple and len(atoms) > MOST_SOLVED:
        return [_spread(atoms, moves, rng) for _ in range(settings.chains)]
    found: list[IntArray] = []
    for _ in range(settings.chains):
        population = _solved(atoms, rng, settings)
        if population is not None:
            found.append(population)
        elif settings.must_converge:  # one start took an eighth of the time: no promise of convergence
            break
    if not found and is_simple:
        return [_spread(atoms, moves, rng) for _ in range(settings.chains)]
    if not found:
        raise NoExactPosteriorError(
            "no population that fits was found in time; give a longer time limit, or fewer attributes"
        )
    return [found[chain % len(found)] for chain in range(settings.chains)]


def _solved(atoms: Atoms, rng: np.random.Generator, settings: ChainSettings) -> IntArray | None:
    """Return the best population for a random objective; None if none is found in time."""
    interrupt.check()
    statements = list(atoms.statements)
    low, high = (np.array([getattr(statement, end) for statement in statements]) for end in ("low", "high"))
    result = milp(
        rng.standard_normal(len(atoms)),
        integrality=np.ones(len(atoms), dtype=np.int64),
        bounds=Bounds(0.0, float(atoms.population)),
        constraints=LinearConstraint(_incidence(statements, len(atoms)), low, high),
        options={"time_limit": max(1.0, (settings.deadline - time.perf_counter()) / (2 * settings.chains))},
    )
    if result.status == 2:
        raise SettingsError(CONTRADICTION)
    return None if result.x is None else np.round(result.x).astype(np.int64)


def _spread(atoms: Atoms, moves: MoveSet, rng: np.random.Generator) -> IntArray:
    """Spread the people of every class over its atoms at random, where at most one table fixes sums."""
    group, n_classes = moves.moves.group, moves.moves.group_start.size - 1
    totals = np.full(n_classes, -1, dtype=np.int64)
    for statement in atoms.statements:
        if statement.is_exact and len(statement.atoms) < len(atoms):
            totals[group[statement.atoms[0]]] = statement.low
    totals[totals < 0] = atoms.population - totals[totals >= 0].sum()  # the one class whose sum no table fixes
    counts = np.zeros(len(atoms), dtype=np.int64)
    for number, total in enumerate(totals.tolist()):
        members = moves.moves.members[moves.moves.group_start[number] : moves.moves.group_start[number + 1]]
        shares = rng.gamma(np.minimum(atoms.sizes[members], 1e6)) + 1e-12
        counts[members] = rng.multinomial(total, shares / shares.sum())
    return counts


def _walker(target: Target, moves: MoveSet, counts: IntArray, dice: np.uint64) -> Walker:
    sums = np.array(
        [
            counts[target.of_statement[start:end]].sum()
            for start, end in zip(target.statement_start[:-1], target.statement_start[1:], strict=True)
        ],
        dtype=np.int64,
    )
    n_classes = moves.moves.group_start.size - 1
    room = max(4, n_classes)
    violated = int(((sums < target.low) | (sums > target.high)).sum())
    return Walker(
        counts=counts.copy(),
        sums=sums,
        tally=np.array([0, 0, violated], dtype=np.int64),
        changed=np.zeros(room, dtype=np.int64),
        change=np.zeros(room, dtype=np.int64),
        touched=np.zeros(max(1, len(sums)), dtype=np.int64),
        shift=np.zeros(len(sums), dtype=np.int64),
        classes=np.zeros(n_classes, dtype=np.int64),
        dice=np.array([dice], dtype=np.uint64),
    )

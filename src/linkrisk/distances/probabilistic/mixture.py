"""Matches and other pairs told apart by their patterns of agreement alone: EM from several starts, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.distances.probabilistic.acceleration import accelerate
from linkrisk.distances.probabilistic.agreement import Agreement
from linkrisk.distances.probabilistic.em import MET, Problem, State, shares
from linkrisk.distances.probabilistic.patterns import Patterns
from linkrisk.distances.probabilistic.starts import FIRST_SHARE, Start, make_starts
from linkrisk.engine.threads import for_chunks

MAX_ITERATIONS = 500

TRIAL = 10
"""Iterations of each start, before only the best one, and the best one that is elsewhere, are continued."""

SAME_FIT = 2.0
"""Two fits are as good if their objectives differ by no more (natural logarithm): a likelihood ratio below 8."""

FAR = 0.2
"""The likelihood is flat where a probability of m can change by so much, as EM does at its end, and fit as well."""

LAST = 12
"""Iterations without looking ahead after which EM goes where the files tell least."""


class Status(StrEnum):
    """How EM ended."""

    CONVERGED = "converged"
    FLAT = "flat"
    UNFINISHED = "not converged"
    NOTHING = "nothing to learn"


@dataclass(frozen=True, eq=False)
class Mixture:
    """What EM found.

    ``m[k, l]`` and ``u[k, l]`` are the probabilities of level l of attribute k among matches and among the other pairs
    (columns: the levels, then a value missing on one side, and on both; NaN where a level does not occur or takes no
    part), ``weights`` are log2(m / u), what a level is worth in bits (0 where it says nothing; levels that do not occur
    have the weight of a neighbour), ``share`` is the share of matches among all pairs. ``is_informative[k]`` tells
    whether the pairs differ in their level at all. ``log_likelihood`` is that of the counted pairs (natural logarithm),
    ``objective`` the same with the two prior pairs and what is borrowed. ``status`` says how EM ended, ``flat_because``
    why the likelihood is called flat, ``starts`` what became of each start. ``matches[p]`` are the matches expected
    among the pairs of pattern p.
    """

    m: FloatArray
    u: FloatArray
    weights: FloatArray
    share: float
    is_informative: tuple[bool, ...]
    log_likelihood: float
    objective: float
    iterations: int
    status: Status
    flat_because: str
    starts: tuple[Start, ...]
    matches: FloatArray

    @property
    def is_converged(self) -> bool:
        """Whether EM has settled, and the likelihood says where."""
        return self.status is Status.CONVERGED

    @property
    def ending(self) -> str:
        """How EM ended, to follow the word EM."""
        after = f"after {self.iterations} iterations"
        return {
            Status.CONVERGED: f"converged {after}",
            Status.FLAT: f"stopped {after} where the likelihood is flat ({self.flat_because})",
            Status.UNFINISHED: f"has not converged {after}",
            Status.NOTHING: "had nothing to learn from",
        }[self.status]

    def __repr__(self) -> str:
        return f"<Mixture: share of matches {self.share:.3g}, EM {self.ending}>"


def fit_mixture(
    patterns: Patterns,
    agreement: Agreement,
    *,
    largest_share: float,
    is_monotone: bool = True,
    is_missing_level: bool = False,
    is_share_known: bool = False,
    seed: int = 0,
    threads: int | None = None,
    max_iterations: int = MAX_ITERATIONS,
) -> Mixture:
    """Fit two classes of pairs to counted patterns; within each class the attributes are independent.

    With r = prod_k m_k(level) / u_k(level) a pair is a match with probability share . r / (share . r + 1 - share): EM
    on the distinct patterns, one pass over them per iteration, however many pairs they stand for. Where it is known who
    has which pattern (``patterns.records``), the pairs of a record are taken together: of N records of the other file
    one is its match, or, with probability 1 - N . share, none, so pair j is it with probability share . r_j / (1 - N .
    share + share . sum of r). Which file these records are of matters (docs/decisions/0009): a protected record was
    made of its original one, attribute by attribute, so that originals that compete for it can be judged attribute by
    attribute; protected records that compete for an original one are alike in many attributes at once, because people
    are.

    Also: a record has one match at most, so the share stays at or below ``largest_share``, or is that with
    ``is_share_known``; with ``is_monotone`` a
    closer level (or agreement on a rarer value) never speaks less for a match (the maximum under that order has a
    closed form: levels out of order are pooled); one prior pair in each class, spread as all pairs are, keeps every
    probability positive; numbers with as many levels borrow 30 matches from their mean m, which steadies what few
    matches tell. A missing value says nothing, or, with ``is_missing_level``, is two levels of its own; an attribute in
    which all pairs have the same level says nothing.

    Six starts (`make_starts`) make 10 iterations each. The one with the largest objective goes on to the end, and so
    does the best of those that are elsewhere by then; the larger objective wins. From then on EM looks ahead
    (`accelerate`). Starts whose matches agree less than the other pairs are passed over, if any other is left.

    *Guarantee* (docs/mathematics.md#em): the objective never falls from one state to the next, what is borrowed held
    fast (it is looked at anew in each). EM has settled when an iteration changes no probability by more than 2e-5, and
    where its last ones lead to is no farther than 3e-4. It has
    ``converged`` when it has settled and the likelihood is not flat there (`_flatness`). Reference: torra2010-owa.txt,
    section 2; Winkler (1988) on EM for record linkage.
    """
    problem = Problem.of(
        patterns,
        agreement,
        largest_share,
        is_monotone=is_monotone,
        is_missing_level=is_missing_level,
        is_share_known=is_share_known,
    )
    if not problem.is_informative.any():
        state = State(problem.prior, problem.prior, FIRST_SHARE * largest_share)
        return _mixture(problem, problem.valued(state), Status.NOTHING, "", ())
    names, first = zip(*make_starts(problem, seed), strict=True)
    trials = _tried(problem, first, threads)
    ends = _Ends.of(problem.on(threads), trials, max_iterations)
    because = _flatness(ends)
    status = Status.FLAT if because else Status.CONVERGED if ends.best.is_settled else Status.UNFINISHED
    starts = tuple(ends.outcome(name, place) for place, name in enumerate(names))
    return _mixture(ends.problem, ends.best, status, because, starts)


def _tried(problem: Problem, first: Sequence[State], threads: int | None) -> list[State]:
    """Make the first iterations of each start, several starts at a time."""
    trials: dict[int, State] = {}

    def work(piece: slice) -> None:
        trials[piece.start] = problem.run(first[piece.start], TRIAL)

    for_chunks(work, len(first), 1, threads=threads)
    return [trials[place] for place in range(len(first))]


@dataclass(frozen=True)
class _Ends:
    """Where the starts ended: ``first`` at the solution, ``second``, the one other that was followed, at ``other``.

    All objectives are those of ``problem``, in which attributes borrow from what the solution has in common.
    """

    problem: Problem
    trials: list[State]
    best: State
    other: State | None
    first: int
    second: int | None

    @classmethod
    def of(cls, problem: Problem, trials: list[State], max_iterations: int) -> _Ends:
        """Follow the best start to its end, and then the best of those that are elsewhere."""

        def left(state: State) -> int:
            return max(max_iterations - state.iterations, 0)

        right = [place for place, state in enumerate(trials) if problem.agrees_more(state)] or list(range(len(trials)))
        first = max(right, key=lambda place: trials[place].objective)
        problem, best = accelerate(problem, trials[first], left(trials[first]), is_borrowing=True)
        trials = [problem.rated(state) for state in trials]
        elsewhere = [place for place in right if place != first and trials[place].apart(best) > MET]
        if not elsewhere:
            return cls(problem, trials, best, None, first, None)
        second = max(elsewhere, key=lambda place: trials[place].objective)
        _, other = accelerate(problem, trials[second], left(trials[second]), until=best)
        if other.objective <= best.objective or other.apart(best) <= MET:
            return cls(problem, trials, best, other, first, second)
        problem, better = accelerate(problem, other, max(left(other), 1), is_borrowing=True)
        trials, best = [problem.rated(state) for state in trials], problem.rated(best)
        return cls(problem, trials, better, best, second, first)

    def outcome(self, name: str, place: int) -> Start:
        """Say how a start ended."""
        followed = {self.first: self.best, self.second: self.other}
        end = followed.get(place) or self.trials[place]
        below = self.best.objective - end.objective
        if place == self.first:
            word = "best"
        elif end.apart(self.best) <= MET:
            word = "met the best"
        elif place == self.second:
            word = f"ended elsewhere, objective {below:.3g} lower"
        else:
            word = f"left after {end.iterations} iterations, objective {below:.3g} lower"
        return Start(name, end.objective, end.iterations, word)


def _flatness(ends: _Ends) -> str:
    """Say why the likelihood does not tell where the solution is; nothing where it does.

    It is flat where another start ended elsewhere with an objective as good; where weights half as large fit as well,
    or half as many matches; and where probabilities can go on as EM does at its end, or go back, until one has changed
    by 0.2, and fit as well: near its end, EM goes where the files tell least (Dempster, Laird and Rubin 1977).
    """
    problem, best, other = ends.problem, ends.best, ends.other
    if other is not None and other.is_settled and best.is_settled and _fits_elsewhere(other, best):
        return "another solution fits as well"
    elsewhere = [("weights half as large", _scaled(best, 0.5))]
    if not problem.is_share_known:
        elsewhere.append(("half as many matches", replace(best, share=best.share / 2.0)))
    elsewhere += [(f"probabilities that differ by {FAR}", state) for state in _along(ends)]
    for what, state in elsewhere:
        if problem.valued(state).log_likelihood >= best.log_likelihood - SAME_FIT:
            return f"{what} fit as well"
    return ""


def _fits_elsewhere(other: State, best: State) -> bool:
    return other.apart(best) > MET and other.objective >= best.objective - SAME_FIT


def _along(ends: _Ends) -> Iterator[State]:
    """Go on as EM does at its end, and back, until a probability of m has changed by 0.2; not where it cannot.

    For that EM makes some more iterations without looking ahead, of which the last counts.
    """
    problem, best = ends.problem, ends.best
    before = after = best
    for _ in range(LAST):
        before, after = after, problem.borrowing(after).step(after)
    share = best.share + (after.share - before.share)
    last = replace(best, m=best.m + (after.m - before.m), u=best.u + (after.u - before.u), share=share)
    for step in (FAR, -FAR):
        state = _towards(problem, best, last, step)
        if np.abs(state.m - best.m).max() >= FAR / 2.0:
            yield state


def _towards(problem: Problem, best: State, other: State, step: float) -> State:
    """Go from the solution towards another state, and on, until a probability of m has changed by ``step``."""
    largest = float(np.abs(other.m - best.m).max())
    factor = step / largest if largest > 0.0 else 0.0
    m, u = (
        shares(np.where(now > 0.0, np.maximum(now + factor * (then - now), 1e-12), 0.0))
        for now, then in ((best.m, other.m), (best.u, other.u))
    )
    share = min(max(best.share + factor * (other.share - best.share), 0.01 * best.share), problem.largest_share)
    return replace(best, m=m, u=u, share=share)


def _scaled(state: State, factor: float) -> State:
    """Multiply all weights by a factor: m in proportion to u (m / u)^factor."""
    with np.errstate(divide="ignore", invalid="ignore"):
        m = np.where(state.u > 0.0, state.u * (state.m / state.u) ** factor, 0.0)
    return replace(state, m=shares(m))


def _mixture(problem: Problem, state: State, status: Status, because: str, starts: tuple[Start, ...]) -> Mixture:
    """Return what was found; levels that take no part are NaN."""
    m, u = (np.where(problem.prior > 0.0, values, np.nan) for values in (state.m, state.u))
    m = np.where(problem.is_informative[:, None], m, u)
    return Mixture(
        m=m,
        u=u,
        weights=_filled(np.log2(m / u), problem.n_graded),
        share=state.share,
        is_informative=tuple(bool(x) for x in problem.is_informative),
        log_likelihood=state.log_likelihood,
        objective=state.objective,
        iterations=state.iterations,
        status=status,
        flat_because=because,
        starts=starts,
        matches=problem.expectation.matches_of_patterns(problem.log_ratio(state), state.share),
    )


def _filled(weights: FloatArray, n_graded: IntArray) -> FloatArray:
    """Give levels that do not occur the weight of the next farther level that does, or else of the next closer one.

    Levels after the graded ones (missing values) that take no part get 0.

    >>> _filled(np.array([[np.nan, 2.0, np.nan, -1.0, np.nan, np.nan]]), np.array([5])).tolist()
    [[2.0, 2.0, -1.0, -1.0, -1.0, 0.0]]
    """
    result = weights.copy()
    for k, n_levels in enumerate(n_graded):
        seen = np.flatnonzero(~np.isnan(weights[k, :n_levels]))
        if seen.size:
            place = np.minimum(np.searchsorted(seen, np.arange(n_levels)), seen.size - 1)
            result[k, :n_levels] = weights[k, seen[place]]
    return np.nan_to_num(result, nan=0.0)

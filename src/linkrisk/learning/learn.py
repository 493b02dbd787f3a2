"""Learning an attacker: the parameters of a family that link the most records, with a proven bound."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.family import Family, is_same_family
from linkrisk.distances.forms import vectors_for
from linkrisk.engine import interrupt
from linkrisk.errors import NotApplicableError, ParameterError
from linkrisk.learning.boxes.aside import BoxRows, put_aside
from linkrisk.learning.boxes.rows import on_rays, rows_on_rays
from linkrisk.learning.boxes.search import BoxResult, BoxSearch
from linkrisk.learning.counting import Counted, Counter
from linkrisk.learning.cover.feasibility import Core, Feasibility
from linkrisk.learning.cover.search import CoverResult, CoverSearch
from linkrisk.learning.large.search import search_large
from linkrisk.learning.learned import Learned
from linkrisk.learning.lines.search import count_clearly, search_along_lines
from linkrisk.learning.lines.walk import Walk
from linkrisk.learning.memory import boxes_fit, sample_that_fits
from linkrisk.learning.problem.contract import check_members
from linkrisk.learning.problem.problem import Problem, make_problem
from linkrisk.learning.problem.record_weights import checked_weights
from linkrisk.learning.problem.sources import ListedRows
from linkrisk.learning.proof.decide import ExactFeasibility
from linkrisk.learning.proof.exact import proven_core
from linkrisk.learning.proof.margins import ExactTheta, Margins
from linkrisk.learning.search import Clock, State, Status, Watcher, watch_nothing
from linkrisk.learning.starts import Start, best_start, starting_points
from linkrisk.linkage.search import nearest
from linkrisk.linkage.ties import DEFAULT_TIES, Ties

MAX_BOX_PARAMETERS = 8
"""Parameters up to which boxes are searched; beyond, covers (measured in docs/decisions/0008)."""

CORES_FIRST, LEAST_CORES = 0.5, 100
"""After this many cores per record, and at least so many, boxes follow a cover search, or weaker families help it."""

BOX_BUDGET, MORE_BOXES = 100_000_000, 2.0
"""Work of boxes (`BoxSearch.spent`) before covers go on, some seconds, and how many times more each time after that."""

MORE_CORES = 4.0
"""How many times more cores may be there each time that covers go on; not more relaxations are solved than that."""

CORES_BEFORE_WALK = 10
"""Cores per record that a cover search may find before better parameters are looked for along lines."""

POLISHING_LINES = 20
"""Better parameters found on the way are polished until this many lines in a row have brought nothing."""

LEAST_LEFT = 1.0
"""Seconds that must be left to look for parameters of weaker families."""

PROVING_SECONDS = 1.0
"""Time to look for exact multipliers of one core that was found in floating point, before it is dropped."""

SETTLING_SECONDS = 0.1
"""Time to look for the most central parameters once the time of a search is over."""

STARTING_SECONDS = 10.0
"""Longest time spent on the best parameters of a weaker family, to start from."""

TIMED_RECORDS = 2000
"""Original records from which on the time that linking takes is measured, to keep it back."""

LINKINGS, FORM_LINKINGS = 2.0, 8.0
"""Times that linking takes which are kept back for counting; more for forms, whose pairs are all compared, twice."""

MIDDLE = 2.0**-40
"""Relative difference up to which parameters are taken for those in the middle."""

FEW_RECORDS = 24
"""Records up to which covers are searched alone: with so few they come to an end, and need no boxes."""

ROUNDED = 1e-9
"""Relative, of links that are sums of worths."""

MAX_RECORDS = 20_000
"""Original records up to which rows of all pairs are made; beyond, only weights of few attributes are learned."""

MANY_RECORDS = 8_000
"""Original records from which on weights of few attributes are learned from samples and bounded by a partition
(`linkrisk.learning.large`), which then proves more in the same time, and needs less memory."""


def learn(
    family: Family,
    comparison: Comparison,
    *,
    ties: Ties | str = DEFAULT_TIES,
    weights: FloatArray | None = None,
    margin: float = 0.0,
    time_limit: float = math.inf,
    seed: int = 0,
    watcher: Watcher = watch_nothing,
    threads: int | None = None,
    starts: Sequence[Start] = (),
    foresees: bool = False,
    least: float = 0.0,
) -> Learned:
    """Find the parameters of a family that link the most records of two files, and prove it.

    ``weights`` say what the original records count (1 each). ``margin`` asks for more than being nearest: the own
    distance must be below (1 - margin) times that of every other. After ``time_limit`` seconds, or Ctrl-C, the best
    found so far is returned with a bound that still holds (all pairs of records are compared first). Where memory does
    not suffice for all people, some are learned from and all are counted (status ``sampled``, and nothing is proven).

    ``starts`` are distances found before on the same people; those that lie in the family are started from, and those
    that are fitted at once (distance_standardised; for forms mahalanobis, too). A search that ends by itself
    finds the same links with the same bound for the same seed, whatever the machine; of several theta that make them
    it may return another where starts from weaker families or along lines took more than their ten seconds.

    ``foresees``: once it is clear that looking at all people, which comes before any search, would leave less than a
    fifth of the time for that, no time is spent on either. Parameters and links are then those of the best start; the
    bound is larger by those who would have been found out to be lost.

    ``least``: where the best start links fewer, nothing is searched, and no bound is looked for either.

    Ties and missing values are those of the comparison and of ``ties``. Cost: seconds for the files of the papers; in
    the worst case it grows exponentially with the number of parameters.

    *Guarantee* (docs/mathematics.md#optimal): no admissible parameters link more than the bound; ``optimal`` says that
    the links reach it. The statement lists what this rests on. (docs/mathematics.md#never-weaker): no start links more,
    with this margin and these ties, even where time is up at once; bilinear_higham, which is repaired, may link less.
    """
    check_learnable(family, comparison, margin)
    if weights is not None:
        weights = checked_weights(weights, comparison.coordinates.own, family.name)
    clock = Clock(time_limit, watcher, foresees=foresees)
    tolerance = max(margin, family.tolerance)
    rule = Ties(ties)
    with interrupt.remembered():
        unsearched = partial(make_problem, family, comparison, rule, weights, tolerance=tolerance, clock=Clock(0.0))
        if len(comparison.coordinates.original) > MANY_RECORDS and _has_few_weights(family, comparison.n_attributes):
            return _learn_large(family, comparison, rule, weights, tolerance, clock, seed, threads, starts)
        if least > 0.0:
            learned = _Learner(unsearched(threads=threads), Clock(0.0), seed, threads, weights, starts).run()
            if learned.links < least:
                return replace(learned, weights=weights, seconds=clock.seconds)
        sample = sample_that_fits(family, comparison, rule, tolerance, seed)
        part = comparison if sample is None else comparison.restrict(sample.rows)
        kept = weights if sample is None or weights is None else weights[sample.rows]
        clock.reserve = _linking_seconds(family, comparison, clock, threads)
        problem = make_problem(family, part, rule, kept, tolerance=tolerance, clock=clock, threads=threads)
        learned = replace(_Learner(problem, clock, seed, threads, kept, starts).run(), weights=kept)
        if sample is None:
            return learned
        found = Start(None, comparison, math.inf, family, learned.theta)
        counted = _Learner(unsearched(threads=threads), Clock(0.0), seed, threads, weights, [*starts, found]).run()
        return replace(counted, weights=weights, status=Status.SAMPLED, seconds=clock.seconds, sample=sample)


def _learn_large(
    family: Family,
    comparison: Comparison,
    ties: Ties,
    weights: FloatArray | None,
    tolerance: float,
    clock: Clock,
    seed: int,
    threads: int | None,
    starts: Sequence[Start],
) -> Learned:
    """Learn from samples of many people, count on all, and bound by a partition of the parameters."""
    clock.reserve = _linking_seconds(family, comparison, clock, threads)
    searched = Clock(0.0) if clock.foresees else clock  # there is hardly time for it where many releases are attacked
    found = search_large(
        family, comparison, ties, weights, tolerance=tolerance, clock=searched, seed=seed, threads=threads
    )
    problem = make_problem(family, comparison, ties, weights, tolerance=tolerance, clock=Clock(0.0), threads=threads)
    known = [*starts, Start(None, comparison, math.inf, family, found.theta)]
    learned = _Learner(problem, Clock(0.0), seed, threads, weights, known).run()
    if found.bound < learned.links * (1.0 - ROUNDED):
        raise ArithmeticError(f"{family.name}: more links than the bound allows; please report this")
    bound = max(learned.links, min(learned.bound, found.bound))
    status = Status.BOUNDED if found.n_leaves else Status.TIME_LIMIT
    if bound == learned.links and found.n_leaves:
        status = Status.OPTIMAL
    elif interrupt.is_pending():
        status = Status.INTERRUPTED
    return replace(learned, weights=weights, bound=bound, status=status, seconds=clock.seconds, partition=found)


def _linking_seconds(family: Family, comparison: Comparison, clock: Clock, threads: int | None) -> float:
    """Return the time to keep back for counting at the end, measured where files are large and time is limited."""
    if math.isinf(clock.limit) or len(comparison.coordinates.original) < TIMED_RECORDS:
        return 0.0
    if family.is_signed:
        comparison, *_ = vectors_for(comparison, family.name)
    parameters = family.parameter_set(comparison.n_attributes)
    before = clock.seconds
    nearest(family.distance(parameters.interior, comparison), threads=threads)
    linkings = FORM_LINKINGS if family.is_signed else LINKINGS
    return min(linkings * (clock.seconds - before), 0.5 * clock.limit)


def check_learnable(family: Family, comparison: Comparison, margin: float = 0.0) -> None:
    """Raise where a family cannot be learned on a comparison, with a margin."""
    check_members(family)
    if not 0.0 <= margin < 1.0:
        raise ParameterError(f"{family.name}: margin must be a number from 0 to below 1")
    if margin > 0.0 and family.tolerance == 0.0:
        raise ParameterError(
            f"{family.name}: a share of distances that can be negative is no margin; leave out one of the two"
        )
    if len(comparison.coordinates.original) > MAX_RECORDS and not _has_few_weights(family, comparison.n_attributes):
        raise NotApplicableError(
            f"{family.name} is learned on at most {MAX_RECORDS:,} original records; play a scenario with a share of "
            "the people, or give its parameters"
        )


def _has_few_weights(family: Family, n_attributes: int) -> bool:
    """Whether parameters are weights, and so few that boxes of them can be searched."""
    return family.is_boxed and family.parameter_set(n_attributes).n_parameters <= MAX_BOX_PARAMETERS


@dataclass(frozen=True)
class _Outcome:
    """How the engines ended: parameters said to link ``linked``, of worth ``links``; no others exceed ``bound``.

    ``wholes``, where they are given, link these records exactly; otherwise ``theta`` does, up to rounding and a step
    inside the set. Worths are in units of the problem's.
    """

    theta: FloatArray
    wholes: tuple[int, ...] | None
    linked: BoolArray
    links: int
    bound: int
    status: Status
    proof: BoxResult | CoverResult | None


class _Learner:
    """Runs the engines on a problem and counts what they found."""

    def __init__(
        self,
        problem: Problem,
        clock: Clock,
        seed: int,
        threads: int | None,
        weights: FloatArray | None = None,
        starts: Sequence[Start] = (),
    ) -> None:
        self.problem = problem
        self.worths = problem.worths
        self.starts = starting_points(problem, starts)
        here = [start for start in starts if not math.isinf(start.links)]  # others were learned on other releases
        self.known = [start.family for start in here if start.family is not None]
        self.best_start: Counted | None = None
        self.weights = weights
        self.clock = clock
        self.seed = seed
        self.threads = threads
        self.feasibility = Feasibility(problem.source, problem.parameters, is_nonnegative=problem.family.is_nonnegative)
        self.margins = Margins(problem)
        self.exact = ExactFeasibility(self.margins, self.feasibility)
        self.counter = Counter(problem, self.feasibility, self.margins, threads)
        self.cover: CoverResult | None = None
        self.search: CoverSearch | None = None

    def run(self) -> Learned:
        is_stopped = interrupt.is_pending()
        with interrupt.set_aside():
            self.best_start = best_start(self.starts, self.counter, is_stopped=is_stopped)
        outcome = self._search()
        counted = self._counted_start() or self._better(self._counted(outcome))
        if counted.links < outcome.links:
            outcome, counted = self._without_rounding(outcome, counted)
            counted = self._better(counted)
        if self.problem.family.is_repaired:
            counted = self._counted(outcome, is_repaired=True)
        status, bound = outcome.status, outcome.bound
        if counted.links > bound:
            raise ArithmeticError(f"{self.problem.family.name}: more links than the bound allows; please report this")
        if counted.links == bound:
            status = Status.OPTIMAL  # however the search ended
        elif status is Status.OPTIMAL:
            status = Status.REPAIRED if self.problem.family.is_repaired else Status.UNSETTLED
        return Learned(
            family=self.problem.family,
            theta=counted.theta,
            wholes=counted.wholes,
            links=self.worths.value(counted.links),
            bound=self.worths.value(bound),
            status=status,
            seconds=self.clock.seconds,
            problem=self.problem,
            proof=outcome.proof,
            distance=counted.distance,
            linkage=self.counter.linkage(counted),
            is_linked=self.counter.among_all(counted.linked),
            feasibility=self.feasibility,
            cover=self.cover,
        )

    def _counted_start(self) -> Counted | None:
        """Return the best start where nothing was searched and it is no worse than the middle of all parameters.

        That is known where the middle is among the starts, up to a factor: none of them links more than the best.
        """
        middle = self.problem.parameters.interior
        if self.problem.n_unseen == 0 or not self.problem.family.is_boxed or not middle.sum() > 0.0:
            return None
        shares = [point.theta / point.theta.sum() for point in self.starts if point.theta.sum() > 0.0]
        is_there = any(np.allclose(share, middle / middle.sum(), rtol=MIDDLE, atol=0.0) for share in shares)
        return self.best_start if is_there else None

    def _better(self, counted: Counted) -> Counted:
        """Return what was counted, or the best start where that links more."""
        start = self.best_start
        return counted if start is None or start.links <= counted.links else start

    def _counted(self, outcome: _Outcome, *, is_repaired: bool = False) -> Counted:
        """Count what an outcome links, exactly, at the most central point that links as much."""
        clock = self._short_clock() if self.clock.left > LEAST_LEFT else Clock(SETTLING_SECONDS)
        count = self.counter.most_central_repaired if is_repaired else self.counter.most_central
        with interrupt.set_aside():
            return count(outcome.theta, outcome.links, clock)

    def _search(self) -> _Outcome:
        """Let the engines work: a cover where few records are in doubt; where parameters are few, boxes take turns."""
        theta = self.problem.parameters.interior
        if self.problem.n_unseen:
            nobody = np.zeros(len(self.problem.records), dtype=bool)
            status = self.clock.must_stop() or Status.TIME_LIMIT
            return _Outcome(theta, None, nobody, 0, self.worths.total, status, None)
        linked = self.counter.linked(theta)
        if linked.all():
            total = self.worths.total
            return _Outcome(theta, None, linked, total, total, Status.OPTIMAL, None)
        if not self._can_search_boxes:
            return self._outcome_of(self._search_cover())
        first = self._search_cover(max_cores=max(LEAST_CORES, CORES_FIRST * len(self.problem.records)))
        if first.status in {Status.OPTIMAL, Status.INTERRUPTED, Status.TIME_LIMIT}:
            return self._outcome_of(first)
        return self._share(first)

    @property
    def _can_search_boxes(self) -> bool:
        """Whether boxes may be searched, and are worth it; sums of worths must be exact in floating point."""
        rays = self.problem.parameters.rays
        return (
            self.problem.family.is_boxed
            and isinstance(self.problem.source, ListedRows)
            and rays is not None
            and len(rays) <= MAX_BOX_PARAMETERS
            and len(self.problem.records) > FEW_RECORDS
            and self.worths.is_exact
            and boxes_fit(len(self.problem.source.lengths), len(rays))
        )

    @staticmethod
    def _outcome_of(cover: CoverResult) -> _Outcome:
        return _Outcome(cover.theta, cover.wholes, cover.linked, cover.links, cover.bound, cover.status, cover)

    def _search_cover(self, max_cores: float = math.inf) -> CoverResult:
        search = self._make_search()
        for point in self.starts:
            search.offer(point.theta)
        if self.best_start is not None:
            theta = self.best_start.theta
            search.accept(theta, self.best_start.wholes or ExactTheta.of(theta).wholes, self.best_start.linked)
        n_records = len(self.problem.records)
        stages: list[tuple[float, Callable[[CoverSearch], None]]] = []
        if self.problem.family.weaker():
            stages.append((max(LEAST_CORES, CORES_FIRST * n_records), self._offer_weaker))
        stages.append((CORES_BEFORE_WALK * n_records, self._offer_walk))
        for n_cores, help_along in stages:
            search.max_cores = min(n_cores, max_cores)
            self.cover = search.run()
            if not search.has_many_cores or n_cores >= max_cores or self.clock.must_stop() is not None:
                return self.cover
            help_along(search)
        search.max_cores = max_cores
        self.cover = search.run()
        return self.cover

    def _make_search(self) -> CoverSearch:
        """Return a search for covers, which is kept: later ones go on with it."""
        if self.search is None:
            self.search = CoverSearch(
                self.problem, self.feasibility, self.clock, seed=self.seed, check=self._proven, decide=self._decide
            )
        return self.search

    def _proven(self, core: Core) -> Core | None:
        """Return a core with multipliers that prove it exactly, or None."""
        found = proven_core(core, self.margins.rows, self.feasibility)
        return found or self.exact.proven(core, Clock(min(self.clock.left, PROVING_SECONDS)))

    def _decide(self, chosen: BoolArray) -> tuple[int, ...] | Core | None:
        """Return exact parameters that link these records, or a core of them; None if time is up."""
        found = self.exact.decide(chosen, self.clock)
        return found.wholes if isinstance(found, ExactTheta) else found

    def _without_rounding(self, outcome: _Outcome, counted: Counted) -> tuple[_Outcome, Counted]:
        """Find out exactly what is true of an outcome whose parameters, as floats, link less than they should.

        There may be parameters, but none that floats can hold; or rounding made the engines believe too much. Then the
        search for covers goes on, and counts everything exactly.
        """
        found = self._decide(outcome.linked)
        if found is None or isinstance(found, Core):
            if self.clock.must_stop() is not None:
                return replace(outcome, status=self.clock.must_stop() or outcome.status), counted
            outcome = self._sharper(self._search_carefully(counted), replace(outcome, links=0))
            if outcome.wholes is None:
                return outcome, counted if counted.links == outcome.links else self._counted(outcome)
            found = outcome.wholes
        return outcome, self.counter.count_exact(found)

    def _search_carefully(self, counted: Counted) -> _Outcome:
        """Go on with the search for covers from what was counted exactly; nothing else is believed any more."""
        search = self._make_search()
        search.restart_from(counted.theta, counted.linked, self.counter.count_carefully)
        search.max_cores = math.inf
        self.cover = search.run()
        return self._outcome_of(self.cover)

    def _offer_walk(self, search: CoverSearch) -> None:
        """Offer a search what a walk along lines finds, and let it go on from every better theta."""
        walk = Walk(self.problem, self.feasibility, np.random.default_rng(self.seed))
        for theta in (search.theta, self.problem.parameters.interior):
            search.offer(walk.improve(theta, self._short_clock()).theta)
        search.polish = lambda theta: walk.improve(theta, self._short_clock(), POLISHING_LINES).theta

    def _short_clock(self) -> Clock:
        """Return a clock for work that helps the search: a tenth of the time left, some seconds at most."""
        return Clock(min(0.1 * self.clock.left, STARTING_SECONDS))

    def _offer_weaker(self, search: CoverSearch) -> None:
        """Offer the best parameters of weaker families, turned into parameters of this one; each gets a short time."""
        problem = self.problem
        for family, embedding in problem.family.weaker():
            is_known = any(is_same_family(family, known) for known in self.known)
            if is_known or self.clock.left < LEAST_LEFT:
                continue
            tolerance = problem.tolerance or family.tolerance
            clock = self._short_clock()
            weaker = make_problem(
                family,
                problem.comparison,
                problem.ties,
                self.weights,
                tolerance=tolerance,
                clock=clock,
                threads=self.threads,
            )
            learner = _Learner(weaker, clock, self.seed, self.threads, self.weights)
            search.offer(embedding(learner.run().theta))

    def _share(self, cover: CoverResult) -> _Outcome:
        """Let boxes and covers take turns, from what a search for covers and lines from there have found.

        Boxes are quick where many records are in doubt, but around a corner of the set they may go on for ever; covers
        come to an end there. Each goes on where it stopped, a few times longer, with the best that the other found, and
        ends where it links what the other has proven to be the most. Budgets are counted in work, not in seconds.
        """
        boxes, rows = self._make_boxes(cover)
        budget = BOX_BUDGET
        while True:
            result = boxes.run(self.threads, budget=budget, enough=cover.bound)
            found = self._outcome_of_boxes(result, rows, cover)
            if found.links >= found.bound:
                return found
            if (stopped := self.clock.must_stop()) is not None:
                return replace(found, status=stopped)
            if result.is_over:
                return self._search_on(found)
            cover = self._go_on_with_cover(found)
            if cover.status is Status.OPTIMAL:
                return self._outcome_of(cover)
            if cover.status is not Status.UNSETTLED:
                return self._sharper(self._outcome_of(cover), found)
            boxes.offer(rows.without(on_rays(self.problem, cover.theta)))
            budget = round(MORE_BOXES * budget)

    def _make_boxes(self, cover: CoverResult) -> tuple[BoxSearch, BoxRows]:
        """Return a search of boxes from the best that lines find, and its rows."""
        rows = put_aside(*rows_on_rays(self.problem))
        start = rows.without(on_rays(self.problem, cover.theta))
        point = search_along_lines(rows.rows, theta=start, seed=self.seed, clock=self.clock)
        boxes = BoxSearch(
            rows.rows,
            incumbent_theta=point.theta,
            incumbent_links=point.links,
            clock=replace(self.clock, watcher=self._watch_boxes),
            errors=rows.errors,
            seed=self.seed,
        )
        return boxes, rows

    def _watch_boxes(self, state: State) -> None:
        """Hand on what a search of boxes tells, which counts in units of the problem's."""
        unit = float(self.worths.unit)
        self.clock.watcher(replace(state, best=unit * state.best, bound=unit * state.bound))

    def _outcome_of_boxes(self, boxes: BoxResult, rows: BoxRows, cover: CoverResult) -> _Outcome:
        """Return what boxes found, with the lower of their bound and that of covers, and its proof."""
        theta, linked = self._from_rays(rows.with_aside(boxes.theta)), count_clearly(rows.rows, boxes.theta)
        links, bound = round(boxes.links), math.floor(boxes.bound)
        found = _Outcome(theta, None, linked, links, bound, boxes.status, boxes)
        return self._sharper(found, replace(found, bound=cover.bound, proof=cover))

    @staticmethod
    def _sharper(found: _Outcome, other: _Outcome) -> _Outcome:
        """Return what was found, or what links more, with the lower bound of the two and its proof."""
        best = found if found.links >= other.links else other
        proven = found if found.bound <= other.bound else other
        return replace(best, bound=max(proven.bound, best.links), proof=proven.proof, status=found.status)

    def _go_on_with_cover(self, found: _Outcome) -> CoverResult:
        """Let the search for covers go on for a while, from the best that boxes found."""
        search = self._make_search()
        search.offer(found.theta)
        if len(search.cores) > CORES_BEFORE_WALK * len(self.problem.records) and search.polish is None:
            self._offer_walk(search)
        search.max_cores = search.max_rounds = MORE_CORES * max(search.max_cores, len(search.cores))
        search.enough = found.bound
        self.cover = search.run()
        search.max_rounds = search.enough = math.inf
        return self.cover

    def _search_on(self, boxes: _Outcome) -> _Outcome:
        """Go on with the search for covers, which decides without rounding, where boxes have come to no end."""
        search = self._make_search()
        search.offer(boxes.theta)
        search.max_cores = math.inf
        search.clock = Clock(min(self.clock.left, max(self.clock.seconds, STARTING_SECONDS)), self.clock.watcher)
        self.cover = search.run()
        search.clock = self.clock
        found = self._outcome_of(self.cover)
        if found.status is Status.OPTIMAL:
            return found
        return self._sharper(replace(found, status=self.clock.must_stop() or Status.UNSETTLED), boxes)

    def _from_rays(self, shares: FloatArray) -> FloatArray:
        rays = self.problem.parameters.rays
        if rays is None:
            raise AssertionError("boxes are searched where there are rays")
        return np.asarray(shares @ rays)

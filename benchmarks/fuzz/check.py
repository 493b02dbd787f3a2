"""Holding what linkrisk says of an instance against the exact judge."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from tests.oracle.judge import Case, Judgement, judge

from benchmarks.fuzz.case import make_case, repaired_case
from benchmarks.fuzz.instance import Instance
from linkrisk.differences import Comparison
from linkrisk.errors import LinkriskError
from linkrisk.learning.learn import learn
from linkrisk.learning.learned import Learned
from linkrisk.learning.proof.certificate import make_certificate
from linkrisk.learning.search import Status
from linkrisk.verifier import check_certificate

TIME_LIMIT = 20.0
"""Seconds for learning one instance."""

JUDGING_SECONDS = 3.0
"""Seconds after which the judge leaves an instance undecided."""

ZEROS = "0" * 64


@dataclass(frozen=True)
class Problem:
    """Something that must not be: ``what`` is one of `WRONG`, crashed, unsettled or overrun."""

    what: str
    detail: str


WRONG = (
    "optimum",  # called optimal and is not, or more links than can be made
    "bound",  # a bound below what can be made
    "theta",  # the parameters reported do not link the records reported
    "inadmissible",
    "sum",  # the links are not the rounded worth of the records linked
    "certificate",  # rejected by the verifier
    "false_certificate",  # accepted, and says what is not so
    "linkage",
    "law",
    "engines",
    "judge",  # the judge could not work on what was compared, or is wrong itself
)
"""Problems that make a statement of linkrisk false."""


@dataclass
class Outcome:
    """What came of one instance; seconds of learner and judge apart."""

    problems: list[Problem] = field(default_factory=list)
    status: str = ""
    is_undecided: bool = False
    is_refused: bool = False
    learning: float = 0.0
    judging: float = 0.0

    @property
    def signature(self) -> tuple[str, ...]:
        """What is wrong, without figures."""
        return tuple(sorted({problem.what for problem in self.problems}))

    def add(self, what: str, detail: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(what, detail))


def check(instance: Instance, *, has_certificate: bool = False, time_limit: float = TIME_LIMIT) -> Outcome:
    """Learn an instance and hold everything that is said of it against the judge."""
    outcome = Outcome()
    try:
        with np.errstate(all="ignore"):
            comparison = instance.comparison()
            learned = _learned(instance, comparison, outcome, time_limit)
    except LinkriskError as refusal:
        outcome.is_refused, outcome.status = True, f"refused: {refusal}"
        return outcome
    except Exception as crash:
        outcome.add("crashed", f"{type(crash).__name__}: {crash}")
        return outcome
    try:
        _judge(instance, comparison, learned, outcome, has_certificate=has_certificate)
    except (AssertionError, ArithmeticError, ValueError) as fault:
        outcome.add("judge", f"{type(fault).__name__}: {fault}")
    return outcome


def _judge(
    instance: Instance, comparison: Comparison, learned: Learned, outcome: Outcome, *, has_certificate: bool
) -> None:
    """Judge what was learned."""
    started = time.perf_counter()
    case = make_case(instance, comparison)
    theta = learned.theta.tolist() if learned.wholes is None else list(learned.wholes)
    judgement = judge(case, [theta] if _are_finite(theta) else [], JUDGING_SECONDS)
    outcome.judging = time.perf_counter() - started
    outcome.is_undecided = not judgement.is_decided
    outcome.status = str(learned.status)
    for problem in (*_claims(learned, case, judgement), *_parameters(instance, learned, case, theta)):
        outcome.problems.append(problem)
    if has_certificate:
        _check_certificate(learned, judgement, outcome)


def _learned(instance: Instance, comparison: Comparison, outcome: Outcome, time_limit: float) -> Learned:
    weights = None if instance.weights is None else np.array(instance.weights)
    started = time.perf_counter()
    learned = learn(
        instance.learned_family(),
        comparison,
        ties=instance.ties,
        weights=weights,
        margin=instance.margin,
        time_limit=time_limit,
        threads=1,
    )
    outcome.learning = time.perf_counter() - started
    if outcome.learning > 1.1 * time_limit + 0.5:
        outcome.add("overrun", f"{outcome.learning:.1f} s instead of {time_limit:g} s")
    return learned


def _are_finite(theta: list[float] | list[int]) -> bool:
    """Whether parameters are finite; whole numbers are, also those beyond floats."""
    return all(isinstance(value, int) or math.isfinite(value) for value in theta)


def is_below(value: float, other: float) -> bool:
    """Tell whether a sum is below another by more than the last bits."""
    return value < other * (1.0 - 2.0**-51)


def _claims(learned: Learned, case: Case, judgement: Judgement) -> Iterator[Problem]:
    """Hold links, bound and status against the optimum."""
    lower, upper = float(judgement.lower), float(judgement.upper)
    told = f"{learned.links!r} links, bound {learned.bound!r}, {learned.status}; exactly {lower!r}"
    if not judgement.is_decided:
        told += f" to {upper!r}"
    worth = sum((case.worth(i) for i in np.flatnonzero(learned.is_linked).tolist()), Fraction(0))
    slip = abs(learned.links - float(worth))
    if slip:
        yield Problem("sum", f"{told}; the records linked are worth {float(worth)!r}")
    elif learned.bound < lower and not is_below(learned.bound, lower):
        yield Problem("sum", told)
    if learned.status is Status.UNSETTLED:
        yield Problem("unsettled", told)
    is_claimed = learned.status is Status.OPTIMAL and not learned.family.is_repaired
    if worth > judgement.upper or (is_claimed and worth < judgement.lower):
        yield Problem("optimum", told)
    if is_below(learned.bound + slip, lower) or (learned.status is Status.OPTIMAL and learned.bound != learned.links):
        yield Problem("bound", told)
    if learned.status is Status.REPAIRED and learned.bound > upper * (1.0 + 1e-12):
        yield Problem("unsettled", told)


def _parameters(instance: Instance, learned: Learned, case: Case, theta: list[float]) -> Iterator[Problem]:
    """Count what the reported parameters link, and whether they are admissible."""
    if not _are_finite(theta):
        yield Problem("inadmissible", f"theta {theta} is not finite")
        return
    is_repaired = instance.family == "bilinear_higham"
    if not is_repaired and not case.is_admissible(theta):
        yield Problem("inadmissible", f"theta {theta}")
    counted = (repaired_case(case) if is_repaired else case).linked(theta)
    claimed = np.flatnonzero(learned.is_linked).tolist()
    if counted != claimed:
        yield Problem("theta", f"theta {theta} links {counted}, said {claimed}")


def _check_certificate(learned: Learned, judgement: Judgement, outcome: Outcome) -> None:
    """Let the verifier accept the certificate, and see that it claims nothing false."""
    try:
        made = make_certificate(learned, original_digest=ZEROS, protected_digest=ZEROS, time_limit=TIME_LIMIT)
        certificate = json.loads(json.dumps(made, allow_nan=False))
        verdict = check_certificate(certificate, learned.problem.comparison)
    except Exception as crash:
        outcome.add("crashed", f"certificate: {type(crash).__name__}: {crash}")
        return
    lower, upper = float(judgement.lower), float(judgement.upper)
    if not verdict:
        outcome.add("certificate", verdict.reason)
    elif is_below(certificate["bound"], lower) or is_below(upper, certificate["links"]):
        outcome.add("false_certificate", f"{verdict.reason}; exactly {lower!r}")

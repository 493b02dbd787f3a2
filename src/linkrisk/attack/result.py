"""What one attack found; nothing of a single record, except in `RecordAttack`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray, IntArray
from linkrisk.attack.claims import Claim
from linkrisk.attack.course import CoursePoint
from linkrisk.attack.disclosure import Disclosure
from linkrisk.distances.family import Family
from linkrisk.learning.explanation.carriers import Carrier
from linkrisk.learning.learned import Learned
from linkrisk.linkage.ties import Ties


class Way(StrEnum):
    """How an intruder links who knows that each protected record is one person.

    ``assignment``: all records at once, each protected record once, at the least total distance (or with the most
    expected links, where probabilities are known). ``posterior``: each person to the record that is most likely theirs,
    by the probabilities over all one-to-one matchings.
    """

    ASSIGNMENT = "assignment"
    POSTERIOR = "posterior"


@dataclass(frozen=True)
class OneToOne:
    """Links of an intruder who knows that each protected record is one person.

    ``by_way`` holds the links by tie rule of each way that was tried, and ``way`` is the one with the most by the rule
    that counts. ``gap`` bounds how far the assignment's total is from the best. ``status`` tells whether the
    probabilities were found: ``"converged"``, ``"not converged"``, or ``"no likelihood"`` for distances that have none.
    """

    by_way: Mapping[Way, Mapping[Ties, float]]
    way: Way
    gap: float
    status: str

    @classmethod
    def of(cls, by_way: Mapping[Way, Mapping[Ties, float]], ties: Ties, gap: float, status: str) -> OneToOne:
        """Return the result whose best way is that with the most links by a tie rule; of equals the first."""
        return cls(by_way, max(by_way, key=lambda way: by_way[way][ties]), gap, status)

    @property
    def links(self) -> Mapping[Ties, float]:
        """Links of the best way, by tie rule."""
        return self.by_way[self.way]


@dataclass(frozen=True)
class CeilingResult:
    """Expected links of the best intruder there can be, ``bayes``, if the release was made as ``model`` says.

    ``methods`` names the methods of the model alone.

    ``links`` is from above and ``lower`` from below, with Monte Carlo standard error ``error``; see
    `linkrisk.linkage.matching.bayes.Ceiling`. Attackers fitted to the true pairs may exceed it.
    """

    links: float
    lower: float
    error: float
    is_converged: bool
    model: str
    methods: str


@dataclass(frozen=True)
class Holdout:
    """Rates of an attacker learned on some of the true pairs: on those (``training``) and on the others (``testing``).

    ``share`` of the pairs was held out, once for each rate; the candidates were all protected records
    (``pool="all"``) or those of the test records (``pool="test"``).
    """

    share: float
    pool: str
    training: tuple[float, ...]
    testing: tuple[float, ...]

    @property
    def rate(self) -> float:
        """Mean rate on held-out records."""
        return float(np.mean(self.testing))

    @property
    def spread(self) -> float:
        """Standard deviation of the rates on held-out records (0 for a single one)."""
        return float(np.std(self.testing, ddof=1)) if len(self.testing) > 1 else 0.0


@dataclass(frozen=True)
class Explanation:
    """What a learned attacker depends on.

    ``ranges`` give the least and the largest value of each parameter among those with the same links (NaN where time
    ran out, see `linkrisk.learning.explanation.ranges`); ``carriers`` tell for each attribute whether links are lost
    without it.
    """

    ranges: Mapping[str, tuple[float, float]]
    carriers: tuple[Carrier, ...]


@dataclass(frozen=True)
class AttackResult:
    """One attacker on one scale.

    ``label`` is his name, with what tells him apart from others of that name. ``links`` are by tie rule, and ``ties``
    is the rule that counts; ``n_pairs`` people could be found; ``chance`` is the number of links of an intruder who
    guesses blindly. ``interval`` is None for an attacker fitted to the records he attacks. For learned attackers
    ``bound`` is a number of links (by the tie rule asked for) that cannot be exceeded, ``status`` tells how the search
    ended (see `linkrisk.learning.search.Status`; for others it is ``"evaluated"``), and ``meaning`` is what the
    parameters say about the attributes. ``holdout`` is what the same kind of attacker finds among people he was not
    fitted to; ``explanation`` is there if it was asked for. Of an attacker who knows the method ``certain`` counts the
    people whose protected record can be nobody else's, and ``ceiling`` bounds every intruder, where that is known.
    ``course`` tells how the search for the best parameters closed in; its times differ from run to run.
    """

    name: str
    label: str
    scale: str
    links: Mapping[Ties, float]
    n_pairs: int
    chance: float
    has_true_pairs: bool
    interval: tuple[float, float] | None
    seconds: float
    claims: tuple[Claim, ...]
    ties: Ties
    disclosures: tuple[Disclosure, ...] = ()
    one_to_one: OneToOne | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    bound: float | None = None
    holdout: Holdout | None = None
    meaning: Mapping[str, object] = field(default_factory=dict)
    status: str = "evaluated"
    explanation: Explanation | None = None
    certain: int | None = None
    ceiling: CeilingResult | None = None
    course: tuple[CoursePoint, ...] = field(default=(), compare=False)

    def found(self, ties: Ties | str | None = None) -> float:
        """Links by the better of his two ways: each record's nearest, or one to one where that was worked out.

        The tie rule is that of the attack unless another one is given.
        """
        rule = self.ties if ties is None else Ties(ties)
        return max(self.links[rule], 0.0 if self.one_to_one is None else self.one_to_one.links[rule])

    def rate(self, ties: Ties | str | None = None) -> float:
        """Links over the people that could be found."""
        return self.found(ties) / self.n_pairs

    @property
    def bayes(self) -> float | None:
        """Share of the people that any intruder without true pairs can expect; None where that is not known.

        That of chains which do not agree is not known.
        """
        is_known = self.ceiling is not None and self.ceiling.is_converged
        return self.ceiling.links / self.n_pairs if self.ceiling is not None and is_known else None


def strength(attack: AttackResult, ties: Ties) -> tuple[float, float, bool, float]:
    """Return by what attacks are compared: links, expected links, whether no true pairs are used, links to the nearest.

    Where every record has a twin nobody makes a unique link: then expected ones tell who is strongest.
    """
    return attack.found(ties), attack.found(Ties.EXPECTED), not attack.has_true_pairs, attack.links[ties]


def strongest_attack(attacks: Iterable[AttackResult], ties: Ties) -> AttackResult | None:
    """Return the attack with most links by a tie rule; of equals that with most expected ones; None of none."""
    return max(attacks, key=lambda attack: strength(attack, ties), default=None)


@dataclass(frozen=True, eq=False, repr=False)
class RecordAttack:
    """What one attacker on one scale does to each record.

    ``label`` is that of his `AttackResult`. ``margin`` is (nearest other - own) / (the larger of the two): 1 for an own
    distance of 0, 0 for a tie, negative for a record beaten by another; NaN without counterpart. ``found`` is how
    likely the record is found, by the tie rule of the attack and by the better of the attacker's two ways: its sum is
    `AttackResult.found`.
    """

    label: str
    scale: str
    is_linked: BoolArray
    margin: FloatArray
    tied: IntArray
    twins: IntArray
    found: FloatArray
    rank: IntArray | None = None


@dataclass(frozen=True)
class Proof:
    """The certificate of what was learned, as the contents of a file of some name; without name there is none.

    ``notes`` are for the reader of the assessment. It is confidential.
    """

    name: str
    contents: bytes = field(repr=False)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class LearnedParameters:
    """Parameters in a family that were learned, and their links by the tie rule of the run; confidential.

    ``n_unseen`` people were not looked at, for want of time; then nothing was searched.
    """

    family: Family
    theta: FloatArray
    links: float
    n_unseen: int = 0

    @classmethod
    def of(cls, learned: Learned) -> LearnedParameters:
        """Take from all that was learned what others can start from."""
        return cls(learned.family, learned.theta, learned.links, learned.problem.n_unseen)


@dataclass(frozen=True, eq=False, repr=False)
class Attack:
    """One attack made: its result, what it does to each record, what was learned, and its proof if it was asked for."""

    result: AttackResult
    record: RecordAttack
    learned: LearnedParameters | None = None
    proof: Proof | None = None

"""Probabilistic record linkage (Fellegi and Sunter): rare agreements weigh more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from linkrisk.attackers.attacker import Attacker
from linkrisk.differences.comparison import Comparison
from linkrisk.distances.distance import Distance
from linkrisk.distances.parameters import is_number, is_whole_number
from linkrisk.distances.probabilistic.agreement import MAX_LEVELS
from linkrisk.distances.probabilistic.probabilistic import (
    MATCHES,
    MISSING,
    UNITS,
    VALUES,
    AgreementDistance,
    agreement_distance,
    check_agreement,
)
from linkrisk.errors import ParameterError
from linkrisk.linkage.linkage import Linkage
from linkrisk.linkage.probabilistic import with_comparison, with_pair_classes


@dataclass(eq=False)
class Probabilistic(Attacker):
    """The intruder who weighs agreements by how rare they are among strangers (Fellegi and Sunter).

    He sees both files and knows no true pair. Each attribute of a pair is at a level of agreement (equal, within a
    tolerance, ..., different; see `make_agreement`). EM tells him how probable each level is among matches, m, and
    among other pairs, u; attributes are taken as independent in each class (`fit_mixture`). With r = 2^(sum over k of
    log2(m_k / u_k)) for a pair, the probability that protected record j was made of original record i is

    P(i | j) = r_ij / (none / share + sum of r_hj over all original records h),

    where share is that of matches among all pairs and none = 1 - N . share the chance that j belongs to nobody in the
    original file. He links record i to the j of the largest P(i | j):

    distance = largest possible weight - log2 P(i | j), in bits.

    Parameters
    ----------
    levels
        Number of tolerances for a number besides equality, 0 to 12; with 0, all kinds are compared for equality alone,
        as in the papers. Protected numbers are hardly ever equal to the original ones, so by default there are 12.
    tolerances
        Tolerances of some attributes instead, in rising order: standard deviations of the scale (numbers, dates),
        categories (ordinal), 1 - Jaro-Winkler (text).
    values
        ``"frequency"``: agreement on a rare value of a nominal attribute is another level than agreement on a frequent
        one, each with an m and a u: every value has its own up to 13 frequencies, more are put into 13 classes
        (`make_value_classes`; Fellegi and Sunter 1969, section 3; Winkler 1989). ``"alike"``: values agree or not.
    unit
        ``"protected"``: EM takes the pairs of a protected record together, for which the original ones compete, and so
        do links, as above. ``"original"``: the pairs of an original record, for which the protected ones compete;
        ``"pair"``: each pair on its own. With these two he links to the largest weight, log2 r, as Fellegi and Sunter
        do. The first finds far more (docs/decisions/0009).
    matches
        ``"learned"``: EM learns the share of matches, up to one for each record of the longer file; ``"all"``: he knows
        that everybody in the shorter file is in the other.
    missing
        ``"ignored"``: a value missing on either side says nothing (weight 0); ``"level"``: missing on one side, and on
        both, are levels with an m and a u.
    monotone
        A closer level, or agreement on a rarer value, never weighs less than a farther, or more frequent, one.
    false_positive, false_negative
        Error rates for claims: the share of unrelated pairs claimed as links (by default 0.05 over the number of
        protected records: 5 wrong claims for 100 people), and of matches dismissed as non-links. They do not change who
        is linked; they decide which links he would claim (`linkrisk.distances.probabilistic.decision.decide`).
    seed
        Seed of the starts of EM, and of the records it learns from where there are many; that of the run, or 0.
    threads
        Cores to use; all by default.

    Whether EM converged, stopped where the likelihood is flat, or ran out of iterations is among his parameters
    (``status``, ``starts``) and, unless it converged, in a note. Another note tells where he links fewer than `mean`.

    Ties: two pairs are tied if their levels, and what other originals make of the protected record, add up to the same,
    whatever their differences are; twins are told by the differences, as for every attacker. An attribute in which all
    pairs are at one level gets weight 0, with a note. Missing values: as ``missing`` says. Cost: all pairs are
    compared, twice where originals compete; EM learns from 2 million pairs, or ten records for each probability that is
    free, up to 10 million pairs (400 records at least).
    Reference: torra2010-owa.txt, section 2; abril2012-weights.txt, section 2.

    >>> import numpy as np
    >>> from linkrisk.differences import make_comparison
    >>> from linkrisk.data import pair_files
    >>> from linkrisk.linkage.search import nearest
    >>> people = np.random.default_rng(1).normal(size=(50, 3))
    >>> distance = Probabilistic().distance(make_comparison(pair_files(people, people)))
    >>> nearest(distance).links()
    50.0
    """

    levels: int = MAX_LEVELS
    tolerances: Mapping[str, Sequence[float]] | None = None
    values: str = "frequency"
    unit: str = "protected"
    matches: str = "learned"
    missing: str = "ignored"
    monotone: bool = True
    false_positive: float | None = None
    false_negative: float = 0.05
    seed: int | None = None
    threads: int | None = None

    name: ClassVar[str] = "probabilistic"
    knows: ClassVar[str] = "He weighs agreements by how rare they are among strangers."
    is_start: ClassVar[bool] = False
    CHOICES: ClassVar[Mapping[str, Sequence[str]]] = {
        "values": VALUES,
        "unit": UNITS,
        "matches": MATCHES,
        "missing": MISSING,
    }

    def check_parameters(self) -> None:
        """Raise where a parameter is out of its range."""
        if not is_whole_number(self.levels) or not 0 <= self.levels <= MAX_LEVELS:
            raise ParameterError(f"probabilistic: levels must be a whole number from 0 to {MAX_LEVELS}")
        for key, choices in self.CHOICES.items():
            if getattr(self, key) not in choices:
                raise ParameterError(f"probabilistic: {key} must be {' or '.join(choices)}")
        if not isinstance(self.monotone, bool):
            raise ParameterError("probabilistic: monotone must be true or false")
        if self.seed is not None and (not is_whole_number(self.seed) or self.seed < 0):
            raise ParameterError("probabilistic: seed must be a whole number of at least 0")
        for key in ("false_positive", "false_negative"):
            rate = getattr(self, key)
            is_default = rate is None and key == "false_positive"
            if not is_default and not (is_number(rate) and 0.0 <= rate <= 1.0):
                raise ParameterError(f"probabilistic: {key} must be a number from 0 to 1")

    def check_usable(self, comparison: Comparison, margin: float = 0.0) -> None:
        """Raise where the parameters do not fit the files, or the files are too large; EM runs only in the attack."""
        del margin
        self.check_parameters()
        check_agreement(comparison, self.tolerances)

    def for_run(self, seed: int, threads: int | None) -> Probabilistic:
        """Return the attacker with the run's seed and cores, unless he has his own."""
        own_seed = seed if self.seed is None else self.seed
        return replace(self, seed=own_seed, threads=threads if self.threads is None else self.threads)

    def with_findings(self, distance: Distance, linkage: Linkage, scale: str) -> Distance:
        """Return the distance with how many pairs he would claim, leave open, and dismiss, and the links of `mean`."""
        if not isinstance(distance, AgreementDistance):
            return distance
        return with_pair_classes(with_comparison(distance, linkage, self.threads), linkage, scale)

    def distance(self, comparison: Comparison) -> AgreementDistance:
        """Learn m and u from the patterns of agreement and return the distance they make."""
        self.check_parameters()
        return agreement_distance(
            comparison,
            levels=int(self.levels),
            tolerances=self.tolerances,
            values=self.values,
            unit=self.unit,
            matches=self.matches,
            missing=self.missing,
            is_monotone=self.monotone,
            false_positive=None if self.false_positive is None else float(self.false_positive),
            false_negative=float(self.false_negative),
            seed=int(self.seed or 0),
            threads=self.threads,
        )

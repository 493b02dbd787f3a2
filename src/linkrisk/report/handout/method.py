"""How figures were found, in plain words, with references: the same for every report of a kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from linkrisk.attackers.registry import ATTACKERS
from linkrisk.report.blocks import Sentence
from linkrisk.report.handout.contents import Facts, Heading, Items, Part

LINKING = """
The owner of the original plays the intruder. An intruder holds true values of people he knows; the original file is
the most that he could hold. For each person he takes the protected record that is nearest by some distance, or, knowing
that each protected record is one person, he links all people one to one. The share of people whose own record he takes
is what he finds. Where several records are equally near he picks one at random, which counts as the chance that it is
the right one.

Attributes are compared on a scale: each file by its own mean and spread (separate), both by those of the original
(original), or by ranks (ranks).
"""

LEARNING = """
Some attackers are learned: of all distances of their kind, the one that finds most people is looked for, with the true
pairs at hand. That is more than an intruder can do, and so it is a worst case of that kind. The bound is proven: no
distance of that kind links more people to their nearest records. Where the search ended with as many links as the
bound, its status is optimal; otherwise the truth lies between the two.
"""

KNOWING = """
One attacker has read how the release was made. He works out how likely each pair is under that method, and who is whose
record, all people at once. Where it can be computed, the most that any intruder without true pairs can expect on
average is told, too (bayes). It holds only if the release was made as described.
"""

LIMITS = """
What this does not tell: other kinds of attackers, intruders who know other attributes than those named here, and later
releases of the same people. A worst case is one of its kind.
"""

ADVICE = """
Risk is the share of people found by the strongest of several attackers, the one who knows the method among them. Loss
is on a scale from 0, nothing is lost, to 100: for numbers the probabilistic information loss PIL, for categories the
share of their entropy that the protected file no longer tells.

Score is the mean of loss and of the average risk AvRL, over many sets of attributes that an intruder may know. A
release is undominated if no other has both less risk and less loss.
"""

MATCHING = """
Two samples of one population are matched by the attributes they share. A match is unique where one record of each
sample has the same values. Samples and published tables tell how many people of the population may have these values;
from that follows how likely it is that the match is the right person.
"""

LINKING_REFERENCES = """
V. Torra, G. Navarro-Arribas, D. Abril: Supervised learning for record linkage through weighted means and OWA operators.
Control and Cybernetics 39 (2010).

D. Abril, G. Navarro-Arribas, V. Torra: Improving record linkage with supervised learning for disclosure risk
assessment. Information Fusion 13 (2012).

D. Abril, G. Navarro-Arribas, V. Torra: Choquet integral for record linkage. Annals of Operations Research (2012).

D. Abril, V. Torra, G. Navarro-Arribas: Supervised learning using a symmetric bilinear form for record linkage.
Information Fusion (2015).

A. Hundepool and others: Statistical Disclosure Control. Wiley (2012).
"""

MATCHING_REFERENCES = """
D. Smith, M. Elliot: An experiment in naive Bayesian record linkage.

A. Dobra, S. Fienberg: Bounds for cell entries in contingency tables given marginal totals. PNAS 97 (2000).
"""


def linking_parts(attackers: Iterable[str], *, is_learned: bool) -> Iterator[Part]:
    """Yield how an assessment works, what each attacker knows, and where the methods come from."""
    names = list(dict.fromkeys(attackers))
    yield from sentences(LINKING)
    yield from sentences(LEARNING) if is_learned else ()
    yield from sentences(KNOWING) if "informed" in names else ()
    yield from sentences(LIMITS)
    known = [(name, ATTACKERS[name].knows) for name in names if name in ATTACKERS]
    if known:
        yield Heading("The attackers")
        yield Facts(tuple(known))
    yield from references(LINKING_REFERENCES)


def advice_parts(attackers: Iterable[str]) -> Iterator[Part]:
    """Yield what risk and loss of a release are, and who attacks it."""
    yield from sentences(ADVICE)
    yield Heading("Who attacks")
    yield from linking_parts(attackers, is_learned=True)


def matching_parts() -> Iterator[Part]:
    """Yield how matches are judged, and where the methods come from."""
    yield from sentences(MATCHING)
    yield from references(MATCHING_REFERENCES)


def sentences(text: str) -> Iterator[Sentence]:
    r"""Yield the paragraphs of a text.

    >>> [paragraph.text for paragraph in sentences("one\ntwo\n\nthree\n")]
    ['one two', 'three']
    """
    yield from (Sentence(" ".join(paragraph.split())) for paragraph in text.strip().split("\n\n"))


def references(text: str) -> Iterator[Part]:
    """Yield where methods come from, as a list."""
    yield Heading("References")
    yield Items(tuple(paragraph.text for paragraph in sentences(text)))

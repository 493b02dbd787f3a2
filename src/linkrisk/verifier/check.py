"""Checking everything that a certificate claims about two files that are read and compared already."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from linkrisk.differences.comparison import Comparison
from linkrisk.engine import interrupt
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.verifier.boxes.proof import prove_boxes
from linkrisk.verifier.certificate.digests import data_digest
from linkrisk.verifier.certificate.document import Claim, make_claim, read_certificate
from linkrisk.verifier.certificate.fields import as_list, as_mapping, as_text, entry
from linkrisk.verifier.cover.cores import read_pair
from linkrisk.verifier.cover.proof import prove_cover
from linkrisk.verifier.problem.instance import Instance
from linkrisk.verifier.problem.links import count_links
from linkrisk.verifier.problem.worths import Worths, nearest_float
from linkrisk.verifier.verification import Rejection, Verification

TOLERANCE = 2.0**-40
"""Relative tolerance of ties, unless ties are exact or the certificate has a margin."""

WRITTEN_OUT = 1e16
"""Whole numbers below this are written with all their digits."""

PROVERS = {"cover": prove_cover, "boxes": prove_boxes}
"""For each kind of proof the function that checks it and returns the bound it shows."""


def check_certificate(
    certificate: Mapping[str, Any] | str | os.PathLike[str],
    comparison: Comparison,
    *,
    file_digests: tuple[str, str] | None = None,
    progress: Progress = no_progress,
) -> Verification:
    """Check a certificate against two files that are read and compared already; see `linkrisk.verify`.

    Parameters
    ----------
    certificate
        What `read_certificate` returns, or the path of the certificate.
    comparison
        The original and the protected file on the scale of the certificate, with its attributes and settings.
    file_digests
        SHA-256 of the original and of the protected file, if the certificate must be about exactly these two files.
    progress
        Called with the number of items done and the number of all items, for each step.

    *Guarantee* (docs/mathematics.md#certificate): ``is_valid`` only if the parameters are admissible and make ``links``
    links, and no admissible parameters make more than ``bound`` links, on the scaled values and with links as
    docs/certificates.md defines them. Every comparison that decides is made in exact arithmetic, or in floating point
    with a bound on its error. A certificate that cannot be read raises `FileError`; the result tells everything else
    that is wrong. Cost: all pairs of records once, and the proof.
    """
    started = time.perf_counter()
    contents = read_certificate(certificate) if isinstance(certificate, str | os.PathLike) else certificate
    check = _Check(contents, comparison, file_digests, progress)
    try:
        shown = check.run()
    except Rejection as rejection:
        return Verification(False, str(rejection), n_checked=check.counts, seconds=time.perf_counter() - started)
    return Verification(
        True, shown.sentence, shown.claim.links, shown.claim.bound, check.counts, time.perf_counter() - started
    )


def _counting(claim: Claim, instance: Instance, comparison: Comparison) -> Instance:
    """Return the instance by which links are counted: with a tolerance of ties for a repaired form.

    A repaired form is counted with the usual tolerance, while the proof is about free forms, whose ties are exact.
    *Guarantee* (docs/mathematics.md#repair): a form without negative distances makes no more links with a tolerance
    than without, so that the bound for free forms holds for it too.
    """
    return instance if claim.attacker != "bilinear_higham" else Instance(claim, comparison, TOLERANCE)


@dataclass(frozen=True)
class _Shown:
    """What was shown: a claim, the exact worth of its links, and a bound on that of all others."""

    claim: Claim
    links: Fraction
    bound: Fraction

    @property
    def sentence(self) -> str:
        """All that was checked, and nothing else."""
        claim = self.claim
        family = "bilinear form" if claim.attacker == "bilinear_higham" else "distance of its family"
        is_most = self.bound == self.links and claim.bound == claim.links
        most = "makes more" if is_most else f"more than {_written(claim.bound)}"
        return (
            f"{claim.attacker} makes {_written(claim.links)} links among {claim.n_pairs} pairs, and no {family} {most} "
            f"({', '.join(self._conditions())})"
        )

    def _conditions(self) -> list[str]:
        """Return everything on which links and bound depend, besides the two files and how they are read."""
        claim = self.claim
        conditions = [f"attributes {', '.join(claim.attributes)}", f"scale {claim.scale}", f"ties {claim.ties}"]
        if claim.tolerance > TOLERANCE:
            conditions.append(f"nearer by a margin of {_written(claim.tolerance)}")
        if claim.floor is not None:
            conditions.append(f"floor {_written(claim.floor)}")
        if claim.additivity is not None:
            conditions.append(f"additivity {claim.additivity}")
        if claim.weights is not None:
            conditions.append("weights of the certificate")
        if Fraction(claim.links) != self.links or (claim.bound < self.bound):
            conditions.append("sums rounded to 16 digits")
        return conditions


def _written(value: float) -> str:
    """Return a number with all its digits.

    >>> _written(3.0), _written(0.1), _written(1e300)
    ('3', '0.1', '1e+300')
    """
    return str(int(value)) if value.is_integer() and abs(value) < WRITTEN_OUT else repr(value)


class _Check:
    """The check of one certificate; ``counts`` tells how many items of each kind were checked."""

    def __init__(
        self,
        certificate: Mapping[str, Any],
        comparison: Comparison,
        file_digests: tuple[str, str] | None,
        progress: Progress,
    ) -> None:
        self.certificate = certificate
        self.comparison = comparison
        self.file_digests = file_digests
        self.progress = progress
        self.counts: dict[str, int] = {}

    def run(self) -> _Shown:
        """Return what is shown if everything holds; raise `Rejection` at the first check that fails."""
        claim = make_claim(as_mapping(self.certificate, "The certificate"))
        self._check_data(claim)
        instance = Instance(claim, self.comparison)
        if claim.n_pairs != len(instance.people):
            raise Rejection("The number of pairs in the certificate is not that of the two files")
        self.counts["pairs"] = instance.n_original * instance.n_protected
        links = count_links(_counting(claim, instance, self.comparison), claim.parameters, self.progress)
        if claim.links != nearest_float(links):
            raise Rejection("The parameters do not make the links that the certificate claims")
        is_optimal = claim.status == "optimal"
        proven = self._prove(instance, self._check_lost(instance), links if is_optimal else Fraction(claim.bound))
        if links > proven:
            raise Rejection("The proof contradicts the links that the parameters make")
        if is_optimal and proven > links:
            raise Rejection("The certificate claims an optimum, but its proof does not show it")
        if claim.bound < nearest_float(proven):
            raise Rejection("The proof does not show the bound that the certificate claims")
        if is_optimal and claim.bound != claim.links:
            raise Rejection("The certificate claims an optimum, but its bound is not its links")
        return _Shown(claim, links, proven)

    def _check_data(self, claim: Claim) -> None:
        """Raise `Rejection` unless the two files are those of the certificate, on its scale."""
        if claim.attributes != self.comparison.names:
            raise Rejection("The attributes are not those of the certificate")
        if claim.scale != str(self.comparison.scale):
            raise Rejection("The scale is not that of the certificate")
        if claim.data != data_digest(self.comparison):
            raise Rejection("The files are not those of the certificate: the digest of the scaled values differs")
        original, protected = self.file_digests or (claim.original, claim.protected)
        if (claim.original, claim.protected) != (original, protected):
            which = "protected" if claim.original == original else "original"
            raise Rejection(
                f"The values are those of the certificate, but the bytes of the {which} file are not: give the file it "
                "was made with, not a frame or a copy saved again, or make the certificate again"
            )

    def _check_lost(self, instance: Instance) -> set[int]:
        """Return the records that the certificate calls lost, after checking the protected record named for each."""
        lost = set()
        pairs = as_list(self.certificate["lost"], "The list of lost records")
        for value in pairs:
            interrupt.check()
            i, j = read_pair(instance, value, "The list of lost records")
            if not instance.is_lost_to(i, j):
                raise Rejection(f"Original record {i + 1} is not lost to the protected record named for it")
            lost.add(i)
        self.counts["lost"] = len(pairs)
        return lost

    def _prove(self, instance: Instance, lost: set[int], wanted: Fraction) -> Fraction:
        """Return a bound that the proof shows, not above the one wanted if it shows that.

        Without a proof it is the worth of all records that are not lost.
        """
        if self.certificate["proof"] is None:
            return Worths(instance, lost).total
        proof = as_mapping(self.certificate["proof"], "The proof")
        kind = as_text(entry(proof, "kind", "The proof"), "The kind of the proof")
        if kind not in PROVERS:
            raise Rejection(f"The kind of the proof is not one of {', '.join(PROVERS)}")
        return PROVERS[kind](instance, proof, lost, wanted, self.counts, self.progress)

"""One release judged: its risk, its average risk, what it loses, and the scores made of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from linkrisk.advice.average import AverageLinkage, average_linkage
from linkrisk.advice.risk import Risk, Threat, attack_release
from linkrisk.assessment.faults import Fault, find_faults
from linkrisk.attack.reporter import Reporter, SilentReporter
from linkrisk.data.columns import FilePair
from linkrisk.differences.comparison import VECTOR_KINDS, make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.losses.categories import categorical_loss
from linkrisk.losses.pil import probabilistic_loss

MOST_PEOPLE = 2_000
"""People whose links are counted for AvRL: its standard error on their account is at most 1.1 points."""


@dataclass(frozen=True)
class Release:
    """What one protected file risks and what it loses.

    ``loss`` is on a scale from 0 to 100, see `loss_figure`. Scores are in percent, too, and small is good: ``score`` =
    (AvRL + loss) / 2, abril-bilinear.txt section 6.1; ``risk_score`` puts the risk in place of AvRL. ``faults``
    are to be mended first: if records are wrongly paired, for instance, every figure is too low.
    """

    name: str
    risk: Risk
    average: AverageLinkage
    loss: float
    protected_digest: str
    faults: tuple[Fault, ...] = ()

    @property
    def score(self) -> float:
        """(AvRL + loss) / 2, in percent."""
        return (100.0 * self.average.rate + self.loss) / 2.0

    @property
    def risk_score(self) -> float:
        """The same with the risk in place of AvRL."""
        return (100.0 * self.risk.rate + self.loss) / 2.0


def judge_release(name: str, files: FilePair, threat: Threat, *, reporter: Reporter | None = None) -> Release:
    """Attack a release, average over what intruders may know, and measure its loss.

    AvRL is that of `mean` on scale separate, as in the papers, with the tie rule of the attacks. Unique links give the
    papers' figures, but by them a file full of twins would have no risk. In large files AvRL is that of 2,000 people
    who are drawn. Cost: that of `attack_release` and `average_linkage`.
    """
    reporter = reporter or SilentReporter()
    risk = replace(attack_release(files, threat, reporter=reporter, where=f"{name}: "), learned={})  # confidential
    reporter.step(f"{name}: average over sets of attributes")
    average = average_linkage(
        make_comparison(files, Scale.SEPARATE),
        ties=threat.plan.ties,
        most_people=MOST_PEOPLE,
        seed=threat.plan.seed,
        threads=threat.plan.threads,
        progress=reporter.progress,
    )
    reporter.step(f"{name}: information loss")
    return Release(name, risk, average, loss_figure(files), files.protected_digest, find_faults(files))


def loss_figure(files: FilePair) -> float:
    """Return one figure for what is lost, from 0 (nothing) to 100 (everything).

    PIL of the numeric and date attributes; for the others the share of their entropy that the protected file no longer
    tells, in percent. A file with both kinds gets their mean, weighted by the number of attributes.

    Examples
    --------
    >>> import pandas as pd
    >>> from linkrisk.data import pair_files
    >>> original = pd.DataFrame({"sex": list("ffmm"), "region": list("nsns")})
    >>> protected = pd.DataFrame({"sex": list("ffmm"), "region": list("nnnn")})  # of two bits one is lost
    >>> loss_figure(pair_files(original, protected))
    50.0
    """
    n_numeric = sum(attribute.kind in VECTOR_KINDS for attribute in files.attributes)
    parts = []
    if n_numeric:
        parts.append((n_numeric, probabilistic_loss(files).pil))
    if n_numeric < len(files.attributes):
        parts.append((len(files.attributes) - n_numeric, 100.0 * categorical_loss(files).entropy_share))
    known = [(weight, figure) for weight, figure in parts if not math.isnan(figure)]
    if not known:
        return 0.0
    return math.fsum(weight * figure for weight, figure in known) / sum(weight for weight, _ in known)

"""What users of a release lose, by every figure that is a single number."""

from __future__ import annotations

from linkrisk.losses.loss import loss_of_pair
from linkrisk.study.measures.measured import Measured
from linkrisk.study.release import Release
from linkrisk.study.specification.cells import Variant

PARTS = ("means", "variances", "covariances", "correlations", "quantiles")
"""The parts of PIL."""


def measure(release: Release, variant: Variant, seed: int) -> Measured:  # noqa: ARG001  (nothing is drawn)
    """Return PIL with its parts, IL1s, SSE/SST and pMSE; None where a figure is not defined."""
    found = loss_of_pair(release.files, confidential=False, interactions=False)
    probabilistic = found.probabilistic
    parts = {} if probabilistic is None else {f"PIL_{name}": getattr(probabilistic, name) for name in PARTS}
    return Measured(
        {
            "PIL": found.pil,
            **parts,
            "IL1s": found.il1s,
            "SSE_SST": None if found.variation is None else found.variation.share,
            "pMSE": found.propensity.pmse,
        }
    )

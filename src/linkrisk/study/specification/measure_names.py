"""What can be measured, by name; importing this loads none of it."""

from __future__ import annotations

from dataclasses import dataclass

MATCHING = "matching"
"""What is measured of samples and tables; everything else is measured of a release."""


@dataclass(frozen=True)
class Named:
    """A measure as it is asked for: which coordinates its cells have, and the figure that stands for it.

    ``has_attackers``: each attacker is a cell; ``has_scales``, ``has_ties``: so is each scale, each tie rule.
    ``learners_only``: attackers who learn nothing have no cell. ``main`` is the name of that figure; the text ``what``
    says what it is.
    """

    module: str
    main: str
    what: str
    has_attackers: bool = False
    has_scales: bool = False
    has_ties: bool = False
    learners_only: bool = False


MEASURES: dict[str, Named] = {
    "links": Named("links", "rate", "share of people linked to their nearest record", True, True, True),
    "one_to_one": Named("one_to_one", "rate", "share of people linked one to one", True, True, True),
    "holdout": Named("holdout", "testing", "share linked of people held out", True, True, True, True),
    "errors": Named("errors", "rate", "share linked by least errors, approach 1", True, True, True, True),
    "sizes": Named("sizes", "constraints", "constraints of the papers' programme", True, learners_only=True),
    "alone": Named("alone", "highest", "share linked by one attribute alone", has_scales=True, has_ties=True),
    "average": Named("average", "rate", "AvRL", has_scales=True, has_ties=True),
    "loss": Named("loss", "PIL", "information loss"),
    "moments": Named("moments", "mean", "means, deviations and correlations of the original"),
    "values": Named("values", "correlation", "protected values against original ones"),
    MATCHING: Named("matching", "correlation", "rank correlation of probabilities said and true"),
}
"""Every measure, and the module of this package that takes it."""

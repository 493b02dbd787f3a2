"""Links of people held out: parameters are learned on the others."""

from __future__ import annotations

from dataclasses import replace

from linkrisk.attack.holdout import hold_out
from linkrisk.distances.weighted_mean import mean_distance
from linkrisk.errors import SettingsError
from linkrisk.linkage.search import nearest
from linkrisk.study.measures.measured import Measured, attacker_of, plan_of
from linkrisk.study.release import Release
from linkrisk.study.specification.cells import Variant


def measure(release: Release, variant: Variant, seed: int) -> Measured:
    """Return the share linked of those learned from, and of those held out, one split for each repeat of the study."""
    settings = dict(variant.settings)
    family = attacker_of(variant).family()
    plan = plan_of(variant, seed)
    comparison = release.comparison(variant.scale)
    learning = replace(plan.learning, holdout=settings["holdout"], pool=settings["pool"], repeats=1)
    found = None if family is None else hold_out(family, comparison, replace(plan, learning=learning))
    if found is None:
        raise SettingsError("too few people to hold some out; draw more, or hold out a smaller share")
    mean = nearest(mean_distance(comparison)).links(plan.ties) / release.files.n_pairs
    return Measured({"training": found.training[0], "testing": found.testing[0], "mean_rate": mean})

"""Links of people held out: parameters are learned on the others."""

from __future__ import annotations

from dataclasses import replace

from linkrisk.attack.holdout import hold_out, parts
from linkrisk.distances.weighted_mean import mean_distance
from linkrisk.errors import SettingsError
from linkrisk.linkage.search import nearest
from linkrisk.study.measures.measured import Measured, attacker_of, plan_of
from linkrisk.study.release import Release
from linkrisk.study.specification.cells import Variant


def measure(release: Release, variant: Variant, seed: int) -> Measured:
    """Return the share linked of those learned from, and of those held out, one split for each repeat of the study.

    ``training_mean`` and ``testing_mean`` are those of `mean`, for the same people.
    """
    settings = dict(variant.settings)
    family = attacker_of(variant).family()
    plan = plan_of(variant, seed)
    comparison = release.comparison(variant.scale)
    learning = replace(plan.learning, holdout=settings["holdout"], pool=settings["pool"], repeats=1)
    plan = replace(plan, learning=learning)
    found = None if family is None else hold_out(family, comparison, plan)
    if found is None:
        raise SettingsError("too few people to hold some out; draw more, or hold out a smaller share")
    ((known, tested),) = parts(comparison, plan)
    mean = {
        name: nearest(mean_distance(part)).links(plan.ties) / len(part.coordinates.own)
        for name, part in (("training_mean", known), ("testing_mean", tested))
    }
    return Measured({"training": found.training[0], "testing": found.testing[0], **mean})

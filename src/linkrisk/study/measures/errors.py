"""Links by the papers' first approach: the least sum of errors (torra2010-owa.txt, section 3.1)."""

from __future__ import annotations

from linkrisk.errors import SettingsError
from linkrisk.learning.papers.errors_lp import minimise_errors
from linkrisk.study.measures.measured import Figure, Measured, attacker_of, plan_of
from linkrisk.study.release import Release
from linkrisk.study.specification.cells import Variant


def measure(release: Release, variant: Variant, seed: int) -> Measured:
    """Return the share linked by the weights that make the least sum of errors, and that sum."""
    attacker, plan = attacker_of(variant), plan_of(variant, seed)
    family = attacker.family()
    if family is None:
        raise SettingsError(f"{attacker.name} learns nothing; leave him out of errors")
    found = minimise_errors(family, release.comparison(variant.scale), ties=plan.ties, time_limit=plan.learning.seconds)
    n_people = release.files.n_pairs
    figures: dict[str, Figure] = {
        "links": found.links,
        "rate": found.links / n_people,
        "people": n_people,
        "errors": found.errors,
        "status": str(found.status),
        "learning_seconds": found.seconds,
    }
    return Measured(figures, {"theta": found.theta.tolist()})

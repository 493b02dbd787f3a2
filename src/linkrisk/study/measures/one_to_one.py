"""Links of an intruder who knows that each protected record is one person."""

from __future__ import annotations

from linkrisk.attack.attack import make_attack, make_informed_attack
from linkrisk.study.measures.measured import Figure, Measured, attacker_of, plan_of
from linkrisk.study.release import Release
from linkrisk.study.specification.cells import Variant


def measure(release: Release, variant: Variant, seed: int) -> Measured:
    """Return the share found one to one, by the better of assignment and posterior, beside that of nearest records."""
    attacker = attacker_of(variant)
    plan = plan_of(variant, seed, one_to_one=True, published=release.published)
    if attacker.is_scaled:
        comparison = release.comparison(variant.scale)
        attacker.check_usable(comparison)
        made = make_attack(attacker, comparison, plan)
    else:
        made = make_informed_attack(attacker, release.files, plan)
    found, n_people = made.result, release.files.n_pairs
    links = 0.0 if found.one_to_one is None else found.one_to_one.links[plan.ties]
    figures: dict[str, Figure] = {
        "links": links,
        "rate": links / n_people,
        "people": n_people,
        "nearest_rate": found.links[plan.ties] / n_people,
    }
    if found.bound is not None:
        figures |= {"nearest_bound": found.bound, "status": found.status}
    return Measured(figures)

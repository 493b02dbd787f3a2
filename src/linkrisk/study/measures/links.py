"""Links to nearest records, of one attacker on one scale; parameters that are not given are learned."""

from __future__ import annotations

from linkrisk.attack.attack import make_informed_attack
from linkrisk.attack.find import find_links
from linkrisk.linkage.ties import Ties
from linkrisk.study.measures.measured import Figure, Measured, attacker_of, plan_of
from linkrisk.study.release import Release
from linkrisk.study.specification.cells import Variant


def measure(release: Release, variant: Variant, seed: int) -> Measured:
    """Return links, rate, and for who learns bound, status, seconds, and what his parameters mean.

    ``class_rate`` and ``expected_rate`` are by the other tie rules, of the same distance.
    """
    attacker, plan = attacker_of(variant), plan_of(variant, seed)
    if not attacker.is_scaled:
        return _informed(release, variant, seed)
    comparison = release.comparison(variant.scale)
    attacker.check_usable(comparison)
    found = find_links(attacker, comparison, plan)
    n_people = release.files.n_pairs
    by_rule = {f"{rule}_rate": found.linkage.links(rule) / n_people for rule in Ties if rule is not plan.ties}
    learned = found.learned
    if learned is None:
        links = found.linkage.links(plan.ties)
        return Measured({"links": links, "rate": links / n_people, "people": n_people, **by_rule})
    meaning = learned.meaning().to_dict()
    figures: dict[str, Figure] = {
        "links": learned.links,
        "rate": learned.links / n_people,
        "people": n_people,
        "bound": learned.bound,
        "status": str(learned.status),
        "learning_seconds": learned.seconds,
        **by_rule,
    }
    if "covariance_distance" in meaning:
        figures["covariance_distance"] = meaning["covariance_distance"]
    return Measured(figures, {"attributes": list(learned.problem.names), "meaning": meaning})


def _informed(release: Release, variant: Variant, seed: int) -> Measured:
    """Attack as one who knows the method; he takes values as they are."""
    plan = plan_of(variant, seed, published=release.published)
    made = make_informed_attack(attacker_of(variant), release.files, plan)
    links, n_people = made.result.links[plan.ties], release.files.n_pairs
    figures = {"links": links, "rate": links / n_people, "people": n_people, "certain": made.result.certain}
    if made.result.one_to_one is not None:
        figures["one_to_one_rate"] = made.result.one_to_one.links[plan.ties] / n_people
    return Measured(figures)

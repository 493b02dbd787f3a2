"""The size of the programme that the papers hand to a solver (abril-bilinear.txt, Tables 2 and 3)."""

from __future__ import annotations

from linkrisk.distances.programme import PARTS
from linkrisk.errors import SettingsError
from linkrisk.study.measures.measured import Measured, attacker_of
from linkrisk.study.release import Release
from linkrisk.study.specification.cells import Variant


def measure(release: Release, variant: Variant, seed: int) -> Measured:  # noqa: ARG001  (nothing is drawn)
    """Return variables and constraints of the programme, and the constraints by the papers' own formulas."""
    family = attacker_of(variant).family()
    if family is None:
        raise SettingsError("nothing is learned, so there is no programme; leave him out of sizes")
    size = family.programme_size(release.files.n_pairs, len(release.files.columns))
    told = {f"paper_{place}": count.constraints for place, count in enumerate(size.papers, start=1)}
    parts = {part: getattr(size, part) for part in PARTS}
    details = {"papers": [count.source for count in size.papers], "note": size.note}
    return Measured({"constraints": size.constraints, "variables": size.variables, **parts, **told}, details)

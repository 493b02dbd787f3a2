"""Cores: sets of records that cannot all be linked, because a mixture of their rows is positive for no parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from linkrisk.verifier.certificate.fields import as_exact, as_list, as_mapping, as_whole, check_keys, entry
from linkrisk.verifier.exact.null_vector import has_positive_combination
from linkrisk.verifier.exact.rationals import Number, Row, mixture, wholes
from linkrisk.verifier.problem.instance import CACHED_ENTRIES, Instance
from linkrisk.verifier.verification import Rejection


@dataclass(frozen=True)
class Core:
    """Rows (i, j) with their multipliers, inequalities with their multipliers, and the multiplier of the normal."""

    pairs: tuple[tuple[int, int], ...]
    multipliers: tuple[Number, ...]
    cuts: tuple[int, ...]
    cut_multipliers: tuple[Number, ...]
    slack: Number

    @property
    def members(self) -> frozenset[int]:
        """The records that cannot all be linked."""
        return frozenset(i for i, _ in self.pairs)


class CoreCheck:
    """Checks the cores of one instance; ``cuts`` are the inequalities that they may use, read when they are used."""

    def __init__(self, instance: Instance, cuts: Any) -> None:
        self.instance = instance
        self.labels = as_list(cuts, "The list of inequalities")
        self.cut = lru_cache(16 + CACHED_ENTRIES // instance.family.n_parameters)(self._cut)

    def read(self, value: Any, where: str) -> Core:
        """Return a core as the certificate writes it; raise where a j does not count against its i."""
        core = as_mapping(value, where)
        check_keys(core, ("rows", "cuts", "slack"), where)
        rows = [self._read_row(row, where) for row in as_list(entry(core, "rows", where), f"The rows of {where}")]
        cuts = [self._read_cut(cut, where) for cut in as_list(core.get("cuts", []), f"The inequalities of {where}")]
        if not any(m for _, _, m in rows):
            raise Rejection(f"{where} has no row with a positive multiplier")
        return Core(
            tuple((i, j) for i, j, _ in rows),
            tuple(m for _, _, m in rows),
            tuple(c for c, _ in cuts),
            tuple(m for _, m in cuts),
            as_exact(core.get("slack", 0), f"The slack of {where}", least=0),
        )

    def check(self, core: Core, where: str) -> None:
        """Raise `Rejection` unless the core shows that its records cannot all be linked.

        *Guarantee* (docs/mathematics.md#core-exact): for the mixture W of its rows, W . theta <= 0 for all admissible
        theta, in exact arithmetic (see docs/certificates.md); so its rows cannot all be positive.
        """
        is_used = [m > 0 for m in core.multipliers]
        rows = [self.instance.row(*pair) for pair, used in zip(core.pairs, is_used, strict=True) if used]
        multipliers = [m for m in core.multipliers if m > 0]
        if not (self._is_outweighed(core, rows, multipliers) or self._is_nowhere_positive(core, rows, multipliers)):
            raise Rejection(f"{where} does not show that its records cannot all be linked")

    def _is_nowhere_positive(self, core: Core, rows: list[Row], multipliers: list[Number]) -> bool:
        """Tell whether W is polar, or rows and inequalities have positive multipliers with which they sum to 0."""
        if self.instance.family.is_polar(mixture(rows, wholes(multipliers)[0])):
            return True
        used = [(c, m) for c, m in zip(core.cuts, core.cut_multipliers, strict=True) if m > 0]
        vectors = [*rows, *(self.cut(c) for c, _ in used)]
        sizes = [*multipliers, *(m for _, m in used)]
        if core.slack > 0 and self.instance.family.normal:
            vectors.append(self._scaled(self.instance.family.normal))
            sizes.append(core.slack)
        return has_positive_combination(vectors, sizes)

    def _is_outweighed(self, core: Core, rows: list[Row], multipliers: Sequence[Number]) -> bool:
        """Tell whether W, the inequalities and s times the normal sum to a vector whose size is at most s.

        *Guarantee* (docs/mathematics.md#outweighed): every admissible theta can be scaled such that normal . theta = 1
        and |theta_k| <= bound_k. With rest for the sum, W . theta <= W . theta + sum of m (cut . theta) = rest . theta
        - s <= sum of |rest_k| bound_k
        - s, which is not positive.
        """
        family = self.instance.family
        if not family.normal or core.slack <= 0:
            return False
        everything, _ = wholes([core.slack, *core.cut_multipliers, *multipliers])
        slack, cut_multipliers = everything[0], everything[1 : 1 + len(core.cuts)]
        parts = [self._scaled(family.normal), *(self.cut(c) for c in core.cuts), *rows]
        rest = mixture(parts, [slack, *cut_multipliers, *everything[1 + len(core.cuts) :]])
        noise = sum(abs(value) * family.bound(place) for place, value in rest.items())
        return noise <= slack * self.instance.unit

    def _scaled(self, row: Row) -> Row:
        """Return a row multiplied by the unit of exact rows."""
        return {place: value * self.instance.unit for place, value in row.items()}

    def _cut(self, number: int) -> Row:
        """Return an inequality that all admissible parameters satisfy, times the unit of exact rows."""
        label = as_mapping(self.labels[number], "An inequality of the proof")
        if "pair" not in label:
            return self._scaled(self.instance.family.cut(label))
        check_keys(label, ("pair",), "An inequality of the proof")
        if not self.instance.family.is_nonnegative:
            raise Rejection("The proof uses a distance as an inequality, but distances of the attacker may be negative")
        pair = as_list(label["pair"], "The pair of an inequality")
        if len(pair) != 2:
            raise Rejection("The pair of an inequality does not name two records")
        i = as_whole(pair[0], "An original record of the proof", below=self.instance.n_original)
        j = as_whole(pair[1], "A protected record of the proof", below=self.instance.n_protected)
        return self.instance.features(i, j)

    def _read_row(self, value: Any, where: str) -> tuple[int, int, Number]:
        parts = as_list(value, f"A row of {where}")
        if len(parts) != 3:
            raise Rejection(f"A row of {where} is not two records and a multiplier")
        i, j = read_pair(self.instance, parts[:2], where)
        return i, j, as_exact(parts[2], f"A multiplier of {where}", least=0)

    def _read_cut(self, value: Any, where: str) -> tuple[int, Number]:
        parts = as_list(value, f"An inequality of {where}")
        if len(parts) != 2:
            raise Rejection(f"An inequality of {where} is not a number and a multiplier")
        cut = as_whole(parts[0], f"An inequality of {where}", below=len(self.labels))
        return cut, as_exact(parts[1], f"A multiplier of {where}", least=0)


def read_pair(instance: Instance, value: Any, where: str) -> tuple[int, int]:
    """Return an original and a protected record; raise unless the second counts against the first."""
    parts = as_list(value, f"A pair of {where}")
    if len(parts) != 2:
        raise Rejection(f"A pair of {where} does not name two records")
    i = as_whole(parts[0], f"An original record of {where}", below=instance.n_original)
    j = as_whole(parts[1], f"A protected record of {where}", below=instance.n_protected)
    if instance.own[i] < 0:
        raise Rejection(f"{where} names an original record that has no protected version")
    if not instance.counts(i, j):
        raise Rejection(f"{where} names a protected record that does not count against its original record")
    return i, j

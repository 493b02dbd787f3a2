"""Rank swapping as a permutation within windows, against all attackers; in pairs beside it."""

from __future__ import annotations

import linkrisk
from benchmarks.table import Row
from benchmarks.transparency.columns import show_line
from benchmarks.transparency.release import (
    Release,
    assigned_links,
    best_of,
    ceiling_text,
    informed_attack,
    nearest_links,
    read_census,
)
from linkrisk import Assessment
from linkrisk.attackers import ATTACKERS

PERCENTAGES = (5, 10, 15, 20, 30, 40, 50)
VARIANTS = ("permutation", "pairs")

SECONDS = 2.0
"""For each learned attacker on each scale."""


def variant_rows(percentages: tuple[int, ...] = PERCENTAGES, seconds: float = SECONDS) -> list[Row]:
    """Swap ranks of Census by each p in both variants; every attacker, his better way and scale, and the loss."""
    people = read_census()
    rows: list[Row] = []
    for p in percentages:
        for variant in VARIANTS:
            name = f"rank swapping p = {p}, {variant}"
            done = linkrisk.protect(people, "rank_swap", p=p, variant=variant, secret_seed=p)
            release = Release.of(people, [done], p)
            result = release.assessed(list(ATTACKERS), time_limit=seconds)
            pil = linkrisk.loss(people, done.data).pil
            rows += [Row(f"{name}: PIL", pil, ""), *_attacker_rows(name, result)]
            informed = informed_attack(result)
            show_line(f"{name}, N = {len(people):,}", [f"PIL {pil:.1f}", f"bayes {ceiling_text(informed.ceiling)}"])
    return rows


def _attacker_rows(name: str, result: Assessment) -> list[Row]:
    """Print and return what each attacker finds on his best scale, and whether learned parameters are proven best."""
    rows = []
    for attacker in ATTACKERS:
        best = best_of([attack for attack in result.attacks if attack.name == attacker])
        if best is None:
            show_line(f"  {attacker}", ["left out"])
            continue
        bound = "" if best.bound is None else f"at most {best.bound:.1f}"
        told = f"{nearest_links(best):.1f} / {assigned_links(best):.1f}"
        show_line(f"  {attacker}, {best.scale}", [told, bound, best.status])
        rows.append(Row(f"{name}: {attacker}", best.found(), ""))
    return rows

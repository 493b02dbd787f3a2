"""What attackers are called in one assessment, so that two of a kind can be told apart."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from linkrisk.attackers.attacker import Attacker


def attacker_labels(attackers: Sequence[Attacker]) -> list[str]:
    """Label attackers by name; those of the same name also by their options, and by a number if these are equal.

    All labels are different, even if one attacker is given twice.

    >>> from linkrisk.attackers import Kernel, Mean, WeightedMean
    >>> attacker_labels([Kernel(2), Kernel(3), Mean()])
    ['kernel (degree 2)', 'kernel (degree 3)', 'mean']
    >>> attacker_labels([WeightedMean([0.5, 0.5]), WeightedMean([0.1, 0.9])])
    ['weighted_mean', 'weighted_mean #2']
    >>> attacker_labels([Mean()] * 2)
    ['mean', 'mean #2']
    """
    names = [attacker.name for attacker in attackers]
    labels = [name if names.count(name) == 1 else _with_options(a) for name, a in zip(names, attackers, strict=True)]
    different: list[str] = []
    for label in labels:
        numbered = (f"{label} #{place}" for place in itertools.count(2))
        different.append(next(one for one in itertools.chain([label], numbered) if one not in different))
    return different


def _with_options(attacker: Attacker) -> str:
    """Name an attacker with those of his parameters that are single numbers."""
    options = [f"{name} {value:g}" for name, value in attacker.options.items()]
    return f"{attacker.name} ({', '.join(options)})" if options else attacker.name

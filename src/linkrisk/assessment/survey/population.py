"""Rates for the population that a sample stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkrisk.arrays import BoolArray, FloatArray
from linkrisk.assessment.survey.breakdown import AttackRate, Chances, attack_rate


@dataclass(frozen=True)
class PopulationRisk:
    """What the attacks find if each record counts as many people as it stands for.

    ``size`` is the sum of all weights, the estimated size of the population; ``n_kish`` is how many records with equal
    weights would estimate a rate as well, (sum of weights)^2 / sum of their squares (Kish), over the records with a
    counterpart, as the rates are.
    """

    weights: str
    size: float
    n_kish: float
    attacks: tuple[AttackRate, ...]


def population_risk(
    name: str, weights: FloatArray, attacks: Sequence[Chances], can_be_found: BoolArray
) -> PopulationRisk:
    """Tell the share of the population that people like those found make up.

    With weights w (one over the probability to be sampled) and chances c to be found, the sum of w c is the
    Horvitz-Thompson estimate of how many people of the population would be found if all were released as these were,
    and the sum of w c over the sum of w is Hájek's estimate of their share. Sums are over the records with a
    counterpart.

    References
    ----------
    Särndal, Swensson, Wretman (1992), Model assisted survey sampling; Kish (1965), Survey sampling.

    Examples
    --------
    >>> links = Chances("mean", "ranks", np.array([1.0, 0.0, 0.0]))
    >>> found = population_risk("w", np.array([80.0, 10.0, 10.0]), [links], np.ones(3, dtype=bool))
    >>> found.attacks[0].population_rate, found.size
    (0.8, 100.0)
    """
    rows = np.flatnonzero(can_be_found)
    scaled = weights[rows] / weights[rows].max()
    n_kish = float(scaled.sum() ** 2 / (scaled * scaled).sum())
    return PopulationRisk(
        name, float(weights.sum()), n_kish, tuple(attack_rate(attack, rows, weights) for attack in attacks)
    )

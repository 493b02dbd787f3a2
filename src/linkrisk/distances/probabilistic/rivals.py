"""Original records that compete for a protected one: what a pair of records is worth when all others are looked at."""

from __future__ import annotations

import math

import numpy as np

from linkrisk.arrays import FloatArray
from linkrisk.differences.coordinates import Coordinates
from linkrisk.differences.rules import CHUNK, chunk_size, rules_for
from linkrisk.distances.probabilistic.agreement import Agreement
from linkrisk.distances.probabilistic.cost_kernels import Costs, sum_rivals
from linkrisk.distances.probabilistic.mixture import Mixture
from linkrisk.distances.probabilistic.patterns import distinct_rows, make_limits
from linkrisk.engine.threads import for_chunks

TASK = 256
"""Protected records a thread takes at a time."""


def rival_sums(
    agreement: Agreement, coordinates: Coordinates, mixture: Mixture, costs: FloatArray, threads: int | None
) -> FloatArray:
    """Return log2(none / share + sum over i of r_ij) - largest weight for each protected record j.

    r_ij = 2^weight is how much the levels of the pair speak for a match, the sum is over all original records, and none
    = 1 - N . share is the chance that a protected record belongs to none of them. r_ij over this sum is the probability
    that protected record j was made of i. ``costs`` are the largest weight of each attribute less its weights. Records
    that are equal get equal sums, and the order of the records changes nothing. Cost: all pairs are compared.
    """
    exchanged = coordinates.exchanged()
    originals = distinct_rows(coordinates.original)
    columns = np.ascontiguousarray(originals.rows.T)
    records = distinct_rows(coordinates.protected)
    limits = make_limits(agreement, exchanged)
    nobody = _nobody(mixture, len(coordinates.original))
    sums = np.empty(len(records.rows))

    def work(piece: slice) -> None:
        queries, rules = rules_for(exchanged, records.rows[piece])
        table = Costs(costs, np.zeros(len(queries)), np.zeros(columns.shape[1]))
        sum_rivals(queries, columns, originals.counts, rules, limits, table, nobody, sums[piece])

    for_chunks(work, len(records.rows), min(TASK, CHUNK, chunk_size(exchanged)), threads=threads)
    return sums[records.place_of]


def _nobody(mixture: Mixture, n_original: int) -> float:
    """Distance at which somebody who is not in the original file competes: largest weight - log2(none / share)."""
    none = max(1.0 - mixture.share * n_original, 0.0)
    largest = math.fsum(mixture.weights.max(axis=1).tolist())
    return largest - math.log2(none / mixture.share) if none > 0.0 else math.inf

"""Adding up what the terms of a description say about a pair of records."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel


class Terms(NamedTuple):
    """The terms of all pairs, one row per record, one column per term; see `linkrisk.informed.terms.TermList`.

    Codes x and y of table k cost ``tables[table_start[k] + y * table_width[k] + x]``: what a protected record needs of
    a table lies together. The last code of each side, of which there are ``table_height`` and ``table_width``, is that
    of missing values, which cost nothing.
    """

    x_key: IntArray
    y_key: IntArray
    x: FloatArray
    y: FloatArray
    x_low: FloatArray
    x_high: FloatArray
    y_low: FloatArray
    y_high: FloatArray
    x_tent: FloatArray
    y_tent: FloatArray
    x_code: IntArray
    y_code: IntArray
    tables: FloatArray
    table_start: IntArray
    table_height: IntArray
    table_width: IntArray


class Columns(NamedTuple):
    """Originals' numbers and codes once more, term by term: those of neighbours lie together."""

    x: FloatArray
    x_code: IntArray


@inlined_kernel
def add_terms(terms: Terms, i: int, j: int, most: float) -> float:
    """Return what `cost_of` does, compiled into each kernel that asks it of every pair it looks at."""
    cost = 0.0
    if terms.x_key[i] != terms.y_key[j]:
        cost = np.inf
    k = 0
    while cost == 0.0 and k < terms.x_low.shape[1]:
        if terms.x_low[i, k] > terms.y_high[j, k] or terms.x_high[i, k] < terms.y_low[j, k]:
            cost = np.inf
        k += 1
    k = 0
    while cost <= most and k < terms.x.shape[1]:
        difference = terms.x[i, k] - terms.y[j, k]
        if not np.isnan(difference):
            cost += 0.5 * difference * difference
        k += 1
    k = 0
    while cost <= most and k < terms.x_code.shape[1]:
        cost += terms.tables[terms.table_start[k] + terms.y_code[j, k] * terms.table_width[k] + terms.x_code[i, k]]
        k += 1
    k = 0
    while cost <= most and k < terms.x_tent.shape[1]:
        difference = abs(terms.x_tent[i, k] - terms.y_tent[j, k])
        if difference >= 1.0:
            cost = np.inf
        elif not np.isnan(difference):
            cost -= math.log(1.0 - difference)
        k += 1
    return cost if cost <= most else np.inf


@lean_kernel
def add_terms_of_all(terms: Terms, columns: Columns, begin: int, end: int, j: int, costs: FloatArray) -> None:
    """Write what `cost_of` tells of originals that stand one behind the other, whatever it is: term by term for all.

    Terms are added in the same order, so that the sums are the same.
    """
    first, number = np.uint64(begin), np.uint64(end - begin)  # LLVM makes vectors where no index can be negative
    for place in range(number):
        costs[place] = 0.0 if terms.x_key[first + place] == terms.y_key[j] else np.inf
    for k in range(terms.x_low.shape[1]):
        low, high = terms.y_low[j, k], terms.y_high[j, k]
        for place in range(number):
            if terms.x_low[first + place, k] > high or terms.x_high[first + place, k] < low:
                costs[place] = np.inf
    x, codes, tables = columns.x, columns.x_code, terms.tables
    for k in range(np.uint64(x.shape[0])):
        y = terms.y[j, k]
        for place in range(number):
            difference = x[k, first + place] - y
            costs[place] += 0.0 if np.isnan(difference) else 0.5 * difference * difference
    for k in range(np.uint64(codes.shape[0])):
        start = np.uint64(terms.table_start[k] + terms.y_code[j, k] * terms.table_width[k])
        for place in range(number):
            costs[place] += tables[start + np.uint64(codes[k, first + place])]
    for k in range(terms.x_tent.shape[1]):
        y = terms.y_tent[j, k]
        for place in range(number):
            difference = abs(terms.x_tent[first + place, k] - y)
            if difference >= 1.0:
                costs[place] = np.inf
            elif not np.isnan(difference):
                costs[place] -= math.log(1.0 - difference)


@lean_kernel
def cost_of(terms: Terms, i: int, j: int, most: float) -> float:
    """Return -log p(y_j | x_i) up to a constant; infinite if it is impossible, or as soon as it is above ``most``."""
    return float(add_terms(terms, i, j, most))


@lean_kernel
def count_possible(terms: Terms, originals: IntArray, protecteds: IntArray) -> int:
    """Return how many of some pairs are possible."""
    count = 0
    for place in range(originals.size):
        count += cost_of(terms, originals[place], protecteds[place], np.inf) < np.inf
    return count


@kernel
def fill_costs(terms: Terms, protecteds: IntArray, costs: FloatArray) -> None:
    """Write the cost of some protected records, one row each, to all originals."""
    for row in range(protecteds.size):
        for i in range(costs.shape[1]):
            costs[row, i] = add_terms(terms, i, protecteds[row], np.inf)

"""Agreement of records, compiled: the level of each attribute, and how often each pattern of levels occurs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkrisk.arrays import FloatArray, IntArray
from linkrisk.differences.kernels import AttributeRules, fill_differences
from linkrisk.distances.probabilistic.values import LevelArray, ShortArray
from linkrisk.engine.jit import inlined_kernel, kernel, lean_kernel

BLOCK = 128
"""Protected records compared at a time."""

PER_WORD = 15
"""Attributes whose levels fit into one word, four bits each."""


class Limits(NamedTuple):
    """``limits[k, l]`` is the largest d_k of level l of attribute k, for its first ``n_limits[k]`` levels.

    What exceeds them all is level n_limits[k]; a value missing on one side is the level after it, values missing on
    both sides the last. ``has_holes[k]`` tells whether any value on the other side is missing. Where ``starts[k]`` is
    not -1, values that are equal are at level ``of_values[starts[k] + code]``, and n_limits[k] counts these levels.
    """

    limits: FloatArray
    n_limits: IntArray
    has_holes: IntArray
    starts: IntArray
    of_values: LevelArray


@inlined_kernel
def fill_levels(
    x: float,
    columns: FloatArray,
    k: int,
    start: int,
    stop: int,
    rules: AttributeRules,
    graded: Limits,
    d: FloatArray,
    levels: LevelArray,
) -> None:
    """Write the levels of x and the values columns[k, start:stop] to levels[k, 0:]."""
    row = np.uint64(k)
    first = np.uint64(start)
    size = np.uint64(stop - start)
    n_limits = graded.n_limits[k]
    if np.isnan(x):
        for j in range(size):
            levels[row, j] = n_limits + 2 if np.isnan(columns[row, first + j]) else n_limits + 1
    else:
        fill_differences(x, columns, k, start, stop, rules, d)
        if graded.starts[k] >= 0:
            equal = graded.of_values[graded.starts[k] + int(x)]
            for j in range(size):
                levels[row, j] = equal if d[row, j] <= graded.limits[k, 0] else np.uint8(n_limits)
        else:
            for j in range(size):
                levels[row, j] = 0
            for level in range(n_limits):
                limit = graded.limits[k, level]
                for j in range(size):
                    levels[row, j] += np.uint8(d[row, j] > limit)
        if graded.has_holes[k] == 1:
            for j in range(size):
                if np.isnan(columns[row, first + j]):
                    levels[row, j] = n_limits + 1


@inlined_kernel
def find_slot(words: IntArray, j: int, keys: IntArray, counts: IntArray) -> int:
    """Return where the pattern words[:, j] is in the table, or where it belongs (count 0)."""
    n_words = words.shape[0]
    mask = np.uint64(len(counts) - 1)
    mixed = np.uint64(0)
    for w in range(n_words):
        mixed = (mixed ^ np.uint64(words[w, j])) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    slot = mixed & mask
    while counts[slot] != 0:
        is_same = True
        for w in range(n_words):
            if keys[slot, w] != words[w, j]:
                is_same = False
        if is_same:
            break
        slot = (slot + np.uint64(1)) & mask
    return np.int64(slot)  # type: ignore[return-value]  # a whole number to numba


@inlined_kernel
def fill_words(
    queries: FloatArray,
    i: int,
    columns: FloatArray,
    start: int,
    stop: int,
    rules: AttributeRules,
    graded: Limits,
    d: FloatArray,
    levels: LevelArray,
    words: IntArray,
) -> None:
    """Write the patterns of query i and the points start to stop to the columns of ``words``."""
    words[:, :] = 0
    for k in range(columns.shape[0]):
        fill_levels(queries[i, k], columns, k, start, stop, rules, graded, d, levels)
        shift = 4 * (k % PER_WORD)
        word = k // PER_WORD
        for j in range(stop - start):
            words[word, j] |= np.int64(levels[k, j]) << shift


@kernel
def count_rows(
    queries: FloatArray,
    query_weights: IntArray,
    columns: FloatArray,
    point_weights: IntArray,
    rules: AttributeRules,
    graded: Limits,
    first: int,
    used: int,
    keys: IntArray,
    counts: IntArray,
) -> tuple[int, int]:
    """Count the patterns of the queries from ``first`` on, until the table could overflow.

    Returns the next query and the number of patterns in the table. ``keys[s]`` are the words of the pattern in slot
    s, ``counts[s]`` how many pairs have it (0: the slot is free); their number is a power of two.
    """
    n_attributes, n_points = columns.shape
    n_words = keys.shape[1]
    d = np.empty((n_attributes, BLOCK))
    levels = np.empty((n_attributes, BLOCK), np.uint8)
    words = np.empty((n_words, BLOCK), np.int64)
    for i in range(first, queries.shape[0]):
        if 2 * (used + n_points) > len(counts):
            return i, used
        for start in range(0, n_points, BLOCK):
            stop = min(start + BLOCK, n_points)
            fill_words(queries, i, columns, start, stop, rules, graded, d, levels, words)
            for j in range(stop - start):
                slot = find_slot(words, j, keys, counts)
                if counts[slot] == 0:
                    used += 1
                    for w in range(n_words):
                        keys[slot, w] = words[w, j]
                counts[slot] += query_weights[i] * point_weights[start + j]
    return queries.shape[0], used


@kernel
def list_rows(
    queries: FloatArray,
    columns: FloatArray,
    point_weights: IntArray,
    rules: AttributeRules,
    graded: Limits,
    ends: IntArray,
    listed: IntArray,
    sizes: ShortArray,
) -> int:
    """List the distinct patterns of each query: their words in ``listed``, how many pairs have them in ``sizes``.

    The list of query i ends before ``ends[i]``. Returns the length of the lists. A table as in `count_rows`, for the
    patterns of one query at a time, has the place in the list plus one instead of a count.
    """
    n_attributes, n_points = columns.shape
    n_words = listed.shape[1]
    d = np.empty((n_attributes, BLOCK))
    levels = np.empty((n_attributes, BLOCK), np.uint8)
    words = np.empty((n_words, BLOCK), np.int64)
    n_slots = 2
    while n_slots < 2 * n_points:
        n_slots *= 2
    keys, places = np.empty((n_slots, n_words), np.int64), np.zeros(n_slots, np.int64)
    used = np.empty(n_points, np.int64)
    length = 0
    for i in range(queries.shape[0]):
        first = length
        for start in range(0, n_points, BLOCK):
            stop = min(start + BLOCK, n_points)
            fill_words(queries, i, columns, start, stop, rules, graded, d, levels, words)
            for j in range(stop - start):
                slot = find_slot(words, j, keys, places)
                if places[slot] == 0:
                    used[length - first] = slot
                    for w in range(n_words):
                        keys[slot, w] = words[w, j]
                        listed[length, w] = words[w, j]
                    sizes[length] = 0
                    length += 1
                    places[slot] = length
                sizes[places[slot] - 1] += point_weights[start + j]
        for entry in range(length - first):
            places[used[entry]] = 0
        ends[i] = length
    return length


@kernel
def move_patterns(keys: IntArray, counts: IntArray, larger_keys: IntArray, larger_counts: IntArray) -> None:
    """Move a table into a larger, empty one."""
    n_words = keys.shape[1]
    words = np.empty((n_words, 1), np.int64)
    for slot in range(len(counts)):
        if counts[slot] != 0:
            for w in range(n_words):
                words[w, 0] = keys[slot, w]
            place = find_slot(words, 0, larger_keys, larger_counts)
            for w in range(n_words):
                larger_keys[place, w] = words[w, 0]
            larger_counts[place] = counts[slot]


@lean_kernel
def decode_patterns(keys: IntArray, levels: LevelArray) -> None:
    """Write the levels of each pattern, one row per pattern."""
    for p in range(levels.shape[0]):
        for k in range(levels.shape[1]):
            levels[p, k] = (keys[p, k // PER_WORD] >> (4 * (k % PER_WORD))) & 15


@lean_kernel
def add_levels(levels: LevelArray, table: FloatArray, sums: FloatArray) -> None:
    """Add up, for each pattern, the entries of its levels in a table (one row per attribute), first attribute first."""
    for p in range(levels.shape[0]):
        total = 0.0
        for k in range(levels.shape[1]):
            total += table[k, levels[p, k]]
        sums[p] = total

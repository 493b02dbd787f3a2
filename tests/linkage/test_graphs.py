"""Graphs: what hangs together, and lists by one end, against scipy."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from linkrisk.arrays import IntArray
from linkrisk.linkage.matching.graph_kernels import label_components, label_strong_components
from linkrisk.linkage.matching.scores import listed_by


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, IntArray, IntArray]:
    """Draw a number of nodes, and edges between them, some of them twice, some from a node to itself."""
    n_nodes = draw(st.integers(1, 9))
    ends = st.lists(st.tuples(st.integers(0, n_nodes - 1), st.integers(0, n_nodes - 1)), max_size=20)
    edges = np.array(draw(ends), dtype=np.int64).reshape(-1, 2)
    return n_nodes, edges[:, 0].copy(), edges[:, 1].copy()


def matrix_of(n_nodes: int, tails: IntArray, heads: IntArray) -> coo_array:
    """Return the graph as scipy wants it."""
    return coo_array((np.ones(len(tails)), (tails, heads)), shape=(n_nodes, n_nodes))


@given(graphs())
def test_parts_are_numbered_as_by_scipy(graph: tuple[int, IntArray, IntArray]) -> None:
    """By their first nodes, so that the labels themselves are equal."""
    n_nodes, tails, heads = graph
    n_parts, expected = connected_components(matrix_of(*graph), directed=False)
    label = np.empty(n_nodes, dtype=np.int64)
    assert label_components(tails, heads, label) == n_parts
    assert label.tolist() == expected.tolist()


@given(graphs())
def test_strong_parts_are_those_of_scipy(graph: tuple[int, IntArray, IntArray]) -> None:
    """The same nodes share a number, whatever the number is."""
    n_nodes, tails, heads = graph
    n_parts, expected = connected_components(matrix_of(*graph).tocsr(), directed=True, connection="strong")
    order, start = listed_by(tails, n_nodes)
    label = np.empty(n_nodes, dtype=np.int64)
    assert label_strong_components(start, heads[order], label) == n_parts
    assert (label[:, None] == label).tolist() == (expected[:, None] == expected).tolist()


def test_a_long_circle_is_one_part() -> None:
    """No recursion, however long the path."""
    n_nodes = 50_000
    tails = np.arange(n_nodes)
    heads = np.roll(tails, 1)
    label = np.empty(n_nodes, dtype=np.int64)
    assert label_strong_components(np.arange(n_nodes + 1), heads, label) == 1
    assert label_components(tails, heads, label) == 1


@given(st.lists(st.integers(0, 6), max_size=30))
def test_lists_by_one_end(keys: list[int]) -> None:
    """Each place once, those of a key in ascending order."""
    places = np.array(keys, dtype=np.int64)
    order, start = listed_by(places, 7)
    assert start.tolist() == [0, *np.cumsum(np.bincount(places, minlength=7)).tolist()]
    assert order.tolist() == np.argsort(places, kind="stable").tolist()

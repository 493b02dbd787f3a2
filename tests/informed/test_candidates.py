"""Who is listed for a released record: the boxes of originals against all pairs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from linkrisk.engine.jit import kernel
from linkrisk.informed.candidate_kernels import TIED
from linkrisk.informed.candidates import CANDIDATES, LEFT_OUT, NEGLIGIBLE, fitting_share, full_length, score_pairs
from linkrisk.informed.methods.rank_swap import partners
from linkrisk.informed.term_kernels import cost_of
from linkrisk.informed.terms import TermList
from linkrisk.informed.tree import make_forest
from linkrisk.informed.tree_kernels import least_cost
from tests.oracle import informed as twin

seeds = st.integers(0, 2**32 - 1)
Rows = list[dict[str, Any]]

TERMS = ("gaussian", "interval", "tent", "table", "equal")


def draw_terms(seed: int, kinds: list[str], n: int, m: int) -> tuple[TermList, Rows]:
    """Draw terms of some kinds with ties and gaps, and the same as what the twin takes."""
    random = np.random.default_rng(seed)
    terms, rows = TermList(n, m), []
    for kind in kinds:
        if kind == "interval":
            x, y = (np.sort(random.integers(0, 12, (size, 2)).astype(float), axis=1) for size in (n, m))
            x[random.random(n) < 0.1] = -np.inf, np.inf
            terms.add_interval(x[:, 0], x[:, 1], y[:, 0], y[:, 1])
            rows.append({"kind": kind, "x": x.tolist(), "y": y.tolist()})
        elif kind == "table":
            costs = -np.log(random.dirichlet(np.ones(4), 5))
            costs[random.random((5, 4)) < 0.1] = np.inf
            a, b = random.integers(-1, 5, n), random.integers(-1, 4, m)
            terms.add_table(a, b, costs)
            rows.append({"kind": kind, "x": a[:, None].tolist(), "y": b[:, None].tolist(), "table": costs.tolist()})
        elif kind == "equal":
            a, b = random.integers(0, 3, n), random.integers(0, 4, m)
            terms.add_equal(a, b)
            rows.append({"kind": "interval", "x": np.c_[a, a].tolist(), "y": np.c_[b, b].tolist()})
        else:
            size = 4.0 if kind == "gaussian" else 0.8
            u, v = (np.round(size * random.normal(size=count), int(random.integers(0, 4))) for count in (n, m))
            u[random.random(n) < 0.1], v[random.random(m) < 0.1] = np.nan, np.nan
            (terms.add_gaussian if kind == "gaussian" else terms.add_tent)(u, v)
            rows.append({"kind": kind, "x": u[:, None].tolist(), "y": v[:, None].tolist()})
    return terms, rows


def twin_cost(rows: Rows, i: int, j: int) -> float:
    """Add up all terms of a pair."""
    return sum(twin.term_cost(r["kind"], r["x"][i], r["y"][j], r.get("table", ())) for r in rows)


def listed(terms: TermList, n_listed: int) -> list[dict[int, float]]:
    """Return the lists of all released records."""
    scores, _ = score_pairs(terms, n_candidates=n_listed)
    return [
        dict(zip(scores.original[a:b].tolist(), (-scores.value[a:b]).tolist(), strict=True))
        for a, b in zip(scores.start[:-1], scores.start[1:], strict=True)
    ]


@settings(max_examples=60, deadline=None)
@given(seed=seeds, kinds=st.lists(st.sampled_from(TERMS), max_size=4), n_listed=st.integers(1, 40))
def test_lists_are_those_of_all_pairs(seed: int, kinds: list[str], n_listed: int) -> None:
    """Whoever the boxes pass over is not among the likeliest; ties at the end of a list leave it together."""
    terms, rows = draw_terms(seed, kinds, 70, 12)
    found = listed(terms, n_listed)
    for j, own in enumerate(found):
        costs = [twin_cost(rows, i, j) for i in range(70)]
        expected = twin.likeliest(costs, n_listed, NEGLIGIBLE, TIED)
        assert own.keys() == expected.keys()
        assert own == pytest.approx(expected, rel=1e-9, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, kinds=st.lists(st.sampled_from(TERMS), max_size=3))
@example(seed=1, kinds=["equal", "tent"])  # in the box of the one there are others who cannot be
def test_one_and_none_are_counted(seed: int, kinds: list[str]) -> None:
    """Whether nobody, one person or several can be a record is known, however few are looked at."""
    terms, rows = draw_terms(seed, kinds, 50, 20)
    _, possible = score_pairs(terms, n_candidates=2)
    for j in range(20):
        count = sum(twin_cost(rows, i, j) < math.inf for i in range(50))
        assert min(possible[j], 2) == min(count, 2)


@kernel
def _least(terms: Any, tree: Any, node: int, j: int) -> float:
    return float(least_cost(terms, tree, node, j))


@settings(max_examples=40, deadline=None)
@given(seed=seeds, kinds=st.lists(st.sampled_from(TERMS), min_size=1, max_size=4))
def test_nobody_in_a_box_costs_less_than_the_box(seed: int, kinds: list[str]) -> None:
    """The bound of a box holds for everyone in it, and every record is in one leaf of the tree of its key."""
    terms = draw_terms(seed, kinds, 60, 5)[0].finished()
    forest = make_forest(terms)
    tree = forest.tree
    assert sorted(tree.original.tolist()) == list(range(60))
    leaves = [box for box in range(tree.child.size) if tree.child[box] < 0]
    assert sum(int(tree.end[box] - tree.begin[box]) for box in leaves) == 60
    for box in range(tree.child.size):
        for j in range(5):
            bound = _least(forest.terms, tree, box, j)
            for i in tree.original[tree.begin[box] : tree.end[box]].tolist():
                if terms.x_key[i] == terms.y_key[j]:
                    assert bound <= cost_of(terms, i, j, np.inf) + 1e-12


@settings(max_examples=40, deadline=None)
@given(seed=seeds, n_attributes=st.integers(1, 3), known=st.sampled_from((1.0, 0.6)))
def test_implied_pairs_count_together(seed: int, n_attributes: int, known: float) -> None:
    """Where values changed places in pairs, lists hold the cost of all pairs that one implies."""
    random = np.random.default_rng(seed)
    n = 14
    terms, swaps, windows = TermList(n, n), [], []
    people = random.permutation(n)  # whose the released records are
    for _ in range(n_attributes):
        x = random.permutation(n).astype(float)
        order = random.permutation(n)
        swapped = x.copy()
        swapped[order[::2]], swapped[order[1::2]] = x[order[1::2]], x[order[::2]]
        y = swapped[people]
        terms.add_interval(x, x, y - 9, y + 9)
        windows.append({"kind": "interval", "x": np.c_[x, x].tolist(), "y": np.c_[y - 9, y + 9].tolist()})
        has, had = np.argsort(y)[x.astype(int)], np.argsort(x)[y.astype(int)]
        has[random.random(n) < 0.1], had[random.random(n) > known] = -2, -1
        has[random.random(n) < 0.05] = -1
        terms.add_swap(has, had)
        swaps.append((has, had))
    has, had = (np.column_stack(side).tolist() for side in zip(*swaps, strict=True))
    gain = -math.log(fitting_share(terms.finished(), 0))
    for j, own in enumerate(listed(terms, 5)):
        costs = [twin.implied_cost((i, j), lambda a, b: twin_cost(windows, a, b), has, had, gain) for i in range(n)]
        expected = twin.likeliest(costs, 5, NEGLIGIBLE, TIED)
        assert own == pytest.approx(expected, rel=1e-9)


def test_records_released_alike_have_the_same_list() -> None:
    """They are looked at once."""
    random = np.random.default_rng(1)
    terms = TermList(40, 9)
    terms.add_gaussian(random.normal(size=40), np.repeat(random.normal(size=3), 3))
    found = listed(terms, 6)
    assert found[0] == found[1] == found[2] != found[3]


@settings(max_examples=60, deadline=None)
@given(seed=seeds, n=st.integers(1, 9), m=st.integers(1, 9))
def test_who_holds_a_value(seed: int, n: int, m: int) -> None:
    """Who shows the value of each person, and who had that of each record, where it is single in the release."""
    random = np.random.default_rng(seed)
    x, y = (random.choice([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, np.nan], size) for size in (n, m))
    has, had = partners(x, y)
    assert has.tolist() == twin.holders(x.tolist(), y.tolist(), y.tolist())
    assert had.tolist() == twin.holders(y.tolist(), x.tolist(), y.tolist())


def test_too_many_who_fit_explain_a_record_too() -> None:
    """A record that more people fit than are listed has no list, but can be somebody's."""
    terms = TermList(50, 3)
    terms.add_interval(np.zeros(50), np.ones(50), np.array([0.0, 0.0, 2.0]), np.array([1.0, 1.0, 3.0]))
    scores, possible = score_pairs(terms, n_candidates=10)
    assert scores.n_pairs == 0
    assert (possible > 0).tolist() == [True, True, False]


def test_full_lists_leave_hardly_anybody_out() -> None:
    """What full lists leave out of the likelihood is small, by enumeration; the usual ones leave out many."""
    random = np.random.default_rng(5)
    x = random.normal(size=(150, 2)) * 0.8
    y = x + random.normal(size=x.shape)
    terms = TermList(len(x), len(y))
    for column in range(2):
        terms.add_gaussian(x[:, column], y[:, column])
    length = full_length(terms)
    assert length is not None
    assert length < len(x)
    assert twin.left_out(x.tolist(), y.tolist(), length) <= LEFT_OUT
    assert twin.left_out(x.tolist(), y.tolist(), length - 1) > LEFT_OUT
    assert twin.left_out(x.tolist(), y.tolist(), CANDIDATES) > 0.1

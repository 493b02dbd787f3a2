"""Proofs by boxes: made by a plain search in fractions, accepted; changed, never a wrong bound."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.verifier import check_certificate
from linkrisk.verifier.boxes.tree import read_box_tree
from linkrisk.verifier.boxes.walk import BoxWalk
from linkrisk.verifier.problem.worths import Worths
from linkrisk.verifier.verification import Rejection
from tests.linkage.files import numeric_files
from tests.verifier.box_proofs import BoxProof, TooManyBoxesError
from tests.verifier.certificates import make_twin, proven_bound, signed, write_certificate
from tests.verifier.test_features import make_instance
from tests.verifier.twins import Twin, sweep

FLOOR = 0.03125


def certified(
    attacker: str, seed: int, *, ties: str = "unique", groups: bool = True, cores: bool = True
) -> tuple[Comparison, Twin, Fraction, dict[str, Any]]:
    """Return a small file with its optimum and a certificate of it."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 8, (5, 2)).astype(float)
    comparison = make_comparison(numeric_files(x, x + rng.integers(-3, 4, x.shape)))
    weights = None if seed % 3 else [float(w) for w in rng.integers(1, 4, 5)]
    twin = make_twin(comparison, attacker, ties=ties, weights=weights)
    floor = Fraction(FLOOR if attacker == "weighted_mean_metric" else 0)
    best, s = sweep(twin, floor, 1 - floor)
    theta = [1.0 - float(s), float(s)]
    assume(twin.links(theta) == best)
    try:
        proof = BoxProof(twin, 2, floor, best, groups=groups, cores=cores).to_dict()
    except TooManyBoxesError:
        assume(False)
    certificate = write_certificate(
        comparison, attacker, theta, float(best), proof=proof, ties=ties, weights=weights,
        options={"floor": FLOOR} if floor else None,
    )  # fmt: skip
    return comparison, twin, best, certificate


@pytest.mark.slow
@pytest.mark.parametrize("attacker", ["weighted_mean", "owa", "weighted_mean_metric"])
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), ties=st.sampled_from(["unique", "class", "expected"]), flags=st.integers(0, 3))
def test_box_proofs_are_accepted(attacker: str, seed: int, ties: str, flags: int) -> None:
    """The exact optimum is accepted with a tree of boxes, whatever means it uses; a bound below it is not."""
    comparison, _, best, certificate = certified(
        attacker, seed, ties=ties, groups=bool(flags & 1), cores=bool(flags & 2)
    )
    verdict = check_certificate(certificate, comparison)
    assert verdict, verdict
    assert verdict.n_checked["boxes"] >= 2
    less = max(0.0, float(best) - 0.125)
    assert best == 0 or not check_certificate(signed(certificate, bound=less, status="time_limit"), comparison)


@pytest.mark.slow
@settings(max_examples=100)
@given(data=st.data())
def test_changed_box_proofs_prove_nothing_wrong(data: st.DataObject) -> None:
    """*Guarantee* of `verify`: a box proof in which one number was changed shows no bound that is too low."""
    seed, flags = data.draw(st.integers(0, 50)), data.draw(st.integers(0, 3))
    comparison, _, best, certificate = certified("weighted_mean", seed, groups=bool(flags & 1), cores=bool(flags & 2))
    tampered = copy.deepcopy(certificate)
    keys = [key for key, values in tampered["proof"].items() if isinstance(values, list) and values]
    column = tampered["proof"][data.draw(st.sampled_from(keys))]
    place = data.draw(st.integers(0, len(column) - 1))
    if isinstance(column[place], float):
        column[place] = data.draw(st.sampled_from([0.0, 0.5, 1.0, 2.0, -1.0, column[place] * 1.5, 1e300]))
    elif data.draw(st.booleans()):
        column[place] += data.draw(st.sampled_from([-1, 1, 2]))
    else:
        del column[place]
    proven = proven_bound(signed(tampered), comparison)
    assert proven is None or proven >= best


@settings(max_examples=1)
@given(seed=st.just(5))
def test_wrong_box_proofs_are_caught(seed: int) -> None:
    """Trees that lack a face, a leaf or a column, and groups and cores that are none."""
    comparison, _, best, certificate = certified("weighted_mean", seed)
    proof = certificate["proof"]
    assert check_certificate(certificate, comparison)
    assert best > 0
    changes: list[dict[str, Any]] = [
        {"divisions": proof["divisions"][:-1]},
        {"divisions": [*proof["divisions"], -1]},
        {"divisions": [2, *proof["divisions"][1:]]},
        {"divisions": [-1, -1], "n_lost": [0, 0], "n_sets": [0, 0]},
        {"cuts": [*proof["cuts"], 0.5]},
        {"n_lost": [0] * len(proof["n_lost"])},
        {"n_lost": [99, *proof["n_lost"][1:]]},
        {"lost_to": proof["lost_records"]},
        {"lost_records": [5.0] * len(proof["lost_records"])},
        {"more": []},
    ]
    for change in changes:
        assert not check_certificate(signed(certificate, proof={**proof, **change}), comparison), change
    assert not check_certificate(
        signed(certificate, attacker={"name": "choquet"}, parameters=[0.5, 0.5, 1.0]), comparison
    )
    empty = {key: [] if isinstance(value, list) else value for key, value in proof.items()}
    assert not check_certificate(signed(certificate, proof=empty), comparison)
    everybody = sum(certificate["weights"] or [1.0] * 5)
    assert check_certificate(signed(certificate, proof=empty, bound=everybody, status="time_limit"), comparison)
    missing = {key: value for key, value in proof.items() if key != "n_sets"}
    assert not check_certificate(signed(certificate, proof=missing), comparison)


def walk_bound(boxes: list[tuple[int, list[int], list[tuple[int, int, int]]]], worths: list[int]) -> Fraction:
    """Return the bound of a chain of boxes below one face: division, losses, and conflicts (group, a, b) of each."""
    comparison = make_comparison(numeric_files(np.eye(len(worths), 1), np.eye(len(worths), 1)))
    instance = make_instance(comparison, "weighted_mean", weights=[float(w) for w in worths])
    proof = {
        "divisions": [division for division, _, _ in boxes],
        "cuts": [],
        "n_lost": [len(lost) for _, lost, _ in boxes],
        "lost_records": [i for _, lost, _ in boxes for i in lost],
        "lost_to": [(i + 1) % len(worths) for _, lost, _ in boxes for i in lost],
        "n_sets": [len(pairs) for _, _, pairs in boxes],
        "groups": [group for _, _, pairs in boxes for group, _, _ in pairs],
        "n_rows": [2 for _, _, pairs in boxes for _ in pairs],
        "row_records": [i for _, _, pairs in boxes for _, *pair in pairs for i in pair],
        "row_to": [(i + 1) % len(worths) for _, _, pairs in boxes for _, *pair in pairs for i in pair],
        "multipliers": [1.0 for _, _, pairs in boxes for _ in range(2 * len(pairs))],
    }
    return BoxWalk(Worths(instance, []), read_box_tree(proof, instance, 1)).bound()


def test_groups_count_once() -> None:
    """Of a group one record counts, the most worth of those not lost; members in conflict with few leave it."""
    worths = [5, 3, 2, 1]
    assert walk_bound([(-1, [], [])], worths) == 11
    assert walk_bound([(-1, [1], [])], worths) == 8
    assert walk_bound([(-1, [], [(0, 0, 1)])], worths) == 8
    assert walk_bound([(-1, [], [(0, 0, 1), (0, 0, 2), (0, 1, 2)])], worths) == 6
    assert walk_bound([(-3, [], [(0, 0, 1)]), (-1, [0], [])], worths) == 6
    assert walk_bound([(-3, [], [(0, 0, 1)]), (-1, [], [(0, 1, 2)])], worths) == 9  # 0 leaves the group
    assert walk_bound([(-3, [], [(0, 0, 1)]), (-1, [], [(1, 1, 2)])], worths) == 9  # 1 changes the group
    assert walk_bound([(-2, [], [(-1, 0, 2)]), (-1, [], []), (-1, [], [])], worths) == 9
    with pytest.raises(Rejection, match="conflict"):
        walk_bound([(-1, [], [(0, 0, 1), (0, 1, 2)])], worths)
    with pytest.raises(Rejection, match="two records"):
        walk_bound([(-1, [], [(0, 1, 1)])], worths)
    with pytest.raises(Rejection, match="core"):
        walk_bound([(-1, [], [(-1, 0, 1)])], worths)
    with pytest.raises(Rejection, match="core"):
        walk_bound([(-2, [], [(0, 0, 1)]), (-1, [], [])], worths)

"""A user's own family that breaks the contract: one sentence that says what is wrong, before any long work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import linkrisk
from linkrisk.data import pair_files
from linkrisk.differences import make_comparison
from linkrisk.distances.family import Family
from linkrisk.errors import ParameterError
from linkrisk.learning.learn import learn
from linkrisk.learning.problem.contract import check_contract
from tests.learning.families import FAMILIES, LargestAndSum, noisy


def broken(member: str, method: Callable[..., Any]) -> Any:
    """Make a family with one method that is not as it should be."""
    return type("Broken", (LargestAndSum,), {member: method})()


def two(first: Any, second: Any) -> Any:
    """Put two features side by side."""
    return np.stack([first, second], axis=1)


BROKEN: dict[str, tuple[str, Callable[..., Any], str]] = {
    "too many": ("features", lambda _, d: np.stack([d.sum(axis=1)] * 3, axis=1), r"2 numbers, one for each parameter"),
    "no rows": ("features", lambda _, d: d.sum(axis=1), r"the shape is \(4,\)"),
    "nan": ("features", lambda _, d: two(d.max(axis=1) * np.nan, d.sum(axis=1)), "must be finite"),
    "a constant": ("features", lambda _, d: two(d.max(axis=1), d.sum(axis=1) + 1), "must scale with the differences"),
    "a square": ("features", lambda _, d: two(d.max(axis=1), d.sum(axis=1) ** 2), "must scale with the differences"),
    "a share": ("features", lambda _, d: two(d.max(axis=1), d.sum(axis=1) / 10), "multiply by a common factor"),
    "a logarithm": ("features", lambda _, d: two(d.max(axis=1), np.log1p(d.sum(axis=1))), "features ends in TypeError"),
    "two answers": ("features", lambda _, d: two(d.max(axis=1), d.sum(axis=1) * (1 + (d.dtype == object))), "the same"),
    "short profile": ("profile", lambda _, d: d[:2], "profile must return None"),
    "no profile": ("profile", lambda _, d: d * np.nan, "profile must return None"),
    "no distance": ("distance", lambda *_: None, "distance must return a Distance"),
    "no meaning": ("meaning", lambda *_: ("much",), "meaning must return a Meaning"),
    "one label": ("parameter_labels", lambda *_: ("weight", "weight"), "a different label for each parameter"),
    "no set": ("parameter_set", lambda *_: None, "parameter_set must return a ParameterSet"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_families_are_refused(case: str) -> None:
    """What the learner rests on is tried out; an answer that looks proven, but is not, must not come out."""
    member, method, sentence = BROKEN[case]
    with pytest.raises(ParameterError, match=sentence):
        learn(broken(member, method), noisy(0, 20, 3, 0.6))


def test_a_family_that_lacks_a_member() -> None:
    """The first that is missing is named, by `assess` too."""

    class Half(Family):
        name = "half"
        parameter_set = LargestAndSum.parameter_set

    family = Half()
    with pytest.raises(ParameterError, match="Half lacks is_signed"):
        learn(family, noisy(0, 20, 3, 0.6))
    with pytest.raises(ParameterError, match="Half lacks is_signed"):
        linkrisk.assess(np.eye(3), np.eye(3), attackers=[family])


def test_a_class_that_is_no_family() -> None:
    """Features alone do not make one."""

    class Alone:
        features = LargestAndSum.features

    stranger: Any = Alone()
    with pytest.raises(ParameterError, match="Alone is no family of distances; derive it from Family"):
        learn(stranger, noisy(0, 20, 3, 0.6))
    with pytest.raises(ParameterError, match="Alone is no attacker; give a name such as 'weighted_mean'"):
        linkrisk.assess(np.eye(3), np.eye(3), attackers=[stranger])


@pytest.mark.parametrize("n_attributes", [1, 2, 5])
@pytest.mark.parametrize("name", FAMILIES)
def test_all_families_keep_the_contract(name: str, n_attributes: int) -> None:
    """Those that are built in do, for any number of attributes."""
    values = np.arange(3.0 * n_attributes).reshape(3, n_attributes)
    comparison = make_comparison(pair_files(values, values))
    check_contract(FAMILIES[name], FAMILIES[name].parameter_set(n_attributes), comparison)

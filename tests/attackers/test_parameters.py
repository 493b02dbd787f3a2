"""Parameters that cannot be used: the message names the culprit and the remedy, and nothing else is raised."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from linkrisk.attackers import ATTACKERS, LearnedAttacker, make_attacker
from linkrisk.differences import Comparison, make_comparison
from linkrisk.distances.additive_choquet import AdditiveChoquetFamily
from linkrisk.errors import ParameterError
from linkrisk.learning.learn import learn
from tests.linkage.files import numeric_files

PAIR = {"V1": 0.5, "V2": 0.5}
FULL = {**PAIR, "V1,V2": 1.0}
SQUARE = [[1.0, 0.0], [0.0, 1.0]]


def numbers(n_attributes: int = 2) -> Comparison:
    """Compare some attributes."""
    rng = np.random.default_rng(0)
    return make_comparison(numeric_files(rng.normal(size=(5, n_attributes)), rng.normal(size=(5, n_attributes))))


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("weighted_mean", {"weights": [math.nan, 1]}, "weight of 'V1' is not a finite number; give"),
    ("weighted_mean", {"weights": {"V1": 0.5, "V2": math.inf}}, "weight of 'V2' is not a finite number"),
    ("weighted_mean", {"weights": [1.5, -0.5]}, "weight of 'V2' is negative; weights are >= 0"),
    ("weighted_mean", {"weights": [0.5, 0.6]}, "sum to 1.1, not 1; divide them by their sum"),
    ("weighted_mean", {"weights": [1.0]}, "1 weights for 2 attributes; give one for each"),
    ("weighted_mean", {"weights": {"V1": 1.0}}, "no weight for attribute 'V2'; give 0 to leave it out"),
    ("weighted_mean", {"weights": {**PAIR, "V9": 0}}, "unknown attribute 'V9'; the attributes are V1, V2"),
    ("weighted_mean", {"weights": ["a", "b"]}, "weights must be numbers"),
    ("weighted_mean", {"weights": {"V1": None, "V2": 1.0}}, "weight of 'V1' is not a finite number"),
    ("weighted_mean_metric", {"weights": [0.0, 1.0]}, "weight of 'V1' is below 0.0001; raise it, or use weighted_mean"),
    ("weighted_mean_metric", {"weights": [0.5, 0.5], "floor": math.nan}, "floor must be a number above 0"),
    ("owa", {"weights": [0.5, math.nan]}, "weight 2 is not a finite number"),
    ("owa", {"weights": [-0.5, 1.5]}, "weight 1 is negative"),
    ("owa", {"weights": [0.2, 0.2]}, "sum to 0.4, not 1"),
    ("owa", {"weights": {"V1": 0.5, "V2": 0.5}}, "weights must be numbers, one for each attribute"),
    ("choquet", {"measure": {**FULL, "V1": math.nan}}, "value of {V1} is not a finite number"),
    ("choquet", {"measure": {**FULL, "V1": "much"}}, "value of {V1} is not a finite number"),
    ("choquet", {"measure": PAIR}, "1 of 3 subsets have no value, the first being {V1, V2}; give every subset"),
    ("choquet", {"measure": {**FULL, "V1,V2": 0.9}}, "all attributes must have measure 1; divide all"),
    ("choquet", {"measure": {**FULL, "V2": 1.2}}, "not monotone, {V1, V2} weighs less than {V2}; a larger"),
    ("choquet", {"measure": {**FULL, "V2": -0.2}}, "not monotone, {V2} weighs less than {}"),
    ("choquet", {"measure": {**FULL, "": 0.1}}, "the empty set must have measure 0; leave it out"),
    ("choquet", {"measure": {**FULL, "V9": 0.1}}, "unknown attribute 'V9'"),
    ("choquet", {"measure": {**FULL, "V2,V1": 1.0}}, "the set {V1, V2} is given twice"),
    ("choquet", {"measure": FULL, "mobius": FULL}, "has a measure and a Möbius transform; give one of them"),
    ("choquet", {"mobius": {**PAIR, "": 0.1}}, "empty set must have Möbius value 0"),
    ("choquet", {"mobius": {"V1": 0.5}}, "all attributes must have measure 1"),
    ("choquet", {"mobius": {"V1": -0.5, "V2": 1.5}}, "not monotone"),
    ("choquet", {"mobius": {"V1": 0.2, "V2": 0.2, "V1,V2": 0.6}, "additivity": 1}, "not 1-additive.*raise additivity"),
    ("choquet", {"mobius": PAIR, "additivity": math.nan}, "additivity must be a whole number of at least 1"),
    ("choquet", {"mobius": PAIR, "additivity": 0}, "additivity must be a whole number of at least 1"),
    ("choquet_metric", {"measure": {"V1": 0.2, "V2": 0.2, "V1,V2": 1.0}}, "not submodular at {V1, V2}; use choquet"),
    ("choquet_metric", {"measure": {"V1": 0.0, "V2": 1.0, "V1,V2": 1.0}}, "V1 alone must have a positive measure"),
    ("bilinear", {"matrix": [[1.0, 0.5], [0.4, 1.0]]}, r"not symmetric at \(V1, V2\); use half the sum"),
    ("bilinear", {"matrix": [[1.0, 0.0], [0.0, math.nan]]}, r"entry \(V2, V2\) .* not a finite number"),
    ("bilinear", {"matrix": [[1.0]]}, "must have 2 rows and columns, one for each of V1, V2"),
    ("bilinear", {"matrix": [[1.0, 2.0], [2.0]]}, "must hold numbers, 2 rows and columns"),
    ("bilinear", {"matrix": [[1.0, "x"], ["x", 1.0]]}, "must hold numbers"),
    ("bilinear", {"matrix": {"V1": {"V1": 1.0}, "V2": {"V2": 1.0}}}, "lacks an entry for 'V2'; give a row"),
    ("bilinear", {"matrix": {"V1": 1.0, "V2": 1.0}}, "lacks an entry; give a row and a column"),
    ("bilinear", {"matrix": {"V9": {"V1": 1.0}}}, "'V9', no attribute; name only V1, V2"),
    ("bilinear_psd", {"matrix": [[1.0, 2.0], [2.0, 1.0]]}, "negative eigenvalue; use bilinear_free, or"),
    ("bilinear_psd", {"matrix": [[1.0, 0.0], [0.0, -1e-9]]}, "negative eigenvalue"),
    ("kernel", {"degree": math.nan}, "degree must be a whole number from 1 to 8"),
    ("kernel", {"degree": 1.5}, "degree must be a whole number from 1 to 8"),
    ("kernel", {"degree": 0}, "degree must be a whole number from 1 to 8"),
    ("kernel", {"degree": True}, "degree must be a whole number from 1 to 8"),
    ("kernel", {"degree": "two"}, "degree must be a whole number from 1 to 8"),
]


@pytest.mark.parametrize(("name", "parameters", "message"), WRONG)
def test_wrong_parameters_are_named(name: str, parameters: dict[str, Any], message: str) -> None:
    """One clear sentence, raised before any linking."""
    literal = message if "\\" in message or ".*" in message else message.replace("{", r"\{").replace("}", r"\}")
    with pytest.raises(ParameterError, match=literal) as caught:
        make_attacker(name, parameters).distance(numbers())
    assert "\n" not in str(caught.value)


def test_many_attributes_need_additivity() -> None:
    """More than 16 attributes: a full measure cannot be given, a transform must say how far it goes."""
    seventeen = numbers(17)
    equal = dict.fromkeys(seventeen.names, 1 / 17)
    for parameters in ({"mobius": equal}, {"measure": equal, "additivity": 1}):
        with pytest.raises(ParameterError, match=r"17 attributes have too many subsets .* additivity=2"):
            make_attacker("choquet", parameters).distance(seventeen)
    assert make_attacker("choquet", {"mobius": equal, "additivity": 1}).distance(seventeen).theta.size == 17
    with pytest.raises(ParameterError, match="given for 2 attributes, but additivity=1; raise"):
        make_attacker("choquet", {"mobius": {**equal, "V1,V2": 0.0}, "additivity": 1}).distance(seventeen)
    with pytest.raises(ParameterError, match=r"sum to 0\.941176, not 1; divide"):
        make_attacker("choquet", {"mobius": dict(list(equal.items())[1:]), "additivity": 1}).distance(seventeen)
    skewed = {**equal, "V1": -1 / 17, "V2": 3 / 17}
    with pytest.raises(ParameterError, match="not shown to be monotone in 'V1'"):
        make_attacker("choquet", {"mobius": skewed, "additivity": 1}).distance(seventeen)
    with pytest.raises(ParameterError, match="submodularity is checked for at most 16 attributes"):
        make_attacker("choquet_metric", {"mobius": equal, "additivity": 1}).distance(seventeen)


@pytest.mark.parametrize("name", sorted(ATTACKERS))
def test_attackers_say_what_they_need(name: str) -> None:
    """Without parameters an attacker works, or is to be learned; asked for a distance then, he says so."""
    attacker = make_attacker(name)
    assert attacker.name == name
    assert attacker.is_learned == (attacker.family() is not None) == isinstance(attacker, LearnedAttacker)
    if attacker.is_learned:
        with pytest.raises(ParameterError, match=f"{name}: its parameters are still to be learned; give them"):
            attacker.distance(numbers())
    elif attacker.is_scaled:
        assert attacker.distance(numbers()).coordinates.n_attributes == 2
    else:
        with pytest.raises(ParameterError, match=f"{name} measures no distance"):
            attacker.distance(numbers())
    if not attacker.is_learned:
        with pytest.raises(ParameterError, match=f"{name}: there is nothing to learn"):
            attacker.with_parameters(np.ones(2), ("V1", "V2"))
    with pytest.raises(ParameterError, match="unknown parameter 'colour'"):
        make_attacker(name, {"colour": 1})


def test_unknown_attackers_get_a_suggestion() -> None:
    """The nearest name, and the list."""
    with pytest.raises(ParameterError, match="unknown attacker 'mahalanobi', did you mean 'mahalanobis'"):
        make_attacker("mahalanobi")


def test_subsets_may_be_named_in_three_ways() -> None:
    """Names joined by commas (blanks do not matter), tuples and frozensets are one."""
    ways: list[Any] = ["V1, V2", ("V2", "V1"), frozenset({"V1", "V2"})]
    thetas = [make_attacker("choquet", {"measure": {**PAIR, way: 1.0}}).distance(numbers()).theta for way in ways]
    assert [theta.tolist() for theta in thetas] == [[0.0, 0.5, 0.5, 1.0]] * 3


def test_matrices_by_name_and_by_order_are_one() -> None:
    """A table of tables in any order."""
    by_name = {"V2": {"V2": 2.0, "V1": 0.5}, "V1": {"V1": 1.0, "V2": 0.5}}
    one, two = (make_attacker("bilinear_free", {"matrix": m}) for m in (by_name, [[1.0, 0.5], [0.5, 2.0]]))
    np.testing.assert_array_equal(one.distance(numbers()).theta, two.distance(numbers()).theta)


def test_additivity_beyond_the_attributes_is_said() -> None:
    """It is a full measure then, learned or given; as many as there are attributes need no word."""
    comparison = numbers()
    for additivity, n_notes in ((2, 0), (3, 1)):
        given = make_attacker("choquet", {"mobius": PAIR, "additivity": additivity}).distance(comparison)
        family = AdditiveChoquetFamily(additivity)
        learned = family.distance(learn(family, comparison).theta, comparison)
        assert [len(given.notes), len(learned.notes)] == [n_notes, n_notes]
    assert "additivity 3 is more than there are attributes (2)" in given.notes[0]

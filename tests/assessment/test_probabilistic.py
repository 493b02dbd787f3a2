"""The attacker `probabilistic` in an assessment, from Python and from the command line, on files of all kinds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import linkrisk
from linkrisk.assessment import Assessment
from linkrisk.errors import ColumnError, ParameterError
from linkrisk.linkage import Ties
from tests.assessment.samples import MIXED_SCHEMA, mixed_frames, numeric_frames, without_seconds
from tests.cli.command import linkrisk_command


def attack(original: Any, protected: Any, **more: Any) -> Assessment:
    """Assess with the one attacker."""
    return linkrisk.assess(original, protected, **{"attackers": ["probabilistic"], **more})


def nominal_frames() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return three nominal columns; some cells are replaced by random ones."""
    rng = np.random.default_rng(0)
    cells = {name: rng.integers(0, size, 150).astype(str) for name, size in (("a", 9), ("b", 15), ("c", 30))}
    original = pd.DataFrame({name: ["x" + cell for cell in column] for name, column in cells.items()})
    protected = original.copy()
    for name in cells:
        is_changed = rng.random(150) < 0.1
        protected[name] = np.where(is_changed, rng.permutation(original[name].to_numpy()), original[name])
    return original, protected


@pytest.mark.slow
def test_numeric_files() -> None:
    """No oracle, so it has an interval; what it learned is in its parameters, and briefly in the notes."""
    result = attack(*numeric_frames(noise=0.05), one_to_one=True)
    assert [found.scale for found in result.attacks] == ["separate", "original", "ranks"]
    for found in result.attacks:
        assert not found.has_true_pairs
        assert found.interval is not None
        assert found.rate() > 0.8
        assert found.one_to_one is not None
        parameters: Any = found.parameters
        assert parameters["converged"] is True
        assert sum(parameters["m"]["AGI"].values()) == pytest.approx(1.0)
        assert sum(parameters["u"]["AGI"].values()) == pytest.approx(1.0)
        assert sum(parameters["true_pairs"].values()) == 60
        assert sum(parameters["pairs"].values()) == 3600
        assert parameters["thresholds"]["link"] is not None
    assert "probabilistic on scale ranks: EM converged" in str(result)
    contents = result.to_dict()
    assert contents["attackers"][0]["parameters"]["weights"]["AGI"]


def test_nominal_and_mixed_files() -> None:
    """Categories that agree or not; every kind together, with holes and a confidential column."""
    assert attack(*nominal_frames(), scales=["separate"]).attacks[0].rate() > 0.5
    result = attack(*mixed_frames(), schema=MIXED_SCHEMA, scales=["separate"])
    assert result.attacks[0].rate() > 0.8
    assert result.attacks[0].disclosures[0].attribute == "illness"


def test_the_same_twice_and_on_one_core() -> None:
    """One seed, one answer."""
    frames = numeric_frames()
    one, two = attack(*frames, threads=1), attack(*frames, threads=2)
    assert without_seconds(one) == without_seconds(two)


def test_odd_files() -> None:
    """Two records, all equal, a column with a single value left: no error; a column without any is refused."""
    two = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})
    assert attack(two, two).attacks[0].n_pairs == 2
    equal = pd.DataFrame({"a": [1.0] * 5, "b": [2.0] * 5})
    result = attack(equal, equal)
    assert result.attacks[0].links[Ties.EXPECTED] == pytest.approx(1.0)
    assert any("weight 0" in note for note in result.notes)
    original, protected = numeric_frames()
    bare = protected.assign(AGI=[1000.0, *[np.nan] * 59])
    assert attack(original, bare).attacks[0].n_pairs == 60
    with pytest.raises(ColumnError, match="no value"):
        attack(original, protected.assign(AGI=np.nan))


def test_scenarios_and_attributes_of_other_lengths() -> None:
    """An intruder who knows less, and protected records that belong to nobody."""
    original, protected = numeric_frames()
    scenario = linkrisk.Scenario("neighbour", ("AGI",), 0.5)
    result = attack(original, protected, scenarios=[scenario], scales=["ranks"])
    assert result.scenarios[0].attacks[0].n_pairs == 30
    pairs = pd.DataFrame({"original": range(1, 31), "protected": range(1, 31)})
    longer = attack(original, protected, pairs=pairs, scales=["ranks"])
    assert longer.attacks[0].n_pairs == 30


def test_parameters() -> None:
    """Options by name; mistakes in one sentence before any work."""
    frames = numeric_frames()
    options = {"levels": 4, "tolerances": {"AGI": [0.1, 0.5]}, "false_positive": 0.001, "missing": "level"}
    found: Any = attack(*frames, attackers=[{"name": "probabilistic", **options}]).attacks[0].parameters
    assert list(found["m"]["AGI"]) == ["<= 0.1", "<= 0.5", "differs"]
    assert found["error_rates"]["false_positive"] <= 0.001
    with pytest.raises(ParameterError, match="unknown parameter"):
        attack(*frames, attackers=[{"name": "probabilistic", "level": 4}])
    with pytest.raises(ParameterError, match="unknown attribute"):
        attack(*frames, attackers=[{"name": "probabilistic", "tolerances": {"WAGE": [0.1]}}])


def test_command_line(tmp_path: Path) -> None:
    """By name, with parameters from a file, result as JSON."""
    original, protected = numeric_frames()
    paths = [tmp_path / name for name in ("original.csv", "protected.csv", "parameters.toml", "result.json")]
    original.to_csv(paths[0], index=False)
    protected.to_csv(paths[1], index=False)
    paths[2].write_text("[probabilistic]\nlevels = 6\nfalse_negative = 0.1\n", encoding="utf-8")
    command = ["assess", paths[0], paths[1], "--attackers", "mean,probabilistic", "--parameters", paths[2]]
    outcome = linkrisk_command(*command, "--scales", "separate", "--json", paths[3])
    outcome.check_success()
    assert "probabilistic" in outcome.output
    assert "pairs claimed as links" in outcome.output
    attackers = json.loads(paths[3].read_text(encoding="utf-8"))["attackers"]
    assert attackers[1]["parameters"]["error_rates"]["false_negative"] <= 0.1
    paths[2].write_text("[probabilistic]\nlevels = 60\n", encoding="utf-8")
    linkrisk_command(*command).check_mistake("levels", "0 to 12")

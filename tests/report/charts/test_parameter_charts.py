"""Charts of learned parameters carry what the attack's meaning says, and are confidential."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.attack.result import AttackResult
from linkrisk.data import pair_files
from linkrisk.differences.comparison import make_comparison
from linkrisk.distances.meaning import measure_meaning
from linkrisk.distances.measure import mobius_from_measure
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.errors import NoChartError
from linkrisk.learning.learn import learn
from linkrisk.report import charts
from linkrisk.report.charts.figures.lattice import MINIMUM, MOST_IN_LEVEL, NOTHING, Lattice
from linkrisk.report.charts.heat_map import SLANT, Square, draw_squares
from tests.report.charts.samples import assessed, plainly_assessed, rows_of


def attack_of(label: str) -> AttackResult:
    """Return the result of an attacker."""
    return next(attack for attack in assessed().attacks if attack.label == label)


@pytest.mark.parametrize("name", ["lattice", "interactions", "form", "weights"])
def test_parameters_are_confidential(name: str) -> None:
    """Nobody else sees them; without a learned attacker there are none, which is said."""
    assert name not in [figure.name for figure in charts.figures_of(assessed())]
    figure = next(figure for figure in charts.figures_of(assessed(), confidential=True) if figure.name == name)
    assert figure.is_confidential
    assert figure.table().is_confidential
    with pytest.raises(NoChartError, match="no parameters of this kind"):
        getattr(charts, name)(plainly_assessed())


def test_weights_with_their_ranges() -> None:
    """Of attributes by name, of positions by place; ranges are those of the explanation."""
    attack = attack_of("weighted_mean")
    told: Any = attack.meaning["weights"]
    rows = rows_of(charts.weights(assessed(), "weighted_mean"), "what", "weight")
    assert {row["what"]: row["weight"] for row in rows} == told
    assert attack.explanation is not None
    assert {row["what"]: (row["low"], row["high"]) for row in rows} == dict(attack.explanation.ranges)
    positions = charts.Weights.of(assessed(), "owa")
    assert positions is not None
    assert [row.weight for row in positions.rows] == attack_of("owa").meaning["weights"]
    assert positions.rows[1].what == "2. largest difference"
    assert positions.rows[1].low == attack_of("owa").explanation.ranges["position 2"][0]  # type: ignore[union-attr]


def test_form_row_by_row() -> None:
    """Every entry of the matrix, in the order of the attributes."""
    told: Any = attack_of("bilinear_psd").meaning["matrix"]
    rows = rows_of(charts.form(assessed()), "row", "column", "value")
    assert [row["value"] for row in rows] == [value for line in told.values() for value in line.values()]
    assert list(dict.fromkeys(row["row"] for row in rows)) == list(told)


def test_interactions_of_every_pair() -> None:
    """Once each, below the diagonal."""
    told: Any = attack_of("choquet").meaning["interactions"]
    rows = rows_of(charts.interactions(assessed()), "row", "column", "value")
    pairs = {frozenset(entry["attributes"]): entry["interaction"] for entry in told}
    assert {frozenset((row["row"], row["column"])): row["value"] for row in rows} == pairs


@pytest.mark.parametrize(("name", "angle"), [("AGI", 0), ("a name with no room", SLANT), ("年", SLANT)])
def test_labels_are_turned_only_where_they_have_no_room(name: str, angle: int) -> None:
    """Eight columns; of signs of unknown width it is not known whether there is room."""
    squares = [Square("row", f"{name}{place}", 1.0) for place in range(8)]
    specification = draw_squares(squares, "squares").to_dict()
    assert specification["layer"][0]["encoding"]["x"]["axis"]["labelAngle"] == angle


def test_what_was_learned_alone_can_be_drawn() -> None:
    """Without an assessment."""
    people = np.random.default_rng(1).normal(size=(20, 2))
    learned = learn(WeightedMeanFamily(), make_comparison(pair_files(people, people), "ranks"))
    figure = charts.Weights.of(learned)
    assert figure is not None
    assert [row.weight for row in figure.rows] == pytest.approx(learned.family.normalised(learned.theta))
    assert charts.Lattice.of(learned) is None


def lattice_of(measure: list[float], minimum: float = MINIMUM) -> tuple[Lattice, dict[frozenset[str], float]]:
    """Return the lattice of a measure over bit masks, and the measure by subset."""
    n_attributes = len(measure).bit_length() - 1
    names = [f"a{place}" for place in range(n_attributes)]
    subsets = [tuple(n for k, n in enumerate(names) if mask >> k & 1) for mask in range(1, len(measure))]
    values = np.array(measure)
    meaning = measure_meaning(names, subsets, mobius_from_measure(values)[1:], values[1:])
    attack = replace(attack_of("choquet"), meaning=meaning.to_dict())
    found = Lattice.of(replace(assessed(), attacks=(attack,)), minimum=minimum)
    assert found is not None
    return found, {frozenset(s): value for s, value in zip(subsets, measure[1:], strict=True)}


@st.composite
def measures(draw: st.DrawFn) -> list[float]:
    """Draw a fuzzy measure of one to five attributes, over bit masks."""
    n_attributes = draw(st.integers(1, 5))
    values = [0.0]
    for mask in range(1, 1 << n_attributes):
        least = max(values[mask & ~(1 << k)] for k in range(n_attributes) if mask >> k & 1)
        values.append(least + draw(st.sampled_from([0.0, 0.0, 0.001, 0.05, 0.3])))
    return [value / (values[-1] or 1.0) for value in values[:-1]] + [1.0]


@given(measure=measures())
def test_every_subset_is_drawn_or_counted(measure: list[float]) -> None:
    """Those drawn have weight enough and add something; edges are those of the order among them, without short cuts."""
    lattice, values = lattice_of(measure)
    drawn = {frozenset(node.subset): node for node in lattice.nodes}
    assert len(drawn) + lattice.n_small + lattice.n_idle + lattice.n_crowded == len(values)
    assert lattice.n_small == sum(value < MINIMUM for value in values.values())
    whole = frozenset(lattice.names)
    assert whole in drawn
    for subset, node in drawn.items():
        assert node.measure == values[subset] >= MINIMUM
        before = max((values[subset - {name}] for name in subset if len(subset) > 1), default=0.0)
        assert node.adds == values[subset] - before
        assert node.adds >= NOTHING or subset == whole
    for size in range(1, len(whole) + 1):
        assert sum(len(subset) == size for subset in drawn) <= MOST_IN_LEVEL
    joined = {(frozenset(low.subset), frozenset(high.subset)) for low, high in lattice.edges}
    assert joined == {
        (low, high) for low in drawn for high in drawn if low < high and not any(low < o < high for o in drawn)
    }


def test_lattice_of_seven_attributes_has_room() -> None:
    """Levels of eight at most, side by side within the chart, and a key that names every letter."""
    sizes = np.bitwise_count(np.arange(128)) / 7
    lattice, _ = lattice_of(sizes.tolist())
    levels = {size: [n.across for n in lattice.nodes if len(n.subset) == size] for size in range(1, 8)}
    assert all(len(level) <= MOST_IN_LEVEL and max(level) < 1.0 for level in levels.values())
    assert lattice.n_crowded == 127 - len(lattice.nodes)
    assert "for want of room" in lattice.caption
    written = {row["said"] for rows in lattice.draw().to_dict()["datasets"].values() for row in rows if "said" in row}
    assert {f"{letter}  {name}" for letter, name in zip("ABCDEFG", lattice.names, strict=True)} <= written

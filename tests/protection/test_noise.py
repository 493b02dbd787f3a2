"""Additive noise: its size, its seed, and its bad input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkrisk.errors import ColumnError, ParameterError
from linkrisk.protection import Secret, add_noise
from linkrisk.protection.drawing.draws import draw_normals


def make_file(n_records: int = 400) -> pd.DataFrame:
    """Make a file of two attributes of different spread."""
    generator = np.random.default_rng(5)
    return pd.DataFrame({"wage": generator.lognormal(10, 1, n_records), "age": generator.uniform(16, 90, n_records)})


def test_size_of_the_noise() -> None:
    """Standard deviation of the noise over that of the attribute is p percent, its mean 0, no correlation."""
    file = make_file(100_000)
    noise = add_noise(file, 16, continuous=True, secret_seed=1).data - file
    assert (noise.std() / file.std()).tolist() == pytest.approx([0.16, 0.16], rel=0.02)
    assert (noise.mean() / file.std()).tolist() == pytest.approx([0, 0], abs=0.003)
    assert abs(noise.corr().iloc[0, 1]) < 0.02
    assert abs(noise["wage"].corr(file["wage"])) < 0.02


def test_draws_are_standard_normal() -> None:
    """Kolmogorov-Smirnov against the normal distribution, and no repeats from one purpose to another."""
    from scipy.stats import kstest  # noqa: PLC0415  (slow to import, used once)

    draws = draw_normals(Secret(7), "test", 20_000)
    assert kstest(draws, "norm").pvalue > 0.001
    assert abs(np.corrcoef(draws, draw_normals(Secret(7), "another", 20_000))[0, 1]) < 0.03
    assert abs(np.corrcoef(draws, draw_normals(Secret(8), "test", 20_000))[0, 1]) < 0.03


def test_draws_are_the_same_on_every_machine() -> None:
    """Recomputed here from the definition: SHAKE-256, upper 53 bits, inverse normal distribution function."""
    import hashlib  # noqa: PLC0415  (this test is the definition, in full)
    from statistics import NormalDist  # noqa: PLC0415

    stream = hashlib.shake_256(b"linkrisk draws 1\x007\x00test").digest(24)
    bits = [int.from_bytes(stream[start : start + 8], "little") >> 11 for start in (0, 8, 16)]
    expected = [NormalDist().inv_cdf((bit + 0.5) / 2**53) for bit in bits]
    assert draw_normals(Secret(7), "test", 3).tolist() == pytest.approx(expected, rel=1e-9)


def test_same_seed_same_noise() -> None:
    """Protecting twice with one seed gives the same file; without a seed never."""
    file = make_file()
    pd.testing.assert_frame_equal(add_noise(file, 5, secret_seed=9).data, add_noise(file, 5, secret_seed=9).data)
    assert not add_noise(file, 5).data.equals(add_noise(file, 5).data)
    assert not add_noise(file, 5, secret_seed=9).data.equals(add_noise(file, 5, secret_seed=10).data)


@given(st.floats(0.01, 1000))
@settings(max_examples=30, deadline=None)
def test_noise_is_proportional_to_p(p: float) -> None:
    """With one seed, the noise of p percent is p times that of 1 percent."""
    file = make_file(50)
    unit = add_noise(file, 1, continuous=True, secret_seed=3).data - file
    noise = add_noise(file, p, continuous=True, secret_seed=3).data - file
    grid = 1e-7 * p / 100 * file.std().to_numpy()  # both are rounded to it or finer
    assert (np.abs(noise - p * unit) <= grid + 1e-9 * file.to_numpy().max()).all(axis=None)


def test_p_for_each_attribute() -> None:
    """A column's noise depends on its own p and name only; p = 0 leaves it as it is."""
    file = make_file()
    mixed = add_noise(file, {"age": 4, "wage": 0}, secret_seed=2)
    assert mixed.data["wage"].equals(file["wage"])
    assert mixed.data["age"].equals(add_noise(file, 4, secret_seed=2).data["age"])
    assert list(mixed.data.columns) == ["wage", "age"]
    assert mixed.parameters["p"] == {"age": 4.0, "wage": 0.0}


def test_constant_column_stays() -> None:
    """Without a deviation there is no noise."""
    assert add_noise(np.full((5, 1), 3), 50, secret_seed=1).data.tolist() == [[3.0]] * 5


@pytest.mark.parametrize("p", [-1, float("nan"), float("inf"), "5", True, None, {"wage": 1, "age": -0.1}])
def test_impossible_p_is_refused(p: float) -> None:
    """A finite number of 0 or more, nothing else, and the sentence names the column."""
    with pytest.raises(ParameterError, match=r"p of column '(wage|age)'"):
        add_noise(make_file(), p)


@pytest.mark.parametrize("seed", [-1, 1.5, True, "x"])
def test_impossible_seed_is_refused(seed: int) -> None:
    """A seed is a whole number of 0 or more."""
    with pytest.raises(ParameterError, match="seed"):
        add_noise(make_file(), 1, secret_seed=seed)


def test_columns_left_out_are_named() -> None:
    """A column without p must be left on purpose; unknown columns are refused."""
    file = make_file()
    with pytest.raises(ParameterError, match="nothing is said about age"):
        add_noise(file, {"wage": 1})
    assert add_noise(file, {"wage": 1}, leave=["age"]).data["age"].equals(file["age"])
    with pytest.raises(ColumnError, match="'height'"):
        add_noise(file, {"wage": 1, "age": 1, "height": 1})
    with pytest.raises(ParameterError, match="no column"):
        add_noise(file, 1, leave=["wage", "age"])


def test_one_record_and_numbers_beyond_float64() -> None:
    """Neither a missing deviation nor an overflow passes in silence."""
    with pytest.raises(ParameterError, match="2 records"):
        add_noise(np.zeros((1, 1)), 1)
    with pytest.raises(ParameterError, match="too large"):
        add_noise(np.array([[-1e308], [1e308]] * 20), 1000, secret_seed=1)

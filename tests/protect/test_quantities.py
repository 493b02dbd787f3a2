"""A column that mixes numbers and text is refused from Python too, whatever the method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from linkrisk.errors import ColumnError
from linkrisk.protect import add_noise, generalise, microaggregate, pram
from linkrisk.protect.protection import Protection

METHODS: dict[str, Callable[..., Protection]] = {
    "noise": lambda data, **more: add_noise(data, {"wage": 5.0, "age": 5.0}, **more),
    "mdav": lambda data, **more: microaggregate(data, [["wage", "age"]], 2, **more),
    "pram": lambda data, **more: pram(data, {"age": 0.5}, leave=["wage"], **more),
    "generalise": lambda data, **more: generalise(data, {"wage": 100.0, "age": {"4o": "40"}}, **more),
}
CATEGORIES: Any = {"attributes": {"age": {"kind": "nominal"}}}


@pytest.mark.parametrize("method", METHODS)
def test_mixed_columns(method: str) -> None:
    """The first cell that is no number is named by its row; the kind in the schema settles what it is."""
    data = pd.DataFrame({"wage": [100.0, 200, 300, 400, 500], "age": ["31", "52", "4o", "62", "27"]})
    with pytest.raises(ColumnError, match=r"^data: column 'age' has text among numbers in row 3; .* \(--leave\)"):
        METHODS[method](data)
    if method == "noise":
        with pytest.raises(ColumnError, match="not numeric but nominal"):
            METHODS[method](data, schema=CATEGORIES)
    else:
        assert not METHODS[method](data, schema=CATEGORIES).data.equals(data)


def test_missing_codes_and_declared_kinds_are_no_text() -> None:
    """A word that means missing is none; categories the frame itself declares may mix."""
    data = pd.DataFrame({"age": ["31", "refused", "40", "62"]})
    protected = add_noise(data, 5, schema={"missing": ["refused"]}, seed=1).data
    assert protected["age"].isna().tolist() == [False, True, False, False]
    declared = pd.DataFrame({"rooms": pd.Categorical(["1", "2", "3+", "1"])})
    assert set(pram(declared, 0.5, seed=1).data["rooms"]) <= {"1", "2", "3+"}

"""Parameters as text: groups, values, and the files of the papers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.errors import ParameterError
from linkrisk.protection import Groups, paper_groups, parse_groups, parse_values

NAMES = [f"V{i}" for i in range(1, 14)]
WORDS = st.text(alphabet='abAB,;:" x', min_size=1, max_size=5).filter(lambda word: word.strip())


@given(st.lists(st.lists(WORDS, min_size=1, max_size=3), min_size=1, max_size=3), st.booleans(), st.data())
def test_groups_are_read_back_as_written(names: list[list[str]], has_k: bool, data: st.DataObject) -> None:
    """Whatever signs the names hold."""
    k = tuple(data.draw(st.integers(2, 99)) for _ in names) if has_k else None
    groups = Groups(tuple(tuple(group) for group in names), k)
    assert parse_groups(str(groups)) == groups


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("M4-33", "V1,V2:3;V3,V4:3"),
        ("M4-28", "V1,V2:2;V3,V4:8"),
        ("M5-38", "V1,V2,V3:3;V4,V5:8"),
        ("M6-385", "V1,V2:3;V3,V4:8;V5,V6:5"),
        ("M6-853", "V1,V2:8;V3,V4:5;V5,V6:3"),
        ("M7-999", "V1,V2,V3:3;V4,V5,V6:3;V7:3"),
        ("Mic553-2.8.5", "V1,V2,V3,V4,V5:2;V6,V7,V8,V9,V10:8;V11,V12,V13:5"),
        ("Mic2236-8.3.10.5", "V1,V2:8;V3,V4:3;V5,V6,V7:10;V8,V9,V10,V11,V12,V13:5"),
        ("Mic6-20", "V1,V2,V3,V4,V5,V6:20;V7,V8,V9,V10,V11,V12:20;V13:20"),
        ("Mic5", "V1,V2,V3,V4,V5;V6,V7,V8,V9,V10;V11,V12,V13"),
        ("MicAll-3", "V1,V2,V3,V4,V5,V6,V7,V8,V9,V10,V11,V12,V13:3"),
        ("B1", "V1,V2,V3:4;V4,V5,V6:4;V7,V8,V9:4;V10,V11,V12:4;V13:4"),
        ("B2", "V1,V2,V3,V4,V5:4;V6,V7,V8,V9,V10,V11,V12,V13:4"),
        ("B3", "V1,V2,V3,V4,V5,V6:20;V7,V8,V9,V10,V11,V12,V13:20"),
    ],
)
def test_files_of_the_papers(name: str, text: str) -> None:
    """abril2012-choquet.txt section 4, abril2012-weights.txt sections 4.2 and 4.6, torra2010-owa.txt section 4.1."""
    assert str(paper_groups(name, NAMES)) == text


@pytest.mark.parametrize("name", ["M4-99", "Mic", "Mic0-3", "Mic553-2.8", "B4", "B1"])
def test_unknown_files_and_too_few_columns(name: str) -> None:
    """B1 needs 13 attributes."""
    with pytest.raises(ParameterError, match=name):
        paper_groups(name, NAMES[:5])


@pytest.mark.parametrize("text", ["", "A,B:3;", "A:3:4", "A:x", "A:2.5", "A:3;B", '"A:3', ";"])
def test_malformed_groups(text: str) -> None:
    """One sentence each."""
    with pytest.raises(ParameterError):
        parse_groups(text)


def test_values() -> None:
    """One for all or one for each; whole numbers stay whole."""
    assert parse_values("4") == 4
    assert isinstance(parse_values("4"), int)
    assert parse_values('A:1, "B,C":2.5') == {"A": 1, "B,C": 2.5}
    for text in ("A", "A:1,2", "A:1,A:2", "A:x", ""):
        with pytest.raises(ParameterError):
            parse_values(text)

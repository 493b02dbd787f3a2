"""Lists of names in one text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkrisk.name_list import join_names, split_names


@given(st.lists(st.text(st.characters(categories=["L", "N", "P", "Z"]), min_size=1)))
def test_names_come_back(names: list[str]) -> None:
    """Whatever signs a name holds, it is the same after joining and splitting."""
    assert split_names(join_names(names)) == names


@given(st.lists(st.text(st.sampled_from('a," '), min_size=1)))
def test_names_of_signs_come_back(names: list[str]) -> None:
    """Names of commas, quotation marks and blanks, too."""
    assert split_names(join_names(names)) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", []),
        (" , ,", []),
        ("a,b", ["a", "b"]),
        (" a , b ,", ["a", "b"]),
        ('"a,b",c', ["a,b", "c"]),
        ('c , "a ""x"", b" ', ["c", 'a "x", b']),
        ('5" pipe,6" pipe', ['5" pipe', '6" pipe']),
        ('"open,b', ['"open', "b"]),
    ],
)
def test_what_users_type(text: str, names: list[str]) -> None:
    """Plain names need no quotation marks, and those inside a name do no harm."""
    assert split_names(text) == names

"""Options of numba, compared quickly: as numba compares them."""

from __future__ import annotations

import itertools
from typing import Any

from numba.core import compiler

from linkrisk.engine import whole


def options() -> list[Any]:
    """Return sets of options that differ in plain values, in others, and in nothing."""
    made = []
    for inline, names in itertools.product(("never", "always"), ((), ("nrt",), ("nrt", "release_gil"), ("fastmath",))):
        flags: Any = compiler.Flags()  # type: ignore[no-untyped-call]
        flags.inline = inline
        for name in names:
            setattr(flags, name, True)
        made.append(flags)
    usual: Any = compiler.Flags()  # type: ignore[no-untyped-call]
    usual.nrt = False  # as it is anyway
    return [*made, usual, compiler.Flags()]  # type: ignore[no-untyped-call]


def test_options_are_equal_where_numba_says_so() -> None:
    """And those that are equal have the same hash; outside nothing has changed."""
    known = options()
    expected = [one == other for one in known for other in known]
    before = type(known[0]).__hash__, type(known[0]).__eq__
    with whole._quick_options():
        assert [one == other for one in known for other in known] == expected
        for one, other in itertools.product(known, known):
            assert one != other or hash(one) == hash(other)
        assert len({hash(one) for one in known}) > 2
        assert (known[0] == "something else") is False
    assert (type(known[0]).__hash__, type(known[0]).__eq__) == before
    assert sum(expected) > len(known)

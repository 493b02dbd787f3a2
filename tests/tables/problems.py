"""Small problems drawn at random: a population, two samples, published tables, and what the oracle makes of them."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
from hypothesis import strategies as st

from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.publication import TableDescription, make_table_description
from linkrisk.tables.evidence.reading import make_evidence
from tests.oracle.populations import Told

ATTRIBUTES = ("a", "b", "x", "y")
SAMPLES: dict[str, tuple[str, ...]] = {"first": ("a", "b", "x"), "second": ("a", "b", "y")}
MECHANISMS = ("exact", "rounded", "random_rounding", "suppressed", "sample")


@dataclass(frozen=True, eq=False)
class Problem:
    """The people, what is told about them, and the same as evidence."""

    people: pd.DataFrame
    told: list[Told]
    evidence: Evidence

    @property
    def categories(self) -> dict[str, tuple[str, ...]]:
        """The categories that occur."""
        return {name: self.evidence.domain.categories[name] for name in ATTRIBUTES}


@st.composite
def problems(draw: st.DrawFn, mechanisms: tuple[str, ...] = MECHANISMS, most_people: int = 5) -> Problem:
    """Draw a population, samples of it, and up to three tables made of it."""
    n_people = draw(st.integers(2, most_people))
    person = st.tuples(*(st.sampled_from("01") for _ in ATTRIBUTES))
    people = pd.DataFrame(draw(st.lists(person, min_size=n_people, max_size=n_people)), columns=list(ATTRIBUTES))
    told, frames = [], {}
    for name, attributes in SAMPLES.items():
        rows = draw(st.lists(st.integers(0, n_people - 1), min_size=1, max_size=n_people, unique=True))
        frames[name] = people.iloc[rows][list(attributes)]
        told.append(Told(name, attributes, "sample", _counts(frames[name], attributes)))
    described = []
    for number in range(draw(st.integers(0, 3))):
        chosen = tuple(sorted(draw(st.sets(st.sampled_from(ATTRIBUTES), min_size=1, max_size=3))))
        table, description = _table(draw, f"table {number}", people, chosen, draw(st.sampled_from(mechanisms)))
        told.append(table)
        described.append(description)
    return Problem(people, told, make_evidence(frames, described, population=n_people))


def _counts(frame: pd.DataFrame, attributes: tuple[str, ...]) -> dict[tuple[str, ...], int]:
    counts: dict[tuple[str, ...], int] = {}
    for row in frame[list(attributes)].itertuples(index=False, name=None):
        counts[row] = counts.get(row, 0) + 1
    return counts


def _table(
    draw: st.DrawFn, name: str, people: pd.DataFrame, attributes: tuple[str, ...], mechanism: str
) -> tuple[Told, TableDescription]:
    true = _counts(people, attributes)
    base = draw(st.integers(2, 4))
    intervals = {}
    if mechanism == "rounded":
        true = {cell: (count + base // 2) // base * base for cell, count in true.items()}
    elif mechanism == "random_rounding":
        true = {cell: count - count % base + base * _is_up(draw, count % base) for cell, count in true.items()}
    elif mechanism == "sample":
        rows = draw(st.lists(st.integers(0, len(people) - 1), min_size=1, unique=True))
        true = _counts(people.iloc[rows], attributes)
    elif mechanism == "suppressed":
        intervals = {
            cell: (draw(st.integers(0, count)), draw(st.integers(count, count + 2))) for cell, count in true.items()
        }
    frame = pd.DataFrame([(*cell, count) for cell, count in true.items()], columns=[*attributes, "count"])
    if mechanism == "suppressed":
        frame["low"], frame["high"] = zip(*(intervals[cell] for cell in true), strict=True)
    options = {"base": base} if mechanism in ("rounded", "random_rounding") else {}
    told = Told(name, attributes, mechanism, true, base, intervals)
    return told, make_table_description(frame, mechanism=mechanism, name=name, **options)


def _is_up(draw: st.DrawFn, remainder: int) -> int:
    return draw(st.integers(0, 1)) if remainder else 0

"""Labels are short, harmless, and tell names apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from linkrisk.printable import printable
from linkrisk.report.charts.names import labels_of

names = st.lists(st.text(st.sampled_from("ab \x1b\ud800é"), max_size=40), max_size=12)


@given(names=names, most=st.integers(6, 30))
def test_each_name_has_a_label_of_its_own(names: list[str], most: int) -> None:
    """The same for the same name, another for another one, none too long, none with a sign that does harm."""
    labels = labels_of(names, most)
    assert len(set(labels)) == len(set(names))
    assert len(set(zip(names, labels, strict=True))) == len(set(names))
    assert all(len(label) <= most and label == printable(label) for label in labels)


def test_long_names_show_where_they_differ() -> None:
    """Not only that they do."""
    years = [f"gross household income of the year {year} (in thousands of euros)" for year in (2001, 2002, 2013)]
    assert all(year in label for label, year in zip(labels_of(years), ("2001", "2002", "2013"), strict=True))

"""A chart as a picture: valid, safe, the same each time, and told to who cannot see it."""

from __future__ import annotations

import functools
import re
from itertools import pairwise

import altair as alt
import pytest

from linkrisk.report.charts import Attackers, Lattice, Margins, as_svg, figures_of
from linkrisk.report.charts.figures.values import values_of
from linkrisk.report.charts.style import FONT, WIDTH
from linkrisk.report.charts.text_width import text_width
from tests.report.charts.samples import HOSTILE, assessed, hostile_figure, parsed

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.slow
def test_the_same_figure_gives_the_same_bytes() -> None:
    """Also after others were drawn, for vega counts its ids on; only the prefix tells pictures apart."""
    figure = Attackers.of(assessed())
    assert figure is not None
    first = as_svg(figure, "a")
    assert len(pictures()) > 8  # drawn in between
    assert as_svg(figure, "a") == first
    assert as_svg(figure, "c").replace('"c-', '"a-').replace(" c-", " a-").replace("#c-", "#a-") == first


def test_ids_are_unique_in_a_page() -> None:
    """Of pictures with a prefix each; what is referred to is there, and nothing outside of the picture is."""
    clipped = alt.Chart(alt.InlineData(values=[{"x": 1}])).mark_bar(clip=True).encode(x="x:Q")
    pictures = [as_svg(clipped, "one"), as_svg(clipped, "two"), as_svg(hostile_figure(), "three")]
    ids = re.findall(r' id="([^"]*)"', "".join(pictures))
    assert len(ids) == len(set(ids)) > 6
    for picture in pictures:
        own = set(re.findall(r' id="([^"]*)"', picture))
        assert set(re.findall(r'"url\(#([^)]*)\)"', picture)) <= own
        assert set(next(iter(re.findall(r'aria-labelledby="([^"]*)"', picture))).split()) <= own
    assert 'clip-path="url(#one-' in pictures[0]


@pytest.mark.parametrize("prefix", ["p", "chart-7"])
def test_hostile_names_stay_text(prefix: str) -> None:
    """They neither break the XML nor become elements or attributes, and nothing is loaded."""
    picture = as_svg(hostile_figure(), prefix)
    root = parsed(picture)
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "g", "path", "text", "rect", "line", "title", "desc", "defs", "clipPath", "tspan"}
    for element in root.iter():
        assert not any("href" in key or key.startswith("on") or key == "style" for key in element.attrib)
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "").replace("http://example.org", "", 1)
    written = "".join(root.itertext())
    assert "<script>" in written  # as text
    assert not re.search("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff\u202e]", written)


def test_names_of_a_chart_of_the_users_own_do_no_harm_either() -> None:
    """A control character in it would end the process that draws."""
    rows = [{"name": name, "x": 1} for name in HOSTILE]
    chart = alt.Chart(alt.InlineData(values=rows), title=HOSTILE[3]).mark_bar().encode(x="x:Q", y="name:N")
    title = parsed(as_svg(chart, "p")).find(f"{SVG}title")
    assert title is not None
    assert title.text == "control \\x1b[31m \\x00 \\x07 \\u202e turned"


def test_a_screen_reader_reads_title_and_caption() -> None:
    """As they are, first of all; marks are not read one by one. The title is not drawn: the page has it."""
    figure = Attackers.of(assessed())
    assert figure is not None
    root = parsed(as_svg(figure, "p"))
    title, desc, *_ = root
    assert (title.tag, title.text) == (f"{SVG}title", figure.title)
    assert (desc.tag, desc.text) == (f"{SVG}desc", figure.caption)
    assert root.get("role") == "img"
    assert [element for element in root.iter() if "aria-label" in element.attrib] == []
    assert figure.title not in [element.text for element in root.iter(f"{SVG}text")]


@functools.cache
def pictures() -> list[str]:
    """Return all pictures of an assessment, drawn once."""
    return [as_svg(figure, "a") for figure in figures_of(assessed(), confidential=True)]


@pytest.mark.slow
def test_every_picture_is_of_one_width_and_small() -> None:
    """So that text has one size in a page; ten of them are far below what a report may weigh."""
    boxes = [parsed(picture).attrib["viewBox"].split() for picture in pictures()]
    assert {float(box[2]) for box in boxes} == {float(WIDTH)}
    assert max(map(len, pictures())) < 150_000


@pytest.mark.slow
def test_text_can_be_read() -> None:
    """At least 10 pixels high, also in a crowd of squares."""
    for picture in pictures():
        assert min(float(size) for size in re.findall(r'font-size="([\d.]+)px"', picture)) >= 10.0


SIGNS = "".join(chr(code) for code in range(33, 127))


@pytest.mark.parametrize(
    "text", ["age", "fnlwgt (at most 20,000)", "Âge", *map("".join, zip(*[iter(SIGNS)] * 10, strict=False))]
)
def test_widths_of_texts_are_those_they_are_laid_out_by(text: str) -> None:
    """Measured by drawing them as labels of an axis, for which the picture makes room."""

    def drawn(label: str) -> float:
        axis = alt.Axis(labelLimit=0, labelFontSize=100, labelFont=FONT, title=None)
        chart = alt.Chart(alt.InlineData(values=[{"name": label}])).mark_point().encode(y=alt.Y("name:N", axis=axis))
        return float(parsed(as_svg(chart, "p")).attrib["width"])

    width = text_width(text, 100)
    assert width is not None
    assert drawn(f"||{text}") - drawn("||") == pytest.approx(width, abs=2.0)


def test_texts_are_as_wide_in_any_font() -> None:
    """Each that is neither bold nor of unknown signs says how wide it is meant to be."""
    figure = Attackers.of(assessed())
    assert figure is not None
    texts = [element for element in parsed(as_svg(figure, "p")).iter(f"{SVG}text") if element.text]
    told = [element for element in texts if "textLength" in element.attrib]
    assert len(told) > len(texts) / 2
    assert {element.attrib["lengthAdjust"] for element in told} == {"spacingAndGlyphs"}


def test_the_users_theme_changes_nothing() -> None:
    """A picture looks the same whatever is enabled."""
    figure = Margins.of(assessed())
    assert figure is not None
    plainly = as_svg(figure, "p")
    with alt.theme.enable("dark"):
        assert as_svg(figure, "p") == plainly


def test_numbers_are_written_short() -> None:
    """Two digits after the point are less than a pixel, and attributes that all marks share are said once."""
    figure = values_of(assessed(), "income")
    assert figure is not None
    picture = as_svg(figure, "p")
    assert not re.search(r"\d\.\d{3,}", re.sub(r"<text.*?</text>|<desc.*?</desc>", "", picture))
    assert picture.count('fill-opacity="0.45"') == 1


def test_lines_of_a_lattice_join_its_circles() -> None:
    """Each leads from a set to one that holds it, with none that is drawn in between."""
    lattice = Lattice.of(assessed())
    assert lattice is not None
    for low, high in lattice.edges:
        assert set(low.subset) < set(high.subset)
    across = [[node.across for node in lattice.nodes if len(node.subset) == size] for size in range(1, 5)]
    assert all(left < right for level in across for left, right in pairwise(level))

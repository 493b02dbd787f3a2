"""A chart as a picture for a page: SVG in itself, without script, network or fonts of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as ET

from linkrisk.printable import printable
from linkrisk.report.charts import style
from linkrisk.report.charts.figure import Chart, Figure
from linkrisk.report.charts.text_width import text_width

SVG = "http://www.w3.org/2000/svg"

NOT_IN_XML = re.compile("[\ufffe\uffff]")
"""Signs that XML cannot hold, besides those that `printable` writes out."""

_TAG = re.compile(r"\{.*\}")
_REFERENCE = re.compile(r"url\(#(.*)\)")
_LONG_NUMBER = re.compile(r"-?\d*\.\d{3,}(?:e-?\d+)?")

_IDLE = {
    "aria-hidden": None,
    "aria-roledescription": None,
    "class": None,
    "display": None,
    "font-family": None,
    "opacity": "1",
    "pointer-events": None,
    "role": None,
    "stroke-width": "1",
    "version": None,
}
"""Attributes left out: always, or where they have the value that is meant without them."""


_INHERITED = {"fill", "fill-opacity", "font-size", "font-weight", "stroke", "stroke-width", "text-anchor"}
"""Attributes that hold for all in a group."""


def as_svg(figure: Figure | Chart, prefix: str) -> str:
    """Return a figure, or a chart, as SVG that can stand in a page of HTML, several of them with a prefix each.

    A figure is drawn without its title, for which the page has a heading; title and caption are what a screen reader
    reads. Of a chart its own title is read. The same figure gives the same text, whatever was drawn before. Names in it
    are harmless: they come as text, without control characters.

    It has its own width, and no style: a page lets it shrink by ``.chart {max-width: 100%; height: auto}``. Cost: half
    a second for the first one, then some hundredths.
    """
    import altair as alt  # noqa: PLC0415  (slow to import)
    import vl_convert  # noqa: PLC0415  (slow to import)

    if isinstance(figure, alt.TopLevelMixin):
        specification = _specification(figure)
        title, caption = _title_of(specification), ""
    else:
        specification = _specification(figure.draw())
        specification.pop("title", None)
        title, caption = figure.title, figure.caption
    made = vl_convert.vegalite_to_svg(specification, allowed_base_urls=[])
    return _page_picture(made, prefix, title, caption)


def _specification(chart: Chart) -> dict[str, Any]:
    """Return what is drawn, without what a theme of the user's would add."""
    import altair as alt  # noqa: PLC0415  (slow to import)

    with alt.theme.enable("none"):
        made = chart.to_dict(validate=False)
    made.setdefault("config", {})["aria"] = False  # what a screen reader reads is title and caption
    cleaned: dict[str, Any] = _harmless(made)
    return cleaned


def _harmless(value: Any) -> Any:
    """Return the same with every text in it as XML can hold it: others would end the process that draws."""
    if isinstance(value, Mapping):
        return {_harmless(key): _harmless(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_harmless(entry) for entry in value]
    return NOT_IN_XML.sub("\ufffd", printable(value)) if isinstance(value, str) else value


def _title_of(specification: Mapping[str, Any]) -> str:
    title = specification.get("title", "")
    return str(title.get("text", "") if isinstance(title, Mapping) else title) or "chart"


def _page_picture(made: str, prefix: str, title: str, caption: str) -> str:
    """Return a picture with ids of its own and with texts for a screen reader, and without what says nothing."""
    root = ET.fromstring(made)  # noqa: S314  (made here, of escaped texts)
    _number_ids(root, prefix)
    _keep_widths(root)
    _tidy(root)
    names = {"title": f"{prefix}-title", "desc": f"{prefix}-desc"}
    for place, (tag, text) in enumerate(zip(names, map(_harmless, (title, caption)), strict=True)):
        element = ET.Element(tag, {"id": names[tag]})
        element.text = text
        root.insert(place, element)
    del root.attrib["height"]  # follows from the width
    root.attrib |= {
        "xmlns": SVG,
        "class": "chart",
        "font-family": style.FONT,
        "role": "img",
        "aria-labelledby": " ".join(names.values()),
    }
    return ET.tostring(root, encoding="unicode")


def _number_ids(root: ET.Element, prefix: str) -> None:
    """Name what is referred to by a prefix and its place, because vega counts on from one chart to the next."""
    named = [element for element in root.iter() if "id" in element.attrib]
    ids = {element.attrib["id"]: f"{prefix}-{place}" for place, element in enumerate(named)}
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == "id":
                element.attrib[key] = ids[value]
            elif (found := _REFERENCE.fullmatch(value)) and found[1] in ids:
                element.attrib[key] = f"url(#{ids[found[1]]})"


def _keep_widths(root: ET.Element) -> None:
    """Make each text as wide as it was laid out: another font than Arial would run over what is beside it."""
    for element in root.iter(f"{{{SVG}}}text"):
        size = element.attrib.get("font-size", "").removesuffix("px")
        is_plain = element.attrib.get("font-weight", "normal") == "normal" and len(element) == 0
        width = text_width(element.text, float(size)) if is_plain and element.text and size else None
        if width:
            element.attrib |= {"textLength": f"{width:.1f}", "lengthAdjust": "spacingAndGlyphs"}


def _tidy(element: ET.Element) -> None:
    """Leave out what is not seen, and digits that nobody sees: a page with ten pictures is to stay small."""
    element.tag = _TAG.sub("", element.tag)
    for child in list(element):
        if child.attrib.get("display") == "none" or child.attrib.get("d", " ") in {"", "M0,0h0v0h0Z"}:
            element.remove(child)
        else:
            _tidy(child)
            if child.tag == "g" and len(child) == 0:
                element.remove(child)
    _hoist(element)
    for key, value in list(element.attrib.items()):
        if key in _IDLE and _IDLE[key] in {None, value}:
            del element.attrib[key]
        else:
            element.attrib[key] = _LONG_NUMBER.sub(_short, value)


def _hoist(group: ET.Element) -> None:
    """Let a group say what all that is in it say alike."""
    if group.tag != "g" or len(group) < 2:
        return
    first, *others = list(group)
    for key in sorted(_INHERITED & first.attrib.keys()):
        if all(other.attrib.get(key) == first.attrib[key] for other in others):
            group.attrib[key] = first.attrib[key]
            for element in group:
                del element.attrib[key]


def _short(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")

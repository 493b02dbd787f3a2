"""Results to draw, made once, and what a chart holds, as altair writes it down."""

from __future__ import annotations

import functools
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd

import linkrisk
from linkrisk.report.charts.figure import Chart, Figure
from linkrisk.report.charts.figures.attributes import AttributeRow, Attributes

HOSTILE = (
    "</svg><script>alert(1)</script>",
    "quotes \" and ' and & and <!-- -->",
    "]]></desc><image href='http://example.org/x.png'/>",
    "control \x1b[31m \x00 \x07 \u202e turned",
    "lone \ud800 surrogate and \ufffe and \uffff",
    "url(#elsewhere) {{7*7}} ${datum}",
    "\n\r\t",
    "",
)
"""Names of columns as an enemy would choose them."""


def people(n_records: int = 48) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return records with numbers, a date, a category and holes, and a release with noise and moved categories."""
    random = np.random.default_rng(4)
    original = pd.DataFrame(
        {
            "income": random.normal(40.0, 9.0, n_records).round(2),
            "tax": random.normal(9.0, 3.0, n_records).round(2),
            "born": pd.to_datetime("1970-01-01") + pd.to_timedelta(random.integers(0, 9000, n_records), unit="D"),
            "job": random.choice(["baker", "nurse", "pilot"], n_records),
            "household": np.arange(n_records) // 2,
            "region": np.where(np.arange(n_records) < 4, "isle", np.where(np.arange(n_records) < 30, "north", "south")),
        }
    )
    original.loc[3, "tax"] = np.nan
    protected = original.drop(columns=["household", "region"])
    protected["income"] += random.normal(0.0, 6.0, n_records)
    protected["tax"] += random.normal(0.0, 2.0, n_records)
    protected["job"] = np.where(random.random(n_records) < 0.3, "nurse", protected["job"])
    return original, protected


@functools.cache
def assessed() -> linkrisk.Assessment:
    """Attack with everybody whose parameters have a chart, and with households and regions."""
    original, protected = people()
    return linkrisk.assess(
        original,
        protected,
        attackers=["mean", "weighted_mean", "owa", "choquet", "bilinear_psd"],
        scales=["ranks"],
        schema={"attributes": {"born": {"kind": "date"}, "job": {"kind": "nominal"}}},
        attributes=["income", "tax", "born", "job"],
        group="household",
        by=["region"],
        time_limit=0.3,
        holdout=0.3,
        repeats=1,
        explain=True,
        seed=3,
    )


@functools.cache
def plainly_assessed() -> linkrisk.Assessment:
    """Attack with the plain attacker alone, whose attributes are counted for a sample."""
    original, protected = people()
    return linkrisk.assess(
        original[["income", "job"]], protected[["income", "job"]], attackers=["mean"], attribute_sample=20, seed=1
    )


def rows_of(chart: Chart, *fields: str) -> list[dict[str, Any]]:
    """Return the rows of the layer that has these fields, as the chart carries them."""
    written = chart.to_dict()
    layers = [layer["data"]["name"] for layer in written["layer"] if "name" in layer.get("data", {})]
    names = dict.fromkeys([*layers, *([written["data"]["name"]] if "name" in written.get("data", {}) else [])])
    found = [written["datasets"][name] for name in names]
    return next(rows for rows in found if rows and set(fields) <= rows[0].keys())


def hostile_figure() -> Attributes:
    """Return a figure whose names are hostile."""
    rows = tuple(AttributeRow(name, 0.2, 0.1, None, None, 1) for name in HOSTILE)
    return Attributes(rows, "ranks", 100, 0.3, None, HOSTILE[0], "weight", is_confidential=False)


def texts(figure: Figure) -> list[str]:
    """Return all cells of the table behind a figure."""
    return [cell for row in figure.table().rows for cell in row]


def parsed(svg: str) -> ET.Element:
    """Read a picture as XML."""
    return ET.fromstring(svg)  # noqa: S314  (made by ourselves)

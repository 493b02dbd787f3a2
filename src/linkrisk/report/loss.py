"""How information loss is shown: a table with one line per figure, its JSON document, and its frame."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import Any

from linkrisk.losses.categories import CategoricalLoss, TableDifferences
from linkrisk.losses.moments import MomentDifferences
from linkrisk.losses.pil import ProbabilisticLoss
from linkrisk.losses.propensity import PropensityLoss
from linkrisk.losses.regression import RegressionLoss
from linkrisk.losses.result import Loss
from linkrisk.report.blocks import Block, Sentence, note_blocks
from linkrisk.report.plain import plain, sentences
from linkrisk.report.tables import Column, Table

Line = tuple[str, str, str]
"""Figure, value, and what the value means."""

UNDEFINED = "-"

_OF_AN_ATTRIBUTE = {
    "value_changes": ("il1s",),
    "variation": ("share",),
    "regression": ("standardised", "overlap"),
    "categories": ("entropy", "entropy_share"),
    "missing": ("original", "protected"),
}
"""Which figures a part of the loss holds for each attribute."""


def blocks(loss: Loss) -> list[Block]:
    """Return one line per figure that is defined, and the notes."""
    return [Sentence(_opening(loss)), loss_table(loss), *note_blocks(loss.notes)]


def loss_table(loss: Loss, title: str = "") -> Table:
    """Return one row per figure that is defined."""
    rows = tuple(line for line in _lines(loss) if line[1] != UNDEFINED)
    return Table((Column("figure"), Column("value", is_number=True), Column("what it means")), rows, title)


def document(loss: Loss) -> dict[str, Any]:
    """Return every part of the loss by its name; nothing in it is about a single record."""
    contents = dataclasses.asdict(loss)
    del contents["frame_kind"]
    contents["notes"] = sentences(loss.notes)
    return contents


def columns(loss: Loss) -> dict[str, list[Any]]:
    """Return one row per figure: of a whole file (``attribute`` is None), or of one attribute."""
    found = [
        (name, *figure)
        for name, part in document(loss).items()
        if isinstance(part, Mapping)
        for figure in _figures(name, plain(part))
    ]
    names = ("part", "figure", "attribute", "value")
    return {name: [row[place] for row in found] for place, name in enumerate(names)}


def _figures(
    part: str, contents: Mapping[str, Any], prefix: str = ""
) -> Iterator[tuple[str, str | None, float | None]]:
    for name, entry in contents.items():
        if name in {"by_attribute", "by_target"}:
            for attribute, values in entry.items():
                of_it = values if isinstance(values, list) else [values]
                yield from ((f, attribute, v) for f, v in zip(_OF_AN_ATTRIBUTE[part], of_it, strict=True))
        elif isinstance(entry, Mapping):
            yield from _figures(part, entry, f"{prefix}{name}.")
        elif entry is None or (isinstance(entry, int | float) and not isinstance(entry, bool)):
            yield f"{prefix}{name}", None, None if entry is None else float(entry)


def _opening(loss: Loss) -> str:
    return (
        f"Information loss of {loss.protected_name} against {loss.original_name}: {loss.n_pairs:,} pairs among "
        f"{loss.n_original:,} original and {loss.n_protected:,} protected records, paired by {loss.paired_by}. "
        f"Attributes: {', '.join((*loss.numeric, *loss.categorical))}."
    )


def _lines(loss: Loss) -> Iterator[Line]:
    if loss.probabilistic is not None:
        yield _probabilistic(loss.probabilistic)
    if loss.value_changes is not None:
        yield "IL1s", number(loss.il1s), "mean distance of values from their originals, in units of sqrt(2) deviations"
    if loss.variation is not None:
        yield (
            "SSE/SST",
            number(loss.variation.share),
            "sum of squares lost over that in the original, in deviations",
        )
    if loss.moments is not None:
        yield from _moments(loss.moments)
    if loss.regression is not None:
        yield _regression(loss.regression)
    yield _propensity(loss.propensity)
    if loss.categories is not None:
        yield from _categories(loss.categories)
    yield "missing values", percent(loss.missing.protected), f"{percent(loss.missing.original)} in the original"


def _probabilistic(found: ProbabilisticLoss) -> Line:
    parts = ", ".join(
        f"{name} {number(getattr(found, name), 2)}"
        for name in ("means", "variances", "covariances", "correlations", "quantiles")
    )
    return "PIL", number(found.pil, 2), f"of 100: {parts}"


def _moments(found: MomentDifferences) -> Iterator[Line]:
    units = {"means": " deviations", "covariances": " deviations", "correlations": "", "eigenvalues": ""}
    for name, unit in units.items():
        change = getattr(found, name)
        detail = f"mean difference{' in' + unit if unit else ''}; largest {number(change.largest)}, "
        yield name, number(change.absolute), f"{detail}relative {percent(change.relative)}"


def _regression(found: RegressionLoss) -> Line:
    detail = f"standard errors per coefficient; largest {number(found.largest, 2)}, 95 % intervals overlap "
    return "regression", number(found.standardised, 2), f"{detail}{percent(found.overlap)}"


def _propensity(found: PropensityLoss) -> Line:
    terms = f"{found.n_terms} terms{' with squares and products' if found.has_interactions else ''}"
    end = "" if found.is_converged else ", not converged"
    return "pMSE", number(found.pmse, 6), f"{number(found.ratio, 2)} times that of correct synthetic data; {terms}{end}"


def _categories(found: CategoricalLoss) -> Iterator[Line]:
    yield "one-way tables", percent(found.one_way.moved), _tables(found.one_way)
    if found.two_way.n_tables:
        yield "two-way tables", percent(found.two_way.moved), _tables(found.two_way)
    yield (
        "entropy",
        number(found.entropy),
        f"bits H(original | protected), {percent(found.entropy_share)} of H(original)",
    )


def _tables(found: TableDifferences) -> str:
    return f"of the records in other cells; mean per cell {percent(found.cells)}, Hellinger {number(found.hellinger)}"


def number(value: float, digits: int = 4) -> str:
    """Write a number, a dash where it is undefined.

    >>> number(0.5), number(float("nan"))
    ('0.5000', '-')
    """
    return UNDEFINED if math.isnan(value) else f"{value:.{digits}f}"


def percent(value: float) -> str:
    """Write a share as a percentage, a dash where it is undefined.

    >>> percent(0.125)
    '12.50 %'
    """
    return UNDEFINED if math.isnan(value) else f"{100 * value:.2f} %"

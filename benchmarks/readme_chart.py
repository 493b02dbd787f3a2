"""The picture of the README: how many people each intruder finds in the demo file.

python -m benchmarks.readme_chart    writes docs/charts/readme.svg, in some minutes

Everything in it is computed: the files are those of ``linkrisk demo`` (1,000 records, seed 1), attacked on all three
scales by intruders who know all eight attributes, or three of them. Each record is linked to its nearest; informed has
read how the file was made. A bar is the best of the three scales, links being counted as expected links; a bound is the
largest of the three, so that it holds on each. Learned attackers have 60 seconds on each scale; where one runs out of
time, its bound is above its bar.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import linkrisk
from benchmarks.chart import text_at
from linkrisk.assessment import AttackResult
from linkrisk.assessment.demo import RECORDS, make_demo

PATH = Path(__file__).parents[1] / "docs" / "charts" / "readme.svg"
N_RECORDS, SEED, SECONDS = 1000, 1, 60.0
ALL = ("AFNLWGT", "AGI", "EMCONTRB", "FEDTAX", "PTOTVAL", "STATETAX", "TAXINC", "region")
KNOWN = {
    "all 8 attributes": ALL,
    "AGI, EMCONTRB, PTOTVAL": ("AGI", "EMCONTRB", "PTOTVAL"),
    "FEDTAX, STATETAX, TAXINC": ("FEDTAX", "STATETAX", "TAXINC"),
}
UNFITTED = ("mahalanobis0", "kernel", "mean", "probabilistic", "informed")
FITTED = ("mahalanobis", "distance_standardised", "owa", "weighted_mean")

WIDTH, LEFT, PANEL, GAP, TOP, ROW, BAR = 880, 168, 196, 40, 92, 25, 16
BLUE, RED, DARK, GREY = "#4c84b8", "#c8553d", "#222222", "#767676"


@dataclass(frozen=True)
class Bar:
    """What one intruder links, and what none of his kind exceeds, as shares of the people."""

    rate: float
    bound: float | None


def main() -> None:
    """Compute and draw."""
    PATH.write_text(drawing(bars()), encoding="utf-8")


def bars() -> dict[str, dict[str, Bar]]:
    """Return, by what the intruder knows, what each attacker links."""
    schema = {"attributes": {"region": {"kind": "nominal"}}}
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_demo(folder, N_RECORDS, SEED, overwrite=False)
        for what, attributes in KNOWN.items():
            result = linkrisk.assess(
                folder / "original.csv",
                folder / "protected.csv",
                attributes=attributes,
                attackers=[*UNFITTED, *FITTED],
                schema=schema,
                published=[folder / name for name in RECORDS],
                one_to_one=False,
                time_limit=SECONDS,
            )
            found[what] = {name: _best(result.attacks, name) for name in (*UNFITTED, *FITTED)}
    return found


def _best(attacks: Sequence[AttackResult], name: str) -> Bar:
    own = [attack for attack in attacks if attack.name == name]
    bounds = [attack.bound / attack.n_pairs for attack in own if attack.bound is not None]
    return Bar(max(attack.rate() for attack in own), max(bounds) if bounds else None)


def drawing(found: Mapping[str, Mapping[str, Bar]]) -> str:
    """Return the picture as SVG: one panel for each knowledge, one row for each attacker."""
    names = (*UNFITTED, *FITTED)
    bottom = TOP + ROW * len(names) + 10
    height = bottom + 84
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="Arial, sans-serif">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        text_at(16, 26, f"How many of {N_RECORDS:,} people does each intruder find again?", size=17, weight=700),
        text_at(
            16,
            47,
            "Demo file: microaggregation and noise on seven attributes; each record linked to its nearest.",
            colour=GREY,
        ),
        text_at(16, TOP - 14, "the intruder knows", colour=GREY),
    ]
    for row, name in enumerate(names):
        parts.append(text_at(LEFT - 10, _middle(row) + 4, name, anchor="end", size=13))
    for place, (what, rows) in enumerate(found.items()):
        parts += _panel(LEFT + place * (PANEL + GAP), bottom, what, [rows[name] for name in names])
    return "\n".join([*parts, *_legend(bottom + 48), "</svg>", ""])


def _middle(row: int) -> float:
    gap = 10 if row >= len(UNFITTED) else 0
    return TOP + ROW * row + ROW / 2 + gap


def _panel(left: float, bottom: float, what: str, rows: Sequence[Bar]) -> list[str]:
    parts = [text_at(left, TOP - 14, what, size=13, weight=700)]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x = left + share * PANEL
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom + 6}" stroke="#e4e4e4"/>')
        parts.append(text_at(x, bottom + 20, f"{share:.0%}", anchor="middle", size=11, colour=GREY))
    for row, bar in enumerate(rows):
        parts += _bar(left, _middle(row), bar, BLUE if row < len(UNFITTED) else RED)
    x = left + PANEL / N_RECORDS
    parts.append(
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom + 6}" stroke="{DARK}" stroke-dasharray="3 3"/>'
    )
    return parts


def _bar(left: float, middle: float, bar: Bar, colour: str) -> list[str]:
    width = bar.rate * PANEL
    parts = [f'<rect x="{left:.1f}" y="{middle - BAR / 2}" width="{width:.1f}" height="{BAR}" fill="{colour}"/>']
    end = width
    if bar.bound is not None:
        end = bar.bound * PANEL
        x = left + end
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{middle - BAR / 2 - 3}" y2="{middle + BAR / 2 + 3}" '
            f'stroke="{DARK}" stroke-width="3"/>'
        )
    number = f"{bar.rate * N_RECORDS:.0f}"
    if end > 0.82 * PANEL:
        return [*parts, text_at(left + width - 7, middle + 4, number, anchor="end", colour="#ffffff")]
    return [*parts, text_at(left + end + 6, middle + 4, number, colour=DARK)]


def _legend(y: float) -> list[str]:
    tick = f'y1="{{top}}" y2="{{bottom}}" stroke="{DARK}"'
    first, second = (tick.format(top=line - 13, bottom=line + 4) for line in (y, y + 22))
    entries = [
        (
            LEFT,
            y,
            f'<rect x="{LEFT}" y="{y - 10}" width="14" height="12" fill="{BLUE}"/>',
            "does not know the true pairs",
        ),
        (
            LEFT,
            y + 22,
            f'<rect x="{LEFT}" y="{y + 12}" width="14" height="12" fill="{RED}"/>',
            "fitted to the true pairs",
        ),
        (472, y, f'<line x1="479" x2="479" {first} stroke-width="3"/>', "proven bound: none of that kind finds more"),
        (472, y + 22, f'<line x1="479" x2="479" {second} stroke-dasharray="3 3"/>', "blind guessing: 1"),
    ]
    return [part for x, line, sign, text in entries for part in (sign, text_at(x + 22, line, text, size=12))]


if __name__ == "__main__":
    main()

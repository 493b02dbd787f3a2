"""The page of the papers, ``docs/papers.md``, with its pictures: written from stores, never by hand.

``python -m docs.papers_page FOLDER`` reads the stores that ``linkrisk study papers all`` has left in a folder. Pictures
go to ``docs/images/papers``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from linkrisk.report.charts.catalogue import figures_of
from linkrisk.report.charts.figure import Figure
from linkrisk.report.charts.picture import as_svg
from linkrisk.report.handout.markdown import plain
from linkrisk.report.papers import as_page
from linkrisk.study.papers import EXPERIMENTS, PaperComparison, compare
from linkrisk.study.papers.running import default_store

PAGE = Path(__file__).parent / "papers.md"
FOLDER = Path(__file__).parent / "images" / "papers"


def main() -> None:
    """Write the page and its pictures."""
    parser = argparse.ArgumentParser(prog="python -m docs.papers_page", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the stores are")
    folder = parser.parse_args().folder
    found = [compare(name, folder / default_store(name)) for name in EXPERIMENTS]
    FOLDER.mkdir(parents=True, exist_ok=True)
    pictures = {result.name: list(_pictures(result)) for result in found}
    PAGE.write_text(as_page(found, pictures), encoding="utf-8")


def _pictures(result: PaperComparison) -> Iterator[str]:
    """Draw every figure; the papers' data are public, so values in squares and parameters may be shown."""
    for place, figure in enumerate(figures_of(result, confidential=True)):
        path = FOLDER / f"{result.name}-{_word(figure)}-{place}.svg"
        path.write_text(as_svg(figure, f"{result.name}-{place}") + "\n", encoding="utf-8")
        yield from (f"### {plain(figure.title)}", "", f"![{plain(figure.title)}](images/papers/{path.name})", "")
        yield from (plain(figure.caption), "")


def _word(figure: Figure) -> str:
    return figure.name.replace("_", "-")


if __name__ == "__main__":
    main()

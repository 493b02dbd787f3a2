"""Tables of torra2010-owa.txt."""

from __future__ import annotations

from linkrisk.datasets.census_figures import COLUMNS
from linkrisk.study.papers.claims import Claim, PublishedTable, Where, links, parameter

_SIZES = ("T100", "T200", "T300")

_NAMES = COLUMNS

_NOTE_ONE_DRAW = (
    "The paper draws one training set of each size. Ours are means over 10 draws, so a figure of theirs may lie two "
    "standard deviations of ours away and still be one of them."
)

_NOTE_PARAMETERS = (
    "Other parameters make as many links: the best ones are a whole cell, from which the paper prints the corner that "
    "its solver ended in, and ours are the point of largest margin, on average over 10 draws. They need not agree."
)


def _protection(file: str, size: str) -> str:
    return "B2 of 300" if (file, size) == ("B2", "T300") else file


def _links(file: str, size: str, attacker: str) -> Where:
    return links(_protection(file, size), attacker, factor=1.0, data=size)


_APPROACH_1 = {"T100": (0.55, 1.0), "T200": (0.56, 1.0), "T300": (0.5766667, 0.9933)}

_WEIGHTED_MEAN = {
    "B1": {"T100": (1.0, 1.0), "T200": (1.0, 1.0), "T300": (1.0, 0.9933)},
    "B2": {"T100": (0.96, 0.94), "T200": (0.965, 0.95), "T300": (0.9467, 0.93)},
    "B3": {"T100": (0.76, 0.73)},
}

_OWA = {
    "B1": {"T100": (1.0, 1.0), "T200": (1.0, 1.0), "T300": (1.0, 0.996)},
    "B2": {"T100": (0.95, 0.94), "T200": (0.96, 0.95)},
    "B3": {"T100": (0.75, 0.73), "T200": (0.64, 0.595)},
}


def _approach_2(printed: dict[str, dict[str, tuple[float, float]]], attacker: str, column: str) -> tuple[Claim, ...]:
    cells = [(file, size, pair) for file, sizes in printed.items() for size, pair in sizes.items()]
    return tuple(
        claim
        for file, size, (learned, mean) in cells
        for claim in (
            Claim(f"{file} {size}", column, learned, _links(file, size, attacker)),
            Claim(f"{file} {size}", "DBRL1", mean, _links(file, size, "mean")),
        )
    )


_WEIGHTS = {
    ("B1", "T100"): (0.12, 0.0, 0.09, 0.0, 0.0, 0.62, 0.05, 0.0, 0.0, 0.0, 0.12, 0.0, 0.0),
    ("B1", "T200"): (0.13, 0.0, 0.10, 0.0, 0.0, 0.06, 0.17, 0.45, 0.0, 0.0, 0.11, 0.0, 0.0),
    ("B1", "T300"): (0.0, 0.0, 0.01, 0.0, 0.0, 0.0, 0.31, 0.05, 0.02, 0.0, 0.23, 0.0, 0.37),
    ("B2", "T100"): (0.20, 0.08, 0.14, 0.0, 0.26, 0.0, 0.09, 0.04, 0.0, 0.12, 0.0, 0.0, 0.06),
    ("B2", "T200"): (0.03, 0.09, 0.07, 0.04, 0.0, 0.06, 0.02, 0.05, 0.13, 0.0, 0.11, 0.0, 0.39),
    ("B2", "T300"): (0.02, 0.08, 0.05, 0.04, 0.0, 0.05, 0.05, 0.20, 0.10, 0.0, 0.05, 0.04, 0.32),
    ("B3", "T100"): (0.06, 0.03, 0.04, 0.11, 0.03, 0.02, 0.02, 0.02, 0.45, 0.0, 0.08, 0.0, 0.13),
}

_POSITIONS = {
    ("B1", "T100"): (0.0, 0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.99, 0.0),
    ("B1", "T200"): (0.0, 0.0, 0.0, 0.062, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.93),
    ("B2", "T100"): (0.01, 0.12, 0.0, 0.0, 0.0, 0.0, 0.0, 0.31, 0.0, 0.0, 0.0, 0.56, 0.0),
    ("B2", "T200"): (0.07, 0.0, 0.015, 0.07, 0.19, 0.0, 0.0, 0.0, 0.66, 0.0, 0.0, 0.0, 0.0),
    ("B3", "T100"): (0.09, 0.08, 0.027, 0.14, 0.0, 0.0, 0.26, 0.41, 0.0, 0.0, 0.0, 0.0, 0.0),
    ("B3", "T200"): (0.03, 0.04, 0.088, 0.06, 0.01, 0.024, 0.0, 0.06, 0.0, 0.0, 0.21, 0.32, 0.15),
}


def _weights(file: str, size: str) -> tuple[Claim, ...]:
    return tuple(
        Claim(
            f"{file} {size}", f"V{place}", value, parameter(_protection(file, size), "weighted_mean", name, data=size)
        )
        for place, (name, value) in enumerate(zip(_NAMES, _WEIGHTS[file, size], strict=True), start=1)
    )


def _positions(file: str, size: str) -> tuple[Claim, ...]:
    return tuple(
        Claim(f"{file} {size}", f"p{place}", value, parameter(_protection(file, size), "owa", str(place), data=size))
        for place, value in enumerate(_POSITIONS[file, size], start=1)
    )


TABLES = (
    PublishedTable(
        "torra2010-owa.txt, Table 1",
        "Approach 1, least errors, by the weighted mean, beside DBRL1 (B1)",
        tuple(
            claim
            for size, (errors, mean) in _APPROACH_1.items()
            for claim in (
                Claim(
                    size,
                    "least errors",
                    errors,
                    Where("errors", {"protection": "B1", "data": size, "attacker": "weighted_mean"}),
                ),
                Claim(size, "DBRL1", mean, _links("B1", size, "mean")),
            )
        ),
        unit="share",
        decimals=3,
        note="The weights of least errors, found by linear programming, link fewer than equal weights, as the paper "
        "says, but not as few as it prints: its solver's weights were not those of least errors, or its errors are "
        "counted in another way. Clusters are made of standardised values, which alone give the paper's figures of "
        "DBRL1.",
    ),
    PublishedTable(
        "torra2010-owa.txt, Table 2",
        "Approach 2, most links, by the weighted mean, beside DBRL1",
        _approach_2(_WEIGHTED_MEAN, "weighted_mean", "weighted mean"),
        unit="share",
        decimals=3,
        note=_NOTE_ONE_DRAW,
    ),
    PublishedTable(
        "torra2010-owa.txt, Table 3",
        "Approach 2, most links, by the OWA operator, beside DBRL1",
        _approach_2(_OWA, "owa", "OWA"),
        unit="share",
        decimals=3,
        note=_NOTE_ONE_DRAW,
    ),
    PublishedTable(
        "torra2010-owa.txt, Table 4",
        "Weights of the weighted mean",
        tuple(claim for file, size in _WEIGHTS for claim in _weights(file, size)),
        unit="weight",
        is_judged=False,
        note=_NOTE_PARAMETERS,
    ),
    PublishedTable(
        "torra2010-owa.txt, Table 5",
        "Weights of the OWA operator, the first that of the largest difference",
        tuple(claim for file, size in _POSITIONS for claim in _positions(file, size)),
        unit="weight",
        is_judged=False,
        note=_NOTE_PARAMETERS
        + " The paper does not say whether its first weight is that of the largest or of the smallest difference.",
    ),
)

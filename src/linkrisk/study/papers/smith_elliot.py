"""The experiment of smith-elliot-bayesian.txt, and its worked example."""

from __future__ import annotations

from linkrisk.study.papers.claims import Claim, PublishedTable, Where
from linkrisk.study.papers.worked_example import TABLE, computed

__all__ = ["TABLES", "computed"]

WAYS = {
    "paper, naive bounds": "paper naive",
    "paper, exact bounds": "paper exact",
    "sums, exact bounds": "sums exact",
    "exact": "exact exact",
}

RELEASES = {
    "small population": ("samples only", "b rounded 3", "c exact", "b x c rounded 5"),
    "population": (
        "samples only",
        "region x trade rounded 5",
        "age x home exact",
        "trade x age rounded 3",
        "trade x age x home x family rounded 3",
        "trade x age x home sample",
        "trade x age x home rounded 5",
    ),
    "people like Census": (
        "samples only",
        "region x marital status rounded 5",
        "education x age exact",
        "region x age rounded 3",
        "region x education x age x sex rounded 3",
        "region x education x age sample",
        "region x education x age rounded 5",
    ),
}
"""What has been published, one table after the other."""


def _claims(name: str) -> tuple[Claim, ...]:
    ways = WAYS if name == "small population" else dict(list(WAYS.items())[:3])
    return tuple(
        Claim(label, column, None, Where("matching", {"data": name, "tables": n_tables, "attacker": way}))
        for n_tables, label in enumerate(RELEASES[name])
        for column, way in ways.items()
    )


_NOTE = (
    "The paper prints no figures. It says that for most releases the rank correlations of the probabilities said with "
    "the true ones were highly significant, that they tended to rise with each table, and that tables which the "
    "posterior can use (those that hold all the attributes in common, here the last two) raise them most. The 1991 "
    "Sample of Anonymised Records is not to be had: these people are generated."
)

TABLES = (
    TABLE,
    *(
        PublishedTable(
            "smith-elliot-bayesian.txt, An experiment",
            f"Rank correlation of probabilities said and true, while tables are published: {name}",
            _claims(name),
            unit="rho",
            decimals=3,
            note=_NOTE,
        )
        for name in RELEASES
    ),
)

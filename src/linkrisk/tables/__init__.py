"""Published tables, and how sure an intruder may be that two samples hold the same person.

The verb is `linkrisk.match`: it judges every unique match between samples and returns a `MatchReport`. A
`TableDescription` says what a published table is and how it was made; a `Publication` holds all of them, and
`load_publication` reads one from TOML. `categorical_population`, `draw_sample` and `publish_table` make populations,
samples and tables for experiments. The folders are the steps:

- `evidence`: what the intruder holds, samples and published tables, read and numbered;
- `bounds`: the least and the largest number of people in a cell that this allows;
- `posterior`: how likely each number of people is.
"""

from linkrisk.tables.bounds.naive import naive_bounds
from linkrisk.tables.evidence.evidence import Evidence
from linkrisk.tables.evidence.publication import (
    Publication,
    TableDescription,
    load_publication,
    make_table_description,
)
from linkrisk.tables.evidence.reading import make_evidence
from linkrisk.tables.posterior.naive import naive_posteriors
from linkrisk.tables.posterior.posterior import Posterior
from linkrisk.tables.result import MatchReport
from linkrisk.tables.simulation import categorical_population, draw_sample, publish_table

__all__ = [
    "Evidence",
    "MatchReport",
    "Posterior",
    "Publication",
    "TableDescription",
    "categorical_population",
    "draw_sample",
    "load_publication",
    "make_evidence",
    "make_table_description",
    "naive_bounds",
    "naive_posteriors",
    "publish_table",
]

"""Published tables, and how sure an intruder may be of a match between two samples.

`match` judges every unique match; `Released` describes a table, `load_release` reads descriptions from TOML.
`categorical_population`, `draw_sample` and `release_table` make populations, samples and tables for experiments.
"""

from linkrisk.tables.bounds.naive import naive_bounds
from linkrisk.tables.evidence.evidence import Evidence, make_evidence
from linkrisk.tables.evidence.population import categorical_population, draw_sample, release_table
from linkrisk.tables.evidence.publication import Release, Released, load_release, make_released
from linkrisk.tables.match import match
from linkrisk.tables.posterior.posterior import Posterior, naive_posteriors
from linkrisk.tables.result import MatchReport

__all__ = [
    "Evidence",
    "MatchReport",
    "Posterior",
    "Release",
    "Released",
    "categorical_population",
    "draw_sample",
    "load_release",
    "make_evidence",
    "make_released",
    "match",
    "naive_bounds",
    "naive_posteriors",
    "release_table",
]

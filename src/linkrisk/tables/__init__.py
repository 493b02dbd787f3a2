"""Published tables, and how sure an intruder may be that two samples hold the same person.

The verb is `linkrisk.match`: it judges every unique match between samples and returns a `MatchReport`. A
`TableDescription` says what a published table is and how it was made; a `Publication` holds all of them, and
`load_publication` reads one from TOML. `categorical_population`, `draw_sample` and `publish_table` make populations,
samples and tables for experiments. The folders are the steps:

- `evidence`: what the intruder holds, samples and published tables, read and numbered;
- `bounds`: the least and the largest number of people in a cell that this allows;
- `posterior`: how likely each number of people is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkrisk.lazy import lazily

if TYPE_CHECKING:  # the same names for type checkers, which do not follow `_HOMES`; a test compares the two
    from linkrisk.tables.bounds.naive import naive_bounds as naive_bounds
    from linkrisk.tables.evidence.evidence import Evidence as Evidence
    from linkrisk.tables.evidence.publication import Publication as Publication
    from linkrisk.tables.evidence.publication import TableDescription as TableDescription
    from linkrisk.tables.evidence.publication import load_publication as load_publication
    from linkrisk.tables.evidence.publication import make_table_description as make_table_description
    from linkrisk.tables.evidence.reading import make_evidence as make_evidence
    from linkrisk.tables.posterior.naive import naive_posteriors as naive_posteriors
    from linkrisk.tables.posterior.posterior import Posterior as Posterior
    from linkrisk.tables.result import MatchReport as MatchReport
    from linkrisk.tables.simulation import categorical_population as categorical_population
    from linkrisk.tables.simulation import draw_sample as draw_sample
    from linkrisk.tables.simulation import publish_table as publish_table

_HOMES = {
    "Evidence": "linkrisk.tables.evidence.evidence:Evidence",
    "MatchReport": "linkrisk.tables.result:MatchReport",
    "Posterior": "linkrisk.tables.posterior.posterior:Posterior",
    "Publication": "linkrisk.tables.evidence.publication:Publication",
    "TableDescription": "linkrisk.tables.evidence.publication:TableDescription",
    "categorical_population": "linkrisk.tables.simulation:categorical_population",
    "draw_sample": "linkrisk.tables.simulation:draw_sample",
    "load_publication": "linkrisk.tables.evidence.publication:load_publication",
    "make_evidence": "linkrisk.tables.evidence.reading:make_evidence",
    "make_table_description": "linkrisk.tables.evidence.publication:make_table_description",
    "naive_bounds": "linkrisk.tables.bounds.naive:naive_bounds",
    "naive_posteriors": "linkrisk.tables.posterior.naive:naive_posteriors",
    "publish_table": "linkrisk.tables.simulation:publish_table",
}
"""Every public name, and where it is found, as ``module:name``."""

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # a type checker is to know the names above only
    __getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__

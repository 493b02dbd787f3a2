"""Which samples and tables contradict each other: the smallest set that no population agrees with."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from linkrisk.engine import interrupt
from linkrisk.errors import SettingsError
from linkrisk.tables.bounds.cells import make_cells
from linkrisk.tables.bounds.consistent_populations import ConsistentPopulations
from linkrisk.tables.bounds.naive import naive_bounds
from linkrisk.tables.bounds.programme import make_programme
from linkrisk.tables.bounds.solver import Deadline, LinearProgramme, branch
from linkrisk.tables.evidence.evidence import Evidence, Sample
from linkrisk.tables.evidence.published_table import PublishedTable

QUICK, PATIENT = 50_000, 500_000
"""Steps of a search for a population: before anything else is tried, and after the linear programme."""

SECONDS_OF_ONE = 10.0
"""Seconds of branch and bound for one set; a set that is not settled by then counts as consistent."""

MOST_SETS = 1_000
"""Number of sets of one size up to which all are tried for a smaller contradiction."""

Member = Sample | PublishedTable


def find_contradiction(evidence: Evidence) -> tuple[str, ...]:
    """Return the names of a smallest set of samples and tables that contradict each other; nothing if there is none.

    *Guarantee* (docs/mathematics.md#contradiction): no population of the stated size agrees with all that are named,
    and if any one of them is left out, a population agrees with the others, as far as HiGHS can tell (a set that it
    does not settle in time counts as consistent). No smaller set contradicts itself, unless there are more than 1000
    sets of one size.

    Method: members are left out one by one as long as the rest contradicts itself (deletion filter, Chinneck and
    Dravnieks 1991). Then all sets smaller than the one found are tried, the smallest first. Each set is a problem of
    its own, in which attributes that its members do not share are summed out.

    Examples
    --------
    >>> import pandas as pd
    >>> from linkrisk.tables.evidence.reading import make_evidence
    >>> from linkrisk.tables.evidence.publication import make_table_description
    >>> first = pd.DataFrame({"sex": ["f", "m"], "job": ["x", "y"]})
    >>> second = pd.DataFrame({"sex": ["f", "m"], "car": ["x", "y"]})
    >>> ages = pd.DataFrame({"sex": ["f", "m"], "age": ["old", "young"], "count": [3, 6]})
    >>> homes = pd.DataFrame({"sex": ["f", "m"], "home": ["flat", "house"], "count": [4, 5]})
    >>> named = {"ages": ages, "homes": homes}
    >>> tables = [make_table_description(table, mechanism="exact", name=name) for name, table in named.items()]
    >>> find_contradiction(make_evidence({"first": first, "second": second}, tables))
    ('ages', 'homes')
    """
    members: list[Member] = [*evidence.samples, *evidence.tables]
    if _is_possible(evidence, members):
        return ()
    core = _irreducible(evidence, members)
    for size in range(1, len(core)):
        if math.comb(len(members), size) > MOST_SETS:
            break
        for some in itertools.combinations(members, size):
            if not _is_possible(evidence, some):
                return tuple(member.name for member in some)
    return tuple(member.name for member in core)


def check_consistent(evidence: Evidence) -> None:
    """Raise if samples and tables are known to contradict each other.

    Raises
    ------
    SettingsError
        Names the smallest set that contradicts itself.
    """
    names = find_contradiction(evidence)
    if names:
        raise SettingsError(_sentence(names, evidence.population))


def contradiction_error(evidence: Evidence) -> SettingsError:
    """Return the error for samples and tables that are known to contradict each other."""
    members: list[Member] = [*evidence.samples, *evidence.tables]
    return SettingsError(
        _sentence(find_contradiction(evidence) or tuple(member.name for member in members), evidence.population)
    )


def _sentence(names: tuple[str, ...], population: int) -> str:
    people = f"no population of {population} people agrees with"
    if len(names) == 1:
        return f"{names[0]} contradicts itself: {people} its counts; check how it was made"
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    together = "both" if len(names) == 2 else "all of them"
    return f"{listed} contradict each other: {people} {together}; check how they were made"


def _irreducible(evidence: Evidence, members: Sequence[Member]) -> list[Member]:
    """Leave out every member that the contradiction does not need, published tables last."""
    core = list(members)
    for member in members:
        rest = [other for other in core if other is not member]
        if not _is_possible(evidence, rest):
            core = rest
    return core


def _is_possible(evidence: Evidence, members: Sequence[Member]) -> bool:
    """Tell whether some population agrees with all members; True also where that is not known."""
    interrupt.check()
    samples = tuple(member for member in members if isinstance(member, Sample))
    tables = tuple(member for member in members if isinstance(member, PublishedTable))
    some = Evidence(evidence.domain, evidence.population, (), samples, tables)
    cells = make_cells(some)
    if cells is None:
        return True
    programme = make_programme(cells, (), *naive_bounds(some, cells.overlap_keys))
    if programme.is_empty:
        return False
    points = ConsistentPopulations(programme)
    if points.find_first(QUICK):
        return True
    linear, deadline = LinearProgramme(programme.groups, cells.n_cells), Deadline(SECONDS_OF_ONE)
    linear.set_bounds((programme.low, programme.high), (programme.least, programme.largest))
    if linear.is_infeasible(deadline.left):
        return False
    if points.find_first(PATIENT):
        return True
    return not branch(programme, programme.least * 0, deadline.left).is_infeasible

"""Tune a protection: the least loss of which no attacker links more than a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

from linkrisk.advice.options import TuneKeywords, TuneOptions
from linkrisk.advice.plan import make_plans
from linkrisk.advice.risk import Threat
from linkrisk.advice.trials import Trials
from linkrisk.advice.tuner import Tuner
from linkrisk.advice.tuning import Tuning
from linkrisk.attack.options import Attacking
from linkrisk.attack.reporter import Reporter, SilentReporter
from linkrisk.data.columns import FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.read import open_file
from linkrisk.data.reading import Reading
from linkrisk.data.same_values import is_missing
from linkrisk.data.schema import make_schema
from linkrisk.errors import OptionError, SettingsError
from linkrisk.options import Number, takes
from linkrisk.protection.draws import make_secret
from linkrisk.protection.frame import Frame
from linkrisk.protection.protect import open_data, path_of
from linkrisk.protection.registry import find_method
from linkrisk.protection.selection import ColumnChoice
from linkrisk.protection.specification import Groups, read_groups


@takes(TuneOptions)
def tune(
    original: Any,
    method: str,
    target_rate: float,
    *,
    reporter: Reporter | None = None,
    **options: Unpack[TuneKeywords],
) -> Tuning:
    """Find parameters of a protection with the least loss of which no attacker links more than a target rate.

    First every unit (group of attributes, or attribute) gets the same strength, and the least one that reaches the
    target is found by bisection; without ``groups`` this is done for several sizes of groups. Then each unit gets a
    strength of its own, guided by what it gives away: from just below the target, the unit that carries most of the
    risk is strengthened until the target is reached; and from the best found so far, units are weakened step by step,
    those that carry least first, as long as the target holds and the loss falls. At last the release of least loss is
    attacked once more, by every attacker there is, on every scale and with twice the time; if one of them links more
    than the target, the next release is tried.

    Parameters
    ----------
    original
        The file, frame or array to be protected.
    method
        ``mdav``, ``individual_ranking``, ``z_scores``, ``principal_components`` (k is tuned), ``rank_swap``, ``noise``
        or ``correlated_noise`` (p is).
    target_rate
        Share of the people that the strongest attacker may link, 0.05 for 5 %.
    @options
    reporter
        Told about progress.

    Columns in ``leave`` that are among ``attributes`` are known to the intruder. Columns that are neither protected nor
    named there are refused if they are quantities (`linkrisk.protection.quantities`) or identifiers; words and
    categories are left, with a note. The intruder who knows the method (`informed`) always attacks, and knows what
    would be published about each trial. A release that one attacker breaks is attacked no further. All trials
    use the same draws, and only one of them may ever be released.

    Returns
    -------
    Tuning
        Every release tried, with its risk and loss; the best, if one was confirmed, and its protected file. The search
        is a heuristic: ``best`` is the least loss seen, and the file released is the one that was attacked. No attacker
        of linkrisk links more of it than the target; ``is_proven`` tells whether no parameters of the learned attackers
        can, which is open where one ran out of time.

    Examples
    --------
    >>> import linkrisk
    >>> original = linkrisk.datasets.census_like(60, seed=1)[["AGI", "FEDTAX"]]
    >>> quick = {"attackers": ["mean"], "scales": ["ranks"], "trials": 8, "time_limit": 0.1}
    >>> tuning = linkrisk.tune(original, "rank_swap", 0.5, secret_seed=3, **quick)
    >>> tuning.best.rate <= 0.5, len(tuning.trials) <= 8
    (True, True)
    """
    asked = TuneOptions.of(options)
    try:
        target = Number(0.0, 1.0).check(target_rate)
    except ValueError as problem:
        raise OptionError([("target_rate", str(problem))]) from None
    table = open_file(original, "original", delimiter=asked.delimiter)
    schema = make_schema(asked.schema, missing=asked.missing or ())
    reading = Reading(attributes=asked.attributes, schema=schema)
    files = pair_files(table, table, reading=reading)
    known = tuple(attribute.name for attribute in files.attributes)
    protected = tuple(name for name in known if name not in asked.leave)
    if not protected:
        raise SettingsError("leave: no attribute is left to protect; leave out some of them")
    choice = ColumnChoice.of(Frame.of(table, schema), find_method(method), asked.leave)
    left_notes = [*choice.notes(choice.unasked(protected)), *choice.trace_notes(protected)]
    units = _units(asked.groups)
    plans = make_plans(method, protected, _least_known(files, protected), groups=units, raw=asked.raw)
    choice.check_kinds(protected)
    trials = Trials(
        plans=plans,
        data=table if path_of(original) is not None else open_data(original),
        source=path_of(original),
        table=table,
        reading=replace(reading, attributes=known),
        left=tuple(name for name in table.column_names if name not in protected),
        target=target,
        threat=Threat.of(asked.part(Attacking), asked.time_limit),
        max_trials=asked.trials,
        secret=make_secret(asked.secret_seed) if choice.method.is_random else None,
        reporter=reporter or SilentReporter(),
        notes=dict.fromkeys((*files.notes, *left_notes)),
    )
    return Tuner(trials, confirms=asked.confirm).run()


def _units(groups: str | Groups | Sequence[Sequence[str]] | None) -> tuple[tuple[str, ...], ...] | None:
    """Return groups as tuples of names; a k is refused, because it is what is tuned."""
    if groups is None:
        return None
    found = read_groups(groups)
    if found.k is not None:
        raise SettingsError("groups (--groups): k is what is tuned; name the groups only, such as A,B;C,D")
    return tuple(tuple(str(name) for name in group) for group in found.names)


def _least_known(files: FilePair, names: Sequence[str]) -> int:
    """Return the least number of known values of an attribute: only known values are ranked and grouped."""
    return min(int((~is_missing(column.original)).sum()) for column in files.columns if column.attribute.name in names)

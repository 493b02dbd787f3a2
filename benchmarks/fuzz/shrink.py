"""Making an instance that fails as small as possible, while it fails in the same way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from benchmarks.fuzz.instance import Instance, Value

Fails = Callable[[Instance], bool]


def shrink(instance: Instance, fails: Fails, seconds: float = 30.0) -> Instance:
    """Return the smallest instance found that still fails: fewer records and attributes, shorter numbers."""
    end = time.perf_counter() + seconds
    has_shrunk = True
    while has_shrunk:
        has_shrunk = False
        for smaller in _smaller(instance):
            if time.perf_counter() > end:
                return instance
            if fails(smaller):
                instance, has_shrunk = smaller, True
                break
    return instance


def _smaller(instance: Instance) -> Iterator[Instance]:
    """Yield instances that are simpler in one respect, the largest steps first."""
    yield from _fewer(instance)
    yield from _plainer(instance)
    for digits in (0, 1, 2, 4, 8):
        rounded = _rounded(instance, digits)
        if rounded != instance:
            yield rounded
    yield from _single_cells(instance)


def _fewer(instance: Instance) -> Iterator[Instance]:
    if instance.n_original > 1:
        for i in range(instance.n_original):
            yield _usable(instance.keep_original([q for q in range(instance.n_original) if q != i]))
    if instance.n_protected > 2:
        for j in range(instance.n_protected):
            kept = instance.keep_protected([q for q in range(instance.n_protected) if q != j])
            if any(own >= 0 for own in kept.own):
                yield _usable(kept)
    n_attributes = len(instance.columns)
    if n_attributes > 1:
        for k in range(n_attributes):
            fewer = instance.keep_columns([q for q in range(n_attributes) if q != k])
            if any(column.kind == "numeric" for column in fewer.columns):
                yield fewer


def _usable(instance: Instance) -> Instance:
    """Return the instance, without weights where all that count are 0."""
    weights = instance.weights
    if weights is None or any(w > 0.0 for w, j in zip(weights, instance.own, strict=True) if j >= 0):
        return instance
    return replace(instance, weights=None)


def _plainer(instance: Instance) -> Iterator[Instance]:
    if instance.weights is not None:
        yield replace(instance, weights=None)
    if instance.margin:
        yield replace(instance, margin=0.0)
    if instance.ties != "unique":
        yield replace(instance, ties="unique")
    if instance.scale != "original":
        yield replace(instance, scale="original")


def _rounded(instance: Instance, digits: int) -> Instance:
    columns = tuple(
        replace(c, original=_short(c.original, digits), protected=_short(c.protected, digits)) for c in instance.columns
    )
    return replace(instance, columns=columns)


def _short(values: tuple[Value, ...], digits: int) -> tuple[Value, ...]:
    return tuple(float(f"{value:.{digits}e}") if isinstance(value, float) else value for value in values)


def _single_cells(instance: Instance) -> Iterator[Instance]:
    """Yield instances in which one number is 0, or has few digits."""
    for k, column in enumerate(instance.columns):
        for side in ("original", "protected"):
            values: tuple[Value, ...] = getattr(column, side)
            for place, value in enumerate(values):
                for plain in _plain_numbers(value):
                    changed = (*values[:place], plain, *values[place + 1 :])
                    columns = list(instance.columns)
                    columns[k] = (
                        replace(column, original=changed) if side == "original" else replace(column, protected=changed)
                    )
                    yield replace(instance, columns=tuple(columns))


def _plain_numbers(value: Value) -> list[float]:
    if not isinstance(value, float) or value == 0.0:
        return []
    short = [0.0, float(f"{value:.0e}"), float(f"{value:.2e}")]
    return [plain for plain in short if plain != value and len(repr(plain)) < len(repr(value))]

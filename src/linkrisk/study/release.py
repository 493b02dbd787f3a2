"""The release of a cell: the sample, its protection, and the two files as attackers compare them."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from linkrisk.arrays import IntArray
from linkrisk.data.columns import FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.raw_file import RawFile
from linkrisk.data.read import open_file
from linkrisk.data.reading import Meaning
from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.informed.description import Description
from linkrisk.protection.planning.plan import read_plan
from linkrisk.protection.protect import protect
from linkrisk.protection.protection import Protection
from linkrisk.protection.registry import find_method
from linkrisk.study.specification.cells import Cell
from linkrisk.study.specification.options import DataOptions
from linkrisk.study.specification.specification import NO_METHOD, Specification

MOST_KEPT = 4
"""Releases and whole protected files that a worker keeps: cells of one release come one after the other."""


@dataclass(frozen=True, eq=False, repr=False)
class Workload:
    """What all cells of a study need: its specification, and the original of each of its data.

    ``kept`` holds what a worker made last; it stays with the worker.
    """

    specification: Specification
    files: Mapping[str, RawFile]
    kept: OrderedDict[Hashable, Any] = field(default_factory=OrderedDict)

    def __getstate__(self) -> dict[str, Any]:
        """Return what other processes are sent."""
        return {"specification": self.specification, "files": self.files, "kept": OrderedDict()}

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return what was made under a key, or make it; the oldest of too many is forgotten."""
        if key not in self.kept:
            while len(self.kept) >= MOST_KEPT:
                self.kept.popitem(last=False)
            self.kept[key] = make()
        return self.kept[key]


@dataclass(frozen=True, eq=False, repr=False)
class Release:
    """Two files of one cell. ``published`` is what an intruder may know of the method; None where there is none."""

    files: FilePair
    published: Description | None
    comparisons: dict[str, Comparison] = field(default_factory=dict)

    def comparison(self, scale: str | None) -> Comparison:
        """Return the files on a scale."""
        name = str(scale or Scale.SEPARATE)
        if name not in self.comparisons:
            self.comparisons[name] = make_comparison(self.files, name)
        return self.comparisons[name]


def seed_of(*words: Any) -> int:
    """Return a seed that depends on all words, and on nothing else.

    >>> seed_of(1, "sample") == seed_of(1, "sample") != seed_of(2, "sample")
    True
    """
    digest = hashlib.sha256("\x1f".join(map(str, words)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def release_of(workload: Workload, cell: Cell) -> Release:
    """Return the release of a cell; the same for all cells that differ in what is measured alone."""
    release = (cell.data, cell.protection, cell.parameters, cell.repeat)
    return cast("Release", workload.once(release, lambda: _make(workload, cell)))


def _make(workload: Workload, cell: Cell) -> Release:
    data = workload.specification.data_by_name[cell.data]
    original = workload.files[cell.data]
    rows = _sample(workload.specification.seed, data, original.n_records, cell.repeat)
    if rows is not None and data.sampled == "before":
        original = original.taken(rows)
    protection = _protection(workload, cell, original, data)
    protected = original if protection is None else open_file(protection.data, "protected")
    if rows is not None and data.sampled == "after":
        original, protected = original.taken(rows), protected.taken(rows)
    attributes = [name for name in data.known or original.column_names if name in protected.column_names]
    meaning = data.part(Meaning).keywords()
    files = pair_files(original, protected, attributes=attributes, **meaning)
    known = [attribute.name for attribute in files.attributes]
    published = None if protection is None else Description.of_protection(protection).restricted(known)
    return Release(files, published)


def _sample(seed: int | None, data: DataOptions, n_records: int, repeat: int) -> IntArray | None:
    """Draw the records of a repeat: the same for all data that are samples of one size of one file."""
    if data.sample is None:
        return None
    source = data.generated if data.file is None else data.file.name
    random = np.random.default_rng(seed_of(seed, "sample", source, n_records, data.sample, repeat))
    return np.sort(random.choice(n_records, data.sample, replace=False))


def _protection(workload: Workload, cell: Cell, original: RawFile, data: DataOptions) -> Protection | None:
    """Protect a file; a whole one, by a method that draws nothing, once for all repeats."""
    spec = workload.specification.protections_by_name[cell.protection]
    if spec.method == NO_METHOD:
        return None
    options = {**data.part(Meaning).keywords(), **spec.options(cell.parameters)}
    method = options.pop("method")
    strength = (cell.data, cell.protection, cell.parameters)
    draws = _draws(method, options)
    if draws:
        options["secret_seed"] = seed_of(workload.specification.seed, "protect", *strength, cell.repeat)
    if data.sampled == "before" and data.sample is not None:
        return protect(original, method, **options)
    whole = ("whole", *strength, cell.repeat if draws else None)
    return cast("Protection", workload.once(whole, lambda: protect(original, method, **options)))


def _draws(method: str | None, options: Mapping[str, Any]) -> bool:
    """Whether random numbers are drawn."""
    if method is None:
        return read_plan(options["plan"]).draws
    return find_method(method).draws(random=bool(options.get("random")))

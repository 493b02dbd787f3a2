"""The data of a study, opened and checked before any work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from linkrisk import datasets
from linkrisk.data.raw_file import RawFile
from linkrisk.data.read import open_file
from linkrisk.errors import InputError, SettingsError
from linkrisk.options import nearest_word
from linkrisk.printable import file_name
from linkrisk.study.release import Workload, seed_of
from linkrisk.study.specification.options import DataOptions
from linkrisk.study.specification.specification import Specification


def open_inputs(specification: Specification) -> Workload:
    """Read, or generate, all data of a study whose seed is settled; every mistake is told.

    Raises
    ------
    SettingsError
        With a line for each data that cannot be used.
    """
    files: dict[str, RawFile] = {}
    read: dict[Any, RawFile] = {}
    mistakes: list[str] = []
    for data in specification.data:
        source = (data.file, data.generated, data.records, data.delimiter)
        try:
            if source not in read:
                read[source] = _opened(data, specification.seed)
            whole = read[source]
            mistakes += [f"data {data.name!r}: {mistake}" for mistake in _mistakes(data, whole)]
            if not mistakes:
                files[data.name] = whole if data.columns is None else whole.selected(data.columns)
        except InputError as problem:
            mistakes.append(f"data {data.name!r}: {problem}")
    if mistakes:
        raise SettingsError("\n".join(mistakes))
    return Workload(specification, files)


def digests_of(workload: Workload) -> dict[str, str]:
    """Return what tells whether data have changed: a hash of the columns that are used."""
    return {name: file.digest for name, file in workload.files.items()}


def _opened(data: DataOptions, seed: int | None) -> RawFile:
    if data.file is not None:
        return open_file(data.file, file_name(data.file), delimiter=data.delimiter)
    make = getattr(datasets, str(data.generated))
    return open_file(make(data.records, seed=seed_of(seed, "generate", data.generated) % 2**32), str(data.generated))


def _mistakes(data: DataOptions, whole: RawFile) -> Iterator[str]:
    kept = whole.column_names if data.columns is None else data.columns
    for word, names, there in (("columns", data.columns or (), whole.column_names), ("known", data.known or (), kept)):
        for name in names:
            if name not in there:
                hint = nearest_word(name, list(there)) or f"; there are {', '.join(there)}"
                yield f"{word} names {name!r}, and there is no such column{hint}"
    if data.sample is not None and data.sample > whole.n_records:
        yield f"sample is {data.sample:,}, and there are {whole.n_records:,} records; draw fewer"

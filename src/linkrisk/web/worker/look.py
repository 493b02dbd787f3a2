"""A first look at two files: what their columns hold, how they are paired, and what is doubtful about them."""

from __future__ import annotations

from typing import Any

from linkrisk.assessment.demo import make_demo
from linkrisk.assessment.faults import find_faults
from linkrisk.data.columns import ColumnPair, FilePair
from linkrisk.data.interpret import Side, interpret_attribute
from linkrisk.data.pair import pair_files
from linkrisk.data.raw_file import RawFile
from linkrisk.data.reading import Reading
from linkrisk.data.same_values import is_missing, n_distinct
from linkrisk.data.schema import Schema
from linkrisk.engine import interrupt
from linkrisk.errors import InputError
from linkrisk.web.worker.channel import ChannelReporter
from linkrisk.web.worker.outputs import write_summary
from linkrisk.web.worker.request import Request

N_DEMO, SEED_OF_DEMO = 1000, 1
"""How many people the files of the demo hold, and their seed: those of ``linkrisk demo``."""


def work(request: Request, reporter: ChannelReporter) -> bool:
    """Look at the files; a column that cannot be used is told at its place, and does not hide the others."""
    reporter.expect([0.0, 0.0])
    reporter.step("reading the files")
    if request.values["is_demo"]:
        make_demo(request.path("original").parent, N_DEMO, SEED_OF_DEMO, overwrite=True)
    pair = _Pair((request.table("original"), request.table("protected")), Reading.of(request.options))
    reporter.step("looking at the columns")
    write_summary(request, pair.described())
    return True


class _Pair:
    """Two files and how they are to be read."""

    def __init__(self, tables: tuple[RawFile, RawFile], reading: Reading) -> None:
        self.tables = tables
        self.reading = reading
        self.renamed = dict(reading.renamed or {})

    def described(self) -> dict[str, Any]:
        """Return all that is found, column by column and of the pair as a whole."""
        original, protected = self.tables
        found: dict[str, Any] = {
            "files": [{"name": table.name, "records": table.n_records} for table in self.tables],
            "common": [name for name in original.column_names if self.partner(name) is not None],
            "only_protected": self.only_protected(),
            "paired_by": "",
            "pairs": None,
            "error": "",
            "doubts": [],
            "columns": [self.column(name) for name in (*original.column_names, *self.only_protected())],
        }
        if any(column["error"] for column in found["columns"]):
            return found
        try:
            files = pair_files(original, protected, reading=self.reading)
        except InputError as problem:
            return {**found, "error": str(problem)}
        return {**found, **_whole(files, found["columns"])}

    def partner(self, name: str) -> str | None:
        """Return what a column of the original is called in the protected file; None where it is not there."""
        if name in self.renamed:
            return self.renamed[name]
        is_common = name in self.tables[1].column_names and name not in self.renamed.values()
        return name if is_common else None

    def only_protected(self) -> list[str]:
        """Return the columns of the protected file that belong to none of the original."""
        partners = {self.partner(name) for name in self.tables[0].column_names}
        return [name for name in self.tables[1].column_names if name not in partners]

    def column(self, name: str) -> dict[str, Any]:
        """Describe one column of both files, or say why it cannot be used."""
        interrupt.check()
        schema, partner = self.reading.full_schema(), self.partner(name)
        said = schema.attribute(name)
        told: dict[str, Any] = {
            "name": name,
            "role": str(said.role),
            "kind": str(said.kind or ""),
            "distinct": None,
            "missing": None,
            "only_in": "",
            "error": "",
            "doubts": [],
        }
        if name not in self.tables[0].column_names or partner is None:
            only = self.tables[0] if name in self.tables[0].column_names else self.tables[1]
            return {**told, "only_in": only.name}
        try:
            column, notes = self.interpreted(name, partner, schema)
        except InputError as problem:
            return {**told, "error": str(problem)}
        return {**told, **_figures(column), "doubts": list(notes)}

    def interpreted(self, name: str, partner: str, schema: Schema) -> tuple[ColumnPair, tuple[str, ...]]:
        """Return a column as it is compared, and what to tell of it."""
        sides = [Side(table, table.column(n)) for table, n in zip(self.tables, (name, partner), strict=True)]
        return interpret_attribute(name, sides[0], sides[1], schema.attribute(name), schema.missing)


def _figures(column: ColumnPair) -> dict[str, Any]:
    """Return what a column holds, in numbers: of the original, and of the protected file."""
    sides = (column.original, column.protected)
    return {
        "kind": str(column.attribute.kind),
        "distinct": [n_distinct(values) for values in sides],
        "missing": [int(is_missing(values).sum()) for values in sides],
    }


def _whole(files: FilePair, columns: list[dict[str, Any]]) -> dict[str, Any]:
    """Return how the files are paired, and doubts about no single column; others join those of their column."""
    by_name = {column["name"]: column for column in columns}
    known = {doubt for column in columns for doubt in column["doubts"]}
    doubts = [note for note in files.notes if note not in known]
    for fault in find_faults(files):
        place = by_name.get(fault.attribute or "")
        (doubts if place is None else place["doubts"]).append(fault.message)
    return {"paired_by": files.paired_by, "pairs": files.n_pairs, "doubts": doubts}

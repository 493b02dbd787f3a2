"""The command ``protect``: a file in, its protected version, a record and a secret out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linkrisk.cli.options import (
    Delimiter,
    MissingCodes,
    Original,
    Overwrite,
    SchemaFile,
    SecretFile,
    SecretSeed,
    check_results,
    delimiter_of,
    names_of,
)
from linkrisk.errors import ColumnError, FileError, ParameterError

if TYPE_CHECKING:
    from linkrisk.data.raw_file import RawColumn, RawFile
    from linkrisk.protection.protection import Protection
    from linkrisk.protection.registry import Method

SEED_NOTICE = "linkrisk: --seed is for tests; a seed that others can know or guess undoes the protection"


def protect(
    file: Original,
    method: Annotated[
        str,
        typer.Option(
            help="mdav, individual_ranking, z_scores, principal_components, rank_swap, noise, correlated_noise, pram, "
            "rounding, coding, generalise."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The protected file to write, .csv or .parquet.")],
    groups: Annotated[
        str | None,
        typer.Option(
            help="Attributes protected together and the k of each group: A,B:3;C,D:8. Or a file of the papers: M4-28, "
            "Mic553-2.8.5, B1. Default: all in one group."
        ),
    ] = None,
    k: Annotated[str | None, typer.Option(help="Records in a cluster at least: 5, or A:3,B:8.")] = None,
    p: Annotated[str | None, typer.Option(help="Percent of ranks or of the standard deviation: 4, or A:1,B:2.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="mdav: cluster raw values, not standardised ones.")] = False,
    variant: Annotated[str | None, typer.Option(help="mdav: classic, or fast for a million records.")] = None,
    centroid: Annotated[str | None, typer.Option(help="mean, median or mode, or A:median,B:mode.")] = None,
    keep: Annotated[str | None, typer.Option(help="pram: probability to keep a category: 0.8, or A:0.8,B:0.9.")] = None,
    base: Annotated[str | None, typer.Option(help="rounding: 1000, or A:1000,B:5.")] = None,
    random: Annotated[bool, typer.Option("--random", help="rounding: up or down at random, without bias.")] = False,
    top: Annotated[str | None, typer.Option(help="coding: largest value released: A:50000.")] = None,
    bottom: Annotated[str | None, typer.Option(help="coding: smallest value released.")] = None,
    top_percent: Annotated[str | None, typer.Option(help="coding: percent of the values to cut at the top.")] = None,
    bottom_percent: Annotated[str | None, typer.Option(help="coding: percent of the values to cut below.")] = None,
    into: Annotated[
        str | None, typer.Option(help="generalise: width of intervals, or categories in a run: AGI:1000,EDUCATION:2.")
    ] = None,
    attributes: Annotated[str | None, typer.Option(help="Attributes to protect: a,b,c.")] = None,
    leave: Annotated[str | None, typer.Option(help="Attributes to release as they are: a,b,c.")] = None,
    schema: SchemaFile = None,
    missing: MissingCodes = None,
    delimiter: Delimiter = None,
    seed: SecretSeed = None,
    secret: SecretFile = None,
    record: Annotated[Path | None, typer.Option(help="Write what was done as JSON, the seed excepted.")] = None,
    overwrite: Overwrite = False,
) -> None:
    """Protect a file by one method, and write its protected version."""
    from rich.console import Console  # noqa: PLC0415

    from linkrisk.cli.progress import TerminalReporter  # noqa: PLC0415
    from linkrisk.data.read import read_file  # noqa: PLC0415
    from linkrisk.protection.registry import apply_method, find_method  # noqa: PLC0415

    chosen = find_method(method)
    draws = chosen.draws({"random": True} if random else {})
    if secret is not None and not draws:
        raise ParameterError(f"{method} draws nothing and has no secret; leave out --secret")
    if raw and method != "mdav":
        raise ParameterError(f"--raw is for mdav, and {method} has no use for it; leave it out")
    side_file = (secret or beside(out, ".secret")) if draws else None
    others = [path for path in (side_file, record) if path is not None]
    check_outputs([file, schema], out, others, overwrite=overwrite)
    table = read_file(file, delimiter=delimiter_of(delimiter))
    options = {
        "k": k, "p": p, "keep": keep, "base": base, "top": top, "bottom": bottom, "top_percent": top_percent,
        "bottom_percent": bottom_percent, "into": into, "centroid": centroid,
    }  # fmt: skip
    selection = _Selection(table, chosen, _schema(schema, missing), names_of(attributes), names_of(leave) or [])
    parameters = selection.parameters(options, groups)
    parameters |= {"variant": variant, "seed": seed, "random": random or None}
    if method == "mdav":
        parameters["standardise"] = not raw
    with TerminalReporter(Console(stderr=True)) as reporter:
        if "progress" in chosen.parameters:  # nothing is said before the parameters are checked
            parameters["progress"] = lambda done, total: reporter.step(f"protecting {file.name}, {done / total:.0%}")
        protection = apply_method(table, method, **parameters)
    same = selection.check_outcome(table, protection)
    if seed is not None:
        typer.echo(SEED_NOTICE, err=True)
    write_release(protection, file, out, side_file, record, overwrite=overwrite)
    tell_release(protection, out, side_file, record)
    for note in (*table.notes, *selection.notes(), *same):
        typer.echo(f"note: {note}", err=True)


class _Selection:
    """Which columns are protected, with which parameters; the rest is left on purpose or by its kind."""

    def __init__(
        self, table: RawFile, method: Method, schema: Any, attributes: list[str] | None, leave: list[str]
    ) -> None:
        from linkrisk.protection.frame import Frame  # noqa: PLC0415

        self.method = method
        self.schema = schema
        self.attributes = attributes
        self.leave = list(dict.fromkeys(leave))
        border = Frame.of(table, schema)
        self.file = table.name
        self.names = table.column_names
        self._check_names({*(attributes or []), *leave})
        self.border = border
        border.check_no_identifier(name for name in self.names if name not in leave)
        self.kinds = {name: border.kind(name) for name in self.names if name not in leave}
        self.by_default = [name for name, kind in self.kinds.items() if kind in method.by_default]

    def parameters(self, options: dict[str, str | None], groups: str | None) -> dict[str, Any]:
        """Return the method's parameters, columns left included."""
        from linkrisk.protection.left import check_unasked  # noqa: PLC0415

        found: dict[str, Any] = {name: self._value(name, text) for name, text in options.items()}
        if self.method.takes_groups:
            found |= self._groups(groups, found["k"])
            used = {name for group in found["groups"] for name in group}
            self._check_names(used)
        elif groups is not None:
            raise ParameterError(f"{self.method.name} protects each attribute on its own; leave out --groups")
        else:
            found = {name: self._spread(name, value) for name, value in found.items()}
            used = {name for value in found.values() if isinstance(value, dict) for name in value}
            used |= set(self.attributes or ())
            self._check_names(used)
            self._check_attributes(used)
        taken = {*used, *self.by_default, *self.leave}
        self.unasked = {name: self.kinds[name] for name in self.names if name not in taken}
        check_unasked(self.border, self.unasked, self.method.name)
        return found | {"leave": [*self.leave, *self.unasked], "schema": self.schema}

    def notes(self) -> list[str]:
        """Return sentences about columns left unasked, and about identifiers left in the file."""
        from linkrisk.protection.left import notes_on_left  # noqa: PLC0415

        return notes_on_left(self.border, self.unasked, self.leave)

    def check_outcome(self, table: RawFile, protection: Protection) -> list[str]:
        """Refuse a protected file that is the original; return a sentence about columns that are."""
        from linkrisk.protection.outcome import unchanged_columns  # noqa: PLC0415

        names = [name for name in self.names if name not in protection.parameters["leave"]]
        same = unchanged_columns(table, protection.data, names)
        if same == names:
            raise ParameterError(
                f"{table.name}: no value would change, and the original would be released; choose stronger parameters"
            )
        return [f"no value of {name} changed; it is released as it is." for name in same]

    def _check_names(self, used: set[str]) -> None:
        """Refuse a name that is no column's: a slip in it would be told as one about the columns left out."""
        unknown = sorted(used - set(self.names))
        if unknown:
            raise ColumnError(f"{self.file} has no column {unknown[0]!r}; check the name")

    def _check_attributes(self, used: set[str]) -> None:
        """Refuse attributes that leave others out: a parameter shared by all would reach these too."""
        neither = [name for name in self.by_default if name not in used] if self.attributes else []
        if neither:
            raise ParameterError(
                f"Nothing is said about {', '.join(neither)}; protect these columns, or name them in --leave"
            )

    def _value(self, name: str, text: str | None) -> Any:
        from linkrisk.protection.specification import parse_texts, parse_values  # noqa: PLC0415

        if text is None:
            return None
        if name == "centroid":
            return parse_texts(text, "--centroid")
        if name in {"top", "bottom"}:
            texts = parse_texts(text, f"--{name}")
            return _threshold(texts) if isinstance(texts, str) else {key: _threshold(t) for key, t in texts.items()}
        return parse_values(text, f"--{name.replace('_', '-')}")

    def _spread(self, name: str, value: Any) -> Any:
        """Return one value for all as one for each attribute to protect."""
        if value is None or isinstance(value, dict) or name in self.method.shared:
            return value
        return dict.fromkeys(self.attributes or self.by_default, value)

    def _groups(self, text: str | None, k: Any) -> dict[str, Any]:
        from linkrisk.protection.specification import Groups, is_paper_file, paper_groups, parse_groups  # noqa: PLC0415

        names = self.attributes or self.by_default
        if not names:
            raise ParameterError(
                f"{self.file}: there is no column to protect; check kinds (--schema) and what is left (--leave)"
            )
        if text is None:
            found = Groups((tuple(names),))
        elif is_paper_file(text) and text not in self.names:
            found = paper_groups(text, names)
        elif self.attributes is None:
            found = parse_groups(text)
        else:
            raise ParameterError("--groups names the attributes already; leave out --attributes")
        if found.k is not None and k is not None:
            raise ParameterError("k is given both in --groups and by --k; keep one")
        if isinstance(k, dict):
            raise ParameterError(f"--k of {self.method.name} is one number; write A,B:3;C,D:8 in --groups")
        return {"groups": found.names, "k": k if found.k is None else found.k}


def _threshold(text: str) -> Any:
    """Return a number where it is one; a category otherwise."""
    try:
        return float(text)
    except ValueError:
        return text


def beside(out: Path, ending: str) -> Path:
    """Return the name of a side file; what is no name of a file has none."""
    if not out.name:
        raise FileError(f"{out} is a folder or a device; give the name of a file to write")
    return out.with_name(f"{out.name}{ending}")


def check_outputs(inputs: list[Path | None], out: Path, others: list[Path], *, overwrite: bool) -> None:
    """Refuse, before anything is read, files that could not be written."""
    if out.suffix.lower() not in {".csv", ".parquet"}:
        raise FileError(f"{out.name or out} cannot be written; give a name ending in .csv or .parquet")
    paths = [path.resolve() for path in (*inputs, out, *others) if path is not None]
    if len(set(paths)) < len(paths):
        raise FileError("The original, the schema and all files to be written must be different files")
    check_results([out, *others], inputs, overwrite=overwrite)


def _schema(path: Path | None, missing: str | None) -> Any:
    from linkrisk.data.schema import make_schema  # noqa: PLC0415

    schema = make_schema(path)
    codes = make_schema({"missing": names_of(missing) or []}, name="missing").missing
    return schema.model_copy(update={"missing": (*codes, *schema.missing)})


def write_release(
    protection: Protection, file: Path, out: Path, side_file: Path | None, record: Path | None, *, overwrite: bool
) -> None:
    """Write the secret first, for it cannot be had again, then the file and the record."""
    import json  # noqa: PLC0415

    from linkrisk.data.writing import write_columns, write_text  # noqa: PLC0415
    from linkrisk.version import __version__  # noqa: PLC0415

    columns = _columns(protection, file, out)
    if side_file is not None and protection.secret is not None:
        protection.secret.write(side_file, overwrite=overwrite)
    write_columns(out, columns, confidential=False, overwrite=overwrite)
    if record is not None:
        contents = {"linkrisk": __version__, "original": file.name, "protected": out.name, **protection.record()}
        text = json.dumps(contents, indent=1, ensure_ascii=False) + "\n"
        write_text(record, text, confidential=False, overwrite=overwrite)


def tell_release(protection: Protection, out: Path, side_file: Path | None, record: Path | None) -> None:
    """Tell what was done and which files were written."""
    lines = str(protection).splitlines()
    typer.echo("\n".join(line for line in lines if not line.startswith("  seed:")))
    typer.echo(f"written: {out}")
    if side_file is not None:
        typer.echo(f"written, confidential (the seed): {side_file}")
    if record is not None:
        typer.echo(f"written: {record}")


def _columns(protection: Protection, file: Path, out: Path) -> dict[str, Any]:
    """Return what is written; from Parquet to Parquet, columns that are left keep their types."""
    left = [str(name) for name in protection.parameters["leave"]]
    kept: dict[str, Any] = {}
    if file.suffix.lower() == out.suffix.lower() == ".parquet" and left:
        import pyarrow.parquet  # noqa: PLC0415

        with pyarrow.parquet.ParquetFile(file) as stored:
            kept = {name: stored.read(columns=[name]).column(0).combine_chunks() for name in left}
    return {
        column.name: kept[column.name] if column.name in kept else _cells(column, file.name)
        for column in protection.data.columns
    }


def _cells(column: RawColumn, name: str) -> Any:
    if column.fault is not None:
        raise ColumnError(f"{name}: column {column.name!r} {column.fault}; leave it out of the file")
    if column.holds_dates:
        days = column.cells.astype("datetime64[D]")
        return days if (days.astype(column.cells.dtype) == column.cells)[~column.is_missing].all() else column.cells
    return column.cells

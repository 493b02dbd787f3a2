"""Odd files: contents of all kinds, and things in a folder that are no files."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

Maker = Callable[[Path], None]
"""Puts something at a path."""


def contents(data: bytes | str) -> Maker:
    """Return a maker of a file."""
    raw = data.encode() if isinstance(data, str) else data
    return lambda path: (path.write_bytes(raw), None)[1]


def link(target: str) -> Maker:
    """Return a maker of a link."""
    return lambda path: path.symlink_to(target)


def _loop(path: Path) -> None:
    other = path.with_name(f"loop-{path.name}")
    other.symlink_to(path.name)
    path.symlink_to(other.name)


def _forbidden(path: Path) -> None:
    path.write_text("age,income\n1,2\n3,4\n", encoding="utf-8")
    path.chmod(0)


def _sparse(path: Path) -> None:
    with path.open("wb") as stream:
        stream.write(b"age,income\n")
        stream.truncate(1 << 24)


ROWS = "age,income,region\n" + "".join(f"{20 + i},{1000 * i + i * i},{'nswe'[i % 4]}\n" for i in range(20))
CHANGED = "age,income,region\n" + "".join(f"{20 + i},{1000 * i + 7},{'nswe'[i % 4]}\n" for i in range(20))

MANY_COLUMNS = "\n".join(",".join(f"{sign}{i}" for i in range(150)) for sign in ("c", 1, 2, 3))

TEXTS: dict[str, bytes | str] = {
    "empty": b"",
    "blank": " \n\n",
    "header only": "age,income\n",
    "one record": "age,income\n1,2\n",
    "no header": "1,2\n3,4\n",
    "two names alike": "age,age\n1,2\n3,4\n",
    "nameless column": "age,,income\n1,2,3\n4,5,6\n7,8,1\n",
    "ragged": "age,income\n1,2\n3\n",
    "too many cells": "age,income\n1,2\n3,4,5\n",
    "open quote": 'age,income\n1,"2\n3,4\n',
    "blank line": "age,income\n1,2\n\n3,4\n",
    "empty rows": "age,income\n1,2\n3,4\n,\n,\n",
    "comment": "# made by somebody\nage,income\n1,2\n3,4\n",
    "title": "Survey\nage,income,region\n1,2,n\n3,4,s\n",
    "colons": "age:income\n1:2\n3:4\n",
    "blanks": "age  income\n1  2\n3  4\n",
    "semicolons": "age;income\n1,5;2\n3;4,5\n",
    "tabs": "age\tincome\n1\t2\n3\t4\n",
    "mixed ends": "age,income\r\n1,2\n3,4\r5,6\r\n",
    "mark": b"\xef\xbb\xbfage,income\n1,2\n3,4\n",
    "UTF-16": "age,income\n1,2\n3,4\n".encode("utf-16"),
    "NUL": b"age,income\n1,\x002\n3,4\n",
    "late NUL": b"age,income\n" + b"1,2\n" * 2000 + b"3,\x00\n",
    "no UTF-8": b"age,income\n1,\xff\xfe\n3,\x81\n",
    "cp1252": "age,größe\n1,ä\n3,ß\n4,ü\n".encode("cp1252"),
    "escapes": "age\x1b[31m\x07,in\x08come\n1,2\n3,4\n5,7\n",
    "backwards": "age\u202egnp,income\n1,2\n3,4\n5,7\n",
    "newline in a name": '"age\nof a person",income\n1,2\n3,4\n5,7\n',
    "long name": f"{'a' * 5000},income\n1,2\n3,4\n5,7\n",
    "many columns": MANY_COLUMNS,
    "huge": "age,income\n1e308,-1e308\n-1e308,1e308\n1.7e308,-1.7e308\n-1.7e308,1.7e308\n",
    "half huge": "age,income\n9e307,1\n-9e307,2\n5,3\n",
    "tiny": "age,income\n1e-308,5e-324\n2e-308,1e-320\n3e-308,0\n",
    "infinite": "age,income\ninf,1\n2,3\n",
    "not a number": "age,income\nnan,1\nNaN,3\n",
    "all missing": "age,income\n,1\n,2\n,3\n",
    "constant": "age,income\n1,2\n1,2\n1,2\n",
    "thousands": "age;income\n1.234;5\n2.345;6\n3.456;7\n",
    "dates": "age,born\n1,2020-01-01\n2,2021-02-30\n3,1999-12-31\n",
    "two kinds of dates": "age,born\n1,2020-01-01\n2,31.12.2020\n3,12/31/2020\n",
    "far dates": "age,born\n1,0001-01-01\n2,9999-12-31\n3,1999-12-31\n",
    "long digits": f"age,income\n{'9' * 400},1\n2,3\n4,5\n",
    "mixture": "age,income\n1,x\n2,3\n3,4\n",
    "codes": "age,income\n001,1\n002,3\n003,3\n",
    "long text": "age,income\n" + "".join(f"{i},{'ab' * (200 + i)}\n" for i in range(30)),
    "cell of 200 KB": f"age,income\n1,{'x' * 200_000}\n2,y\n3,z\n",
    "cell of 3 MB": f"age,income\n1,{'x' * 3_000_000}\n2,y\n3,z\n",
    "formulas": "age,income\n=1+1,@x\n-2,+3\n=cmd|x,4\n",
    "HTML": "<html><body>no data</body></html>\n",
    "JSON": '{"age": [1, 2]}\n',
    "emoji": "age,😀\n1,👩‍👩‍👧\n2,😀\n3,e\u0301\n",
    "a line of commas": ",,,\n,,,\n",
    "quoted names": '"age","income"\n"1","2"\n"3","4"\n"5","9"\n',
}  # fmt: skip

OTHERS: dict[str, tuple[str, Maker]] = {
    "folder": (".csv", lambda path: path.mkdir()),
    "pipe": (".csv", os.mkfifo),
    "links in a circle": (".csv", _loop),
    "link to nowhere": (".csv", link("nowhere.csv")),
    "link to /dev/zero": (".csv", link("/dev/zero")),
    "link to /dev/null": (".csv", link("/dev/null")),
    "forbidden": (".csv", _forbidden),
    "sparse": (".csv", _sparse),
    "not there": (".csv", lambda _: None),
    "unknown kind": (".docx", contents("x")),
    "broken gzip": (".csv.gz", contents(b"\x1f\x8b\x08broken")),
    "cut gzip": (".csv.gz", contents(gzip.compress(ROWS.encode())[:-9])),
    "broken parquet": (".parquet", contents(b"PAR1 nothing PAR1")),
    "broken SPSS": (".sav", contents(b"$FL2 nothing")),
    "broken Stata": (".dta", contents(b"<stata_dta>")),
    "broken SAS": (".sas7bdat", contents(b"\0" * 64)),
    "broken R": (".rds", contents(b"RDX3\nX\n")),
    "broken transport": (".xpt", contents(b"HEADER RECORD")),
}

ODD_FILES: dict[str, tuple[str, Maker]] = {
    **{name: (".csv", contents(text)) for name, text in TEXTS.items()},
    **OTHERS,
}
"""Odd data files by name: the ending, and what makes them."""

DOCUMENTS: dict[str, bytes | str] = {
    "empty": "",
    "no TOML": "= = =",
    "deep lists": "a = " + "[" * 5000 + "]" * 5000,
    "deep tables": "a = " + "{b=" * 3000 + "1" + "}" * 3000,
    "deep JSON": "[" * 100_000 + "]" * 100_000,
    "deep objects": '{"a":' * 50_000 + "1" + "}" * 50_000,
    "long number": f"population = {'9' * 5000}",
    "long JSON number": f'{{"a": {"9" * 5000}}}',
    "huge number": "population = 1000000000000000000000000000000\nseed = 1e400",
    "negative": "population = -5\nseed = -1",
    "wrong types": "attributes = 5\nmissing = {}\ntable = 3\noriginal = []\nprotected = 1\n",
    "unknown keys": 'colour = "red"\n[attributes.nobody]\nkind = "fluid"\n',
    "escape in a key": '"a\\u001b[31m" = 1\n',
    "NUL in a path": 'original = "a\\u0000b.csv"\nprotected = "protected.csv"\njson = "c\\u0000d"\n',
    "no UTF-8": b"\xff\xfe\x00\x01",
    "mark": b"\xef\xbb\xbfmissing = [9]\n",
    "CSV": ROWS,
    "JSON list": "[1, 2, 3]",
    "JSON text": '"text"',
    "JSON NaN": '{"owa": {"weights": [NaN, Infinity]}}',
    "JSON of lists": '{"owa": [1], "mean": 3}',
    "record without parts": '{"method": "noise"}',
    "record with odd parts": '{"method": "noise", "parameters": {"p": "much"}, "details": []}',
    "steps of nothing": '{"steps": []}',
    "steps of numbers": '{"steps": [1, 2]}',
    "order twice": '[attributes.region]\norder = ["n", "n"]\n',
    "date format": '[attributes.age]\ndate_format = "%Q%"\nkind = "date"\n',
    "everything ignored": '[attributes.age]\nrole="ignored"\n[attributes.income]\nrole="ignored"\n'
    '[attributes.region]\nrole="ignored"\n',
    "missing everywhere": f"missing = [{', '.join(str(i) for i in range(20, 41))}]\n",
    "tables": '[[table]]\nfile = "nowhere.csv"\nmechanism = "magic"\n',
    "table is itself": '[[table]]\nfile = "odd.toml"\n',
}
"""Odd contents of settings: TOML, JSON, and neither."""

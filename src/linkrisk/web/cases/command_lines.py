"""The command line that does the same: made of what the job was asked for, with the names that the files have."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from linkrisk.advice.options import CompareOptions, TuneOptions
from linkrisk.assessment.options import AssessmentFile
from linkrisk.name_list import join_names
from linkrisk.options import Options, option_of
from linkrisk.protection.options import ProtectOptions
from linkrisk.web.work.job import Job

GROUPS: Mapping[str, type[Options]] = {
    "assess": AssessmentFile,
    "protect": ProtectOptions,
    "tune": TuneOptions,
    "compare": CompareOptions,
}
"""The options of the commands that the page uses."""

SCHEMA = "schema.toml"
"""What the file with kinds and roles is called that goes with a command."""


def command_of(job: Job, plan: str = "") -> str:
    """Return the command that does what a job did.

    Parameters
    ----------
    job
        The job, of a kind in `GROUPS`.
    plan
        The plan on one line, for the kinds that take one.
    """
    asked = job.request
    words = ["linkrisk", job.kind, as_argument(asked["original"]["name"])]
    if job.kind == "assess":
        words += [as_argument(asked["protected"]["name"]), *_options(job)]
        words += _flags("published", [file["name"] for file in asked["published"]])
        words += ["--certificates", "certificates"] if asked["certificates"] else []
    elif job.kind == "compare":
        releases = asked["releases"]
        words += [as_argument(release["file"]["name"]) for release in releases]
        words += [*_options(job), *(word for release in releases for word in _published(release))]
    else:
        words += ["--plan", plan, *_options(job)]
        words += ["--target-rate", _number(asked["target"])] if job.kind == "tune" else []
        name = asked["release"]["name"]
        words += ["--out", name, "--record", f"{name.rpartition('.')[0]}.json"]
    return shlex.join(words)


def as_argument(name: str) -> str:
    """Return the name of a file so that no command takes it for an option.

    >>> as_argument("-x.csv"), as_argument("people.csv")
    ('./-x.csv', 'people.csv')
    """
    return f"./{name}" if name.startswith("-") else name


def _options(job: Job) -> list[str]:
    """Return the options of a job as they are typed."""
    given = dict(job.request["options"])
    words = ["--schema", SCHEMA] if given.pop("schema", None) is not None else []
    for field in fields(GROUPS[job.kind]):
        if field.name in given:
            words += _flags((option_of(field).word or field.name).replace("_", "-"), given[field.name])
    return words


def _flags(word: str, value: Any) -> list[str]:
    """Return one option: a mapping, and the files of a list of files, are given one by one.

    >>> _flags("nominal", ["sex", "a,b"]), _flags("renamed", {"a": "b"})
    (['--nominal', 'sex,"a,b"'], ['--renamed', 'a=b'])
    >>> _flags("time-limit", 2.0), _flags("loss", True)
    (['--time-limit', '2'], ['--loss'])
    """
    flag = f"--{word}"
    if value is True:
        return [flag]
    if isinstance(value, Mapping):
        return [each for name, other in value.items() for each in (flag, f"{name}={other}")]
    if word == "published":
        return [each for name in value for each in (flag, as_argument(name))]
    if isinstance(value, list):
        return [flag, join_names(value)]
    return [flag, value if isinstance(value, str) else _number(value)]


def _published(release: Mapping[str, Any]) -> list[str]:
    name = release["file"]["name"]
    return [word for file in release["published"] for word in ("--published", f"{name}={file['name']}")]


def _number(value: float) -> str:
    """Return a number so that it is read back exactly.

    >>> _number(2.0), _number(0.1), _number(7)
    ('2', '0.1', '7')
    """
    return str(int(value)) if float(value).is_integer() else repr(value)


def schema_text(options: Mapping[str, Any]) -> str:
    r"""Return the schema of a job as a TOML file; an empty text where it has none.

    >>> print(schema_text({"schema": {"attributes": {'a "b"': {"role": "ignored", "order": ["x", "y"]}}}}), end="")
    [attributes."a \"b\""]
    role = "ignored"
    order = ["x", "y"]
    """
    lines: list[str] = []
    for name, said in options.get("schema", {}).get("attributes", {}).items():
        lines.append(f"[attributes.{_toml(name)}]")
        lines += [f"{key} = {_toml(value)}" for key, value in said.items()]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n" if lines else ""


def _toml(value: str | list[str]) -> str:
    """Return a text, or a list of texts, as TOML writes it."""
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return '"' + "".join(_toml_sign(sign) for sign in value) + '"'


def _toml_sign(sign: str) -> str:
    if sign in '"\\':
        return f"\\{sign}"
    return f"\\u{ord(sign):04x}" if ord(sign) < 32 or ord(sign) == 127 else sign

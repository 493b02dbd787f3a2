"""Cases: what is put into a folder, what is typed, and what the surroundings are like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from benchmarks.odd_inputs.files import CHANGED, DOCUMENTS, ODD_FILES, OTHERS, ROWS, Maker, contents

QUICK = ("--attackers", "mean", "--scales", "separate")
"""What makes attacks quick: the attackers have tests of their own."""


@dataclass(frozen=True)
class Case:
    """One run: its name, the arguments, odd things beside the usual files, and the surroundings (`SURROUNDINGS`)."""

    name: str
    arguments: tuple[str, ...]
    makers: Mapping[str, Maker] = field(default_factory=dict)
    surroundings: str = "usual"


USUAL: Mapping[str, Maker] = {
    "original.csv": contents(ROWS),
    "protected.csv": contents(CHANGED),
    "assessment.toml": contents(
        'original = "original.csv"\nprotected = "protected.csv"\nattackers = ["mean"]\nscales = ["separate"]\n'
    ),
}
"""Files that every case finds in its folder."""


def all_cases() -> list[Case]:
    """Return every case, each with a name of its own."""
    return [
        *_odd_data(),
        *_odd_documents(),
        *_odd_options(),
        *_odd_plans(),
        *_odd_columns(),
        *_odd_results(),
        *_odd_words(),
        *_odd_surroundings(),
    ]


def _odd_data() -> Iterator[Case]:
    """Odd files in every place where data are read."""
    for name, (ending, maker) in ODD_FILES.items():
        odd = f"odd{ending}"
        for place, arguments in _places(odd).items():
            yield Case(f"data: {name}: {place}", arguments, {odd: maker})


def _places(odd: str) -> dict[str, tuple[str, ...]]:
    """Return what is typed to have a file read, by what it is read as."""
    pair = ("original.csv", "protected.csv")
    return {
        "assess original": ("assess", odd, "protected.csv", *QUICK),
        "assess protected": ("assess", "original.csv", odd, *QUICK),
        "assess both": ("assess", odd, odd, *QUICK, "--json", "r.json", "--records", "r.csv"),
        "assess pairs": ("assess", *pair, *QUICK, "--pairs", odd),
        "loss original": ("loss", odd, "protected.csv"),
        "loss both": ("loss", odd, odd, "--json", "r.json"),
        "compare": ("compare", "original.csv", odd, "protected.csv", *QUICK),
        "compare itself": ("compare", odd, odd, *QUICK),
        "noise": ("protect", odd, "--method", "noise", "--p", "5", "--out", "out.csv"),
        "rank swap": ("protect", odd, "--method", "rank_swap", "--p", "5", "--out", "out.csv", "--record", "r.json"),
        "mdav": ("protect", odd, "--method", "mdav", "--k", "2", "--out", "out.parquet"),
        "pram": ("protect", odd, "--method", "pram", "--keep", "0.8", "--out", "out.csv"),
        "rounding": ("protect", odd, "--method", "rounding", "--base", "10", "--out", "out.csv"),
        "tune": ("tune", odd, "--method", "noise", "--target-rate", "0.5", "--trials", "1", *QUICK, "--no-confirm"),
        "match": ("match", odd, "original.csv", "--population", "100"),
        "match truth": ("match", *pair, "--population", "100", "--truth", odd),
        "verify": ("verify", odd, *pair),
    }


def _odd_documents() -> Iterator[Case]:
    """Odd settings in every place where settings are read."""
    pair = ("original.csv", "protected.csv")
    for name, text in DOCUMENTS.items():
        for ending in ("toml", "json"):
            odd = f"odd.{ending}"
            places = {
                "schema": ("assess", *pair, *QUICK, "--schema", odd),
                "schema of protect": ("protect", "original.csv", "--method", "noise", "--p", "5", "--schema", odd,
                                      "--out", "out.csv"),
                "parameters": ("assess", *pair, *QUICK, "--parameters", odd),
                "published": ("assess", *pair, *QUICK, "--published", odd),
                "run": ("run", odd),
                "tables": ("match", *pair, "--tables", odd, "--population", "100"),
                "certificate": ("verify", odd, *pair),
                "plan": ("protect", "original.csv", "--plan", odd, "--out", "out.csv"),
            }  # fmt: skip
            for place, arguments in places.items():
                yield Case(f"document: {name}.{ending}: {place}", arguments, {odd: contents(text)})


VALUES = (
    "", "0", "-1", "1e308", "1e400", "nan", "inf", "10" * 15, "1.5", "x", "a,b", "=", "a=b", "\x1b[31m", "ä", "age,age",
)  # fmt: skip
"""Values that some option takes, and most do not."""


def _odd_options() -> Iterator[Case]:
    """Odd values of every option."""
    from linkrisk.advice.options import CompareOptions, TuneOptions  # noqa: PLC0415  (only where cases are made)
    from linkrisk.assessment.options import AssessmentFile  # noqa: PLC0415
    from linkrisk.losses.options import LossOptions  # noqa: PLC0415
    from linkrisk.protection.options import ProtectOptions  # noqa: PLC0415
    from linkrisk.tables.options import MatchOptions  # noqa: PLC0415

    pair = ("original.csv", "protected.csv")
    tune = (
        "tune",
        "original.csv",
        "--method",
        "noise",
        "--target-rate",
        "0.5",
        "--trials",
        "1",
        *QUICK,
        "--no-confirm",
    )
    commands = {
        ("assess", *pair, *QUICK): AssessmentFile,
        ("loss", *pair): LossOptions,
        ("compare", *pair, *QUICK): CompareOptions,
        ("protect", "original.csv", "--method", "noise", "--out", "out.csv"): ProtectOptions,
        tune: TuneOptions,
        ("match", *pair): MatchOptions,
    }
    for typed, group in commands.items():
        for name in _options_of(group, typed):
            for value in VALUES:
                yield Case(f"option: {typed[0]} {name} {value!r}", (*typed, f"{name}={value}"))


PLANS = (
    ";", ":", "age", "age:", "age: noise", "age: noise 5", "age: noise 5; rest: leave", "age: noise 5; rest: drop",
    "age: noise 5 5; rest: drop", "age: noise p=; rest: drop", "age: noise p=age; rest: drop", "rest: noise 5",
    "age: noise 1e400; rest: drop", f"age: noise {'9' * 5000}; rest: drop", f"age: mdav {'9' * 350}; rest: drop",
    "age: noise nan; rest: drop", 'age: "noise" 5', 'age: generalise "5"; rest: drop', 'age: noise "5',
    "age: generalise into=0|; rest: drop", "age: generalise into=age:0|x,y:2; rest: drop", "age: mdav 1; rest: drop",
    "region: generalise into=n:a,s:a; rest: drop", 'region: generalise into=n:"01",s:"01"; rest: drop',
    "region: pram matrices=n:s; rest: drop", "region: noise 5; rest: drop", "age: pram 2; rest: drop",
    "nobody: noise 5; rest: drop", "age: noise 5; age: drop", "age,age: noise 5", "\x1b[31m: noise 5; rest: drop",
    "age: \x1b[31m", "rest: leave", "age,income,region: leave", "age,income: mdav k=age:2,income:3; rest: drop",
    "nowhere.toml", ".toml", "age: noise 5.toml", "\x00.toml", "age: coding top=x; rest: drop", "age = noise",
)  # fmt: skip
"""Plans on one line, of which a few are good."""

PLAN_FILES: dict[str, str] = {
    "no column": '[[step]]\nmethod = "noise"\n',
    "many digits": f'[[step]]\ncolumns = ["age"]\nmethod = "mdav"\nk = {"9" * 5000}\n',
    "digits beyond floats": f'[[step]]\ncolumns = ["age"]\nmethod = "noise"\np = {"9" * 400}\n[[step]]\n'
    'columns = ["rest"]\nmethod = "drop"\n',
    "columns of lists": '[[step]]\ncolumns = [["age"]]\nmethod = "noise"\n',
    "method of numbers": '[[step]]\ncolumns = ["age"]\nmethod = 5\n',
    "a date": '[[step]]\ncolumns = ["age"]\nmethod = "noise"\np = 2020-01-01\n[[step]]\n'
    'columns = ["rest"]\nmethod = "drop"\n',
    "nested": '[[step]]\ncolumns = ["region"]\nmethod = "generalise"\ninto = {region = {n = "x", s = "x"}}\n[[step]]\n'
    'columns = ["rest"]\nmethod = "drop"\n',
    "odd matrix": '[[step]]\ncolumns = ["region"]\nmethod = "pram"\nmatrices = {region = {n = {s = 2}}}\n[[step]]\n'
    'columns = ["rest"]\nmethod = "drop"\n',
    "step is no list": "step = 5\n",
    "steps of numbers": "step = [1, 2]\n",
}


def _odd_plans() -> Iterator[Case]:
    """Plans as text, as files, and as what is no file; columns to drop, kinds and roles that do not fit."""
    tune = ("--target-rate", "0.5", "--trials", "1", *QUICK, "--no-confirm")
    protect, search = ("protect", "original.csv", "--out", "out.csv"), ("tune", "original.csv", *tune)
    for text in PLANS:
        for typed in (protect, search):
            yield Case(f"plan: {typed[0]} {text[:60]!r} {len(text)}", (*typed, f"--plan={text}"))
    for name, text in PLAN_FILES.items():
        yield Case(f"plan file: {name}", (*protect, "--plan", "odd.toml"), {"odd.toml": contents(text)})
        yield Case(f"plan file, tuned: {name}", (*search, "--plan", "odd.toml"), {"odd.toml": contents(text)})
    for name, (ending, maker) in OTHERS.items():
        if ending == ".csv":
            yield Case(f"plan file: {name}", (*protect, "--plan", "odd.toml"), {"odd.toml": maker})
    noise = (*protect, "--method", "noise", "--p", "5")
    schema = contents("[attributes.age]\ninclusive = true\n[attributes.income]\nrole = 'identifier'\n")
    for option in ("--drop", "--leave", "--nominal", "--ordinal", "--numeric"):
        for value in ("age", "income", "region", "age,income,region", "nobody", "age,age", '"age', ",", "", "\x1b[31m"):
            yield Case(f"columns: {option} {value!r}", (*noise, f"{option}={value}"))
            yield Case(
                f"columns with schema: {option} {value!r}",
                (*noise, f"{option}={value}", "--schema", "s.toml"),
                {"s.toml": schema},
            )


SURVEY = "age,income,region,house,weight\n" + "".join(
    f"{20 + i},{1000 * i + i * i},{'nswe'[i % 4] if i % 5 else ''},"
    f"{i // 3 if i % 7 else ''},{1 + i % 4 if i % 6 else ''}\n"
    for i in range(20)
)
"""Households, weights and keys with holes."""


def _odd_columns() -> Iterator[Case]:
    """Yield cases with columns of surveys that have holes, are confidential, or are not there."""
    makers = {
        "s.csv": contents(SURVEY),
        "whole.csv": contents(SURVEY.replace(",,", ",1,").replace(",\n", ",1\n")),
        "secret.toml": contents(
            '[attributes.income]\nrole = "confidential"\n[attributes.house]\nrole = "confidential"\n'
        ),
    }
    for name in ("s.csv", "whole.csv"):
        for option in ("group", "by", "weights", "keys", "id"):
            for column in ("age", "region", "house", "weight", "nobody", "region,house", ""):
                typed = ("assess", name, name, *QUICK, f"--{option}={column}")
                yield Case(f"survey: {name} {option} {column!r}", typed, makers)
                yield Case(
                    f"survey, confidential: {name} {option} {column!r}", (*typed, "--schema=secret.toml"), makers
                )


def _options_of(group: type, typed: tuple[str, ...]) -> list[str]:
    """Return the options of a command that take a value and are not given already."""
    from dataclasses import fields  # noqa: PLC0415

    from linkrisk.options import option_of  # noqa: PLC0415

    declared = [field for field in fields(group) if not option_of(field).kind.is_flag]
    words = [f"--{(option_of(field).word or field.name).replace('_', '-')}" for field in declared]
    slow = {"--attackers", "--time-limit", "--original", "--protected"}  # time limits without end are asked for so
    return [word for word in words if word not in typed and word not in slow]


RESULTS: dict[str, tuple[str, dict[str, Maker]]] = {
    "a folder": ("there.csv", {"there.csv": lambda path: path.mkdir()}),
    "a pipe": ("there.csv", {"there.csv": ODD_FILES["pipe"][1]}),
    "a circle": ("there.csv", {"there.csv": ODD_FILES["links in a circle"][1]}),
    "a link to nowhere": ("there.csv", {"there.csv": ODD_FILES["link to nowhere"][1]}),
    "a device": ("/dev/full", {}),
    "here": (".", {}),
    "above": ("..", {}),
    "the root": ("/", {}),
    "an input": ("original.csv", {}),
    "no folder": ("nowhere/r.csv", {}),
    "below a file": ("protected.csv/r.csv", {}),
    "long": ("n" * 300 + ".csv", {}),
    "long with room": ("n" * 250 + ".csv", {}),
    "there already": ("there.csv", {"there.csv": contents("x")}),
    "of the system": ("/proc/r.csv", {}),
    "with escapes": ("a\x1b[31m\x07.csv", {}),
    "with a newline": ("a\nb.csv", {}),
    "like an option": ("--r.csv", {}),
    "empty": ("", {}),
}
"""Odd names for results, with what stands there."""


DEMO_SUCCEEDS = ("here", "above", "long with room", "with escapes", "with a newline", "empty", "no folder")


def _odd_results() -> Iterator[Case]:
    """Odd names for every file that is written, with a disk that has room and one that is full."""
    pair = ("original.csv", "protected.csv")
    noise = ("protect", "original.csv", "--method", "noise", "--p", "5")
    places = {
        "json": (("assess", *pair, *QUICK), "--json"),
        "records": (("assess", *pair, *QUICK), "--records"),
        "certificates": (("assess", *pair, "--attackers", "weighted_mean", "--scales", "separate"), "--certificates"),
        "loss": (("loss", *pair), "--json"),
        "compare": (("compare", *pair, *QUICK), "--json"),
        "out": (noise, "--out"),
        "secret": ((*noise, "--out", "o.csv"), "--secret"),
        "record": ((*noise, "--out", "o.csv"), "--record"),
        "tuned": (("tune", "original.csv", "--method", "noise", "--target-rate", "1", "--trials", "1", *QUICK,
                   "--no-confirm"), "--out"),
        "matches": (("match", *pair, "--population", "100"), "--matches"),
        "demo": (("demo", "--records", "50"), "--out"),
    }  # fmt: skip
    for name, (path, makers) in RESULTS.items():
        for place, (typed, option) in places.items():
            if place == "demo" and name in DEMO_SUCCEEDS:
                continue  # it takes its time
            yield Case(f"result: {name}: {place}", (*typed, f"{option}={path}"), makers)
    for place, (typed, option) in places.items():
        yield Case(f"result: full disk: {place}", (*typed, f"{option}=full.csv"), surroundings="full disk")


WORDS = ("", "asses", "--hlep", "-x", "\x1b[2J", "a\nb", "--json", "assess run", "--version=1", "ä", "-", "--")


def _odd_words() -> Iterator[Case]:
    """Commands, options and arguments that do not exist, or are lacking."""
    commands = ("assess", "run", "protect", "loss", "compare", "tune", "match", "verify", "demo")
    for word in WORDS:
        yield Case(f"word: {word!r}", (word,))
        for command in commands:
            if (command, word) != ("demo", "--"):
                yield Case(f"word: {command} {word!r}", (command, *(["x"] if command == "demo" else []), word))


def _odd_surroundings() -> Iterator[Case]:
    """Yield cases with outputs that are closed, full or gone, and with signals."""
    pair = ("original.csv", "protected.csv")
    commands = (
        ("--help",), ("--version",), ("assess", "-h"), ("assess", "nowhere.csv", "nowhere.csv"),
        ("assess", *pair, *QUICK, "--json", "r.json"),
        ("loss", *pair, "--json", "r.json"),
        ("protect", "original.csv", "--method", "noise", "--p", "5", "--out", "out.csv"),
        ("demo", "--records", "50", "--out", "d"),
    )  # fmt: skip
    for surroundings in ("closed output", "full output", "no reader", "closed errors", "full errors", "ascii"):
        for typed in commands:
            yield Case(f"surroundings: {surroundings}: {' '.join(typed[:3])}", typed, surroundings=surroundings)
    for surroundings in ("SIGTERM", "SIGHUP", "SIGINT"):
        for typed in commands[4:]:
            yield Case(f"surroundings: {surroundings}: {' '.join(typed[:3])}", typed, surroundings=surroundings)

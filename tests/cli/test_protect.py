"""The command protect: every method, the files it writes, the secret it keeps, and bad input."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from linkrisk.protection import add_noise, microaggregate
from tests.cli.command import linkrisk_command

SEED = 987654321987654321
SCHEMA = """missing = ["-9"]
[attributes.school]
order = ["low", "middle", "high"]
[attributes.region]
kind = "nominal"
"""
N_RECORDS = 60


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a file of numbers, one of all kinds, and its schema."""
    monkeypatch.chdir(tmp_path)
    generator = np.random.default_rng(4)
    numbers = pd.DataFrame(generator.lognormal(5, 1, (N_RECORDS, 4)).round(2), columns=list("abcd"))
    numbers.to_csv("numbers.csv", index=False)
    mixed = numbers[["a", "b"]].assign(
        age=generator.integers(16, 90, N_RECORDS),
        region=generator.choice(["01", "02", "12"], N_RECORDS),
        school=generator.choice(["low", "middle", "high"], N_RECORDS),
        comment=[f"Text, {'x' * (i + 1)}" for i in range(N_RECORDS)],
    )
    mixed.to_csv("mixed.csv", index=False)
    Path("schema.toml").write_text(SCHEMA)
    return tmp_path


def read(path: str) -> pd.DataFrame:
    """Read a result, codes as text."""
    return pd.read_csv(path, dtype={"region": str})


METHODS = {
    "mdav --groups a,b:3;age,school:5": ["a", "b", "age", "school"],
    "mdav --groups a,b;age --k 4 --raw --centroid median": ["a", "b", "age"],
    "mdav --k 4 --variant fast": ["a", "b", "age"],
    "individual_ranking --k a:3,b:4,age:5,school:3": ["a", "b", "age", "school"],
    "z_scores --groups a,b,age:3": ["a", "b", "age"],
    "principal_components --groups a,b,age:3": ["a", "b", "age"],
    "rank_swap --p a:10,b:20,age:10,school:30": ["a", "b", "age", "school"],
    "rank_swap --p 10 --variant pairs": ["a", "b", "age"],
    "noise --p 10": ["a", "b", "age"],
    "noise --p 10 --attributes a,b --leave age": ["a", "b"],
    "correlated_noise --p 10": ["a", "b", "age"],
    "pram --keep 0.5 --leave a,b,age": ["region", "school"],
    "rounding --base a:10,b:10,age:5": ["a", "b", "age"],
    "rounding --base 7 --random": ["a", "b", "age"],
    "coding --top-percent 20 --bottom a:50": ["a", "b", "age"],
    "coding --top school:middle --leave a,b,age": ["school"],
    "generalise --into a:100,b:100,age:10,school:2": ["a", "b", "age", "school"],
}


@pytest.mark.parametrize("options", METHODS)
def test_every_method(options: str) -> None:
    """The columns asked for change, the others are written as they were, codes and commas included."""
    outcome = linkrisk_command(
        "protect", "mixed.csv", "--out", "out.csv", "--schema", "schema.toml", "--method", *options.split()
    )
    outcome.check_success()
    original, protected = read("mixed.csv"), read("out.csv")
    assert list(protected.columns) == list(original.columns)
    changed = [name for name in original if not protected[name].equals(original[name])]
    assert changed == METHODS[options]
    assert ("out.csv.secret" in outcome.output) == Path("out.csv.secret").exists()
    assert "written: out.csv" in outcome.output


def test_the_same_as_from_python_and_whole_numbers_stay_whole() -> None:
    """MDAV is standardised by default and raw on request; columns left are written as they were read."""
    for options, raw in (([], False), (["--raw"], True)):
        linkrisk_command(
            "protect", "numbers.csv", "--method", "mdav", "--groups", "a,b:3;c:5", "--leave", "d", *options,
            "--out", "out.csv", "--overwrite",
        ).check_success()  # fmt: skip
        expected = microaggregate(read("numbers.csv"), [["a", "b"], ["c"]], [3, 5], raw=raw, leave=["d"])
        pd.testing.assert_frame_equal(read("out.csv"), expected.data)
    linkrisk_command(
        "protect", "mixed.csv", "--method", "noise", "--p", 5, "--leave", "age,region", "--out", "mixed_out.csv"
    ).check_success()
    ages = [line.split(",")[2] for line in Path("mixed_out.csv").read_text().splitlines()[1:]]
    assert ages == [str(age) for age in read("mixed.csv")["age"]]


def test_files_of_the_papers() -> None:
    """By name, over the columns in the order of the file."""
    outcome = linkrisk_command("protect", "numbers.csv", "--method", "mdav", "--groups", "M4-28", "--out", "out.csv")
    outcome.check_success()
    assert "a, b: k = 2" in outcome.output
    assert "c, d: k = 8" in outcome.output


def test_the_seed_is_in_its_side_file_only() -> None:
    """Mode 0600 and enough to repeat the protection; --secret-seed says that it is for tests."""
    arguments = ("protect", "numbers.csv", "--method", "noise", "--p", 5, "--record", "record.json")
    outcome = linkrisk_command(*arguments, "--out", "out.csv", "--secret-seed", SEED)
    outcome.check_success()
    assert "--secret-seed is for tests" in outcome.errors
    assert stat.S_IMODE(Path("out.csv.secret").stat().st_mode) == 0o600
    holders = [path.name for path in Path().iterdir() if str(SEED) in path.read_text()]
    assert holders == ["out.csv.secret"]
    assert str(SEED) not in outcome.output + outcome.errors
    record = json.loads(Path("record.json").read_text())
    assert record["parameters"]["p"] == dict.fromkeys("abcd", 5.0)
    assert (record["original"], record["protected"], record["n_records"]) == ("numbers.csv", "out.csv", N_RECORDS)
    pd.testing.assert_frame_equal(read("out.csv"), add_noise(read("numbers.csv"), 5, secret_seed=SEED).data)


def test_secret_where_it_is_asked_for_and_never_the_same() -> None:
    """Without --secret-seed two runs differ, and each secret repeats its own."""
    for name in ("one", "two"):
        linkrisk_command(
            "protect", "numbers.csv", "--method", "rank_swap", "--p", 10, "--out", f"{name}.parquet", "--secret", name
        ).check_success()
    seeds = [Path(name).read_text().splitlines()[1] for name in ("one", "two")]
    assert seeds[0] != seeds[1]
    assert not pd.read_parquet("one.parquet").equals(pd.read_parquet("two.parquet"))
    linkrisk_command(
        "protect", "numbers.csv", "--method", "rank_swap", "--p", 10, "--out", "again.parquet", "--secret-seed",
        seeds[0].removeprefix("secret_seed = "),
    ).check_success()  # fmt: skip
    assert pd.read_parquet("one.parquet").equals(pd.read_parquet("again.parquet"))


def test_columns_of_a_parquet_file_keep_their_types() -> None:
    """Those that are left: whole numbers, truth values, days, categories, lists."""
    days = np.array(["2020-01-01", "2021-05-05", "NaT"] * 20, dtype="datetime64[us]")
    lists = pd.Series([np.array([1, 2])] * N_RECORDS)
    frame = read("mixed.csv").assign(day=days, smoker=True, many=lists).astype({"region": "category"})
    frame.to_parquet("mixed.parquet")
    arguments = ("protect", "mixed.parquet", "--method", "noise", "--p", 5, "--leave", "age,day,many", "--out")
    linkrisk_command(*arguments, "out.parquet").check_success()
    protected = pd.read_parquet("out.parquet")
    left = ["age", "region", "school", "comment", "day", "smoker", "many"]
    pd.testing.assert_frame_equal(protected[left], pd.read_parquet("mixed.parquet")[left])
    assert not protected["a"].equals(frame["a"])
    refused = linkrisk_command(*arguments, "out.csv")
    assert refused.code == 2
    assert "mixed.parquet: column 'many' holds nested" in refused.errors
    assert not list(Path().glob("out.csv*"))
    linkrisk_command(
        "protect", "mixed.csv", "--method", "noise", "--p", 5, "--leave", "age,region", "--out", "from_csv.parquet"
    ).check_success()
    assert pd.read_parquet("from_csv.parquet")["region"].tolist() == frame["region"].tolist()


@pytest.mark.parametrize("more", [(), ("--attributes", "wage,pid"), ("--attributes", "wage")], ids=len)
def test_identifiers_are_not_protected(more: tuple[str, ...]) -> None:
    """Changed a little or left in the file, they undo all protection: neither happens unless the user says so."""
    pd.DataFrame({"pid": range(12), "name": list("abcdefghijkl"), "wage": range(12)}).to_csv("id.csv", index=False)
    Path("id.toml").write_text('[attributes.pid]\nrole = "identifier"\n[attributes.name]\nrole = "identifier"\n')
    arguments = ("protect", "id.csv", "--method", "noise", "--p", 100, "--schema", "id.toml", "--out", "out.csv")
    linkrisk_command(*arguments, *more).check_mistake(
        "id.csv: no method protects an identifier (column 'pid', column 'name'); take such a column out", "(--leave)"
    )
    assert not list(Path().glob("out.csv*"))
    outcome = linkrisk_command(*arguments, "--leave", "pid,name")
    outcome.check_success()
    assert "pid is an identifier and is in the protected file; take it out before the release" in outcome.output
    assert pd.read_csv("out.csv")["pid"].tolist() == list(range(12))


def test_missing_codes() -> None:
    """Codes of the schema and of --missing are missing and left as they are."""
    Path("gaps.csv").write_text("x;y\n1;5\n-9;6\n3;99\n4;8\n5;9\n6;1\n")
    linkrisk_command(
        "protect", "gaps.csv", "--method", "individual_ranking", "--k", 2, "--missing", "-9,99", "--out", "out.csv",
        "--delimiter", ";",
    ).check_success()  # fmt: skip
    protected = pd.read_csv("out.csv", sep=";")  # as the file it comes from
    assert protected["x"].tolist() == [2, -9, 2, 5, 5, 5]
    assert protected["y"].tolist() == [3, 8, 99, 8, 8, 3]
    linkrisk_command(
        "protect", "gaps.csv", "--method", "mdav", "--k", 2, "--missing", "-9,99", "--out", "o.csv"
    ).check_success()
    assert pd.read_csv("o.csv", sep=";")["x"].tolist().index(-9) == 1


def test_assess_takes_what_protect_writes() -> None:
    """The two commands fit together."""
    linkrisk_command(
        "protect", "mixed.csv", "--method", "generalise", "--into", "a:50,b:50,age:10,school:2", "--out", "out.csv",
        "--schema", "schema.toml",
    ).check_success()  # fmt: skip
    outcome = linkrisk_command(
        "assess", "mixed.csv", "out.csv", "--schema", "schema.toml", "--attributes", "a,b,age,school", "--attackers",
        "mean",
    )  # fmt: skip
    outcome.check_success()


def test_a_file_that_did_not_change_is_not_written() -> None:
    """A file called protected is never the original; a column of it that is, is pointed out."""
    arguments = ("protect", "numbers.csv", "--out", "out.csv", "--method")
    for options in (("noise", "--p", 0), ("coding", "--top", 1e9), ("rounding", "--base", 0.01)):
        linkrisk_command(*arguments, *options).check_mistake("numbers.csv", "no value would change", "stronger")
    Path("words.csv").write_text("a;b\n1,5;refused\n2,5;3,5\n3,5;4,5\n")
    command = ("protect", "words.csv", "--missing", "refused", "--method", "noise", "--p", 0, "--out", "out.csv")
    linkrisk_command(*command).check_mistake("words.csv", "no value would change")
    assert not list(Path().glob("out.csv*"))
    outcome = linkrisk_command(*arguments, "noise", "--p", "a:5,b:0,c:5,d:5")
    outcome.check_success()
    assert "note: no value of b changed; it is released as it is.\n" in outcome.output


@pytest.mark.slow
@pytest.mark.parametrize("cell", ["12x", "inf"])
@pytest.mark.parametrize("options", [("noise", "--p", 5), ("mdav", "--k", 3), ("pram", "--keep", 0.5)])
def test_one_bad_cell_does_not_leave_a_column_unprotected(cell: str, options: tuple[object, ...]) -> None:
    """It is named; with --leave the column is left on purpose."""
    ages = [*range(20, 40), cell, *range(40, 60)]
    pd.DataFrame(
        {"age": ages, "wage": [1000 + 37 * i for i in range(41)], "sex": ["m", "f", "f"] * 13 + ["m", "f"]}
    ).to_csv("bad.csv", index=False)
    arguments = ("protect", "bad.csv", "--out", "out.csv", "--method", *options)
    linkrisk_command(*arguments).check_mistake("bad.csv", "'age'", "row 22")
    linkrisk_command(*arguments, "--leave", "age,wage" if "pram" in options else "age").check_success()


@pytest.mark.parametrize("options", ["noise --p 5", "mdav --k 2", "pram --keep 0.5 --leave wage"])
@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        (["31", "4o", "27", "62", "58"], "has text among numbers in row 3;"),
        (["31", "4o", "none", "62", "58"], "has text among numbers in row 3 (and in 1 more);"),
        (["none", "no", "none", "62", "none"], "has a number among text in row 5;"),
    ],
)
def test_numbers_among_text_are_refused_however_few(options: str, cells: list[str], fault: str) -> None:
    """A mistake in one cell of five makes a column of categories, which a method for numbers would skip."""
    pd.DataFrame({"age": cells, "wage": [100, 200, 300, 400, 500], "sex": list("mffmf")}).to_csv(
        "slip.csv", index=False
    )
    Path("kinds.toml").write_text('[attributes.age]\nkind = "nominal"\n')
    arguments = ("protect", "slip.csv", "--out", "out.csv", "--method", *options.split())
    linkrisk_command(*arguments).check_mistake(f"slip.csv: column 'age' {fault}", "(--leave)", "nominal in the schema")
    assert not list(Path().glob("out.csv*"))
    if "pram" not in options:  # which may happen to change none of five cells
        outcome = linkrisk_command(*arguments, "--schema", "kinds.toml")
        outcome.check_success()
        assert "note: nothing is said about 'age' (nominal), 'sex' (nominal): not protected here.\n" in outcome.output


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([f"$ {i % 3 + 1},000" for i in range(12)], "text with digits"),
        ([f"{i + 7:02}" for i in range(12)], "text with digits"),
        (["07/05/2020", "08/05/2020"] * 6, "text with digits"),
        ([f"{i} kg" for i in range(1000, 1012)], "text with digits"),
        (["25 years", "young"] * 6, "text with digits"),
        (["600 EUR", "more"] * 6, "text with digits"),
        (["10-62", "63-99"] * 6, "text with digits"),
        (["May 1966", "Jan 8 1999"] * 6, "text with digits"),
        (["<39", "none"] * 6, "text with digits"),
        (["x", "y"] * 5 + ["z", "x17"], "text with digits"),
        (["\u0663\u0667 x", "y"] * 6, "text with digits"),
    ],
    ids=[
        *("currency", "leading zeros", "day or month first", "unit", "years", "euros", "range", "month", "below"),
        *("one cell", "Arabic digits"),
    ],
)
def test_no_quantity_is_left_unasked(cells: list[str], reason: str) -> None:
    """Numbers, dates and text with a digit in any cell are protected or named; words are left and listed."""
    pd.DataFrame({"x": cells, "wage": range(0, 1200, 100), "sex": ["m", "f"] * 6}).to_csv("file.csv", index=False)
    Path("kinds.toml").write_text('[attributes.x]\nkind = "nominal"\n')
    arguments = ("protect", "file.csv", "--method", "noise", "--p", 5, "--record", "record.json", "--out", "out.csv")
    linkrisk_command(*arguments).check_mistake(
        f"file.csv: noise as asked for leaves 'x' ({reason}) unprotected", "--leave"
    )
    outcome = linkrisk_command(*arguments, "--leave", "x")
    outcome.check_success()
    assert "note: nothing is said about 'sex' (nominal): not protected here.\n" in outcome.output
    assert "left as they are: x, sex" in outcome.output
    assert json.loads(Path("record.json").read_text())["left_as_they_are"] == ["x", "sex"]
    outcome = linkrisk_command(*arguments, "--schema", "kinds.toml", "--overwrite")
    outcome.check_success()
    assert "'x' (nominal), 'sex' (nominal): not protected here" in outcome.output


def test_numbers_are_not_left_by_a_method_for_categories() -> None:
    """All that are not named come in one sentence."""
    linkrisk_command("protect", "mixed.csv", "--method", "pram", "--keep", 0.5, "--out", "out.csv").check_mistake(
        "mixed.csv: pram as asked for leaves 'a' (numeric), 'b' (numeric), 'age' (numeric) unprotected"
    )


@pytest.mark.parametrize(
    ("options", "column", "row"),
    [
        ("rounding --base 10", "age", 3),
        ("coding --top 100", "age", 4),
        ("individual_ranking --k 2 --continuous", "wage", 2),
    ],
)
def test_no_value_becomes_a_code_for_missing(options: str, column: str, row: int) -> None:
    """Readers who use the codes of the file would lose the value."""
    Path("codes.csv").write_text("age,wage\n31,199\n97,201\n140,300\n100,320\n62,410\n")
    Path("codes.toml").write_text("missing = [100]\n[attributes.wage]\nmissing = [200]\n")
    linkrisk_command(
        "protect", "codes.csv", "--schema", "codes.toml", "--out", "out.csv", "--method", *options.split()
    ).check_mistake("codes.csv", f"'{column}'", f"row {row} ", "code for missing")
    assert not Path("out.csv").exists()


MISTAKES = {
    "--method mdav --groups a,b,c,d:31": ("k = 31 is out of range", "from 2 to 30"),
    "--method mdav --groups a,b,c,d:1": ("k = 1 is out of range",),
    "--method mdav --groups a,b,c,d": ("mdav needs k (--k)",),
    "--method mdav --groups a,b:3;b,c,d:3": ("more than one group", ": b"),
    "--method mdav --groups a,b:3": ("nothing is said about c, d",),
    "--method mdav --groups a,b,c,d,e:3": ("numbers.csv has no column 'e'",),
    "--method mdav --groups a,bb,c,d:3": ("numbers.csv has no column 'bb'",),
    "--method mdav --groups m4-28": ("numbers.csv has no column 'm4-28'",),
    "--method noise --p a:1,bb:1,c:1,d:1": ("numbers.csv has no column 'bb'",),
    "--method mdav --groups a,b:3;c,d": ("some groups have a k",),
    "--method mdav --groups M4-28 --k 3": ("both in groups (--groups) and by k (--k)",),
    "--method mdav --groups M5-38": ("M5-38 takes 5 attributes",),
    "--method mdav --k a:3": ("--groups",),
    "--method mdav --groups a,b,c,d:3 --attributes a": ("leave out attributes (--attributes)",),
    "--method correlated_noise --p 3 --attributes a,b": ("nothing is said about c, d", "--leave"),
    "--method mdav --p 3": ("takes no parameter p",),
    "--method mdav --k 3 --secret s": ("leave out secret (--secret)",),
    "--method mdav --k 3 --secret-seed 1": ("takes no parameter secret_seed (--secret-seed)",),
    "--method noise --raw --p 3": ("noise takes no parameter raw (--raw)",),
    "--method noise --groups a,b:3": ("leave out groups (--groups)",),
    "--method noise": ("noise needs p",),
    "--method noise --p -1": ("p of column 'a'", "0 or more"),
    "--method noise --p x": ("p (--p) must be a number",),
    "--method noise --p a:1,b:1": ("nothing is said about c, d",),
    "--method noise --p 1 --leave z": ("numbers.csv has no column 'z'",),
    "--method noise --p 1 --attributes z": ("numbers.csv has no column 'z'",),
    "--method noise --p 1 --secret-seed -1": ("--secret-seed must be a whole number",),
    "--method rank_swap --p 10 --variant fast": (
        "variant (--variant) of rank_swap",
        "permutation (the default) or pairs",
    ),
    "--method noise --p 10 --variant pairs": ("noise takes no parameter variant (--variant)",),
    "--method rank_swap --p 10 --variant twos": ("--variant must be one of classic, fast, permutation, pairs",),
    "--method rank_swap --p 101": ("p of column 'a'", "at most 100"),
    "--method rank_swap --p 0": ("p of column 'a'", "less than one rank"),
    "--method pram --keep 0.5": ("numbers.csv", "leaves 'a' (numeric)", "--leave", "--drop", "--nominal"),
    "--method pram --keep 0.5 --leave a,b,c,d": ("numbers.csv", "no column to protect", "--schema"),
    "--method blur": ("no protection method 'blur'", "mdav"),
    "--method noise --p 1 --schema none.toml": ("none.toml does not exist",),
    "--method noise --p 1 --secret out.csv": ("different files",),
}


@pytest.mark.parametrize("options", MISTAKES)
def test_bad_input(options: str) -> None:
    """Exit code 2, one sentence, and no file written."""
    before = sorted(Path().iterdir())
    outcome = linkrisk_command("protect", "numbers.csv", "--out", "out.csv", *options.split())
    outcome.check_mistake(*MISTAKES[options])
    assert sorted(Path().iterdir()) == before


def test_noise_on_a_nominal_attribute() -> None:
    """Named by file, column and kind."""
    linkrisk_command(
        "protect", "mixed.csv", "--method", "noise", "--p", "a:1,b:1,age:1,region:1", "--out", "out.csv"
    ).check_mistake("mixed.csv", "'region'", "nominal", "leave")


def test_output_that_exists_or_cannot_be_written() -> None:
    """No file is replaced unless that is allowed, and the original never is."""
    arguments = ("protect", "numbers.csv", "--method", "noise", "--p", 1, "--out")
    Path("out.csv").write_text("precious")
    linkrisk_command(*arguments, "out.csv").check_mistake("out.csv exists already", "--overwrite")
    assert Path("out.csv").read_text() == "precious"
    Path("new.csv.secret").write_text("precious")
    linkrisk_command(*arguments, "new.csv").check_mistake("new.csv.secret exists already")
    assert not Path("new.csv").exists()
    linkrisk_command(*arguments, "out.csv", "--overwrite").check_success()
    linkrisk_command(*arguments, "numbers.csv", "--overwrite").check_mistake("different files")
    linkrisk_command(*arguments, "out.sav").check_mistake("out.sav", ".csv or .parquet")
    linkrisk_command(*arguments, "none/out.csv").check_mistake("folder", "out.csv")
    linkrisk_command(*arguments, ".").check_mistake(". is a folder")
    Path("numbers.toml").write_text("")
    schema = ("--schema", "numbers.toml", "--record", "numbers.toml", "--overwrite")
    linkrisk_command(*arguments, "out.csv", *schema).check_mistake("different files")

"""What a new attacker still lacks: every attacker of the registry is looked at, and what is missing is told.

The steps are those of CONTRIBUTING.md, "Add an attacker, step by step". `lacks` is tried out on a bare attacker, too,
so that each check can be seen to fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import linkrisk.attackers
from linkrisk.attack.options import DEFAULT_ATTACKERS
from linkrisk.attackers import ATTACKERS, Attacker, LearnedAttacker, make_attacker
from linkrisk.distances.distance import TOLERANCE
from linkrisk.distances.family import Family
from linkrisk.distances.meaning import PlainMeaning
from linkrisk.distances.weighted_mean import WeightedMeanFamily
from linkrisk.verifier.certificate.document import Claim
from linkrisk.verifier.families.family import make_family
from linkrisk.verifier.verification import Rejection
from tests.linkage.attackers import MONOTONE, SINGLY, VECTOR
from tests.linkage.twins import ELSEWHERE, FORMS, RULES

ROOT = Path(__file__).parents[1]
AXIOMS = ROOT / "docs" / "axioms.md"
TABLE = ROOT / "docs" / "guide" / "attackers.md"
"""The page whose table lists the attackers."""

OWN_PAGES = ROOT / "docs" / "attackers"
"""The folder with a page for each attacker."""

DOCSTRING = {
    "scenario (who the intruder is, what he knows)": r"\bintruder\b",
    "formula": r"^ *distance = ",
    "ties": r"\bTies:",
    "missing values": r"\bMissing values:",
    "cost": r"\bCost:",
    "reference": r"\bReference:",
    "example": r">>> ",
}
"""What a reader looks for in an attacker's docstring, and the words by which it is found."""

NAMES = ("age", "income", "debt")


def lacks(kind: type[Attacker]) -> list[str]:
    """Say what an attacker still lacks, and where it goes."""
    name = getattr(kind, "name", "")
    if not isinstance(name, str) or not name:
        return [f"{kind.__name__}: a name; write name: ClassVar[str] in its class"]
    found = [*_public(kind, name), *_docstring(kind), *_pages(name), *_own_page(name), *_twins(name)]
    if issubclass(kind, LearnedAttacker):
        found += _learned(kind)
    return [f"{name}: {what}" for what in found]


def _public(kind: type[Attacker], name: str) -> Iterator[str]:
    if ATTACKERS.get(name) is not kind:
        yield "not in the registry; add it to ATTACKERS in src/linkrisk/attackers/registry.py"
    if getattr(linkrisk.attackers, kind.__name__, None) is not kind or kind.__name__ not in linkrisk.attackers.__all__:
        yield f"not public; export {kind.__name__} from src/linkrisk/attackers/__init__.py"

    if not kind.knows.startswith("He "):
        yield f"nothing said of what he knows; write knows: ClassVar[str] in {kind.__name__}, a sentence about him"


def _docstring(kind: type[Attacker]) -> Iterator[str]:
    told = kind.__doc__ or ""
    for what, pattern in DOCSTRING.items():
        if not re.search(pattern, told, re.MULTILINE):
            yield f"no {what} in the docstring of {kind.__name__}; write a line that matches {pattern!r}"


def _pages(name: str) -> Iterator[str]:
    for page, what in ((AXIOMS, "which axioms it satisfies"), (TABLE, "what the intruder knows")):
        if not has_row(page.read_text(encoding="utf-8"), name):
            yield f"no word in {page.relative_to(ROOT)}; add a row that says {what}"


def _own_page(name: str) -> Iterator[str]:
    if not (OWN_PAGES / f"{name}.md").exists():
        yield f"no page; write {OWN_PAGES.relative_to(ROOT)}/{name}.md, with the headings of the others"


def has_row(text: str, name: str) -> bool:
    """Whether the first cell of some table's row names an attacker; a sentence that begins with him does, too."""
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("|")]
    return any(f"`{name}`" in cell for cell in rows) or f"\n`{name}` is none of these" in text


def _twins(name: str) -> Iterator[str]:
    if name not in {*RULES, *FORMS, *ELSEWHERE}:
        yield "no slow twin; write one in tests/oracle/distances.py and name it in tests/linkage/twins.py"
    if name not in {*MONOTONE, *VECTOR, *SINGLY}:
        yield "no laws; add it to MONOTONE or VECTOR in tests/linkage/attackers.py, with random parameters"


def _learned(kind: type[LearnedAttacker]) -> Iterator[str]:
    """Say what the family of a learned attacker lacks: words of its own, relatives, a verifier."""
    family = kind().family()
    own = type(family)
    n_parameters = family.parameter_set(len(NAMES)).n_parameters
    if own.parameter_labels is Family.parameter_labels:
        yield f"no labels; write parameter_labels in {own.__name__}"
    elif len(set(family.parameter_labels(NAMES))) != n_parameters:
        yield f"too few labels; parameter_labels of {own.__name__} must tell {n_parameters} parameters apart"
    if isinstance(family.meaning(family.parameter_set(len(NAMES)).interior, NAMES), PlainMeaning):
        yield f"no meaning; write meaning in {own.__name__}, with a dataclass in src/linkrisk/distances/meaning.py"
    if own.weaker is Family.weaker and not family.is_boxed:
        yield f"no start; write weaker in {own.__name__}: the families whose distances it can make"
    yield from _unverified(family)


def _unverified(family: Family) -> Iterator[str]:
    if not family.is_verifiable:
        if family.no_certificate == Family.no_certificate:
            yield (
                "no verifier; teach it to src/linkrisk/verifier/families/ and set is_verifiable in "
                f"{type(family).__name__}, or say there why not, as no_certificate"
            )
        return
    try:
        checked = make_family(claim_of(family), len(NAMES))
    except Rejection as refusal:
        yield f"the verifier does not know it ({refusal}); teach it to src/linkrisk/verifier/families/"
        return
    if checked.n_parameters != family.parameter_set(len(NAMES)).n_parameters:
        yield "the verifier counts other parameters; correct src/linkrisk/verifier/families/"


def claim_of(family: Family) -> Claim:
    """Return what a certificate claims about a family; nothing else in it matters here."""
    blank = dict.fromkeys((field.name for field in fields(Claim)), None)
    options = {"floor": None, "additivity": None, **family.options}
    return Claim(**{**blank, "attacker": family.name, **options})  # type: ignore[arg-type]  # read by make_family only


@pytest.mark.parametrize("name", ATTACKERS)
def test_nothing_is_missing(name: str) -> None:
    """Each attacker has all that the steps ask for."""
    kind = ATTACKERS[name]
    assert make_attacker(name).name == name
    assert "\n".join(lacks(kind)) == ""


def test_defaults_are_in_the_registry() -> None:
    """One default for all commands: each can be made without parameters, and none twice."""
    assert len(set(DEFAULT_ATTACKERS)) == len(DEFAULT_ATTACKERS)
    assert {*DEFAULT_ATTACKERS} <= {*ATTACKERS}


class Bare(Attacker):
    """Somebody."""

    name: ClassVar[str] = "bare"


@dataclass(frozen=True)
class BareFamily(WeightedMeanFamily):
    """A family that says nothing of its own."""

    parameter_labels = Family.parameter_labels
    meaning = Family.meaning  # type: ignore[assignment]  # as if it were not written
    weaker = Family.weaker
    tolerance: ClassVar[float] = TOLERANCE


@dataclass(eq=False)
class BareLearned(linkrisk.attackers.WeightedMean):
    """Somebody who learns."""

    name: ClassVar[str] = "bare_learned"

    def family(self) -> Family:
        """Return a family that says nothing of its own."""
        return BareFamily()


def test_a_bare_attacker_lacks_everything() -> None:
    """Each check can be seen to fail, and each line names the attacker and a file or a word to write."""
    found = lacks(Bare)
    assert all(line.startswith("bare: ") for line in found)
    for word in (
        "registry.py",
        "attackers/__init__.py",
        "knows: ClassVar[str]",
        *DOCSTRING,
        "docs/axioms.md",
        str(TABLE.relative_to(ROOT)),
        "docs/attackers/bare.md",
        "tests/oracle/distances.py",
        "tests/linkage/attackers.py",
    ):
        assert any(word in line for line in found), word
    assert len(found) == 3 + len(DOCSTRING) + 2 + 1 + 2
    assert lacks(type("Nameless", (Attacker,), {"name": ""})) == [
        "Nameless: a name; write name: ClassVar[str] in its class"
    ]


def test_a_bare_family_lacks_words_relatives_and_a_verifier() -> None:
    """A learned attacker is asked for more."""
    found = [line for line in lacks(BareLearned) if line not in lacks(Bare)]
    for word in ("parameter_labels", "meaning", "weaker", "verifier/families/"):
        assert any(word in line for line in found), word


def test_what_the_verifier_does_not_know_is_told() -> None:
    """A family that calls itself verifiable must be; one that says why it is not is left in peace."""

    class Claimed(BareFamily):
        name: ClassVar[str] = "claimed"
        is_verifiable: ClassVar[bool] = True  # which is not true

    class Excused(BareFamily):
        no_certificate: ClassVar[str] = "its optimum is checked by hand"

    assert "does not know it" in next(_unverified(Claimed()))
    assert list(_unverified(Excused())) == []
    assert list(_unverified(WeightedMeanFamily())) == []


def test_rows_are_found_in_the_first_cell_only() -> None:
    """A name in another attacker's row does not count."""
    text = "| attacker | why |\n|---|---|\n| `mean`, `other` | as `median` |\n"
    assert [has_row(text, name) for name in ("mean", "other", "median")] == [True, True, False]
    assert np.all([has_row(TABLE.read_text(encoding="utf-8"), name) for name in ATTACKERS])

"""Options: declared once, checked once, and reported in the words of the user who gave them."""

from __future__ import annotations

import contextlib
import inspect
import math
from dataclasses import dataclass, fields
from typing import Any, Unpack

import pytest

from linkrisk.advice.options import CompareKeywords, CompareOptions, TuneKeywords, TuneOptions
from linkrisk.assessment.options import AssessKeywords, AssessOptions
from linkrisk.attack.options import Attacking, AttackingKeywords
from linkrisk.attackers.options import FitKeywords, FitOptions
from linkrisk.cli.commands import make_app
from linkrisk.data.reading import Reading, ReadingKeywords
from linkrisk.errors import InputError, OptionError
from linkrisk.learning.options import Learning, LearningKeywords
from linkrisk.losses.options import LossKeywords, LossOptions
from linkrisk.options import OPTION, Flag, Number, Options, Values, Whole, option, same_option, takes
from linkrisk.protection import METHODS
from linkrisk.protection.options import ProtectKeywords, ProtectOptions
from linkrisk.tables.options import MatchKeywords, MatchOptions

GROUPS: dict[type[Options], Any] = {
    AssessOptions: AssessKeywords,
    Attacking: AttackingKeywords,
    CompareOptions: CompareKeywords,
    FitOptions: FitKeywords,
    Learning: LearningKeywords,
    LossOptions: LossKeywords,
    MatchOptions: MatchKeywords,
    ProtectOptions: ProtectKeywords,
    Reading: ReadingKeywords,
    TuneOptions: TuneKeywords,
}
"""Every group of options, with the keywords that type checkers know."""


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.__name__)
def test_type_checkers_know_the_options_there_are(group: type[Options]) -> None:
    """The keywords written down for type checkers are the declared options, neither more nor fewer."""
    assert set(GROUPS[group].__annotations__) == {field.name for field in fields(group)}


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.__name__)
def test_every_option_is_explained_and_its_default_allowed(group: type[Options]) -> None:
    """A sentence with a full stop for each; a group with nothing given is one."""
    group()
    for field in fields(group):
        declared = field.metadata[OPTION]
        assert isinstance(declared.kind, Values)
        assert declared.help.endswith("."), field.name
        assert declared.help[0].isupper() or declared.help.split(":")[0] in METHODS, field.name


@dataclass(frozen=True, kw_only=True)
class Sample(Options):
    """A group of its own."""

    margin: float = option(0.0, Number(0.0, below=1.0), "Share of the distance.")
    repeats: int | None = option(None, Whole(1), "How often.")
    explain: bool = option(False, Flag(), "Also explain.")


@pytest.mark.parametrize("margin", [1.0, -0.1, math.nan, "0.5", True, None])
def test_limits_hold_wherever_a_group_is_made(margin: Any) -> None:
    """Limits are declared once and checked when a group is made, however it is made."""
    with pytest.raises(OptionError, match="margin must be a number from 0 to below 1"):
        Sample(margin=margin)


def test_the_largest_number_below_a_limit_is_allowed() -> None:
    """Below 1 means below 1."""
    assert Sample(margin=math.nextafter(1.0, 0.0)).margin < 1.0


def test_all_mistakes_are_told_at_once() -> None:
    """One per line, in the words of the caller."""
    with pytest.raises(OptionError) as caught:
        Sample.of({"margin": 2.0, "repeats": 0})
    assert len(str(caught.value).split("\n")) == 2
    assert caught.value.told(lambda name: f"--{name}").startswith("--margin must be")


def test_an_unknown_option_is_told_with_the_nearest_one() -> None:
    """A slip in a name is no option that is silently ignored."""
    with pytest.raises(OptionError, match="margins is not an option, did you mean 'margin'"):
        Sample.of({"margins": 0.5})


def test_an_object_and_its_own_option_are_one_too_many() -> None:
    """`learning=Learning(...)` beside `margin=...` would leave open which counts."""
    with pytest.raises(OptionError, match="margin is given beside a Sample"):
        Sample.of({"margin": 0.5}, Sample())


def test_the_same_option_elsewhere_has_the_same_limits_and_words() -> None:
    """Only the default may differ."""

    @dataclass(frozen=True, kw_only=True)
    class Other(Options):
        margin: float = same_option(Sample, "margin", 0.25)

    assert Other().margin == 0.25
    with pytest.raises(OptionError):
        Other(margin=1.0)
    assert fields(Other)[0].metadata[OPTION].help == "Share of the distance."


def test_a_function_shows_the_options_it_takes() -> None:
    """In its signature, which notebooks complete from, and in its docstring."""

    @takes(Learning)
    def learned(files: str, **options: Unpack[LearningKeywords]) -> None:
        """Learn.

        Parameters
        ----------
        files
            Two files.
        @options
        """

    parameters = inspect.signature(learned).parameters
    assert list(parameters) == ["files", *(field.name for field in fields(Learning))]
    assert parameters["repeats"].default == 5
    assert learned.__doc__ is not None
    assert "How often pairs are held out. Default: 5." in learned.__doc__
    assert "@options" not in learned.__doc__


def test_settings_hold_no_paths_and_nobody_s_names() -> None:
    """What results write down of their settings: whether a list of pairs was given, not the list."""
    assert Reading(pairs="secret/pairs.csv").plain()["pairs"] is True
    assert Learning(time_limit=math.inf).plain()["time_limit"] is None


def all_groups() -> list[type[Options]]:
    """Return every group of options there is, those of the command line included."""
    make_app()
    found, todo = [], [Options]
    while todo:
        children = [group for group in todo.pop().__subclasses__() if group.__module__.startswith("linkrisk.")]
        found += children
        todo += children
    return list(dict.fromkeys(found))


def test_every_option_of_every_group_is_explained() -> None:
    """Also those that only the command line and assessment files have."""
    groups = all_groups()
    assert {*GROUPS} <= {*groups}
    for group in groups:
        for field in fields(group):
            assert field.metadata[OPTION].help.endswith("."), (group.__name__, field.name)


@pytest.mark.parametrize("value", [5, object(), [5], [object()], {"a": 1}, b"x", 1.5j])
def test_a_value_of_a_wrong_kind_is_a_sentence(value: Any) -> None:
    """Whatever a user or a file gives: taken, or refused as an input error; never another exception."""
    for group in GROUPS:
        for field in fields(group):
            with contextlib.suppress(InputError):
                group.of({field.name: value})


def test_a_text_stands_for_a_list_everywhere() -> None:
    """In Python as on the command line."""
    asked = AssessOptions.of(
        {"scales": "separate,ranks", "attackers": "mean,owa", "attributes": "a,b", "missing": "99,-9"}
    )
    assert [str(scale) for scale in asked.scales] == ["separate", "ranks"]
    assert [attacker.name for attacker in asked.attackers] == ["mean", "owa"]
    assert asked.attributes == ("a", "b")
    assert asked.missing == ("99", "-9")
    assert MatchOptions.of({"confident": "0.5,0.9"}).confident == (0.5, 0.9)


def test_no_limit_can_be_said_in_two_ways() -> None:
    """None and inf."""
    assert Learning(time_limit=None).seconds == Learning(time_limit=math.inf).seconds == math.inf


def test_settings_name_attackers_with_what_is_not_usual() -> None:
    """As an assessment file takes them."""
    told = Attacking(attackers=["mean", {"name": "kernel", "degree": 3}]).plain()["attackers"]
    assert told == ["mean", {"name": "kernel", "degree": 3}]
    assert [attacker.name for attacker in Attacking(attackers=told).attackers] == ["mean", "kernel"]

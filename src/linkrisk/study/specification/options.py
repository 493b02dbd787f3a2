"""The options of a study: its own, those of its data, of its protections, and of its matchings of samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from linkrisk.attack.options import AttackersKind
from linkrisk.data.reading import Meaning
from linkrisk.differences.scale import Scale
from linkrisk.linkage.ties import DEFAULT_TIES, Ties
from linkrisk.options import Choice, Choices, File, Names, Number, Options, Text, Whole, option
from linkrisk.study.specification.kinds import Categories, Grid, NameLists, Tables, Ways
from linkrisk.study.specification.measure_names import MATCHING, MEASURES

GENERATED = ("census_like", "census_like_mixed", "adult_like")
"""Microdata that can be generated in place of a file; see `linkrisk.datasets`."""

SAMPLED = ("before", "after")
"""Whether a sample is drawn before the file is protected, or from the file that was protected as a whole."""


@dataclass(frozen=True, kw_only=True)
class Measuring(Options):
    """What is measured of each release; a protection may say it for itself."""

    title: ClassVar[str] = "What is measured"

    measures: Sequence[str] = option(
        ("links",), Choices(tuple(name for name in MEASURES if name != MATCHING)), "What is measured of each release."
    )
    attackers: Sequence[Any] = option(("mean",), AttackersKind(), "Who attacks, for measures with attackers.")
    scales: Sequence[str] = option((Scale.SEPARATE,), Choices(Scale), "Scales on which files are compared.")
    ties: Sequence[str] = option((DEFAULT_TIES,), Choices(Ties), "What counts as a link.")
    repeats: int = option(1, Whole(1, 10**6), "How often samples are drawn and files protected anew.")
    time_limit: float | None = option(
        None,
        Number(0.0),
        "Seconds for learning, on one core; without a limit every optimum is proven, and a cell run again is the same.",
    )
    holdout: float = option(0.5, Number(0.01, 0.9), "holdout: share of the true pairs held out while learning.")
    pool: str = option("all", Choice(("all", "test")), "holdout: candidates for people held out.")


@dataclass(frozen=True, kw_only=True)
class StudyOptions(Measuring):
    """The settings of a study: what is measured, unless a protection says otherwise."""

    name: str | None = option(None, Text(), "What the study is called; by default the name of its file.")
    seed: int | None = option(None, Whole(0), "Seed of all that is drawn; by default drawn itself, and kept.")


@dataclass(frozen=True, kw_only=True)
class DataOptions(Meaning):
    """The data of a study: a file, or one that is generated, and the sample that is drawn from it for each repeat."""

    name: str = option("", Text(), "What these data are called.")
    file: Path | None = option(None, File(), "The original file.")
    generated: str | None = option(None, Choice(GENERATED), "Generated data in place of a file.")
    records: int = option(1080, Whole(2, 10**8), "Records that are generated.")
    columns: Sequence[str] | None = option(None, Names(), "Columns to keep, by default all.")
    known: Sequence[str] | None = option(
        None, Names(), "Attributes that intruders know, by default all that both files have."
    )
    sample: int | None = option(None, Whole(2), "Records that are drawn for each repeat; by default all are taken.")
    sampled: str = option("before", Choice(SAMPLED), "Whether they are drawn before or after the file is protected.")


@dataclass(frozen=True, kw_only=True)
class ProtectionOptions(Options):
    """A protection in all its strengths.

    Beside these options stand parameters of the method that stay the same, and options of `Measuring` where it is not
    what the study says.
    """

    name: str = option("", Text(), "What this protection is called.")
    data: Sequence[str] | None = option(None, Names(), "The data that it is for, by default all.")
    method: str | None = option(None, Text(), "The method, such as mdav; none releases the files as they are.")
    plan: str | None = option(None, Text(), "A plan in place of a method; {k} in it is the k of the grid.")
    grid: Mapping[str, Any] | None = option(
        None, Grid(), "Parameters with a list of values each: all combinations are run."
    )


@dataclass(frozen=True, kw_only=True)
class MatchingOptions(Options):
    """Samples of a generated population, matched while tables of it are published one after the other."""

    name: str = option("", Text(), "What the matching is called.")
    categories: Any = option(None, Categories(), "Categories of each attribute of the people: { trade = 12, age = 8 }.")
    generated: str | None = option(None, Choice(GENERATED), "Generated people in place of categories.")
    records: int = option(1000, Whole(2, 10**7), "People in the population.")
    dependence: float = option(0.0, Number(0.0, 1.0), "How much their attributes depend on each other.")
    samples: Any = option((), NameLists(), "The attributes of each sample.")
    drawn: int = option(100, Whole(2), "People in each sample, and in each table that is a sample.")
    tables: Any = option((), Tables(), "Tables in the order of their publication: age,home: random_rounding 3.")
    ways: Any = option(("paper naive",), Ways(), "Posterior and bounds, such as paper naive.")
    draws: int = option(5, Whole(1, 10**4), "Draws of samples and tables whose matches are ranked together.")
    time_limit: float | None = option(4.0, Number(0.0), "Seconds for exact bounds, or an exact posterior, of one draw.")

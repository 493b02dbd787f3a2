"""What is published about the method, as options: of `linkrisk.assess` and of the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict

from linkrisk.errors import ParameterError
from linkrisk.options import Options, Text, Values, option, same_option
from linkrisk.protection.options import PlanKind, ProtectOptions

if TYPE_CHECKING:
    from linkrisk.data.columns import FilePair
    from linkrisk.informed.description import Description


@dataclass(frozen=True)
class Published(Values):
    """Descriptions of a release: files that protect --record wrote, their contents, or `Description` objects."""

    metavar = "FILE"
    is_path = True
    is_repeatable = True

    def check(self, value: Any) -> Any:
        """Return the descriptions, one for each part of the release."""
        from linkrisk.informed.describing import as_descriptions  # noqa: PLC0415  (not needed for help)

        return as_descriptions(value)

    def plain(self, value: Any) -> Any:
        """Return the descriptions in words."""
        return None if value is None else str(value)


@dataclass(frozen=True, kw_only=True)
class Describing(Options):
    """What is published about the method; by default nothing, and every method that fits the files is tried."""

    title: ClassVar[str] = "What is published about the method"

    published: Any = option(
        None,
        Published(),
        "How the release was made: the file that protect --record wrote; several for a release made in several steps.",
    )
    method: str | None = option(
        None, Text("METHOD"), "Method by which the release was made, as protect takes it; parameters beside it."
    )
    plan: Any = option(
        None, PlanKind(), "Plan by which the release was made, as protect takes it; a strength left out is estimated."
    )
    groups: Sequence[Sequence[str]] | str | None = same_option(ProtectOptions, "groups")
    k: Any = same_option(ProtectOptions, "k")
    p: Any = same_option(ProtectOptions, "p")
    raw: bool = same_option(ProtectOptions, "raw")
    variant: str | None = same_option(ProtectOptions, "variant")
    keep: Any = same_option(ProtectOptions, "keep")
    base: Any = same_option(ProtectOptions, "base")
    random: bool = same_option(ProtectOptions, "random")
    top: Any = same_option(ProtectOptions, "top")
    bottom: Any = same_option(ProtectOptions, "bottom")
    top_percent: Any = same_option(ProtectOptions, "top_percent")
    bottom_percent: Any = same_option(ProtectOptions, "bottom_percent")
    into: Any = same_option(ProtectOptions, "into")

    @property
    def is_told(self) -> bool:
        """Whether anything is said about how the release was made."""
        return any(each is not None for each in (self.published, self.method, self.plan))

    def description(self, files: FilePair) -> Description | None:
        """Return what is published about the attributes of two files, None if nothing is."""
        given = {field.name: getattr(self, field.name) for field in fields(Describing)}
        published, method, plan = given.pop("published"), given.pop("method"), given.pop("plan")
        parameters = {name: value for name, value in given.items() if value not in (None, False)}
        if method is None and parameters:
            raise ParameterError(
                f"{next(iter(parameters))} is a parameter of the method, which is not named; name it (--method)"
            )
        told = [name for name in ("published", "method", "plan") if getattr(self, name) is not None]
        if len(told) > 1:
            raise ParameterError(f"the method is given twice, by {told[0]} and by {told[1]}; keep one")
        if not told:
            return None
        from linkrisk.informed.describing import describe, describe_plan  # noqa: PLC0415  (takes a moment to load)

        if method is not None:
            return describe(method, parameters, files)
        if plan is not None:
            return describe_plan(plan, files)
        described: Description = published.restricted(attribute.name for attribute in files.attributes)
        return described


class DescribingKeywords(TypedDict, total=False):
    """The options of `Describing`, for type checkers."""

    published: Any
    method: str | None
    plan: Any
    groups: Sequence[Sequence[str]] | str | None
    k: Any
    p: Any
    raw: bool
    variant: str | None
    keep: Any
    base: Any
    random: bool
    top: Any
    bottom: Any
    top_percent: Any
    bottom_percent: Any
    into: Any

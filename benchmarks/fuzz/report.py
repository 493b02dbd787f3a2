"""The table of a run: what came of the instances of each family and kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

from benchmarks.fuzz.check import WRONG, Outcome
from benchmarks.fuzz.instance import FAMILIES, Instance

COLUMNS = ("instances", "wrong", "crashed", "unsettled", "overrun", "stopped", "refused", "undecided")

FATAL = ("wrong", "crashed", "unsettled", "overrun")


@dataclass
class Failure:
    """An instance that failed: its seed and number, what is wrong, and its smallest version."""

    seed: int
    number: int
    instance: Instance
    outcome: Outcome
    smallest: Instance | None = None

    def text(self) -> str:
        """Return the failure with Python that shows it again."""
        lines = [f"--- {self.seed}:{self.number} {self.instance.family}, {self.instance.kind}"]
        lines += [f"    {problem.what}: {problem.detail}" for problem in self.outcome.problems]
        if self.smallest is not None:
            module, call = "check import check", "check(instance, has_certificate=True)"
            if "linkage" in self.outcome.signature:
                module, call = "laws import check_linkage", "check_linkage(instance)"
            lines += [
                f"from benchmarks.fuzz.{module}",
                "from benchmarks.fuzz.instance import Column, Instance",
                f"instance = {self.smallest!r}",
                f"print({call}.problems)",
            ]
        return "\n".join(lines)


def _no_time() -> list[float]:
    """Return instances, seconds of the learner and seconds of the judge, before any."""
    return [0.0, 0.0, 0.0]


@dataclass
class Report:
    """Counts by family and kind, the failures, and the time that learner and judge took."""

    counts: defaultdict[tuple[str, str], Counter[str]] = field(default_factory=partial(defaultdict, Counter))
    problems: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    seconds: defaultdict[str, list[float]] = field(default_factory=partial(defaultdict, _no_time))
    failures: list[Failure] = field(default_factory=list)

    def add(self, family: str, kind: str, outcome: Outcome) -> None:
        """Count the outcome of one instance."""
        count = self.counts[family, kind]
        count["instances"] += 1
        count["refused"] += outcome.is_refused
        count["undecided"] += outcome.is_undecided
        count["stopped"] += outcome.status == "time_limit"
        count.update({"wrong" if what in WRONG else what for what in outcome.signature})
        self.problems.update((family, kind, what) for what in outcome.signature)
        times = self.seconds[family]
        for place, value in enumerate((1.0, outcome.learning, outcome.judging)):
            times[place] += value

    def merge(self, other: Report) -> None:
        """Add what another process has counted."""
        for key, count in other.counts.items():
            self.counts[key].update(count)
        self.problems.update(other.problems)
        for family, times in other.seconds.items():
            self.seconds[family] = [a + b for a, b in zip(self.seconds[family], times, strict=True)]
        self.failures += other.failures

    @property
    def has_failed(self) -> bool:
        """Whether anything happened that must not."""
        return any(_has_failed(count) for count in self.counts.values())

    def text(self, seconds: float) -> str:
        """Return the table: one line per family and kind, sums, and the time per instance."""
        lines = [f"{'family':<22}{'kind':<12}" + "".join(f"{name:>10}" for name in COLUMNS)]
        for family in dict.fromkeys(family for family, _ in sorted(self.counts)):
            rows = {kind: count for (name, kind), count in sorted(self.counts.items()) if name == family}
            shown = rows if family in FAMILIES else {kind: count for kind, count in rows.items() if _has_failed(count)}
            lines += [_line(family, kind, count) for kind, count in shown.items()]
            lines.append(_line(family, "all", _sum(rows.values())))
        lines.append(_line("all", "all", _sum(self.counts.values())))
        lines.append("")
        for family, (n, learning, judging) in sorted(self.seconds.items()):
            if family in FAMILIES:
                lines.append(f"{family:<22}{1000 * learning / n:8.1f} ms learner {1000 * judging / n:8.1f} ms judge")
        found: Counter[str] = Counter()
        for (_, _, what), number in self.problems.items():
            found[what] += number
        told = ", ".join(f"{what} {number}" for what, number in sorted(found.items())) or "none"
        lines.append(f"problems: {told}; {seconds:.0f} s")
        return "\n".join(lines)


def _has_failed(count: Counter[str]) -> bool:
    return any(count[what] for what in FATAL)


def _sum(counts: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return total


def _line(family: str, kind: str, count: Counter[str]) -> str:
    return f"{family:<22}{kind:<12}" + "".join(f"{count[name]:>10}" for name in COLUMNS)

"""Steps of long work: which one is being done, and about how long the rest will take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Schedule:
    """Steps that are expected, one after the other.

    A step with a limit in seconds, an attacker who learns, counts with all of it; others count as those of their kind
    took so far. So the estimate is rather too long than too short.
    """

    limits: list[float] = field(default_factory=list)
    begun: list[float] = field(default_factory=list)

    def expect(self, limits: Sequence[float]) -> None:
        """Add steps to come; 0 where there is no limit."""
        self.limits += limits

    def begin(self, now: float) -> None:
        """Begin the next step at a moment in seconds."""
        self.begun.append(now)

    def number(self) -> str:
        """Return which step is being done, in words; nothing where it was not expected."""
        done, total = len(self.begun), len(self.limits)
        return f"step {done} of {total}: " if 1 <= done <= total and total > 1 else ""

    def share(self, of_step: float = 0.0) -> float:
        """Return which share of all expected steps is done, if a share of this one is; every step counts the same.

        >>> Schedule([0.0, 0.0], [1.0]).share(0.5)
        0.25
        """
        done = max(0, len(self.begun) - 1) + of_step
        return min(1.0, done / len(self.limits)) if self.limits else 0.0

    def left(self, now: float, share: float = 0.0) -> float | None:
        """Return about how many seconds are left, if a share of this step is done; None where nobody can tell.

        >>> schedule = Schedule()
        >>> schedule.expect([0.0, 0.0, 5.0])
        >>> schedule.begin(0.0), schedule.begin(2.0)
        (None, None)
        >>> schedule.left(3.0, share=0.5)  # half of 2 s, and the limit of the last step
        6.0
        """
        place = len(self.begun) - 1
        if not 0 <= place < len(self.limits) or math.isinf(sum(self.limits[place:])):
            return None
        running, others = now - self.begun[place], self.limits[place + 1 :]
        usual = self._usual()
        if usual is None and self.limits[place] == 0.0 and share > 0.0:
            usual = running / share
        unlimited = self.limits[place:].count(0.0)
        if unlimited and usual is None:
            return None
        if self.limits[place] > 0.0:
            rest = self.limits[place] - running
        else:
            rest = running * (1.0 - share) / share if share > 0.0 else (usual or 0.0) - running
        return max(rest, 0.0) + sum(others) + others.count(0.0) * (usual or 0.0)

    def _usual(self) -> float | None:
        """Return how long a step without limit took on average; None where none is done."""
        ends = self.begun[1:]
        took = [end - start for start, end, limit in zip(self.begun, ends, self.limits, strict=False) if limit == 0.0]
        return sum(took) / len(took) if took else None


def duration(seconds: float) -> str:
    """Return a time in words, no finer than anybody needs.

    >>> duration(0.4), duration(42.0), duration(200.0), duration(7300.0)
    ('about 1 s', 'about 42 s', 'about 3 min', 'about 2.0 h')
    """
    if seconds < 90.0:
        return f"about {max(1, round(seconds))} s"
    return f"about {seconds / 60.0:.0f} min" if seconds < 5400.0 else f"about {seconds / 3600.0:.1f} h"

"""An exact judge of learned attackers, in whole numbers and fractions, that shares no code with linkrisk."""

from tests.oracle.judge.best import Judgement, judge
from tests.oracle.judge.case import Case

__all__ = ["Case", "Judgement", "judge"]

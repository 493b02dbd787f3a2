"""How a release was protected, where nothing, or not everything, is published: it is held against the original.

`completed` estimates parameters that are not published, `recognised` names the methods themselves, and `unexplained`
the attributes about which a description says nothing. The first two look at the true pairs: they stand for an intruder
who guessed right.
"""

from linkrisk.informed.recognise.completion import completed
from linkrisk.informed.recognise.recognition import recognised, unexplained

__all__ = ["completed", "recognised", "unexplained"]

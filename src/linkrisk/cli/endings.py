"""How commands end if they have no result."""

INPUT_MISTAKE = 2
"""Exit code after a mistake of the user."""

INTERRUPTED_LINE = "linkrisk: interrupted before any result"

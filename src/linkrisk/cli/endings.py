"""How commands end."""

RULE_BROKEN = 1
"""Exit code where the result is a refusal: a release rule broken, a target missed, a certificate rejected."""

INPUT_MISTAKE = 2
"""Exit code after a mistake of the user, and where a result could not be written."""

INTERRUPTED_LINE = "linkrisk: interrupted before any result"

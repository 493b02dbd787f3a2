"""The token of the start address, which opens the page once, and the key that a browser keeps from then on."""

from __future__ import annotations

import secrets

BYTES = 32
"""Random bytes of a token or key: nobody guesses 256 bits."""


class Keys:
    """What opens the page.

    A token is in an address, which may end up in the history of a browser or on a screen that is shared; so it is of
    use once. What it is exchanged for is in a cookie that scripts cannot read.

    >>> keys = Keys()
    >>> token = keys.token()
    >>> keys.redeem(token), keys.redeem(token)
    (True, False)
    >>> keys.opens(keys.key), keys.opens("guessed")
    (True, False)
    """

    def __init__(self) -> None:
        self.key = secrets.token_urlsafe(BYTES)
        self._token: str | None = None

    def token(self) -> str:
        """Return the token that was not used yet; a new one where there is none."""
        self._token = self._token or secrets.token_urlsafe(BYTES)
        return self._token

    def redeem(self, token: str) -> bool:
        """Whether this is the token that was not used yet; it is now."""
        is_right = self._token is not None and _is_same(token, self._token)
        if is_right:
            self._token = None
        return is_right

    def opens(self, key: str | None) -> bool:
        """Whether this is the key."""
        return key is not None and _is_same(key, self.key)


def _is_same(given: str, known: str) -> bool:
    """Compare without telling by the time it takes how much is right."""
    return secrets.compare_digest(given.encode("utf-8", "replace"), known.encode())

"""The seed of a protection, kept apart from everything that is shown or released."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NoReturn

from linkrisk.errors import ParameterError

if TYPE_CHECKING:
    from linkrisk.data.writing import NewFile


class Secret:
    """The seed of a protection: whoever knows it can undo the protection.

    No representation, text or format shows it. `reveal` returns it, `write` keeps it in a side file.

    Examples
    --------
    >>> secret = Secret(12345)
    >>> secret
    <secret>
    >>> f"{secret}"
    '<secret>'
    """

    __slots__ = ("_seed",)

    def __init__(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise ParameterError("secret_seed (--secret-seed) must be a whole number, 0 or more")
        self._seed = seed

    def reveal(self) -> int:
        """Return the seed."""
        return self._seed

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the seed to a file that only its owner can read (mode 0600), whole or not at all.

        Raises
        ------
        FileError
            If the file exists already (it is kept as it is, unless ``overwrite``) or cannot be written.
        """
        from linkrisk.data.writing import write_together  # noqa: PLC0415  (imports pyarrow)

        write_together([self.side_file(path)], overwrite=overwrite)

    def side_file(self, path: str | os.PathLike[str]) -> NewFile:
        """Return the file that `write` writes, to be written together with others."""
        from linkrisk.data.writing import text_file  # noqa: PLC0415  (imports pyarrow)

        notice = "# CONFIDENTIAL: whoever knows this seed can undo the protection; never release it"
        return text_file(path, f"{notice}\nsecret_seed = {self._seed}\n", confidential=True)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled or copied along with results; write it to a side file of its own")

    def __repr__(self) -> str:
        return "<secret>"

"""Every error a user can meet.

::

    LinkriskError
    └── InputError          something the user gave cannot be used; the command line exits with 2
        ├── FileError       a file is missing, empty, unreadable, or already there
        ├── ColumnError     a column cannot be used as asked
        │   └── TooFewRecordsError   so many records that lack the same values are not there
        ├── PairingError    the records of the two files cannot be paired
        ├── ParameterError  a parameter of an attacker or a protection method is out of its range
        │   ├── NotApplicableError   an attacker cannot be used on these files, whatever its parameters
        │   └── MissingCodeError     a protected value would be a code for missing
        ├── SettingsError   an assessment file, a schema or an option is wrong
        │   └── OptionError          options are unknown, or have values that cannot be used
        └── NoChartError    a result holds nothing that the chart asked for could show

Each message is one sentence that names the file, the column and the row where they are known, and the
remedy. It never quotes a cell: the files are confidential and messages end up in logs.
"""

from __future__ import annotations

from collections import abc


class LinkriskError(Exception):
    """Base class of everything linkrisk raises on purpose."""


class InputError(LinkriskError):
    """Something the user gave cannot be used."""


class FileError(InputError):
    """A file is missing, empty, unreadable, or already there."""


class ColumnError(InputError):
    """A column cannot be used as asked."""


class TooFewRecordsError(ColumnError):
    """There are no k records with the values that a record has, so that nothing can be averaged; a lower k may do."""


class PairingError(InputError):
    """The records of the two files cannot be paired."""


class ParameterError(InputError):
    """A parameter of an attacker or a protection method is out of its range."""


class NotApplicableError(ParameterError):
    """An attacker cannot be used on these files, whatever its parameters; an assessment leaves it out, with a note."""


class MissingCodeError(ParameterError):
    """A protected value would be a code for missing, so that readers of the file would lose it."""


class SettingsError(InputError):
    """An assessment file, a schema or an option is wrong."""


class NoChartError(InputError):
    """A result holds nothing that the chart asked for could show, or there is no such chart of it."""


class OptionError(SettingsError):
    """Options are unknown, or have values that cannot be used.

    ``mistakes`` are the options with what is wrong with each: ``("margin", "must be a number")``, or
    ``("schema", ": " + sentence)`` where a whole sentence says it. So every caller is told in the words he used:
    ``margin`` in Python, ``--margin`` on the command line.
    """

    def __init__(self, mistakes: abc.Sequence[tuple[str, str]]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__(self.told())

    def __reduce__(self) -> tuple[object, ...]:
        """Return how it is made again in another process: of its mistakes."""
        return OptionError, (self.mistakes,), self.__dict__

    def told(self, name_of: abc.Callable[[str], str] = str) -> str:
        """Return all mistakes, one per line, with the options called as ``name_of`` says."""
        return "\n".join(
            f"{name_of(name)}{'' if fault.startswith(':') else ' '}{fault}" if name else fault
            for name, fault in self.mistakes
        )

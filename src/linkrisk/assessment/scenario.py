"""What the intruder knows: some attributes, some people."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from linkrisk.errors import SettingsError
from linkrisk.options import Names

if TYPE_CHECKING:
    from linkrisk.arrays import IntArray
    from linkrisk.data.columns import FilePair


@dataclass(frozen=True)
class Scenario:
    """One intruder's knowledge.

    ``attributes`` are the names of the attributes he knows (None: all). ``people`` are the original records he knows:
    None for all, a share between 0 and 1 drawn at random with the seed of the run, or a list of them, by id where the
    files are paired by id and by record number (the first is 1) otherwise. All protected records stay candidates, and
    values are scaled over the whole files.

    >>> Scenario("a neighbour", attributes=("age", "sex"), people=0.1).name
    'a neighbour'
    """

    name: str
    attributes: tuple[str, ...] | None = None
    people: float | Sequence[str | int] | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Scenario:
        """Make a scenario from the fields an assessment file has: ``name``, ``attributes``, ``people``.

        Raises
        ------
        ValueError
            If a field is unknown, absent or of the wrong kind; the message names it.
        """
        known = [each.name for each in fields(cls)]
        unknown = [name for name in given if name not in known]
        if unknown:
            raise ValueError(f"has no {unknown[0]!r}; a scenario has {', '.join(known)}")
        name, people = given.get("name"), given.get("people")
        if not isinstance(name, str) or not name:
            raise ValueError("needs a name for each scenario")
        if isinstance(people, int | float) and not isinstance(people, bool):
            is_right = 0.0 < people <= 1.0
        else:
            is_right = people is None or (isinstance(people, Sequence) and not isinstance(people, str))
        if not is_right:
            raise ValueError(f"{name!r}: people must be a share above 0 and at most 1, or a list")
        attributes = given.get("attributes")
        return cls(name, None if attributes is None else Names().check(attributes), people)

    def plain(self) -> dict[str, object]:
        """Describe the scenario for JSON; of people listed one by one only their number."""
        people = self.people
        return {
            "name": self.name,
            "attributes": self.attributes,
            "people": people if people is None or isinstance(people, int | float) else f"{len(people)} listed",
        }

    def attribute_names(self, files: FilePair) -> tuple[str, ...]:
        """Return the names of the attributes he knows, checked."""
        names = tuple(attribute.name for attribute in files.attributes)
        if self.attributes is None:
            return names
        unknown = [name for name in self.attributes if name not in names]
        if unknown:
            raise SettingsError(
                f"scenario {self.name!r}: {unknown[0]!r} is not among the attributes used for linking "
                f"({', '.join(names)}); correct the name or add it to attributes (--attributes)"
            )
        if not self.attributes or len(set(self.attributes)) < len(self.attributes):
            raise SettingsError(f"scenario {self.name!r} names no attribute, or one twice; name each once")
        return self.attributes

    def rows(self, files: FilePair, seed: int) -> IntArray | None:
        """Return the original records he knows, or None for all."""
        if self.people is None:
            return None
        if isinstance(self.people, (int, float)):
            return self._drawn(files, float(self.people), seed)
        return self._listed(files, self.people)

    def _drawn(self, files: FilePair, share: float, seed: int) -> IntArray:
        if not 0.0 < share <= 1.0 or not math.isfinite(share):
            raise SettingsError(f"scenario {self.name!r}: people must be a share above 0 and at most 1, or a list")
        import numpy as np  # noqa: PLC0415  (the command line reads scenarios without it)

        count = max(1, round(share * files.n_original))
        chosen = np.random.default_rng(seed).choice(files.n_original, count, replace=False)
        return np.sort(chosen).astype(np.int64)

    def _listed(self, files: FilePair, people: Sequence[str | int]) -> IntArray:
        import numpy as np  # noqa: PLC0415  (the command line reads scenarios without it)

        if files.record_ids is None:
            place = {str(row + 1): row for row in range(files.n_original)}
            what = f"record numbers from 1 to {files.n_original}"
        else:
            place = {str(label): row for row, label in enumerate(files.record_ids)}
            what = "ids of original records"
        wanted = [str(person) for person in people]
        absent = [entry for entry, person in enumerate(wanted, start=1) if person not in place]
        if absent or not wanted:
            raise SettingsError(
                f"scenario {self.name!r}: entry {absent[0] if absent else 1} of people is not a known record; "
                f"people are {what}"
            )
        return np.array(sorted({place[person] for person in wanted}), dtype=np.int64)

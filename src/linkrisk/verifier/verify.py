"""The verb ``verify``: a certificate checked against two files, which are read as it says."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from linkrisk.data.pair import pair_files
from linkrisk.data.reading import Reading
from linkrisk.differences.comparison import make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.errors import ColumnError, PairingError, SettingsError
from linkrisk.verifier.certificate.document import read_certificate
from linkrisk.verifier.certificate.fields import as_list, as_mapping, as_text, check_keys, entry
from linkrisk.verifier.check import check_certificate
from linkrisk.verifier.verification import Rejection, Verification

MOST_ATTRIBUTES = 4000
"""Number of attributes up to which a certificate is checked."""

NOT_GIVEN: tuple[object, ...] = (None, "", [], {})
"""How a certificate writes an option of reading that was not given."""


def verify(
    certificate: str | os.PathLike[str],
    original: Any,
    protected: Any,
    *,
    pairs: Any = None,
    progress: Progress = no_progress,
) -> Verification:
    """Check a certificate of `linkrisk.assess` against the two files for which it was made.

    Links are counted again and every step of the proof is checked, in exact arithmetic where rounding could matter. The
    code shares nothing with the learner except the reading and scaling of the files. Columns, ties and missing values
    are handled as the certificate says.

    Parameters
    ----------
    certificate
        The certificate, a file.
    original, protected
        The two files, the same byte for byte as those of the assessment.
    pairs
        The file of true pairs, if the assessment was given one.
    progress
        Called with the number of items done and the number of all items, for each step.

    Returns
    -------
    Verification
        True if the certificate holds: no distance of the family makes more links than its bound.

    Raises
    ------
    InputError
        If the certificate or one of the files cannot be read.

    Notes
    -----
    Cost: about a second for the files of the papers.

    Examples
    --------
    >>> import tempfile, linkrisk
    >>> folder = Path(tempfile.mkdtemp())
    >>> original = linkrisk.datasets.census_like(60, seed=1)[["AFNLWGT", "AGI"]]
    >>> protected = linkrisk.protection.add_noise(original, 20.0, secret_seed=2).data
    >>> original.to_csv(folder / "o.csv", index=False)
    >>> protected.to_csv(folder / "p.csv", index=False)
    >>> options = {"attackers": ["weighted_mean"], "scales": ["separate"], "certificates": folder}
    >>> found = linkrisk.assess(folder / "o.csv", folder / "p.csv", **options).attacks[0]
    >>> name = "weighted_mean.separate.certificate.json.gz"
    >>> verification = linkrisk.verify(folder / name, folder / "o.csv", folder / "p.csv")
    >>> verification.is_valid, verification.links == found.links["unique"]
    (True, True)
    """
    contents = read_certificate(Path(certificate))
    try:
        told = _Told.of(contents)
    except Rejection as rejection:
        return Verification(False, str(rejection))
    if told.has_pairs_file and pairs is None:
        raise SettingsError(
            "the records were paired by a file of pairs when the certificate was made; give it as pairs (--pairs)"
        )
    if pairs is not None and not told.has_pairs_file:
        raise SettingsError("no file of pairs was given when the certificate was made; leave out pairs (--pairs)")
    try:
        reading = Reading.of({**told.reading, "attributes": list(told.attributes), "pairs": pairs})
        files = pair_files(original, protected, reading=reading)
        comparison = make_comparison(files, told.scale)
    except (ColumnError, PairingError, SettingsError) as problem:
        return Verification(False, f"The files cannot be read as the certificate says: {problem}")
    digests = (files.original_digest, files.protected_digest)
    verification = check_certificate(contents, comparison, file_digests=digests, progress=progress)
    reason = f"{verification.reason}{told.sentence}" if verification else verification.reason
    return replace(verification, reason=reason, frame_kind=files.frame_kind)


@dataclass(frozen=True)
class _Told:
    """What a certificate says about the reading of its files; ``reading`` are the options that it gives."""

    attributes: tuple[str, ...]
    scale: Scale
    reading: Mapping[str, Any]
    has_pairs_file: bool

    @classmethod
    def of(cls, contents: Mapping[str, Any]) -> _Told:
        """Return it, each entry of the right type; raise `Rejection` where one is not."""
        where = "The reading of the files in the certificate"
        reading = as_mapping(entry(contents, "reading", "The certificate"), where)
        known = {field.name for field in fields(Reading)} - {"attributes", "pairs"}
        check_keys(reading, {*known, "has_pairs_file"}, where)
        if not isinstance(reading.get("schema") or {}, Mapping):  # a text would be the path of some file
            raise Rejection(f"{where} has a schema that is not a JSON object")
        has_pairs_file = reading.get("has_pairs_file") or False
        if not isinstance(has_pairs_file, bool):
            raise Rejection(f"{where} does not say whether there was a file of pairs")
        names = as_list(entry(contents, "attributes", "The certificate"), "The list of attributes")
        if len(names) > MOST_ATTRIBUTES:
            raise Rejection(f"The certificate names more than {MOST_ATTRIBUTES:,} attributes")
        scale = as_text(entry(contents, "scale", "The certificate"), "The scale")
        if scale not in list(Scale):
            raise Rejection("The scale of the certificate is not one of " + ", ".join(Scale))
        return cls(
            attributes=tuple(as_text(name, "The name of an attribute") for name in names),
            scale=Scale(scale),
            reading={name: reading[name] for name in known if reading.get(name) not in NOT_GIVEN},
            has_pairs_file=has_pairs_file,
        )

    @property
    def sentence(self) -> str:
        """Which options of reading were taken from the certificate: links and bound are those of files read so."""
        names = sorted(self.reading)
        return f"; the files are read with the certificate's own {' and '.join(names)}" if names else ""

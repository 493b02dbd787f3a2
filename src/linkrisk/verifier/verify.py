"""The verb ``verify``: a certificate checked against two files, which are read as it says."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from typing_extensions import TypeIs

from linkrisk.data.columns import FilePair
from linkrisk.data.pair import pair_files
from linkrisk.data.reading import Reading
from linkrisk.differences.comparison import Comparison, make_comparison
from linkrisk.differences.scale import Scale
from linkrisk.engine.progress import Progress, no_progress
from linkrisk.errors import ColumnError, PairingError, SettingsError
from linkrisk.verifier.certificate.document import read_certificate
from linkrisk.verifier.check import check_certificate
from linkrisk.verifier.verdict import Verdict


def verify(
    certificate: str | os.PathLike[str],
    original: Any,
    protected: Any,
    *,
    pairs: Any = None,
    progress: Progress = no_progress,
) -> Verdict:
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
    Verdict
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
    >>> verdict = linkrisk.verify(folder / name, folder / "o.csv", folder / "p.csv")
    >>> verdict.is_valid, verdict.links == found.links["unique"]
    (True, True)
    """
    contents = read_certificate(Path(certificate))
    reading = contents.get("reading")
    attributes, scale = contents.get("attributes"), contents.get("scale")
    if not _is_reading(reading) or not isinstance(attributes, list) or scale not in list(Scale):
        return Verdict(False, "The certificate does not say how its files were read; make it again")
    if reading.get("has_pairs_file") and pairs is None:
        raise SettingsError(
            "the records were paired by a file of pairs when the certificate was made; give it as pairs (--pairs)"
        )
    if pairs is not None and not reading.get("has_pairs_file"):
        raise SettingsError("no file of pairs was given when the certificate was made; leave out pairs (--pairs)")
    try:
        files, comparison = _read(reading, attributes, Scale(scale), original, protected, pairs)
    except (ColumnError, PairingError, SettingsError) as problem:
        return Verdict(False, f"The files cannot be read as the certificate says: {problem}")
    digests = (files.original_digest, files.protected_digest)
    verdict = check_certificate(contents, comparison, file_digests=digests, progress=progress)
    return replace(verdict, frame_kind=files.frame_kind)


def _is_reading(reading: object) -> TypeIs[Mapping[str, Any]]:
    """Tell whether the entry ``reading`` of a certificate is a mapping, and its schema no path of some file."""
    return isinstance(reading, Mapping) and (reading.get("schema") is None or isinstance(reading["schema"], Mapping))


def _read(
    reading: Mapping[str, Any], attributes: list[Any], scale: Scale, original: Any, protected: Any, pairs: Any
) -> tuple[FilePair, Comparison]:
    """Return the two files, read as they were read for the assessment, and their comparison."""
    known = {field.name for field in fields(Reading)}
    told = {name: value for name, value in reading.items() if name in known and value is not None}
    files = pair_files(original, protected, reading=Reading.of({**told, "attributes": attributes, "pairs": pairs}))
    return files, make_comparison(files, scale)
